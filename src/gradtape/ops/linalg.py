"""Products of (stacks of) matrices, and functions of a matrix: exponential, logarithm, root."""

from __future__ import annotations

import math

import numpy as np

from gradtape import ops
from gradtape.core.bind import bind
from gradtape.core.convert import operands, to_tensor
from gradtape.core.errors import FailedPreconditionError, ShapeError
from gradtape.core.primitive import primitive
from gradtape.core.tensor import Spec, Tensor
from gradtape.ops.families import (
    COMPLEX,
    INEXACT,
    NUMBERS,
    REALS,
    batch_leading,
    broadcast_shapes,
    check_dtype,
)

__all__ = [
    "adjoint",
    "as_column",
    "as_matrix",
    "as_row",
    "cross",
    "eye_like",
    "logm",
    "matmul",
    "matrix_exp",
    "matrix_transpose",
    "matvec",
    "precision",
    "sqrtm",
    "trace",
    "triangle",
]

# --- pieces that the rules of this chapter share -----------------------------------------------


def check_matrix(op: str, x: Spec, square: bool = True) -> Spec:
    """Raise the error for what is no (square) matrix or stack of them."""
    shape = list(x.shape)
    if len(shape) < 2:
        raise ShapeError(
            f"{op}: Input tensor must have rank >= 2 (a matrix, or a stack of matrices), got shape "
            f"{shape}. [Op:{op}]"
        )
    if square and shape[-1] != shape[-2]:
        raise ShapeError(f"{op}: Input matrix must be square, got shape {shape}. [Op:{op}]")
    return x


def as_matrix(op: str, x, square: bool = True, allowed: frozenset = INEXACT) -> Tensor:
    """An argument that must be a (stack of) matrices."""
    x = to_tensor(x)
    check_dtype(op, allowed, x)
    check_matrix(op, x._spec(), square)
    return x


def as_column(x):
    """x[..., None]: vectors as columns."""
    return ops.reshape(x, (*x._data.shape, 1))


def as_row(x):
    """x[..., None, :]: vectors as rows."""
    shape = x._data.shape
    return ops.reshape(x, (*shape[:-1], 1, shape[-1]))


def precision(x) -> float:
    """The spacing of numbers near 1 in the dtype that x is factorised in (for halves, float32)."""
    dtype = x._data.dtype
    return float(np.finfo(np.float32 if dtype.itemsize == 2 else dtype).eps)


def eye_like(x) -> Tensor:
    """The identity matrix with the dtype and the last sizes of x."""
    return Tensor(np.eye(*x._data.shape[-2:], dtype=x._data.dtype))


def triangle(x, diagonal: float = 1.0, lower: bool = True):
    """The lower (or upper) triangle of x, its diagonal scaled by a number; zeros elsewhere."""
    if diagonal == 1.0:
        return ops.band_part(x, -1, 0) if lower else ops.band_part(x, 0, -1)
    shape, dtype = x._data.shape[-2:], x._data.dtype
    mask = np.tri(*shape, k=-1) if lower else np.tri(*shape[::-1], k=-1).T
    return x * Tensor((mask + diagonal * np.eye(*shape)).astype(dtype))


def matrix_transpose(x):
    """x with its last two axes exchanged."""
    x = to_tensor(x)
    rank = len(x._data.shape)
    return ops.transpose(x, (*range(rank - 2), rank - 1, rank - 2))


def adjoint(x):
    """The conjugate transpose of matrices."""
    return ops.conj(matrix_transpose(x))


# --- matmul --------------------------------------------------------------------------------------


