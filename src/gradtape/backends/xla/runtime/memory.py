"""The memory of devices: checked before large allocations, and explained when there is none.

When memory is exhausted, XLA's allocator waits ten seconds, and the error is raised where the value
is first used, perhaps in a later op. So gradtape checks before: that takes a microsecond, and the
error comes from the op that causes it.
"""

from __future__ import annotations

import gc
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from gradtape.backends.xla.require import jax
from gradtape.core.brief import in_bytes
from gradtape.core.dtypes import from_numpy
from gradtape.core.errors import InternalError, OpError, ResourceExhaustedError
from gradtape.core.tensor import Spec
from gradtape.graph.graph import Graph

LARGE = 2**26  # bytes; smaller allocations are not checked
PINNED = "pinned_host"  # JAX's name of memory of the host that devices write to
_FEW = 2**12  # bytes of a value that programs copy to the host
_SLOW_TO_READ = {"gpu"}  # platforms
_SHOWN = 5  # how many of the largest tensors an error names


def make_room(
    op: str, size: int, where: Any, specs: Sequence[Spec], graph: Graph | None = None
) -> None:
    """Raise an error unless one of JAX's devices has this many bytes left, for `graph` or an op."""
    if has_room(size, where):
        return
    gc.collect()  # free what only reference cycles hold (tapes, exceptions)
    _wait_for(where)
    if not has_room(size, where):
        wanted = f" It needs {in_bytes(size)}, of {in_bytes(_limit(where))}."
        raise _exhausted(op, specs, where, wanted, graph, size)


def has_room(size: int, where: Any) -> bool:
    """Return whether one of JAX's devices has this many bytes left."""
    statistics = where.memory_stats()  # None for the host's CPU
    if not statistics or "bytes_limit" not in statistics:
        return True
    return statistics["bytes_in_use"] + size <= statistics["bytes_limit"]


def is_read_by_program(size: int, sharding: Any) -> bool:
    """Return whether a program is to copy this many bytes to the host, rather than a transfer."""
    if size > _FEW or type(sharding) is not jax.sharding.SingleDeviceSharding:
        return False
    (where,) = sharding.device_set
    return where.platform in _SLOW_TO_READ and sharding.memory_kind != PINNED


def _limit(where) -> int:
    return where.memory_stats()["bytes_limit"]


def _wait_for(where) -> None:
    """Wait until a device has run everything enqueued: programs run one after another."""
    jax.block_until_ready(jax.device_put(np.zeros(1, np.float32), where) + 1)


def out_of_memory(
    op: str, specs: Sequence[Spec], error: Exception, graph: Graph | None = None
) -> OpError | None:
    """Return the error for a device without memory left; None if `error` is another one."""
    if "RESOURCE_EXHAUSTED" not in str(error):
        return None
    return _exhausted(op, specs, graph=graph)


def unreadable(array, error: Exception) -> Exception:
    """Return the error for a value that a device could not compute, or that was overwritten."""
    spec = Spec(tuple(array.shape), array.dtype)
    if array.is_deleted():
        return InternalError(
            f"The value {spec!r} is gone: a compiled function that failed had taken its memory for "
            "the variable's next value. Assign a value to the variable, or restore a checkpoint."
        )
    return out_of_memory("an op before this one", [spec], error) or error


def _exhausted(
    op: str,
    specs: Sequence[Spec],
    where=None,
    wanted: str = "",
    graph: Graph | None = None,
    missing: int = 0,
) -> OpError:
    from gradtape.explain.memory import words_of_graph, words_of_tapes

    alive = [x for x in _live_arrays() if where is None or where in x.devices()]
    alive.sort(key=lambda x: x.nbytes, reverse=True)
    largest = "; ".join(
        f"{from_numpy(x.dtype).name}{list(x.shape)}, {in_bytes(x.nbytes)}" for x in alive[:_SHOWN]
    )
    total = sum(x.nbytes for x in alive)
    return ResourceExhaustedError(
        f"{op}: the device is out of memory with {', '.join(map(repr, specs[:_SHOWN]))}"
        f"{' …' if len(specs) > _SHOWN else ''}.{wanted} "
        f"{len(alive)} tensors are on devices, {in_bytes(total)} in all; the largest: {largest}."
        f"{words_of_tapes(missing)}{'' if graph is None else words_of_graph(graph)} "
        "Let go of some, or take smaller batches. The program can go on. "
        f"[Op:{op}]"
    )


def _live_arrays() -> list:
    """Return all arrays with a value on devices of this process."""
    arrays = []
    for platform in {device.platform for device in _devices()}:
        arrays += [x for x in jax.live_arrays(platform) if not x.is_deleted() and _is_made(x)]
    return arrays


def _devices() -> list:
    devices = list(jax.local_devices())
    if all(device.platform != "cpu" for device in devices):
        devices += jax.local_devices(backend="cpu")
    return devices


def _is_made(array) -> bool:
    """Return whether a value was computed: one that ran out of memory occupies none."""
    try:
        array.block_until_ready()
    except RuntimeError:
        return False
    return True


def size_of(arrays: Sequence[Any]) -> int:
    """Return the number of bytes of arrays (or of tracers)."""
    return sum(math.prod(x.shape) * x.dtype.itemsize for x in arrays)
