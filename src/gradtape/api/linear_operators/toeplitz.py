"""`LinearOperatorToeplitz`: a matrix that is constant along its diagonals."""

from __future__ import annotations

import numpy as np

from gradtape import ops
from gradtape.api.export import export
from gradtape.api.linear_operators.arguments import (
    common_batch,
    constructor_arguments,
    resolve_hint,
    to_stored_vectors,
    with_batch,
)
from gradtape.api.linear_operators.base import Structured
from gradtape.core.tensor import Tensor


def as_complex(x):
    """Return a real tensor as a complex one of its precision."""
    if x.dtype.is_complex:
        return x
    return ops.cast(x, "complex128" if x.dtype.name == "float64" else "complex64")


@export("linalg.LinearOperatorToeplitz")
class LinearOperatorToeplitz(Structured):
    """The matrix with a first column and a first row; its product is a convolution."""

    _matrix_axes = (
        ("col", 1),
        ("row", 1),
    )

    def __init__(
        self,
        col,
        row,
        is_non_singular=None,
        is_self_adjoint=None,
        is_positive_definite=None,
        is_square=None,
        name="LinearOperatorToeplitz",
    ):
        parameters = constructor_arguments(locals())
        self._col, self._row = to_stored_vectors(col, "col"), to_stored_vectors(row, "row")
        if self._col.shape[-1] != self._row.shape[-1]:
            raise ValueError(
                "Expected square matrix, got `col` and `row` of mismatched sizes: "
                f"{self._col.shape[-1]} and {self._row.shape[-1]}."
            )
        is_square = resolve_hint(
            is_square, True, "Only square Toeplitz operators currently supported."
        )
        hints = (is_non_singular, is_self_adjoint, is_positive_definite, is_square)
        super().__init__(self._row.dtype, None, *hints, name, parameters)

    @property
    def col(self):
        return self._col

    @property
    def row(self):
        return self._row

    def _shape(self):
        size = self._row.shape[-1]
        return (*common_batch(self._col.shape[:-1], self._row.shape[:-1]), size, size)

    def _vectors(self):
        batch = tuple(self.batch_shape)
        return (with_batch(ops.to_tensor(v), batch, 1) for v in (self._col, self._row))

    def _apply(self, x, adjoint: bool):
        col, row = self._vectors()
        if adjoint:
            # The main diagonal is the column's, here too.
            first = ops.slice_along(col, -1, 0, 1)
            rest = ops.slice_along(row, -1, 1, None)
            col, row = ops.conj(ops.concat([first, rest], -1)), ops.conj(col)
        size = int(self.domain_dimension)
        # The first column of a matrix twice as large that is circulant: a product of spectra.
        rest = ops.reverse(ops.slice_along(row, -1, 1, None), [-1])
        around = ops.concat([col, ops.slice_along(col, -1, 0, 1), rest], -1)
        spectrum = ops.expand_dims(ops.fft(as_complex(around), (around.ndim - 1,)), -1)
        padded = ops.concat([x, ops.zeros_like(x)], -2)
        indices = (x.ndim - 2,)
        product = spectrum * ops.fft(as_complex(padded), indices)
        result = ops.fft(product, (product.ndim - 2,), inverse=True)
        result = ops.slice_along(result, -2, 0, size)
        return result if self.dtype.is_complex else ops.real(result)

    def _diag_part(self):
        col, _ = self._vectors()
        return ops.broadcast_to(ops.slice_along(col, -1, 0, 1), col.shape)

    def _trace(self):
        col, _ = self._vectors()
        return ops.squeeze(ops.slice_along(col, -1, 0, 1), [-1]) * int(self.domain_dimension)

    def _to_dense(self):
        col, row = self._vectors()
        size = int(self.domain_dimension)
        # The diagonals from the upper right to the lower left.
        above = ops.reverse(ops.slice_along(row, -1, 1, None), [-1])
        entries = ops.concat([above, col], -1)
        indices = size - 1 + np.arange(size)[:, None] - np.arange(size)[None, :]
        return ops.gather(entries, Tensor(indices.astype(np.int32)), entries.ndim - 1)
