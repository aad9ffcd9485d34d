"""NumPy's products of vectors, matrices and more, and what is made of them."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from gradtape import ops
from gradtape.api.numpy_names.elementwise import is_truth

__all__ = [
    "corrcoef",
    "correlate",
    "cross",
    "dot",
    "einsum",
    "inner",
    "kron",
    "matmul",
    "outer",
    "tensordot",
    "vdot",
]


def _sums_of_products(compute: Callable[..., Any]):
    """Wrap a sum of products so that operands get one dtype, and truth values give whether any
    product holds."""

    @functools.wraps(compute)
    def function(x1, x2, *options, **more):
        x1, x2 = ops.operands(compute.__name__, x1, x2)
        if not is_truth(x1):
            return compute(x1, x2, *options, **more)
        counts = compute(ops.cast(x1, "int32"), ops.cast(x2, "int32"), *options, **more)
        return ops.cast(counts, "bool")

    return function


@_sums_of_products
def matmul(x1, x2):
    """Return the matrix product over the last two axes; vectors are rows on the left, columns
    right."""
    if not x1.ndim or not x2.ndim:
        raise ValueError(
            f"matmul: scalars are not matrices: the shapes are {tuple(x1.shape)} and "
            f"{tuple(x2.shape)}. Multiply them instead."
        )
    if x1.ndim > 1 and x2.ndim > 1:
        return ops.matmul(x1, x2)
    left = ops.expand_dims(x1, 0) if x1.ndim == 1 else x1
    right = ops.expand_dims(x2, 1) if x2.ndim == 1 else x2
    product = ops.matmul(left, right)
    dropped = [-2] * (x1.ndim == 1) + [-1] * (x2.ndim == 1)
    return ops.squeeze(product, dropped)


@_sums_of_products
def dot(x1, x2):
    """Return the sum of products over the last axis of x1 and the last but one (or only) of x2."""
    if not x1.ndim or not x2.ndim:
        return ops.multiply(x1, x2)
    return ops.tensordot(x1, x2, [[x1.ndim - 1], [max(x2.ndim - 2, 0)]])


@_sums_of_products
def inner(x1, x2):
    """Return the sum of products over the last axes."""
    if not x1.ndim or not x2.ndim:
        return ops.multiply(x1, x2)
    return ops.tensordot(x1, x2, [[x1.ndim - 1], [x2.ndim - 1]])


@_sums_of_products
def vdot(x1, x2):
    """Return the sum of products of all elements; those of x1 conjugated."""
    x1, x2 = ops.reshape(x1, (-1,)), ops.reshape(x2, (-1,))
    return ops.tensordot(ops.conj(x1), x2, 1)


@_sums_of_products
def outer(x1, x2):
    """Return all products of an element of x1 and one of x2, as a matrix."""
    return ops.multiply(ops.reshape(x1, (-1, 1)), ops.reshape(x2, (1, -1)))


@_sums_of_products
def tensordot(x1, x2, axes=2):
    """Return the sum of products over some axes of x1 and as many of x2."""
    return ops.tensordot(x1, x2, axes)


@_sums_of_products
def kron(x1, x2):
    """Return the Kronecker product."""
    rank = max(x1.ndim, x2.ndim)
    first = (1,) * (rank - x1.ndim) + tuple(x1.shape)
    second = (1,) * (rank - x2.ndim) + tuple(x2.shape)
    left = ops.reshape(x1, [n for size in first for n in (size, 1)])
    right = ops.reshape(x2, [n for size in second for n in (1, size)])
    return ops.reshape(left * right, [a * b for a, b in zip(first, second, strict=True)])


def einsum(subscripts, *operands):
    """Return the sum of products that an equation describes."""
    return ops.einsum(subscripts, *operands)


def cross(x1, x2, axisa=-1, axisb=-1, axisc=-1, axis=None):
    """Return the cross product of vectors in three dimensions; in two, its third component."""
    if axis is not None:
        axisa = axisb = axisc = axis
    x1, x2 = ops.operands("cross", x1, x2)
    x1, x2 = ops.moveaxis(x1, axisa, -1), ops.moveaxis(x2, axisb, -1)
    if x1.shape[-1] not in (2, 3) or x2.shape[-1] not in (2, 3):
        raise ValueError(
            "`x1`'s dim on `axisa` and `x2`'s dim on `axisb` must be 2 or 3, got shapes "
            f"{tuple(x1.shape)} and {tuple(x2.shape)} (axes last)."
        )
    a: Any = ops.unstack(x1, axis=-1)
    b: Any = ops.unstack(x2, axis=-1)
    height = a[0] * b[1] - a[1] * b[0]
    if len(a) == len(b) == 2:
        return height
    # A vector of the plane lies at height 0.
    if len(a) == 2:
        parts = [a[1] * b[2], -a[0] * b[2], height]
    elif len(b) == 2:
        parts = [-a[2] * b[1], a[2] * b[0], height]
    else:
        parts = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], height]
    return ops.moveaxis(ops.stack(parts, -1), -1, axisc)


# --- correlation ----------------------------------------------------------------------------------


def correlate(x1, x2, mode="valid"):
    """Return the cross-correlation of two vectors."""
    x1, x2 = ops.operands("correlate", x1, x2)
    if x1.ndim != 1 or x2.ndim != 1:
        raise ValueError(
            f"correlate: vectors are wanted, got shapes {tuple(x1.shape)} and {tuple(x2.shape)}."
        )
    if mode not in ("valid", "same", "full"):
        raise ValueError(f"correlate: mode must be valid, same or full, got {mode!r}.")
    if x1.dtype.is_complex:
        # (a + ib)(c - id), part by part.
        (a, b), (c, d) = ((ops.real(x), ops.imag(x)) for x in (x1, x2))
        real = correlate(a, c, mode) + correlate(b, d, mode)
        return ops.complex(real, correlate(b, c, mode) - correlate(a, d, mode))
    n, m = x1.shape[0], x2.shape[0]
    swapped = n < m
    if swapped:
        # The other way round the same sums come in the opposite order.
        x1, x2, n, m = x2, x1, m, n
    before, after = {"valid": (0, 0), "same": (m // 2, (m - 1) // 2), "full": (m - 1, m - 1)}[mode]
    sums = ops.conv(
        ops.reshape(x1, (1, n, 1)), ops.reshape(x2, (m, 1, 1)), (1,), ((before, after),), (1,)
    )
    sums = ops.reshape(sums, (-1,))
    return ops.reverse(sums, [0]) if swapped else sums


def corrcoef(x):
    """Return the correlation coefficients of the rows of x."""
    x = ops.to_tensor(x)
    if x.ndim < 2:
        return corrcoef(ops.reshape(x, (1, -1)))[0, 0]
    distance = x - ops.reduce_mean(x, 1, keepdims=True)
    products = ops.matmul(distance, ops.matrix_transpose(ops.conj(distance)))
    scale = ops.sqrt(ops.real(ops.matrix_diag_part(products)))
    scale = ops.cast(ops.expand_dims(scale, 1) * ops.expand_dims(scale, 0), x.dtype)
    result = products / scale
    return result if x.dtype.is_complex else ops.clip(result, -1.0, 1.0)
