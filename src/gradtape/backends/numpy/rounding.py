"""Rounding, and the divisions that round."""

from __future__ import annotations

import numpy as np

from gradtape.backends.errors import BadValues


def _check_divisor(op: str, y) -> None:
    if y.dtype.kind in "iu" and not y.all():
        raise BadValues(f"{op}: Integer division by zero [Op:{op}]")


def _is_integer(x) -> bool:
    return x.dtype.kind in "iu"


def floordiv(x, y):
    # Of floats it is the floor of the quotient, as TensorFlow's: 1.0 // 0.1 is 10, not 9.
    if not _is_integer(y):
        return np.floor(x / y)
    _check_divisor("FloorDiv", y)
    return x // y


def floormod(x, y):
    _check_divisor("FloorMod", y)
    return x % y


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
