"""`tf.matmul`, `tf.einsum` and the other products of matrices."""

from __future__ import annotations

from gradtape import ops
from gradtape.api.export import export
from gradtape.core.composites import apply_to_composites
from gradtape.core.dtypes import as_dtype
from gradtape.core.errors import OpError
from gradtape.core.protocols import is_linear_operator
from gradtape.core.tensor import Tensor

# --- linear operators ----------------------------------------------------------------------------


def _operator_product(a, b, adjoint_a, adjoint_b):
    if is_linear_operator(a):
        return a.matmul(b, adjoint=bool(adjoint_a), adjoint_arg=bool(adjoint_b))
    # A B = (Bᴴ Aᴴ)ᴴ
    return ops.adjoint(b.matmul(a, adjoint=not adjoint_b, adjoint_arg=not adjoint_a))


# --- products ----------------------------------------------------------------------------------


def _one_of(transpose, adjoint, which: str) -> None:
    if transpose and adjoint:
        raise ValueError(
            f"Only one of `transpose_{which}` and `adjoint_{which}` can be True. Received "
            f"`transpose_{which}`={transpose}, `adjoint_{which}`={adjoint}."
        )


@export("matmul", "linalg.matmul")
def matmul(
    a,
    b,
    transpose_a=False,
    transpose_b=False,
    adjoint_a=False,
    adjoint_b=False,
    a_is_sparse=False,
    b_is_sparse=False,
    output_type=None,
    grad_a=False,
    grad_b=False,
    name=None,
) -> Tensor:
    """Return the product of matrices, over stacks of them that broadcast; also of linear
    operators."""
    if (type(a) is not Tensor and is_linear_operator(a)) or (
        type(b) is not Tensor and is_linear_operator(b)
    ):
        return _operator_product(a, b, adjoint_a, adjoint_b)
    try:
        if not (transpose_a or transpose_b or adjoint_a or adjoint_b or output_type):
            return ops.matmul(a, b)
        _one_of(transpose_a, adjoint_a, "a")
        _one_of(transpose_b, adjoint_b, "b")
        if output_type is not None:
            # Wide integers (or floats) of the result hold what narrow products would lose.
            wide = as_dtype(output_type)
            a, b = ops.cast(ops.to_tensor(a), wide), ops.cast(ops.to_tensor(b), wide)
        return ops.matmul(
            a, b, bool(transpose_a), bool(transpose_b), bool(adjoint_a), bool(adjoint_b)
        )
    except (AttributeError, TypeError, ValueError, OpError):
        options = {"transpose_a": transpose_a, "transpose_b": transpose_b, "adjoint_a": adjoint_a}
        options |= {"adjoint_b": adjoint_b, "output_type": output_type}
        result = apply_to_composites("linalg.matmul", matmul, (a, b), options)
        if result is NotImplemented:
            raise
        return result


@export("linalg.matvec")
def matvec(
    a, b, transpose_a=False, adjoint_a=False, a_is_sparse=False, b_is_sparse=False, name=None
) -> Tensor:
    """Return the product of matrices (or a linear operator) and vectors, over stacks that
    broadcast."""
    if type(a) is not Tensor and is_linear_operator(a):
        return a.matvec(b, adjoint=bool(adjoint_a))
    _one_of(transpose_a, adjoint_a, "a")
    return ops.matvec(a, b, bool(transpose_a), bool(adjoint_a))


@export("tensordot", "linalg.tensordot")
def tensordot(a, b, axes, name=None) -> Tensor:
    """Return the sum of products over the last axes of a and the first of b, or over the pairs
    given."""
    return ops.tensordot(a, b, axes)


@export("einsum", "linalg.einsum")
def einsum(equation, *inputs, **kwargs) -> Tensor:
    """Return the sum of products that an equation such as "ij,jk->ik" describes."""
    unknown = set(kwargs) - {"name", "optimize"}
    if unknown:
        raise TypeError(
            f"Invalid keyword arguments for einsum: {', '.join(sorted(unknown))}. Valid arguments: "
            "name, optimize."
        )
    return ops.einsum(equation, *inputs)


@export("linalg.cross")
def cross(a, b, name=None) -> Tensor:
    """Return the cross product of the 3-vectors along the last axis."""
    return ops.cross(a, b)


@export("linalg.trace")
def trace(x, name=None) -> Tensor:
    """Return the sum of the main diagonal of each matrix."""
    if is_linear_operator(x):
        return x.trace()
    return ops.trace(x)


@export("linalg.matrix_transpose")
def matrix_transpose(a, name="matrix_transpose", conjugate=False) -> Tensor:
    """Return a with its last two axes exchanged, and conjugated if asked for."""
    a = ops.to_tensor(a)
    if a.ndim < 2:
        raise ValueError(
            f"Argument `a` should be a (batch) matrix with rank >= 2. Received a tensor with "
            f"shape: {a.shape}"
        )
    return ops.adjoint(a) if conjugate else ops.matrix_transpose(a)


@export("linalg.adjoint")
def adjoint(matrix, name=None):
    """Return the conjugate transpose of matrices."""
    if is_linear_operator(matrix):
        return matrix.adjoint()
    return matrix_transpose(matrix, conjugate=True)
