"""Common subexpression elimination: the same op on the same values is computed once."""

from __future__ import annotations

from gradtape.core.primitive import PRIMITIVES
from gradtape.core.size import key_of_sizes
from gradtape.graph.graph import Graph, Value, substitute

# It separates what the program wants computed twice (see `recompute_grad`).
_BARRIER = PRIMITIVES["barrier"]


def eliminate_common_subexpressions(graph: Graph) -> Graph:
    """Return the graph without nodes that compute what an earlier node has computed."""
    table: dict[int, Value] = {}
    seen: dict[tuple, tuple[Value, ...]] = {}
    constants: dict[tuple, Value] = {}
    kept = []

    def resolve(value: Value) -> Value:
        value = table.get(id(value), value)
        if value.constant is not None:
            key = _constant_key(value)
            return value if key is None else constants.setdefault(key, value)
        return value

    for node in graph.nodes:
        if node.acts or node.prim is _BARRIER:
            kept.append(node)
            continue
        params = node.params.items()
        try:
            key = (
                id(node.prim),
                tuple([id(resolve(value)) for value in node.inputs]),
                tuple([(name, type(value), key_of_sizes(value)) for name, value in params]),
            )
            known = seen.get(key)
        except TypeError:  # a parameter that is not hashable
            kept.append(node)
            continue
        if known is None:
            seen[key] = node.outputs
            kept.append(node)
        else:
            for old, new in zip(node.outputs, known, strict=True):
                table[id(old)] = new
    return substitute(graph, table, kept)


def _constant_key(value: Value) -> tuple | None:
    """Return a key of a small constant by its bits (0 is not -0), or None for a large one."""
    assert value.constant is not None
    data = value.constant._data
    if data.size > 16 or data.dtype.hasobject or value.constant._marks is not None:
        return None
    return (data.shape, data.dtype, data.tobytes())
