"""Arrays on several devices: transfers to them, and the variables that stay there."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from gradtape import ops
from gradtape.backends.xla.require import jax
from gradtape.backends.xla.runtime import device as devices
from gradtape.backends.xla.runtime.tensor import DeviceTensor
from gradtape.backends.xla.runtime.transfer import spread
from gradtape.backends.xla.runtime.variable import DeviceVariable
from gradtape.core.bind import notify
from gradtape.core.convert import READERS
from gradtape.core.primitive import PRIMITIVES
from gradtape.core.state import get_state
from gradtape.core.tensor import Tensor

# [0], in a job of several processes: a context for joint computations, in which the loss of a
# process is detected.
GUARDS: list[Callable[[], AbstractContextManager]] = []
_UNGUARDED = nullcontext()


def guarded() -> AbstractContextManager:
    """Return a context for computations by all devices of a mesh together."""
    return GUARDS[0]() if GUARDS else _UNGUARDED


def is_on_mesh(array) -> bool:
    """Return whether an array is a JAX array on more than one device."""
    return isinstance(array, jax.Array) and len(array.sharding.device_set) > 1


def local(array):
    """Return the copy on this process's first device, if the array is fully replicated."""
    if is_on_mesh(array) and array.is_fully_replicated:
        return array.addressable_data(0)
    return array


def together(arrays: list) -> list:
    """Move arrays to the mesh that one of them is on."""
    mesh = next(x.sharding.mesh for x in arrays if is_on_mesh(x))
    everywhere = jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec())
    return [x if is_on_mesh(x) else spread(x, everywhere) for x in arrays]


def sharding_of(mesh, axes: tuple):
    """Return the sharding of an array whose axes are divided over these axes of a mesh."""
    return jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec(*axes))


def moved(x: Any, mesh, axes: tuple) -> Any:
    """Move a tensor to the devices of a mesh; gradients flow through."""
    if type(x) is not Tensor and type(x) is not DeviceTensor:
        return ops.with_sharding(x, mesh, axes)  # in a function being traced, or in vmap
    devices.start_using_devices()
    devices.apply_options()
    sharding = sharding_of(mesh, axes)
    if is_on_mesh(x._data) and x._data.sharding.is_equivalent_to(sharding, x._data.ndim):
        return x
    result = DeviceTensor(spread(x._data, sharding))
    notify(get_state(), PRIMITIVES["identity"], (x,), {}, result)
    return result


class MeshVariable(DeviceVariable):
    """A variable on several devices: sharded, or replicated on each of them."""

    __slots__ = ()

    def _array_for(self, value):
        return self._with_sharding(value, self._data.sharding)

    def _with_sharding(self, value, sharding):
        if type(value) is not Tensor and type(value) is not DeviceTensor:
            raise value._leaked()
        data = value._data
        if is_on_mesh(data) and data.sharding.is_equivalent_to(sharding, data.ndim):
            return data
        return spread(data, sharding)

    def _is_unshared(self) -> bool:
        """Return whether nobody shares the memory by other means than the array.

        Who holds the array, `run_over` finds; here only the variable's own reference goes.
        """
        self._snapshot = None
        return True

    def _update(self, op, kernel, delta, what: str) -> None:
        # By assigning the sum, which keeps the variable's sharding.
        super(DeviceVariable, self)._update(op, kernel, delta, what)

    def _change(self, update: ops.Update):
        return super(DeviceVariable, self)._change(update)


READERS[MeshVariable] = MeshVariable.__tf_tensor__
