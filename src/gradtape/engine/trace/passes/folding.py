"""Ops on constants alone are done once, now."""

from __future__ import annotations

import math

from gradtape.core.bind import bind
from gradtape.core.state import lifted
from gradtape.engine.trace.graph import Graph, Value, substituted

# A result that is larger than its inputs costs memory for good: only small ones may grow.
_MAY_GROW_TO = 1 << 16


def with_constants_folded(graph: Graph) -> Graph:
    """The graph without nodes whose inputs are all constants."""
    table: dict[int, Value] = {}
    kept = []
    for node in graph.nodes:
        inputs = [table.get(id(value), value) for value in node.inputs]
        if (
            not inputs
            or node.has_effect
            or node.prim.name == "broadcast_to"  # it takes no memory as it is
            or any(value.constant is None for value in inputs)
            or _grows(inputs, node.outputs)
        ):
            kept.append(node)
            continue
        try:
            with lifted():
                found = bind(node.prim, tuple([value.constant for value in inputs]), node.params)
        except Exception:  # the call will say what is wrong
            kept.append(node)
            continue
        results = (found,) if node.prim.outputs == 1 else found
        for value, tensor in zip(node.outputs, results, strict=True):
            table[id(value)] = Value(value.spec, tensor)
    return substituted(graph, table, kept)


def _grows(inputs, outputs) -> bool:
    def size(values) -> int:
        return sum(math.prod(v.spec.shape) * v.spec.dtype.itemsize for v in values)

    made = size(outputs)
    return made > _MAY_GROW_TO and made > size(inputs)
