"""Floats of 16 bits and fewer, which kernels compute in float32: arrays of NumPy and of JAX."""

from __future__ import annotations

import functools

import numpy as np


def is_half(dtype: np.dtype) -> bool:
    """Return whether a dtype is a float of 16 bits or fewer (the kind of bfloat16 is "V")."""
    return dtype.itemsize <= 2 and dtype.kind in "fV" and "float" in dtype.name


def in_float32(kernel):
    """Decorate a kernel of several steps to compute 16-bit floats in float32, and round once.

    Arrays of other dtypes than the first one's stay as they are, and so do results. The kernel
    itself is the attribute `in_float32`: the extension converts faster (kernels/kernel.cpp).
    """

    @functools.wraps(kernel)
    def run(*arrays, **params):
        dtype = arrays[0].dtype
        if dtype.itemsize > 2 or not is_half(dtype):
            return kernel(*arrays, **params)
        wide = [a.astype(np.float32) if a.dtype == dtype else a for a in arrays]
        result = kernel(*wide, **params)
        if isinstance(result, tuple):
            return tuple(y.astype(dtype) if y.dtype == np.float32 else y for y in result)
        return result.astype(dtype) if result.dtype == np.float32 else result

    run.in_float32 = kernel  # pyright: ignore[reportAttributeAccessIssue] (functions have attributes)
    return run
