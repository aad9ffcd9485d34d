"""Graphs as programs for tensors on a device, which take over the memory of variables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from sys import getrefcount
from typing import Any

from gradtape.backends.xla.require import jax
from gradtape.backends.xla.runtime import transfer
from gradtape.backends.xla.runtime.compilable import obstacle
from gradtape.backends.xla.runtime.deferral import QUEUE
from gradtape.backends.xla.runtime.deferred_array import DeferredArray
from gradtape.backends.xla.runtime.device import HOST, Device, current
from gradtape.backends.xla.runtime.graph_program import Program, check
from gradtape.backends.xla.runtime.memory import has_room, size_of
from gradtape.backends.xla.runtime.parts import in_parts
from gradtape.backends.xla.runtime.tensor import DeviceTensor, device_of
from gradtape.backends.xla.runtime.variable import settle
from gradtape.core.tensor import Tensor
from gradtape.engine.transaction import exclusively, read_all, write_all
from gradtape.graph.apply import WholeGraphBackend
from gradtape.graph.execute import numpy_executable
from gradtape.graph.graph import Graph


class DeviceXla(WholeGraphBackend):
    """Runs graphs as programs for tensors on one device."""

    name = "xla device"

    def wrap(self, data: Any) -> Tensor:
        return DeviceTensor(data) if isinstance(data, (jax.Array, DeferredArray)) else Tensor(data)

    def executable(self, graph: Graph) -> Callable[..., tuple]:
        return graph.executable(self.name, lambda: _executable(graph))

    def run(self, routine, tensors: list) -> list[Tensor]:
        """Call a routine that no listener observes: the variables' memory is donated.

        Not where it is compiled in parts.
        """
        return routine.graph.executable("xla step", lambda: _step(routine))(tensors)


DEVICE_XLA = DeviceXla()


def _step(routine) -> Callable[[list], list]:
    return DeviceStep(routine) if obstacle(routine.graph) is None else routine.call_observed


def _executable(graph: Graph) -> Callable[..., tuple]:
    if obstacle(graph) is None:
        return _compiled(graph)
    run = in_parts(graph, _compiled, _on_host)

    def call(*payloads):
        arrays = transfer.arguments(payloads)
        where = next((device_of(x) for x in arrays if isinstance(x, jax.Array)), current())
        return tuple([_on_device(x, where) for x in run(*arrays)])

    return call


def _compiled(graph: Graph) -> Callable[..., tuple]:
    program = Program(graph)
    return lambda *arrays: program(list(arrays))


def _on_host(graph: Graph) -> Callable[..., tuple]:
    run = numpy_executable(graph)
    return lambda *arrays: run(
        *[transfer.shown(x) if isinstance(x, jax.Array) else x for x in arrays]
    )


def _on_device(data: Any, where: Device) -> Any:
    """Return a result on the device; what is no number stays on the host."""
    is_there = isinstance(data, (jax.Array, DeferredArray)) or where is HOST
    return data if is_there or data.dtype.hasobject else transfer.put(data, where)


class DeviceStep:
    """A routine as one program, to which the variables that it assigns may be donated.

    JAX gives the memory of inputs to the outputs of the same form, in order: so the new values of
    variables come first among the outputs, in the order in which the variables are inputs. In any
    other order each would get the memory of another one, and the program would have to copy them.
    """

    def __init__(self, routine) -> None:
        graph, count = routine.graph, routine.results
        indices = {id(v): routine.arguments + i for i, v in enumerate(routine.variables)}
        rewritten, others = [], []
        for variable, value in zip(routine.written, graph.outputs[count:], strict=True):
            index = indices.get(id(variable))
            on_device = variable._tensor_class is DeviceTensor
            if index is not None and on_device and value.spec == graph.inputs[index].spec:
                rewritten.append((index, variable, value))
            else:
                others.append((variable, value))
        rewritten.sort(key=lambda each: each[0])
        self._rewritten = tuple([variable for _, variable, _ in rewritten])
        self._homes = [variable._data.sharding for variable in self._rewritten]
        self._others = tuple([variable for variable, _ in others])
        self._written = (*self._rewritten, *self._others)
        outputs = (*[v for *_, v in rewritten], *[v for _, v in others], *graph.outputs[:count])
        self._variables, self._feeds = routine.variables, routine.feeds
        on_device = [v for v in self._variables if v._tensor_class is DeviceTensor]
        self._program = Program(
            Graph(graph.inputs, graph.nodes, outputs),
            tuple([index for index, *_ in rewritten]),
            next(iter(on_device[0]._data.devices())) if on_device else None,
        )
        # Variables hold JAX arrays; feeds (such as random states) do not.
        self._all_jax = not self._feeds and len(on_device) == len(self._variables)
        where = self._program.where
        # Whether all assigned values stay on the device of the program.
        self._is_direct = all(
            v._tensor_class is DeviceTensor and v._data.devices() == {where} for v in self._written
        )
        self._over = ((*self._program.donated, *[-1] * len(self._others)), self._written, 0)

    def __call__(self, tensors: list) -> list:
        QUEUE.run()  # what waits there has references to the variables' arrays
        if self._written:
            return exclusively(self._written, self._step, tensors)
        arrays, all_jax = self._arguments(tensors)
        return [DeviceTensor(data) for data in self._program(arrays, all_jax=all_jax)]

    def _arguments(self, tensors: list) -> tuple[list, bool]:
        all_jax = self._all_jax
        arrays = []
        for x in tensors:
            all_jax = all_jax and type(x) is DeviceTensor
            arrays.append(x._data)
        arrays += read_all(self._variables)
        if self._feeds:
            arrays += [make()._data for make in self._feeds]
        if DeferredArray in map(type, arrays):
            arrays = self._computed(arrays)
        if not all_jax:
            transfer.count_transfers(arrays)
        return arrays, all_jax

    def _computed(self, payloads: list) -> list:
        """Return arrays for payloads of which some are deferred."""
        arrays = transfer.arguments(payloads)
        for index in self._program.donated:
            # It was assigned since `settle`, by a signal handler: others may have the same payload.
            if type(payloads[index]) is DeferredArray:
                (arrays[index],) = transfer.copied([arrays[index]])
        return arrays

    def _step(self, tensors: list) -> list:
        settle(self._written)
        arrays, all_jax = self._arguments(tensors)
        program = self._program
        outputs = None
        is_proven = program.is_proven(all_jax)
        if program.donated and self._is_direct and not program.moves and is_proven:
            outputs = self._run_over(arrays, all_jax)
        if outputs is None:
            # The first call runs on copies: if it fails, the variables still have their values.
            if is_proven or self._has_room(arrays):
                self._copy(arrays, program.donated)
            outputs = program(arrays, all_jax=all_jax)
            if not is_proven:
                check(outputs)
                program.prove(all_jax)
            write_all(self._written, self._arrays_for_variables(outputs), 0)
        return [DeviceTensor(data) for data in outputs[len(self._written) :]]

    def _has_room(self, arrays: list) -> bool:
        """Return whether there is memory for copies of the donated arrays."""
        every = [arrays[index] for index in self._program.donated]
        return not every or has_room(size_of(every), next(iter(every[0].devices())))

    def _run_over(self, arrays: list, all_jax: bool) -> tuple | None:
        """Run with donation of the variables' memory; None if other references prevent it."""
        program = self._program
        for _ in range(_ATTEMPTS):
            shared = []  # indices of variables whose arrays have other references
            for index, variable in zip(program.donated, self._rewritten):  # noqa: B905 (hot)
                variable._snapshot = None
                # References: the attribute, the list, and the argument of getrefcount.
                if getrefcount(arrays[index]) != 3 and arrays[index] is variable._data:
                    shared.append(index)
            if shared:
                self._copy(arrays, shared)
            outputs = program(arrays, all_jax=all_jax, over=self._over)
            if outputs is not None:
                return outputs
        return None

    def _copy(self, arrays: list, indices: Sequence[int]) -> None:
        """Replace donated arrays that a variable holds by copies."""
        owners = dict(zip(self._program.donated, self._rewritten, strict=True))
        indices = [index for index in indices if arrays[index] is owners[index]._data]
        copies = transfer.copied([arrays[index] for index in indices])
        for index, copy in zip(indices, copies, strict=True):
            arrays[index] = copy

    def _arrays_for_variables(self, outputs: tuple) -> list:
        """Return the new values of the variables, each on its device."""
        arrays = []
        for data, home in zip(outputs, self._homes, strict=False):
            arrays.append(data if data.sharding == home else transfer.moved([data], home)[0])
        for variable, data in zip(self._others, outputs[len(arrays) :], strict=False):
            value: Any = DeviceTensor(data)
            on_device = variable._tensor_class is DeviceTensor
            arrays.append(variable._array_for(value if on_device else value.cpu()))
        return arrays


# Attempts at donation while other threads read the variables, before the program gets copies.
_ATTEMPTS = 3
