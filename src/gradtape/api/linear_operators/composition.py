"""Operators made of others: their product, the adjoint, the inverse."""

from __future__ import annotations

import functools
import operator as python_operator

from gradtape import ops
from gradtape.api.export import export
from gradtape.api.linear_operators.arguments import (
    common_batch,
    constructor_arguments,
    one_dtype,
    resolve_hint,
)
from gradtape.api.linear_operators.base import LinearOperator
from gradtape.api.linear_operators.of_operators import OfOperators


def product(left: LinearOperator, right: LinearOperator) -> LinearOperator:
    """Return the operator of a product, as simple as it can be."""
    from gradtape.api.linear_operators.identity import (
        LinearOperatorIdentity,
        LinearOperatorZeros,
    )

    if isinstance(right, LinearOperatorIdentity) and not len(right.batch_shape):
        return left
    if isinstance(left, LinearOperatorIdentity) and not len(left.batch_shape):
        return right
    for zeros in (left, right):
        if isinstance(zeros, LinearOperatorZeros) and left.is_square and right.is_square:
            return zeros
    if isinstance(left, LinearOperatorInversion) and left.operator is right:
        return LinearOperatorIdentity(left.range_dimension, left.batch_shape, left.dtype)
    square = left.is_square and right.is_square
    known = left.is_non_singular and right.is_non_singular if square else None
    return LinearOperatorComposition([left, right], is_non_singular=known or None)


