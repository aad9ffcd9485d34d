"""Graphs as programs for tensors on a device, where the memory of variables is written over."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from sys import getrefcount
from typing import Any

from gradtape.backends import xla
from gradtape.backends.xla.require import jax
from gradtape.core.placement import placed
from gradtape.core.state import lifted
from gradtape.core.tensor import Tensor
from gradtape.engine.device_memory import has_room, size_of
from gradtape.engine.device_tensor import DeviceTensor
from gradtape.engine.trace.graph import Graph
from gradtape.engine.trace.replay import replay
from gradtape.engine.trace.xla import Program, check, obstacle


class DeviceXla:
    """Programs for tensors on a device."""

    name = "xla device"
    wrap = DeviceTensor

    @staticmethod
    def executable(graph: Graph) -> Callable[..., tuple]:
        found = graph.executables.get("xla")
        if found is None:
            found = graph.executables["xla"] = _executable(graph)
        return found

    @staticmethod
    def run(routine, tensors: list) -> list:
        """A call that nobody listens to."""
        step = routine.graph.executables.get("xla step")
        if step is None:
            step = routine.graph.executables["xla step"] = Step(routine)
        return step(tensors)


def _executable(graph: Graph) -> Callable[..., tuple]:
    if obstacle(graph) is None:
        program = Program(graph)
        return lambda *arrays: program(list(arrays))

    def op_by_op(*arrays):
        tensors = [DeviceTensor(x) if isinstance(x, jax.Array) else Tensor(x) for x in arrays]
        with lifted():
            return tuple([placed(x)._data for x in replay(graph, tensors)])

    return op_by_op


class Step:
    """A routine as one program, which may write over the variables that it assigns to.

    JAX gives the memory of inputs to the outputs of the same form, in order: so the new values of
    variables stand first among the outputs, in the order in which the variables are inputs. In any
    other order each would get the memory of another one, and the program would copy them about.
    """

    def __init__(self, routine) -> None:
        graph, count = routine.graph, routine.results
        places = {id(v): routine.arguments + i for i, v in enumerate(routine.variables)}
        rewritten, others = [], []
        for variable, value in zip(routine.written, graph.outputs[count:], strict=True):
            place = places.get(id(variable))
            on_device = variable._tensor_class is DeviceTensor
            if place is not None and on_device and value.spec == graph.inputs[place].spec:
                rewritten.append((place, variable, value))
            else:
                others.append((variable, value))
        rewritten.sort(key=lambda each: each[0])
        self._rewritten = [variable for _, variable, _ in rewritten]
        self._homes = [variable._data.sharding for variable in self._rewritten]
        self._others = [variable for variable, _ in others]
        outputs = (*[v for *_, v in rewritten], *[v for _, v in others], *graph.outputs[:count])
        self._variables, self._feeds = routine.variables, routine.feeds
        on_device = [v for v in self._variables if v._tensor_class is DeviceTensor]
        self._program = Program(
            Graph(graph.inputs, graph.nodes, outputs),
            tuple([place for place, *_ in rewritten]),
            next(iter(on_device[0]._data.devices())) if on_device else None,
        )
        # The variables' arrays are JAX's; what feeds make is not.
        self._settled = not self._feeds and len(on_device) == len(self._variables)
        self._proven = False  # whether a call has succeeded

    def __call__(self, tensors: list) -> list:
        donated = self._program.donated
        held = []  # places of variables whose arrays are held by others, too
        for place, variable in zip(donated, self._rewritten):  # noqa: B905 (as long; this is hot)
            variable._snapshot = None
            # By the attribute, and by the argument of the call that counts.
            if getrefcount(variable._data) != 2:
                held.append(place)
        settled = self._settled
        arrays = []
        for x in tensors:
            settled = settled and type(x) is DeviceTensor
            arrays.append(x._data)
        arrays += [variable._data for variable in self._variables]
        if self._feeds:
            arrays += [make()._data for make in self._feeds]
        if donated and (held or not self._proven):
            found = self._with_copies(arrays, held)
        else:
            found = self._program(arrays, settled=settled)
        count = len(self._rewritten)
        if self._program.moves or self._others:
            self._store(found)
            count += len(self._others)
        else:
            for variable, data in zip(self._rewritten, found):  # noqa: B905 (shorter)
                variable._data = data
        return [DeviceTensor(data) for data in found[count:]]

    def _with_copies(self, arrays: list, held: list[int]) -> tuple:
        """A call that leaves arrays which somebody else holds as they are.

        In the first call, these are all: if it fails, the variables have their values still.
        """
        places: Sequence[int] = held
        if not self._proven:
            every = [arrays[place] for place in self._program.donated]
            if has_room(size_of(every), next(iter(every[0].devices()))):
                places = self._program.donated
        copies = _copied([arrays[place] for place in places])
        for place, copy in zip(places, copies, strict=True):
            arrays[place] = copy
        found = self._program(arrays)
        if not self._proven:
            check(found)
            self._proven = True
        return found

    def _store(self, found: tuple) -> None:
        """Give variables their values, each where it is."""
        count = len(self._rewritten)
        with xla.exact_types():
            for variable, data, home in zip(self._rewritten, found, self._homes, strict=False):
                variable._data = data if data.sharding == home else jax.device_put(data, home)
        for variable, data in zip(self._others, found[count:], strict=False):
            value: Any = DeviceTensor(data)
            on_device = variable._tensor_class is DeviceTensor
            variable._data = variable._stored(value if on_device else value.cpu())
            variable._snapshot = None


def _copied(arrays: list) -> list:
    with xla.exact_types():
        found = jax.device_put(arrays, [x.sharding for x in arrays], may_alias=False)
        # Older versions of JAX give the same memory all the same.
        return [
            jax.numpy.copy(x) if x.unsafe_buffer_pointer() == y.unsafe_buffer_pointer() else y
            for x, y in zip(arrays, found, strict=True)
        ]
