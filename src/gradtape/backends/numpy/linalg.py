"""Products and decompositions of (stacks of) matrices."""

from __future__ import annotations

import numpy as np


def matmul(x, y, transpose_a, transpose_b):
    if transpose_a:
        x = np.swapaxes(x, -1, -2)
    if transpose_b:
        y = np.swapaxes(y, -1, -2)
    if x.dtype.itemsize <= 2 and x.dtype.kind in "fV":
        # There is no BLAS for halves: multiply in float32 and round once.
        return np.matmul(x.astype(np.float32), y.astype(np.float32)).astype(x.dtype)
    return np.matmul(x, y)


KERNELS = {"matmul": matmul}
