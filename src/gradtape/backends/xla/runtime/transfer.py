"""Transfers between the host's memory and JAX's arrays: all of them are here.

`core.protocols` says what a tensor may hold, and who may write to memory that JAX reads.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from gradtape.backends.xla import kernels as xla
from gradtape.backends.xla.require import in_thread, is_exact, jax
from gradtape.backends.xla.runtime.deferral import QUEUE
from gradtape.backends.xla.runtime.deferred_array import DeferredArray, Form, computed, form_of
from gradtape.backends.xla.runtime.device import Device
from gradtape.backends.xla.runtime.memory import (
    LARGE,
    PINNED,
    is_read_by_program,
    make_room,
    out_of_memory,
    unreadable,
)
from gradtape.backends.xla.runtime.repetition import REPEATS
from gradtape.core.placement import TRANSFER_LISTENERS
from gradtape.core.tensor import Spec

_KEPT_NUMBERS = 1024  # cached constants and positions


def count_transfers(arrays: Iterable[Any], to_device: bool = True) -> None:
    """Tell who listens (see `explain.transfers`) of copies: to a device, those of NumPy's arrays.

    In the other direction, those of JAX's.
    """
    for x in arrays if TRANSFER_LISTENERS else ():
        if isinstance(x, jax.Array) is not to_device:
            for listener in TRANSFER_LISTENERS:
                listener(to_device, x.nbytes)


# --- from the host -------------------------------------------------------------------------------


def argument(data: Any) -> Any:
    """Return the data of a tensor as an argument of a JAX program.

    Call the program by `xla.exactly` unless the data is a JAX array.
    """
    return computed(data)


def arguments(payloads: Iterable[Any]) -> list:
    """Return the data of tensors as arguments of a JAX program."""
    return [computed(data) for data in payloads]


def put(data: Any, device: Device) -> Any:
    """Copy the data of a tensor to a device."""
    data = computed(data)
    where = device.in_jax
    number = repeated(data)
    if number is not None:
        return filled(number, data.shape, jax.sharding.SingleDeviceSharding(where))
    spec = Spec(tuple(np.shape(data)), data.dtype)
    if data.nbytes >= LARGE:
        _make_room("to_device", data.nbytes, where, [spec])
    count_transfers([data])
    try:
        return xla.exactly(jax.device_put, data, where)
    except jax.errors.JaxRuntimeError as error:
        raise out_of_memory("to_device", [spec], error) or error from None


def _make_room(what: str, size: int, where: Any, specs: list[Spec]) -> None:
    """Raise an error unless a device has this many bytes left besides what is deferred."""
    QUEUE.run()
    make_room(what, size, where, specs)


@xla.exact
def put_all(payloads: Iterable[Any], where: Any) -> list:
    """Copy constants of a program, which checks for memory, to one of JAX's devices."""
    arrays = [computed(data) for data in payloads]
    count_transfers(arrays)
    return [jax.device_put(x, where) for x in arrays]


@functools.lru_cache(_KEPT_NUMBERS)
@xla.exact
def _numbers(values: bytes, dtype: np.dtype, shape: tuple[int, ...], sharding) -> Any:
    array = np.frombuffer(values, dtype).reshape(shape)
    count_transfers([array])
    return jax.device_put(array, sharding)


def numbers(data: Any, sharding) -> Any:
    """Return one or a few numbers on a device, cached, and not to be donated."""
    data = computed(data)
    key = (data.tobytes(), data.dtype, data.shape, sharding)
    # A signal handler while JAX is tracing: it must not cache what is traced.
    return in_thread(_numbers, *key) if is_exact() else _numbers(*key)


@xla.exact
def spread(data: Any, sharding) -> Any:
    """Copy the data of a tensor to the devices of a sharding.

    If these belong to several processes, each of them must call this with the same value.
    """
    data = computed(data)
    count_transfers([data])
    if sharding.is_fully_addressable:
        # A copy even if the array is on one of the devices: it may be donated.
        return jax.device_put(data, sharding, may_alias=False)
    if isinstance(data, jax.Array) and not data.is_fully_addressable:
        return jax.jit(_itself, out_shardings=sharding)(data)
    values = np.asarray(data)
    return jax.make_array_from_callback(values.shape, sharding, lambda index: values[index])


