"""Tensors on a device, and the interpreter that runs ops on them.

A `DeviceTensor` has a JAX array where other tensors have a NumPy array. An op on one is processed
by `EAGER`, at the bottom of the stack of interpreters: below vmaps and functions being traced,
which see the op first. It defers the op (`deferral`), or runs it as a program of its own, compiled
once for each shape, and does not wait for the result: Python continues while the device works.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from gradtape.backends.errors import BadValues
from gradtape.backends.xla import kernels as xla
from gradtape.backends.xla.require import jax
from gradtape.backends.xla.runtime import device as devices
from gradtape.backends.xla.runtime import transfer
from gradtape.backends.xla.runtime.deferral import QUEUE
from gradtape.backends.xla.runtime.deferred_array import DeferrableOp
from gradtape.backends.xla.runtime.device import HOST, Device
from gradtape.backends.xla.runtime.memory import out_of_memory
from gradtape.backends.xla.runtime.op_program import MakesLarge, OpProgram
from gradtape.backends.xla.runtime.transfer import put
from gradtape.core import native
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
from gradtape.core.tensor import Spec, Tensor

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

    def _values(self):
        return transfer.fetched(self._data)

    def _readable(self):
        return transfer.shown(self._data)


class DeviceTensor(OnDevice, Tensor):
    """A tensor on a device. Its value is fetched only when Python uses it."""

    __slots__ = ()

    _is_on_device = True

    def _host_data(self):
        return self._values()

    def _computed_data(self):
        return transfer.argument(self._data)

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
        return transfer.argument(self._data).__dlpack__(**options)

    def __dlpack_device__(self):
        return transfer.argument(self._data).__dlpack_device__()

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
    if sharding is not None:
        return transfer.filled(number, data.shape, sharding)
    transfer.count_transfers([data])
    return data


def _numbers_beside(data, inputs: tuple):
    """Return a few numbers, cached on the device of an op's inputs."""
    sharding = _sharding_of(inputs)
    return transfer.argument(data) if sharding is None else transfer.numbers(data, sharding)


def _sharding_of(inputs: tuple):
    """Return the sharding of an op's first input on a device; None if it is on several."""
    for x in inputs:
        if type(x) is DeviceTensor:
            sharding = x._data.sharding
            return sharding if type(sharding) is _ONE_DEVICE else None
    return None


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


class _Op:
    """A primitive with parameters: its program, and how it is deferred (None: it is not)."""

    __slots__ = ("deferrable", "prim", "program")

    def __init__(self, prim: Primitive, form: dict) -> None:
        self.prim = prim
        positioned = xla.POSITIONED.get(prim.name)
        kernel = xla.KERNELS.get(prim.name) if positioned is None else positioned.kernel
        self.deferrable: DeferrableOp | None = None
        if kernel is None or prim.name in xla.REASONS:
            self.program: Callable = functools.partial(_through_host, prim, form)
            return
        self.program = OpProgram(prim, kernel, form).run
        if not prim.has_effect:
            whole = functools.partial(kernel, **form)
            self.deferrable = DeferrableOp(prim.outputs, whole, self._run_deferred)

    def run(self, arrays: list) -> Any:
        """Return the result, or the results, as arrays."""
        try:
            return xla.exactly(self.program, *arrays)
        except MakesLarge as large:  # it checks for memory from now on
            self.program = large.program
        except jax.errors.JaxRuntimeError as error:
            raise self._failed(arrays, error) from None
        try:
            return xla.exactly(self.program, *arrays)
        except jax.errors.JaxRuntimeError as error:
            raise self._failed(arrays, error) from None

    def _run_deferred(self, arrays: list) -> Any:
        try:
            return self.run(arrays)
        except (OpError, Warning):
            raise
        except Exception as error:  # explained in the user's terms
            raise self._failed(arrays, error) from error

    def _failed(self, arrays: list, error: Exception) -> OpError:
        specs = [Spec(tuple(x.shape), x.dtype) for x in arrays]
        return out_of_memory(self.prim.name, specs, error) or _failed(self.prim, specs, error)


