"""Tensors on a device, and the interpreter that runs ops on them.

A `DeviceTensor` has a JAX array where other tensors have a NumPy array. An op on one is processed
by `EAGER`, at the bottom of the stack of interpreters: below vmaps and functions being traced,
which see the op first. It runs the primitive as a program of its own, compiled once for each shape,
and does not wait for the result: Python continues while the device works.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from gradtape.backends.errors import BadValues
from gradtape.backends.xla import kernels as xla
from gradtape.backends.xla.require import jax
from gradtape.backends.xla.runtime import device as devices
from gradtape.backends.xla.runtime import transfer
from gradtape.backends.xla.runtime.device import HOST, Device
from gradtape.backends.xla.runtime.memory import out_of_memory
from gradtape.backends.xla.runtime.op_program import MakesLarge, OpProgram
from gradtape.backends.xla.runtime.transfer import put
from gradtape.core.bind import bind, notify
from gradtape.core.errors import (
    EffectFailed,
    InternalError,
    InvalidArgumentError,
    OpError,
    one_line,
)
from gradtape.core.primitive import PRIMITIVES, Primitive
from gradtape.core.recent import Recent
from gradtape.core.state import get_state, lifted
from gradtape.core.tensor import Tensor

_ONE_DEVICE = jax.sharding.SingleDeviceSharding
_KEPT_PROGRAMS = 2048  # ops with their parameters, each for all shapes
_KINDS = {"cpu": "XLA", "gpu": "GPU", "cuda": "GPU", "rocm": "GPU", "tpu": "TPU"}


class OnDevice:
    """What tensors and variables on a device share: the value is fetched when it is used."""

    __slots__ = ()
    _data: Any

    @property
    def device(self) -> str:
        return device_of(self._data).name

    def _waited(self) -> Any:
        """Return the array when it is ready; raise the error of its computation if that failed."""
        return transfer.waited_for(self._data)

    def _values(self):
        return transfer.fetched(self._data)

    def _single(self, kind: str):
        self._waited()
        return super()._single(kind)  # pyright: ignore[reportAttributeAccessIssue] (mixed into Tensor and Variable)

    def __array__(self, dtype=None, copy=None):
        self._waited()
        return super().__array__(dtype, copy)  # pyright: ignore[reportAttributeAccessIssue] (mixed into Tensor and Variable)

    def __repr__(self) -> str:
        self._waited()
        return super().__repr__()

    def __str__(self) -> str:
        self._waited()
        return super().__str__()


class DeviceTensor(OnDevice, Tensor):
    """A tensor on a device. Its value is fetched only when Python uses it."""

    __slots__ = ()

    _is_on_device = True

    def _host_data(self):
        return self._values()

    def _filled(self, number) -> DeviceTensor:
        """Return a tensor of this shape filled with a number, on this device."""
        return DeviceTensor(transfer.filled(number, self._data.shape, self._data.sharding))

    def cpu(self) -> Tensor:
        return to_device(self, HOST)

    def _variable_class(self) -> type:
        if self._is_spread():
            from gradtape.backends.xla.runtime.mesh import MeshVariable

            return MeshVariable
        from gradtape.backends.xla.runtime.variable import DeviceVariable

        return DeviceVariable

    def _is_spread(self) -> bool:
        """Return whether the tensor is on several devices."""
        sharding = self._data.sharding
        return type(sharding) is not _ONE_DEVICE and len(sharding.device_set) > 1

    def _local_rows(self) -> list[Tensor]:
        """Return the rows on this process's devices, each as a tensor."""
        shards = {shard.index[0].start or 0: shard for shard in self._data.addressable_shards}
        rows = [shards[start].data for start in sorted(shards)]
        return [DeviceTensor(xla.exactly(x.__getitem__, i)) for x in rows for i in range(len(x))]

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
    """Return the device of a JAX array."""
    where = array.devices()
    if len(where) > 1:  # one of this process, as others have no name here
        return _named(array.addressable_shards[0].device)
    return _named(next(iter(where)))


