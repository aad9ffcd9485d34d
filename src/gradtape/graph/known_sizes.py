"""What is known while a function is traced: sizes, and initial values of variables.

`tf.shape(x)[0] * 2` is an open size, doubled. Where a shape is wanted, such integers are used as
sizes; where Python asks for a value, as numbers, for which the trace is then valid. The initial
value of a variable that the function creates is computed once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from gradtape.core.size import Size, sizes_in
from gradtape.core.state import lifted
from gradtape.core.tensor import Tensor
from gradtape.graph.graph import Graph, Node, Value
from gradtape.graph.obstacles import Obstacle
from gradtape.graph.open_sizes import FROM_SIZES, as_array, at_sizes
from gradtape.graph.passes.dead_code import eliminate_dead_code
from gradtape.graph.replay import replay

_MAX_NUMBERS = 64  # shapes have few


def _index(array: Any, index: tuple) -> Any:
    return array[tuple([slice(*entry) if type(entry) is tuple else entry for entry in index])]


def _larger(a: Any, b: Any) -> Any:
    return a if a >= b else b


# What the ops that shapes are computed with do to arrays of sizes (as objects).
_RULES: dict[str, Callable[..., Any]] = {
    "add": lambda x, y: x + y,
    "subtract": lambda x, y: x - y,
    "multiply": lambda x, y: x * y,
    "floordiv": lambda x, y: x // y,
    "floormod": lambda x, y: x % y,
    "maximum": np.frompyfunc(_larger, 2, 1),
    "minimum": np.frompyfunc(lambda a, b: a if a <= b else b, 2, 1),
    "negative": lambda x: -x,
    "identity": lambda x: x,
    "barrier": lambda x, after: x,
    "stop_gradient": lambda x: x,
    "reshape": lambda x, shape: np.reshape(x, shape),
    "broadcast_to": lambda x, shape: np.broadcast_to(x, shape),
    "slice": lambda x, index: _index(x, index),
    "concat": lambda *xs, axis: np.concatenate(xs, axis),
    "stack": lambda *xs, axis: np.stack(xs, axis),
    "gather": lambda x, indices, axis=0, **rest: np.take(x, indices.astype(np.int64), axis),
    "reduce_prod": lambda x, axis, keepdims: np.prod(x, axis, keepdims=keepdims),
    "reduce_sum": lambda x, axis, keepdims: np.sum(x, axis, keepdims=keepdims),
    "cast": lambda x, dtype: x,
}


def find_sizes(trace: Any, value: Value) -> Any:
    """Return what a value of integers is, as a size or nested lists of sizes; None if unknown."""
    sizes = _find(trace, value)
    return None if sizes is None else sizes.tolist()


def _find(trace: Any, value: Value) -> np.ndarray | None:
    if value.spec.dtype.kind not in "iu" or len(value.spec.shape) > 2:
        return None
    if value.constant is not None:
        array = np.asarray(value.constant._host_data())
        return array.astype(object) if array.size <= _MAX_NUMBERS else None
    node = trace.producer(value)
    if node is None:
        outer = trace.captured_value(value)
        return None if outer is None else _find(*outer)
    if node.prim is FROM_SIZES:
        is_vector = node.params["make"] is as_array
        return _as_objects(node.params["arguments"][0]) if is_vector else None
    rule = _RULES.get(node.prim.name)
    if rule is None:
        return None
    inputs = []
    for each in node.inputs:
        known = _find(trace, each)
        if known is None:
            return None
        inputs.append(known)
    try:
        made = rule(*inputs, **node.params)
    except (TypeError, ValueError, IndexError):
        return None
    return np.asarray(_as_objects(made) if type(made) is Size else made, dtype=object)


def _as_objects(sizes: Any) -> np.ndarray:
    """Return nested tuples of sizes as an array of objects: NumPy would ask sizes for numbers."""
    shape: tuple[int, ...] = ()
    part = sizes
    while isinstance(part, (tuple, list)):
        shape = (*shape, len(part))
        part = part[0] if part else None
    array = np.empty(shape, object)
    if not shape:
        array[()] = sizes
    elif len(shape) == 1:
        for i, size in enumerate(sizes):
            array[i] = size
    else:
        for i, row in enumerate(sizes):
            array[i] = _as_objects(row)
    return array


def compute_now(trace: Any, value: Value) -> Any:
    """Return what a value is in this call, if sizes alone determine it; None otherwise.

    The trace is valid for these sizes only, then.
    """
    known = find_sizes(trace, value)
    if known is not None:
        return np.array(known, value.spec.dtype)[()]
    nodes = _all_before(trace, value)
    if nodes is None:
        return None
    for node in nodes:
        for size in _sizes_of(node):
            size.__index__()
    graph = eliminate_dead_code(Graph((), nodes, (value,)))
    sized = at_sizes(graph, trace.open, trace.open.values)
    with lifted():
        return replay(sized, [])[0].numpy()


def _sizes_of(node: Node) -> Iterator[Size]:
    for parameter in node.params.values():
        yield from sizes_in(parameter)
    for value in node.outputs:
        yield from sizes_in(value.spec.shape)


def _all_before(trace: Any, value: Value) -> list[Node] | None:
    """Return the nodes that a value is computed by from nothing but sizes and constants."""
    wanted, needed = [value], {}
    while wanted:
        each = wanted.pop()
        if each.constant is not None:
            continue
        node = trace.producer(each)
        if node is None or node.has_effect or node.graphs:
            return None
        if id(node) not in needed:
            needed[id(node)] = node
            wanted += node.inputs
    return [node for node in trace.nodes if id(node) in needed]


# --- variables -----------------------------------------------------------------------------------


def initial_value(trace: Any, tensor: Tensor) -> Tensor:
    """Compute a traced tensor that depends on no argument of the function."""
    value = trace.value_of(tensor)
    if trace.outer is not None:
        trace.fail("a variable is made inside a branch or a loop", Obstacle.OTHER)
    graph = eliminate_dead_code(Graph(tuple(trace.inputs), trace.nodes, (value,)))
    used = {id(v) for v in graph.used()}
    known = {id(v): Tensor(variable._data) for variable, v in trace.variables}
    known |= {id(v): make() for make, v in trace.feeds if id(v) in used}
    for v in graph.inputs:
        if id(v) in used and id(v) not in known:
            trace.fail("the initial value of a variable depends on an argument", Obstacle.OTHER)
    unused = Tensor(np.float32(0))  # for inputs that the value does not depend on
    with lifted():
        return replay(graph, [known.get(id(v), unused) for v in graph.inputs])[0]
