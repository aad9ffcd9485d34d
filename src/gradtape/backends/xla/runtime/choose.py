"""The choice of the backend that runs a traced function."""

from __future__ import annotations

import logging
import sys
from importlib.util import find_spec
from typing import Any

from gradtape.backends.xla.runtime import device as devices
from gradtape.core.state import get_state
from gradtape.core.tensor import Tensor
from gradtape.graph.apply import NUMPY
from gradtape.graph.control.repetition import find_repetition
from gradtape.graph.graph import Graph
from gradtape.graph.passes import rolling
from gradtape.graph.replay import replay
from gradtape.graph.replicas import meshes_in
from gradtape.graph.routine import Routine

logger = logging.getLogger("gradtape")
_warned: set[str] = set()
# XLA takes minutes for as many ops, for a step that the host's kernels do as well.
_TOO_LARGE_GRAPH = 8_000


def choose_backend(name: str, routine: Routine, tensors: list, jit_compile: bool | None) -> None:
    """Choose the backend of a routine.

    That is a device, if one of its tensors is on one; else the host, with XLA if the program asks
    for it and with NumPy's kernels otherwise.
    """
    on_device = _is_on_device(routine, tensors)
    if meshes_in(routine.graph) or (on_device and _is_spread(routine, tensors)):
        from gradtape.backends.xla.runtime.mesh_step import MESH_XLA

        routine.backend = MESH_XLA
        return
    if not on_device and not jit_compile:
        return
    if find_spec("jax") is None:
        _tell_once(
            "jax",
            "tf.function(jit_compile=True): JAX is not installed, so that functions run as graphs "
            'on NumPy. To compile them: pip install "gradtape[xla]".',
        )
        return
    from gradtape.backends.xla.runtime.compilable import node_obstacle, obstacle
    from gradtape.backends.xla.runtime.counted import can_count

    graph = routine.graph
    reason = obstacle(graph)
    if reason is not None and can_count(graph):
        reason = None
    count = len(graph.nodes)
    if count > rolling.LARGE:  # what XLA gets has loops in place of what repeats
        count = len(rolling.roll_large(graph).nodes)
    is_partly = reason is not None and any(node_obstacle(node) is None for node in graph.nodes)
    loop = find_repetition(graph) if count > rolling.LARGE else None
    if loop is not None and (reason is None or is_partly):
        advice = (
            f"{loop.line} is written out in it {loop.times} times. Write the loop with tf.scan, "
            "tf.foldl, tf.map_fn or tf.while_loop, which are one op each"
        )
        if count > _TOO_LARGE_GRAPH and not on_device:
            reason, is_partly = f"XLA would take minutes for its {count} ops; {advice}", False
        else:
            _tell_once(
                f"{name} is large",
                f"tf.function {name} is a graph of {count} ops, which XLA takes long to compile: "
                f"{advice}.",
            )
    if reason is None or is_partly:
        if is_partly:
            _tell_once(
                f"{name} in parts",
                f"tf.function {name} is compiled in parts, between which the host works: {reason}.",
            )
        from gradtape.backends.xla.runtime.device_step import DEVICE_XLA
        from gradtape.backends.xla.runtime.graph_program import HOST_XLA

        routine.backend = DEVICE_XLA if on_device else HOST_XLA
        return
    way = "op by op" if on_device else "as a graph on NumPy"
    _tell_once(name, f"tf.function {name} is not compiled, and runs {way}: {reason}.")
    routine.backend = OP_BY_OP if on_device else NUMPY


class OpByOp:
    """Binds the ops of a graph one by one, each on the device of its inputs."""

    name = "op by op"

    def run(self, routine: Routine, tensors: list) -> list[Tensor]:
        return routine.call_observed(tensors)

    def apply(self, graph: Graph, tensors: list) -> list[Tensor]:
        return replay(graph, tensors)


OP_BY_OP = OpByOp()


def _is_on_device(routine: Routine, tensors: list) -> bool:
    if get_state().trace is not None:
        return False
    constants: list[Any] = [value.constant for value in routine.graph.constants()]
    if not tensors and not routine.variables and devices.current() is not devices.HOST:
        return True  # new tensors are created on the current device
    return any(x._is_on_device for x in (*tensors, *constants)) or any(
        v._tensor_class is not Tensor for v in (*routine.variables, *routine.written)
    )


def _is_spread(routine: Routine, tensors: list) -> bool:
    """Return whether an input, constant or variable is on several devices."""
    if "gradtape.backends.xla.runtime.mesh" not in sys.modules:
        return False
    from gradtape.backends.xla.runtime.mesh import is_on_mesh

    constants = [v.constant for v in routine.graph.constants() if v.constant is not None]
    return any(is_on_mesh(x._data) for x in (*tensors, *constants, *routine.variables))


def _tell_once(key: str, text: str) -> None:
    if key not in _warned:
        _warned.add(key)
        logger.warning("%s", text)
