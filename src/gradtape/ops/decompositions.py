"""Decompositions of (stacks of) matrices: Cholesky, LU, QR, SVD, eigenvalues."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gradtape import ops
from gradtape.core.bind import bind
from gradtape.core.dtypes import as_dtype
from gradtape.core.errors import InvalidArgumentError
from gradtape.core.primitive import primitive
from gradtape.core.tensor import Spec, Tensor
from gradtape.ops.families import COMPLEX, INEXACT, batch_leading
from gradtape.ops.linalg import (
    adjoint,
    as_column,
    as_matrix,
    as_row,
    check_matrix,
    eye_like,
    matmul,
    triangle,
)

if TYPE_CHECKING:
    from gradtape.core.dtypes import DType
    from gradtape.core.typing import NumpyDType, Shape, TensorLike

__all__ = [
    "cholesky",
    "eig",
    "eigh",
    "eigvals",
    "eigvalsh",
    "lu",
    "lu_matrix_inverse",
    "lu_reconstruct",
    "lu_solve",
    "permutation_matrix",
    "qr",
    "svd",
    "svd_values",
]


def _reciprocal(x: Tensor) -> Tensor:
    """Return 1/x, and 0 at 0: TensorFlow's convention for equal eigenvalues."""
    return x / (x * x + 1e-20)


def _gaps(e: Tensor) -> Tensor:
    """Return the matrix of 1 / (e_j - e_i), with 0 on its diagonal.

    The diagonal is masked although it is 0: the derivative of the reciprocal there is not.
    """
    size = e._data.shape[-1]
    off_diagonal = Tensor((1 - np.eye(size)).astype(e._data.dtype))
    return _reciprocal(as_row(e) - as_column(e)) * off_diagonal


def _diagonal(x: Tensor) -> Tensor:
    """Return the matrices with these diagonals."""
    return as_column(x) * Tensor(np.eye(x._data.shape[-1], dtype=x._data.dtype))


def _real_spec(x: Spec, shape: Shape) -> Spec:
    return Spec(tuple(shape), np.dtype(x.dtype.char.lower()) if x.dtype.kind == "c" else x.dtype)


def _complex_spec(x: Spec, shape: Shape) -> Spec:
    return Spec(tuple(shape), np.result_type(x.dtype, np.complex64))


# --- Cholesky ------------------------------------------------------------------------------------


def _cholesky_vjp(g: Any, ans: Any) -> Tensor:
    # L⁻ᴴ Φ(Lᴴ g) L⁻¹, made Hermitian; Φ takes the lower triangle and half the diagonal. As
    # TensorFlow's, it is spread over both triangles, though only the lower one is read.
    middle = triangle(matmul(ans, g, adjoint_a=True), 0.5)
    left = ops.triangular_solve(ans, middle, adjoint=True)
    gx = adjoint(ops.triangular_solve(ans, adjoint(left), adjoint=True))
    return 0.5 * (gx + adjoint(gx))


cholesky_p = primitive(
    "cholesky",
    "x",
    shape=lambda x: check_matrix("Cholesky", x),
    batch=batch_leading,
    vjp={"x": _cholesky_vjp},
)


def cholesky(x: TensorLike) -> Tensor:
    """Compute the lower triangular L with L Lᴴ = x; nan if x is not positive definite."""
    return bind(cholesky_p, (as_matrix("Cholesky", x),))


# --- LU ------------------------------------------------------------------------------------------


def permutation_matrix(order: Tensor, dtype: DType) -> Tensor:
    """Return the matrix that moves row order[i] to row i."""
    count = order.shape[-1]
    columns = Tensor(np.arange(count, dtype=order._data.dtype))
    return ops.cast(ops.equal(as_column(order), columns), dtype)


def _halves(factors: Tensor) -> tuple[Tensor, ...]:
    """Return the unit lower and the upper triangular factor that one matrix holds."""
    return triangle(factors, 0.0) + eye_like(factors), triangle(factors, lower=False)


def _lu_vjp(g: tuple[Tensor, ...], ans: tuple[Tensor, ...]) -> Tensor:
    factors, order = ans
    lower, upper = _halves(factors)
    g_lower, g_upper = triangle(g[0], 0.0), triangle(g[0], lower=False)
    middle = triangle(matmul(lower, g_lower, adjoint_a=True), 0.0) + triangle(
        matmul(g_upper, upper, adjoint_b=True), lower=False
    )
    # Lower⁻ᴴ middle upper⁻ᴴ, with the rows in their original order.
    left = ops.triangular_solve(lower, middle, adjoint=True)
    both = adjoint(ops.triangular_solve(upper, adjoint(left), lower=False))
    return matmul(permutation_matrix(order, factors.dtype), both, transpose_a=True)