@functools.cache
def _named(where) -> Device:
    """Return the `Device` of one of JAX's: its index is among those of this process."""
    index = jax.local_devices(backend=where.platform).index(where)
    return Device(_KINDS.get(where.platform) or where.platform.upper(), index)


# --- moving --------------------------------------------------------------------------------------


def _beside(data, inputs: tuple):
    """Return the data of a host tensor, as input of an op on a device; numbers are cached there."""
    data = transfer.argument(data)
    if not data.ndim and not data.dtype.hasobject:
        return _numbers_beside(data, inputs)
    number = transfer.repeated(data)
    sharding = None if number is None else _sharding_of(inputs)
    return data if sharding is None else transfer.filled(number, data.shape, sharding)


def _numbers_beside(data, inputs: tuple):
    """Return a few numbers, cached on the device of an op's inputs."""
    sharding = _sharding_of(inputs)
    return transfer.argument(data) if sharding is None else transfer.numbers(data, sharding)


def _sharding_of(inputs: tuple):
    """Return the sharding of an op's first input on a device; None if it is on several."""
    sharding = next(x._data.sharding for x in inputs if type(x) is DeviceTensor)
    return sharding if type(sharding) is _ONE_DEVICE else None


def place_new_tensor(tensor: Tensor, lasting: bool) -> Tensor:
    """Move a new tensor to the current device (see `core.placement`)."""
    if type(tensor) is not Tensor or tensor._data.dtype.hasobject:
        return tensor
    device = devices.current()
    if device is HOST or (get_state().trace is not None and not lasting):
        return tensor
    data = tensor._data
    if not data.ndim and not lasting:  # the memory of a variable must be its own
        return DeviceTensor(transfer.numbers(data, _sharding(device)))
    return DeviceTensor(put(data, device))


@functools.cache
def _sharding(device: Device):
    return jax.sharding.SingleDeviceSharding(device.in_jax)


def to_device(x: Any, device: Device) -> Tensor:
    """Copy a tensor to a device, unless it is there; gradients flow through."""
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
    notify(get_state(), PRIMITIVES["identity"], (x,), {}, moved)
    return moved


def from_dlpack(source) -> DeviceTensor:
    """Copy an array of another library that is on a device."""
    devices.start_using_devices()
    return DeviceTensor(transfer.from_dlpack(source))


# --- running -------------------------------------------------------------------------------------


