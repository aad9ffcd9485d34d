"""Diagonals of matrices: `tf.linalg.diag`, `tf.linalg.band_part` and related functions."""

from __future__ import annotations

from gradtape import ops
from gradtape.api.export import export
from gradtape.core.protocols import is_linear_operator
from gradtape.core.tensor import Tensor


@export("linalg.diag")
def diag(
    diagonal, name="diag", k=0, num_rows=-1, num_cols=-1, padding_value=0, align="RIGHT_LEFT"
) -> Tensor:
    """Return matrices with given diagonals."""
    return ops.matrix_diag(diagonal, k, num_rows, num_cols, padding_value, align)


@export("linalg.diag_part")
def diag_part(input, name="diag_part", k=0, padding_value=0, align="RIGHT_LEFT") -> Tensor:
    """Return diagonals of matrices; of a linear operator, the main one."""
    if is_linear_operator(input):
        return input.diag_part()
    return ops.matrix_diag_part(input, k, padding_value, align)


@export("linalg.set_diag")
def set_diag(input, diagonal, name="set_diag", k=0, align="RIGHT_LEFT") -> Tensor:
    """Return matrices with some diagonals replaced."""
    return ops.matrix_set_diag(input, diagonal, k, align)


@export("linalg.band_part")
def band_part(input, num_lower, num_upper, name=None) -> Tensor:
    """Return matrices with zeros outside of a band around the diagonal (-1: no limit)."""
    return ops.band_part(input, num_lower, num_upper)


@export("linalg.tensor_diag")
def tensor_diag(diagonal, name=None) -> Tensor:
    """Return a tensor of twice the rank with the given elements on its diagonal."""
    return ops.tensor_diag(diagonal)


@export("linalg.tensor_diag_part")
def tensor_diag_part(input, name=None) -> Tensor:
    """Return the diagonal of a tensor of even rank."""
    return ops.tensor_diag_part(input)
