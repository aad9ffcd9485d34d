"""What a traced function returns: the tensors in it, and how to put the next call's in place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gradtape import ops
from gradtape.core import nest
from gradtape.core.state import only_outside_of_functions
from gradtape.core.tensor import Tensor
from gradtape.engine.indexed_slices import IndexedSlices
from gradtape.engine.per_replica import PerReplica, Unequal


def flattened(result: Any, convert: Callable) -> tuple[list, Callable[[list], Any]]:
    """The tensors of a result, and the function from other such tensors to such a result.

    `convert` makes a tensor of a leaf that is none.
    """
    if isinstance(result, Tensor):
        return [result], _only
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
            packers.append(lambda values, leaf=leaf: leaf.rebuilt(next(values)))
        elif isinstance(leaf, Unequal):
            tensors += leaf.parts
            packers.append(_unequal(leaf))
        elif hasattr(leaf, "_type_spec"):
            only_outside_of_functions(f"a {type(leaf).__name__} is returned")
            packers.append(lambda values, leaf=leaf: leaf)
        else:
            tensors.append(leaf if isinstance(leaf, Tensor) else convert(leaf))
            packers.append(next)
    if not nest.is_nested(result):
        return tensors, lambda found: packers[0](iter(found))
    is_flat = type(result) in (tuple, list) and not any(map(nest.is_nested, result))
    if is_flat and all(pack is next for pack in packers):
        return tensors, type(result)
    blank = nest.map_structure(lambda leaf: None, result)  # the structure, without the tensors

    def pack(found: list):
        values = iter(found)
        return nest.pack_sequence_as(blank, [put(values) for put in packers])

    return tensors, pack


def _only(found: list):
    return found[0]


def _nothing(values) -> None:
    return None


def _unequal(leaf: Unequal):
    return lambda values: leaf.rebuilt([next(values) for _ in leaf.parts])


def _slices(shape):
    if shape is not None:
        shape = ops.static_shape(shape)
    return lambda values: IndexedSlices(next(values), next(values), shape)