class Eager:
    """Runs primitives one by one on the device of their inputs."""

    depth = 0  # every vmap and every trace is above it

    def __init__(self) -> None:
        self._programs = Recent(_KEPT_PROGRAMS)

    def process(self, prim: Primitive, inputs: tuple, params: dict):
        """Run an op with at least one input on a device. Called by bind."""
        if devices.requested() is HOST:
            return self._on_host(prim, inputs, params)
        arrays = [x._data if type(x) is DeviceTensor else _beside(x._data, inputs) for x in inputs]
        run, form = None, params  # what the program is compiled for, besides shapes
        try:
            positioned = xla.POSITIONED.get(prim.name)
            if positioned is not None:
                form, position = positioned.parted(arrays[0].shape, params)
                arrays.insert(0, _numbers_beside(position, inputs))
            try:
                run = self._programs.find((prim, *form.values()))
            except TypeError:  # an unhashable parameter
                run = None
            run = run or self._program(prim, form)
            data = xla.exactly(run, *arrays)
        except MakesLarge as large:
            self._keep(prim, form, large.program)
            data = self._after_asking(large.program, prim, inputs, params, arrays)
        except Exception as error:  # explained in the user's terms
            if any(x._data.dtype.hasobject for x in inputs):  # text, picked by numbers
                return self._on_host(prim, inputs, params)
            data = self._recover(prim, inputs, params, run, arrays, error)
        # What a loop keeps for its gradient, or a Python function has returned, stays on the host.
        if prim.outputs == 1:
            return Tensor(data) if type(data) is np.ndarray else DeviceTensor(data)
        return tuple([Tensor(d) if isinstance(d, np.ndarray) else DeviceTensor(d) for d in data])

    def _program(self, prim: Primitive, params: dict) -> Callable:
        """Return the program of an op (JAX compiles it for each new shape)."""
        positioned = xla.POSITIONED.get(prim.name)
        kernel = xla.KERNELS.get(prim.name) if positioned is None else positioned.kernel
        if kernel is None or prim.name in xla.REASONS:
            return functools.partial(_through_host, prim, params)
        run = OpProgram(prim, kernel, params).run
        self._keep(prim, params, run)
        return run

    def _keep(self, prim: Primitive, params: dict, run: Callable) -> None:
        with contextlib.suppress(TypeError):  # an unhashable parameter
            self._programs.keep((prim, *params.values()), run)

    def _after_asking(self, program: OpProgram, prim, inputs, params: dict, arrays: list):
        """Run a program with a large result, which checks for memory from now on."""
        try:
            return xla.exactly(program, *arrays)
        except Exception as error:  # explained in the user's terms
            return self._recover(prim, inputs, params, program, arrays, error)

    def forget(self) -> None:
        """Clear the programs after a change of settings."""
        self._programs.clear()

    def _on_host(self, prim: Primitive, inputs: tuple, params: dict):
        """Run the op on the host, after fetching its inputs.

        Listeners see only the op around this.
        """
        fetched = [Tensor(x._host_data()) if type(x) is DeviceTensor else x for x in inputs]
        with lifted():
            return bind(prim, tuple(fetched), params)

    def _recover(self, prim: Primitive, inputs: tuple, params: dict, run, arrays: list, error):
        """Retry a failed op with its inputs on one device, or raise in the user's terms."""
        if isinstance(error, (OpError, Warning)):  # a warning that the program turned into an error
            raise error
        if isinstance(error, EffectFailed):
            raise error.error from None
        if isinstance(error, BadValues):
            raise InvalidArgumentError(str(error)) from None
        specs = [x._spec() for x in inputs]
        if isinstance(error, jax.errors.JaxRuntimeError):
            raise out_of_memory(prim.name, specs, error) or _failed(prim, specs, error) from None
        prim.shape(*specs, **params)  # raises the error that explains the arguments
        if any(type(x) is DeviceTensor and x._is_spread() for x in inputs):
            from gradtape.backends.xla.runtime.mesh import together

            return xla.exactly(run, *together(arrays))
        on_devices = {device_of(x._data) for x in inputs if type(x) is DeviceTensor}
        if len(on_devices) > 1:
            # On several devices: as in TensorFlow, all inputs are moved to the first.
            first = next(device_of(x._data) for x in inputs if type(x) is DeviceTensor)
            arrays = [put(x, first) for x in arrays]
            return xla.exactly(run, *arrays)
        raise _failed(prim, specs, error) from error


def _through_host(prim: Primitive, params: dict, *arrays):
    """Run an op without an XLA kernel in NumPy, and move the results back to the device."""
    if prim.name in xla.REASONS:
        xla.announce(prim.name)
    device = next(device_of(x) for x in arrays if isinstance(x, jax.Array))
    results = prim.kernel(*[transfer.shown(x) for x in arrays], **params)
    every = [results] if prim.outputs == 1 else results
    placed = [y if y.dtype.hasobject else put(np.asarray(y), device) for y in every]
    return placed[0] if prim.outputs == 1 else placed


def _failed(prim: Primitive, specs: list, error: Exception) -> OpError:
    described = ", ".join(map(repr, specs))
    return InternalError(
        f"{prim.name}: cannot compute with {described}: {one_line(error)} [Op:{prim.name}]"
    )


EAGER = Eager()
DeviceTensor._interpreter = EAGER  # pyright: ignore[reportAttributeAccessIssue] (set after its class is made)
