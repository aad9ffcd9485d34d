"""Programs for several devices at once.

A graph whose arrays are sharded over a mesh is compiled once for all of its devices: XLA's
partitioner splits the ops, and adds the communication. A function of replicas inside it
(`REPLICAS`) determines itself what each device does.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from gradtape.backends.xla import kernels as xla
from gradtape.backends.xla.kernels.collectives import over_replicas
from gradtape.backends.xla.require import jax
from gradtape.backends.xla.runtime import graph_program as one_device
from gradtape.backends.xla.runtime.compilable import obstacle
from gradtape.backends.xla.runtime.device_step import DEVICE_XLA
from gradtape.backends.xla.runtime.memory import out_of_memory
from gradtape.backends.xla.runtime.mesh import guarded, is_on_mesh, local
from gradtape.backends.xla.runtime.tensor import DeviceTensor
from gradtape.backends.xla.runtime.transfer import spread
from gradtape.core.tensor import Spec, Tensor
from gradtape.engine.transaction import exclusively, read_all, run_over, write_all
from gradtape.graph.apply import WholeGraphBackend
from gradtape.graph.execute import compile_graph
from gradtape.graph.graph import Graph, constants_to_inputs
from gradtape.graph.passes import optimize_for_execution
from gradtape.graph.replicas import REPLICAS, meshes_in

logger = logging.getLogger("gradtape")
_Partition = jax.sharding.PartitionSpec


# --- kernels -------------------------------------------------------------------------------------


def _replicas(*arrays, body: Graph, split, stacked, mesh, count):
    run = one_device.flat_function(body)

    def one(*xs):
        outputs = run(*[x[0] if is_split else x for x, is_split in zip(xs, split, strict=True)])
        return tuple(
            jax.numpy.asarray(y)[None] if is_stacked else y
            for y, is_stacked in zip(outputs, stacked, strict=True)
        )

    return over_replicas(one, mesh, split, stacked)(*arrays)


one_device.GRAPH_KERNELS[REPLICAS] = _replicas


# --- programs ------------------------------------------------------------------------------------


class MeshProgram:
    """A graph compiled for a mesh.

    `kept` are the shardings that some outputs must have, by index: those of variables, which do not
    move. `donated` are inputs that may be overwritten.
    """

    def __init__(self, graph: Graph, kept: dict, donated: tuple[int, ...] = ()) -> None:
        meshes = meshes_in(graph)
        if len(meshes) > 1:
            raise ValueError(
                "A tf.function calls strategy.run of strategies with different devices. Call them "
                "in functions of their own."
            )
        reason = obstacle(graph, on_mesh=True)
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
        graph = optimize_for_execution(graph)
        large = [
            value
            for value in graph.constants()
            if value.constant is not None
            and (
                value.constant._data.nbytes > one_device._LARGE_CONSTANT
                or value.constant._is_on_device
            )
        ]
        self._held: list = [one_device._constant(v.constant) for v in large]  # pyright: ignore[reportArgumentType] (constants have values)
        graph = constants_to_inputs(graph, large) if large else graph
        self._size = len(graph.nodes)
        self._function = compile_graph(graph, one_device._kernel_of, None, one_device._constant)
        self.kept = kept
        self.donated = donated
        self._compiled: dict = {}
        self._shardings: list = []  # of the inputs
        self._replicated = None
        # The devices of a CPU share its threads: two concurrent programs can deadlock.
        self._waits = False

    @property
    def is_new(self) -> bool:
        """Return whether it was not yet compiled with donation."""
        return (xla.settings_key(), True) not in self._compiled

    @property
    def is_placed(self) -> bool:
        """Return whether the graph itself determines the mesh it runs on."""
        return self._mesh is not None or any(map(is_on_mesh, self._held))

    def can_run_over(self) -> bool:
        """Return whether a call takes over memory in one step, without Python in between."""
        return one_device.in_c(self._compiled.get((xla.settings_key(), True))) is not None

    def __call__(self, arrays: list, *, donates: bool = False, over: tuple = ()) -> Any:
        """Return the outputs. `over` is as for a program on one device, and requires `donates`."""
        run = self._compiled.get((xla.settings_key(), donates))
        if run is None:
            run = self._compile(arrays, donates)
        arrays[:] = [  # no other references may exist
            x
            if isinstance(x, jax.Array) and (x.sharding is wanted or x.sharding == wanted)
            else spread(x, wanted)
            for x, wanted in zip(arrays, self._shardings, strict=True)
        ]
        try:
            with guarded():
                if over:
                    outputs = run_over(one_device.in_c(run), arrays, self._held, *over)  # pyright: ignore[reportArgumentType] (there is a program in C wherever there is `over`)
                else:
                    outputs = run(*arrays, *self._held)
                if self._waits and outputs is not None:
                    jax.block_until_ready(outputs)
            return outputs
        except jax.errors.JaxRuntimeError as error:
            specs = [Spec(tuple(np.shape(x)), x.dtype) for x in arrays]
            raise out_of_memory("a compiled tf.function", specs, error) or error from None

    def _compile(self, arrays: list, donates: bool) -> Callable[..., tuple]:
        start = time.perf_counter()
        if self._replicated is None:
            self._choose_shardings(arrays)
        named = jax.sharding.NamedSharding
        outputs: list = [None] * len(self._is_stack)
        if meshes_with_processes(self._mesh) or "replica" in self._mesh.axis_names:
            outputs = [
                named(self._mesh, _Partition("replica")) if is_stack else self._replicated
                for is_stack in self._is_stack
            ]
        for index, sharding in self.kept.items():
            outputs[index] = sharding
        jitted = jax.jit(
            self._function,
            donate_argnums=self.donated if donates else (),
            in_shardings=(*self._shardings, *[self._replicated] * len(self._held)),
            out_shardings=tuple(outputs),
        )
        run = xla.exactly(self._lowered, jitted, (*arrays, *self._held))
        self._compiled[xla.settings_key(), donates] = run
        seconds = time.perf_counter() - start
        count = self._mesh.size
        one_device.COMPILED.append((f"a graph of {self._size} ops on {count} devices", seconds))
        logger.info("compiled %d ops for %d devices in %.2f s", self._size, count, seconds)
        return run

    @staticmethod
    def _lowered(jitted: Any, arrays: tuple) -> Any:
        specs = [jax.ShapeDtypeStruct(np.shape(x), x.dtype) for x in arrays]
        return jitted.lower(*specs).compile(xla.compiler_options())

    def _choose_shardings(self, arrays: list) -> None:
        """Choose the shardings of inputs: those on the mesh keep theirs, others are replicated."""
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
    """Return whether a mesh has devices of other processes."""
    return any(device.process_index != jax.process_index() for device in mesh.devices.flat)


class MeshXla(WholeGraphBackend):
    """Runs graphs as programs for tensors on several devices."""

    name = "xla mesh"

    def wrap(self, data) -> DeviceTensor:
        return DeviceTensor(local(data))

    def executable(self, graph: Graph) -> Callable[..., tuple]:
        return graph.executable(self.name, lambda: _executable(graph))

    def run(self, routine, tensors: list) -> list[Tensor]:
        """Call a routine that no listener observes: the variables' memory is donated."""
        program = routine.graph.executable("xla mesh donating", lambda: _donating(routine))
        if routine.written:
            outputs = exclusively(routine.written, _step, routine, program, tensors)
        else:
            outputs = program(_arguments(routine, tensors))
        return [self.wrap(data) for data in outputs[: routine.results]]


