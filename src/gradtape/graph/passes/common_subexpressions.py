"""Common subexpression elimination: the same op on the same values is computed once.

Not where a large value would have to be kept for so long that the function needed more memory than
the same ops one by one: there it is computed again.
"""

from __future__ import annotations

from gradtape.core.primitive import PRIMITIVES
from gradtape.core.size import key_of_sizes
from gradtape.graph.graph import Graph, Node, Value, substitute
from gradtape.graph.passes.peak import LARGE, find_peak, last_positions, room_of

# It separates what the program wants computed twice (see `recompute_grad`).
_BARRIER = PRIMITIVES["barrier"]
# So many times some values are chosen to be computed again, before all large ones are.
_MAX_ROUNDS = 8


class _Merged:
    """Which nodes of a graph stay, and which earlier values replace the results of the others."""

    def __init__(self, graph: Graph, repeated: set[int]) -> None:
        """Merge all nodes but those at the positions `repeated`."""
        self.table: dict[int, Value] = {}
        self.kept: list[int] = []  # positions
        self.large: list[tuple[int, Value]] = []  # position of a node, and what replaces its result
        self._constants: dict[tuple, Value] = {}
        seen: dict[tuple, tuple[Value, ...]] = {}
        for position, node in enumerate(graph.nodes):
            key = None if node.acts or node.prim is _BARRIER else self._key(node)
            known = None if key is None or position in repeated else seen.get(key)
            if known is None:
                if key is not None:
                    seen[key] = node.outputs
                self.kept.append(position)
                continue
            for old, new in zip(node.outputs, known, strict=True):
                self.table[id(old)] = new
                if room_of(node, new) >= LARGE:
                    self.large.append((position, new))

    def _key(self, node: Node) -> tuple | None:
        try:
            key = (
                id(node.prim),
                tuple([id(self._resolve(value)) for value in node.inputs]),
                tuple([(name, type(x), key_of_sizes(x)) for name, x in node.params.items()]),
            )
            hash(key)
        except TypeError:  # a parameter that is not hashable
            return None
        return key

    def _resolve(self, value: Value) -> Value:
        value = self.table.get(id(value), value)
        if value.constant is not None:
            key = _constant_key(value)
            return value if key is None else self._constants.setdefault(key, value)
        return value

    def graph(self, graph: Graph) -> Graph:
        return substitute(graph, self.table, [graph.nodes[position] for position in self.kept])


def eliminate_common_subexpressions(graph: Graph) -> Graph:
    """Return the graph without nodes that compute what an earlier node has computed."""
    repeated: set[int] = set()
    merged = _Merged(graph, repeated)
    if not merged.large:
        return merged.graph(graph)
    limit, _ = find_peak(graph)
    last = last_positions(graph)
    for _ in range(_MAX_ROUNDS):
        made = merged.graph(graph)
        peak, index = find_peak(made)
        if peak <= limit:
            return made
        at = merged.kept[index]
        over_peak = {p for p, value in merged.large if last.get(id(value), 0) < at < p}
        if not over_peak:
            break
        repeated |= over_peak
        merged = _Merged(graph, repeated)
    repeated |= {position for position, _ in _Merged(graph, set()).large}
    return _Merged(graph, repeated).graph(graph)


def _constant_key(value: Value) -> tuple | None:
    """Return a key of a small constant by its bits (0 is not -0), or None for a large one."""
    assert value.constant is not None
    data = value.constant._data
    if data.size > 16 or data.dtype.hasobject or value.constant._marks is not None:
        return None
    return (data.shape, data.dtype, data.tobytes())