def _is_symmetric_form(operators: list) -> bool:
    """Return whether the product reads the same from both ends, adjoint: A B Bᴴ Aᴴ."""
    count = len(operators)
    if count % 2:
        return False
    pairs = zip(operators[: count // 2], reversed(operators), strict=False)
    return all(
        (isinstance(last, LinearOperatorAdjoint) and last.operator is first)
        or (isinstance(first, LinearOperatorAdjoint) and first.operator is last)
        for first, last in pairs
    )


@export("linalg.LinearOperatorComposition")
class LinearOperatorComposition(OfOperators):
    """The product of operators; the last one acts first."""

    def __init__(
        self,
        operators,
        is_non_singular=None,
        is_self_adjoint=None,
        is_positive_definite=None,
        is_square=None,
        name=None,
    ):
        parameters = constructor_arguments(locals())
        self._operators = list(operators)
        dtype = one_dtype(self._operators, "LinearOperatorComposition")
        for first, second in zip(self._operators, self._operators[1:], strict=False):
            if first.domain_dimension != second.range_dimension:
                raise ValueError(
                    "LinearOperatorComposition: operators of shapes "
                    f"{[tuple(o.shape) for o in self._operators]} cannot follow each other."
                )
        is_non_singular = resolve_hint(
            is_non_singular,
            all(o.is_non_singular for o in self._operators),
            "The composition of non-singular operators is always non-singular.",
        )
        symmetric = _is_symmetric_form(self._operators)
        alone = len(self._operators) == 1 and self._operators[0].is_self_adjoint
        is_self_adjoint = resolve_hint(
            is_self_adjoint, symmetric or alone, "The composition is self-adjoint by its form."
        )
        is_positive_definite = resolve_hint(
            is_positive_definite,
            symmetric and is_non_singular,
            "The composition is of the form A Aᴴ and non-singular, so positive definite.",
        )
        name = name or "_o_".join(o.name for o in self._operators)
        hints = (is_non_singular, is_self_adjoint, is_positive_definite, is_square)
        super().__init__(dtype, None, *hints, name, parameters)

    def _shape(self):
        batch = common_batch(*(o.batch_shape for o in self._operators))
        return (*batch, self._operators[0].range_dimension, self._operators[-1].domain_dimension)

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        x = ops.adjoint(x) if adjoint_arg else x
        for each in self._operators if adjoint else reversed(self._operators):
            x = each.matmul(x, adjoint=adjoint)
        return x

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        rhs = ops.adjoint(rhs) if adjoint_arg else rhs
        for each in reversed(self._operators) if adjoint else self._operators:
            rhs = each.solve(rhs, adjoint=adjoint)
        return rhs

    def _determinant(self):
        if not all(o.is_square for o in self._operators):
            return ops.det(self.to_dense())
        return functools.reduce(python_operator.mul, (o.determinant() for o in self._operators))

    def _log_abs_determinant(self):
        if not all(o.is_square for o in self._operators):
            return ops.slogdet(self.to_dense())[1]
        return functools.reduce(
            python_operator.add, (o.log_abs_determinant() for o in self._operators)
        )

    def _linop_adjoint(self):
        operators = [o.adjoint() for o in reversed(self._operators)]
        return LinearOperatorComposition(operators, **self._hints())

    def _linop_inverse(self):
        if not all(o.is_square for o in self._operators):
            return super()._linop_inverse()
        operators = [o.inverse() for o in reversed(self._operators)]
        return LinearOperatorComposition(operators, **self._hints())


def _shared_hint(operator: LinearOperator, hint: str, given, what: str):
    """Return a hint that an operator shares with the one it is made of."""
    own = getattr(operator, hint)
    if own is not None and given is not None and own != given:
        raise ValueError(
            f"{hint}={given} contradicts the operator's {own}: they hold for an operator and its "
            f"{what} alike."
        )
    return own if given is None else given


class _Derived(LinearOperator):
    """What the adjoint and the inverse share: one operator, and its hints."""

    _what, _suffix = "", ""
    _needs: tuple[tuple[str, str], ...] = ()  # hints that must not be denied, and in words
    _matrix_axes = (("operator", 0),)

    def __init__(
        self,
        operator,
        is_non_singular=None,
        is_self_adjoint=None,
        is_positive_definite=None,
        is_square=None,
        name=None,
    ):
        parameters = constructor_arguments(locals())
        for hint, needed in self._needs:
            if getattr(operator, hint) is False or parameters[hint] is False:
                raise ValueError(f"The {self._what} of {operator.name} needs a {needed} operator.")
        self._operator = operator
        hints = {
            hint: _shared_hint(operator, hint, parameters[hint], self._what)
            for hint in ("is_non_singular", "is_self_adjoint", "is_positive_definite", "is_square")
        }
        super().__init__(
            operator.dtype,
            name=name or f"{operator.name}_{self._suffix}",
            parameters=parameters,
            **hints,
        )

    @property
    def operator(self) -> LinearOperator:
        return self._operator


@export("linalg.LinearOperatorAdjoint")
class LinearOperatorAdjoint(_Derived):
    """The conjugate transpose of an operator."""

    _what, _suffix = "adjoint", "adjoint"

    def _shape(self):
        *batch, rows, columns = self._operator.shape
        return (*batch, columns, rows)

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        return self._operator.matmul(x, adjoint=not adjoint, adjoint_arg=adjoint_arg)

    def _matvec(self, x, adjoint=False):
        return self._operator.matvec(x, adjoint=not adjoint)

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        return self._operator.solve(rhs, adjoint=not adjoint, adjoint_arg=adjoint_arg)

    def _solvevec(self, rhs, adjoint=False):
        return self._operator.solvevec(rhs, adjoint=not adjoint)

    def _determinant(self):
        return ops.conj(self._operator.determinant())

    def _log_abs_determinant(self):
        return self._operator.log_abs_determinant()

    def _trace(self):
        return ops.conj(self._operator.trace())

    def _to_dense(self):
        return ops.adjoint(self._operator.to_dense())

    def _eigvals(self):
        return ops.conj(self._operator.eigvals())

    def _cond(self):
        return self._operator.cond()

    def _linop_adjoint(self):
        return self._operator


@export("linalg.LinearOperatorInversion")
class LinearOperatorInversion(_Derived):
    """The inverse of an operator: its product solves, its solution multiplies."""

    _what, _suffix = "inverse", "inv"
    _needs = (("is_non_singular", "non-singular"), ("is_square", "square"))

    def _shape(self):
        return self._operator.shape

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        return self._operator.solve(x, adjoint=adjoint, adjoint_arg=adjoint_arg)

    def _solve(self, rhs, adjoint=False, adjoint_arg=False):
        return self._operator.matmul(rhs, adjoint=adjoint, adjoint_arg=adjoint_arg)

    def _determinant(self):
        return 1.0 / self._operator.determinant()

    def _log_abs_determinant(self):
        return -1.0 * self._operator.log_abs_determinant()

    def _eigvals(self):
        return 1.0 / self._operator.eigvals()

    def _cond(self):
        return self._operator.cond()

    def _linop_inverse(self):
        return self._operator
