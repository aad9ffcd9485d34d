"""Finds nodes that native code runs as one: flat programs (`src/native/flat`).

Specs in a graph are known, so that each op can be planned ahead: which loop computes it, and where
its operands lie. Nodes that follow each other and have such a form become one call, without Python
between them. An op without one, or on large arrays, remains a call of its kernel.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, ClassVar

from gradtape.backends.native.extension import extension
from gradtape.backends.native.kernels import KERNELS
from gradtape.backends.numpy.elementwise import UFUNCS
from gradtape.core.primitive import plain_kernel
from gradtape.core.size import is_open
from gradtape.core.tensor import Tensor
from gradtape.graph.graph import Graph, Node, Value
from gradtape.graph.open_sizes import has_open_sizes
from gradtape.graph.passes import optimize_for_execution

# A program of fewer steps is no quicker than calls of its kernels.
_MIN_STEPS = 2
# An op on more numbers is left to its kernel, which divides its work between threads; a loop that
# carries as many, to Python, which does not copy them from one iteration to the next.
_MAX_NUMBERS = 2**15


def on_host(tensor: Tensor) -> Any:
    """Return the value of a constant in the memory of the host."""
    return tensor._host_data() if tensor._is_on_device else tensor._data


def _is_small(value: Value) -> bool:
    """Return whether a value has few numbers, and any: native steps take no empty arrays."""
    return not is_open(value.spec.shape) and 0 < value.spec.size <= _MAX_NUMBERS


class FlatRun:
    """Nodes that follow each other in a graph, with the program that computes them."""

    __slots__ = ("inputs", "last", "program", "results")

    def __init__(self, last: int, program: Callable[..., tuple], inputs: list, results: list):
        self.last = last
        self.program = program
        self.inputs = inputs
        self.results = results


class _Builder:
    """A program that grows node by node."""

    def __init__(self) -> None:
        assert extension is not None
        self.program = extension.FlatProgram()
        self.nodes: list[Node] = []
        self.is_broken = False  # whether a plan has failed halfway
        self.inputs: dict[int, Value] = {}  # by id
        self.numbers: dict[int, int] = {}  # numbers of values in the program, by id

    def number_of(self, value: Value) -> int | None:
        """Return the number of an operand; a value from outside becomes an input or a constant."""
        number = self.numbers.get(id(value))
        if number is not None:
            return number
        if value.constant is not None:
            number = self.program.constant(on_host(value.constant))
        if number is None:
            number = self.program.input(tuple(value.spec.shape), value.spec.dtype)
            if number is not None:
                self.inputs[id(value)] = value
        if number is not None:
            self.numbers[id(value)] = number
        return number

    def add(self, node: Node) -> bool:
        """Add a node, if it has a native form."""
        if plain_kernel(node.prim) is not KERNELS.get(node.prim.name) or not node.inputs:
            return False
        if has_open_sizes(node) or not all(map(_is_small, (*node.inputs, *node.outputs))):
            return False
        operands = [self.number_of(value) for value in node.inputs]
        if None in operands:
            return False
        specs = tuple([(tuple(v.spec.shape), v.spec.dtype) for v in node.outputs])
        name = node.prim.name
        try:
            results = self.program.plan(name, tuple(operands), node.params, specs, UFUNCS.get(name))
        except (OverflowError, TypeError, ValueError):  # a parameter beyond C's integers
            self.is_broken = True
            return False
        if results is None:
            return False
        self.nodes.append(node)
        for value, number in zip(node.outputs, results, strict=True):
            self.numbers[id(value)] = number
        return True

    def finish(self, results: list[Value], fallback: Callable[..., tuple]) -> list[Value]:
        """End the program, and return its inputs."""
        used = {id(value) for node in self.nodes for value in node.inputs}
        used.update(id(value) for value in results)
        inputs = [value for key, value in self.inputs.items() if key in used]
        numbers = [tuple([self.numbers[id(v)] for v in values]) for values in (inputs, results)]
        self.program.finish(*numbers, fallback)
        return inputs


def find_flat_runs(
    graph: Graph,
    compile_part: Callable[[Graph], Callable[..., tuple]],
    excluded: Collection[int],
    first_write: int | None,
) -> dict[int, FlatRun]:
    """Return the runs of nodes that have a flat program, by the index of their first node.

    Nodes in `excluded` are in none, and none begins before `first_write` and ends behind it.
    `compile_part` makes a function of a part, which calls its kernels one by one: for arguments of
    another form, and for the error of an op that fails.
    """
    if extension is None:
        return {}
    last_use = {id(value): len(graph.nodes) for value in graph.outputs}
    for position, node in enumerate(graph.nodes):
        for value in node.inputs:
            last_use[id(value)] = max(position, last_use.get(id(value), 0))
    runs: dict[int, FlatRun] = {}
    start, builder = 0, _Builder()

    def end(stop: int) -> None:
        if builder.is_broken or builder.program.steps < _MIN_STEPS:
            return
        made = [value for node in builder.nodes for value in node.outputs]
        results = [value for value in made if last_use.get(id(value), -1) >= stop]
        if not results:
            return
        part = Graph((), builder.nodes, tuple(results))
        inputs = builder.finish(results, _Lazily(part, compile_part))
        part.inputs = tuple(inputs)
        runs[start] = FlatRun(stop - 1, builder.program, inputs, results)

    for position, node in enumerate(graph.nodes):
        if position not in excluded and position != first_write and builder.add(node):
            continue
        end(position)
        start, builder = position, _Builder()
        if position in excluded or not builder.add(node):
            start, builder = position + 1, _Builder()
    end(len(graph.nodes))
    return runs


def flat_program(graph: Graph) -> Any:
    """Return the program of a whole graph, the body of a loop; None if an op has no native form."""
    return None if extension is None else graph.executable("flat", lambda: [_whole(graph)])[0]


def _whole(graph: Graph) -> Any:
    graph = optimize_for_execution(graph)
    if not all(map(_is_small, (*graph.inputs, *graph.outputs))):
        return None
    builder = _Builder()
    inputs = [builder.number_of(value) for value in graph.inputs]
    if None in inputs or not all(builder.add(node) for node in graph.nodes):
        return None
    results = [builder.number_of(value) for value in graph.outputs]
    if None in results:
        return None
    builder.program.finish(tuple(inputs), tuple(results), _refuse)
    return builder.program


def _refuse(*arrays) -> tuple:
    raise AssertionError("the program of a loop's body is run by that loop")


class _Lazily:
    """A part of a graph as a function, which is compiled when it is first called."""

    def __init__(self, part: Graph, compile_part: Callable[[Graph], Callable[..., tuple]]) -> None:
        self.part = part
        self.compile_part = compile_part

    def __call__(self, *arrays) -> tuple:
        return self.part.executable("kernels", lambda: self.compile_part(self.part))(*arrays)


# --- what a profile needs ------------------------------------------------------------------------


class _Compiled:
    """The graphs compiled for the host that are alive: a profile puts clocks on their calls."""

    functions: ClassVar[weakref.WeakSet[Any]] = weakref.WeakSet()
    lock = threading.RLock()  # an interrupt may come while it is held, whose handler compiles


# While a profile runs, functions that are called with each graph that is compiled.
COMPILE_LISTENERS: list[Callable[[Callable[..., tuple]], None]] = []


def remember(
    run: Callable[..., tuple], graph: Graph, runs: Mapping[int, FlatRun]
) -> Callable[..., tuple]:
    """Return a compiled graph, with the names of the ops in its flat programs."""
    names = {}
    for start, flat in runs.items():
        ops = dict.fromkeys(node.prim.name for node in graph.nodes[start : flat.last + 1])
        names[id(flat.program)] = " ".join(ops)
    vars(run)["flat_names"] = names
    with _Compiled.lock:
        _Compiled.functions.add(run)
    for listener in COMPILE_LISTENERS:
        listener(run)
    return run


def compiled_graphs() -> Iterable[Callable[..., tuple]]:
    """Return the functions that `remember` knows; their globals hold the kernels that they call."""
    with _Compiled.lock:
        return list(_Compiled.functions)


def forget_locks() -> None:
    """Make the lock anew in a forked child: the thread that held it is not there."""
    _Compiled.lock = threading.RLock()
