"""Elements by index, condition or diagonal; sets, histograms."""

from __future__ import annotations

from gradtape import ops
from gradtape.api import numpy_names as names
from keras_gradtape.src import sparse as sparse_rules
from keras_gradtape.src.conversion import SPARSE, convert_to_tensor
from keras_gradtape.src.promotion import (
    adapt,
    adapted_pair,
    all_common,
    common,
    numeric,
    result_dtype,
)

__all__ = [
    "bincount",
    "diag",
    "diagflat",
    "diagonal",
    "digitize",
    "histogram",
    "isin",
    "nonzero",
    "searchsorted",
    "select",
    "take",
    "take_along_axis",
    "trace",
    "tril",
    "triu",
    "unique",
    "unravel_index",
    "where",
]

diag = adapt(names.diag)
diagflat = adapt(names.diagflat)
diagonal = adapt(names.diagonal)
tril = adapt(names.tril)
triu = adapt(names.triu)
isin = adapted_pair(names.isin)
nonzero = adapt(names.nonzero)


@sparse_rules.sparse_first(sparse_rules.on_values)
def digitize(x, bins):
    """Return the bin of each value."""
    return names.digitize(*common(x, bins))


def trace(x, offset=0, axis1=0, axis2=1):
    """Return the sum of a diagonal."""
    x = convert_to_tensor(x)
    narrow = {
        "bool": "int32",
        "int8": "int32",
        "int16": "int32",
        "uint8": "uint32",
        "uint16": "uint32",
    }
    return names.trace(ops.cast(x, narrow.get(x.dtype.name, x.dtype)), offset, axis1, axis2)


def take(x, indices, axis=None):
    """Return the slices of x along an axis at indices; where sparse ones have none, the first."""
    if type(indices) in SPARSE:
        indices = sparse_rules.dense(indices)
    return names.take(convert_to_tensor(x), convert_to_tensor(indices), axis)


def take_along_axis(x, indices, axis=None):
    """Return x at indices that differ along the other axes too."""
    return names.take_along_axis(convert_to_tensor(x), convert_to_tensor(indices), axis)


def where(condition, x1=None, x2=None):
    """Return x1 where the condition holds, else x2; without them, the indices where it holds."""
    condition = convert_to_tensor(condition)
    if x1 is None and x2 is None:
        return names.nonzero(condition)
    if x1 is None or x2 is None:
        raise ValueError("`x1` and `x2` either both should be `None` or both should have values.")
    return names.where(condition, *common(x1, x2))


def select(condlist, choicelist, default=0):
    """Return the choice whose condition is the first to hold."""
    conditions = [convert_to_tensor(c) for c in condlist]
    *choices, default = all_common([*choicelist, default])
    return names.select(conditions, choices, default)


def searchsorted(sorted_sequence, values, side="left"):
    """Return the indices at which values would be inserted into a sorted vector."""
    sequence, values = common(sorted_sequence, values)
    if sequence.ndim != 1:
        raise ValueError(
            "`searchsorted` only supports 1-D sorted sequences. You can use "
            "`keras.ops.vectorized_map` to extend it to N-D sequences. Received: "
            f"sorted_sequence.shape={tuple(sequence.shape)}"
        )
    return names.searchsorted(sequence, values, side)


def unravel_index(indices, shape):
    """Convert flat row-major indices to coordinates."""
    return names.unravel_index(convert_to_tensor(indices), shape)


def unique(
    x,
    sorted=True,
    return_index=False,
    return_inverse=False,
    return_counts=False,
    axis=None,
    size=None,
    fill_value=None,
):
    """Return the distinct elements; they are always in order."""
    return names.unique(
        convert_to_tensor(x), return_index, return_inverse, return_counts, axis, size, fill_value
    )


def histogram(x, bins=10, range=None):
    """Return how many values lie in each bin, and the bounds of the bins."""
    if not isinstance(bins, int):
        bins = convert_to_tensor(bins)
    return names.histogram(numeric(x), bins, range)


def bincount(x, weights=None, minlength=0, sparse=False):
    """Return how often each integer from 0 occurs, by rows of a matrix."""
    if sparse or type(x) in SPARSE:
        weights = None if weights is None else sparse_rules.convert_to_tensor(weights)
        x = sparse_rules.convert_to_tensor(x)
        result = sparse_rules.bincount(x, weights, minlength)
        dtype = "int32" if weights is None else result_dtype(weights.dtype.as_numpy_dtype, int)
        return sparse_rules.cast(result, dtype)
    weights = None if weights is None else numeric(weights)
    return names.bincount(convert_to_tensor(x), weights, minlength)
