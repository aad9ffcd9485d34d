"""Graphs with open sizes (`core/size.py`): what is computed from them, and the graph for given ones.

In such a graph, shapes and parameters of ops hold `Size`s. It is optimized and differentiated once.
`compile_graph` makes code of it that computes the sizes with the values; `at_sizes` makes the graph
for given sizes, which every other part of the package can run, record, compile or export.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from gradtape.core.primitive import ByLoop, primitive
from gradtape.core.recent import Recent
from gradtape.core.size import OpenSizes, Size, is_open, key_of_sizes, sizes_in
from gradtape.core.tensor import Spec, Tensor
from gradtape.graph.graph import Graph, Node, Value

_MOST_KEPT = 64  # graphs for given sizes, of one graph with open ones
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


# --- which sizes are open ----------------------------------------------------------------------


def is_open_parameter(parameter: Any) -> bool:
    """Return whether a parameter of an op has an open size in it."""
    if type(parameter) is Graph:
        return is_open_graph(parameter)
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


def settle(held: Any) -> None:
    """Fix the sizes that a function or another object holds."""
    _settle(held, _DEPTH, set())


def _settle(held: Any, depth: int, seen: set[int]) -> None:
    if isinstance(held, (int, float, str, bytes, np.ndarray, np.dtype, Tensor, type(None))):
        return
    if depth == 0 or id(held) in seen:
        return
    seen.add(id(held))
    cells = [cell for cell in getattr(held, "__closure__", None) or ()]
    parts: list[Any] = []
    for cell in cells:
        try:
            parts.append(cell.cell_contents)
        except ValueError:  # a name that is not bound yet
            continue
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


# --- the graph for given sizes -------------------------------------------------------------------


class SizesOfGraph:
    """Computes all sizes in a graph at once."""

    def __init__(self, graph: Graph, names: Sequence[str]) -> None:
        found: dict[Any, Size] = {}
        for shapes in _parameters(graph):
            for size in sizes_in(shapes):
                found.setdefault(key_of_sizes(size), size)
        self._keys = tuple(found)
        source = "".join(f"{size.source}, " for size in found.values())
        self._compute: Any = eval(f"lambda {', '.join(names)}: ({source})")

    def table(self, values: tuple[int, ...]) -> dict:
        """Return the numbers that the sizes are, by their keys."""
        return dict(zip(self._keys, self._compute(*values), strict=True))


def _parameters(graph: Graph) -> Any:
    for v in graph.inputs:
        yield v.spec.shape
    for node in graph.nodes:
        for v in node.outputs:
            yield v.spec.shape
        yield from node.params.values()
    for v in graph.outputs:
        yield v.spec.shape


class SizedGraph(Graph):
    """A graph with open sizes, `whole`, for given ones: its nodes are made when they are needed."""

    __slots__ = ("_made", "open", "sizes", "whole")

    def __init__(self, whole: Graph, open: OpenSizes, sizes: tuple[int, ...]) -> None:  # pyright: ignore[reportMissingSuperCall] (the other fields are computed)
        self.whole = whole
        self.open = open
        self.sizes = sizes
        self.executables = {}
        self.derived = {}
        self.extends = None
        self._made: Graph | None = None

    def _graph(self) -> Graph:
        if self._made is None:
            self._made = _with_sizes(self.whole, self.open, self.sizes)
        return self._made

    @property
    def inputs(self) -> tuple[Value, ...]:  # pyright: ignore[reportIncompatibleVariableOverride] (computed when it is needed)
        return self._graph().inputs

    @property
    def nodes(self) -> list[Node]:  # pyright: ignore[reportIncompatibleVariableOverride] (as above)
        return self._graph().nodes

    @property
    def outputs(self) -> tuple[Value, ...]:  # pyright: ignore[reportIncompatibleVariableOverride] (as above)
        return self._graph().outputs


def at_sizes(graph: Graph, open: OpenSizes, sizes: tuple[int, ...]) -> Graph:
    """Return a graph for given sizes; itself, if none is open in it."""
    if not is_open_graph(graph):
        return graph
    kept = graph.derived.get("sizes")
    if kept is None:
        kept = graph.derived["sizes"] = Recent(_MOST_KEPT)
    made = kept.find(sizes)
    if made is None:
        made = SizedGraph(graph, open, sizes)
        kept.keep(sizes, made)
    return made


def _with_sizes(graph: Graph, open: OpenSizes, sizes: tuple[int, ...]) -> Graph:
    computer = graph.derived.get("size computer")
    if computer is None:
        computer = graph.derived["size computer"] = SizesOfGraph(graph, open.names)
    table = computer.table(sizes)
    values: dict[int, Value] = {}

    def number(part: Any) -> Any:
        if type(part) is Size:
            return table[key_of_sizes(part)]
        if isinstance(part, tuple):
            return tuple(map(number, part)) if is_open_parameter(part) else part
        return at_sizes(part, open, sizes) if type(part) is Graph else part

    def sized(value: Value) -> Value:
        known = values.get(id(value))
        if known is None:
            known = value
            if value.constant is None and is_open(value.spec.shape):
                known = Value(Spec(number(value.spec.shape), value.spec.dtype))
            values[id(value)] = known
        return known

    inputs = tuple(map(sized, graph.inputs))
    nodes = []
    for node in graph.nodes:
        params = {name: number(each) for name, each in node.params.items()}
        if node.prim is FROM_SIZES:
            constant = Tensor(_compute(**params))
            values[id(node.outputs[0])] = Value(constant._spec(), constant)
            continue
        nodes.append(
            Node(
                node.prim,
                tuple(map(sized, node.inputs)),
                params,
                tuple(map(sized, node.outputs)),
                node.location,
            )
        )
    return Graph(inputs, nodes, tuple(map(sized, graph.outputs)))