def _matmul_shape(x: Spec, y: Spec, transpose_a, transpose_b) -> Spec:
    a, b = list(x.shape), list(y.shape)
    if min(len(a), len(b)) < 2:
        raise ShapeError(
            f"MatMul: both operands must have rank 2 or more, got shapes {a} and {b}. For a "
            "matrix and a vector use tf.linalg.matvec. [Op:MatMul]"
        )
    if transpose_a:
        a[-2:] = a[:-3:-1]
    if transpose_b:
        b[-2:] = b[:-3:-1]
    if a[-1] != b[-2]:
        raise ShapeError(
            f"MatMul: Matrix size-incompatible: In[0]: {list(x.shape)}, In[1]: {list(y.shape)}"
            f"{' with transpose_a' * transpose_a}{' with transpose_b' * transpose_b}: the inner "
            f"sizes {a[-1]} and {b[-2]} differ. [Op:MatMul]"
        )
    stack = broadcast_shapes("BatchMatMulV2", tuple(a[:-2]), tuple(b[:-2]))
    return Spec((*stack, a[-2], b[-1]), x.dtype)


def _matmul_x(g, x_shape, y, transpose_a, transpose_b):
    if y._data.dtype.kind == "c":
        y = ops.conj(y)
    gx = matmul(y, g, transpose_b, True) if transpose_a else matmul(g, y, False, not transpose_b)
    return gx if gx._data.shape == x_shape else ops.sum_to_shape(gx, x_shape)


def _matmul_y(g, x, y_shape, transpose_a, transpose_b):
    if x._data.dtype.kind == "c":
        x = ops.conj(x)
    if len(y_shape) == 2 and len(x._data.shape) > 2 and not transpose_a:
        # The sum over the stack is part of one large product.
        x, g = _flat(x), _flat(g)
    gy = matmul(g, x, True, transpose_a) if transpose_b else matmul(x, g, not transpose_a, False)
    return gy if gy._data.shape == y_shape else ops.sum_to_shape(gy, y_shape)


def _flat(x):
    *stack, last = x._data.shape
    return ops.reshape(x, (math.prod(stack), last))


def _batch_matmul(prim, size, batched, inputs, params):
    x, y = inputs
    if batched == (False, True) and len(x.shape) == 2 and len(y.shape) == 3:
        vectors = _batch_matvec(size, x, y, **params)
        if vectors is not None:
            return vectors
    rank = max(len(x.shape) - batched[0], len(y.shape) - batched[1])
    aligned = tuple(
        ops.reshape(z, (size, *(1,) * (rank - len(z.shape) + 1), *z.shape[1:])) if b else z
        for z, b in zip(inputs, batched, strict=True)
    )
    return bind(prim, aligned, params)


def _batch_matvec(size, x, y, transpose_a, transpose_b):
    """One matrix times many columns is one product, of the columns as rows; None for matrices."""
    inner, columns = y.shape[:0:-1] if transpose_b else y.shape[1:]
    if columns != 1:
        return None
    rows = matmul(ops.reshape(y, (size, inner)), x, False, not transpose_a)
    return ops.reshape(rows, (*rows.shape, 1))


matmul_p = primitive(
    "matmul", "x y", shape=_matmul_shape,
    vjp={"x": _matmul_x, "y": _matmul_y},
    jvp="multilinear",
    batch=_batch_matmul,
)  # fmt: skip

# The four dictionaries of parameters, made once: matmul is called often.
_FLAGS = {
    (a, b): {"transpose_a": a, "transpose_b": b} for a in (False, True) for b in (False, True)
}


def matmul(x, y, transpose_a=False, transpose_b=False, adjoint_a=False, adjoint_b=False):
    """The product of matrices, over stacks of them that broadcast."""
    if type(x) is not Tensor or type(y) is not Tensor or x._data.dtype is not y._data.dtype:
        x, y = operands("MatMul", x, y)
    if x._data.dtype not in NUMBERS:
        check_dtype("MatMul", NUMBERS, x)
    if adjoint_a:
        x, transpose_a = ops.conj(x), True
    if adjoint_b:
        y, transpose_b = ops.conj(y), True
    if len(x._data.shape) < 2 or len(y._data.shape) < 2:
        _matmul_shape(x._spec(), y._spec(), transpose_a, transpose_b)
    return bind(matmul_p, (x, y), _FLAGS[transpose_a, transpose_b])


