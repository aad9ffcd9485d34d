"""Keras's `backend.linalg`: decompositions, solutions, norms, forward derivatives."""

from __future__ import annotations

import math

import numpy as np
from keras.src import tree

from gradtape import ops
from gradtape.api import numpy_names as names
from gradtape.api.linalg import systems
from gradtape.core.tensor import Tensor
from gradtape.engine import functional
from keras_gradtape.src.conversion import convert_to_tensor
from keras_gradtape.src.promotion import common_inexact, inexact

__all__ = [
    "cholesky",
    "cholesky_inverse",
    "det",
    "eig",
    "eigh",
    "inv",
    "jvp",
    "lstsq",
    "lu_factor",
    "matrix_rank",
    "norm",
    "pinv",
    "qr",
    "solve",
    "solve_triangular",
    "svd",
]


def det(a):
    """Return the determinant."""
    return ops.det(inexact(a))


def inv(a):
    """Return the inverse."""
    return ops.inv(inexact(a))


def eig(x):
    """Return (eigenvalues, eigenvectors), complex."""
    return tuple(ops.eig(inexact(x)))


def eigh(x):
    """Return (eigenvalues, eigenvectors) of symmetric (Hermitian) matrices."""
    return tuple(ops.eigh(inexact(x)))


def cholesky(a, upper=False):
    """Return the triangular factor of positive definite matrices."""
    factor = ops.cholesky(inexact(a))
    if type(factor) is Tensor and bool(ops.reduce_any(names.isnan(factor))):
        raise ValueError(
            "Cholesky decomposition failed. The input might not be a valid positive definite "
            "matrix."
        )
    return ops.adjoint(factor) if upper else factor


def cholesky_inverse(a, upper=False):
    """Return the inverse of the matrix that has this Cholesky factor."""
    a = inexact(a)
    inverse = ops.triangular_solve(a, ops.broadcast_to(ops.eye_like(a), a.shape), not upper)
    if upper:
        return ops.matmul(inverse, inverse, adjoint_b=True)
    return ops.matmul(inverse, inverse, adjoint_a=True)


def qr(x, mode="reduced"):
    """Return (orthogonal, upper triangular) factors."""
    if mode not in {"reduced", "complete"}:
        raise ValueError(
            "`mode` argument value not supported. Expected one of {'reduced', 'complete'}. "
            f"Received: mode={mode}"
        )
    return tuple(ops.qr(inexact(x), mode == "complete"))


def svd(x, full_matrices=True, compute_uv=True):
    """Return (left vectors, singular values, adjoint of the right vectors), or the values alone."""
    x = inexact(x)
    if not compute_uv:
        return ops.svd_values(x)
    s, u, v = ops.svd(x, full_matrices)
    return u, s, ops.adjoint(v)


# --- LU -------------------------------------------------------------------------------------------


def lu_factor(x):
    """Return (both factors in one matrix, the row that each row was exchanged with in turn)."""
    x = inexact(x)
    if x.ndim < 2:
        raise ValueError(f"Expected input to have rank >= 2. Received shape {tuple(x.shape)}.")
    rows, columns = x.shape[-2:]
    rank = min(rows, columns)
    pivots, order = _pivoting(x, rank)
    x = ops.take_along_axis(x, ops.expand_dims(order, -1), -2)
    # In this order no rows are swapped any more: the square part decides the rest.
    square = ops.lu(x[..., :rank, :rank])[0]
    if rows > columns:
        # The rows below are multiples of those of the upper factor.
        below = ops.triangular_solve(ops.adjoint(square), ops.adjoint(x[..., rank:, :]), lower=True)
        square = ops.concat([square, ops.adjoint(below)], -2)
    elif columns > rows:
        lower = ops.triangle(square, 0.0) + ops.eye_like(square)
        beside = ops.triangular_solve(lower, x[..., rank:], lower=True)
        square = ops.concat([square, beside], -1)
    return square, pivots


def _pivoting(x, rank: int):
    """Return the row that each row is exchanged with in turn, and the order of rows that
    results."""
    *stack, rows, columns = x.shape
    if rows > columns:
        # Further columns, whichever, make it square; the first ones decide their rows before.
        others = np.cos(np.outer(np.arange(rows), np.arange(1, rows - columns + 1)) + 1.0)
        others = Tensor(others.astype(x.dtype.as_numpy_dtype))
        x = ops.concat([x, ops.broadcast_to(others, (*stack, *others.shape))], -1)
    permutations = ops.lu(ops.stop_gradient(x[..., :rows]))[1].numpy()
    pivots = np.empty((*stack, rank), np.int32)
    orders = np.empty((*stack, rows), np.int32)
    for index in np.ndindex(*stack):
        order = list(range(rows))
        for i in range(rank):
            j = order.index(permutations[index][i])
            pivots[(*index, i)] = j
            order[i], order[j] = order[j], order[i]
        orders[index] = order
    return Tensor(pivots), Tensor(orders)


# --- solutions ------------------------------------------------------------------------------------


