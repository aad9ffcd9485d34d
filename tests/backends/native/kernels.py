"""What the tests of native kernels share: the two kernels of a primitive, and comparisons."""

from __future__ import annotations

import contextlib

import numpy as np
import pytest

from gradtape.backends import numpy as numpy_backend
from gradtape.backends.native import kernels as native

needs_extension = pytest.mark.skipif(
    native.extension is None, reason="the native extension is not built, or left out"
)


class Declined(Exception):
    """A native kernel handed its arguments on."""


def _decline(*arrays, **params):
    raise Declined


def native_kernel(name: str):
    """The native kernel alone: `Declined` for what it leaves to NumPy's."""
    return native.extension.kernel(name, _decline)


def numpy_kernel(name: str):
    return numpy_backend.kernel(name)


@contextlib.contextmanager
def threads(number: int):
    """Run with this many threads."""
    before = native.extension.num_threads()
    native.extension.set_num_threads(number)
    try:
        yield
    finally:
        native.extension.set_num_threads(before)


def ulps(y, exact) -> np.ndarray:
    """How far float32 results lie from float64 ones, in units of the last place."""
    y, exact = np.asarray(y, np.float32), np.asarray(exact, np.float64)
    with np.errstate(all="ignore"):
        near = exact.astype(np.float32)
        unit = np.spacing(np.minimum(np.abs(near), np.finfo(np.float32).max)).astype(np.float64)
        distance = np.abs(y.astype(np.float64) - exact) / unit
    same = (y == near) | (np.isnan(y) & np.isnan(near))
    # Where the exact result rounds to an infinity, so must y; one unit below it is allowed.
    return np.where(same, np.minimum(np.nan_to_num(distance, nan=0, posinf=0), 0.5), distance)


def every_exponent(per_exponent: int = 2000, seed: int = 0) -> np.ndarray:
    """Numbers of every exponent and both signs, and all that is special."""
    random = np.random.default_rng(seed)
    exponents = np.repeat(np.arange(256, dtype=np.uint32), per_exponent)
    bits = (exponents << 23) | random.integers(0, 2**23, exponents.size, dtype=np.uint32)
    bits |= random.integers(0, 2, exponents.size, dtype=np.uint32) << 31
    special = np.array(
        [0.0, -0.0, np.inf, -np.inf, np.nan, 1, -1, 2**-149, -(2**-149), 2**-126, 3.4e38, -3.4e38],
        np.float32,
    )
    return np.concatenate([bits.view(np.float32), special])
