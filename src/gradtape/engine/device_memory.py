"""The memory of devices: asked for before something large is made, explained where there is none.

Where no memory is left, XLA's allocator waits ten seconds for some, and the error comes up where
the value is first asked for, in a later op perhaps. So gradtape looks before: that takes a
microsecond, and leaves the error with the op that it belongs to.
"""

from __future__ import annotations

import gc
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from gradtape.backends.xla.require import jax
from gradtape.core.dtypes import from_numpy
from gradtape.core.errors import InternalError, OpError, ResourceExhaustedError
from gradtape.core.tensor import Spec

LARGE = 2**26  # bytes; what is smaller is made without asking
_SHOWN = 5  # how many of the largest tensors an error names


def make_room(op: str, size: int, where: Any, specs: Sequence[Spec]) -> None:
    """Raise an error unless one of JAX's devices has so many bytes left."""
    if has_room(size, where):
        return
    gc.collect()  # what is held by circles of references only (tapes, exceptions) goes
    _wait_for(where)
    if not has_room(size, where):
        wanted = f" It needs {_size(size)}, of {_size(_limit(where))}."
        raise _exhausted(op, specs, where, wanted)


def has_room(size: int, where: Any) -> bool:
    """Whether one of JAX's devices has so many bytes left."""
    statistics = where.memory_stats()  # None for the host's CPU
    if not statistics or "bytes_limit" not in statistics:
        return True
    return statistics["bytes_in_use"] + size <= statistics["bytes_limit"]


def _limit(where) -> int:
    return where.memory_stats()["bytes_limit"]


def _wait_for(where) -> None:
    """Wait until a device has done all that it was given: programs run one after another."""
    jax.block_until_ready(jax.device_put(np.zeros(1, np.float32), where) + 1)


def out_of_memory(op: str, specs: Sequence[Spec], error: Exception) -> OpError | None:
    """The error for a device without memory left; None where that is not what happened."""
    if "RESOURCE_EXHAUSTED" not in str(error):
        return None
    return _exhausted(op, specs)


def unreadable(array, error: Exception) -> Exception:
    """The error for a value that a device could not make, or that is gone."""
    spec = Spec(tuple(array.shape), array.dtype)
    if array.is_deleted():
        return InternalError(
            f"The value {spec!r} is gone: a compiled function that failed had taken its memory for "
            "the variable's next value. Assign a value to the variable, or restore a checkpoint."
        )
    return out_of_memory("an op before this one", [spec], error) or error


def _exhausted(op: str, specs: Sequence[Spec], where=None, wanted: str = "") -> OpError:
    alive = [x for x in _live_arrays() if where is None or where in x.devices()]
    alive.sort(key=lambda x: x.nbytes, reverse=True)
    largest = "; ".join(
        f"{from_numpy(x.dtype).name}{list(x.shape)}, {_size(x.nbytes)}" for x in alive[:_SHOWN]
    )
    total = sum(x.nbytes for x in alive)
    return ResourceExhaustedError(
        f"{op}: the device is out of memory with {', '.join(map(repr, specs[:_SHOWN]))}"
        f"{' …' if len(specs) > _SHOWN else ''}.{wanted} "
        f"{len(alive)} tensors are on devices, {_size(total)} in all; the largest: {largest}. "
        "Let go of some, or take smaller batches. The program can go on. "
        f"[Op:{op}]"
    )


def _live_arrays() -> list:
    """All arrays on devices of this process that have a value."""
    found = []
    for platform in {device.platform for device in _devices()}:
        found += [x for x in jax.live_arrays(platform) if not x.is_deleted() and _is_made(x)]
    return found


def _devices() -> list:
    found = list(jax.local_devices())
    if all(device.platform != "cpu" for device in found):
        found += jax.local_devices(backend="cpu")
    return found


def _is_made(array) -> bool:
    """Whether a value could be made: one that the memory did not suffice for takes none."""
    try:
        array.block_until_ready()
    except RuntimeError:
        return False
    return True


def size_of(arrays: Sequence[Any]) -> int:
    """How many bytes arrays (or what stands for them while tracing) take."""
    return sum(math.prod(x.shape) * x.dtype.itemsize for x in arrays)


def _size(count: float) -> str:
    for unit in ("bytes", "KB", "MB", "GB"):
        if count < 1024 or unit == "GB":
            return f"{count:.3g} {unit}" if unit != "bytes" else f"{count} bytes"
        count /= 1024
    raise AssertionError
