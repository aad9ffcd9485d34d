"""Constant folding."""

from __future__ import annotations

from gradtape.core.bind import bind
from gradtape.core.errors import OpError
from gradtape.core.state import lifted
from gradtape.graph.graph import Graph, Value, substitute
from gradtape.graph.open_sizes import has_open_sizes

# A result that is larger than its inputs stays in memory: only small ones are folded.
_MAX_GROWN_BYTES = 1 << 16


def fold_constants(graph: Graph) -> Graph:
    """Return the graph with nodes whose inputs are all constants computed now."""
    table: dict[int, Value] = {}
    kept = []
    for node in graph.nodes:
        inputs = [table.get(id(value), value) for value in node.inputs]
        if (
            not inputs
            or node.acts
            or has_open_sizes(node)
            or node.prim.name == "broadcast_to"  # a view, which takes no memory
            or any(value.constant is None for value in inputs)
            or _grows(inputs, node.outputs)
        ):
            kept.append(node)
            continue
        try:
            with lifted():
                folded = bind(node.prim, tuple([value.constant for value in inputs]), node.params)
        except (
            OpError,
            TypeError,
            ValueError,
            ArithmeticError,
        ):  # a call of the function raises it
            kept.append(node)
            continue
        results = (folded,) if node.prim.outputs == 1 else folded
        for value, tensor in zip(node.outputs, results, strict=True):
            table[id(value)] = Value(value.spec, tensor)
    return substitute(graph, table, kept)


def _grows(inputs, outputs) -> bool:
    def size(values) -> int:
        return sum(v.spec.nbytes for v in values)

    made = size(outputs)
    return made > _MAX_GROWN_BYTES and made > size(inputs)
