"""Reductions and scans under TensorFlow's names."""

from __future__ import annotations

import numpy as np

from gradtape import ops
from gradtape.api.export import export
from gradtape.core import dtypes
from gradtape.core.composites import APPLIERS, apply_to_composites
from gradtape.core.convert import to_tensor
from gradtape.core.tensor import Tensor
from gradtape.ops.families import FLOATS, check_dtype

# --- reductions ----------------------------------------------------------------------------------


def _export_reduction(name: str, *public: str) -> None:
    op = getattr(ops, name)

    def reduce(input_tensor, axis=None, keepdims=False, name=None) -> Tensor:
        try:
            return op(input_tensor, axis, keepdims)
        except ValueError:
            if type(input_tensor) not in APPLIERS:
                raise
            args = (input_tensor, axis, keepdims)
            return apply_to_composites(public[0], reduce, args, {})

    reduce.takes_composites = True  # pyright: ignore[reportFunctionMemberAccess] (read by api/composites.py)
    reduce.__name__ = reduce.__qualname__ = name
    reduce.__doc__ = op.__doc__
    export(*public)(reduce)


for _name in "sum mean prod max min any all logsumexp".split():
    _export_reduction(f"reduce_{_name}", f"math.reduce_{_name}", f"reduce_{_name}")
for _name in "std variance euclidean_norm".split():
    _export_reduction(f"reduce_{_name}", f"math.reduce_{_name}")


@export("math.argmax", "argmax")
def argmax(input, axis=None, output_type=dtypes.int64, name=None) -> Tensor:
    """Return the index of the largest element along an axis (the first, if None); of equal ones,
    the first."""
    return ops.argmax(input, axis, output_type)


@export("math.argmin", "argmin")
def argmin(input, axis=None, output_type=dtypes.int64, name=None) -> Tensor:
    """Return the index of the smallest element along an axis (the first, if None); of equal ones,
    the first."""
    return ops.argmin(input, axis, output_type)


@export("math.count_nonzero")
def count_nonzero(input, axis=None, keepdims=None, dtype=dtypes.int64, name=None) -> Tensor:
    """Return how many elements are not zero (false, empty text)."""
    return ops.count_nonzero(input, axis, keepdims, dtype)


@export("math.zero_fraction", "nn.zero_fraction")
def zero_fraction(value, name=None) -> Tensor:
    """Return the fraction of elements that are 0, as a float32."""
    value = to_tensor(value)
    nonzero = ops.cast(ops.count_nonzero(value), "float32")
    size = np.float32(value.shape.num_elements())
    return (size - nonzero) / size


@export("nn.l2_loss")
def l2_loss(t, name=None) -> Tensor:
    """Return half the sum of squares."""
    t = to_tensor(t)
    check_dtype("L2Loss", FLOATS, t)
    return ops.reduce_sum(t * t) * 0.5


# --- scans ---------------------------------------------------------------------------------------


@export("math.cumsum", "cumsum")
def cumsum(x, axis=0, exclusive=False, reverse=False, name=None) -> Tensor:
    """Return running sums along an axis."""
    return ops.cumsum(x, axis, exclusive, reverse)


@export("math.cumprod")
def cumprod(x, axis=0, exclusive=False, reverse=False, name=None) -> Tensor:
    """Return running products along an axis."""
    return ops.cumprod(x, axis, exclusive, reverse)


@export("math.cumulative_logsumexp")
def cumulative_logsumexp(x, axis=0, exclusive=False, reverse=False, name=None) -> Tensor:
    """Return running logarithms of sums of exponentials along an axis."""
    return ops.cumulative_logsumexp(x, axis, exclusive, reverse)
