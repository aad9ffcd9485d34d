"""Graphs as XLA programs: the flat function of a graph, with XLA's kernels, under `jax.jit`.

On the host (`jit_compile=True`), arrays go in and out as NumPy's; a result of a program is kept
along with its NumPy view, so that the next call needs no copy. On a device, arrays stay there:
see `device_step`.
"""

from __future__ import annotations

import contextvars
import functools
import logging
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from gradtape.backends.xla import kernels as xla
from gradtape.backends.xla.kernels.attention import fused_attention, fused_attention_vjp
from gradtape.backends.xla.require import in_thread, jax
from gradtape.backends.xla.runtime import callbacks, transfer
from gradtape.backends.xla.runtime import device as devices
from gradtape.backends.xla.runtime.compilable import obstacle
from gradtape.backends.xla.runtime.memory import LARGE, make_room, out_of_memory
from gradtape.backends.xla.runtime.parts import in_parts
from gradtape.core.primitive import Primitive
from gradtape.core.tensor import Spec, Tensor
from gradtape.engine.transaction import run_over
from gradtape.graph.apply import WholeGraphBackend
from gradtape.graph.control.branch import BRANCH
from gradtape.graph.control.loop import LOOP, LOOP_VJP
from gradtape.graph.control.loop_backward import backward_step
from gradtape.graph.control.scan import SCAN
from gradtape.graph.execute import compile_graph, numpy_executable
from gradtape.graph.graph import Graph, constants_to_inputs
from gradtape.graph.passes import optimize_for_execution
from gradtape.graph.passes.alignment import align_products
from gradtape.graph.passes.attention import FUSED_ATTENTION, FUSED_ATTENTION_VJP, fuse_attention
from gradtape.graph.passes.joining import join_once
from gradtape.graph.passes.rolling import roll_large

logger = logging.getLogger("gradtape")
# (what, seconds) of every program compiled, for `gradtape doctor` and curious users.
COMPILED: list[tuple[str, float]] = []
_LARGE_CONSTANT = 4096  # bytes; larger ones are inputs, not part of the program


# --- kernels --------------------------------------------------------------------------------------

# Kernels of ops that are in graphs only; other modules add theirs.
GRAPH_KERNELS: dict[Primitive, Callable] = {
    FUSED_ATTENTION: fused_attention,
    FUSED_ATTENTION_VJP: fused_attention_vjp,
    **callbacks.KERNELS,
}


def _kernel_of(prim: Primitive) -> Callable:
    if prim in GRAPH_KERNELS:
        return GRAPH_KERNELS[prim]
    if prim is BRANCH:
        return _branch
    if prim is LOOP:
        return _loop
    if prim is LOOP_VJP:
        return _loop_vjp
    if prim is SCAN:
        return _scan
    return xla.kernel(prim.name)


def flat_function(graph: Graph) -> Callable[..., tuple]:
    """Return the flat function of a graph inside a program."""
    return graph.executable(
        "xla inside",
        lambda: compile_graph(optimize_for_execution(graph), _kernel_of, None, _constant),
    )


def _constant(tensor: Tensor):
    data = transfer.argument(tensor._data)
    return data if isinstance(data, jax.Array) else np.asarray(data)


def _branch(index, *operands, graphs):
    count = len(graphs)
    index = jax.numpy.where((index >= 0) & (index < count), index, count - 1)
    branches = [flat_function(graph) for graph in graphs]
    calls = callbacks.calls_in(*graphs)
    if calls is None:
        return jax.lax.switch(index, branches, *operands)
    carrying = [calls.carrying(branch) for branch in branches]
    return calls.given(jax.lax.switch(index, carrying, calls.token(), *operands))


def _loop(*arrays, condition, body, count, limit, keeps=False):
    test, step = flat_function(condition), flat_function(body)
    rest = arrays[count:]
    state = tuple([jax.numpy.asarray(x) for x in arrays[:count]])
    calls = callbacks.calls_in(body)
    if calls is None:
        return _while(test, step, state, rest, limit, keeps)

    def goes_on(token, *arrays):
        return test(*arrays)

    state = (calls.token(), *state)
    return calls.given(_while(goes_on, calls.carrying(step), state, rest, limit, keeps))


def _while(goes_on, step, state: tuple, rest: tuple, limit, keeps: bool):
    if keeps:
        return _loop_with_history(goes_on, step, state, rest, limit)
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


def _loop_with_history(goes_on, step, state: tuple, rest: tuple, limit: int):
    """Run a loop that keeps what its body gives besides the next state, in arrays of `limit` rows.

    The history is the number of iterations and these arrays.
    """
    count = len(state)
    kept = jax.eval_shape(lambda *xs: step(*xs, *rest)[count:], *state)
    rows = jax.tree.map(lambda y: jax.numpy.zeros((limit, *y.shape), y.dtype), kept)

    def one(carry):
        i, state, rows = carry
        outputs = step(*state, *rest)
        rows = jax.tree.map(lambda table, y: table.at[i].set(y), rows, outputs[count:])
        return i + 1, outputs[:count], rows

    iterations, state, rows = jax.lax.while_loop(
        lambda carry: (carry[0] < limit) & goes_on(*carry[1], *rest)[0], one, (0, state, rows)
    )
    return (*state, (iterations, rows))


