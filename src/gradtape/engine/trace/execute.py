"""A graph as a Python function of arrays: one line for each op, and nothing in between.

The lines call the kernels of a backend, so that the same text computes with NumPy's arrays or,
under `jax.jit`, says what to compile. A value is let go of after its last use.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from typing import Any

from gradtape.core.errors import OpError
from gradtape.core.primitive import Primitive
from gradtape.core.state import lifted
from gradtape.core.tensor import Tensor
from gradtape.engine.trace.graph import EffectFailed, Graph, Value, last_uses
from gradtape.engine.trace.passes import for_execution
from gradtape.engine.trace.passes.in_place import overwritable, ufunc_of
from gradtape.engine.trace.replay import replay

_serial = itertools.count()
_LITERALS = (int, bool, str, bytes, type(None))


def numpy_executable(graph: Graph) -> Callable[..., tuple]:
    """The graph on NumPy's arrays. A kernel that fails gives the error of the op in eager code."""
    found = graph.executables.get("numpy")
    if found is None:
        inner = inner_executable(graph)
        found = graph.executables["numpy"] = _unwrapped(inner) if graph.has_effects else inner
    return found


def inner_executable(graph: Graph) -> Callable[..., tuple]:
    """The same for a graph inside of an op: what an effect raises is left to the graph around."""
    found = graph.executables.get("numpy inside")
    if found is None:
        found = graph.executables["numpy inside"] = _make_numpy_executable(graph)
    return found


def _unwrapped(run: Callable[..., tuple]) -> Callable[..., tuple]:
    def call(*arrays):
        try:
            return run(*arrays)
        except EffectFailed as failed:
            raise failed.error from None

    return call


def _make_numpy_executable(graph: Graph) -> Callable[..., tuple]:
    graph = for_execution(graph)
    run = compiled(graph, _kernel_of, overwritable(graph, _kernel_of))
    quiet = Graph(graph.inputs, [n for n in graph.nodes if not n.has_effect], graph.outputs)

    def call(*arrays):
        try:
            return run(*arrays)
        except (OpError, EffectFailed):
            raise
        except Exception:
            with lifted():
                return tuple([x._data for x in replay(quiet, map(Tensor, arrays))])

    return call


def _kernel_of(prim: Primitive) -> Callable:
    return prim.kernel


def compiled(
    graph: Graph,
    kernel_of: Callable[..., Callable],
    overwrites: Mapping[int, int] | None = None,
    constant_of: Callable[[Tensor], Any] = lambda tensor: tensor._data,
) -> Callable[..., tuple]:
    """The function of the graph's inputs that gives the tuple of its outputs.

    `overwrites`: by position of a node, the position of the input whose array takes the result.
    """
    namespace: dict[str, Any] = {}
    kernels: dict[tuple, str] = {}
    names: dict[int, str] = {}

    def name_of(value: Value) -> str:
        name = names.get(id(value))
        if name is None:
            assert value.constant is not None
            name = names[id(value)] = f"c{len(namespace)}"
            namespace[name] = constant_of(value.constant)
        return name

    def literal(parameter) -> str:
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
    lines = []
    for position, node in enumerate(graph.nodes):
        arguments = [name_of(value) for value in node.inputs]
        into = None if overwrites is None else overwrites.get(position)
        kernel = kernels.get((id(node.prim), into is None))
        if kernel is None:
            kernel = kernels[id(node.prim), into is None] = f"{node.prim.name}_{len(namespace)}"
            function = kernel_of(node.prim)
            namespace[kernel] = function if into is None else ufunc_of(node.prim, function)
        if into is not None:
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
        gone = [names[key] for key in last.get(position, ()) if key in names]
        if gone:
            lines.append(f"del {', '.join(gone)}")
    returned = "".join(f"{name_of(value)}, " for value in graph.outputs)
    lines.append(f"return ({returned})")
    arguments = ", ".join(f"a{position}" for position in range(len(graph.inputs)))
    source = f"def run({arguments}):\n " + "\n ".join(lines)
    exec(compile(source, f"<gradtape graph {next(_serial)}>", "exec"), namespace)
    return namespace["run"]
