"""Finds ops that may write their result into the array of an input that is not used afterward.

Elementwise ops overwrite temporary arrays of the same size. An op that changes a part of its first
input (some rows, a slice) writes that part into the array if the graph owns it: the array of a
variable that the call assigns to, or the result of another such op.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from gradtape.backends.numpy import KERNELS, WRITERS
from gradtape.backends.numpy.elementwise import UFUNCS
from gradtape.core.primitive import Primitive
from gradtape.core.size import is_open
from gradtape.graph.graph import Graph, Node, last_uses

# Below this many bytes, allocating an array costs no more than checking.
_MIN_BYTES = 1 << 14


def ufunc_of(prim: Primitive, kernel) -> np.ufunc | None:
    """Return the NumPy ufunc that computes a primitive and takes `out=`, or None.

    Native kernels manage their memory themselves.
    """
    if isinstance(kernel, np.ufunc):
        return kernel
    is_numpy = kernel is KERNELS.get(prim.name)
    return UFUNCS.get(prim.name) if is_numpy else None


def find_reusable_inputs(
    graph: Graph, kernel_of: Callable[[Primitive], Callable]
) -> dict[int, int]:
    """Map the index of a node to the index of the input whose array can take its result.

    Such an input was made by an op that allocates its result, has only been used by such ops (so
    that no view of it is alive), is used here for the last time, and has the same spec.
    """
    fresh: dict[int, bool] = {}
    for node in graph.nodes:
        allocates = ufunc_of(node.prim, kernel_of(node.prim)) is not None
        for value in node.outputs:
            fresh[id(value)] = allocates
        if not allocates:  # it may return a view of its inputs, or keep them
            for value in node.inputs:
                fresh[id(value)] = False
    last = last_uses(graph)
    reusable = {}
    for position, node in enumerate(graph.nodes):
        if ufunc_of(node.prim, kernel_of(node.prim)) is None or node.params:
            continue
        spec = node.outputs[0].spec
        if spec.dtype.kind != "f" or is_open(spec.shape) or spec.nbytes < _MIN_BYTES:
            continue
        ends = last.get(position, ())
        for index, value in enumerate(node.inputs):
            if fresh.get(id(value)) and id(value) in ends and value.spec == spec:
                reusable[position] = index
                break
    return reusable


def move_writes_last(graph: Graph, owned: tuple[int, ...]) -> tuple[Graph, int]:
    """Move updates of owned inputs behind all nodes that do not need them.

    Return the graph and the index of the first update. All reads of old values come before it;
    other nodes, and effects, keep their order.
    """
    kept = {id(value) for value in graph.outputs}
    changed = {id(graph.inputs[index]) for index in owned} - kept
    early: list[Node] = []
    late: list[Node] = []
    made: set[int] = set()  # ids of values computed after a write
    effect_moved = False
    for node in graph.nodes:
        is_write = node.prim.name in WRITERS and id(node.inputs[0]) in changed
        needs_one = any(id(value) in made for value in node.inputs)
        if is_write or needs_one or (node.has_effect and effect_moved):
            late.append(node)
            made.update(id(value) for value in node.outputs)
            effect_moved = effect_moved or node.has_effect
        else:
            early.append(node)
    return Graph(graph.inputs, [*early, *late], graph.outputs), len(early)


def find_in_place_updates(graph: Graph, owned: tuple[int, ...] = ()) -> frozenset[int]:
    """Return the indices of the nodes that may write into a part of their first input's array.

    The array is owned (an owned input, or the result of such an op), and not used afterward.
    Whether a view of it is still alive is checked when the node runs.
    """
    owned_ids = {id(graph.inputs[index]) for index in owned}
    last = last_uses(graph)
    updates = []
    for position, node in enumerate(graph.nodes):
        if node.prim.name not in WRITERS:
            continue
        x, *operands = node.inputs
        is_last = id(x) in last.get(position, ()) and all(x is not other for other in operands)
        if is_last and id(x) in owned_ids:
            updates.append(position)
        owned_ids.add(id(node.outputs[0]))
    return frozenset(updates)