MESH_XLA = MeshXla()


def _arguments(routine, tensors: list) -> list:
    arrays = [x._data for x in tensors]
    arrays += read_all(routine.variables)
    return arrays + [make()._data for make in routine.feeds]


def _step(routine, program: MeshProgram, tensors: list) -> tuple:
    """Run a routine that assigns variables, assign them, and return its results."""
    written, count = routine.written, routine.results
    # References are counted before the list below adds its own.
    is_free = all(variable._is_unshared() for variable in written)
    arrays = _arguments(routine, tensors)
    stays = all(index in program.kept for index in range(count, count + len(written)))
    outputs = None
    if program.donated and stays and is_free:
        indices = {id(v): routine.arguments + i for i, v in enumerate(routine.variables)}
        given = [indices.get(id(v), -1) for v in written]
        given = tuple([index if index in program.donated else -1 for index in given])
        if program.can_run_over():
            outputs = program(arrays, donates=True, over=(given, written, count))
        elif program.is_new and all(arrays[i].is_fully_addressable for i in program.donated):
            # The first call may fail, and is partly in Python: it gets copies.
            for index in program.donated:
                arrays[index] = spread(arrays[index], arrays[index].sharding)
            outputs = program(arrays, donates=True)
            jax.block_until_ready(outputs)
            write_all(written, outputs, count)
    if outputs is None:
        outputs = program(arrays)
        new = [
            data if index in program.kept else variable._array_for(DeviceTensor(local(data)))
            for index, (variable, data) in enumerate(
                zip(written, outputs[count:], strict=True), count
            )
        ]
        write_all(written, new, 0)
    return outputs


def _executable(graph: Graph) -> Callable[..., tuple]:
    program = MeshProgram(graph, {})

    def call(*arrays):
        if program.is_placed or any(map(is_on_mesh, arrays)):
            return program(list(arrays))
        # Nothing determines the mesh: a tape has kept the first device's copy of each value.
        return DEVICE_XLA.executable(graph)(*arrays)

    return call


def _donating(routine) -> MeshProgram:
    """Return the program of a routine to which the variables that it assigns are donated."""
    indices = {id(v): routine.arguments + i for i, v in enumerate(routine.variables)}
    donated, kept = [], {}
    for index, variable in enumerate(routine.written, routine.results):
        value = routine.graph.outputs[index]
        if is_on_mesh(variable._data):
            kept[index] = variable._data.sharding
        given = indices.get(id(variable))
        if given is not None and value.spec == routine.graph.inputs[given].spec:
            donated.append(given)
    return MeshProgram(routine.graph, kept, tuple(donated))
