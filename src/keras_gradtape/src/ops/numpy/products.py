"""Products of vectors, matrices and more; correlation; the determinant."""

from __future__ import annotations

from gradtape import ops
from gradtape.api import numpy_names as names
from keras_gradtape.src import sparse
from keras_gradtape.src.conversion import SPARSE, cast, convert_to_tensor, numpy_dtype
from keras_gradtape.src.promotion import (
    adapt,
    adapted_pair,
    all_common,
    binary,
    common,
    common_inexact,
    inexact,
    result_dtype,
)

__all__ = [
    "corrcoef",
    "correlate",
    "cross",
    "dot",
    "einsum",
    "inner",
    "kron",
    "matmul",
    "outer",
    "slogdet",
    "tensordot",
    "vdot",
]

dot = binary(names.dot)
inner = binary(names.inner)
kron = binary(names.kron)
outer = binary(names.outer)
vdot = binary(names.vdot)
tensordot = adapted_pair(names.tensordot.__wrapped__, common)
cross = adapted_pair(names.cross)
correlate = adapted_pair(names.correlate, common_inexact)
corrcoef = adapt(names.corrcoef, inexact)


def _are_bytes(xs) -> bool:
    """Return whether all operands are int8: Keras counts the sums of their products in int32."""
    return all(x.dtype.name == "int8" for x in xs)


def matmul(x1, x2):
    """Return the matrix product over the last two axes."""
    if type(x1) in SPARSE or type(x2) in SPARSE:
        dtype = result_dtype(*[numpy_dtype(getattr(x, "dtype", type(x))) for x in (x1, x2)])
        return sparse.matmul(
            sparse.convert_to_tensor(x1, dtype), sparse.convert_to_tensor(x2, dtype)
        )
    x1, x2 = convert_to_tensor(x1), convert_to_tensor(x2)
    if x1.dtype is x2.dtype and x1.dtype.is_differentiable:
        return names.matmul(x1, x2)
    if _are_bytes((x1, x2)):
        return names.matmul(cast(x1, "int32"), cast(x2, "int32"))
    return names.matmul(*common(x1, x2))


def einsum(subscripts, *operands, **kwargs):
    """Return the sum of products that an equation describes."""
    xs = [convert_to_tensor(x) for x in operands]
    if _are_bytes(xs):
        xs = [cast(x, "int32") for x in xs]
    xs = all_common(xs)
    if names.is_truth(xs[0]):
        counts = names.einsum(subscripts, *(ops.cast(x, "int32") for x in xs))
        return ops.cast(counts, "bool")
    return names.einsum(subscripts, *xs)


def slogdet(x):
    """Return the sign of the determinant and the logarithm of its size."""
    return tuple(ops.slogdet(inexact(x)))
