"""Which backend runs a traced function."""

from __future__ import annotations

import logging
import sys
from importlib.util import find_spec
from typing import Any

from gradtape.core.state import get_state
from gradtape.core.tensor import Tensor
from gradtape.engine import device as devices
from gradtape.engine.trace.apply import NumpyBackend
from gradtape.engine.trace.repetition import repetition
from gradtape.engine.trace.replicas import meshes_in
from gradtape.engine.trace.routine import Routine

logger = logging.getLogger("gradtape")
_told: set[str] = set()
# XLA takes 10 to 20 ms for an op of a small recurrence: from here on half a minute, ...
_LARGE_GRAPH = 1_500
# ... and from here on minutes, for a step that the host's kernels do as well.
_TOO_LARGE_GRAPH = 8_000


def choose_backend(name: str, routine: Routine, tensors: list, jit_compile: bool | None) -> None:
    """Decide where a routine runs: on a device, if one of its tensors is on one; else on the host,
    by XLA if the program asks for it and by NumPy's kernels otherwise."""
    on_device = _is_on_device(routine, tensors)
    if meshes_in(routine.graph) or (on_device and _is_spread(routine, tensors)):
        from gradtape.engine.trace.xla_mesh import MeshXla

        routine.backend = MeshXla
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
    from gradtape.engine.trace import xla

    reason = xla.obstacle(routine.graph)
    count = len(routine.graph.nodes)
    loop = repetition(routine.graph) if reason is None and count > _LARGE_GRAPH else None
    if loop is not None:
        advice = (
            f"{loop.line} is written out in it {loop.times} times. Write the loop with tf.scan, "
            "tf.foldl, tf.map_fn or tf.while_loop, which are one op each"
        )
        if count > _TOO_LARGE_GRAPH and not on_device:
            reason = f"XLA would take minutes for its {count} ops; {advice}"
        else:
            _tell_once(
                f"{name} is large",
                f"tf.function {name} is a graph of {count} ops, which XLA takes long to compile: "
                f"{advice}.",
            )
    if reason is None:
        if on_device:
            from gradtape.engine.trace.xla_device import DeviceXla

            routine.backend = DeviceXla
        else:
            routine.backend = xla.HostXla
        return
    way = "op by op" if on_device else "as a graph on NumPy"
    _tell_once(name, f"tf.function {name} is not compiled, and runs {way}: {reason}.")
    routine.backend = OpByOp if on_device else NumpyBackend


class OpByOp:
    """Graphs whose ops are bound one by one, each where its inputs are."""

    name = "op by op"

    @staticmethod
    def run(routine: Routine, tensors: list) -> list:
        return routine.seen(tensors)


def _is_on_device(routine: Routine, tensors: list) -> bool:
    if get_state().trace is not None:
        return False
    held: list[Any] = [value.constant for value in routine.graph.constants()]
    if not tensors and not routine.variables and devices.current() is not devices.HOST:
        return True  # what it makes from nothing goes where new tensors go
    return any(
        type(x) is not Tensor and x._interpreter.depth == 0 for x in (*tensors, *held)
    ) or any(v._tensor_class is not Tensor for v in (*routine.variables, *routine.written))


def _is_spread(routine: Routine, tensors: list) -> bool:
    """Whether something is on several devices."""
    if "gradtape.engine.mesh" not in sys.modules:
        return False
    from gradtape.engine.mesh import is_on_mesh

    held = [value.constant for value in routine.graph.constants() if value.constant is not None]
    return any(is_on_mesh(x._data) for x in (*tensors, *held, *routine.variables))


def _tell_once(key: str, text: str) -> None:
    if key not in _told:
        _told.add(key)
        logger.warning("%s", text)
