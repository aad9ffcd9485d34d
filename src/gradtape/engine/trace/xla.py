"""Graphs as programs of XLA: the flat function of a graph, with XLA's kernels, under `jax.jit`.

On the host (`jit_compile=True`), arrays go in and out as NumPy's; what a program gives is kept
beside its NumPy view, so that the next call finds it where it is. On a device, arrays stay there,
and the memory of variables is written over where nobody else holds it.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable
from sys import getrefcount

import numpy as np

from gradtape.backends import xla
from gradtape.backends.xla.require import jax
from gradtape.core.primitive import Primitive
from gradtape.core.tensor import Spec, Tensor
from gradtape.engine.device_tensor import DeviceTensor, out_of_memory
from gradtape.engine.trace.branch import BRANCH
from gradtape.engine.trace.execute import compiled
from gradtape.engine.trace.graph import Graph, with_inputs_for
from gradtape.engine.trace.loop import LOOP, RUN
from gradtape.engine.trace.passes import for_execution
from gradtape.engine.trace.scan import SCAN

logger = logging.getLogger("gradtape")
# (what, seconds) of every program compiled, for `gradtape doctor` and curious users.
COMPILED: list[tuple[str, float]] = []
_LARGE_CONSTANT = 4096  # bytes; larger ones are inputs, not part of the program
if os.environ.get("GRADTAPE_COMPILATION_CACHE"):
    jax.config.update("jax_compilation_cache_dir", os.environ["GRADTAPE_COMPILATION_CACHE"])


# --- what can be compiled ------------------------------------------------------------------------


def obstacle(graph: Graph) -> str | None:
    """Why a graph cannot be compiled as a whole; None if it can."""
    for node in graph.nodes:
        if node.has_effect:
            return "it prints, checks or writes something on each call"
        if node.prim is RUN:
            return "it differentiates a loop of unknown length (see tf.scan for one that is known)"
        for value in (*node.inputs, *node.outputs):
            if value.spec.dtype.hasobject:
                return "it computes with strings"
        for parameter in node.params.values():
            for inner in parameter if isinstance(parameter, tuple) else (parameter,):
                reason = obstacle(inner) if isinstance(inner, Graph) else None
                if reason is not None:
                    return reason
    return None


def _kernel_of(prim: Primitive) -> Callable:
    if prim is BRANCH:
        return _branch
    if prim is LOOP:
        return _loop
    if prim is SCAN:
        return _scan
    return xla.kernel(prim.name)


def _function(graph: Graph) -> Callable[..., tuple]:
    """The flat function of a graph inside a program."""
    found = graph.executables.get("xla inside")
    if found is None:
        found = compiled(for_execution(graph), _kernel_of, None, _constant)
        graph.executables["xla inside"] = found
    return found


def _constant(tensor: Tensor):
    data = tensor._data
    return data if isinstance(data, jax.Array) else np.asarray(data)


def _branch(index, *operands, graphs):
    count = len(graphs)
    index = jax.numpy.where((index >= 0) & (index < count), index, count - 1)
    return jax.lax.switch(index, [_function(graph) for graph in graphs], *operands)


def _loop(*arrays, condition, body, count, limit):
    goes_on, step = _function(condition), _function(body)
    rest = arrays[count:]
    state = tuple([jax.numpy.asarray(x) for x in arrays[:count]])
    if limit is None:
        return jax.lax.while_loop(
            lambda state: goes_on(*state, *rest)[0], lambda state: step(*state, *rest), state
        )
    _, state = jax.lax.while_loop(
        lambda both: (both[0] < limit) & goes_on(*both[1], *rest)[0],
        lambda both: (both[0] + 1, step(*both[1], *rest)),
        (0, state),
    )
    return state


def _scan(*arrays, body, carry, rows, length, reverse, keeps):
    step = _function(body)
    held = arrays[carry + rows :]

    def one(state, given):
        found = step(*state, *given, *held)
        before = state if keeps else ()
        return found[:carry], (*found[carry:], *before)

    state = tuple([jax.numpy.asarray(x) for x in arrays[:carry]])
    given = tuple(arrays[carry : carry + rows])
    state, made = jax.lax.scan(one, state, given, length, reverse)
    return (*state, *made)


# --- running -------------------------------------------------------------------------------------


class Program:
    """A compiled graph. Inputs in `donated` may be overwritten by its outputs."""

    def __init__(self, graph: Graph, donated: tuple[int, ...] = ()) -> None:
        graph = for_execution(graph)
        large = [
            value
            for value in graph.constants()
            if value.constant is not None and value.constant._data.nbytes > _LARGE_CONSTANT
        ]
        self._held = [_constant(value.constant) for value in large]  # type: ignore[arg-type]
        graph = with_inputs_for(graph, large) if large else graph
        self._size = len(graph.nodes)
        self._function = compiled(graph, _kernel_of, None, _constant)
        self._compiled: dict[tuple, Callable[..., tuple]] = {}
        self.donated = donated

    def __call__(self, arrays: list, *, donates: bool = False) -> tuple:
        try:
            return self._run(arrays, donates)
        except jax.errors.JaxRuntimeError as error:
            specs = [Spec(tuple(np.shape(x)), x.dtype) for x in arrays]
            raise out_of_memory("a compiled tf.function", specs, error) or error from None

    def _run(self, arrays: list, donates: bool) -> tuple:
        run = self._compiled.get((xla.settings_key(), donates))
        if run is None:
            run = self._compile(arrays, donates)
        if all(isinstance(x, jax.Array) for x in arrays):
            # Their types are settled. `exact_types` would cost as much as the call itself.
            return run(*arrays, *self._held)
        with xla.exact_types():
            return run(*arrays, *self._held)

    def _compile(self, arrays: list, donates: bool) -> Callable[..., tuple]:
        start = time.perf_counter()
        with xla.exact_types():
            if not self._compiled:  # from here on they stay on the device
                self._held = [jax.numpy.asarray(x) for x in self._held]
            jitted = jax.jit(self._function, donate_argnums=self.donated if donates else ())
            run = jitted.lower(*arrays, *self._held).compile(xla.compiler_options())
        self._compiled[xla.settings_key(), donates] = run
        seconds = time.perf_counter() - start
        COMPILED.append((f"a graph of {self._size} ops", seconds))
        logger.info("compiled a graph of %d ops in %.2f s", self._size, seconds)
        return run


class HostXla:
    """Programs for tensors on the host."""

    name = "xla"
    wrap = Tensor

    @staticmethod
    def executable(graph: Graph) -> Callable[..., tuple]:
        found = graph.executables.get("xla")
        if found is None:
            found = graph.executables["xla"] = _on_host(Program(graph))
        return found


def _on_host(program: Program) -> Callable[..., tuple]:
    twins: dict[int, tuple] = {}  # id of a NumPy view that was given -> (the view, JAX's array)

    def call(*arrays):
        given = []
        for array in arrays:
            twin = twins.get(id(array))
            given.append(twin[1] if twin is not None and twin[0] is array else array)
        found = program(given)
        views = tuple([_view(y) for y in found])
        twins.clear()
        for view, y in zip(views, found, strict=True):
            if type(view) is np.ndarray:
                twins[id(view)] = (view, y)
        return views

    return call


def _view(array):
    view = np.asarray(array)
    return view if view.ndim else view[()]


class DeviceXla:
    """Programs for tensors on a device."""

    name = "xla device"
    wrap = DeviceTensor

    @staticmethod
    def executable(graph: Graph) -> Callable[..., tuple]:
        found = graph.executables.get("xla")
        if found is None:
            program = Program(graph)
            found = graph.executables["xla"] = lambda *arrays: program(list(arrays))
        return found

    @staticmethod
    def run(routine, tensors: list) -> list:
        """A call that nobody listens to: the memory of variables is written over."""
        program = routine.graph.executables.get("xla donating")
        if program is None:
            program = routine.graph.executables["xla donating"] = _donating(routine)
        written = routine.written
        donates = bool(program.donated) and all(map(_is_held_once, written))
        arrays = [x._data for x in tensors]
        arrays += [variable._data for variable in routine.variables]
        arrays += [make()._data for make in routine.feeds]
        found = program(arrays, donates=donates)
        count = routine.results
        for variable, data in zip(written, found[count:], strict=True):
            on_device = variable._tensor_class is DeviceTensor
            variable._data = data if on_device else _view(data)
            variable._snapshot = None
        return [DeviceTensor(data) for data in found[:count]]


def _donating(routine) -> Program:
    """The program of a routine that may write over the variables that it assigns to."""
    places = {id(v): routine.arguments + i for i, v in enumerate(routine.variables)}
    donated = []
    for variable, value in zip(
        routine.written, routine.graph.outputs[routine.results :], strict=True
    ):
        place = places.get(id(variable))
        if place is not None and value.spec == routine.graph.inputs[place].spec:
            donated.append(place)
    return Program(routine.graph, tuple(donated))


def _is_held_once(variable) -> bool:
    """Whether only a variable on a device holds its array."""
    variable._snapshot = None
    return isinstance(variable._data, jax.Array) and getrefcount(variable._data) == 2
