"""What the elements after a program's function look like, without running the pipeline."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from gradtape.api.specs import NoneTensorSpec, TensorSpec, spec_of
from gradtape.core.dtypes import string
from gradtape.core.seeds import replayed_draws
from gradtape.core.shape import TensorShape
from gradtape.core.state import EMPTY, get_state, set_state
from gradtape.core.tensor import Tensor
from gradtape.data import structure
from gradtape.data.nodes import Node, as_object

# A size that is not known is tried with both: what differs in the results is not known either.
_SIZES = (2, 3)
_UNKNOWN_RANK = 1


def _is_known(spec) -> bool:
    return not isinstance(spec, TensorSpec) or spec.shape.is_fully_defined()


def placeholder(spec, size: int):
    """A value of a spec: zeros, or empty strings."""
    if isinstance(spec, NoneTensorSpec):
        return None
    if not isinstance(spec, TensorSpec):
        return spec._placeholder(size)
    if spec.shape.rank is None:
        shape: Any = (size,) * _UNKNOWN_RANK
    else:
        shape = tuple(size if length is None else length for length in spec.shape)
    if spec.dtype is string:
        empty = np.empty(shape, object)
        empty.fill(b"")
        return Tensor(empty if shape else as_object(b""))
    return Tensor(np.zeros(shape, spec.dtype.dtype)[() if shape else ...])


def placeholders(spec, size: int):
    """An element of a spec."""
    return structure.map_structure(lambda component: placeholder(component, size), spec)


def _merged(one, other):
    if one == other:
        return one
    both = isinstance(one, TensorSpec) and isinstance(other, TensorSpec)
    if not both or one.dtype is not other.dtype:
        return one
    return TensorSpec(one.shape.most_specific_compatible_shape(other.shape), one.dtype)


def result_spec(node: Node, source: Node, function) -> Any:
    """The spec of `function`'s results: it is run on zeros, or else on the first element.

    A function that cannot work on zeros is no error here. Random numbers are drawn for nobody.
    """
    spec = source.spec()
    known = all(map(_is_known, structure.flatten(spec)))
    before = get_state()
    set_state(EMPTY)
    try:
        with replayed_draws(itertools.repeat((0, 0))):  # type: ignore[arg-type]
            found = [
                _specs(function(placeholders(spec, size)))
                for size in (_SIZES[:1] if known else _SIZES)
            ]
        return found[0] if known else structure.map_structure(_merged, *found)
    except Exception:
        return first_spec(node, known)
    finally:
        set_state(before)


def _specs(value):
    return structure.map_structure(spec_of, value)


def first_spec(node: Node, known: bool):
    """The spec of a pipeline's first element, which is computed and put back."""
    streams = node.seed_streams()
    states = [stream.state for stream in streams]
    try:
        with replayed_draws(itertools.repeat((0, 0))):  # type: ignore[arg-type]
            specs = _specs(next(node.stream()))
    finally:
        for stream, state in zip(streams, states, strict=True):
            stream.state = state
    return specs if known else structure.map_structure(_without_sizes, specs)


def _without_sizes(spec):
    if not isinstance(spec, TensorSpec):
        return spec
    return TensorSpec(TensorShape([None] * len(spec.shape)), spec.dtype)
