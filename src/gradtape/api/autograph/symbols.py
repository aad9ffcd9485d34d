"""The names that a statement assigns to, as the state that a graph's branch or loop carries.

Numbers, texts, arrays, tensors and structures of them are carried as tensors. Anything else (None,
a layer) stays what it is, and must be the same on every path.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from malt.operators.variables import Undefined, UndefinedReturnValue

from gradtape import ops
from gradtape.api.array.staged_array import ProbedArray, StagedArray
from gradtape.api.array.tensor_array import TensorArray
from gradtape.core import nest
from gradtape.core.protocols import is_composite
from gradtape.core.state import get_state as engine_state
from gradtape.core.tensor import Tensor, TensorBase
from gradtape.engine.variable import Variable
from gradtape.graph.control.outside import surroundings
from gradtape.graph.obstacles import Obstacle
from gradtape.graph.tracing import Trace, trace_into

_VALUES = (bool, int, float, complex, str, bytes, np.ndarray, np.generic)


def is_undefined(value: Any) -> bool:
    """Return whether a name has no value yet."""
    return isinstance(value, (Undefined, UndefinedReturnValue))


def is_return_value(value: Any) -> bool:
    """Return whether it stands for the result of a function that has not returned yet."""
    return isinstance(value, UndefinedReturnValue)


def is_carried(value: Any) -> bool:
    """Return whether a value, or each value of a structure, can become a tensor of the graph."""
    leaves = nest.flatten(value)
    return len(leaves) > 0 and all(map(_is_tensor_like, leaves))


def _is_tensor_like(leaf: Any) -> bool:
    if isinstance(leaf, Variable):
        return False
    if is_composite(leaf):
        return leaf._static_parts() is not None
    return isinstance(leaf, (TensorBase, StagedArray, *_VALUES))


def to_tensors(value: Any) -> list[Tensor]:
    """Return the leaves of a carried value as tensors."""
    tensors: list = []
    for leaf in nest.flatten(value):
        if isinstance(leaf, StagedArray):
            tensors += _of_array(leaf)
        elif is_composite(leaf):
            tensors += leaf._component_tensors()
        else:
            tensors.append(ops.to_tensor(leaf))
    return tensors


def _of_array(array: StagedArray) -> list[Tensor]:
    return [array.rows(), array.count] if array.dynamic_size else [array.rows()]


def pack(like: Any, tensors: Iterator[Tensor]) -> Any:
    """Return a carried value with other tensors, taken from an iterator."""
    leaves: list = []
    for leaf in nest.flatten(like):
        if isinstance(leaf, StagedArray):
            rows = next(tensors)
            leaves.append(
                StagedArray(leaf, rows, next(tensors) if leaf.dynamic_size else leaf.count)
            )
        elif is_composite(leaf):
            leaves.append(leaf._with_components([next(tensors) for _ in leaf._component_tensors()]))
        else:
            leaves.append(next(tensors))
    return nest.pack_sequence_as(like, leaves)


def arrays_in(value: Any) -> list[TensorArray]:
    """Return the TensorArrays in a value."""
    return [x for x in nest.flatten(value) if isinstance(x, TensorArray)]


def map_arrays(function: Callable[[TensorArray], Any], value: Any) -> Any:
    """Return a value with its TensorArrays replaced."""
    if not arrays_in(value):
        return value
    return nest.map_structure(lambda x: function(x) if isinstance(x, TensorArray) else x, value)


def same_structure(a: Any, b: Any) -> bool:
    try:
        nest.assert_same_structure(a, b)
    except (TypeError, ValueError):
        return False
    leaves = zip(nest.flatten(a), nest.flatten(b), strict=True)
    return all(_composite_key(x) == _composite_key(y) for x, y in leaves)


def _composite_key(leaf: Any) -> tuple | None:
    """Return what a composite has besides tensors; None for anything else."""
    if not is_composite(leaf):
        return None
    return type(leaf), len(leaf._component_tensors()), leaf._static_parts()


def only_eagerly(value: Any, what: str) -> None:
    """End the trace where a value holds a composite that no graph can carry (a SparseTensor)."""
    for leaf in nest.flatten(value):
        if is_composite(leaf) and not _is_tensor_like(leaf):
            surroundings().fail(f"{what} a value of type {type(leaf).__name__}", Obstacle.OTHER)


def is_same(a: Any, b: Any) -> bool:
    """Return whether two values of a name are one Python value."""
    if a is b:
        return True
    simple = (bool, int, float, str, bytes)
    return type(a) is type(b) and isinstance(a, simple) and a == b


def describe(value: Any) -> str:
    """Return what kind of value it is, for messages."""
    if isinstance(value, TensorArray):
        return "a TensorArray"
    return f"a Python {type(value).__name__}"


# --- what a statement does to its names ----------------------------------------------------------


def probe(
    trace: Any, initial: tuple, body: Callable[[], object], get_state: Callable, set_state: Callable
) -> tuple[tuple, dict[int, ProbedArray]]:
    """Run statements in a trace of their own, which is dropped.

    Return the values of the names after them, and what they wrote to each array, by its id.
    """
    probed: dict[int, ProbedArray] = {}

    def watch(array: TensorArray) -> ProbedArray:
        return probed.setdefault(id(array), ProbedArray(array))

    part = Trace(engine_state().depth + 1, outer=trace, repeats=True)
    try:
        with trace_into(part):
            set_state(tuple([map_arrays(watch, value) for value in initial]))
            body()
            after = get_state()
    finally:
        part.active = False
    set_state(initial)
    return after, probed


def room_of(array: TensorArray) -> int:
    """Return how many elements an array has room for."""
    return array.rows().shape[0] if isinstance(array, StagedArray) else array.room
