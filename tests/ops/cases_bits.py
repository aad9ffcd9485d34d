"""Bit operations."""

from __future__ import annotations

import numpy as np

from gradtape import ops
from tests.ops.harness import Case, random

X = np.array([[5, -7, 100], [0, 1, -128]], np.int8)
Y = np.array([3, 1, 9], np.int8)

CASES = [
    Case("bitwise_and", ops.bitwise_and, [X, Y], order=0),
    Case("bitwise_or", ops.bitwise_or, [X, Y], order=0),
    Case("bitwise_xor", ops.bitwise_xor, [X, Y], order=0),
    Case("bitwise_invert", ops.bitwise_invert, [X], order=0),
    Case("left_shift", ops.left_shift, [X, Y], order=0),
    Case("right_shift", ops.right_shift, [X, Y], order=0),
    Case("bitcast same size", lambda x: ops.bitcast(x, "int64"), [random(3, 2)], order=0),
    Case("bitcast to smaller", lambda x: ops.bitcast(x, "uint8"), [random(3, 2)], order=0),
    Case("bitcast scalar", lambda x: ops.bitcast(x, "float32"), [np.int32(7)], order=0),
    Case("bitcast to larger", lambda x: ops.bitcast(x, "complex128"), [random(3, 2)], order=0),
]
