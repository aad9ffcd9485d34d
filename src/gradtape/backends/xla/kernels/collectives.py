"""Collectives over the mesh axis of the replicas.

XLA chooses their algorithms for the devices at hand, merges small ones, and overlaps them with
independent computation.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import jax
from jax import lax
from jax.sharding import NamedSharding, PartitionSpec

_shard_map: Callable
if hasattr(jax, "shard_map"):
    _shard_map = partial(jax.shard_map, check_vma=False)
else:  # older versions have it elsewhere
    from jax.experimental.shard_map import shard_map

    _shard_map = partial(shard_map, check_rep=False)

AXIS = "replica"  # what the axis is called inside `jax.shard_map`


def all_reduce(*xs, replicas: int):
    return xs if replicas == 1 else tuple(lax.psum(xs, AXIS))


def all_gather(x, replica, axis: int, replicas: int):
    return x if replicas == 1 else lax.all_gather(x, AXIS, axis=axis, tiled=True)


def with_sharding(x, mesh, axes: tuple):
    if mesh is None:
        return x
    return lax.with_sharding_constraint(x, NamedSharding(mesh, PartitionSpec(*axes)))


def over_replicas(function: Callable, mesh, split, stacked) -> Callable:
    """Map a function over the devices of a mesh.

    Each device gets its row of the inputs in `split` and all of the others; results in `stacked`
    have a row from each device.
    """

    def parts(which) -> tuple:
        return tuple([PartitionSpec(AXIS) if is_part else PartitionSpec() for is_part in which])

    # The graph says what is the same in all replicas: JAX need not check.
    return _shard_map(function, mesh=mesh, in_specs=parts(split), out_specs=parts(stacked))


KERNELS = {
    "all_gather": all_gather,
    "all_reduce": all_reduce,
    "with_sharding": with_sharding,
}