def _lu_shape(x: Spec, index_dtype: NumpyDType) -> tuple[Spec, Spec]:
    check_matrix("Lu", x)
    return x, Spec(x.shape[:-1], index_dtype)


lu_p = primitive("lu", "x", shape=_lu_shape, batch=batch_leading, outputs=2, vjp={"x": _lu_vjp})


def lu(x: Tensor, index_dtype: Any = "int32") -> tuple[Tensor, ...]:
    """Compute both LU factors, in one matrix, and the row permutation: x[order] = lower upper."""
    dtype = as_dtype(index_dtype)
    if dtype.name not in ("int32", "int64"):
        raise InvalidArgumentError(
            f"Lu: output_idx_type must be int32 or int64, got {dtype.name}. [Op:Lu]"
        )
    return bind(lu_p, (as_matrix("Lu", x),), {"index_dtype": dtype.dtype})


def lu_solve(factors: Tensor, order: Tensor, b: Tensor) -> Tensor:
    """Solve a x = b, given the LU decomposition of a."""
    factors = as_matrix("lu_solve", factors)
    permuted = matmul(permutation_matrix(order, factors.dtype), b)
    lower, _ = _halves(factors)
    return ops.triangular_solve(factors, ops.triangular_solve(lower, permuted), lower=False)


def lu_reconstruct(factors: Tensor, order: Tensor) -> Tensor:
    """Return the matrix whose LU decomposition is given."""
    lower, upper = _halves(as_matrix("lu_reconstruct", factors))
    product = matmul(lower, upper)
    return matmul(permutation_matrix(order, product.dtype), product, transpose_a=True)


def lu_matrix_inverse(factors: Tensor, order: Tensor) -> Tensor:
    """Return the inverse of the matrix whose LU decomposition is given."""
    factors = as_matrix("lu_matrix_inverse", factors)
    identity = ops.broadcast_to(eye_like(factors), factors._data.shape)
    return lu_solve(factors, order, identity)


# --- QR ------------------------------------------------------------------------------------------


def _qr_shape(x: Spec, full_matrices: bool) -> tuple[Spec, Spec]:
    *stack, m, n = check_matrix("Qr", x, square=False).shape
    rank = m if full_matrices else min(m, n)
    return Spec((*stack, m, rank), x.dtype), Spec((*stack, rank, n), x.dtype)


def _qr_vjp(
    g: tuple[Tensor, ...], x: Tensor, ans: tuple[Tensor, ...], full_matrices: bool
) -> Tensor:
    (gq, gr), (q, r) = g, ans
    m, n = x._data.shape[-2:]
    if m > n and full_matrices:
        raise NotImplementedError(
            f"qr: there is no gradient for more rows than columns ({m} > {n}) with "
            "full_matrices=True: the additional columns of q are not unique."
        )
    if m >= n:
        return _qr_tall_vjp(q, r, gq, gr)
    # A wide matrix is [a, b] with r = [u, v], where q u = a is the square case and v = qᴴ b.
    right = gr[..., m:]
    gq = gq + matmul(x[..., m:], right, adjoint_b=True)
    return ops.concat([_qr_tall_vjp(q, r[..., :m], gq, gr[..., :m]), matmul(q, right)], -1)


def _qr_tall_vjp(q: Tensor, r: Tensor, gq: Tensor, gr: Tensor) -> Tensor:
    """Apply TensorFlow's rule (Roberts and Roberts, 2020).

    A zero on the diagonal of r gives inf or nan.
    """

    def over_r(x: Tensor) -> Tensor:  # x r⁻ᴴ
        return adjoint(ops.triangular_solve(r, adjoint(x), lower=False))

    qg = matmul(q, gq, adjoint_a=True)
    rg = matmul(r, gr, adjoint_b=True)
    skew = triangle(rg - adjoint(rg) + qg - adjoint(qg))
    gx = matmul(q, gr + over_r(skew)) + over_r(gq - matmul(q, qg))
    if q._data.dtype.kind == "c":
        # The phases of the diagonal of r are fixed: it is real.
        diagonal = (rg - adjoint(qg)) * eye_like(rg)
        imaginary = diagonal - ops.cast(ops.real(diagonal), q.dtype)
        gx = gx + over_r(matmul(q, adjoint(imaginary)))
    return gx