def _with_columns(compute, a, b):
    """Return a solution, where b may also be a vector (or a stack of vectors) rather than
    columns."""
    a, b = common_inexact(a, b)
    if b.ndim == a.ndim - 1:
        return ops.squeeze(compute(a, ops.expand_dims(b, -1)), -1)
    return compute(a, b)


def solve(a, b):
    """Return x with a x = b."""
    return _with_columns(ops.solve, a, b)


def solve_triangular(a, b, lower=False):
    """Return x with a x = b, for triangular a."""
    return _with_columns(lambda a, b: ops.triangular_solve(a, b, lower), a, b)


def lstsq(a, b, rcond=None):
    """Return the x of least norm that minimizes |a x - b|."""
    return _with_columns(lambda a, b: ops.matmul(ops.pinv(a, rcond), b), a, b)


def _at_least_matrix(x):
    x = inexact(x)
    if x.ndim < 2:
        raise ValueError(
            f"Expected input to have rank >= 2. Received input with shape {tuple(x.shape)}."
        )
    return x


def pinv(x, rcond=None):
    """Return the pseudo-inverse."""
    return ops.pinv(_at_least_matrix(x), rcond)


def matrix_rank(x, tol=None):
    """Return the number of singular values that are not (within a tolerance) 0."""
    return ops.cast(systems.matrix_rank(_at_least_matrix(x), tol), "int32")


# --- norms ----------------------------------------------------------------------------------------


def norm(x, ord=None, axis=None, keepdims=False):
    """Return a norm of vectors (along one axis) or matrices (two), or of all elements."""
    x = inexact(x)
    if axis is None:
        if ord is None:
            return _euclidean(x, tuple(range(x.ndim)), keepdims)
        axes = tuple(range(x.ndim))
    else:
        given = (axis,) if isinstance(axis, int) else tuple(axis)
        axes = tuple(ops.normalize_axis("norm", a, x.ndim) for a in given)
    if len(axes) == 1:
        return _vector_norm(x, ord, axes[0], keepdims)
    if len(axes) == 2 and axes[0] != axes[1]:
        return _matrix_norm(x, ord, axes, keepdims)
    raise ValueError(
        f"Invalid axis for norm: one axis or two different ones are wanted. Received: axis={axis} "
        f"for an input of shape {tuple(x.shape)}, ord={ord}"
    )


def _euclidean(x, axes, keepdims: bool):
    size = ops.abs(x)
    return ops.sqrt(ops.reduce_sum(ops.square(size), axes, keepdims))


def _vector_norm(x, ord, axis: int, keepdims: bool):
    if isinstance(ord, str):
        raise ValueError(f"Invalid `ord` argument for vector norm. Received: ord={ord}")
    if ord is None or ord == 2:
        return _euclidean(x, (axis,), keepdims)
    size = ops.abs(x)
    if ord == math.inf:
        return ops.reduce_max(size, axis, keepdims)
    if ord == -math.inf:
        return ops.reduce_min(size, axis, keepdims)
    if ord == 0:
        return ops.cast(ops.count_nonzero(size, axis, keepdims), size.dtype)
    if ord == 1:
        return ops.reduce_sum(size, axis, keepdims)
    return ops.pow(ops.reduce_sum(ops.pow(size, ord), axis, keepdims), 1 / ord)


def _matrix_norm(x, ord, axes: tuple[int, int], keepdims: bool):
    if ord is None or ord == "fro":
        return _euclidean(x, axes, keepdims)
    rows, columns = axes
    if ord in (1, -1, math.inf, -math.inf):
        first, second = (rows, columns) if abs(ord) == 1 else (columns, rows)
        sums = ops.reduce_sum(ops.abs(x), first, keepdims=True)
        norms = (ops.reduce_max if ord > 0 else ops.reduce_min)(sums, second, keepdims=True)
    elif ord in (2, -2, "nuc"):
        values = ops.svd_values(ops.moveaxis(x, axes, (-2, -1)))
        reduce = {2: ops.reduce_max, -2: ops.reduce_min, "nuc": ops.reduce_sum}[ord]
        norms = reduce(values, -1)
        shape = [1 if i in axes else n for i, n in enumerate(x.shape)]
        norms = ops.reshape(norms, shape)
    else:
        raise ValueError(f"Invalid `ord` argument for matrix norm. Received: ord={ord}")
    return norms if keepdims else ops.squeeze(norms, axes)


# --- derivatives ----------------------------------------------------------------------------------


def jvp(fun, primals, tangents, has_aux=False):
    """Return (value of a function, its derivative along the tangents[, what else it returns])."""
    primals = tree.map_structure(convert_to_tensor, list(primals))
    tangents = tree.map_structure(convert_to_tensor, list(tangents))
    if not has_aux:
        return tuple(functional.jvp(fun, primals, tangents))
    others = []

    def value_only(*args):
        value, other = fun(*args)
        others.append(other)
        return value

    value, tangent = functional.jvp(value_only, primals, tangents)
    return value, tangent, others[0]