@xla.exact
def spread_part(data: Any, sharding, shape: tuple | None = None) -> Any:
    """Return the global array of all processes from this process's part."""
    return jax.make_array_from_process_local_data(sharding, np.asarray(computed(data)), shape)


def repeated(data: Any) -> Any:
    """Return the number that an array of the host repeats (a broadcast view), or None.

    A device fills memory faster than the host can copy it there.
    """
    if type(data) is np.ndarray and data.size > 1 and not any(data.strides):
        return data[(0,) * data.ndim]
    return None


def filled(number: Any, shape: tuple, sharding) -> Any:
    """Return an array filled with a number."""
    if not shape:
        return numbers(number, sharding)
    size = math.prod(shape) * number.dtype.itemsize
    if size >= LARGE:
        _make_room("fill", size, next(iter(sharding.device_set)), [Spec(shape, number.dtype)])
    number = computed(number)
    return xla.exactly(jax.numpy.full, shape, number, number.dtype, device=sharding)


@xla.exact
def from_dlpack(source: Any) -> Any:
    """Copy an array of another library that is on a device."""
    return jax.numpy.copy(jax.dlpack.from_dlpack(source))


# --- from one device to another ------------------------------------------------------------------


@xla.exact
def moved(arrays: Sequence[Any], where: Any) -> list:
    """Move JAX arrays to a device or sharding; leave arrays of the host there."""
    arrays = [computed(x) for x in arrays]
    return [jax.device_put(x, where) if isinstance(x, jax.Array) else x for x in arrays]


@xla.exact
def copied(arrays: list) -> list:
    """Copy JAX arrays, each on its own devices."""
    arrays = [computed(x) for x in arrays]
    result = jax.device_put(arrays, [x.sharding for x in arrays], may_alias=False)
    # Older versions of JAX alias the memory all the same.
    return [
        jax.numpy.copy(x) if x.unsafe_buffer_pointer() == y.unsafe_buffer_pointer() else y
        for x, y in zip(arrays, result, strict=True)
    ]


def _itself(x):
    return x


# --- to the host ---------------------------------------------------------------------------------


def fetched(array: Any) -> Any:
    """Copy the value of a JAX array to a NumPy array (or scalar)."""
    result = np.array(_on_host(array))
    return result if result.ndim else result[()]


def shown(data: Any) -> Any:
    """Return the data of a tensor as a NumPy array (or scalar), not to be written to.

    Nothing in the host's memory is copied.
    """
    result = np.asarray(_on_host(data))
    return result if result.ndim else result[()]


def _on_host(data: Any) -> Any:
    """Return an array that NumPy can read; raise the error of its computation if that failed.

    A few numbers on a GPU are copied to pinned memory of the host, by the program that computes
    them or, where values of this form are read often, by one of their own: that takes a third of
    the time of a transfer.
    """
    array = data.on_host() if type(data) is DeferredArray else computed(data)
    if isinstance(array, (np.ndarray, np.generic)):
        return array
    count_transfers([array], to_device=False)
    try:
        if is_read_by_program(array.nbytes, array.sharding) and not is_exact():
            array = _reader(form_of(array.aval), array.sharding).read(array)
        return array.block_until_ready()
    except RuntimeError as error:
        raise unreadable(array, error) from None


class _Reader:
    """Copies arrays of a form to the host: by a program, once that pays for its compilation."""

    def __init__(self, form: Form, sharding: Any) -> None:
        self._form = form
        self._sharding = sharding
        self._count = 0
        self._program: Any = None

    def read(self, array: Any) -> Any:
        self._count += 1
        if self._count <= REPEATS:
            return array
        if self._program is None:
            self._program = in_thread(xla.exactly, self._compiled)
        return xla.exactly(self._program, array)

    def _compiled(self) -> Any:
        form, sharding = self._form, self._sharding
        jitted = jax.jit(_itself, out_shardings=sharding.with_memory_kind(PINNED))
        example = jax.ShapeDtypeStruct(form.shape, form.dtype, sharding=sharding)
        return jitted.lower(example).compile()


_reader = functools.lru_cache(_KEPT_NUMBERS)(_Reader)


@xla.exact
def gathered(array: Any) -> np.ndarray:
    """Return the whole of an array that is sharded over processes; all of them must call this."""
    everywhere = jax.sharding.NamedSharding(array.sharding.mesh, jax.sharding.PartitionSpec())
    return np.asarray(jax.jit(_itself, out_shardings=everywhere)(array).addressable_data(0))
