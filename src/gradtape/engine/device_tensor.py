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
from gradtape.core.errors import InternalError, InvalidArgumentError, OpError
from gradtape.core.primitive import PRIMITIVES, Primitive
from gradtape.core.state import get_state, lifted
from gradtape.core.tensor import Spec, Tensor
from gradtape.engine import device as devices
from gradtape.engine.device import HOST, Device
from gradtape.engine.device_memory import LARGE, make_room, out_of_memory, unreadable
from gradtape.engine.device_program import MakesLarge, OpProgram

_ONE_DEVICE = jax.sharding.SingleDeviceSharding
_KINDS = {"cpu": "XLA", "gpu": "GPU", "cuda": "GPU", "rocm": "GPU", "tpu": "TPU"}
_KEPT_NUMBERS = 1024  # constants of programs that stay on a device


class OnDevice:
    """What tensors and variables on a device share: the value is fetched when it is asked for."""

    __slots__ = ()
    _data: Any

    @property
    def device(self) -> str:
        return device_of(self._data).name

    def _waited(self) -> Any:
        """The array, once it is there. What went wrong on its way comes up here."""
        try:
            return self._data.block_until_ready()
        except RuntimeError as error:
            raise unreadable(self._data, error) from None

    def _values(self):
        array = np.array(self._waited())
        return array if array.ndim else array[()]

    def _single(self, kind: str):
        self._waited()
        return super()._single(kind)  # type: ignore[misc]

    def __array__(self, dtype=None, copy=None):
        self._waited()
        return super().__array__(dtype, copy)  # type: ignore[misc]

    def __repr__(self) -> str:
        self._waited()
        return super().__repr__()

    def __str__(self) -> str:
        self._waited()
        return super().__str__()


class DeviceTensor(OnDevice, Tensor):
    """A tensor on a device. Its value is fetched when Python asks for it, and only then."""

    __slots__ = ()

    def _host_data(self):
        """The value as the host's tensors have it."""
        return self._values()

    def _filled(self, number) -> DeviceTensor:
        """A number throughout, in this tensor's shape and on its device."""
        shape, where = self._data.shape, self._data.sharding
        size = self._data.size * number.dtype.itemsize
        if size >= LARGE:
            spec = Spec(shape, number.dtype)
            make_room("fill", size, next(iter(self._data.devices())), [spec])
        with xla.exact_types():
            return DeviceTensor(jax.numpy.full(shape, number, number.dtype, device=where))

    def cpu(self) -> Tensor:
        return to_device(self, HOST)

    def _variable_class(self) -> type:
        if self._is_spread():
            from gradtape.engine.mesh import MeshVariable

            return MeshVariable
        from gradtape.engine.device_variable import DeviceVariable

        return DeviceVariable

    def _is_spread(self) -> bool:
        """Whether the tensor is on several devices."""
        sharding = self._data.sharding
        return type(sharding) is not _ONE_DEVICE and len(sharding.device_set) > 1

    def _rows(self) -> list[Tensor]:
        """The rows that are on this process's devices, each on its own."""
        shards = {shard.index[0].start or 0: shard for shard in self._data.addressable_shards}
        rows = [shards[place].data for place in sorted(shards)]
        with xla.exact_types():
            return [DeviceTensor(x[i]) for x in rows for i in range(x.shape[0])]

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
    where = array.devices()
    if len(where) > 1:  # one of this process, as others have no name here
        return _named(array.addressable_shards[0].device)
    return _named(next(iter(where)))


@functools.cache
def _named(where) -> Device:
    """The name of one of JAX's devices: its place among those of this process."""
    index = jax.local_devices(backend=where.platform).index(where)
    return Device(_KINDS.get(where.platform) or where.platform.upper(), index)


# --- moving --------------------------------------------------------------------------------------


def put(array, device: Device):
    """An array (NumPy's or JAX's) on a device, as JAX's array."""
    where = device.in_jax
    spec = Spec(tuple(np.shape(array)), array.dtype)
    if array.nbytes >= LARGE:
        make_room("to_device", array.nbytes, where, [spec])
    with xla.exact_types():
        try:
            return jax.device_put(array, where)
        except jax.errors.JaxRuntimeError as error:
            raise out_of_memory("to_device", [spec], error) or error from None


@functools.lru_cache(_KEPT_NUMBERS)
def _number(values: bytes, dtype: np.dtype, sharding) -> Any:
    """A single number on a device. Programs use the same ones again and again."""
    with xla.exact_types():
        return jax.device_put(np.frombuffer(values, dtype)[0], sharding)


def _beside(number, inputs: tuple):
    """A host's array as the input of an op beside others on a device: one number is kept there."""
    if number.ndim or number.dtype.hasobject:
        return number
    sharding = next(x._data.sharding for x in inputs if type(x) is DeviceTensor)
    if type(sharding) is not jax.sharding.SingleDeviceSharding:
        return number
    return _number(number.tobytes(), number.dtype, sharding)


def place(tensor: Tensor, lasting: bool) -> Tensor:
    """A tensor just made, on the device where new tensors go. (See `core.placement`.)"""
    if type(tensor) is not Tensor or tensor._data.dtype.hasobject:
        return tensor
    device = devices.current()
    if device is HOST or (get_state().trace is not None and not lasting):
        return tensor
    data = tensor._data
    if not data.ndim and not lasting:  # the memory of a variable is its own
        return DeviceTensor(_number(data.tobytes(), data.dtype, _sharding(device)))
    return DeviceTensor(put(data, device))


@functools.cache
def _sharding(device: Device):
    return jax.sharding.SingleDeviceSharding(device.in_jax)


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


def from_dlpack(source) -> DeviceTensor:
    """A copy of an array of another library that is on a device."""
    devices.start_using_devices()
    with xla.exact_types():
        return DeviceTensor(jax.numpy.copy(jax.dlpack.from_dlpack(source)))


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
        arrays = [x._data if type(x) is DeviceTensor else _beside(x._data, inputs) for x in inputs]
        try:
            run = self._programs[(prim, *params.values())]
        except (KeyError, TypeError):
            run = self._program(prim, params)
        try:
            with xla.exact_types():
                data = run(*arrays)
        except MakesLarge as found:
            data = self._after_asking(found.program, prim, inputs, params, arrays)
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
        run = OpProgram(prim, kernel, params).run
        self._keep(prim, params, run)
        return run

    def _keep(self, prim: Primitive, params: dict, run: Callable) -> None:
        with contextlib.suppress(TypeError):  # a parameter that cannot be a key
            self._programs[(prim, *params.values())] = run

    def _after_asking(self, program: OpProgram, prim, inputs, params: dict, arrays: list):
        """The results of a program that makes something large: from now on it asks for room."""
        self._keep(prim, params, program)
        try:
            with xla.exact_types():
                return program(*arrays)
        except Exception as error:
            return self._recover(prim, inputs, params, program, error)

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
        if any(type(x) is DeviceTensor and x._is_spread() for x in inputs):
            from gradtape.engine.mesh import together

            with xla.exact_types():
                return run(*together([x._data for x in inputs]))
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


EAGER = Eager()
DeviceTensor._interpreter = EAGER  # type: ignore[attr-defined]
