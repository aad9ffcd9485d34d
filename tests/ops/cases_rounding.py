"""Rounding, signs, and the divisions that round."""

from __future__ import annotations

import numpy as np

from gradtape import ops
from tests.ops.harness import Case, random

A = random(3, 4, low=-5.0, high=5.0)
DIVISOR = random(4, seed=1, low=1.3, high=2.7)
INTEGERS = np.array([[-7, 7, 3], [0, -2, 5]], np.int32)
DIVISORS = np.array([3, -3, 2], np.int32)

CASES = [
    Case("floor", ops.floor, [A], order=0),
    Case("ceil", ops.ceil, [A], order=0),
    Case("round", ops.round, [A], order=0),
    Case("trunc", ops.trunc, [A], order=0),
    Case("sign", ops.sign, [A]),
    Case("sign complex", ops.sign, [A[:, :2] + 1j * A[:, 2:]]),
    Case("floordiv", ops.floordiv, [A, DIVISOR], order=0),
    Case("floormod", ops.floormod, [A, DIVISOR], low_precision=False),  # rounding moves the jumps
    Case("truncatediv", ops.truncatediv, [A, DIVISOR], order=0),
    Case("truncatemod", ops.truncatemod, [A, DIVISOR], low_precision=False),  # as floormod
    Case("nextafter", lambda x: ops.nextafter(x, 0.0), [A], low_precision=False),  # no bfloat16
]
CASES += [
    Case(f"{op.__name__} integers", op, [INTEGERS, DIVISORS], order=0)
    for op in (ops.floordiv, ops.floormod, ops.truncatediv, ops.truncatemod)
]
