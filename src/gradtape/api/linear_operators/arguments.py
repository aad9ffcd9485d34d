"""What linear operators make of their arguments: hints, dtypes and batch shapes."""

from __future__ import annotations

from typing import Any

from gradtape import ops
from gradtape.backends.broadcasting import broadcast_shapes
from gradtape.core.errors import InvalidArgumentError
from gradtape.engine.variable import Variable, as_variable


def to_stored(value):
    """Return what an operator keeps of an argument: a variable itself, of anything else its
    tensor."""
    return value if isinstance(as_variable(value), Variable) else ops.to_tensor(value)


def to_stored_vectors(value, name: str):
    """Return what an operator keeps of an argument that has vectors along its last axis."""
    stored = to_stored(value)
    if not len(stored.shape):
        raise ValueError(f"Argument {name} must have at least 1 dimension. Found: a scalar.")
    return stored


def constructor_arguments(names: dict[str, Any]) -> dict[str, Any]:
    """Return what a constructor was called with, from its `locals()` before any other line."""
    return {name: value for name, value in names.items() if name not in ("self", "__class__")}


def resolve_hint(hint: bool | None, follows, text: str) -> bool | None:
    """Return a hint, or True where it follows from the structure; `text` is the error if it is
    denied."""
    if not follows:
        return hint
    if hint is False:
        raise ValueError(text)
    return True


def hints_of_all(operators, parameters: dict[str, Any], whole: str) -> dict[str, bool | None]:
    """Return the hints that hold for an operator as soon as they hold for all it is made of."""
    return {
        hint: resolve_hint(
            parameters[hint],
            all(getattr(operator, hint) for operator in operators),
            f"All operators have {hint}=True, so {whole} has, too.",
        )
        for hint in ("is_non_singular", "is_self_adjoint", "is_positive_definite")
    }


def one_dtype(operators, what: str):
    """Return the dtype of operators, of which there is at least one."""
    if not operators:
        raise ValueError(f"{what}: at least one operator is needed.")
    from gradtape.api.linear_operators.base import LinearOperator

    for operator in operators:
        if not isinstance(operator, LinearOperator):
            raise TypeError(
                f"{what}: operators must be tf.linalg.LinearOperator objects, not "
                f"{type(operator).__name__}. For a matrix, use tf.linalg.LinearOperatorFullMatrix."
            )
    dtypes = [operator.dtype for operator in operators]
    if any(dtype is not dtypes[0] for dtype in dtypes):
        raise TypeError(
            f"{what}: all operators must have one dtype, got {[d.name for d in dtypes]}."
        )
    return dtypes[0]


def common_batch(*shapes) -> tuple[int, ...]:
    """Return the shape that batches broadcast to."""
    try:
        return broadcast_shapes(*(tuple(shape) for shape in shapes))
    except ValueError:
        raise ValueError(f"Batch shapes {[tuple(s) for s in shapes]} do not broadcast.") from None


def with_batch(x, batch: tuple[int, ...], axes: int = 2):
    """Return x repeated along batch axes in front of its last ones."""
    shape = (*batch, *x.shape[x.ndim - axes :])
    return x if tuple(x.shape) == shape else ops.broadcast_to(x, shape)


def with_ellipsis(key: tuple) -> tuple:
    """Return a key in brackets that spans all batch axes."""
    # (`in` would compare the tensors of the key with the ellipsis.)
    return key if any(entry is Ellipsis for entry in key) else (*key, ...)


def same_batch(a, b) -> tuple[Any, Any]:
    """Return two stacks of matrices with one batch shape."""
    batch = common_batch(a.shape[:-2], b.shape[:-2])
    return with_batch(a, batch), with_batch(b, batch)


def require(holds, text: str) -> None:
    if not bool(ops.reduce_all(holds)):
        raise InvalidArgumentError(text)


def require_diagonal(diagonal) -> None:
    """Raise an error where the diagonal of a triangular matrix has a zero: it has no inverse."""
    text = "Singular operator:  Diagonal contained zero values."
    require(ops.greater(ops.abs(diagonal), 0.0), text)
