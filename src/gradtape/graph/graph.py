"""`Graph`: ops on values, in the order in which they ran while a function was traced."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from gradtape.core.primitive import Primitive
from gradtape.core.tensor import Spec, Tensor


class Value:
    """A value in a graph: an input, a constant (with its tensor), or a node's result."""

    __slots__ = ("constant", "spec")

    def __init__(self, spec: Spec, constant: Tensor | None = None) -> None:
        self.spec = spec
        self.constant = constant

    def __repr__(self) -> str:
        return f"<{'constant' if self.constant is not None else 'value'} {self.spec!r}>"


class Node:
    """One op: a primitive, its inputs, parameters and outputs, and its source location."""

    __slots__ = ("inputs", "location", "outputs", "params", "prim")

    def __init__(
        self,
        prim: Primitive,
        inputs: tuple[Value, ...],
        params: dict,
        outputs: tuple[Value, ...],
        location: Any = None,
    ) -> None:
        self.prim = prim
        self.inputs = inputs
        self.params = params
        self.outputs = outputs
        self.location = location

    @property
    def has_effect(self) -> bool:
        """Whether the op has a side effect (printing, checking)."""
        return self.prim.has_effect is True

    @property
    def acts(self) -> bool:
        """Whether the op, or an op of a graph inside it, has a side effect."""
        known = self.prim.has_effect
        return any(inner.has_effects for inner in self.graphs) if known is None else known

    @property
    def graphs(self) -> list[Graph]:
        """The graphs among the parameters: branches, the body of a loop."""
        values = [p if type(p) is tuple else (p,) for p in self.params.values()]
        return [each for several in values for each in several if isinstance(each, Graph)]

    def __repr__(self) -> str:
        return f"<node {self.prim.name}>"


class Graph:
    """Nodes in topological order, with the values that go in and come out."""

    __slots__ = ("derived", "executables", "extends", "inputs", "nodes", "outputs")

    def __init__(
        self, inputs: tuple[Value, ...], nodes: list[Node], outputs: tuple[Value, ...]
    ) -> None:
        self.inputs = inputs
        self.nodes = nodes
        self.outputs = outputs
        self.executables: dict = {}  # see `executable`
        self.derived: dict = {}  # pullbacks and other graphs made from this one, by key
        self.extends: Graph | None = None  # the same graph with fewer outputs

    def executable(self, kind, make: Callable[[], Any]) -> Any:
        """Return the executable of this kind (backend and options), made on first use."""
        executable = self.executables.get(kind)
        if executable is None:
            executable = self.executables[kind] = make()
        return executable

    @property
    def has_effects(self) -> bool:
        """Whether an op of the graph, or of a graph inside one, has an effect."""
        return any(node.acts for node in self.nodes)

    def constants(self) -> Iterator[Value]:
        """Yield each constant once, in the order of use."""
        seen = set()
        for value in self.used():
            if value.constant is not None and id(value) not in seen:
                seen.add(id(value))
                yield value

    def used(self) -> Iterator[Value]:
        """Yield every use of a value: by a node or as an output."""
        for node in self.nodes:
            yield from node.inputs
        yield from self.outputs

    def check(self) -> None:
        """Raise if a value is used before it is computed. Passes are tested with it."""
        known = {id(value) for value in self.inputs}
        for node in self.nodes:
            for value in node.inputs:
                if value.constant is None and id(value) not in known:
                    raise AssertionError(f"{node!r} uses {value!r}, which is not computed yet")
            known.update(id(value) for value in node.outputs)
        for value in self.outputs:
            if value.constant is None and id(value) not in known:
                raise AssertionError(f"the output {value!r} is never computed")


def substitute(graph: Graph, table: dict[int, Value], nodes: list[Node]) -> Graph:
    """Return the graph with these nodes, and with values replaced (by id; chains are followed)."""

    def resolve(value: Value) -> Value:
        while id(value) in table:
            value = table[id(value)]
        return value

    if not table:
        return Graph(graph.inputs, nodes, graph.outputs)
    updated = []
    for node in nodes:
        inputs = tuple([resolve(value) for value in node.inputs])
        if all(a is b for a, b in zip(inputs, node.inputs, strict=True)):
            updated.append(node)
        else:
            updated.append(Node(node.prim, inputs, node.params, node.outputs, node.location))
    return Graph(graph.inputs, updated, tuple([resolve(value) for value in graph.outputs]))


def last_uses(graph: Graph) -> dict[int, list[int]]:
    """Map the index of a node to the ids of the values that are used there for the last time."""
    kept = {id(value) for value in graph.outputs}
    last_index: dict[int, int] = {}
    for index, node in enumerate(graph.nodes):
        for value in (*node.inputs, *node.outputs):
            if value.constant is None and id(value) not in kept:
                last_index[id(value)] = index
    uses: dict[int, list[int]] = {}
    for key, index in last_index.items():
        uses.setdefault(index, []).append(key)
    return uses


def constants_to_inputs(graph: Graph, constants: list[Value]) -> Graph:
    """Return the graph with some of its constants as additional inputs."""
    fresh = [Value(value.spec) for value in constants]
    table = {id(old): new for old, new in zip(constants, fresh, strict=True)}
    other = substitute(graph, table, graph.nodes)
    return Graph((*graph.inputs, *fresh), other.nodes, other.outputs)
