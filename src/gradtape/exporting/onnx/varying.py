"""Constants that depend on an open size: zeros, ranges, identity matrices, and sizes themselves.

Such tensors are made at once while a function is traced, with the size that the trace has. What
they have in common in all traces tells how the model makes them for any size.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gradtape.exporting.onnx.builder import Builder
from gradtape.exporting.sizes import Series, constant


def emit_varying(builder: Builder, arrays: Sequence[np.ndarray], where: str) -> str:
    """Return the name of a constant that differs between the traces, computed by nodes."""
    if len({array.ndim for array in arrays}) == 1:
        shape = list(zip(*[array.shape for array in arrays], strict=True))
        for make in (_filled, _numbers, _range, _identity):
            made = make(builder, arrays, shape)
            if made is not None:
                return made
    raise NotImplementedError(
        f"{where} depends on an open size of the signature (its shape is "
        f"{list(arrays[0].shape)} and {list(arrays[-1].shape)} in two traces), and is none that "
        "ONNX can make for any size: zeros or another single number, a range, an identity matrix. "
        "Give that size in the signature, or compute the tensor with TensorFlow's functions from "
        "tf.range and tf.zeros."
    )


def _filled(builder: Builder, arrays, shape: list[Series]) -> str | None:
    value = next((array.flat[0] for array in arrays if array.size), arrays[0].dtype.type(0))
    if not all(np.all(array == value) for array in arrays):
        return None
    if all(constant(size) is not None for size in shape):
        return None
    return builder.expand(builder.constant(value, arrays[0].dtype), shape)


def _numbers(builder: Builder, arrays, shape: list[Series]) -> str | None:
    """Return sizes that are used as numbers, as in a mean: one of them, or a vector."""
    dtype = arrays[0].dtype
    if len(shape) > 1 or any(constant(size) is None for size in shape):
        return None
    if dtype.kind == "f" and not all(np.all(array == np.floor(array)) for array in arrays):
        return None
    if dtype.kind not in "iuf" or not all(np.all(np.isfinite(array)) for array in arrays):
        return None
    columns = [tuple([int(n) for n in each]) for each in zip(*map(np.ravel, arrays), strict=True)]
    result = builder.cast(builder.shape(columns), dtype)
    return result if shape else builder("Reshape", result, builder.integers([]))


def _range(builder: Builder, arrays, shape: list[Series]) -> str | None:
    """Return a range with a fixed start and step along the one axis whose size varies."""
    open_axes = [axis for axis, size in enumerate(shape) if constant(size) is None]
    if len(open_axes) != 1 or arrays[0].dtype.kind not in "iuf":
        return None
    axis = open_axes[0]
    if any(size != (1,) * len(arrays) for i, size in enumerate(shape) if i != axis):
        return None
    rows = [array.reshape(-1) for array in arrays]
    start, dtype = rows[0][0], rows[0].dtype
    step = rows[0][1] - start
    for row in rows:
        if not np.array_equal(row, (start + np.arange(len(row)).astype(dtype) * step)):
            return None
    count = builder("Range", np.int64(0), builder.scalar(shape[axis]), np.int64(1))
    numbers = builder.cast(count, dtype)
    if step != 1:
        numbers = builder("Mul", numbers, np.asarray(step, dtype))
    if start != 0:
        numbers = builder("Add", numbers, np.asarray(start, dtype))
    return numbers if len(shape) == 1 else builder.reshape(numbers, shape)


def _identity(builder: Builder, arrays, shape: list[Series]) -> str | None:
    if len(shape) != 2 or shape[0] != shape[1]:
        return None
    if not all(np.array_equal(array, np.eye(len(array))) for array in arrays):
        return None
    row = builder("Range", np.int64(0), builder.scalar(shape[0]), np.int64(1))
    equal = builder("Equal", builder.unsqueeze(row, 0), builder.unsqueeze(row, 1))
    return builder.cast(equal, arrays[0].dtype)
