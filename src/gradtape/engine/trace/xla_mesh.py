"""Programs for several devices at once.

A graph whose arrays are spread over a mesh is compiled once for all of its devices: XLA's
partitioner splits the ops, and adds what has to be exchanged. A function of replicas inside it
(`REPLICAS`) says by itself what each device does.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from gradtape.backends import xla
from gradtape.backends.xla.collectives import over_replicas
from gradtape.backends.xla.require import jax
from gradtape.core.state import lifted
from gradtape.core.tensor import Spec, Tensor
from gradtape.engine.device_tensor import DeviceTensor, out_of_memory
from gradtape.engine.mesh import guarded, is_on_mesh, local, spread
from gradtape.engine.trace import xla as one_device
from gradtape.engine.trace.effects import EFFECT
from gradtape.engine.trace.execute import compiled
from gradtape.engine.trace.graph import Graph, with_inputs_for
from gradtape.engine.trace.passes import for_execution
from gradtape.engine.trace.replicas import REPLICAS, meshes_in

logger = logging.getLogger("gradtape")
_Partition = jax.sharding.PartitionSpec


# --- kernels -------------------------------------------------------------------------------------


def _replicas(*arrays, body: Graph, split, stacked, mesh, count):
    run = one_device._function(body)

    def one(*xs):
        found = run(*[x[0] if is_split else x for x, is_split in zip(xs, split, strict=True)])
        return tuple(
            jax.numpy.asarray(y)[None] if is_stacked else y
            for y, is_stacked in zip(found, stacked, strict=True)
        )

    return over_replicas(one, mesh, split, stacked)(*arrays)


def _effect(*arrays, do) -> tuple:
    """What a function does besides computing, by each device for itself."""

    def call(*values):
        with lifted():
            do(*[Tensor(np.asarray(value)[()]) for value in values])

    jax.debug.callback(call, *arrays)
    return ()


one_device.GRAPH_KERNELS.update({REPLICAS: _replicas, EFFECT: _effect})


# --- programs ------------------------------------------------------------------------------------


class MeshProgram:
    """A graph compiled for a mesh.

    `kept` are the shardings that some outputs must have, by place: those of variables, which stay
    where they are. `donated` are inputs that may be written over.
    """

    def __init__(self, graph: Graph, kept: dict, donated: tuple[int, ...] = ()) -> None:
        meshes = meshes_in(graph)
        if len(meshes) > 1:
            raise ValueError(
                "A tf.function calls strategy.run of strategies with different devices. Call them "
                "in functions of their own."
            )
        reason = one_device.obstacle(graph, effects=True)
        if reason is not None:
            raise NotImplementedError(
                f"A function on several devices runs as one compiled program, and this one cannot: "
                f"{reason}."
            )
        self._mesh: Any = next(iter(meshes), None)
        stacks = {
            id(value)
            for node in graph.nodes
            if node.prim is REPLICAS
            for value, is_stacked in zip(node.outputs, node.params["stacked"], strict=True)
            if is_stacked
        }
        self._is_stack = [id(value) in stacks for value in graph.outputs]
        graph = for_execution(graph)
        large = [
            value
            for value in graph.constants()
            if value.constant is not None
            and (value.constant._data.nbytes > one_device._LARGE_CONSTANT
                 or isinstance(value.constant._data, jax.Array))
        ]  # fmt: skip
        self._held: list = [one_device._constant(v.constant) for v in large]  # type: ignore[arg-type]
        graph = with_inputs_for(graph, large) if large else graph
        self._size = len(graph.nodes)
        self._function = compiled(graph, one_device._kernel_of, None, one_device._constant)
        self.kept = kept
        self.donated = donated
        self._compiled: dict = {}
        self._shardings: list = []  # of the inputs
        self._replicated = None
        # The devices of a CPU share its threads: two programs at once can block each other.
        self._waits = False

    def __call__(self, arrays: list, *, donates: bool = False) -> tuple:
        run = self._compiled.get((xla.settings_key(), donates))
        if run is None:
            run = self._compile(arrays, donates)
        given = [
            x
            if isinstance(x, jax.Array) and (x.sharding is wanted or x.sharding == wanted)
            else spread(x, wanted)
            for x, wanted in zip(arrays, self._shardings, strict=True)
        ]
        try:
            with guarded():
                found = run(*given, *self._held)
                if self._waits:
                    jax.block_until_ready(found)
            return found
        except jax.errors.JaxRuntimeError as error:
            specs = [Spec(tuple(np.shape(x)), x.dtype) for x in arrays]
            raise out_of_memory("a compiled tf.function", specs, error) or error from None

    def _compile(self, arrays: list, donates: bool) -> Callable[..., tuple]:
        start = time.perf_counter()
        if self._replicated is None:
            self._settle(arrays)
        named = jax.sharding.NamedSharding
        outputs: list = [None] * len(self._is_stack)
        if meshes_with_processes(self._mesh) or "replica" in self._mesh.axis_names:
            outputs = [
                named(self._mesh, _Partition("replica")) if is_stack else self._replicated
                for is_stack in self._is_stack
            ]
        for place, sharding in self.kept.items():
            outputs[place] = sharding
        with xla.exact_types():
            jitted = jax.jit(
                self._function,
                donate_argnums=self.donated if donates else (),
                in_shardings=(*self._shardings, *[self._replicated] * len(self._held)),
                out_shardings=tuple(outputs),
            )
            specs = [jax.ShapeDtypeStruct(np.shape(x), x.dtype) for x in (*arrays, *self._held)]
            run = jitted.lower(*specs).compile(xla.compiler_options())
        self._compiled[xla.settings_key(), donates] = run
        seconds = time.perf_counter() - start
        count = self._mesh.size
        one_device.COMPILED.append((f"a graph of {self._size} ops on {count} devices", seconds))
        logger.info("compiled %d ops for %d devices in %.2f s", self._size, count, seconds)
        return run

    def _settle(self, arrays: list) -> None:
        """Decide where the inputs are: those on the mesh stay, others go to all of its devices."""
        if self._mesh is None:
            self._mesh = next(x.sharding.mesh for x in (*arrays, *self._held) if is_on_mesh(x))
        devices = set(self._mesh.devices.flat)
        self._waits = self._mesh.devices.flat[0].platform == "cpu"
        self._replicated = jax.sharding.NamedSharding(self._mesh, _Partition())
        self._shardings = [
            x.sharding if is_on_mesh(x) and x.sharding.device_set == devices else self._replicated
            for x in arrays
        ]
        self._held = [spread(x, self._replicated) for x in self._held]


def meshes_with_processes(mesh) -> bool:
    """Whether a mesh has devices of other processes."""
    return any(device.process_index != jax.process_index() for device in mesh.devices.flat)


class MeshXla:
    """Programs for tensors on several devices."""

    name = "xla mesh"

    @staticmethod
    def wrap(array) -> DeviceTensor:
        return DeviceTensor(local(array))

    @staticmethod
    def executable(graph: Graph) -> Callable[..., tuple]:
        found = graph.executables.get("xla mesh")
        if found is None:
            program = MeshProgram(graph, {})
            found = graph.executables["xla mesh"] = lambda *arrays: program(list(arrays))
        return found

    @staticmethod
    def run(routine, tensors: list) -> list:
        """A call that nobody listens to: the memory of variables is written over."""
        program = routine.graph.executables.get("xla mesh donating")
        if program is None:
            program = routine.graph.executables["xla mesh donating"] = _donating(routine)
        written = routine.written
        donates = bool(program.donated) and all(variable._is_held_once() for variable in written)
        arrays = [x._data for x in tensors]
        arrays += [variable._data for variable in routine.variables]
        arrays += [make()._data for make in routine.feeds]
        found = program(arrays, donates=donates)
        count = routine.results
        for place, (variable, data) in enumerate(zip(written, found[count:], strict=True), count):
            variable._data = (
                data if place in program.kept else variable._stored(DeviceTensor(local(data)))
            )
            variable._snapshot = None
        return [MeshXla.wrap(data) for data in found[:count]]


def _donating(routine) -> MeshProgram:
    """The program of a routine that may write over the variables that it assigns to."""
    places = {id(v): routine.arguments + i for i, v in enumerate(routine.variables)}
    donated, kept = [], {}
    for place, variable in enumerate(routine.written, routine.results):
        value = routine.graph.outputs[place]
        if is_on_mesh(variable._data):
            kept[place] = variable._data.sharding
        given = places.get(id(variable))
        if given is not None and value.spec == routine.graph.inputs[given].spec:
            donated.append(given)
    return MeshProgram(routine.graph, kept, tuple(donated))
