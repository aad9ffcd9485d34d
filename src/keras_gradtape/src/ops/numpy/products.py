"""Products of vectors, matrices and more; correlation; the determinant."""

from __future__ import annotations

from gradtape import ops
from gradtape.api import numpy_names as names
from keras_gradtape.src.promotion import (
    adapted,
    adapted_pair,
    all_common,
    binary,
    common,
    inexact,
)

__all__ = [
    "corrcoef", "correlate", "cross", "dot", "einsum", "inner", "kron", "matmul", "outer",
    "slogdet", "tensordot", "vdot",
]  # fmt: skip

dot = binary(names.dot)
inner = binary(names.inner)
kron = binary(names.kron)
outer = binary(names.outer)
vdot = binary(names.vdot)
tensordot = adapted_pair(names.tensordot.__wrapped__, common)
cross = adapted_pair(names.cross)
correlate = adapted_pair(names.correlate)
corrcoef = adapted(names.corrcoef, inexact)


def _wide(x1, x2):
    """Operands of a product; sums of products of bytes are counted in int32, as Keras does."""
    x1, x2 = common(x1, x2)
    if x1.dtype.name == "int8":
        return ops.cast(x1, "int32"), ops.cast(x2, "int32")
    return x1, x2


matmul = binary(names.matmul, _wide)


def einsum(subscripts, *operands, **kwargs):
    """The sum of products that an equation describes."""
    xs = all_common(operands)
    if xs[0].dtype.name == "int8":
        xs = [ops.cast(x, "int32") for x in xs]
    if names.is_truth(xs[0]):
        counts = names.einsum(subscripts, *(ops.cast(x, "int32") for x in xs))
        return ops.cast(counts, "bool")
    return names.einsum(subscripts, *xs)


def slogdet(x):
    """The sign of the determinant and the logarithm of its size."""
    return tuple(ops.slogdet(inexact(x)))
