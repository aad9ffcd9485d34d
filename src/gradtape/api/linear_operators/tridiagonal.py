"""`LinearOperatorTridiag`: a main diagonal and its neighbors."""

from __future__ import annotations

from typing import Any

from gradtape import ops
from gradtape.api.export import export
from gradtape.api.linalg import tridiagonal
from gradtape.api.linear_operators.arguments import (
    common_batch,
    constructor_arguments,
    resolve_hint,
    to_stored,
    with_batch,
    with_ellipsis,
)
from gradtape.api.linear_operators.base import Structured

_FORMATS = ("matrix", "sequence", "compact")


@export("linalg.LinearOperatorTridiag")
class LinearOperatorTridiag(Structured):
    """A tridiagonal matrix: given whole, as three vectors, or as three rows."""

    def __init__(
        self,
        diagonals,
        diagonals_format="compact",
        is_non_singular=None,
        is_self_adjoint=None,
        is_positive_definite=None,
        is_square=None,
        name="LinearOperatorTridiag",
    ):
        parameters = constructor_arguments(locals())
        if diagonals_format not in _FORMATS:
            raise ValueError(
                f"Argument `diagonals_format` must be one of {_FORMATS}, got {diagonals_format!r}."
            )
        self._format = diagonals_format
        self._diagonals: Any
        if diagonals_format == "sequence":
            self._diagonals = [to_stored(each) for each in diagonals]
            dtype = self._diagonals[0].dtype
        else:
            self._diagonals = to_stored(diagonals)
            dtype = self._diagonals.dtype
        is_square = resolve_hint(
            is_square, True, "Only square tridiagonal operators are supported."
        )
        hints = (is_non_singular, is_self_adjoint, is_positive_definite, is_square)
        super().__init__(dtype, None, *hints, name, parameters)

    @property
    def diagonals(self):
        return self._diagonals

    @property
    def diagonals_format(self) -> str:
        return self._format

    def _rows(self) -> Any:
        """Return the diagonals above, on and below the main one, as rows."""
        if self._format == "compact":
            return ops.to_tensor(self._diagonals)
        if self._format == "matrix":
            return ops.matrix_diag_part(self._diagonals, (-1, 1), align="LEFT_RIGHT")
        parts = [ops.to_tensor(each) for each in self._diagonals]
        batch = common_batch(*(each.shape[:-1] for each in parts))
        return ops.stack([with_batch(each, batch, 1) for each in parts], -2)

    def _adjoint_rows(self):
        upper, main, lower = (ops.conj(row) for row in ops.unstack(self._rows(), axis=-2))
        # What is above the diagonal in column i + 1 stands below it in row i + 1, and back.
        return ops.stack([ops.roll(lower, [-1], [-1]), main, ops.roll(upper, [1], [-1])], -2)

    def _shape(self):
        if self._format == "matrix":
            return self._diagonals.shape
        rows = self._rows()
        return (*rows.shape[:-2], rows.shape[-1], rows.shape[-1])

    def _with_rhs(self, x, adjoint: bool):
        rows = self._adjoint_rows() if adjoint else self._rows()
        batch = common_batch(rows.shape[:-2], x.shape[:-2])
        return with_batch(rows, batch), with_batch(x, batch)

    def _apply(self, x, adjoint: bool):
        return tridiagonal.tridiagonal_matmul(*self._with_rhs(x, adjoint))

    def _apply_inverse(self, rhs, adjoint: bool):
        return tridiagonal.tridiagonal_solve(*self._with_rhs(rhs, adjoint))

    def _diag_part(self):
        if self._format == "sequence":
            return with_batch(ops.to_tensor(self._diagonals[1]), tuple(self.batch_shape), 1)
        return ops.squeeze(ops.slice_along(self._rows(), -2, 1, 2), [-2])

    def _to_dense(self):
        if self._format == "matrix":
            return ops.to_tensor(self._diagonals)
        return ops.matrix_diag(self._rows(), (-1, 1), align="LEFT_RIGHT")

    def __getitem__(self, slices):
        """Return the operators at some indices of the batch."""
        key = slices if isinstance(slices, tuple) else (slices,)
        rows = self._rows()[(*with_ellipsis(key), slice(None), slice(None))]
        return LinearOperatorTridiag(rows, "compact", **self._hints())