def matvec(a, x, transpose_a=False, adjoint_a=False):
    """The product of matrices and vectors, over stacks of them that broadcast."""
    a, x = operands("MatMul", a, x)
    if len(x._data.shape) < 1 or len(a._data.shape) < 2:
        raise ShapeError(
            f"matvec: a matrix and a vector (or stacks of them) are wanted, got shapes "
            f"{list(a.shape)} and {list(x.shape)}. [Op:MatMul]"
        )
    product = matmul(a, as_column(x), transpose_a, adjoint_a=adjoint_a)
    return ops.reshape(product, product._data.shape[:-1])


# --- cross product and trace ---------------------------------------------------------------------


def _cross_shape(x: Spec, y: Spec) -> Spec:
    if x.shape != y.shape:
        raise ShapeError(
            f"Cross: Both inputs must be of same shape: {list(x.shape)} vs. {list(y.shape)}. "
            "[Op:Cross]"
        )
    if not x.shape or x.shape[-1] != 3:
        raise FailedPreconditionError(
            f"Cross: Cross-products are only defined for 3-element vectors, got shape "
            f"{list(x.shape)}. [Op:Cross]"
        )
    return x


cross_p = primitive(
    "cross", "x y", shape=_cross_shape,
    vjp={"x": lambda g, y: cross(y, g), "y": lambda g, x: cross(g, x)},
    jvp="multilinear",
    batch=batch_leading,
)  # fmt: skip


def cross(x, y):
    """The cross product of the 3-vectors along the last axis."""
    x, y = operands("Cross", x, y)
    check_dtype("Cross", REALS, x)
    _cross_shape(x._spec(), y._spec())
    return bind(cross_p, (x, y))


def trace(x):
    """The sum of the main diagonal of each matrix."""
    x = as_matrix("MatrixDiagPartV3", x, square=False, allowed=NUMBERS)
    return ops.reduce_sum(ops.matrix_diag_part(x), -1)


# --- functions of a matrix -----------------------------------------------------------------------


def _frechet(function, x, direction):
    """The derivative of a function of matrices in a direction.

    It stands in the corner of the function of a block matrix: f([[x, e], [0, x]]) is
    [[f(x), f'(x) e], [0, f(x)]] for every analytic f.
    """
    size = x._data.shape[-1]
    direction = ops.broadcast_to(direction, x._data.shape)
    above = ops.concat([x, direction], -1)
    below = ops.concat([ops.zeros_like(x), x], -1)
    return function(ops.concat([above, below], -2))[..., :size, size:]


def _matrix_function(name: str, function):
    return primitive(
        name, "x", shape=lambda x: check_matrix(name, x), batch=batch_leading,
        vjp={"x": lambda g, x: _frechet(function, adjoint(x), g)},
        jvp={"x": lambda t, x: _frechet(function, x, t)},
    )  # fmt: skip


expm_p = _matrix_function("expm", lambda x: matrix_exp(x))
logm_p = _matrix_function("logm", lambda x: logm(x))
sqrtm_p = _matrix_function("sqrtm", lambda x: sqrtm(x))


def matrix_exp(x):
    """The matrix exponential."""
    return bind(expm_p, (as_matrix("expm", x),))


def logm(x):
    """The principal logarithm of complex matrices."""
    return bind(logm_p, (as_matrix("MatrixLogarithm", x, allowed=COMPLEX),))


def sqrtm(x):
    """The principal square root of matrices; nan where a real matrix has no real one.

    The derivative L in direction E solves R L + L R = E, with its adjoint for complex matrices
    too (where TensorFlow's rule takes the transpose without conjugation).
    """
    return bind(sqrtm_p, (as_matrix("MatrixSquareRoot", x),))
