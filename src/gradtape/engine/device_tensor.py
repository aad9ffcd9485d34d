"""Tensors on a device, and the interpreter that runs ops on them.

A `DeviceTensor` has JAX's array where other tensors have NumPy's. An op on one goes to `EAGER`, at
the bottom of the stack of interpreters: below vmaps and functions being traced, which see the op
first. It runs the primitive as a program of its own, compiled once for each shape, and does not
wait for the result: Python goes on while the device works.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from gradtape.backends import xla
from gradtape.backends.errors import BadValues
from gradtape.backends.xla.require import jax
from gradtape.core.bind import bind
from gradtape.core.dtypes import from_numpy
from gradtape.core.errors import (
    InternalError,
    InvalidArgumentError,
    OpError,
    ResourceExhaustedError,
)
from gradtape.core.primitive import PRIMITIVES, Primitive
from gradtape.core.state import get_state, lifted
from gradtape.core.tensor import Spec, Tensor
from gradtape.engine import device as devices
from gradtape.engine.device import HOST, Device

_KINDS = {"cpu": "XLA", "gpu": "GPU", "cuda": "GPU", "rocm": "GPU", "tpu": "TPU"}
_FEW_NUMBERS = 3  # scalars, and the states of random numbers
_SHOWN = 5  # how many of the largest tensors an out-of-memory error names


class DeviceTensor(Tensor):
    """A tensor on a device. Its value is fetched when Python asks for it, and only then."""

    __slots__ = ()

    @property
    def device(self) -> str:
        return device_of(self._data).name

    def _values(self):
        array = np.array(self._data)
        return array if array.ndim else array[()]

    def _host_data(self):
        """The value as the host's tensors have it."""
        return self._values()

    def _filled(self, number) -> DeviceTensor:
        """A number throughout, in this tensor's shape and on its device."""
        with xla.exact_types():
            where = {"device": self._data.sharding}
            return DeviceTensor(jax.numpy.full(self._data.shape, number, number.dtype, **where))

    def cpu(self) -> Tensor:
        return to_device(self, HOST)

    def _variable_class(self) -> type:
        from gradtape.engine.device_variable import DeviceVariable

        return DeviceVariable

    def _unmarked(self) -> DeviceTensor:
        return DeviceTensor(self._data)

    def _leaked(self) -> Exception:
        return RuntimeError(
            f"A tensor of shape {self.shape} on {device_of(self._data).short_name} was used in a "
            "context that was entered before the first device was used. Name the device "
            "(with tf.device) before starting threads or opening tapes."
        )

    def __dlpack__(self, **options):
        return self._data.__dlpack__(**options)

    def __dlpack_device__(self):
        return self._data.__dlpack_device__()

    def __deepcopy__(self, memo):
        return DeviceTensor(self._data)


def device_of(array) -> Device:
    """The device that one of JAX's arrays is on."""
    return _named(next(iter(array.devices())))


@functools.cache
def _named(where) -> Device:
    """The name of one of JAX's devices: its place among those of this process."""
    index = jax.local_devices(backend=where.platform).index(where)
    return Device(_KINDS.get(where.platform) or where.platform.upper(), index)


# --- moving --------------------------------------------------------------------------------------


@functools.cache
def _mover(device: Device) -> Callable:
    """A program that gives its input, on a device.

    It takes a tenth of the time of `jax.device_put`, but has to be compiled for every shape.
    """
    sharding = jax.sharding.SingleDeviceSharding(device.in_jax)
    return jax.jit(lambda x: x, out_shardings=sharding)


def put(array, device: Device):
    """An array (NumPy's or JAX's) on a device, as JAX's array."""
    with xla.exact_types():
        try:
            if isinstance(array, jax.Array) or array.size > _FEW_NUMBERS:
                return jax.device_put(array, device.in_jax)
            return _mover(device)(array)
        except jax.errors.JaxRuntimeError as error:
            spec = Spec(tuple(np.shape(array)), array.dtype)
            raise out_of_memory("to_device", [spec], error) or error from None


def place(tensor: Tensor, lasting: bool) -> Tensor:
    """A tensor just made, on the device where new tensors go. (See `core.placement`.)"""
    if type(tensor) is not Tensor or tensor._data.dtype.hasobject:
        return tensor
    device = devices.current()
    if device is HOST or (get_state().trace is not None and not lasting):
        return tensor
    return DeviceTensor(put(tensor._data, device))


def to_device(x: Any, device: Device) -> Tensor:
    """A copy of a tensor on a device (itself, if it is there); derivatives go through."""
    if type(x) is Tensor:
        if device is HOST or x._data.dtype.hasobject:
            return x
        devices.start_using_devices()
        moved = DeviceTensor(put(x._data, device))
    elif type(x) is DeviceTensor:
        if device is HOST:
            moved = Tensor(x._host_data())
        elif device_of(x._data) == device:
            return x
        else:
            moved = DeviceTensor(put(x._data, device))
    else:
        return x  # inside vmap or a function being traced: the whole of it runs on one device
    state = get_state()
    for tape in state.tapes:
        tape.record(PRIMITIVES["identity"], (x,), {}, moved)
    for accumulator in state.accumulators:
        accumulator.push(PRIMITIVES["identity"], (x,), {}, moved)
    return moved


