"""Functions of sparse tensors, by the rules of Keras's TensorFlow backend.

Two kinds are sparse: `SparseTensor`, which is zero but for a few values, and `IndexedSlices`, which
is zero but in a few rows: what the gradient of an embedding is. The rows of the latter may repeat,
and then add up; a function of each value sees them one by one, before they add up, so that the
squares of such a gradient are the sum of the squares.
"""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np

from gradtape import ops
from gradtape.api.ragged.tensor import RaggedTensor
from gradtape.api.sparse import construction
from gradtape.api.sparse import math as sparse_math
from gradtape.api.sparse.tensor import SparseTensor, take_values
from gradtape.core.tensor import Tensor
from gradtape.engine.indexed_slices import IndexedSlices
from keras_gradtape.src import conversion
from keras_gradtape.src import ragged as rows
from keras_gradtape.src.conversion import SPARSE, numpy_dtype


def convert_to_tensor(x, dtype=None, sparse=None, ragged=None) -> Any:
    """Return the tensor that a value means, in `dtype` where one is given (values are cast to it).

    What is sparse stays so; a `SparseTensor`, unless `sparse` is False; and what is ragged, unless
    `ragged` is False.
    """
    if type(x) not in SPARSE:
        if type(x) is RaggedTensor:
            return rows.convert_to_tensor(x, dtype, ragged)
        return conversion.convert_to_tensor(x, dtype)
    if type(x) is SparseTensor and sparse is not None and not sparse:
        x = dense(x)
    return x if dtype is None else cast(x, dtype)


def cast(x, dtype) -> Any:
    """Return `x` in another dtype."""
    if type(x) is RaggedTensor:
        return rows.cast(x, dtype)
    return _cast_values(x, dtype) if type(x) in SPARSE else conversion.cast(x, dtype)


for _function in (convert_to_tensor, cast):  # Keras compares signatures, and has no annotations
    _function.__annotations__.clear()


def convert_to_numpy(x):
    """Return the value as a NumPy array of its own, which is dense."""
    return conversion.convert_to_numpy(dense(x))


def _cast_values(x, dtype):
    if x.dtype.as_numpy_dtype == numpy_dtype(dtype):
        return x
    return with_values(x, conversion.cast(x.values, dtype))


def dense(x) -> Any:
    """Return a sparse tensor as a dense one; another value as it is."""
    if type(x) is SparseTensor:
        return construction.to_dense(x)
    return x.__tf_tensor__() if type(x) is IndexedSlices else x


def with_values(x, values) -> Any:
    """Return other values at the same indices, or in the same rows."""
    if type(x) is SparseTensor:
        return x.with_values(values)
    return IndexedSlices(values, x.indices, x._dense_shape)


def from_parts(indices, values, shape) -> SparseTensor:
    """Return a sparse tensor of arrays: what those of SciPy, JAX and TensorFlow consist of."""
    result = SparseTensor(np.asarray(indices, np.int64), np.asarray(values), shape)
    return construction.reorder(result)


# --- rules: what a function of dense tensors does with sparse ones --------------------------------


def on_values(function, x, *args, **kwargs):
    """Wrap a function with f(0) = 0: it is applied to the values; all else stays zero."""
    return with_values(x, function(x.values, *args, **kwargs))


def densify(function, x, *args, **kwargs):
    """Wrap a function whose result is not sparse."""
    return function(dense(x), *args, **kwargs)


def union(function, a, b):
    """Wrap a function with f(0, 0) = 0: two sparse tensors give one, at the indices of either."""
    if type(a) is not type(b):
        return function(dense(a), dense(b))
    if a.indices is b.indices:
        return with_values(a, function(a.values, b.values))
    if not _has_indices(a, b):
        return function(dense(a), dense(b))
    numbers, x, y, _ = _align(a, b)
    return _at(numbers, function(x, y), a)


