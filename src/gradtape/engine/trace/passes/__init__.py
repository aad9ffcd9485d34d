"""Passes: functions from a graph to one that gives the same results with less work.

Each is one small function in a file of its own; `optimised` runs them in order until nothing
changes. None moves an op, and none leaves out an effect.
"""

from __future__ import annotations

from gradtape.engine.trace.graph import Graph
from gradtape.engine.trace.passes.algebra import simplified
from gradtape.engine.trace.passes.broadcasts import with_fewer_broadcasts
from gradtape.engine.trace.passes.common import without_repetition
from gradtape.engine.trace.passes.dead_code import without_dead_code
from gradtape.engine.trace.passes.folding import with_constants_folded
from gradtape.engine.trace.passes.gradients import without_gradients
from gradtape.engine.trace.passes.scans import with_joined_scans, with_lean_scans
from gradtape.engine.trace.passes.transposes import with_transposes_in_products

PASSES = (
    with_constants_folded,
    simplified,
    with_transposes_in_products,
    with_fewer_broadcasts,
    without_repetition,
    with_joined_scans,
    without_dead_code,
)
_MOST_ROUNDS = 4


def optimised(graph: Graph) -> Graph:
    """The graph after all passes, until they find nothing more."""
    graph = without_dead_code(graph)
    for _ in range(_MOST_ROUNDS):
        before = len(graph.nodes)
        for each in PASSES:
            graph = each(graph)
        if len(graph.nodes) == before:
            break
    return graph


def for_execution(graph: Graph) -> Graph:
    """The graph as it is run, where nobody will ask for derivatives of what is inside."""
    return optimised(with_lean_scans(optimised(without_gradients(graph))))