def _loop_vjp(*arrays, condition, body, count, limit, which, rows):
    size = len(body.inputs)
    rest, (iterations, kept), cotangents = arrays[count:size], arrays[size], arrays[size + 1 :]
    rule, step = backward_step(body, count, which, rows)
    back, stack = flat_function(step), () if rows is None else (rows,)
    sums = [jax.numpy.zeros((*stack, *arrays[i].shape), arrays[i].dtype) for i in rule.needed]
    gradients = (*[jax.numpy.asarray(cotangents[i]) for i in rule.varying], *sums)

    def one(carry):
        i, gradients = carry
        return i - 1, back(*jax.tree.map(lambda table: table[i], kept), *rest, *gradients)

    _, gradients = jax.lax.while_loop(lambda carry: carry[0] >= 0, one, (iterations - 1, gradients))
    by_index = dict(zip((*rule.varying, *rule.needed), gradients, strict=True))
    return tuple([by_index[i] for i in range(size) if which[i]])


def _scan(*arrays, body, carry, rows, length, reverse, keeps):
    step = flat_function(body)
    constants = arrays[carry + rows :]

    def one(state, given):
        outputs = step(*state, *given, *constants)
        before = state if keeps else ()
        return outputs[:carry], (*outputs[carry:], *before)

    state = tuple([jax.numpy.asarray(x) for x in arrays[:carry]])
    given = tuple(arrays[carry : carry + rows])
    state, made = jax.lax.scan(one, state, given, length, reverse)
    return (*state, *made)


# --- running -------------------------------------------------------------------------------------


class _Ready(NamedTuple):
    """A compiled program: its function, constants, device, and the memory it needs."""

    call: Callable[..., tuple]
    constants: list
    where: Any
    takes: int
    proven: set  # `all_jax` of the calls that have succeeded
    calls: callbacks.Calls  # of Python functions


_IN_C = type(jax.jit(lambda: ()))


def in_c(call: Any) -> Callable[..., tuple] | None:
    """Return one of JAX's compiled programs, called before, as a function without Python in it.

    None if JAX has none: for programs with callbacks to Python, which might see donated arrays.
    """
    inner = getattr(call, "_call", None)
    return inner if isinstance(inner, _IN_C) else None