def intersection(function, a, b):
    """Wrap a function with f(x, 0) = f(0, x) = 0: indices are those of the sparse operand, or of
    both."""
    if type(a) is type(b):
        if a.indices is b.indices:
            return with_values(a, function(a.values, b.values))
        if not _has_indices(a, b):
            return function(dense(a), dense(b))
        numbers, x, y, common = _align(a, b)
        kept = np.flatnonzero(common)
        return _at(numbers[kept], function(take_values(x, kept), take_values(y, kept)), a)
    if type(a) in SPARSE and type(b) in SPARSE:
        return function(dense(a), dense(b))
    if type(a) in SPARSE:
        return with_values(a, function(a.values, _opposite(b, a)))
    return with_values(b, function(_opposite(a, b), b.values))


def quotient(function, a, b):
    """Wrap a division: sparse where only the dividend is, with indices also where 0/0 or 0/nan
    is."""
    if type(b) in SPARSE:
        return function(dense(a), dense(b))
    if not _is_scalar(b):
        b = conversion.convert_to_tensor(b)
        # In a function being traced, the other indices are not known; the rows must stay apart.
        if b._has_value and _has_indices(a):
            data = b._host_data()
            a = _with_more_indices(a, (data == 0) | (data != data))
    return with_values(a, function(a.values, _opposite(b, a)))


def _has_indices(*sparse) -> bool:
    """Return whether the indices are known now: not in a function being traced."""
    return all(x.indices._has_value for x in sparse)


def _is_scalar(x) -> bool:
    return not hasattr(x, "shape") or not len(x.shape)


def _opposite(x, sp):
    """Return the elements of a dense value (broadcast to the shape of `sp`) opposite to its
    values."""
    if _is_scalar(x):
        return x
    x = conversion.convert_to_tensor(x)
    if type(sp) is SparseTensor:
        return sp._opposite("multiply", x)
    repeats_rows = x.ndim < len(sp.shape) or x.shape[0] == 1
    return x if repeats_rows else ops.gather(x, sp.indices)


def _numbers(sp) -> np.ndarray:
    """Return flat, row-major indices, or those of the rows."""
    if type(sp) is SparseTensor:
        return construction.ravel_indices(construction.indices_of(sp), construction.sizes_of(sp))
    return np.asarray(sp.indices._data)


def _at(numbers: np.ndarray, values, like):
    """Return values at flat indices, in the shape and of the type of another."""
    if type(like) is IndexedSlices:
        return IndexedSlices(values, Tensor(numbers), like._dense_shape)
    sizes = construction.sizes_of(like)
    return construction.sparse(construction.unravel_indices(numbers, sizes), values, sizes)


def _align(a, b):
    """Return (flat indices of either, values of a and of b there, which of them both have)."""
    if tuple(a.shape) != tuple(b.shape):
        raise ops.ShapeError(
            f"Two sparse tensors must have the same shape, got {tuple(a.shape)} and "
            f"{tuple(b.shape)}. Make one dense with keras.ops.convert_to_tensor(x, sparse=False)."
        )
    first, second = _numbers(a), _numbers(b)
    unique, groups = np.unique(np.concatenate([first, second]), return_inverse=True)
    groups = groups.reshape(-1).astype(np.int64)
    in_first, in_second = np.zeros((2, len(unique)), bool)
    in_first[groups[: len(first)]] = in_second[groups[len(first) :]] = True
    x = ops.unsorted_segment_sum(a.values, Tensor(groups[: len(first)]), len(unique))
    y = ops.unsorted_segment_sum(b.values, Tensor(groups[len(first) :]), len(unique))
    return unique, x, y, in_first & in_second


def _with_more_indices(sp, wanted: Any):
    """Return `sp` with zeros as values of its own where an array (broadcast to its shape) is
    true."""
    if not wanted.any():
        return sp
    wanted = np.broadcast_to(wanted, tuple(sp.shape))
    if type(sp) is IndexedSlices:
        wanted = wanted.any(tuple(range(1, wanted.ndim)))
    numbers = _numbers(sp)
    unique, groups = np.unique(
        np.concatenate([numbers, np.flatnonzero(wanted)]), return_inverse=True
    )
    groups = Tensor(groups.reshape(-1)[: len(numbers)].astype(np.int64))
    return _at(unique, ops.unsorted_segment_sum(sp.values, groups, len(unique)), sp)


