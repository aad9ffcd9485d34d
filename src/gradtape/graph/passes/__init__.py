"""Optimization passes: functions from a graph to one that computes the same with less work.

Each is one small function in a file of its own; `optimize` runs them in order until nothing
changes. None reorders ops, and none removes an effect.
"""

from __future__ import annotations

from gradtape.graph.graph import Graph
from gradtape.graph.open_sizes import SizedGraph, at_sizes, is_open_graph
from gradtape.graph.passes.algebra import simplify_algebra
from gradtape.graph.passes.broadcasts import remove_broadcasts
from gradtape.graph.passes.common_subexpressions import eliminate_common_subexpressions
from gradtape.graph.passes.custom_gradients import remove_custom_gradients
from gradtape.graph.passes.dead_code import eliminate_dead_code
from gradtape.graph.passes.folding import fold_constants
from gradtape.graph.passes.roots import compute_roots
from gradtape.graph.passes.scans import merge_scans, prune_scans
from gradtape.graph.passes.transposes import fuse_transposes

PASSES = (
    fold_constants,
    simplify_algebra,
    fuse_transposes,
    remove_broadcasts,
    eliminate_common_subexpressions,
    merge_scans,
    eliminate_dead_code,
)
_MAX_ITERATIONS = 4


def optimize(graph: Graph) -> Graph:
    """Run all passes over a graph until they change nothing more."""
    graph = eliminate_dead_code(graph)
    for _ in range(_MAX_ITERATIONS):
        before = len(graph.nodes)
        for each in PASSES:
            graph = each(graph)
        if len(graph.nodes) == before:
            break
    return graph


def optimize_for_execution(graph: Graph) -> Graph:
    """Return the graph as it is executed: optimized, and no longer differentiable inside."""
    if isinstance(graph, SizedGraph):  # the same passes for all sizes
        return at_sizes(optimize_for_execution(graph.whole), graph.open, graph.sizes)
    if not is_open_graph(graph):
        return _optimized_for_execution(graph)
    if "execution" not in graph.derived:
        graph.derived["execution"] = _optimized_for_execution(graph)
    return graph.derived["execution"]


def _optimized_for_execution(graph: Graph) -> Graph:
    graph = compute_roots(optimize(remove_custom_gradients(graph)))
    return optimize(prune_scans(graph))
