"""`LinearOperatorPermutation`: the coordinates in another order."""

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
from gradtape.core import dtypes
from gradtape.core.tensor import Tensor


@export("linalg.LinearOperatorPermutation")
class LinearOperatorPermutation(Structured):
    """An operator whose result has coordinate perm[i] of its argument at index i."""

    _matrix_axes = (("perm", 1),)

    def __init__(
        self,
        perm,
        dtype=dtypes.float32,
        is_non_singular=None,
        is_self_adjoint=None,
        is_positive_definite=None,
        is_square=None,
        name="LinearOperatorPermutation",
    ):
        parameters = constructor_arguments(locals())
        resolve_hint(is_non_singular, True, "A permutation operator is always non-singular.")
        is_square = resolve_hint(is_square, True, "A permutation operator is always square.")
        self._perm = to_stored_vectors(perm, "perm")
        self._check()
        hints = (is_non_singular, is_self_adjoint, is_positive_definite, is_square)
        super().__init__(dtype, None, *hints, name, parameters)

    def _check(self) -> None:
        if not self._perm.dtype.is_integer:
            raise TypeError(f"Argument perm must be integer dtype, got {self._perm.dtype.name}.")
        known = np.asarray(ops.to_tensor(self._perm).numpy())
        if not np.array_equal(
            np.sort(known, -1), np.broadcast_to(np.arange(known.shape[-1]), known.shape)
        ):
            raise ValueError(f"perm must hold each number below its size once, got {known}.")

    @property
    def perm(self):
        return self._perm

    def _shape(self):
        shape = tuple(self._perm.shape)
        return (*shape, shape[-1])

    def _order(self, adjoint: bool):
        order = ops.to_tensor(self._perm)
        return ops.argsort(order, -1) if adjoint else order

    def _apply(self, x, adjoint: bool):
        order = self._order(adjoint)
        batch = common_batch(order.shape[:-1], x.shape[:-2])
        order = ops.expand_dims(with_batch(order, batch, 1), -1)
        x = with_batch(x, batch)
        return ops.take_along_axis(x, ops.broadcast_to(order, x.shape), -2)

    def _apply_inverse(self, rhs, adjoint: bool):
        return self._apply(rhs, not adjoint)

    def _determinant(self):
        order = np.asarray(self._order(False).numpy())
        # The sign of the number of pairs that stand in the wrong order.
        wrong = np.triu(order[..., :, None] > order[..., None, :], 1).sum((-2, -1))
        return Tensor(np.asarray(1 - 2 * (wrong % 2)).astype(self.dtype.dtype))

    def _log_abs_determinant(self):
        return ops.zeros(tuple(self.batch_shape), self.dtype)

    def _cond(self):
        return ops.ones(tuple(self.batch_shape), self.dtype)

    def _to_dense(self):
        return ops.permutation_matrix(self._order(False), self.dtype)
