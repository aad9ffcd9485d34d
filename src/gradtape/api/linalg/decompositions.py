"""`tf.linalg.cholesky` to `tf.linalg.eigh_tridiagonal`."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gradtape import ops
from gradtape.api.export import export
from gradtape.core.dtypes import int32
from gradtape.core.errors import ShapeError
from gradtape.core.protocols import is_linear_operator
from gradtape.core.tensor import Tensor


@export("linalg.cholesky")
def cholesky(input, name=None):
    """Return the lower triangular L with L Lᴴ = input; nan where that is not positive definite."""
    if is_linear_operator(input):
        return input.cholesky()
    return ops.cholesky(input)


class Lu(NamedTuple):
    """What `tf.linalg.lu` returns."""

    lu: Tensor
    p: Tensor


class Qr(NamedTuple):
    """What `tf.linalg.qr` returns."""

    q: Tensor
    r: Tensor


@export("linalg.lu")
def lu(input, output_idx_type=int32, name=None) -> Lu:
    """Return both factors in one matrix, and the order of the rows: input[order] = lower upper."""
    return Lu(*ops.lu(input, output_idx_type))


@export("linalg.qr")
def qr(input, full_matrices=False, name=None) -> Qr:
    """Return q with orthonormal columns and r upper triangular, with q r = input."""
    return Qr(*ops.qr(input, full_matrices))


@export("linalg.svd")
def svd(tensor, full_matrices=False, compute_uv=True, name=None):
    """Return the singular values s, and by default u and v: tensor = u diag(s) vᴴ."""
    return ops.svd(tensor, full_matrices) if compute_uv else ops.svd_values(tensor)


@export("linalg.eigh")
def eigh(tensor, name=None) -> tuple[Tensor, ...]:
    """Return eigenvalues (increasing) and eigenvectors of Hermitian matrices."""
    return ops.eigh(tensor)


@export("linalg.eigvalsh")
def eigvalsh(tensor, name=None) -> Tensor:
    """Return eigenvalues of Hermitian matrices, increasing."""
    return ops.eigvalsh(tensor)


@export("linalg.eig", "eig")
def eig(tensor, name=None) -> tuple[Tensor, ...]:
    """Return eigenvalues and eigenvectors of square matrices, complex, in no particular order."""
    return ops.eig(tensor)


@export("linalg.eigvals", "eigvals")
def eigvals(tensor, name=None) -> Tensor:
    """Return eigenvalues of square matrices, complex, in no particular order."""
    return ops.eigvals(tensor)


@export("linalg.eigh_tridiagonal")
def eigh_tridiagonal(
    alpha, beta, eigvals_only=True, select="a", select_range=None, tol=None, name=None
):
    """Return eigenvalues, all or some, of Hermitian matrices with these main and off diagonals.

    `select` is "a" (all), "i" (those with index in `select_range`, both ends counted) or "v"
    (those with a value in it).
    """
    if select not in ("a", "i", "v"):
        raise ValueError(f"select must have a value in {{'a', 'i', 'v'}}, got {select!r}.")
    if select == "a":
        select_range = (0, 0)
    elif select_range is None or len(select_range) != 2:
        raise ValueError(
            f"select_range must be two numbers for select={select!r}, got {select_range!r}."
        )
    alpha, beta = ops.operands("eigh_tridiagonal", alpha, beta)
    count = alpha.shape[-1]
    if tuple(beta.shape) != (*alpha.shape[:-1], max(count - 1, 0)):
        raise ShapeError(
            f"eigh_tridiagonal: an off-diagonal beta of shape {beta.shape} does not fit a diagonal "
            f"alpha of shape {alpha.shape}: it must be one shorter. [Op:eigh_tridiagonal]"
        )
    # The part below the diagonal is all that eigh reads.
    matrix = ops.matrix_diag(alpha)
    if count > 1:
        matrix = matrix + ops.matrix_diag(beta, k=-1)
    values, vectors = (ops.eigvalsh(matrix), None) if eigvals_only else ops.eigh(matrix)
    values = ops.real(values)
    if select == "i":
        start, stop = ops.static_ints(select_range, "eigh_tridiagonal: 'select_range'")
        stop += 1
        if not 0 <= start < stop <= count:
            raise ValueError(
                f"select_range {tuple(select_range)} is no range of the {count} eigenvalues."
            )
    elif select == "v":
        start, stop = _between(values, *select_range)
    else:
        start, stop = 0, count
    if vectors is None:
        return values[..., start:stop]
    return values[..., start:stop], vectors[..., start:stop]


def _between(values, low, high) -> tuple[int, int]:
    """Return the index range of the (increasing) eigenvalues in [low, high]; of one matrix only."""
    if values.ndim != 1:
        raise ValueError(
            f"select='v' needs one matrix, got a stack with eigenvalues of shape {values.shape}: "
            "the numbers of eigenvalues in the range may differ."
        )
    known = values.numpy()
    start, stop = np.searchsorted(known, float(low)), np.searchsorted(known, float(high), "right")
    return int(start), int(stop)