class Program:
    """A compiled graph. Inputs in `donated` may be overwritten by its outputs.

    It runs on `where`, one of JAX's devices, or else on the device of its arrays.
    """

    def __init__(self, graph: Graph, donated: tuple[int, ...] = (), where: Any = None) -> None:
        self._graph = graph
        self.where = where
        self._ready: dict[tuple, _Ready] = {}  # by settings
        self.donated = donated
        self.moves = False  # whether its arrays have been on several devices

    def is_proven(self, all_jax: bool) -> bool:
        """Return whether such a call has succeeded before, which donation requires.

        JAX's dispatch is in C from the second call on, for each setting of 64-bit types.
        """
        ready = self._ready.get(xla.settings_key())
        return ready is not None and all_jax in ready.proven

    def prove(self, all_jax: bool) -> None:
        """Record that such a call has succeeded."""
        ready = self._ready.get(xla.settings_key())
        if ready is not None:
            ready.proven.add(all_jax)

    def __call__(self, arrays: list, *, all_jax: bool = False, over: tuple = ()) -> Any:
        """Return the outputs. `all_jax`: all arrays are JAX's, so that `exactly` is not needed.

        `over`: the variables that the program overwrites, their indices and the index of the first
        one's new value, as for `run_over`. Then None means that it could not, and has done nothing.
        """
        ready = self._ready.get(xla.settings_key())
        if not all_jax:
            arrays[:] = transfer.arguments(arrays)  # no other references may exist
        try:
            if ready is None:
                arrays = self._together(arrays)
                ready = self._compiled(arrays)
            if ready.takes >= LARGE:
                make_room(NAME, ready.takes, ready.where, _specs(arrays), self._graph)
            if all_jax:  # `exactly` would cost as much as the rest of this
                return self._run(ready, arrays, over)
            return xla.exactly(self._run, ready, arrays, over)
        except jax.errors.JaxRuntimeError as error:
            raised = None if ready is None else ready.calls.raised()
            full = out_of_memory(NAME, _specs(arrays), error, self._graph)
            raise raised or full or error from None
        except ValueError:
            together = self._together(arrays)
            if ready is None or (together is arrays and self._device_of(arrays) == ready.where):
                raise
            self._ready.clear()
            if over:
                return None
            return self(together)

    @staticmethod
    def _run(ready: _Ready, arrays: list, over: tuple) -> tuple | None:
        if not over:
            outputs = ready.call(*arrays, *ready.constants)
            return outputs if ready.calls.is_empty else ready.calls.finish(outputs)
        call = in_c(ready.call) if ready.calls.is_empty else None
        return None if call is None else run_over(call, arrays, ready.constants, *over)

    def _device_of(self, arrays: list) -> Any:
        """Return the device to run on: `where`, that of the first JAX array, or the current one."""
        if self.where is not None:
            return self.where
        array = next((x for x in arrays if isinstance(x, jax.Array)), None)
        if array is None:
            constants = [value.constant for value in self._graph.constants()]
            array = next((x._data for x in constants if x is not None and x._is_on_device), None)
        if array is not None:
            return next(iter(array.devices()))
        current = devices.current()
        return jax.local_devices()[0] if current is devices.HOST else current.in_jax

    def _together(self, arrays: list) -> list:
        """Move the arrays to one device (or leave them on the host)."""
        device = self._device_of(arrays)
        if all(not isinstance(x, jax.Array) or x.devices() == {device} for x in arrays):
            return arrays
        self.moves = True
        return transfer.moved(arrays, device)

    def _compiled(self, arrays: list) -> _Ready:
        start = time.perf_counter()
        where = self._device_of(arrays)
        plain = graph = roll_large(self._graph)
        if where.platform == "gpu":
            fused = plain if xla.settings.deterministic else fuse_attention(plain)
            graph = join_once(align_products(fused))
        # In another thread, as single ops: some of JAX swallows interrupts.
        held = (xla.exactly, xla.holding, jax.default_device, where, self._compile)
        compile_on = functools.partial(in_thread, contextvars.copy_context().run, *held)
        try:
            ready = compile_on(graph, arrays, where)
        except jax.errors.JaxRuntimeError:
            if graph is plain:
                raise
            # A kernel that this machine's libraries do not have after all.
            ready = compile_on(plain, arrays, where)
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
        constants = transfer.put_all([v.constant._data for v in large], where)  # pyright: ignore[reportOptionalMemberAccess] (constants have values)
        graph = constants_to_inputs(graph, large) if large else graph
        calls = callbacks.Calls()
        function = calls.program(compile_graph(graph, _kernel_of, None, _constant))
        jitted = jax.jit(function, donate_argnums=self.donated)
        call = jitted.lower(*arrays, *constants).compile(xla.compiler_options())
        return _Ready(call, constants, where, _memory(call), set(), calls)


NAME = "a compiled tf.function"


def check(arrays: tuple) -> None:
    """Wait for the results of a program, and raise its error if it failed."""
    try:
        jax.block_until_ready(arrays)
    except jax.errors.JaxRuntimeError as error:
        raise out_of_memory(NAME, _specs(list(arrays)), error) or error from None


def _specs(arrays: list) -> list[Spec]:
    return [Spec(tuple(np.shape(x)), x.dtype) for x in arrays]


def _memory(call) -> int:
    """Return how much memory a program needs besides that of its inputs."""
    stats = call.memory_analysis()
    if stats is None:  # not every platform reports it
        return 0
    made = stats.output_size_in_bytes - stats.alias_size_in_bytes
    return made + stats.temp_size_in_bytes


class HostXla(WholeGraphBackend):
    """Runs graphs as programs for tensors on the host."""

    name = "xla"

    def wrap(self, data: Any) -> Tensor:
        return Tensor(data)

    def executable(self, graph: Graph) -> Callable[..., tuple]:
        return graph.executable(self.name, lambda: _executable(graph))

    def run(self, routine, tensors: list) -> list[Tensor]:
        """Call a routine for the first time; from then on it calls the executable itself."""
        routine.use(self.executable(routine.graph))
        return routine(tensors)


HOST_XLA = HostXla()


def _executable(graph: Graph) -> Callable[..., tuple]:
    if obstacle(graph) is None:
        return _on_host(graph)
    return in_parts(graph, _on_host, numpy_executable)


def _on_host(graph: Graph) -> Callable[..., tuple]:
    program = Program(graph, where=jax.local_devices(backend="cpu")[0])
    twins: dict[int, tuple] = {}  # id of a returned NumPy view -> (the view, its JAX array)

    def call(*arrays):
        given = []
        for array in arrays:
            twin = twins.get(id(array))
            given.append(twin[1] if twin is not None and twin[0] is array else array)
        outputs = program(given)
        views = tuple([transfer.shown(y) for y in outputs])
        twins.clear()
        for view, y in zip(views, outputs, strict=True):
            if type(view) is np.ndarray:
                twins[id(view)] = (view, y)
        return views

    return call