qr_p = primitive("qr", "x", shape=_qr_shape, batch=batch_leading, outputs=2, vjp={"x": _qr_vjp})


def qr(x: Tensor, full_matrices: bool = False) -> tuple[Tensor, ...]:
    """Compute q with orthonormal columns and upper triangular r, such that q r = x."""
    params = {"full_matrices": bool(full_matrices)}
    return bind(qr_p, (as_matrix("Qr", x, square=False),), params)


# --- singular values -----------------------------------------------------------------------------


def _svd_shape(x: Spec, full_matrices: bool) -> tuple[Spec, Spec, Spec]:
    *stack, m, n = check_matrix("Svd", x, square=False).shape
    rank = min(m, n)
    columns = (m, n) if full_matrices else (rank, rank)
    return (
        _real_spec(x, (*stack, rank)),
        Spec((*stack, m, columns[0]), x.dtype),
        Spec((*stack, n, columns[1]), x.dtype),
    )


def _svd_vjp(
    g: tuple[Tensor, ...], x_shape: tuple[int, ...], ans: tuple[Tensor, ...], full_matrices: bool
) -> Tensor:
    """Apply TensorFlow's rule: equal singular values, and zeros, contribute 0 instead of inf."""
    (gs, gu, gv), (s, u, v) = g, ans
    m, n = x_shape[-2:]
    if full_matrices and abs(m - n) > 1:
        raise NotImplementedError(
            f"svd: there is no gradient for full_matrices=True and sizes {m} and {n} that differ "
            "by more than 1: the additional singular vectors are not unique."
        )
    is_tall = m > n
    if is_tall:  # the rule below is for wide matrices, and here for the adjoint
        m, n, u, v, gu, gv = n, m, v, u, gv, gu
    s, gs = ops.cast(s, u.dtype), ops.cast(gs, u.dtype)
    v1, gv1 = (v[..., :m], gv[..., :m]) if full_matrices and n > m else (v, gv)
    f = _gaps(s * s)
    fu = f * matmul(u, gu, adjoint_a=True)
    vg = matmul(v1, gv1, adjoint_a=True)
    fv = f * vg
    middle = _diagonal(gs) + (fu + adjoint(fu)) * as_row(s) + as_column(s) * (fv + adjoint(fv))
    if u._data.dtype.kind == "c":
        phase = vg * eye_like(vg)
        middle = middle + 0.5 * as_column(_reciprocal(s)) * (adjoint(phase) - phase)
    gx = matmul(u, matmul(middle, v1, adjoint_b=True))
    if m < n:
        rest = adjoint(gv1) - matmul(matmul(gv1, v1, adjoint_a=True), v1, adjoint_b=True)
        if full_matrices:
            crossed = matmul(v1, gv[..., m:], adjoint_a=True)
            rest = rest - matmul(crossed, v[..., m:], adjoint_b=True)
        gx = gx + matmul(u * as_row(_reciprocal(s)), rest)
    return adjoint(gx) if is_tall else gx


svd_p = primitive("svd", "x", shape=_svd_shape, batch=batch_leading, outputs=3, vjp={"x": _svd_vjp})


def svd(x: Any, full_matrices: bool = False) -> tuple[Tensor, ...]:
    """Compute s, u and v such that x = u diag(s) vᴴ."""
    params = {"full_matrices": bool(full_matrices)}
    return bind(svd_p, (as_matrix("Svd", x, square=False),), params)


def _svd_values_shape(x: Spec) -> Spec:
    *stack, m, n = check_matrix("Svd", x, square=False).shape
    return _real_spec(x, (*stack, min(m, n)))


def _svd_values_vjp(g: Any, x: Any) -> Tensor:
    _, u, v = svd(x)
    return matmul(u * as_row(ops.cast(g, u.dtype)), v, adjoint_b=True)


svd_values_p = primitive(
    "svd_values", "x", shape=_svd_values_shape, batch=batch_leading, vjp={"x": _svd_values_vjp}
)


def svd_values(x: TensorLike) -> Tensor:
    """Compute the singular values alone, in decreasing order."""
    return bind(svd_values_p, (as_matrix("Svd", x, square=False),))


# --- eigenvalues of Hermitian matrices -----------------------------------------------------------


