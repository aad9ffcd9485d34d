"""Pooling over windows, and to a given size."""

from __future__ import annotations

import numpy as np
from keras.src.backend.config import standardize_data_format

from gradtape import ops
from gradtape.api.nn import pooling
from gradtape.core.tensor import Tensor
from keras_gradtape.src.conversion import convert_to_tensor
from keras_gradtape.src.ops.nn.convolution import LAYOUTS

__all__ = ["adaptive_average_pool", "adaptive_max_pool", "average_pool", "max_pool"]


def _pool(compute, inputs, pool_size, strides, padding, data_format):
    inputs = convert_to_tensor(inputs)
    if padding not in ("same", "valid"):
        raise ValueError(f"Invalid padding '{padding}', must be 'same' or 'valid'.")
    layout = LAYOUTS[standardize_data_format(data_format)][inputs.ndim - 2]
    strides = pool_size if strides is None else strides
    return compute(inputs, pool_size, strides, padding.upper(), layout)


def max_pool(inputs, pool_size, strides=None, padding="valid", data_format=None):
    """Return the largest element of every window."""
    return _pool(pooling.max_pool, inputs, pool_size, strides, padding, data_format)


def average_pool(inputs, pool_size, strides=None, padding="valid", data_format=None):
    """Return the mean of every window; padding does not count."""
    return _pool(pooling.avg_pool, inputs, pool_size, strides, padding, data_format)


# --- to a given size ------------------------------------------------------------------------------


def _windows(size: int, count: int):
    """Return the first and the end of each of `count` windows that cover an axis."""
    steps = np.arange(count)
    return steps * size // count, -(-(steps + 1) * size // count)


def _adaptive(reduce, inputs, output_size, data_format):
    inputs = convert_to_tensor(inputs)
    rank = inputs.ndim - 2
    if rank not in (1, 2, 3):
        raise ValueError("Adaptive pooling supports only 1D/2D/3D inputs")
    sizes = (output_size,) * rank if isinstance(output_size, int) else tuple(output_size)
    first = 1 if standardize_data_format(data_format) == "channels_last" else 2
    for axis, count in enumerate(sizes, first):
        if count != inputs.shape[axis]:
            inputs = reduce(inputs, axis, *_windows(inputs.shape[axis], count))
    return inputs


def _means(x, axis: int, starts, ends):
    positions = np.arange(x.shape[axis])
    inside = (positions >= starts[:, None]) & (positions < ends[:, None])
    weights = inside / (ends - starts)[:, None]
    weights = Tensor(weights.astype(x.dtype.as_numpy_dtype))
    return ops.moveaxis(ops.tensordot(x, weights, [[axis], [1]]), -1, axis)


def _maxima(x, axis: int, starts, ends):
    # Windows differ in size by one: a shorter one has its last element twice.
    longest = int((ends - starts).max())
    positions = np.minimum(starts[:, None] + np.arange(longest), ends[:, None] - 1)
    return ops.reduce_max(ops.gather(x, positions.astype(np.int32), axis), axis + 1)


def adaptive_average_pool(inputs, output_size, data_format=None):
    """Return means of windows, so many that the output has a given size."""
    return _adaptive(_means, inputs, output_size, data_format)


def adaptive_max_pool(inputs, output_size, data_format=None):
    """Return maxima of windows, so many that the output has a given size."""
    return _adaptive(_maxima, inputs, output_size, data_format)
