"""`tf.linalg.tridiagonal_solve` and `tf.linalg.tridiagonal_matmul`."""

from __future__ import annotations

from gradtape import ops
from gradtape.api.export import export
from gradtape.core.tensor import Tensor


def _compact(diagonals, diagonals_format: str):
    """Return diagonals in any of the three formats as one tensor (..., 3, size), aligned by
    rows."""
    if diagonals_format == "compact":
        diagonals = ops.to_tensor(diagonals)
        if diagonals.ndim < 2 or diagonals.shape[-2] != 3:
            got = diagonals.shape[-2] if diagonals.ndim > 1 else diagonals.shape
            raise ValueError(f"Expected 3 diagonals got {got}")
        return diagonals
    if diagonals_format == "sequence":
        if not isinstance(diagonals, (list, tuple)) or len(diagonals) != 3:
            raise ValueError("Expected diagonals to be a sequence of length 3.")
        upper, main, lower = (ops.to_tensor(d) for d in diagonals)
        size = main.shape[-1]
        zero = ops.zeros_like(main[..., :1])
        if upper.shape[-1] == size - 1:
            upper = ops.concat([upper, zero], -1)
        if lower.shape[-1] == size - 1:
            lower = ops.concat([zero, lower], -1)
        return ops.stack([upper, main, lower], -2)
    if diagonals_format == "matrix":
        matrix = ops.to_tensor(diagonals)
        if matrix.ndim < 2 or matrix.shape[-1] != matrix.shape[-2]:
            raise ValueError(
                "Expected last two dimensions of diagonals to be same, got a tensor of shape "
                f"{matrix.shape}"
            )
        return ops.matrix_diag_part(matrix, k=(-1, 1), align="LEFT_RIGHT")
    raise ValueError(
        f"Unrecognized diagonals_format: {diagonals_format}. It is 'compact', 'sequence' or "
        "'matrix'."
    )


@export("linalg.tridiagonal_solve")
def tridiagonal_solve(
    diagonals,
    rhs,
    diagonals_format="compact",
    transpose_rhs=False,
    conjugate_rhs=False,
    name=None,
    partial_pivoting=True,
    perturb_singular=False,
) -> Tensor:
    """Return x such that a x = rhs, for tridiagonal matrices a."""
    if perturb_singular and not partial_pivoting:
        raise ValueError("partial_pivoting must be True if perturb_singular is.")
    diagonals, rhs = ops.operands("TridiagonalSolve", _compact(diagonals, diagonals_format), rhs)
    if not diagonals.ndim - 1 <= rhs.ndim <= diagonals.ndim:
        raise ValueError(
            f"Expected the rank of rhs to be {diagonals.ndim - 1} or {diagonals.ndim}, got "
            f"{rhs.ndim}"
        )
    if conjugate_rhs:
        rhs = ops.conj(rhs)
    is_vector = rhs.ndim == diagonals.ndim - 1
    if is_vector:
        rhs = ops.as_column(rhs)
    elif transpose_rhs:
        rhs = ops.matrix_transpose(rhs)
    if rhs.shape[-2] != diagonals.shape[-1]:
        raise ValueError(
            "Expected number of left-hand sided and right-hand sides to be equal, got "
            f"{diagonals.shape[-1]} and {rhs.shape[-2]}"
        )
    x = ops.tridiagonal_solve(diagonals, rhs, perturb_singular)
    return ops.reshape(x, x.shape[:-1]) if is_vector else x


@export("linalg.tridiagonal_matmul")
def tridiagonal_matmul(diagonals, rhs, diagonals_format="compact", name=None) -> Tensor:
    """Return the product of tridiagonal matrices with matrices."""
    return ops.tridiagonal_matmul(_compact(diagonals, diagonals_format), rhs)
