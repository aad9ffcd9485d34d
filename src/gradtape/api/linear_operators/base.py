"""`LinearOperator`: what every operator can do, from its shape and its product with a matrix.

A class of operators gives `_shape` and `_matmul`, and overrides what its structure makes cheaper:
`_solve`, `_determinant`, `_log_abs_determinant`, `_to_dense`, `_diag_part`, `_trace`, `_eigvals`,
`_cond`, and the operators that follow from it (`_linop_adjoint`, `_linop_inverse`,
`_linop_cholesky`, `_linop_matmul`). Programs that define operators of their own do the same.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape import ops
from gradtape.api.export import export
from gradtape.api.linear_operators.arguments import (
    require,
    resolve_hint,
    same_batch,
    with_batch,
    with_ellipsis,
)
from gradtape.api.modules import Module
from gradtape.core.dtypes import as_dtype
from gradtape.core.shape import TensorShape
from gradtape.core.tensor import Tensor


@export("linalg.LinearOperator")
class LinearOperator(Module):
    """A linear map of vectors, or a stack of them, that need not be stored as a matrix."""

    _is_linear_operator = True
    # Parameters that have batch axes, by how many axes of them belong to the matrix.
    _matrix_axes: tuple[tuple[str, int], ...] = ()
    _TF_MODULE_IGNORED_PROPERTIES = frozenset({"_parameters"})

    def __init__(
        self,
        dtype,
        graph_parents=None,
        is_non_singular=None,
        is_self_adjoint=None,
        is_positive_definite=None,
        is_square=None,
        name=None,
        parameters=None,
    ):
        is_non_singular = resolve_hint(
            is_non_singular,
            is_positive_definite,
            "A positive definite matrix is always non-singular.",
        )
        is_square = resolve_hint(
            is_square, is_non_singular, "A non-singular matrix is always square."
        )
        is_square = resolve_hint(
            is_square, is_self_adjoint, "A self-adjoint matrix is always square."
        )
        self._dtype = None if dtype is None else as_dtype(dtype)
        self._graph_parents = list(graph_parents or ())
        self._is_non_singular = is_non_singular
        self._is_self_adjoint = is_self_adjoint
        self._is_positive_definite = is_positive_definite
        self._is_square = is_square
        self._parameters = dict(parameters or {})
        self._name = name or type(self).__name__

    # --- what it is

    @property
    def parameters(self) -> dict:
        return dict(self._parameters)

    @property
    def dtype(self) -> Any:
        return self._dtype

    @property
    def graph_parents(self) -> list:
        return self._graph_parents

    @property
    def is_non_singular(self) -> bool | None:
        return self._is_non_singular

    @property
    def is_self_adjoint(self) -> bool | None:
        return self._is_self_adjoint

    @property
    def is_positive_definite(self) -> bool | None:
        return self._is_positive_definite

    @property
    def is_square(self) -> bool:
        square = self.domain_dimension == self.range_dimension
        if self._is_square is False and square:
            raise ValueError("is_square was set to False, but the operator is square.")
        return square if self._is_square is None else self._is_square

    def _shape(self):
        raise NotImplementedError("_shape is not implemented.")

    @property
    def shape(self) -> TensorShape:
        return TensorShape(self._shape())

    def shape_tensor(self, name="shape_tensor") -> Tensor:
        return Tensor(np.array(self.shape.as_list(), np.int32))

    @property
    def batch_shape(self) -> TensorShape:
        return self.shape[:-2]

    def batch_shape_tensor(self, name="batch_shape_tensor") -> Tensor:
        return Tensor(np.array(self.batch_shape.as_list(), np.int32))

    @property
    def tensor_rank(self) -> int:
        return len(self.shape)

    def tensor_rank_tensor(self, name="tensor_rank_tensor") -> Tensor:
        return ops.to_tensor(self.tensor_rank)

    @property
    def domain_dimension(self) -> Any:
        return (self.shape.dims or [None])[-1]

    def domain_dimension_tensor(self, name="domain_dimension_tensor") -> Tensor:
        return ops.to_tensor(int(self.domain_dimension))

    @property
    def range_dimension(self) -> Any:
        return (self.shape.dims or [None, None])[-2]

    def range_dimension_tensor(self, name="range_dimension_tensor") -> Tensor:
        return ops.to_tensor(int(self.range_dimension))

    def _eye(self):
        """Return the identity matrix, as large as the domain; with the batch of the operator."""
        size = int(self.domain_dimension)
        eye = Tensor(np.eye(size, dtype=self.dtype.dtype))
        return with_batch(eye, tuple(self.batch_shape))

    # --- products

    def _input(self, x, axis: int, own: int, name: str):
        """Return an argument as a tensor of the right dtype, whose axis fits an axis of the
        operator."""
        x = ops.to_tensor(x, None if ops.is_tensor_like(x) else self.dtype)
        if x.dtype is not self.dtype:
            raise TypeError(
                f"{self.name}.{name}: the argument has dtype {x.dtype.name}, the operator "
                f"{self.dtype.name}."
            )
        if x.ndim < -axis or x.shape[axis] != self.shape[own]:
            raise ValueError(
                f"{self.name}.{name}: the argument's shape {tuple(x.shape)} does not fit the "
                f"operator's shape {tuple(self.shape)}: axis {axis} should have size "
                f"{self.shape[own]}."
            )
        return x

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        raise NotImplementedError("_matmul is not implemented.")

    def matmul(self, x, adjoint=False, adjoint_arg=False, name="matmul") -> Any:
        """Return the product with a matrix, or with another operator."""
        if isinstance(x, LinearOperator):
            left, right = self._two(x, adjoint, adjoint_arg, name)
            return left._linop_matmul(left, right)
        x = self._input(x, -1 if adjoint_arg else -2, -2 if adjoint else -1, name)
        return self._matmul(x, adjoint=adjoint, adjoint_arg=adjoint_arg)

    def _two(self, other: LinearOperator, adjoint: bool, adjoint_arg: bool, name: str):
        left = self.adjoint() if adjoint else self
        right = other.adjoint() if adjoint_arg else other
        if left.domain_dimension != right.range_dimension:
            raise ValueError(
                f"Operators are incompatible in {name}: the shapes are {tuple(left.shape)} and "
                f"{tuple(right.shape)}."
            )
        return left, right

    def _linop_matmul(self, left_operator, right_operator) -> LinearOperator:
        from gradtape.api.linear_operators.composition import product

        return product(left_operator, right_operator)

    def __matmul__(self, other):
        return self.matmul(other)

    def _matvec(self, x, adjoint=False):
        return ops.squeeze(self.matmul(ops.expand_dims(x, -1), adjoint=adjoint), [-1])

    def matvec(self, x, adjoint=False, name="matvec") -> Any:
        """Return the product with a vector."""
        x = self._input(x, -1, -2 if adjoint else -1, name)
        return self._matvec(x, adjoint=adjoint)

    # --- solutions

    def _can_use_cholesky(self) -> bool:
        return bool(self.is_self_adjoint and self.is_positive_definite)

    def _dense_solve(self, rhs, adjoint=False, adjoint_arg=False):
        rhs = ops.adjoint(rhs) if adjoint_arg else rhs
        if self._can_use_cholesky():
            return ops.cholesky_solve(*same_batch(ops.cholesky(self.to_dense()), rhs))
        matrix, rhs = same_batch(self.to_dense(), rhs)
        return ops.solve(matrix, rhs, adjoint)

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        return self._dense_solve(rhs, adjoint, adjoint_arg)

    def _check_solvable(self, name: str) -> None:
        for hint, what in ((self.is_non_singular, "singular"), (self.is_square, "not square")):
            if hint is False:
                raise NotImplementedError(f"{self.name}.{name}: the operator is {what}.")

    def solve(self, rhs, adjoint=False, adjoint_arg=False, name="solve") -> Any:
        """Return X with A X = rhs, for a matrix or another operator."""
        self._check_solvable(name)
        if isinstance(rhs, LinearOperator):
            left, right = self._two(rhs, adjoint, adjoint_arg, name)
            return left.inverse().matmul(right)
        rhs = self._input(rhs, -1 if adjoint_arg else -2, -1 if adjoint else -2, name)
        return self._solve(rhs, adjoint=adjoint, adjoint_arg=adjoint_arg)

    def _solvevec(self, rhs, adjoint=False):
        return ops.squeeze(self.solve(ops.expand_dims(rhs, -1), adjoint=adjoint), [-1])

    def solvevec(self, rhs, adjoint=False, name="solve") -> Any:
        """Return x with A x = rhs, for a vector."""
        self._check_solvable(name)
        rhs = self._input(rhs, -1, -1 if adjoint else -2, name)
        return self._solvevec(rhs, adjoint=adjoint)

    # --- numbers

    def _determinant(self):
        if self._can_use_cholesky():
            return ops.exp(self.log_abs_determinant())
        return ops.det(self.to_dense())

    def determinant(self, name="det"):
        self._check_square("determinant")
        return self._determinant()

    def _log_abs_determinant(self):
        if self._can_use_cholesky():
            diagonal = ops.matrix_diag_part(ops.cholesky(self.to_dense()))
            return 2 * ops.reduce_sum(ops.log(diagonal), -1)
        return ops.slogdet(self.to_dense())[1]

    def log_abs_determinant(self, name="log_abs_det"):
        self._check_square("log_abs_determinant")
        return self._log_abs_determinant()

    def _check_square(self, name: str) -> None:
        if self.is_square is False:
            raise NotImplementedError(f"{self.name}.{name}: the operator is not square.")

    def _diag_part(self):
        return ops.matrix_diag_part(self.to_dense())

    def diag_part(self, name="diag_part") -> Tensor:
        """Return the main diagonal."""
        return self._diag_part()

    def _trace(self):
        return ops.reduce_sum(self.diag_part(), -1)

    def trace(self, name="trace"):
        """Return the sum of the main diagonal."""
        return self._trace()

    def _eigvals(self):
        return ops.eigvalsh(self.to_dense())

    def eigvals(self, name="eigvals") -> Tensor:
        """Return the eigenvalues of a self-adjoint operator."""
        if not self.is_self_adjoint:
            raise NotImplementedError(
                f"{self.name}.eigvals: only for operators with is_self_adjoint=True."
            )
        return self._eigvals()

    def _cond(self):
        if self.is_self_adjoint:
            values = ops.abs(self._eigvals())
        else:
            values = ops.svd_values(self.to_dense())
        return ops.reduce_max(values, -1) / ops.reduce_min(values, -1)

    def cond(self, name="cond"):
        """Return the condition number: the largest singular value over the smallest."""
        return self._cond()

    # --- the matrix

    def _to_dense(self):
        return self.matmul(self._eye())

    def to_dense(self, name="to_dense"):
        """Return the matrix itself."""
        return self._to_dense()

    def _add_to_tensor(self, x):
        return self.to_dense() + x

    def add_to_tensor(self, x, name="add_to_tensor"):
        """Return the matrix plus a tensor."""
        return self._add_to_tensor(ops.to_tensor(x, None if ops.is_tensor_like(x) else self.dtype))

    # --- operators that follow from it

    def _hints(self) -> dict[str, Any]:
        """Return the hints that hold for the adjoint and the inverse as well."""
        return {
            "is_non_singular": self.is_non_singular,
            "is_self_adjoint": self.is_self_adjoint,
            "is_positive_definite": self.is_positive_definite,
        }

    def _linop_adjoint(self) -> LinearOperator:
        from gradtape.api.linear_operators.composition import LinearOperatorAdjoint

        return LinearOperatorAdjoint(self)

    def adjoint(self, name="adjoint") -> LinearOperator:
        """Return the operator of the conjugate transpose."""
        return self if self.is_self_adjoint is True else self._linop_adjoint()

    @property
    def H(self):
        return self.adjoint()

    def _linop_inverse(self) -> LinearOperator:
        from gradtape.api.linear_operators.composition import LinearOperatorInversion

        return LinearOperatorInversion(self)

    def inverse(self, name="inverse") -> LinearOperator:
        """Return the operator of the inverse."""
        if self.is_square is False or self.is_non_singular is False:
            raise ValueError(f"{self.name}.inverse: the operator is not square, or is singular.")
        return self._linop_inverse()

    def _linop_cholesky(self) -> LinearOperator:
        from gradtape.api.linear_operators.dense import LinearOperatorLowerTriangular

        return LinearOperatorLowerTriangular(
            ops.cholesky(self.to_dense()), is_non_singular=True, is_self_adjoint=False
        )

    def cholesky(self, name="cholesky") -> LinearOperator:
        """Return the lower triangular operator L with L Lᴴ = A."""
        if not self._can_use_cholesky():
            raise ValueError(
                f"{self.name}.cholesky: is_self_adjoint and is_positive_definite must be True."
            )
        return self._linop_cholesky()

    # --- assertions

    def _assert_non_singular(self):
        if self._can_use_cholesky():
            return self.assert_positive_definite()
        limit = 1 / np.finfo(self.dtype.real_dtype.as_numpy_dtype).eps
        condition = ops.real(self.cond())
        return require(ops.less(condition, float(limit)), "Singular matrix up to precision.")

    def assert_non_singular(self, name="assert_non_singular") -> None:
        return self._assert_non_singular()

    def _assert_positive_definite(self):
        if not self.is_self_adjoint:
            raise NotImplementedError("assert_positive_definite is not implemented.")
        diagonal = ops.real(ops.matrix_diag_part(ops.cholesky(self.to_dense())))
        return require(ops.greater(diagonal, 0.0), "Matrix was not positive definite.")

    def assert_positive_definite(self, name="assert_positive_definite") -> None:
        return self._assert_positive_definite()

    def _assert_self_adjoint(self):
        dense = self.to_dense()
        return require(ops.equal(dense, ops.adjoint(dense)), "Matrix was not equal to its adjoint.")

    def assert_self_adjoint(self, name="assert_self_adjoint") -> None:
        return self._assert_self_adjoint()

    # --- parts of the batch

    def __getitem__(self, slices):
        """Return the operators at some indices of the batch."""
        key = slices if isinstance(slices, tuple) else (slices,)
        return _sliced(self, tuple(self.batch_shape), key)


def _sliced(operator: LinearOperator, batch: tuple[int, ...], key: tuple):
    parameters = operator.parameters
    for name, axes in operator._matrix_axes:
        parameters[name] = _sliced_value(parameters[name], axes, batch, key)
    return type(operator)(**parameters)


def _sliced_value(value, axes: int, batch: tuple[int, ...], key: tuple):
    if value is None:
        return None
    if isinstance(value, LinearOperator):
        return _sliced(value, batch, key)
    if isinstance(value, (list, tuple)) and any(
        isinstance(item, (LinearOperator, list, tuple)) for item in value
    ):
        return [_sliced_value(item, axes, batch, key) for item in value]
    value = with_batch(ops.to_tensor(value), batch, axes)
    whole = (slice(None),) * axes
    return value[(*with_ellipsis(key), *whole)]


class Structured(LinearOperator):
    """An operator with a product of its own: `_apply(x, adjoint)`, and maybe `_apply_inverse`."""

    def _apply(self, x, adjoint: bool):
        raise NotImplementedError

    def _apply_inverse(self, rhs, adjoint: bool):
        return self._dense_solve(rhs, adjoint)

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        return self._apply(ops.adjoint(x) if adjoint_arg else x, adjoint)

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        return self._apply_inverse(ops.adjoint(rhs) if adjoint_arg else rhs, adjoint)