def sparse_first(rule):
    """Return a decorator: a function of a tensor (and more) that treats a sparse one by a rule."""

    def decorate(function):
        @functools.wraps(function)
        def wrapper(x, *args, **kwargs):
            if type(x) in SPARSE:
                return rule(function, x, *args, **kwargs)
            return function(x, *args, **kwargs)

        return wrapper

    return decorate


# --- shapes and sums -----------------------------------------------------------------------------


def reshape(function, x, newshape):
    if type(x) is IndexedSlices:
        return function(dense(x), newshape)
    return construction.reshape(x, newshape)


def transpose(function, x, axes=None):
    if type(x) is IndexedSlices:
        return function(dense(x), axes)
    if axes is not None:
        axes = [axis + len(x.shape) if axis < 0 else axis for axis in axes]
    return construction.transpose(x, axes)


def expand_dims(function, x, axis):
    if type(x) is IndexedSlices:
        return function(dense(x), axis)
    axes = sorted(ops.normalize_axes("expand_dims", axis, len(x.shape) + np.size(axis)))
    for each in axes:
        x = construction.expand_dims(x, each)
    return x


def squeeze(function, x, axis=None):
    if type(x) is IndexedSlices:
        return function(dense(x), axis)
    sizes = construction.sizes_of(x)
    if axis is None:
        axes = {i for i, n in enumerate(sizes) if n == 1}
    else:
        axes = set(ops.normalize_axes("squeeze", axis, len(sizes)))
    for each in axes:
        if sizes[each] != 1:
            raise ValueError(f"Cannot squeeze axis={each}, because the dimension is not 1.")
    kept = [i for i in range(len(sizes)) if i not in axes]
    return construction.sparse(
        construction.indices_of(x)[:, kept], x.values, [sizes[i] for i in kept]
    )


def total(function, x, axis=None, keepdims=False):
    """Return the sum over axes: sparse, of a sparse tensor."""
    if type(x) is IndexedSlices:
        # Of all elements, it does not matter where they are.
        return function(x.values if axis is None and not keepdims else dense(x), axis, keepdims)
    values = function(x.values, ())  # in the dtype that sums have
    return sparse_math.reduce_sum(with_values(x, values), axis, keepdims, output_is_sparse=True)


def mean(function, x, axis=None, keepdims=False):
    """Return the mean over axes: rows stay rows, if the first axis and another remain."""
    rank = len(x.shape)
    axes = set(ops.normalize_axes("mean", axis, rank))
    remaining = rank if keepdims else rank - len(axes)
    if type(x) is SparseTensor or 0 in axes or remaining < 2:
        return function(dense(x), axis, keepdims)
    values = function(x.values, tuple(axes), keepdims)
    return IndexedSlices(values, x.indices, (x.shape[0], *values.shape[1:]))


def concatenate(xs, axis: int) -> SparseTensor:
    """Concatenate sparse tensors along an axis."""
    return construction.concat(axis, xs)


# --- products ------------------------------------------------------------------------------------


def matmul(a: Any, b: Any):
    """Return the matrix product over the last two axes, of which one operand or both are sparse."""
    if type(a) is IndexedSlices or type(b) is IndexedSlices:
        a = dense(a) if type(a) is IndexedSlices else a
        b = dense(b) if type(b) is IndexedSlices else b
    if type(a) is SparseTensor and type(b) is SparseTensor:
        return _sparse_times_sparse(a, b)
    if type(a) is SparseTensor:
        return _sparse_times_dense(a, b)
    if type(b) is SparseTensor:
        if len(b.shape) == 2 < len(a.shape):
            rows = matmul(ops.reshape(a, (-1, a.shape[-1])), b)
            return ops.reshape(rows, (*a.shape[:-1], b.shape[1]))
        swapped = [*range(len(b.shape) - 2), len(b.shape) - 1, len(b.shape) - 2]
        result = _sparse_times_dense(construction.transpose(b, swapped), ops.matrix_transpose(a))
        return ops.matrix_transpose(result)
    return ops.matmul(a, b)


