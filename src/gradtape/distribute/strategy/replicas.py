"""The devices of a strategy as a mesh, and arrays on it. This module imports JAX."""

from __future__ import annotations

import functools
import importlib

import numpy as np

from gradtape.backends.xla import kernels as xla
from gradtape.backends.xla.kernels.collectives import AXIS
from gradtape.backends.xla.require import jax
from gradtape.backends.xla.runtime import device as devices
from gradtape.backends.xla.runtime.mesh import is_on_mesh, local
from gradtape.backends.xla.runtime.tensor import DeviceTensor
from gradtape.backends.xla.runtime.transfer import shown, spread, spread_part
from gradtape.core.tensor import Tensor
from gradtape.graph.per_replica import PerReplica

_Partition = jax.sharding.PartitionSpec


class Replicas:
    """A replica on each of some devices, which may belong to several processes."""

    def __init__(self, where: list) -> None:
        devices.start_using_devices()
        devices.apply_options()
        self.mesh = jax.sharding.Mesh(np.array(where), (AXIS,))
        self.count = len(where)
        mine = jax.process_index()
        self.own = [i for i, device in enumerate(where) if device.process_index == mine]
        self.whole = jax.sharding.NamedSharding(self.mesh, _Partition())
        self.split = jax.sharding.NamedSharding(self.mesh, _Partition(AXIS))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of this process's devices."""
        kinds = {"cpu": "CPU", "gpu": "GPU", "cuda": "GPU", "rocm": "GPU", "tpu": "TPU"}
        results = [self.mesh.devices.flat[i] for i in self.own]
        return tuple(
            f"/job:localhost/replica:0/task:0/device:{kinds.get(d.platform, d.platform)}:{i}"
            for i, d in enumerate(results)
        )

    def stacked(self, rows) -> PerReplica:
        """Return rows for this process's replicas (an array, or a list of alike ones) as one
        value."""
        if isinstance(rows, list):
            rows = np.stack([x._host_data() if isinstance(x, Tensor) else x for x in rows])
        if len(self.own) == self.count:
            stack = spread(rows, self.split)
        else:
            stack = spread_part(rows, self.split, (self.count, *rows.shape[1:]))
        return PerReplica(DeviceTensor(stack), self.count)

    def repeated(self, value):
        """Return a stack in which every row is the value (an array)."""
        shape = (self.count, *np.shape(value))
        if is_on_mesh(value):
            return xla.exactly(_broadcast(shape, self.split), value)
        rows = np.broadcast_to(shown(value), (len(self.own), *shape[1:]))
        return self.stacked(np.ascontiguousarray(rows)).stack._data

    def everywhere(self, value):
        """Return an array on every device."""
        return spread(value, self.whole)

    def combined(self, stack, how: str):
        """Return the rows of a stack in one, on this process's first device: sum, mean, or the
        first."""
        return local(xla.exactly(_combine(how, (0,), self.whole), stack))

    def reduced(self, stack: DeviceTensor, how: str, parameter) -> DeviceTensor:
        """Return the sum or mean of a stack along axes, or its rows joined along one."""
        return DeviceTensor(local(xla.exactly(_combine(how, parameter, self.whole), stack._data)))


def from_first_process(value):
    """Return the value (an array) that process 0 has; all processes call this."""
    if jax.process_count() == 1:
        return value
    tools = importlib.import_module("jax.experimental.multihost_utils")
    return np.asarray(xla.exactly(tools.broadcast_one_to_all, np.asarray(value)))


def from_all_processes(sharding, array):
    """Return the array of all processes of which each has its part."""
    return spread_part(array, sharding)


@functools.cache
def _broadcast(shape, sharding):
    return jax.jit(lambda x: jax.numpy.broadcast_to(x, shape), out_shardings=sharding)


@functools.cache
def _combine(how: str, parameter, sharding):
    def joined(x):
        shape = list(x.shape)[1:]
        shape[parameter] *= x.shape[0]
        return jax.numpy.moveaxis(x, 0, parameter).reshape(shape)

    functions = {
        "sum": lambda x: jax.numpy.sum(x, parameter, dtype=x.dtype),
        "mean": lambda x: jax.numpy.mean(x, parameter).astype(x.dtype),
        "first": lambda x: x[0],
        "joined": joined,
    }
    return jax.jit(functions[how], out_shardings=sharding)
