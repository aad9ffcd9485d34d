"""`tf.experimental.numpy.random`: NumPy's older functions, drawn from TensorFlow's sequences."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape.api.random import draws as tf_random
from gradtape.api.tf_numpy.promotion import asarray, default_float, numpy_name, result_type
from gradtape.backends.broadcasting import broadcast_shapes
from gradtape.core import dtypes
from gradtape.core.convert import static_int, static_ints
from gradtape.core.tensor import Tensor


@numpy_name("random.seed")
def seed(s) -> None:
    """Set the global seed."""
    try:
        number = static_int(s, "random.seed: s")
    except TypeError as error:
        raise ValueError(str(error)) from None
    tf_random.set_seed(number)


def _sizes(size) -> tuple[int, ...]:
    return () if size is None else tuple(static_ints(size))


@numpy_name("random.standard_normal")
def standard_normal(size=None) -> Tensor:
    """Return normal numbers."""
    return tf_random.normal(_sizes(size), dtype=default_float())


@numpy_name("random.randn")
def randn(*args) -> Tensor:
    """Return normal numbers of this shape."""
    return standard_normal(args)


@numpy_name("random.uniform")
def uniform(low: Any = 0.0, high: Any = 1.0, size=None) -> Tensor:
    """Return numbers from low to below high."""
    dtype = default_float()
    low, high = (asarray(bound, dtype) for bound in (low, high))
    if size is None:
        size = broadcast_shapes(tuple(low.shape), tuple(high.shape))
    return tf_random.uniform(_sizes(size), low, high, dtype)


@numpy_name("random.random")
def random(size=None) -> Tensor:
    """Return numbers from 0 to below 1."""
    return uniform(0.0, 1.0, size)


@numpy_name("random.rand")
def rand(*size) -> Tensor:
    """Return numbers from 0 to below 1, of this shape."""
    return uniform(0.0, 1.0, size)


@numpy_name("random.randint")
def randint(low, high=None, size=None, dtype=np.int64) -> Tensor:
    """Return integers from low to below high, or from 0 to below low."""
    low = static_int(low, "random.randint: low")
    low, high = (0, low) if high is None else (low, high)
    wanted = result_type(dtype)
    if wanted.name not in ("int32", "int64"):
        raise ValueError(f"random.randint: dtype must be int32 or int64, got {dtype!r}.")
    return tf_random.uniform(_sizes(size), low, high, wanted)


@numpy_name("random.poisson")
def poisson(lam=1.0, size=None) -> Tensor:
    """Draw numbers of events from a Poisson distribution with mean lam."""
    return tf_random.poisson(_sizes(size), lam, dtype=dtypes.int64)
