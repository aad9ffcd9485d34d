"""Products of (stacks of) matrices, and matrix functions: exponential, logarithm, root."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

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

if TYPE_CHECKING:
    from gradtape.core.primitive import Primitive
    from gradtape.core.typing import Params, TensorLike, Tensors

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
    """Raise unless a spec is that of a (square) matrix or a stack of them."""
    shape = list(x.shape)
    if len(shape) < 2:
        raise ShapeError(
            f"{op}: Input tensor must have rank >= 2 (a matrix, or a stack of matrices), got shape "
            f"{shape}. [Op:{op}]"
        )
    if square and shape[-1] != shape[-2]:
        raise ShapeError(f"{op}: Input matrix must be square, got shape {shape}. [Op:{op}]")
    return x


def as_matrix(
    op: str, x: TensorLike, square: bool = True, allowed: frozenset[Any] = INEXACT
) -> Tensor:
    """Convert an argument that must be a (stack of) matrices; raise if it is not."""
    x = to_tensor(x)
    check_dtype(op, allowed, x)
    check_matrix(op, x._spec(), square)
    return x


def as_column(x: Any) -> Tensor:
    """Return vectors as columns: x[..., None]."""
    return ops.reshape(x, (*x._data.shape, 1))


def as_row(x: Tensor) -> Tensor:
    """Return vectors as rows: x[..., None, :]."""
    shape = x._data.shape
    return ops.reshape(x, (*shape[:-1], 1, shape[-1]))


def precision(x: Tensor) -> float:
    """Return the machine epsilon of the dtype that x is decomposed in (float32 for float16)."""
    dtype = x._data.dtype
    return float(np.finfo(np.float32 if dtype.itemsize == 2 else dtype).eps)


def eye_like(x: Tensor) -> Tensor:
    """Return the identity matrix with the dtype and the last two sizes of x."""
    return Tensor(np.eye(*x._data.shape[-2:], dtype=x._data.dtype))


def triangle(x: Tensor, diagonal: float = 1.0, lower: bool = True) -> Tensor:
    """Return the lower (or upper) triangle of x, with its diagonal scaled; zeros elsewhere."""
    if diagonal == 1.0:
        return ops.band_part(x, -1, 0) if lower else ops.band_part(x, 0, -1)
    shape, dtype = x._data.shape[-2:], x._data.dtype
    mask = np.tri(*shape, k=-1) if lower else np.tri(*shape[::-1], k=-1).T
    return x * Tensor((mask + diagonal * np.eye(*shape)).astype(dtype))


def matrix_transpose(x: TensorLike) -> Tensor:
    """Transpose the last two axes of x."""
    x = to_tensor(x)
    rank = len(x._data.shape)
    return ops.transpose(x, (*range(rank - 2), rank - 1, rank - 2))


def adjoint(x: Any) -> Tensor:
    """Return the conjugate transpose of matrices."""
    return ops.conj(matrix_transpose(x))


# --- matmul --------------------------------------------------------------------------------------


def _matmul_shape(x: Spec, y: Spec, transpose_a: bool, transpose_b: bool) -> Spec:
    a, b = list(x.shape), list(y.shape)
    if min(len(a), len(b)) < 2:
        raise ShapeError(
            f"MatMul: both operands must have rank 2 or more, got shapes {a} and {b}. For a "
            "matrix and a vector use tf.linalg.matvec(w, x); for a vector and a matrix, "
            "tf.linalg.matvec(w, x, transpose_a=True). [Op:MatMul]"
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


def _matmul_x(
    g: Tensor, x_shape: tuple[int, ...], y: Tensor, transpose_a: bool, transpose_b: bool
) -> Tensor:
    if y._data.dtype.kind == "c":
        y = ops.conj(y)
    gx = matmul(y, g, transpose_b, True) if transpose_a else matmul(g, y, False, not transpose_b)
    return gx if gx._data.shape == x_shape else ops.sum_to_shape(gx, x_shape)


def _matmul_y(
    g: Tensor, x: Tensor, y_shape: tuple[int, ...], transpose_a: bool, transpose_b: bool
) -> Tensor:
    if x._data.dtype.kind == "c":
        x = ops.conj(x)
    if len(y_shape) == 2 and len(x._data.shape) > 2 and not transpose_a:
        # The sum over the stack is part of one large product.
        x, g = _flat(x), _flat(g)
    gy = matmul(g, x, True, transpose_a) if transpose_b else matmul(x, g, not transpose_a, False)
    return gy if gy._data.shape == y_shape else ops.sum_to_shape(gy, y_shape)


def _flat(x: Tensor) -> Tensor:
    *stack, last = x._data.shape
    return ops.reshape(x, (math.prod(stack), last))


def _batch_matmul(
    prim: Primitive, size: int, batched: Sequence[bool], inputs: Tensors, params: Params
) -> Tensor:
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


def _batch_matvec(
    size: int, x: Tensor, y: Tensor, transpose_a: bool, transpose_b: bool
) -> Tensor | None:
    """Multiply one matrix by many columns in a single product; None if y has more columns."""
    inner, columns = y.shape[:0:-1] if transpose_b else y.shape[1:]
    if columns != 1:
        return None
    rows = matmul(ops.reshape(y, (size, inner)), x, False, not transpose_a)
    return ops.reshape(rows, (*rows.shape, 1))


def _matmul_flops(inputs: Any, outputs: Any, params: Mapping[str, Any]) -> float:
    inner = inputs[0].shape[-2 if params["transpose_a"] else -1]
    return 2.0 * math.prod(outputs[0].shape) * inner


matmul_p = primitive(
    "matmul",
    "x y",
    shape=_matmul_shape,
    flops=_matmul_flops,
    vjp={"x": _matmul_x, "y": _matmul_y},
    jvp="multilinear",
    batch=_batch_matmul,
)

# The four dictionaries of parameters, created once: matmul is called often.
_FLAGS = {
    (a, b): {"transpose_a": a, "transpose_b": b} for a in (False, True) for b in (False, True)
}


def matmul(
    x: Any,
    y: Any,
    transpose_a: bool = False,
    transpose_b: bool = False,
    adjoint_a: bool = False,
    adjoint_b: bool = False,
) -> Tensor:
    """Multiply matrices, or stacks of them that broadcast."""
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


def matvec(a: Tensor, x: Tensor, transpose_a: bool = False, adjoint_a: bool = False) -> Tensor:
    """Multiply matrices by vectors, or stacks of them that broadcast."""
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
    "cross",
    "x y",
    shape=_cross_shape,
    vjp={"x": lambda g, y: cross(y, g), "y": lambda g, x: cross(g, x)},
    jvp="multilinear",
    batch=batch_leading,
)


def cross(x: Tensor, y: Tensor) -> Tensor:
    """Compute the cross product of the 3-vectors along the last axis."""
    x, y = operands("Cross", x, y)
    check_dtype("Cross", REALS, x)
    _cross_shape(x._spec(), y._spec())
    return bind(cross_p, (x, y))


def trace(x: Tensor) -> Tensor:
    """Return the sum of the main diagonal of each matrix."""
    x = as_matrix("MatrixDiagPartV3", x, square=False, allowed=NUMBERS)
    return ops.reduce_sum(ops.matrix_diag_part(x), -1)


# --- functions of a matrix -----------------------------------------------------------------------


def _frechet(function: Callable[..., Any], x: Tensor, direction: Tensor) -> Tensor:
    """Compute the (Fréchet) derivative of a function of matrices in a direction.

    It is the corner of the function of a block matrix: f([[x, e], [0, x]]) is
    [[f(x), f'(x) e], [0, f(x)]] for every analytic f.
    """
    size = x._data.shape[-1]
    direction = ops.broadcast_to(direction, x._data.shape)
    above = ops.concat([x, direction], -1)
    below = ops.concat([ops.zeros_like(x), x], -1)
    return function(ops.concat([above, below], -2))[..., :size, size:]


def _matrix_function(name: str, function: Callable[..., Any]) -> Primitive:
    return primitive(
        name,
        "x",
        shape=lambda x: check_matrix(name, x),
        batch=batch_leading,
        vjp={"x": lambda g, x: _frechet(function, adjoint(x), g)},
        jvp={"x": lambda t, x: _frechet(function, x, t)},
    )


expm_p = _matrix_function("expm", lambda x: matrix_exp(x))
logm_p = _matrix_function("logm", lambda x: logm(x))
sqrtm_p = _matrix_function("sqrtm", lambda x: sqrtm(x))


def matrix_exp(x: Tensor) -> Tensor:
    """Compute the matrix exponential."""
    return bind(expm_p, (as_matrix("expm", x),))


def logm(x: Tensor) -> Tensor:
    """Compute the principal logarithm of complex matrices."""
    return bind(logm_p, (as_matrix("MatrixLogarithm", x, allowed=COMPLEX),))


def sqrtm(x: TensorLike) -> Tensor:
    """Compute the principal square root of matrices; nan if a real matrix has no real one.

    The gradient takes the adjoint of a complex matrix, where TensorFlow's takes its transpose.
    """
    return bind(sqrtm_p, (as_matrix("MatrixSquareRoot", x),))
