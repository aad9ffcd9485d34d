"""Turns a graph into a Python function of arrays, with one line of source for each op.

The lines call the kernels of a backend, so that the same source computes with NumPy arrays or is
traced by `jax.jit`. A value is deleted after its last use.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Collection, Iterable, Mapping
from sys import getrefcount
from typing import Any

import numpy as np

from gradtape.backends.native.extension import extension
from gradtape.backends.numpy import is_small_part
from gradtape.backends.numpy.rows import Write
from gradtape.core.bind import prepared_write
from gradtape.core.errors import EffectFailed, OpError
from gradtape.core.native import fuses, materialize, wanted_together
from gradtape.core.primitive import Primitive, plain_kernel
from gradtape.core.size import OpenSizes, Size, is_open
from gradtape.core.state import lifted
from gradtape.core.tensor import Tensor
from gradtape.graph.flat import FlatRun, find_flat_runs, on_host, remember
from gradtape.graph.graph import Graph, Node, Value, last_uses
from gradtape.graph.open_sizes import SizedGraph, at_sizes, is_open_graph, is_open_parameter
from gradtape.graph.passes import optimize_for_execution
from gradtape.graph.passes.in_place import (
    find_in_place_updates,
    find_reusable_inputs,
    move_writes_last,
    ufunc_of,
)
from gradtape.graph.passes.peak import find_long_sums, find_totals
from gradtape.graph.replay import replay

_serial = itertools.count()
NO_NODES: frozenset[int] = frozenset()
NO_RUNS: Mapping[int, FlatRun] = {}
_LITERALS = (int, bool, str, bytes, type(None))
# Code for given sizes is made after so many calls with them, of a graph and of one inside an op.
_PATIENCE = 2
_PATIENCE_INSIDE = 500


def numpy_executable(graph: Graph) -> Callable[..., tuple]:
    """Return the graph as a function of NumPy arrays; an op that fails raises its eager error."""
    return graph.executable("numpy", lambda: _make_outer_executable(graph))


def _make_outer_executable(graph: Graph) -> Callable[..., tuple]:
    inner = _make_numpy_executable(graph, _PATIENCE)
    return _unwrap_effects(inner) if graph.has_effects else inner


def writing_executable(
    graph: Graph, changed: tuple[int, ...]
) -> tuple[Callable[..., tuple], tuple[int, ...]]:
    """Return the graph as a function that may write into inputs, and the indices of those inputs.

    `changed` are the indices of inputs that the caller can own: the values of variables that it
    will replace. It must own the arrays at the indices returned. If there are any, the function
    takes a log of its writes as first argument (see `engine/transaction.py`).
    """
    return graph.executable(
        ("numpy writing", changed), lambda: _make_writing_executable(graph, changed)
    )


def _make_writing_executable(graph: Graph, changed: tuple[int, ...]):
    if not isinstance(graph, SizedGraph):
        return _make_writing(graph, changed)
    general, overwritten = open_writing_executable(graph.whole, graph.open, changed)
    if not overwritten:
        return numpy_executable(graph), ()
    return _Tiers(graph, general, lambda: _make_writing(graph, changed)[0], _PATIENCE), overwritten


def open_writing_executable(
    graph: Graph, open: OpenSizes, changed: tuple[int, ...]
) -> tuple[Callable[..., tuple], tuple[int, ...]]:
    """Return the same for a graph with open sizes, as a function that takes these first."""
    return graph.executable(
        ("numpy writing open", changed), lambda: _make_writing(graph, changed, open)
    )


def _make_writing(graph: Graph, changed: tuple[int, ...], open: OpenSizes | None = None):
    ordered, first = move_writes_last(optimize_for_execution(graph), changed)
    written = {id(ordered.nodes[i].inputs[0]) for i in find_in_place_updates(ordered, changed)}
    overwritten = tuple([index for index in changed if id(ordered.inputs[index]) in written])
    if not overwritten:
        return (numpy_executable(graph) if open is None else open_executable(graph, open)), ()
    run = _as_function(ordered, overwritten, first, open)
    call = _explained(run, ordered, open, has_log=True)
    return (_unwrap_effects(call) if graph.has_effects else call), overwritten


class _Tiers:
    """Runs a graph for given sizes: by the code for all sizes, unless it is called often."""

    __slots__ = ("_calls", "_general", "_make_special", "_sizes", "_special")

    def __init__(
        self, graph: SizedGraph, general: Callable, make_special: Callable, patience: int
    ) -> None:
        self._sizes = graph.sizes
        self._general = general
        self._make_special = make_special
        self._special: Callable[..., tuple] | None = None
        self._calls = patience

    def __call__(self, *arguments):
        special = self._special
        if special is None:
            if self._calls:
                self._calls -= 1
                return self._general(*self._sizes, *arguments)
            special = self._special = self._make_special()
        return special(*arguments)


def open_executable(graph: Graph, open: OpenSizes) -> Callable[..., tuple]:
    """Return a graph with open sizes as a function that takes these before its inputs."""

    def make() -> Callable[..., tuple]:
        optimized = optimize_for_execution(graph)
        run = _explained(_as_function(optimized, open=open), optimized, open)
        return _unwrap_effects(run) if graph.has_effects else run

    return graph.executable("numpy open", make)


def prepare_open_graphs(graph: Graph, open: OpenSizes) -> None:
    """Optimize and compile the graphs in a graph's ops for all sizes, as long as that is possible.

    Passes may note conditions on the sizes.
    """
    for node in optimize_for_execution(graph).nodes:
        for inner in node.graphs:
            if is_open_graph(inner):
                open_executable(inner, open)
                prepare_open_graphs(inner, open)


def _explained(
    run: Callable[..., tuple], graph: Graph, open: OpenSizes | None, has_log: bool = False
) -> Callable[..., tuple]:
    """Return `run`, which raises the error of the op that failed: it is replayed op by op."""
    count = 0 if open is None else len(open.names)
    rerun = _op_by_op(graph) if open is None else None

    def call(*arguments):
        try:
            return run(*arguments)
        except (OpError, EffectFailed):
            raise
        except Exception:  # replaying op by op raises the error of the op that failed
            arrays = arguments[count:]
            if has_log:
                arrays[0].undo()
                arrays = arrays[1:]
            again = rerun
            if open is not None:
                again = _op_by_op(at_sizes(graph, open, arguments[:count]))
            if again is None:
                raise
            return again(arrays)

    return call


def inner_executable(graph: Graph) -> Callable[..., tuple]:
    """Return the same for a graph inside an op: the outer graph unwraps what effects raise."""
    return graph.executable("numpy inside", lambda: _make_numpy_executable(graph))


def _unwrap_effects(run: Callable[..., tuple]) -> Callable[..., tuple]:
    """Return `run`, which raises what an effect has raised.

    An op after which the graph would be run again, without its effects, must mean an error: not
    an infinity where the program lets NumPy raise.
    """

    def call(*arrays):
        try:
            with np.errstate(all="ignore"):
                return run(*arrays)
        except EffectFailed as failed:
            raise failed.error from None

    return call


def _make_numpy_executable(graph: Graph, patience: int = _PATIENCE_INSIDE) -> Callable[..., tuple]:
    if isinstance(graph, SizedGraph):
        general = open_executable(graph.whole, graph.open)
        return _Tiers(graph, general, lambda: _make_special(graph), patience)
    return _make_special(graph)


def _make_special(graph: Graph) -> Callable[..., tuple]:
    graph = optimize_for_execution(graph)
    run = _as_function(graph)
    sizes = [math.prod(x.spec.shape) for x in graph.outputs if x.spec.dtype == np.float32]
    if len(sizes) > len(set(sizes)) and fuses("add", max(sizes)):
        run = wanted_together(run)
    return _explained(run, graph, None)


def _calls_back(graph: Graph) -> bool:
    return any(
        (node.has_effect and len(node.outputs) > 0) or any(map(_calls_back, node.graphs))
        for node in graph.nodes
    )


def _op_by_op(graph: Graph) -> Callable[[Iterable], tuple] | None:
    """Return a function that replays the graph after an op has failed, without its effects.

    None where the results depend on what an effect gave.
    """
    pure = Graph(graph.inputs, [n for n in graph.nodes if not n.has_effect], graph.outputs)
    if _calls_back(graph):
        return None

    def rerun(arrays):
        with lifted():
            return tuple([x._data for x in replay(pure, map(Tensor, arrays))])

    return rerun


def _as_function(
    graph: Graph,
    owned: tuple[int, ...] = (),
    first: int | None = None,
    open: OpenSizes | None = None,
):
    updates = find_in_place_updates(graph, owned)
    runs = find_flat_runs(graph, _by_kernels, updates, first)
    run = compile_graph(
        graph,
        plain_kernel,
        find_reusable_inputs(graph, plain_kernel),
        updates=updates,
        first_write=first,
        runs=runs,
        open=open,
    )
    return remember(run, graph, runs)


def _by_kernels(graph: Graph) -> Callable[..., tuple]:
    return compile_graph(graph, plain_kernel)


def _is_small(node: Node) -> bool:
    part, whole = node.outputs[0].spec, node.inputs[0].spec
    if is_open(part.shape) or is_open(whole.shape):
        return False
    return is_small_part(part.nbytes, whole.nbytes)


def _is_fused(node: Node) -> bool:
    return fuses(node.prim.name, 1 << 30)


def _copied(kernel: Callable) -> Callable:
    return lambda x, **params: kernel(x, **params).copy()


class Unlogged:
    """Performs writes into arrays that the graph itself made: there is nothing to undo."""

    @staticmethod
    def write(write: Write) -> None:
        write.perform()


def references(x) -> int:
    """Return the number of references to an array, as `_update_of` counts them."""
    return getrefcount(x)


def _update_of(prim: Primitive) -> Callable:
    """Return a function that changes a part of x, in place if there are no other references."""
    kernel = plain_kernel(prim)

    def update(log, expected: int, x, *operands, **params):
        if type(x) is np.ndarray:
            if getrefcount(x) != expected and extension is not None:
                extension.release(x)  # deferred ops that refer to it
            if getrefcount(x) == expected:
                log.write(prepared_write(prim, x, [materialize(y) for y in operands], params))
                return x
        return kernel(x, *operands, **params)

    return update


def compile_graph(
    graph: Graph,
    kernel_of: Callable[..., Callable],
    overwrites: Mapping[int, int] | None = None,
    constant_of: Callable[[Tensor], Any] | None = None,
    updates: Collection[int] = (),
    first_write: int | None = None,
    runs: Mapping[int, FlatRun] = NO_RUNS,
    open: OpenSizes | None = None,
) -> Callable[..., tuple]:
    """Compile a graph to a Python function from its inputs to the tuple of its outputs.

    `overwrites` maps the index of a node to the index of the input whose array takes the result.
    `updates`: indices of nodes that write into their first input. With `first_write`, some of
    these arrays belong to the caller: the function takes a log of writes as first argument, which
    begins at that node. `runs`: nodes that are one call, by the index of the first of them. With
    `open`, the function takes the open sizes of the graph as its first arguments.
    """
    namespace: dict[str, Any] = {"references": references, "log": Unlogged}
    namespace |= {"at_sizes": at_sizes, "open_sizes": open, "materialize": materialize}
    counted = {id(graph.nodes[position].inputs[0]) for position in updates}
    # The arrays that are written to, in this call or the next.
    tables = counted | {id(graph.nodes[position].outputs[0]) for position in updates}
    kernels: dict[tuple, str] = {}
    names: dict[int, str] = {}

    def name_of(value: Value) -> str:
        name = names.get(id(value))
        if name is None:
            assert value.constant is not None
            name = names[id(value)] = f"c{len(namespace)}"
            namespace[name] = (constant_of or on_host)(value.constant)
        return name

    sizes = "" if open is None else "".join(f"{name}, " for name in open.names)

    def literal(parameter) -> str:
        if open is not None and is_open_parameter(parameter):
            if type(parameter) is Size:
                return parameter.source
            if isinstance(parameter, tuple):
                return f"({''.join(f'{literal(each)}, ' for each in parameter)})"
            name = f"p{len(namespace)}"
            namespace[name] = parameter
            return f"at_sizes({name}, open_sizes, ({sizes}))"
        if type(parameter) in _LITERALS:
            return repr(parameter)
        if type(parameter) is tuple and all(type(each) in _LITERALS for each in parameter):
            return repr(parameter)
        name = f"p{len(namespace)}"
        namespace[name] = parameter
        return name

    for position, value in enumerate(graph.inputs):
        names[id(value)] = f"a{position}"
    last = last_uses(graph)
    sums, totals = NO_NODES, NO_NODES
    if extension is not None and constant_of is None:
        namespace["compute_costly_total"] = extension.compute_costly_total
        sums = find_long_sums(graph, last)
        totals = find_totals(graph, _is_fused)
    # References to an array are counted when it is made, and again before it is written to: more
    # of them mean that something else holds it.
    lines = [
        f"n_{names[id(x)]} = references({names[id(x)]})" for x in graph.inputs if id(x) in counted
    ]

    def forget(position: int) -> None:
        """Delete what is used for the last time, and count the references to what was made."""
        dead = [names[key] for key in last.get(position, ()) if key in names]
        if dead:
            lines.append(f"del {', '.join(dead)}")
        for value in graph.nodes[position].outputs[:1]:
            if id(value) in counted:
                name = names[id(value)]
                lines.append(f"n_{name} = references({name})")
        if position in sums:
            name = names[id(graph.nodes[position].outputs[0])]
            lines.append(f"{name} = materialize({name})")
        if position in totals:
            lines.append("compute_costly_total()")

    end_of_run = -1
    for position, node in enumerate(graph.nodes):
        if position == first_write:
            lines.append("log.begin()")
        if position in runs:
            run = runs[position]
            end_of_run = run.last
            inputs = ", ".join([name_of(value) for value in run.inputs])
            program = f"flat_{len(namespace)}"
            namespace[program] = run.program
            for value in run.results:
                names[id(value)] = f"v{position}_{len(names)}"
            results = "".join([f"{names[id(value)]}, " for value in run.results])
            lines.append(f"{results}= {program}({inputs})")
        if position <= end_of_run:
            forget(position)
            continue
        arguments = [name_of(value) for value in node.inputs]
        into = None if overwrites is None else overwrites.get(position)
        mode = "allocate"
        if into is not None:
            mode = "overwrite"
        elif position in updates:
            mode = "update"
        elif node.prim.name == "slice" and id(node.inputs[0]) in tables and _is_small(node):
            mode = "copy"
        kernel = kernels.get((id(node.prim), mode))
        if kernel is None:
            kernel = kernels[id(node.prim), mode] = f"{mode}_{node.prim.name}_{len(namespace)}"
            function = kernel_of(node.prim)
            if mode == "overwrite":
                function = ufunc_of(node.prim, function)
            elif mode == "update":
                function = _update_of(node.prim)
            elif mode == "copy":
                function = _copied(function)
            namespace[kernel] = function
        if mode == "update":
            arguments[:0] = ["log", f"n_{arguments[0]}"]
        elif into is not None:
            arguments.append(f"out={arguments[into]}")
        arguments += [f"{key}={literal(value)}" for key, value in node.params.items()]
        call = f"{kernel}({', '.join(arguments)})"
        for value in node.outputs:
            names[id(value)] = f"v{position}_{len(names)}"
        results = [names[id(value)] for value in node.outputs]
        if node.prim.outputs == 1:
            call = f"{results[0]} = {call}"
        elif results:
            call = f"{', '.join(results)}{',' if len(results) == 1 else ''} = {call}"
        lines.append(call)
        forget(position)
    returned = "".join(f"{name_of(value)}, " for value in graph.outputs)
    lines.append(f"return ({returned})")
    parameters = [f"a{position}" for position in range(len(graph.inputs))]
    arguments = ", ".join(parameters if first_write is None else ["log", *parameters])
    source = f"def run({sizes}{arguments}):\n " + "\n ".join(lines)
    namespace["__name__"] = __name__  # NumPy's warnings are filtered by the module's name
    exec(compile(source, f"<gradtape graph {next(_serial)}>", "exec"), namespace)
    return namespace["run"]
