"""Arguments that the stateful and the stateless draws of `tf.random` share."""

from __future__ import annotations

import numpy as np

from gradtape import ops
from gradtape.api.random.generator import (
    COUNTS,
    INTEGERS,
    check_dtype,
)
from gradtape.core import dtypes
from gradtape.core.convert import static_int, static_value, to_tensor
from gradtape.core.dtypes import as_dtype
from gradtape.core.errors import DTypeError, ShapeError
from gradtape.ops.families import broadcast_shapes


def uniform_dtype(dtype, allowed):
    dtype = as_dtype(dtype)
    if dtype not in allowed:
        raise ValueError(
            f"Argument `dtype` got invalid value {dtype!r}. Accepted dtypes are "
            f"{', '.join(d.name for d in allowed)}."
        )
    return dtype


def permute(value, state):
    # Along the second axis, so that the gradient of the rows is a dense tensor.
    rows = ops.random_permutation(state, value.shape[0])
    return ops.gather(ops.expand_dims(value, 0), rows, 1)[0]


def categorical_arguments(op: str, logits, num_samples, dtype):
    logits = to_tensor(logits)
    dtype = dtypes.int64 if dtype is None else as_dtype(dtype)
    if dtype not in INTEGERS:
        raise ValueError(
            f"Argument `dtype` got invalid value {dtype!r}. Accepted dtypes are int32, int64."
        )
    if not logits.dtype.is_floating:
        raise DTypeError(
            f"{op}: logits must be floating, got a tensor of dtype {logits.dtype.name} and shape "
            f"{logits.shape}. Convert it with tf.cast. [Op:{op}]"
        )
    if logits.ndim != 2:
        raise ShapeError(
            f"{op}: logits should be a matrix, got shape {list(logits.shape)}. [Op:{op}]"
        )
    samples = np.asarray(static_value(num_samples))
    if samples.ndim:
        raise ShapeError(
            f"{op}: num_samples should be a scalar, got shape {list(samples.shape)}. [Op:{op}]"
        )
    if samples < 0:
        raise ShapeError(f"{op}: num_samples should be non-negative, got {samples}. [Op:{op}]")
    if not logits.shape[1]:
        raise ShapeError(f"{op}: num_classes should be positive, got 0. [Op:{op}]")
    return logits, static_int(samples), dtype.dtype


def gamma_arguments(op: str, alpha, beta, dtype):
    dtype = as_dtype(dtype)
    alpha, beta = to_tensor(alpha, dtype), to_tensor(1 if beta is None else beta, dtype)
    check_dtype(op, dtype, (dtypes.float16, dtypes.float32, dtypes.float64))
    shape = broadcast_shapes(op, tuple(alpha.shape), tuple(beta.shape))
    return ops.broadcast_to(alpha, shape), beta


def scaled_gamma(state, alpha, beta, samples: int, shape: tuple[int, ...]):
    drawn = ops.reshape(ops.random_gamma(state, alpha, samples), shape)
    smallest = float(np.finfo(drawn.dtype.as_numpy_dtype).tiny)
    return ops.maximum(smallest, drawn / beta)


def poisson_rate(op: str, lam, scalar_dtype):
    # TensorFlow reads a lone Python number in another dtype than a list of them.
    is_number = isinstance(lam, (int, float)) and not isinstance(lam, np.generic)
    rate = to_tensor(lam, scalar_dtype if is_number else None)
    if rate.dtype not in COUNTS:
        raise DTypeError(
            f"{op}: lam must be float16, float32, float64, int32 or int64, got a tensor of dtype "
            f"{rate.dtype.name} and shape {rate.shape}. [Op:{op}]"
        )
    return rate
