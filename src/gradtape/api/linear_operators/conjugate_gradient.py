"""`tf.linalg.experimental.conjugate_gradient`: systems solved by products alone."""

from __future__ import annotations

from collections import namedtuple

from gradtape import ops
from gradtape.api.export import export
from gradtape.api.linalg.norms import norm
from gradtape.api.linear_operators.arguments import common_batch, with_batch
from gradtape.api.linear_operators.base import LinearOperator
from gradtape.core.brief import brief

CGState = namedtuple("CGState", ["i", "x", "r", "p", "gamma"])


def _dot(x, y):
    return ops.reduce_sum(ops.conj(x) * y, -1)


@export("linalg.experimental.conjugate_gradient")
def conjugate_gradient(
    operator, rhs, preconditioner=None, x=None, tol=1e-5, max_iter=20, name="conjugate_gradient"
):
    """Return x with A x = rhs, for a self-adjoint positive definite operator; with the last
    state."""
    for what, value in (("operator", operator), ("preconditioner", preconditioner)):
        is_missing = value is None and what == "preconditioner"
        if not (is_missing or isinstance(value, LinearOperator)):
            raise TypeError(
                f"conjugate_gradient: {what} must be a LinearOperator, got {brief(value)}."
            )
    if not (operator.is_self_adjoint and operator.is_positive_definite):
        raise ValueError(
            "conjugate_gradient: the operator must have is_self_adjoint=True and "
            "is_positive_definite=True."
        )
    rhs = ops.to_tensor(rhs)
    batches = [rhs.shape[:-1], operator.batch_shape]
    if preconditioner is not None:
        batches.append(preconditioner.batch_shape)
    residual = with_batch(rhs, common_batch(*batches), 1)
    limit = tol * norm(residual, axis=-1)
    if x is None:
        x = ops.zeros(tuple(residual.shape), rhs.dtype)
    else:
        residual = rhs - operator.matvec(x)
    direction = residual if preconditioner is None else preconditioner.matvec(residual)
    gamma = _dot(residual, direction)
    steps = 0
    while steps < max_iter and bool(ops.reduce_any(norm(residual, axis=-1) > limit)):
        z = operator.matvec(direction)
        alpha = ops.expand_dims(gamma / _dot(direction, z), -1)
        x = x + alpha * direction
        residual = residual - alpha * z
        q = residual if preconditioner is None else preconditioner.matvec(residual)
        before, gamma = gamma, _dot(residual, q)
        direction = q + ops.expand_dims(gamma / before, -1) * direction
        steps += 1
    return CGState(ops.to_tensor(steps), x, residual, direction, gamma)
