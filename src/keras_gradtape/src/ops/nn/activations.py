"""Activations."""

from __future__ import annotations

from gradtape import ops
from gradtape.api.math import elementwise
from gradtape.api.nn import nn
from keras_gradtape.src.conversion import convert_to_tensor
from keras_gradtape.src.promotion import adapt, inexact, unary

__all__ = [
    "celu",
    "elu",
    "gelu",
    "glu",
    "hard_shrink",
    "hard_sigmoid",
    "hard_silu",
    "hard_tanh",
    "leaky_relu",
    "log_sigmoid",
    "log_softmax",
    "relu",
    "relu6",
    "selu",
    "sigmoid",
    "silu",
    "soft_shrink",
    "softmax",
    "softplus",
    "softsign",
    "sparse_plus",
    "sparse_sigmoid",
    "sparsemax",
    "squareplus",
    "tanh",
    "tanh_shrink",
    "threshold",
]

relu = unary(ops.relu)
relu6 = unary(ops.relu6)
sigmoid = unary(ops.sigmoid, inexact)
tanh = unary(ops.tanh, inexact)
softplus = unary(ops.softplus, inexact)
softsign = unary(elementwise.softsign, inexact)
silu = unary(ops.silu, inexact)
log_sigmoid = unary(ops.log_sigmoid, inexact)
selu = unary(elementwise.selu, inexact)


@adapt
def leaky_relu(x, negative_slope=0.2):
    """Return x where it is positive, else a fraction of it."""
    return ops.leaky_relu(inexact(x), negative_slope)


def elu(x, alpha=1.0):
    """Return x where it is positive, else alpha (e^x - 1)."""
    return ops.elu(inexact(x), alpha)


def celu(x, alpha=1.0):
    """Return x where it is positive, else alpha (e^(x/alpha) - 1)."""
    return ops.elu(inexact(x) / alpha) * alpha


def gelu(x, approximate=True):
    """Return x times the normal distribution function of x."""
    return elementwise.gelu(inexact(x), approximate)


def glu(x, axis=-1):
    """Return the first half of x along an axis, gated by the second."""
    x = inexact(x)
    size = x.shape[axis]
    if size % 2:
        raise ValueError(
            f"`axis` must be an axis of even size to be split in half. Received: x.shape="
            f"{tuple(x.shape)}, axis={axis}"
        )
    value, gate = ops.split(x, (size // 2, size // 2), ops.normalize_axis("glu", axis, x.ndim))
    return value * ops.sigmoid(gate)


def hard_sigmoid(x):
    """Return 0 up to -3, 1 from 3 on, and a straight line between."""
    return ops.relu6(inexact(x) + 3.0) * (1 / 6)


def hard_silu(x):
    """Return x times its hard sigmoid."""
    x = inexact(x)
    return x * hard_sigmoid(x)


def hard_tanh(x):
    """Clip x to [-1, 1]."""
    return ops.clip(convert_to_tensor(x), -1, 1)


def tanh_shrink(x):
    """Return x - tanh(x)."""
    x = inexact(x)
    return x - ops.tanh(x)


def soft_shrink(x, threshold=0.5):
    """Move x toward 0 by a threshold (soft shrinkage); elements within it become 0."""
    x = inexact(x)
    low = ops.where(ops.less(x, -threshold), x + threshold, ops.zeros_like(x))
    return ops.where(ops.greater(x, threshold), x - threshold, low)


def hard_shrink(x, threshold=0.5):
    """Set elements within a threshold of 0 to 0 (hard shrinkage)."""
    x = inexact(x)
    return ops.where(ops.greater(ops.abs(x), threshold), x, ops.zeros_like(x))


def threshold(x, threshold, default_value):
    """Return x where it is above a threshold, else a default."""
    x = convert_to_tensor(x)
    return ops.where(ops.greater(x, threshold), x, default_value)


def squareplus(x, b=4):
    """Return (x + sqrt(x² + b)) / 2, a smooth relu."""
    x = inexact(x)
    return (x + ops.sqrt(ops.square(x) + b)) * 0.5


def sparse_plus(x):
    """Return 0 up to -1, x from 1 on, and a parabola between."""
    x = inexact(x)
    curve = ops.square(x + 1) * 0.25
    right = ops.where(ops.greater_equal(x, 1), x, curve)
    return ops.where(ops.less_equal(x, -1), ops.zeros_like(x), right)


def sparse_sigmoid(x):
    """Return 0 up to -1, 1 from 1 on, and a straight line between."""
    return ops.clip(inexact(x) + 1, 0.0, 2.0) * 0.5


# --- along an axis --------------------------------------------------------------------------------


def _over(compute, x, axis):
    """Return a function along one axis, or of all elements together."""
    x = inexact(x)
    if axis is None:
        return ops.reshape(compute(ops.reshape(x, (-1,)), -1), x.shape)
    return compute(x, axis)


def softmax(x, axis=-1):
    """Return exp(x), scaled to sum to one along an axis."""
    return _over(nn.softmax, x, axis)


def log_softmax(x, axis=-1):
    """Return the logarithm of softmax."""
    return _over(nn.log_softmax, x, axis)


def sparsemax(x, axis=-1):
    """Return the nearest point to x whose parts are not negative and sum to one."""
    x = inexact(x)
    axis = ops.normalize_axis("sparsemax", axis, x.ndim)
    falling = ops.sort(x, axis, "DESCENDING")
    sums = ops.cumsum(falling, axis)
    shape = [1] * x.ndim
    shape[axis] = x.shape[axis]
    count = ops.reshape(ops.arange(1, x.shape[axis] + 1, 1, x.dtype), shape)
    # The parts that stay positive are the largest ones: as long as each exceeds the threshold.
    stays = ops.greater(1 + count * falling, sums)
    size = ops.reduce_sum(ops.cast(stays, x.dtype), axis, keepdims=True)
    total = ops.reduce_sum(ops.where(stays, falling, ops.zeros_like(falling)), axis, keepdims=True)
    return ops.relu(x - (total - 1) / size)
