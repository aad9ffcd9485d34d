"""What the elements after a program's function look like, without running the pipeline."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from gradtape.api.extension_types.specs import ExtensionTypeSpec
from gradtape.api.io.unknown_strings import STAND_INS
from gradtape.api.sparse.tensor import SparseTensorSpec
from gradtape.api.specs import NoneTensorSpec, TensorSpec, spec_of
from gradtape.core.dtypes import string
from gradtape.core.protocols import is_ragged_spec
from gradtape.core.shape import TensorShape, has_all_sizes
from gradtape.core.state import EMPTY, get_state, set_state
from gradtape.core.tensor import Tensor
from gradtape.data import structure
from gradtape.data.nodes import PipelineNode, as_object
from gradtape.prng.seeds import replayed_draws

# A size that is not known is tried with both: what differs in the results is not known either.
# Strings differ, too, since their parts may be counted.
_SIZES = (2, 3)
_UNKNOWN_RANK = 1


def _is_known(spec) -> bool:
    if isinstance(spec, TensorSpec) or is_ragged_spec(spec):
        return has_all_sizes(spec.shape)
    if isinstance(spec, ExtensionTypeSpec):
        return all(map(_is_known, spec._component_specs))
    return True


def placeholder(spec, size: int):
    """Return a value of a spec: zeros, or the same string everywhere."""
    if isinstance(spec, NoneTensorSpec):
        return None
    if is_ragged_spec(spec):
        dense = placeholder(TensorSpec(spec.shape, spec.dtype), size)
        return spec._of_dense(dense)
    if isinstance(spec, ExtensionTypeSpec):
        return spec._from_components([placeholder(part, size) for part in spec._component_specs])
    if not isinstance(spec, TensorSpec):
        return spec._placeholder(size)
    if spec.shape.rank is None:
        shape: Any = (size,) * _UNKNOWN_RANK
    else:
        shape = tuple(size if length is None else length for length in spec.shape)
    if spec.dtype is string:
        text = STAND_INS[size]
        same = np.empty(shape, object)
        same.fill(text)
        return Tensor(same if shape else as_object(text))
    return Tensor(np.zeros(shape, spec.dtype.dtype)[() if shape else ...])


def placeholders(spec, size: int):
    """Return an element of a spec."""
    return structure.map_structure(lambda component: placeholder(component, size), spec)


def _merge(one, other):
    if one == other:
        return one
    kind = type(one)
    if type(other) is kind and (is_ragged_spec(one) or isinstance(one, ExtensionTypeSpec)):
        return one.most_specific_common_supertype([other]) or one
    if type(other) is not kind or kind not in (TensorSpec, SparseTensorSpec):
        return one
    if one.dtype is not other.dtype:
        return one
    return kind(one.shape.most_specific_compatible_shape(other.shape), one.dtype)


def result_spec(node: PipelineNode, source: PipelineNode, function) -> Any:
    """Return the spec of `function`'s results: it is run on zeros, or else on the first element.

    A function that cannot work on zeros is no error here. Random numbers are drawn for nobody.
    """
    spec = source.spec()
    leaves = structure.flatten(spec)
    known = all(map(_is_known, leaves))
    once = known and not any(getattr(leaf, "dtype", None) is string for leaf in leaves)
    before = get_state()
    try:
        set_state(EMPTY)
        with replayed_draws(itertools.repeat((0, 0))):  # pyright: ignore[reportArgumentType] (endless, and read only as far as needed)
            results = [
                _specs(function(placeholders(spec, size)))
                for size in (_SIZES[:1] if once else _SIZES)
            ]
        return results[0] if once else structure.map_structure(_merge, *results)
    except MemoryError:
        raise
    except Exception:  # the user's function is not made for zeros: the first element decides
        return first_spec(node, known)
    finally:
        set_state(before)


def _specs(value):
    return structure.map_structure(spec_of, value)


def first_spec(node: PipelineNode, known: bool):
    """Return the spec of a pipeline's first element, which is computed and put back."""
    streams = node.seed_streams()
    states = [stream.state for stream in streams]
    try:
        with replayed_draws(itertools.repeat((0, 0))):  # pyright: ignore[reportArgumentType] (endless, and read only as far as needed)
            specs = _specs(next(node.stream()))
    finally:
        for stream, state in zip(streams, states, strict=True):
            stream.state = state
    return specs if known else structure.map_structure(_without_sizes, specs)


def _without_sizes(spec):
    if isinstance(spec, ExtensionTypeSpec):
        return spec._map_tensor_specs(_without_sizes)
    if not isinstance(spec, TensorSpec):
        return spec
    return TensorSpec(TensorShape([None] * len(spec.shape)), spec.dtype)
