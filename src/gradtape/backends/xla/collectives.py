"""Collectives over the axis of a mesh that has the replicas.

XLA chooses how they are done on the devices at hand, joins small ones, and lets them overlap with
the computation that does not need them.
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


def laid_out(x, mesh, axes: tuple):
    if mesh is None:
        return x
    return lax.with_sharding_constraint(x, NamedSharding(mesh, PartitionSpec(*axes)))


def over_replicas(function: Callable, mesh, split, stacked) -> Callable:
    """A function on each device of a mesh: of its row of what is `split`, and all of the rest."""

    def parts(which) -> tuple:
        return tuple([PartitionSpec(AXIS) if is_part else PartitionSpec() for is_part in which])

    # What is the same in all replicas is known from the graph: JAX need not find out.
    return _shard_map(function, mesh=mesh, in_specs=parts(split), out_specs=parts(stacked))


KERNELS = {
    "all_gather": all_gather,
    "all_reduce": all_reduce,
    "laid_out": laid_out,
}
