"""The memory that a graph's values need at once, if each is freed after its last use.

This counts every result of an op, except views. In fact fused ops need less.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from gradtape.core.size import is_open
from gradtape.graph.graph import Graph, Node, Value

# Values of fewer bytes are not counted.
LARGE = 1 << 16
_VIEWS = frozenset(
    "barrier broadcast_to identity reshape slice split stop_gradient transpose unstack".split()
)
# So many sums of sums wait to be computed in one pass: until then all that is added stays alive.
_MAX_SUMS = 3


def room_of(node: Node, value: Value) -> int:
    """Return the bytes of a result that count."""
    if node.prim.name in _VIEWS or is_open(value.spec.shape):
        return 0
    room = value.spec.nbytes
    return room if room >= LARGE else 0


def last_positions(graph: Graph) -> dict[int, int]:
    """Map the ids of values that nodes make or use to the index of the last such node."""
    last: dict[int, int] = {}
    for index, node in enumerate(graph.nodes):
        for value in (*node.inputs, *node.outputs):
            last[id(value)] = index
    last.update({id(value): len(graph.nodes) for value in graph.outputs})
    return last


def find_peak(graph: Graph) -> tuple[int, int]:
    """Return the most bytes that results take at once, and the index of the node then run."""
    last = last_positions(graph)
    ends: dict[int, int] = {}  # bytes that are free after a node
    alive, most, where = 0, 0, 0
    for index, node in enumerate(graph.nodes):
        for value in node.outputs:
            room = room_of(node, value)
            if room:
                alive += room
                ends[last[id(value)]] = ends.get(last[id(value)], 0) + room
        if alive > most:
            most, where = alive, index
        alive -= ends.get(index, 0)
    return most, where


def find_long_sums(graph: Graph, last: Mapping[int, Collection[int]]) -> frozenset[int]:
    """Return the indices of additions that are best computed at once, into one of their inputs.

    They continue sums of values that end there, such as gradients of many steps. `last` has the ids
    of the values that end at a node.
    """
    depths: dict[int, int] = {}
    indices = []
    for index, node in enumerate(graph.nodes):
        if node.prim.name != "add" or not room_of(node, node.outputs[0]):
            continue
        ends = last.get(index, ())
        spec = node.outputs[0].spec
        if any(x.spec != spec or id(x) not in ends for x in node.inputs):
            continue
        depth = 1 + max([depths.get(id(x), 0) for x in node.inputs])
        if depth == _MAX_SUMS:
            indices.append(index)
            depth = 0
        depths[id(node.outputs[0])] = depth
    return frozenset(indices)


def find_totals(graph: Graph, is_fused: Callable[[Node], bool]) -> frozenset[int]:
    """Return the indices of nodes behind which a deferred total should be computed.

    A total of a large array waits for the pass that computes the gradient, and keeps alive what it
    is made of. That pass is over after the next two ops that are not fused.
    """
    indices = set()
    wait = 0
    for index, node in enumerate(graph.nodes):
        if node.prim.name.startswith("reduce_") and not node.outputs[0].spec.shape:
            wait = 2
        elif wait and not is_fused(node):
            wait -= 1
            indices.add(index)
    return frozenset(indices)
