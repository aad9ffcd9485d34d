"""Arrays on several devices: how they get there, and the variables that stay there."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from sys import getrefcount
from typing import Any

import numpy as np

from gradtape import ops
from gradtape.backends import xla
from gradtape.backends.xla.require import jax
from gradtape.core.convert import READERS
from gradtape.core.primitive import PRIMITIVES
from gradtape.core.state import get_state
from gradtape.core.tensor import Tensor
from gradtape.engine import device as devices
from gradtape.engine.device_tensor import DeviceTensor
from gradtape.engine.device_variable import DeviceVariable

# [0], in a job of several processes: a context for what they compute together, in which the loss of
# one of them is noticed.
GUARDS: list[Callable[[], AbstractContextManager]] = []
_UNGUARDED = nullcontext()


def guarded() -> AbstractContextManager:
    """A context for what is computed by all devices of a mesh together."""
    return GUARDS[0]() if GUARDS else _UNGUARDED


def is_on_mesh(array) -> bool:
    """Whether an array is one of JAX's, on more than one device."""
    return isinstance(array, jax.Array) and len(array.sharding.device_set) > 1


def spread(array, sharding):
    """A copy of an array (NumPy's or JAX's) on the devices of a sharding.

    Where these belong to several processes, each of them calls this with the same array.
    """
    with xla.exact_types():
        if sharding.is_fully_addressable:
            # A copy even where the array is on one of the devices: a program may write over it.
            return jax.device_put(array, sharding, may_alias=False)
        if isinstance(array, jax.Array) and not array.is_fully_addressable:
            return jax.jit(_itself, out_shardings=sharding)(array)
        values = np.asarray(array)
        return jax.make_array_from_callback(values.shape, sharding, lambda index: values[index])


def _itself(x):
    return x


def local(array):
    """The copy of an array on this process's first device, where each device has the whole."""
    if is_on_mesh(array) and array.is_fully_replicated:
        return array.addressable_data(0)
    return array


def together(arrays: list) -> list:
    """Arrays of which one is on a mesh, all on that mesh."""
    mesh = next(x.sharding.mesh for x in arrays if is_on_mesh(x))
    everywhere = jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec())
    return [x if is_on_mesh(x) else spread(x, everywhere) for x in arrays]


def sharding_of(mesh, axes: tuple):
    """How an array is divided whose axes are divided over these axes of a mesh."""
    return jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec(*axes))


def moved(x: Any, mesh, axes: tuple) -> Any:
    """A tensor on the devices of a mesh; derivatives go through."""
    if type(x) is not Tensor and type(x) is not DeviceTensor:
        return ops.laid_out(x, mesh, axes)  # in a function being traced, or in vmap
    devices.start_using_devices()
    devices.apply_options()
    sharding = sharding_of(mesh, axes)
    if is_on_mesh(x._data) and x._data.sharding.is_equivalent_to(sharding, x._data.ndim):
        return x
    found = DeviceTensor(spread(x._data, sharding))
    state = get_state()
    for listener in state.tapes:
        listener.record(PRIMITIVES["identity"], (x,), {}, found)
    for listener in state.accumulators:
        listener.push(PRIMITIVES["identity"], (x,), {}, found)
    return found


class MeshVariable(DeviceVariable):
    """A variable on several devices: in parts, or with the whole on each of them."""

    __slots__ = ()

    def _stored(self, value):
        return self._laid_out(value, self._data.sharding)

    def _laid_out(self, value, sharding):
        if type(value) is not Tensor and type(value) is not DeviceTensor:
            raise value._leaked()
        data = value._data
        if is_on_mesh(data) and data.sharding.is_equivalent_to(sharding, data.ndim):
            return data
        return spread(data, sharding)

    def _is_held_once(self) -> bool:
        """Whether a program may write over the array."""
        self._snapshot = None
        return getrefcount(self._data) == 2

    def _update(self, op, in_place: Callable, delta, what: str) -> None:
        # By assigning the sum, which settles where it goes.
        super(DeviceVariable, self)._update(op, in_place, delta, what)


READERS[MeshVariable] = MeshVariable.__tf_tensor__
