"""`tf.raw_ops`: the few ops without a public function that libraries call."""

from __future__ import annotations

import math
from collections import namedtuple
from typing import Any, NamedTuple

import numpy as np

from gradtape import ops
from gradtape.api.export import export, lookup
from gradtape.core import dtypes
from gradtape.core.size import is_open
from gradtape.core.tensor import Tensor
from gradtape.ops.random import gamma_slope


@export("raw_ops.IgammaGradA")
def igamma_grad_a(*, a, x, name=None) -> Tensor:
    """Return the derivative of igamma(a, x) with respect to a."""
    return ops.igamma_by_a(ops.to_tensor(a), ops.to_tensor(x), 1)


@export("raw_ops.RandomGammaGrad")
def random_gamma_grad(*, alpha, sample, name=None) -> Tensor:
    """Return the derivative of gamma samples with respect to their shape parameter."""
    alpha, sample = ops.to_tensor(alpha), ops.to_tensor(sample)
    shape = lookup("broadcast_static_shape")(alpha.shape, sample.shape)
    return gamma_slope(ops.broadcast_to(alpha, shape), ops.broadcast_to(sample, shape))


class BroadcastGradientArgs(NamedTuple):
    """The axes over which the gradients of two broadcast tensors are summed."""

    r0: Tensor
    r1: Tensor


@export("raw_ops.BroadcastGradientArgs")
def broadcast_gradient_args(*, s0, s1, name=None) -> BroadcastGradientArgs:
    """Return over which axes the gradients of tensors of two shapes are to be summed."""
    first, second = (ops.static_ints(s, "BroadcastGradientArgs") for s in (s0, s1))
    kind = np.int64 if getattr(s0, "dtype", None) is dtypes.int64 else np.int32
    rank = max(len(first), len(second))
    a, b = [1] * (rank - len(first)) + first, [1] * (rank - len(second)) + second
    for n, m in zip(a, b, strict=True):
        if n != m and 1 not in (n, m):
            raise ValueError(f"BroadcastGradientArgs: incompatible shapes: {first} vs. {second}")

    def axes(one: list[int], other: list[int]) -> Tensor:
        hit = [i for i in range(rank) if one[i] == 1 and (other[i] != 1 or first != second)]
        return Tensor(np.asarray(hit, kind))

    return BroadcastGradientArgs(axes(a, b), axes(b, a))


@export("raw_ops.MatrixDiagPartV2")
def matrix_diag_part_v2(*, input, k, padding_value, name=None) -> Tensor:
    """Return diagonals of matrices."""
    return lookup("linalg.diag_part")(input, k=k, padding_value=padding_value)


# Unique values along an axis, the index of each value among them, and how often each is.
UniqueWithCountsV2 = namedtuple("UniqueWithCountsV2", ("y", "idx", "count"))


@export("raw_ops.UniqueWithCountsV2")
def unique_with_counts_v2(*, x, axis, out_idx=dtypes.int32, name=None) -> UniqueWithCountsV2:
    """Return the unique slices of a tensor along an axis, in the order in which they come."""
    x = ops.to_tensor(x)
    axes = ops.static_ints(axis, "UniqueWithCountsV2: 'axis'")
    along = axes[0] if axes else 0
    _, first, inverse, count = np.unique(
        x.numpy(), return_index=True, return_inverse=True, return_counts=True, axis=along
    )
    order = np.argsort(first, kind="stable")  # of appearance, not of size
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    kind = dtypes.as_dtype(out_idx).as_numpy_dtype
    y = lookup("gather")(x, np.asarray(first[order]), axis=along)
    index = rank[np.reshape(inverse, -1)].astype(kind)
    return UniqueWithCountsV2(y, Tensor(index), Tensor(count[order].astype(kind)))


@export("raw_ops.ResourceApplyGradientDescent")
def resource_apply_gradient_descent(*, var, alpha, delta, use_locking=False, name=None) -> None:
    """Take one step down a gradient: var -= alpha * delta."""
    var.assign_sub(alpha * ops.to_tensor(delta))


class FusedBatchNormV2(NamedTuple):
    """The normalized tensor, the statistics for a moving average, and those of the gradient."""

    y: Tensor
    batch_mean: Tensor
    batch_variance: Tensor
    reserve_space_1: Tensor
    reserve_space_2: Tensor


def _without_bias(count: Any, dtype: dtypes.DType) -> Any:
    """Return the factor from the variance of so many numbers to one without bias."""
    if not is_open(count):
        return count / max(count - 1, 1)
    factor = ops.cast(count, dtypes.float64) / ops.cast(ops.maximum(count - 1, 1), dtypes.float64)
    return ops.cast(factor, dtype)


@export("raw_ops.FusedBatchNormV2")
def fused_batch_norm_v2(
    *,
    x,
    scale,
    offset,
    mean,
    variance,
    epsilon=0.0001,
    data_format="NHWC",
    is_training=True,
    name=None,
) -> FusedBatchNormV2:
    """Normalize each channel, in training by the statistics of the batch, whose variance is
    returned without bias."""
    x, scale = ops.to_tensor(x), ops.to_tensor(scale)
    channels = 1 if str(data_format).startswith("NC") else x.ndim - 1
    others = [axis for axis in range(x.ndim) if axis != channels]
    shape = [-1 if axis == channels else 1 for axis in range(x.ndim)]
    wide = ops.cast(x, scale.dtype)
    if is_training:
        mean, biased = lookup("nn.moments")(wide, others)
        count = math.prod([x.shape[axis] for axis in others])
        variance = biased * _without_bias(count, biased.dtype)
    else:
        mean, variance = ops.to_tensor(mean), ops.to_tensor(variance)
        biased = variance
    mean_, biased_, scale_, offset_ = (
        ops.reshape(ops.to_tensor(each), shape) for each in (mean, biased, scale, offset)
    )
    y = lookup("nn.batch_normalization")(wide, mean_, biased_, offset_, scale_, epsilon)
    return FusedBatchNormV2(ops.cast(y, x.dtype), mean, variance, mean, biased)
