"""Linear systems, inverses and determinants of (stacks of) matrices."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gradtape import ops
from gradtape.core.bind import bind
from gradtape.core.convert import operands, to_tensor
from gradtape.core.errors import ShapeError
from gradtape.core.primitive import NoDerivative, primitive
from gradtape.core.tensor import Spec, Tensor
from gradtape.ops.families import INEXACT, batch_leading, broadcast_shapes, check_dtype
from gradtape.ops.linalg import (
    adjoint,
    as_column,
    as_matrix,
    check_matrix,
    matmul,
    precision,
    triangle,
)

if TYPE_CHECKING:
    from gradtape.core.primitive import Primitive
    from gradtape.core.typing import Params, TensorLike, Tensors

__all__ = [
    "banded_triangular_solve",
    "cholesky_solve",
    "det",
    "inv",
    "lstsq",
    "pinv",
    "slogdet",
    "solve",
    "triangular_solve",
    "tridiagonal_matmul",
    "tridiagonal_solve",
]


def _system(op: str, a: Spec, b: Spec) -> None:
    """Raise unless the matrix and right-hand sides of a system match (apart from batch axes)."""
    check_matrix(op, a)
    if len(b.shape) < 2:
        raise ShapeError(
            f"{op}: the right-hand side must have rank >= 2 (one column for each system), got "
            f"shape {list(b.shape)}. Give a vector a last axis of size 1. [Op:{op}]"
        )
    if a.shape[-1] != b.shape[-2]:
        raise ShapeError(
            f"{op}: Input matrix and rhs are incompatible: shapes {list(a.shape)} and "
            f"{list(b.shape)}. [Op:{op}]"
        )


def _prepared(op: str, a: Tensor, b: Tensor) -> Any:
    a, b = operands(op, a, b)
    check_dtype(op, INEXACT, a)
    _system(op, a._spec(), b._spec())
    return a, b


# --- general systems -----------------------------------------------------------------------------


def _solve_shape(a: Spec, b: Spec, adjoint: bool) -> Spec:
    _system("MatrixSolve", a, b)
    if a.shape[:-2] != b.shape[:-2]:
        raise ShapeError(
            f"MatrixSolve: the stacks of matrices and of right-hand sides must have the same "
            f"shape, got {list(a.shape)} and {list(b.shape)}. Use tf.broadcast_to. "
            "[Op:MatrixSolve]"
        )
    return b


def _solve_vjp(
    g: Tensor, a: Tensor, ans: Tensor, needs_grad: tuple[bool, ...], adjoint: bool
) -> tuple[Tensor | None, ...]:
    gb = solve(a, g, not adjoint)
    if not needs_grad[0]:
        return None, gb
    left, right = (ans, gb) if adjoint else (gb, ans)
    return -matmul(left, right, adjoint_b=True), gb


solve_p = primitive(
    "solve",
    "a b",
    shape=_solve_shape,
    vjp=_solve_vjp,
    jvp={
        "a": lambda t, a, ans, adjoint: -solve(a, matmul(t, ans, adjoint_a=adjoint), adjoint),
        "b": lambda t, a, adjoint: solve(a, t, adjoint),
    },
    batch=batch_leading,
)


def solve(a: Tensor, b: Tensor, adjoint: bool = False) -> Tensor:
    """Solve a x = b (with the adjoint of a, if `adjoint`)."""
    a, b = _prepared("MatrixSolve", a, b)
    params = {"adjoint": bool(adjoint)}
    _solve_shape(a._spec(), b._spec(), **params)
    return bind(solve_p, (a, b), params)


# --- triangular systems --------------------------------------------------------------------------


def _triangular_shape(a: Spec, b: Spec, lower: bool, adjoint: bool) -> Spec:
    _system("MatrixTriangularSolve", a, b)
    stack = broadcast_shapes("MatrixTriangularSolve", a.shape[:-2], b.shape[:-2])
    return Spec((*stack, *b.shape[-2:]), b.dtype)


def _triangular_vjp(
    g: Tensor,
    a: Tensor,
    b_shape: tuple[int, ...],
    ans: Tensor,
    needs_grad: tuple[bool, ...],
    lower: bool,
    adjoint: bool,
) -> tuple[Tensor | None, ...]:
    gb = triangular_solve(a, g, lower, not adjoint)
    ga = None
    if needs_grad[0]:
        left, right = (ans, gb) if adjoint else (gb, ans)
        ga = triangle(-matmul(left, right, adjoint_b=True), lower=lower)
        ga = ops.sum_to_shape(ga, a._data.shape)
    return ga, ops.sum_to_shape(gb, b_shape)


def _batch_triangular(
    prim: Primitive, size: int, batched: Sequence[bool], inputs: Tensors, params: Params
) -> Tensor:
    rank = max(
        len(x._data.shape) - is_batched for x, is_batched in zip(inputs, batched, strict=True)
    )
    aligned = []
    for x, is_batched in zip(inputs, batched, strict=True):
        shape = x._data.shape
        if is_batched:
            x = ops.reshape(x, (size, *(1,) * (rank - len(shape) + 1), *shape[1:]))
        aligned.append(x)
    return bind(prim, tuple(aligned), params)


triangular_solve_p = primitive(
    "triangular_solve",
    "a b",
    shape=_triangular_shape,
    vjp=_triangular_vjp,
    jvp={
        "a": lambda t, a, ans, lower, adjoint: (
            -triangular_solve(
                a, matmul(triangle(t, lower=lower), ans, adjoint_a=adjoint), lower, adjoint
            )
        ),
        "b": lambda t, a, ans, lower, adjoint: ops.broadcast_to(
            triangular_solve(a, t, lower, adjoint), ans._data.shape
        ),
    },
    batch=_batch_triangular,
)


def triangular_solve(a: Any, b: Any, lower: bool = True, adjoint: bool = False) -> Tensor:
    """Solve a x = b, where only one triangle of a is read.

    A zero on the diagonal gives inf or nan.
    """
    a, b = _prepared("MatrixTriangularSolve", a, b)
    params = {"lower": bool(lower), "adjoint": bool(adjoint)}
    return bind(triangular_solve_p, (a, b), params)


def cholesky_solve(factor: Tensor, b: Tensor) -> Tensor:
    """Solve (factor factorᴴ) x = b."""
    return triangular_solve(factor, triangular_solve(factor, b), adjoint=True)


def banded_triangular_solve(
    bands: Tensor, b: Tensor, lower: bool = True, adjoint: bool = False
) -> Tensor:
    """Solve a x = b for a triangular matrix given by its diagonals, aligned by rows."""
    op = "BandedTriangularSolve"
    bands, b = operands(op, bands, b)
    check_dtype(op, INEXACT, bands)
    check_matrix(op, bands._spec(), square=False)
    count, size = bands._data.shape[-2:]
    if count == 0:
        raise ShapeError(
            f"{op}: at least one band is wanted, got shape {list(bands.shape)}. [Op:{op}]"
        )
    if count > size > 0:  # bands beyond the corner have no element in the matrix
        bands = bands[..., :size, :] if lower else bands[..., count - size :, :]
        count = size
    k = (1 - count, 0) if lower else (0, count - 1)
    if count == 1:
        bands = bands[..., 0, :]
    dense = ops.matrix_diag(bands, k=k, rows=size, columns=size, align="LEFT_RIGHT")
    return triangular_solve(dense, b, lower, adjoint)


# --- inverse and determinant ---------------------------------------------------------------------


def _inv_vjp(g: Any, ans: Any, adjoint: bool) -> Tensor:
    middle = matmul(g, ans, adjoint_a=adjoint, adjoint_b=not adjoint)
    return -matmul(ans, middle, adjoint_a=not adjoint)


def _inv_jvp(t: Tensor, ans: Tensor, adjoint: bool) -> Tensor:
    middle = matmul(t, ans, adjoint_a=adjoint)
    return -matmul(ans, middle)


inv_p = primitive(
    "inv",
    "x",
    shape=lambda x, adjoint: check_matrix("MatrixInverse", x),
    batch=batch_leading,
    vjp={"x": _inv_vjp},
    jvp={"x": _inv_jvp},
)


def inv(x: TensorLike, adjoint: bool = False) -> Tensor:
    """Return the inverse of matrices, or of their adjoints."""
    return bind(inv_p, (as_matrix("MatrixInverse", x),), {"adjoint": bool(adjoint)})


def _scalar_per_matrix(op: str) -> Callable[..., Any]:
    def shape(x: Spec) -> Spec:
        return Spec(check_matrix(op, x).shape[:-2], x.dtype)

    return shape


det_p = primitive(
    "det",
    "x",
    shape=_scalar_per_matrix("MatrixDeterminant"),
    batch=batch_leading,
    # As in TensorFlow, the derivative at a singular matrix is an error: it needs the inverse.
    vjp={"x": lambda g, x, ans: as_column(as_column(g * ops.conj(ans))) * inv(x, adjoint=True)},
    jvp={"x": lambda t, x, ans: ans * ops.reduce_sum(inv(x) * ops.matrix_transpose(t), (-2, -1))},
)


def det(x: Tensor) -> Tensor:
    """Return the determinant of each matrix."""
    return bind(det_p, (as_matrix("MatrixDeterminant", x),))


def _slogdet_shape(x: Spec) -> tuple[Spec, Spec]:
    each = _scalar_per_matrix("LogMatrixDeterminant")(x)
    return each, each


def _slogdet_jvp(t: Tensor, x: Tensor) -> tuple[Tensor, ...]:
    moved = ops.reduce_sum(inv(x) * ops.matrix_transpose(t), (-2, -1))
    return ops.zeros_like(moved), moved


slogdet_p = primitive(
    "slogdet",
    "x",
    shape=_slogdet_shape,
    batch=batch_leading,
    outputs=2,
    # As in TensorFlow, the sign counts as constant, for complex matrices too, and the logarithm as
    # that of the determinant itself.
    vjp={"x": lambda g, x: as_column(as_column(g[1])) * inv(x, adjoint=True)},
    jvp={"x": _slogdet_jvp},
)


def slogdet(x: TensorLike) -> tuple[Tensor, ...]:
    """Return the sign of each determinant, and the logarithm of its absolute value."""
    return bind(slogdet_p, (as_matrix("LogMatrixDeterminant", x),))


# --- least squares -------------------------------------------------------------------------------


def lstsq(a: Tensor, b: Tensor, l2_regularizer: TensorLike = 0.0, fast: bool = True) -> Tensor:
    """Minimize |a x - b|² + l2_regularizer |x|²; of several solutions, return the smallest.

    `fast` uses the normal equations, as TensorFlow does, and gives nan for matrices without full
    rank; otherwise the pseudo-inverse is used, without the regularizer.
    """
    op = "MatrixSolveLs"
    a, b = operands(op, a, b)
    check_dtype(op, INEXACT, a)
    check_matrix(op, a._spec(), square=False)
    m, n = a._data.shape[-2:]
    if b._data.shape[:-1] != a._data.shape[:-1]:
        raise ShapeError(
            f"{op}: Matrix size-incompatible: a matrix of shape {list(a.shape)} and right-hand "
            f"sides of shape {list(b.shape)}; all but the last size must agree. [Op:{op}]"
        )
    if not fast:
        return matmul(pinv(a), b)
    if 0 in (m, n):
        return ops.matmul(a, b, adjoint_a=True)
    regularizer = ops.cast(to_tensor(l2_regularizer), a.dtype)
    small = min(m, n)
    identity = Tensor(np.eye(small, dtype=a._data.dtype))
    if m >= n:
        gramian = matmul(a, a, adjoint_a=True) + regularizer * identity
        return cholesky_solve(ops.cholesky(gramian), matmul(a, b, adjoint_a=True))
    gramian = matmul(a, a, adjoint_b=True) + regularizer * identity
    return matmul(a, cholesky_solve(ops.cholesky(gramian), b), adjoint_a=True)


def _pinv_vjp(g: Any, x: Any, ans: Any) -> Tensor:
    # The derivative for constant rank. It does not pass through singular vectors, so that equal
    # singular values do no harm.
    g_adjoint = adjoint(g)
    p_adjoint = adjoint(ans)
    gram = matmul(ans, p_adjoint)
    cogram = matmul(p_adjoint, ans)
    first = matmul(g_adjoint, gram)
    second = matmul(cogram, g_adjoint)
    return (
        first
        - matmul(x, matmul(ans, first))
        + second
        - matmul(matmul(second, ans), x)
        - matmul(p_adjoint, matmul(g, p_adjoint))
    )


def _pinv_shape(x: Spec, rcond: Spec) -> Spec:
    *stack, m, n = check_matrix("pinv", x, square=False).shape
    return Spec((*stack, n, m), x.dtype)


pinv_p = primitive(
    "pinv",
    "x rcond",
    shape=_pinv_shape,
    batch=batch_leading,
    vjp={"x": _pinv_vjp, "rcond": NoDerivative("a threshold: the result jumps, or is constant")},
)


def pinv(x: Tensor, rcond: Any = None) -> Tensor:
    """Return the pseudo-inverse; singular values up to rcond times the largest count as 0."""
    x = as_matrix("pinv", x, square=False)
    if rcond is None:
        rcond = 10.0 * max(x._data.shape[-2:]) * precision(x)
    real = ops.real(x).dtype
    rcond = to_tensor(rcond, None if ops.is_tensor_like(rcond) else real)
    rcond = ops.cast(rcond, real)
    return bind(pinv_p, (x, ops.broadcast_to(rcond, x._data.shape[:-2])))


# --- tridiagonal matrices ------------------------------------------------------------------------


def _shifted_up(x: Tensor) -> Tensor:
    """Return rows 1, 2, …, and a row of zeros."""
    return ops.concat([x[..., 1:, :], ops.zeros_like(x[..., :1, :])], -2)


def _shifted_down(x: Tensor) -> Tensor:
    """Return a row of zeros, and all rows but the last."""
    return ops.concat([ops.zeros_like(x[..., :1, :]), x[..., :-1, :]], -2)


def _tridiagonal_shape(diagonals: Spec, b: Spec, perturb_singular: bool) -> Spec:
    *stack, size, _ = b.shape
    if diagonals.shape != (*stack, 3, size):
        raise ShapeError(
            f"TridiagonalSolve: diagonals of shape {list(diagonals.shape)} do not fit right-hand "
            f"sides of shape {list(b.shape)}: expected {[*stack, 3, size]}. [Op:TridiagonalSolve]"
        )
    return b


def _tridiagonal_vjp(
    g: Tensor, diagonals: Tensor, ans: Tensor, needs_grad: tuple[bool, ...], perturb_singular: bool
) -> Any:
    upper, main, lower = (diagonals[..., i, :] for i in range(3))
    zero = ops.zeros_like(main[..., :1])
    transposed = ops.stack(
        [
            ops.concat([lower[..., 1:], zero], -1),
            main,
            ops.concat([zero, upper[..., :-1]], -1),
        ],
        -2,
    )
    gb = tridiagonal_solve(ops.conj(transposed), g, perturb_singular)
    if not needs_grad[0]:
        return None, gb
    x = ops.conj(ans)
    parts = [ops.reduce_sum(gb * y, -1) for y in (_shifted_up(x), x, _shifted_down(x))]
    return -ops.stack(parts, -2), gb


tridiagonal_solve_p = primitive(
    "tridiagonal_solve",
    "diagonals b",
    shape=_tridiagonal_shape,
    vjp=_tridiagonal_vjp,
    jvp={
        "diagonals": lambda t, diagonals, ans, perturb_singular: (
            -tridiagonal_solve(diagonals, tridiagonal_matmul(t, ans), perturb_singular)
        ),
        "b": lambda t, diagonals, perturb_singular: tridiagonal_solve(
            diagonals, t, perturb_singular
        ),
    },
    batch=batch_leading,
)


def tridiagonal_solve(diagonals: Tensor, b: Tensor, perturb_singular: bool = False) -> Tensor:
    """Solve a x = b for a given as (above, main, below), aligned by rows; nan if it is singular."""
    diagonals, b = operands("TridiagonalSolve", diagonals, b)
    check_dtype("TridiagonalSolve", INEXACT, b)
    params = {"perturb_singular": bool(perturb_singular)}
    _tridiagonal_shape(diagonals._spec(), b._spec(), **params)
    return bind(tridiagonal_solve_p, (diagonals, b), params)


def tridiagonal_matmul(diagonals: Tensor, b: Tensor) -> Tensor:
    """Multiply tridiagonal matrices, given as (above, main, below), by matrices."""
    diagonals, b = operands("TridiagonalMatMul", diagonals, b)
    check_dtype("TridiagonalMatMul", INEXACT, b)
    check_matrix("TridiagonalMatMul", b._spec(), square=False)
    if diagonals._data.shape[-2:] != (3, b._data.shape[-2]):
        raise ShapeError(
            f"TridiagonalMatMul: Invalid superdiagonal shape: diagonals of shape "
            f"{list(diagonals.shape)} do not fit a matrix of shape {list(b.shape)}. "
            "[Op:TridiagonalMatMul]"
        )
    upper, main, lower = (as_column(diagonals[..., i, :]) for i in range(3))
    return upper * _shifted_up(b) + main * b + lower * _shifted_down(b)
