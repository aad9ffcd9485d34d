"""`Graph`: ops on values, in the order in which they ran while a function was traced."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gradtape.core.primitive import Primitive
from gradtape.core.tensor import Spec, Tensor


class Value:
    """One value: an input of the graph, a constant (then it has a tensor), or a node's result."""

    __slots__ = ("constant", "spec")

    def __init__(self, spec: Spec, constant: Tensor | None = None) -> None:
        self.spec = spec
        self.constant = constant

    def __repr__(self) -> str:
        return f"<{'constant' if self.constant is not None else 'value'} {self.spec!r}>"


class Node:
    """One op: what is applied to which values, and where the user's program asked for it."""

    __slots__ = ("inputs", "outputs", "params", "place", "prim")

    def __init__(
        self,
        prim: Primitive,
        inputs: tuple[Value, ...],
        params: dict,
        outputs: tuple[Value, ...],
        place: Any = None,
    ) -> None:
        self.prim = prim
        self.inputs = inputs
        self.params = params
        self.outputs = outputs
        self.place = place

    @property
    def has_effect(self) -> bool:
        """Whether the op does something besides giving results (printing, checking)."""
        return isinstance(self.prim, EffectPrimitive)

    @property
    def graphs(self) -> list[Graph]:
        """The graphs among the parameters: branches, the body of a loop."""
        values = [p if type(p) is tuple else (p,) for p in self.params.values()]
        return [each for several in values for each in several if isinstance(each, Graph)]

    def __repr__(self) -> str:
        return f"<node {self.prim.name}>"


class EffectPrimitive(Primitive):
    """An op that is there for what it does: it is never left out, and never done once for two."""

    __slots__ = ()


class EffectFailed(Exception):
    """What an effect raised: it is the program's own, while an op that fails is tried op by op."""

    def __init__(self, error: Exception) -> None:
        super().__init__(str(error))
        self.error = error


class Graph:
    """Nodes in order. A node's inputs are graph inputs, constants, or results of nodes before."""

    __slots__ = ("executables", "extends", "inputs", "nodes", "outputs", "pullbacks")

    def __init__(
        self, inputs: tuple[Value, ...], nodes: list[Node], outputs: tuple[Value, ...]
    ) -> None:
        self.inputs = inputs
        self.nodes = nodes
        self.outputs = outputs
        self.executables: dict = {}  # by backend
        self.pullbacks: dict = {}  # by which inputs are to be differentiated
        self.extends: Graph | None = None  # the graph that this one is, but for further outputs

    @property
    def has_effects(self) -> bool:
        """Whether an op of the graph, or of a graph inside one, has an effect."""
        return any(
            node.has_effect or any(inner.has_effects for inner in node.graphs)
            for node in self.nodes
        )

    def constants(self) -> Iterator[Value]:
        """Each constant once, in the order of use."""
        seen = set()
        for value in self.used():
            if value.constant is not None and id(value) not in seen:
                seen.add(id(value))
                yield value

    def used(self) -> Iterator[Value]:
        """Every use of a value: by a node or as an output."""
        for node in self.nodes:
            yield from node.inputs
        yield from self.outputs

    def check(self) -> None:
        """Raise if a value is used before it is there. Passes are tested with it."""
        known = {id(value) for value in self.inputs}
        for node in self.nodes:
            for value in node.inputs:
                if value.constant is None and id(value) not in known:
                    raise AssertionError(f"{node!r} uses {value!r}, which is not there yet")
            known.update(id(value) for value in node.outputs)
        for value in self.outputs:
            if value.constant is None and id(value) not in known:
                raise AssertionError(f"the output {value!r} is never computed")


def substituted(graph: Graph, table: dict[int, Value], nodes: list[Node]) -> Graph:
    """The graph with these nodes, and with values replaced by others (by id; chains followed)."""

    def now(value: Value) -> Value:
        while id(value) in table:
            value = table[id(value)]
        return value

    if not table:
        return Graph(graph.inputs, nodes, graph.outputs)
    renewed = []
    for node in nodes:
        inputs = tuple([now(value) for value in node.inputs])
        if all(a is b for a, b in zip(inputs, node.inputs, strict=True)):
            renewed.append(node)
        else:
            renewed.append(Node(node.prim, inputs, node.params, node.outputs, node.place))
    return Graph(graph.inputs, renewed, tuple([now(value) for value in graph.outputs]))


def last_uses(graph: Graph) -> dict[int, list[int]]:
    """By position of a node: the ids of the values that nothing needs after it."""
    kept = {id(value) for value in graph.outputs}
    position: dict[int, int] = {}
    for index, node in enumerate(graph.nodes):
        for value in (*node.inputs, *node.outputs):
            if value.constant is None and id(value) not in kept:
                position[id(value)] = index
    found: dict[int, list[int]] = {}
    for key, index in position.items():
        found.setdefault(index, []).append(key)
    return found


def with_inputs_for(graph: Graph, constants: list[Value]) -> Graph:
    """The graph with some of its constants as further inputs."""
    fresh = [Value(value.spec) for value in constants]
    table = {id(old): new for old, new in zip(constants, fresh, strict=True)}
    other = substituted(graph, table, graph.nodes)
    return Graph((*graph.inputs, *fresh), other.nodes, other.outputs)