# --- running -------------------------------------------------------------------------------------


class Eager:
    """Runs primitives one by one on the device of their inputs."""

    depth = 0  # every vmap and every trace is above it

    def __init__(self) -> None:
        self._programs: dict[Any, Callable] = {}

    def process(self, prim: Primitive, inputs: tuple, params: dict):
        """Run an op of which at least one input is on a device. Called by bind."""
        if devices.asked_for() is HOST:
            return self._on_host(prim, inputs, params)
        arrays = [x._data for x in inputs]
        try:
            run = self._programs[(prim, *params.values())]
        except (KeyError, TypeError):
            run = self._program(prim, params)
        try:
            with xla.exact_types():
                data = run(*arrays)
        except Exception as error:
            if any(x._data.dtype.hasobject for x in inputs):  # text, picked by numbers
                return self._on_host(prim, inputs, params)
            data = self._recover(prim, inputs, params, run, error)
        if prim.outputs == 1:
            return DeviceTensor(data)
        return tuple([DeviceTensor(d) for d in data])

    def _program(self, prim: Primitive, params: dict) -> Callable:
        """The compiled form of an op (JAX compiles it for each shape when it first comes up)."""
        kernel = xla.KERNELS.get(prim.name)
        if kernel is None or prim.name in xla.REASONS:
            return functools.partial(_through_host, prim, params)
        run = jax.jit(functools.partial(kernel, **params), compiler_options=xla.compiler_options())
        with contextlib.suppress(TypeError):  # a parameter that cannot be a key
            self._programs[(prim, *params.values())] = run
        return run

    def forget(self) -> None:
        """Settings have changed: compile anew."""
        self._programs.clear()

    def _on_host(self, prim: Primitive, inputs: tuple, params: dict):
        """The op on the host; what it needs is fetched. Who listens sees the op around this."""
        fetched = [Tensor(x._host_data()) if type(x) is DeviceTensor else x for x in inputs]
        with lifted():
            return bind(prim, tuple(fetched), params)

    def _recover(self, prim: Primitive, inputs: tuple, params: dict, run, error: Exception):
        """An op failed: say why in the user's terms, or bring its inputs together."""
        if isinstance(error, OpError):
            raise error
        if isinstance(error, BadValues):
            raise InvalidArgumentError(str(error)) from None
        specs = [x._spec() for x in inputs]
        if isinstance(error, jax.errors.JaxRuntimeError):
            raise out_of_memory(prim.name, specs, error) or _failed(prim, specs, error) from None
        prim.shape(*specs, **params)  # raises the error that explains the arguments
        found = {device_of(x._data) for x in inputs if type(x) is DeviceTensor}
        if len(found) > 1:
            # On several devices: as TensorFlow, all follow the first.
            first = next(device_of(x._data) for x in inputs if type(x) is DeviceTensor)
            arrays = [put(x._data, first) for x in inputs]
            with xla.exact_types():
                return run(*arrays)
        raise _failed(prim, specs, error) from error


def _through_host(prim: Primitive, params: dict, *arrays):
    """An op that XLA has no form of: by NumPy, and back to the device."""
    if prim.name in xla.REASONS:
        xla.announce(prim.name)
    device = next(device_of(x) for x in arrays if isinstance(x, jax.Array))
    found = prim.kernel(*[np.asarray(x)[()] for x in arrays], **params)
    if prim.outputs == 1:
        return put(np.asarray(found), device)
    return [put(np.asarray(y), device) for y in found]


def _failed(prim: Primitive, specs: list, error: Exception) -> OpError:
    described = ", ".join(map(repr, specs))
    return InternalError(f"{prim.name}: cannot compute with {described}: {error} [Op:{prim.name}]")


def out_of_memory(op: str, specs: list, error: Exception) -> OpError | None:
    """The error for a device without memory left; None where that is not what happened."""
    if "RESOURCE_EXHAUSTED" not in str(error):
        return None
    alive = sorted(jax.live_arrays(), key=lambda x: x.nbytes, reverse=True)
    largest = "; ".join(
        f"{from_numpy(x.dtype).name}{list(x.shape)}, {_size(x.nbytes)}" for x in alive[:_SHOWN]
    )
    total = sum(x.nbytes for x in alive)
    return ResourceExhaustedError(
        f"{op}: the device is out of memory with {', '.join(map(repr, specs))}. "
        f"{len(alive)} tensors are on devices, {_size(total)} in all; the largest: {largest}. "
        "Let go of some, or take smaller batches. The program can go on. "
        f"[Op:{op}]"
    )


def _size(count: float) -> str:
    for unit in ("bytes", "KB", "MB", "GB"):
        if count < 1024 or unit == "GB":
            return f"{count:.3g} {unit}" if unit != "bytes" else f"{count} bytes"
        count /= 1024
    raise AssertionError


EAGER = Eager()
DeviceTensor._interpreter = EAGER  # type: ignore[attr-defined]