def _to_lower(gx: Tensor) -> Tensor:
    """Return the cotangent of a Hermitian matrix of which only the lower triangle is read."""
    return triangle(gx + adjoint(gx), 0.5)


def _eigh_vjp(g: tuple[Tensor, ...], ans: tuple[Tensor, ...]) -> Tensor:
    """Apply TensorFlow's rule: eigenvectors of equal eigenvalues contribute 0 to each other."""
    (ge, gv), (e, v) = g, ans
    f = _gaps(e)
    middle = _diagonal(ge) + f * matmul(v, gv, adjoint_a=True)
    return _to_lower(matmul(v, matmul(middle, v, adjoint_b=True)))


def _eigh_shape(x: Spec) -> tuple[Spec, Spec]:
    check_matrix("SelfAdjointEigV2", x)
    return Spec(x.shape[:-1], x.dtype), x


eigh_p = primitive(
    "eigh", "x", shape=_eigh_shape, batch=batch_leading, outputs=2, vjp={"x": _eigh_vjp}
)


def eigh(x: Any) -> tuple[Tensor, ...]:
    """Compute the eigenvalues and orthonormal eigenvectors of Hermitian matrices.

    The eigenvalues are in increasing order. Only the lower triangle is read.
    """
    return bind(eigh_p, (as_matrix("SelfAdjointEigV2", x),))


def _eigvalsh_vjp(g: Any, x: Any) -> Tensor:
    _, v = eigh(x)
    return _to_lower(matmul(v * as_row(g), v, adjoint_b=True))


eigvalsh_p = primitive(
    "eigvalsh",
    "x",
    shape=lambda x: _eigh_shape(x)[0],
    batch=batch_leading,
    vjp={"x": _eigvalsh_vjp},
)


def eigvalsh(x: Tensor) -> Tensor:
    """Compute the eigenvalues of Hermitian matrices, in increasing order."""
    return bind(eigvalsh_p, (as_matrix("SelfAdjointEigV2", x),))


# --- eigenvalues of any matrix -------------------------------------------------------------------

_WIDE = frozenset(d for d in INEXACT if d.itemsize >= 4 or d in COMPLEX)


def _like_input(gx: Tensor, dtype: DType) -> Any:
    """Return the cotangent in the dtype of the input: for a real matrix, its real part."""
    return gx if dtype.is_complex else ops.cast(ops.real(gx), dtype)


def _eig_vjp(g: tuple[Tensor, ...], x_dtype: Any, ans: tuple[Tensor, ...]) -> Tensor:
    """Apply TensorFlow's rule, for eigenvectors of length 1 and of any phase.

    Equal eigenvalues contribute 0.
    """
    (ge, gv), (e, v) = g, ans
    f = ops.conj(_gaps(e))
    vg = matmul(v, gv, adjoint_a=True)
    lengths = ops.cast(ops.real(vg), vg.dtype) * eye_like(vg)
    middle = _diagonal(ge) + f * (vg - matmul(matmul(v, v, adjoint_a=True), lengths))
    gx = ops.solve(v, matmul(middle, v, adjoint_b=True), adjoint=True)
    return _like_input(gx, x_dtype)


def _eig_shape(x: Spec) -> tuple[Spec, Spec]:
    check_matrix("Eig", x)
    return _complex_spec(x, x.shape[:-1]), _complex_spec(x, x.shape)


eig_p = primitive("eig", "x", shape=_eig_shape, batch=batch_leading, outputs=2, vjp={"x": _eig_vjp})


def eig(x: Any) -> tuple[Tensor, ...]:
    """Compute the eigenvalues and eigenvectors of square matrices, complex and not sorted."""
    return bind(eig_p, (as_matrix("Eig", x, allowed=_WIDE),))


def _eigvals_vjp(g: Any, x: Tensor) -> Tensor:
    _, v = eig(x)
    gx = ops.solve(v, matmul(_diagonal(g), v, adjoint_b=True), adjoint=True)
    return _like_input(gx, x.dtype)


eigvals_p = primitive(
    "eigvals",
    "x",
    shape=lambda x: _eig_shape(x)[0],
    batch=batch_leading,
    vjp={"x": _eigvals_vjp},
)


def eigvals(x: Tensor) -> Tensor:
    """Compute the eigenvalues of square matrices, complex and not sorted."""
    return bind(eigvals_p, (as_matrix("Eig", x, allowed=_WIDE),))
