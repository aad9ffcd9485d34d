"""The results of a traced function: flattened to tensors, and packed again on each call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gradtape import ops
from gradtape.core import nest
from gradtape.core.protocols import Composite, has_type_spec
from gradtape.core.state import get_state
from gradtape.core.tensor import Tensor
from gradtape.engine.indexed_slices import IndexedSlices
from gradtape.graph.per_replica import PerReplica, Unequal
from gradtape.graph.tracing import Obstacle


def flatten_result(result: Any, convert: Callable) -> tuple[list, Callable[[list], Any]]:
    """Return the tensors in a result, and the function that packs such tensors into such a result.

    `convert` turns a leaf that is no tensor into one.
    """
    if isinstance(result, Tensor):
        return [result], _first
    leaves = nest.flatten(result) if nest.is_nested(result) else [result]
    tensors: list = []
    packers = []
    for leaf in leaves:
        if leaf is None:
            packers.append(_nothing)
        elif isinstance(leaf, IndexedSlices):
            tensors += [leaf.values, leaf.indices]
            packers.append(_slices(leaf._dense_shape))
        elif isinstance(leaf, PerReplica):
            tensors.append(leaf.stack)
            packers.append(lambda values, leaf=leaf: leaf.rebuild(next(values)))
        elif isinstance(leaf, Unequal):
            tensors += leaf.parts
            packers.append(_unequal(leaf))
        elif isinstance(leaf, Composite) and leaf._static_parts() is not None:
            tensors += leaf._component_tensors()
            packers.append(_composite(leaf))
        elif has_type_spec(leaf):
            trace = get_state().trace
            if trace is not None:
                trace.fail(f"a {type(leaf).__name__} is returned", Obstacle.OTHER)
            packers.append(lambda values, leaf=leaf: leaf)
        else:
            tensors.append(leaf if isinstance(leaf, Tensor) else convert(leaf))
            packers.append(next)
    if not nest.is_nested(result):
        return tensors, lambda tensors: packers[0](iter(tensors))
    is_flat = type(result) in (tuple, list) and not any(map(nest.is_nested, result))
    if is_flat and all(pack is next for pack in packers):
        return tensors, type(result)
    blank = nest.map_structure(lambda leaf: None, result)  # the structure, without the tensors

    def pack(tensors: list):
        values = iter(tensors)
        return nest.pack_sequence_as(blank, [pack_leaf(values) for pack_leaf in packers])

    return tensors, pack


def to_result(value: Any, function: Any) -> Tensor:
    """Return a value that a function returns as a tensor, or raise TensorFlow's error."""
    try:
        return ops.to_tensor(value)
    except (TypeError, ValueError):
        raise TypeError(
            "To be compatible with tf.function, Python functions must return zero or more "
            f"Tensors or ExtensionTypes or None values; in compilation of {function!r}, found "
            f"return value of type {type(value).__name__}, which is not a Tensor or ExtensionType."
        ) from None


def _first(tensors: list):
    return tensors[0]


def _nothing(values) -> None:
    return None


def _unequal(leaf: Unequal):
    return lambda values: leaf.rebuild([next(values) for _ in leaf.parts])


def _composite(leaf: Composite):
    count = len(leaf._component_tensors())
    return lambda values: leaf._with_components([next(values) for _ in range(count)])


def _slices(shape):
    if shape is not None:
        shape = ops.static_shape(shape)
    return lambda values: IndexedSlices(next(values), next(values), shape)
