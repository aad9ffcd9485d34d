"""Graphs with open sizes (`core/size`): what is computed from them, and graphs for given ones.

In such a graph, shapes and parameters of ops hold `Size`s. It is optimized and differentiated once.
`compile_graph` makes code of it that computes the sizes with the values; `at_sizes` makes the graph
for given sizes, which every other part of the package can run, record, compile or export.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from gradtape.core.primitive import ByLoop, primitive
from gradtape.core.recent import Recent
from gradtape.core.size import OpenSizes, Size, is_open, numbers_of
from gradtape.core.tensor import Spec, Tensor
from gradtape.graph.graph import Graph, Node, Value
from gradtape.graph.signature import closure_values

_MAX_KEPT = 64  # graphs for given sizes, of one graph with open ones
_DEPTH = 4  # to which objects among the parameters are searched for sizes


def _compute(make: Callable[..., Any], arguments: tuple, shape: tuple, dtype: np.dtype) -> Any:
    return make(*arguments, dtype=dtype)


# An array that is computed from sizes: it has no inputs, and is a constant for given sizes.
FROM_SIZES = primitive(
    "from_sizes",
    "",
    kernel=_compute,
    shape=lambda make, arguments, shape, dtype: Spec(shape, dtype),
    no_derivative="sizes are integers, which have no derivative",
    batch=ByLoop("it has no inputs, and so none that differs between examples"),
)


def as_array(sizes: Any, dtype: np.dtype) -> Any:
    """Return sizes (nested tuples) as an array, or one size as a scalar."""
    return np.array(sizes, dtype)[()]


class GraphHolder:
    """A parameter of an op with a graph in it, whose sizes may be open."""

    __slots__ = ()
    graph: Graph

    def at_sizes(self, open: OpenSizes, sizes: tuple[int, ...]) -> GraphHolder:
        """Return the same with the graph for given sizes."""
        made: Any = copy.copy(self)
        made.graph = at_sizes(self.graph, open, sizes)
        return made


# --- which sizes are open ----------------------------------------------------------------------


def is_open_parameter(parameter: Any) -> bool:
    """Return whether a parameter of an op has an open size in it."""
    if type(parameter) is Graph:
        return is_open_graph(parameter)
    if isinstance(parameter, GraphHolder):
        return is_open_graph(parameter.graph)
    if isinstance(parameter, tuple):
        return any(map(is_open_parameter, parameter))
    return type(parameter) is Size


def has_open_sizes(node: Node) -> bool:
    """Return whether a parameter of an op, or the shape of a result, has an open size in it."""
    return any(is_open(v.spec.shape) for v in node.outputs) or any(
        map(is_open_parameter, node.params.values())
    )


def is_open_graph(graph: Graph) -> bool:
    """Return whether a shape or a parameter in a graph has an open size in it."""
    known = graph.derived.get("open")
    if known is None:
        known = graph.derived["open"] = any(is_open(v.spec.shape) for v in graph.inputs) or any(
            map(has_open_sizes, graph.nodes)
        )
    return known


def settle_parameters(graph: Graph) -> None:
    """Fix the sizes that functions and other objects among the parameters hold.

    Nobody can replace them there: so the trace is valid for these only.
    """
    for node in graph.nodes:
        for parameter in node.params.values():
            _settle_parameter(parameter)


def _settle_parameter(parameter: Any) -> None:
    if isinstance(parameter, tuple):
        for each in parameter:
            _settle_parameter(each)
    elif type(parameter) is Graph:
        settle_parameters(parameter)
    elif type(parameter) is not Size:
        settle(parameter)
        if isinstance(parameter, GraphHolder):
            settle_parameters(parameter.graph)


def settle(held: Any) -> None:
    """Fix the sizes that a function or another object holds."""
    _settle(held, _DEPTH, set())


def _settle(held: Any, depth: int, seen: set[int]) -> None:
    if isinstance(held, (int, float, str, bytes, np.ndarray, np.dtype, Tensor, type(None))):
        return
    if depth == 0 or id(held) in seen:
        return
    seen.add(id(held))
    parts = closure_values(held)
    parts += getattr(held, "__defaults__", None) or ()
    if isinstance(held, (tuple, list, set, frozenset)):
        parts += held
    elif isinstance(held, dict):
        parts += held.values()
    elif isinstance(held, Spec):
        parts.append(held.shape)
    elif not isinstance(held, (type, Graph, Value, Node)):
        parts += getattr(held, "__dict__", {}).values()
        for kind in type(held).__mro__:
            names = kind.__dict__.get("__slots__", ())
            for name in (names,) if isinstance(names, str) else names:
                parts.append(getattr(held, name, None))
        parts.append(getattr(held, "__self__", None))
    for part in parts:
        if type(part) is Size:
            part.__index__()
        else:
            _settle(part, depth - 1, seen)


# --- a trace whose sizes are not open after all --------------------------------------------------


def close_sizes(open: OpenSizes, values: Sequence[Value], nodes: Sequence[Node]) -> None:
    """Replace the open sizes in parts of a graph by those of the call that it was traced for."""
    for size in open.sizes:
        size.__index__()
    for value in (*values, *[each for node in nodes for each in node.outputs]):
        if is_open(value.spec.shape):
            value.spec = Spec(numbers_of(tuple(value.spec.shape)), value.spec.dtype)
    for node in nodes:
        if any(map(is_open_parameter, node.params.values())):
            node.params = {name: _closed(each, open) for name, each in node.params.items()}


def _closed(parameter: Any, open: OpenSizes) -> Any:
    if isinstance(parameter, (Graph, GraphHolder)):
        return _at_sizes(parameter, open, open.values)
    if isinstance(parameter, tuple):
        return tuple([_closed(each, open) for each in parameter])
    return numbers_of(parameter)


# --- the graph for given sizes -------------------------------------------------------------------


class _Recipe:
    """How the graph for given sizes is made of one with open sizes: what there is to replace."""

    def __init__(self, graph: Graph, names: Sequence[str]) -> None:
        self._parts: list[str] = []  # the source of each shape and parameter that is replaced
        self._graphs: list[Graph] = []  # those among the parameters
        self._graph = graph
        self._count = len(names)  # there may be more by now, which this graph does not know
        seen: set[int] = set()
        self._values: list[tuple[Value, int]] = []  # with the number of the new shape
        self._add_values(graph.inputs, seen)
        self._nodes: list[tuple[Node, list[tuple[str, int]]]] = []
        for node in graph.nodes:
            self._add_values(node.outputs, seen)
            replaced = [
                (name, self._add(each))
                for name, each in node.params.items()
                if is_open_parameter(each)
            ]
            self._nodes.append((node, replaced))
        source = "".join(f"{part}, " for part in self._parts)
        self._compute: Any = eval(f"lambda graphs, {', '.join(names)}: ({source})")

    def _add_values(self, values: tuple[Value, ...], seen: set[int]) -> None:
        for value in values:
            if id(value) not in seen and is_open(value.spec.shape):
                seen.add(id(value))
                self._values.append((value, self._add(value.spec.shape)))

    def _add(self, part: Any) -> int:
        self._parts.append(self._source(part))
        return len(self._parts) - 1

    def _source(self, part: Any) -> str:
        if type(part) is Size:
            return part.source
        if isinstance(part, tuple):
            return f"({''.join(f'{self._source(each)}, ' for each in part)})"
        self._graphs.append(part)  # a graph, or anything that is not open
        return f"graphs[{len(self._graphs) - 1}]"

    def make(self, open: OpenSizes, sizes: tuple[int, ...]) -> Graph:
        """Return the graph for given sizes."""
        graphs = [_at_sizes(g, open, sizes) for g in self._graphs]
        parts = self._compute(graphs, *sizes[: self._count])
        table = {id(v): Value(Spec(parts[i], v.spec.dtype)) for v, i in self._values}

        def sized(values: tuple[Value, ...]) -> tuple[Value, ...]:
            return tuple([table.get(id(v), v) for v in values])

        nodes = []
        for node, replaced in self._nodes:
            params = node.params
            if replaced:
                params = {**params, **{name: parts[i] for name, i in replaced}}
            if node.prim is FROM_SIZES:
                constant = Tensor(_compute(**params))
                table[id(node.outputs[0])] = Value(constant._spec(), constant)
            else:
                inputs, outputs = sized(node.inputs), sized(node.outputs)
                nodes.append(Node(node.prim, inputs, params, outputs, node.location))
        return Graph(sized(self._graph.inputs), nodes, sized(self._graph.outputs))


class SizedGraph(Graph):
    """A graph with open sizes, `whole`, for given ones: its nodes are made when they are needed."""

    __slots__ = ("_made", "open", "sizes", "whole")

    def __init__(self, whole: Graph, open: OpenSizes, sizes: tuple[int, ...]) -> None:
        self.whole = whole
        self.open = open
        self.sizes = sizes
        self.executables = {}
        self.derived = {}
        self.extends = None if whole.extends is None else at_sizes(whole.extends, open, sizes)
        self._made: Graph | None = None

    @property
    def has_effects(self) -> bool:
        known = self.whole.derived.get("effects")
        if known is None:
            known = self.whole.derived["effects"] = self.whole.has_effects
        return known

    def _graph(self) -> Graph:
        if self._made is None:
            self._made = _with_sizes(self.whole, self.open, self.sizes)
        return self._made

    @property
    def inputs(self) -> tuple[Value, ...]:
        return self._graph().inputs

    @property
    def nodes(self) -> list[Node]:
        return self._graph().nodes

    @property
    def outputs(self) -> tuple[Value, ...]:
        return self._graph().outputs


def _at_sizes(held: Any, open: OpenSizes, sizes: tuple[int, ...]) -> Any:
    """Return a graph, or what holds one, for given sizes; anything else as it is."""
    if type(held) is Graph:
        return at_sizes(held, open, sizes)
    return held.at_sizes(open, sizes) if isinstance(held, GraphHolder) else held


def at_sizes(graph: Graph, open: OpenSizes, sizes: tuple[int, ...]) -> Graph:
    """Return a graph for given sizes; itself, if none is open in it."""
    if not is_open_graph(graph):
        return graph
    kept = graph.derived.get("sizes")
    if kept is None:
        kept = graph.derived["sizes"] = Recent(_MAX_KEPT)
    made = kept.find(sizes)
    if made is None:
        made = SizedGraph(graph, open, sizes)
        kept.keep(sizes, made)
    return made


def _with_sizes(graph: Graph, open: OpenSizes, sizes: tuple[int, ...]) -> Graph:
    recipe = graph.derived.get("recipe")
    if recipe is None:
        recipe = graph.derived["recipe"] = _Recipe(graph, open.names)
    return recipe.make(open, sizes)