class Eager:
    """Runs primitives on the device of their inputs, one by one or deferred (see `deferral`)."""

    depth = 0  # every vmap and every trace is above it

    def __init__(self) -> None:
        self._ops = Recent(_KEPT_PROGRAMS)
        self._queued: dict[tuple, DeferrableOp] = {}  # which the core in C can queue by itself
        native.connect(queued_ops=self._queued)

    def process(self, prim: Primitive, inputs: tuple, params: dict):
        """Run an op with at least one input on a device. Called by bind."""
        if devices.requested() is HOST:
            return self._on_host(prim, inputs, params)
        data = [x._data if type(x) is DeviceTensor else _beside(x._data, inputs) for x in inputs]
        op = None
        try:
            form = params  # what the program is compiled for, besides shapes
            positioned = xla.POSITIONED.get(prim.name)
            if positioned is not None:
                form, position = positioned.parted(data[0].shape, params)
                data.insert(0, _numbers_beside(position, inputs))
            op = self._find(prim, form)
            if op.deferrable is not None and native.fusion_is_on():
                results = QUEUE.add(op.deferrable, data)
                if results is not None:
                    if positioned is None:
                        self._let_core_queue((prim, *form.values()), op.deferrable)
                    wrapped = [DeviceTensor(x) for x in results]
                    return wrapped[0] if prim.outputs == 1 else tuple(wrapped)
            made = op.run([transfer.argument(x) for x in data])
        except Exception as error:  # explained in the user's terms
            if any(x._data.dtype.hasobject for x in inputs):  # text, picked by numbers
                return self._on_host(prim, inputs, params)
            made = self._recover(prim, inputs, params, op, data, error)
        # What a loop keeps for its gradient, or a Python function has returned, stays on the host.
        if prim.outputs == 1:
            return Tensor(made) if type(made) is np.ndarray else DeviceTensor(made)
        return tuple([Tensor(d) if isinstance(d, np.ndarray) else DeviceTensor(d) for d in made])

    def _find(self, prim: Primitive, form: dict) -> _Op:
        """Return the program of an op (JAX compiles it for each new shape)."""
        try:
            key = (prim, *form.values())
            op = self._ops.find(key)
        except TypeError:  # an unhashable parameter: it is never met again
            op = _Op(prim, form)
            op.deferrable = None
            return op
        if op is None:
            op = _Op(prim, form)
            self._ops.keep(key, op)
        return op

    def _let_core_queue(self, key: tuple, op: DeferrableOp) -> None:
        if len(self._queued) >= _KEPT_PROGRAMS:
            self._queued.clear()
        self._queued[key] = op

    def forget(self) -> None:
        """Clear the programs after a change of settings."""
        self._ops.clear()
        self._queued.clear()
        QUEUE.forget()

    def _on_host(self, prim: Primitive, inputs: tuple, params: dict):
        """Run the op on the host, after fetching its inputs.

        Listeners see only the op around this.
        """
        fetched = [Tensor(x._host_data()) if type(x) is DeviceTensor else x for x in inputs]
        with lifted():
            return bind(prim, tuple(fetched), params)

    def _recover(self, prim: Primitive, inputs: tuple, params: dict, op, data: list, error):
        """Retry a failed op with its inputs on one device, or raise in the user's terms."""
        if isinstance(error, (OpError, Warning)):  # a warning that the program turned into an error
            raise error
        if isinstance(error, EffectFailed):
            raise error.error from None
        if isinstance(error, BadValues):
            raise InvalidArgumentError(str(error)) from None
        specs = [x._spec() for x in inputs]
        prim.shape(*specs, **params)  # raises the error that explains the arguments
        if op is not None and any(type(x) is DeviceTensor and x._is_spread() for x in inputs):
            from gradtape.backends.xla.runtime.mesh import together

            return op.run(together(transfer.arguments(data)))
        on_devices = {device_of(x._data) for x in inputs if type(x) is DeviceTensor}
        if op is not None and len(on_devices) > 1:
            # On several devices: as in TensorFlow, all inputs are moved to the first.
            first = next(device_of(x._data) for x in inputs if type(x) is DeviceTensor)
            return op.run([put(x, first) for x in data])
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
native.connect(
    DeviceTensor=DeviceTensor,
    device_variable=devices._current,
    host_device=HOST,
    number_beside=transfer.numbers,
)
DeviceTensor._interpreter = EAGER  # pyright: ignore[reportAttributeAccessIssue] (set after its class is made)
