"""The gate from tensors to user code: every array that a program gets is made here.

Tensors are immutable values whose memory is shared (by a variable and its reads, a dataset and its
elements, a tensor and its reshapes). So the program gets either a copy, which it may change, or a
read-only view.
"""

from __future__ import annotations

from typing import Any

import numpy as np


def writable_copy(data: Any) -> np.ndarray:
    """Return the value as a new array, also for rank 0."""
    return np.array(data)


def copy_or_scalar(data: Any) -> Any:
    """Return the value as `.numpy()` does: a copy, or for rank 0 a NumPy scalar."""
    return data.copy() if data.ndim else data[()]


def read_only(data: Any) -> np.ndarray:
    """Return the value as an array without a copy, which cannot be made writable again."""
    array: Any = np.asarray(data)
    try:
        # Through a memoryview, because a view of an array can be made writable again.
        return np.asarray(memoryview(array).toreadonly())
    except (ValueError, TypeError):  # bfloat16 and its like: the buffer protocol has no code for it
        bits = np.asarray(memoryview(array.view(f"u{array.itemsize}")).toreadonly())
        return bits.view(array.dtype)