def _check_product(a, b) -> None:
    fits = len(a.shape) == len(b.shape) >= 2 and tuple(a.shape[:-2]) == tuple(b.shape[:-2])
    if not fits or a.shape[-1] != b.shape[-2]:
        raise ops.ShapeError(
            "matmul: with a sparse operand, shapes must be (..., m, n) and (..., n, k) with the "
            f"same leading sizes, got {tuple(a.shape)} and {tuple(b.shape)}."
        )


def _sparse_times_dense(a: SparseTensor, b):
    _check_product(a, b)
    *batch, rows, inner = construction.sizes_of(a)
    where = construction.indices_of(a)
    leading = construction.ravel_indices(where[:, :-2], tuple(batch))
    # The gradient of `gather` is sparse: each row of b that meets a value gets one, once.
    wanted, again = np.unique(leading * inner + where[:, -1], return_inverse=True)
    flat = b if b.ndim == 2 else ops.reshape(b, (-1, b.shape[-1]))
    picked = take_values(ops.gather(flat, Tensor(wanted)), again.reshape(-1))
    terms = ops.expand_dims(a.values, 1) * picked
    result = ops.unsorted_segment_sum(
        terms, Tensor(leading * rows + where[:, -2]), math.prod(batch) * rows
    )
    return result if not batch else ops.reshape(result, (*batch, rows, b.shape[-1]))


def _sparse_times_sparse(a: SparseTensor, b: SparseTensor) -> SparseTensor:
    """Multiply sparse matrices: each value of `a` by the values of `b` in the row given by its
    column."""
    _check_product(a, b)
    *batch, rows, inner = construction.sizes_of(a)
    columns = construction.sizes_of(b)[-1]
    left, right = construction.indices_of(a), construction.indices_of(b)
    leading = construction.ravel_indices(left[:, :-2], tuple(batch))
    wanted = leading * inner + left[:, -1]
    given = construction.ravel_indices(right[:, :-1], (*batch, inner))
    begins, ends = np.searchsorted(given, wanted), np.searchsorted(given, wanted, side="right")
    counts = ends - begins
    i = np.repeat(np.arange(len(left)), counts)
    j = np.arange(len(i)) - np.repeat(np.cumsum(counts) - counts, counts) + begins[i]
    terms = take_values(a.values, i) * take_values(b.values, j)
    numbers = (leading[i] * rows + left[i, -2]) * columns + right[j, -1]
    unique, groups = np.unique(numbers, return_inverse=True)
    groups = Tensor(groups.reshape(-1).astype(np.int64))
    values = ops.unsorted_segment_sum(terms, groups, len(unique))
    sizes = (*batch, rows, columns)
    return construction.sparse(construction.unravel_indices(unique, sizes), values, sizes)


# --- codes of integers ----------------------------------------------------------------------------


def one_hot(x, num_classes: int, axis: int, dtype: np.dtype) -> SparseTensor:
    """Return ones at the indices; a negative index has a 0 at index 0."""
    numbers = np.asarray(x._data)
    axis = axis + numbers.ndim + 1 if axis < 0 else axis
    where: list[np.ndarray] = [index.reshape(-1) for index in np.indices(numbers.shape)]
    where.insert(axis, np.maximum(numbers, 0).reshape(-1))
    sizes = [*numbers.shape[:axis], num_classes, *numbers.shape[axis:]]
    values = (numbers >= 0).reshape(-1).astype(dtype)
    result = construction.sparse(np.stack(where, 1).astype(np.int64), Tensor(values), sizes)
    return construction.reorder(result)


def multi_hot(x, num_classes: int, axis: int, dtype: np.dtype) -> SparseTensor:
    """Return ones at all indices of a row."""
    codes = one_hot(x, num_classes, axis, np.dtype("int32"))
    result = sparse_math.reduce_max(codes, 1 if x.ndim > 1 else 0, output_is_sparse=True)
    return with_values(result, ops.cast(result.values, dtype))


def bincount(x, weights, minlength: int) -> SparseTensor:
    """Return how often each integer from 0 occurs, by rows of a matrix."""
    return sparse_math.bincount(x, weights, minlength=minlength, axis=-1)
