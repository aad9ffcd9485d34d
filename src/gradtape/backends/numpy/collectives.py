"""Collectives of values that are the same in all replicas; sharding, which the host ignores."""

from __future__ import annotations

import numpy as np


def all_reduce(*xs, replicas: int):
    return xs if replicas == 1 else tuple([x * x.dtype.type(replicas) for x in xs])


def all_gather(x, replica, axis: int, replicas: int):
    return np.concatenate([x] * replicas, axis)


KERNELS = {
    "all_gather": all_gather,
    "all_reduce": all_reduce,
    "with_sharding": lambda x, mesh, axes: x,
}
