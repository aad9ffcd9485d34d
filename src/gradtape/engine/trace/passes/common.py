"""The same op on the same values is done once."""

from __future__ import annotations

from gradtape.engine.trace.graph import Graph, Value, substituted

# An identity keeps apart what the program wants computed twice (see `recompute_grad`).
_KEPT = frozenset({"identity"})


def without_repetition(graph: Graph) -> Graph:
    """The graph in which no node computes what one before it has computed."""
    table: dict[int, Value] = {}
    seen: dict[tuple, tuple[Value, ...]] = {}
    constants: dict[tuple, Value] = {}
    kept = []

    def now(value: Value) -> Value:
        value = table.get(id(value), value)
        if value.constant is not None:
            key = _constant_key(value)
            return value if key is None else constants.setdefault(key, value)
        return value

    for node in graph.nodes:
        if node.has_effect or node.prim.name in _KEPT:
            kept.append(node)
            continue
        try:
            key = (
                id(node.prim),
                tuple([id(now(value)) for value in node.inputs]),
                tuple([(name, type(value), value) for name, value in node.params.items()]),
            )
            known = seen.get(key)
        except TypeError:  # a parameter that cannot be compared
            kept.append(node)
            continue
        if known is None:
            seen[key] = node.outputs
            kept.append(node)
        else:
            for old, new in zip(node.outputs, known, strict=True):
                table[id(old)] = new
    return substituted(graph, table, kept)


def _constant_key(value: Value) -> tuple | None:
    """Small constants are the same if their numbers are: bit by bit, so that 0 is not -0."""
    assert value.constant is not None
    data = value.constant._data
    if data.size > 16 or data.dtype.hasobject or value.constant._marks is not None:
        return None
    return (data.shape, data.dtype, data.tobytes())
