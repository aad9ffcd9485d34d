"""Rounding, and divisions that round."""

from __future__ import annotations

import numpy as np

from gradtape.backends.errors import BadValues

# Quotients of more integers than this are taken in float64.
_MANY = 4096


def _check_divisor(op: str, y) -> None:
    if y.dtype.kind in "iu" and not (y.size and y.min() > 0) and not y.all():
        raise BadValues(f"{op}: Integer division by zero [Op:{op}]")


def _is_integer(x) -> bool:
    return x.dtype.kind in "iu"


def floordiv(x, y):
    # For floats it is the floor of the quotient, as in TensorFlow: 1.0 // 0.1 is 10, not 9.
    if not _is_integer(y):
        return np.floor(x / y)
    _check_divisor("FloorDiv", y)
    return _quotients(x, y) if _are_many(x, y) else x // y


def floormod(x, y):
    _check_divisor("FloorMod", y)
    return x - _quotients(x, y) * y if _is_integer(y) and _are_many(x, y) else x % y


def _are_many(x, y) -> bool:
    return max(x.size, y.size) > _MANY and x.dtype.itemsize <= 4


def _quotients(x, y):
    """Return x // y of integers of at most 32 bits, by divisions of float64, which vectors do.

    A quotient that is no integer is further from one than a float64 is rounded, so its floor is
    right. The least integer divided by -1 wraps.
    """
    quotients = np.true_divide(x, y, dtype=np.float64)
    return np.floor(quotients, quotients).astype(np.int64).astype(x.dtype)


def truncatediv(x, y):
    if not _is_integer(y):
        return np.trunc(x / y)
    _check_divisor("TruncateDiv", y)
    return (x - np.fmod(x, y)) // y


def truncatemod(x, y):
    _check_divisor("TruncateMod", y)
    return np.fmod(x, y)


KERNELS = {
    "floor": np.floor,
    "ceil": np.ceil,
    "round": np.rint,
    "trunc": np.trunc,
    "sign": np.sign,
    "floordiv": floordiv,
    "floormod": floormod,
    "truncatediv": truncatediv,
    "truncatemod": truncatemod,
    "nextafter": np.nextafter,
}
