"""Graphs as programs of XLA: the flat function of a graph, with XLA's kernels, under `jax.jit`.

On the host (`jit_compile=True`), arrays go in and out as NumPy's; what a program gives is kept
beside its NumPy view, so that the next call finds it where it is. On a device, arrays stay there:
see `xla_device`.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from gradtape.backends import xla
from gradtape.backends.xla.attention import fused_attention, fused_attention_pull
from gradtape.backends.xla.require import jax
from gradtape.core.primitive import Primitive
from gradtape.core.tensor import Spec, Tensor
from gradtape.engine import device as devices
from gradtape.engine.device_memory import LARGE, make_room, out_of_memory
from gradtape.engine.trace.branch import BRANCH
from gradtape.engine.trace.execute import compiled, numpy_executable
from gradtape.engine.trace.graph import Graph, with_inputs_for
from gradtape.engine.trace.loop import LOOP, RUN
from gradtape.engine.trace.passes import for_execution
from gradtape.engine.trace.passes.attention import FUSED, FUSED_PULL, with_fused_attention
from gradtape.engine.trace.scan import SCAN

logger = logging.getLogger("gradtape")
# (what, seconds) of every program compiled, for `gradtape doctor` and curious users.
COMPILED: list[tuple[str, float]] = []
_LARGE_CONSTANT = 4096  # bytes; larger ones are inputs, not part of the program


# --- what can be compiled ------------------------------------------------------------------------


def obstacle(graph: Graph, effects: bool = False) -> str | None:
    """Why a graph cannot be compiled as a whole, perhaps with effects in it; None if it can."""
    for node in graph.nodes:
        if node.has_effect and not effects:
            return "it prints, checks or writes something on each call"
        if node.prim is RUN:
            return "it differentiates a loop of unknown length (see tf.scan for one that is known)"
        for value in (*node.inputs, *node.outputs):
            if value.spec.dtype.hasobject:
                return "it computes with strings"
        for parameter in node.params.values():
            for inner in parameter if isinstance(parameter, tuple) else (parameter,):
                reason = obstacle(inner, effects) if isinstance(inner, Graph) else None
                if reason is not None:
                    return reason
    return None


# Kernels of ops that are in graphs only; other modules add theirs.
GRAPH_KERNELS: dict[Primitive, Callable] = {
    FUSED: fused_attention,
    FUSED_PULL: fused_attention_pull,
}


def _kernel_of(prim: Primitive) -> Callable:
    if prim in GRAPH_KERNELS:
        return GRAPH_KERNELS[prim]
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


class _Ready(NamedTuple):
    """A program that can be called: how, with which constants, where, and what memory it takes."""

    call: Callable[..., tuple]
    held: list
    where: Any
    takes: int


class Program:
    """A compiled graph. Inputs in `donated` may be overwritten by its outputs.

    It runs on `where`, one of JAX's devices, or else on the device of its arrays.
    """

    def __init__(self, graph: Graph, donated: tuple[int, ...] = (), where: Any = None) -> None:
        self._graph = graph
        self._where = where
        self._ready: dict[tuple, _Ready] = {}  # by settings
        self.donated = donated
        self.moves = False  # whether its arrays have been on several devices

    def __call__(self, arrays: list, *, settled: bool = False) -> tuple:
        """The outputs. `settled`: all arrays are JAX's, so that no dtype is left to be kept."""
        ready = self._ready.get(xla.settings_key())
        try:
            if ready is None:
                arrays = self._together(arrays)
                ready = self._compiled(arrays)
            if ready.takes >= LARGE:
                make_room(NAME, ready.takes, ready.where, _specs(arrays))
            if settled:  # `exact_types` would cost as much as the rest of this
                return ready.call(*arrays, *ready.held)
            with xla.exact_types():
                return ready.call(*arrays, *ready.held)
        except jax.errors.JaxRuntimeError as error:
            raise out_of_memory(NAME, _specs(arrays), error) or error from None
        except ValueError:
            together = self._together(arrays)
            if ready is None or (together is arrays and self._place(arrays) == ready.where):
                raise
            self._ready.clear()
            return self(together)

    def _place(self, arrays: list) -> Any:
        """The device of the first array that is on one."""
        if self._where is not None:
            return self._where
        found = next((x for x in arrays if isinstance(x, jax.Array)), None)
        if found is None:
            held = [value.constant._data for value in self._graph.constants()]  # type: ignore
            found = next((x for x in held if isinstance(x, jax.Array)), None)
        if found is not None:
            return next(iter(found.devices()))
        current = devices.current()
        return jax.local_devices()[0] if current is devices.HOST else current.in_jax

    def _together(self, arrays: list) -> list:
        """The arrays, all on one device (or still on the host)."""
        place = self._place(arrays)
        if all(not isinstance(x, jax.Array) or x.devices() == {place} for x in arrays):
            return arrays
        self.moves = True
        with xla.exact_types():
            return [jax.device_put(x, place) if isinstance(x, jax.Array) else x for x in arrays]

    def _compiled(self, arrays: list) -> _Ready:
        start = time.perf_counter()
        where = self._place(arrays)
        plain = graph = for_execution(self._graph)
        if where.platform == "gpu" and not xla.settings.deterministic:
            graph = with_fused_attention(plain)
        with xla.exact_types(), jax.default_device(where):
            try:
                ready = self._compile(graph, arrays, where)
            except jax.errors.JaxRuntimeError:
                if graph is plain:
                    raise
                # A kernel that the machine's libraries do not have after all.
                ready = self._compile(plain, arrays, where)
        self._ready[xla.settings_key()] = ready
        seconds = time.perf_counter() - start
        COMPILED.append((f"a graph of {len(graph.nodes)} ops", seconds))
        logger.info("compiled a graph of %d ops in %.2f s", len(graph.nodes), seconds)
        return ready

    def _compile(self, graph: Graph, arrays: list, where) -> _Ready:
        large = [
            value
            for value in graph.constants()
            if value.constant is not None and value.constant._data.nbytes > _LARGE_CONSTANT
        ]
        # They stay on the device.
        held = [jax.device_put(_constant(v.constant), where) for v in large]  # type: ignore
        graph = with_inputs_for(graph, large) if large else graph
        function = compiled(graph, _kernel_of, None, _constant)
        jitted = jax.jit(function, donate_argnums=self.donated)
        call = jitted.lower(*arrays, *held).compile(xla.compiler_options())
        return _Ready(call, held, where, _memory(call))


NAME = "a compiled tf.function"


def check(arrays: tuple) -> None:
    """Wait for the results of a program, and raise what went wrong."""
    try:
        jax.block_until_ready(arrays)
    except jax.errors.JaxRuntimeError as error:
        raise out_of_memory(NAME, _specs(list(arrays)), error) or error from None


def _specs(arrays: list) -> list[Spec]:
    return [Spec(tuple(np.shape(x)), x.dtype) for x in arrays]


def _memory(call) -> int:
    """How much memory a program needs besides that of its inputs."""
    found = call.memory_analysis()
    if found is None:  # not every platform says
        return 0
    made = found.output_size_in_bytes - found.alias_size_in_bytes
    return made + found.temp_size_in_bytes


class HostXla:
    """Programs for tensors on the host."""

    name = "xla"
    wrap = Tensor

    @staticmethod
    def executable(graph: Graph) -> Callable[..., tuple]:
        found = graph.executables.get("xla")
        if found is None:
            if obstacle(graph) is None:
                where = jax.local_devices(backend="cpu")[0]
                found = _on_host(Program(graph, where=where))
            else:
                found = numpy_executable(graph)
            graph.executables["xla"] = found
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
