"""`tf.sparse`: sums, products and other arithmetic of sparse tensors."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gradtape import ops
from gradtape.api.export import export
from gradtape.api.sparse.construction import (
    check_order,
    indices_of,
    ravel_indices,
    sizes_of,
    sparse,
    to_dense,
    unravel_indices,
)
from gradtape.api.sparse.tensor import (
    SparseTensor,
    SparseTensorValue,
    as_sparse,
    take_values,
)
from gradtape.core import nest
from gradtape.core.convert import static_int, static_value
from gradtape.core.dtypes import float32, int32
from gradtape.core.errors import InvalidArgumentError
from gradtape.core.protocols import is_ragged
from gradtape.core.tensor import Tensor

_SPARSE = (SparseTensor, SparseTensorValue)


# --- products ------------------------------------------------------------------------------------


@export("sparse.sparse_dense_matmul")
def sparse_dense_matmul(sp_a, b, adjoint_a=False, adjoint_b=False, name=None) -> Tensor:
    """Return the product of a sparse and a dense matrix (or of a dense and a sparse one)."""
    if isinstance(b, _SPARSE):
        if isinstance(sp_a, _SPARSE):
            raise TypeError("sparse_dense_matmul: one of the matrices must be dense.")
        # a @ b is the transpose of bᵀ @ aᵀ.
        same = adjoint_a == adjoint_b
        flips = (not adjoint_a, not adjoint_b) if same else (adjoint_a, adjoint_b)
        return ops.transpose(sparse_dense_matmul(b, sp_a, *flips))
    sp = as_sparse(sp_a, "sp_a")
    op = "SparseTensorDenseMatMul"
    values, dense = ops.operands(op, sp.values, b)
    sizes, shape = sizes_of(sp), tuple(dense.shape)
    if len(sizes) != 2 or len(shape) != 2:
        raise ops.ShapeError(
            f"{op}: Tensor 'b' and the sparse 'a' must be matrices, got shapes {list(sizes)} and "
            f"{list(shape)}. [Op:{op}]"
        )
    check_order(op, sp, strictly=False)
    rows, columns = indices_of(sp).T
    count, inner = sizes
    if adjoint_a:
        rows, columns, count, inner = columns, rows, inner, count
        values = ops.conj(values)
    if adjoint_b:
        dense = ops.adjoint(dense)
    if inner != dense.shape[0]:
        raise ops.ShapeError(
            f"Cannot multiply A and B because inner dimension does not match: {inner} vs. "
            f"{dense.shape[0]}.  Did you forget a transpose?  Dimensions of A: {list(sizes)}.  "
            f"Dimensions of B: {list(shape)} [Op:{op}]"
        )
    picked = ops.segment_rows(dense, Tensor(np.ascontiguousarray(columns)))
    terms = ops.expand_dims(values, 1) * picked
    return ops.unsorted_segment_sum(terms, Tensor(np.ascontiguousarray(rows)), count)


@export("sparse.sampled_addmm")
def sampled_addmm(
    indices, values, dense_shape, mat1, mat2, beta=1.0, alpha=1.0, output_type=float32
) -> tuple[Tensor, Tensor, Tensor]:
    """Return alpha * (mat1 @ mat2) + beta * values at some indices: (indices, values,
    dense_shape)."""
    indices = ops.to_tensor(indices)
    values = ops.cast(values, output_type)
    mat1, mat2 = ops.cast(mat1, output_type), ops.cast(mat2, output_type)
    left = ops.gather_nd(mat1, indices[:, :-1])
    right = ops.gather_nd(
        ops.matrix_transpose(mat2), ops.concat([indices[:, :-2], indices[:, -1:]], 1)
    )
    products = ops.reduce_sum(left * right, -1)
    return indices, products * alpha + values * beta, ops.to_tensor(dense_shape)


# --- reductions ----------------------------------------------------------------------------------


def _reduce_values(op: str, sp_input, axis, keepdims, output_is_sparse: bool, reduce):
    """Return the values that fall together when axes are left out, reduced."""
    sp = as_sparse(sp_input)
    sizes, indices = sizes_of(sp), indices_of(sp)
    axes = set(ops.normalize_axes(op, axis, len(sizes)))
    kept = [i for i in range(len(sizes)) if i not in axes]
    kept_sizes = tuple(sizes[i] for i in kept)
    shape = kept_sizes
    if keepdims:
        shape = tuple(1 if i in axes else n for i, n in enumerate(sizes))
    flat = ravel_indices(indices[:, kept], kept_sizes)
    unique, groups = np.unique(flat, return_inverse=True)
    values = reduce(sp.values, Tensor(groups.reshape(-1).astype(np.int64)), len(unique))
    if not output_is_sparse:
        # Where nothing falls, the result is 0, for a maximum too.
        total = ops.scatter_nd(Tensor(unique[:, None]), values, (math.prod(kept_sizes),))
        return ops.reshape(total, shape)
    return sparse(unravel_indices(unique, shape), values, shape)


@export("sparse.reduce_sum")
def reduce_sum(sp_input, axis=None, keepdims=None, output_is_sparse=False, name=None):
    """Return sums over axes (by default all): a dense tensor, or on request a sparse one."""
    return _reduce_values(
        "SparseReduceSum", sp_input, axis, keepdims, output_is_sparse, ops.unsorted_segment_sum
    )


@export("sparse.reduce_max")
def reduce_max(sp_input, axis=None, keepdims=None, output_is_sparse=False, name=None) -> Any:
    """Return maxima over axes of the values there are; 0 where there are none."""
    return _reduce_values(
        "SparseReduceMax", sp_input, axis, keepdims, output_is_sparse, ops.unsorted_segment_max
    )


@export("sparse.softmax")
def softmax(sp_input, name=None) -> SparseTensor:
    """Return the softmax along the last axis, over explicit values only."""
    sp = as_sparse(sp_input)
    sizes = sizes_of(sp)
    if len(sizes) < 2:
        raise ops.ShapeError(
            f"Input should have rank >= 2, got shape {list(sizes)} [Op:SparseSoftmax]"
        )
    flat = ravel_indices(indices_of(sp)[:, :-1], sizes[:-1])
    unique, groups = np.unique(flat, return_inverse=True)
    groups = Tensor(groups.reshape(-1).astype(np.int64))
    largest = ops.stop_gradient(ops.unsorted_segment_max(sp.values, groups, len(unique)))
    powers = ops.exp(sp.values - ops.segment_rows(largest, groups))
    totals = ops.unsorted_segment_sum(powers, groups, len(unique))
    return sp.with_values(powers / ops.segment_rows(totals, groups))


# --- two sparse tensors --------------------------------------------------------------------------


def _align(op: str, a: SparseTensor, b: SparseTensor):
    """Return (values of a, values of b, indices, which are in both) at the indices of either.

    Where one has none, its value is 0.
    """
    sizes = sizes_of(a)
    if sizes != sizes_of(b):
        raise ops.ShapeError(
            f"Operands' shapes do not match: {list(sizes)} and {list(sizes_of(b))} [Op:{op}]"
        )
    if a.dtype is not b.dtype:
        ops.operands(op, a.values, b.values)  # raises the error that names the dtypes
    flat = [ravel_indices(indices_of(sp), sizes) for sp in (a, b)]
    unique, groups = np.unique(np.concatenate(flat), return_inverse=True)
    count, groups = len(indices_of(a)), groups.reshape(-1).astype(np.int64)
    parts = [
        ops.unsorted_segment_sum(sp.values, Tensor(ids), len(unique))
        for sp, ids in ((a, groups[:count]), (b, groups[count:]))
    ]
    return *parts, unravel_indices(unique, sizes), np.bincount(groups, minlength=len(unique)) > 1


@export("sparse.add")
def add(a, b, threshold=0):
    """Return the sum of two tensors of which one or both are sparse: sparse if both are.

    Sums of two values that are below the threshold in magnitude are left out.
    """
    if not isinstance(a, _SPARSE) and not isinstance(b, _SPARSE):
        raise TypeError("At least one input should be SparseTensor; do you mean to use tf.add()?")
    if isinstance(a, _SPARSE) and isinstance(b, _SPARSE):
        a, b = as_sparse(a), as_sparse(b)
        x, y, indices, is_sum = _align("SparseAdd", a, b)
        total = x + y
        limit = static_value(threshold)
        kept = np.flatnonzero((np.abs(np.asarray(total._data)) >= limit) | ~is_sum)
        return sparse(indices[kept], take_values(total, kept), sizes_of(a))
    sp, dense = (a, b) if isinstance(a, _SPARSE) else (b, a)
    sp = as_sparse(sp)
    values, dense = ops.operands("SparseTensorDenseAdd", sp.values, dense)
    if sizes_of(sp) != tuple(dense.shape):
        raise ops.ShapeError(
            f"sparse.add: a sparse tensor of shape {list(sizes_of(sp))} and a dense one of shape "
            f"{list(dense.shape)} must have equal shapes. [Op:SparseTensorDenseAdd]"
        )
    return ops.tensor_scatter_nd_add(dense, sp.indices, values)


@export("sparse.maximum")
def maximum(sp_a, sp_b, name=None) -> SparseTensor:
    """Return the larger of two sparse tensors, where either has a value."""
    a, b = as_sparse(sp_a, "sp_a"), as_sparse(sp_b, "sp_b")
    x, y, indices, _ = _align("SparseSparseMaximum", a, b)
    return sparse(indices, ops.maximum(x, y), sizes_of(a))


@export("sparse.minimum")
def minimum(sp_a, sp_b, name=None) -> SparseTensor:
    """Return the smaller of two sparse tensors, where either has a value."""
    a, b = as_sparse(sp_a, "sp_a"), as_sparse(sp_b, "sp_b")
    x, y, indices, _ = _align("SparseSparseMinimum", a, b)
    return sparse(indices, ops.minimum(x, y), sizes_of(a))


@export("sparse.map_values")
def map_values(op, *args, **kwargs) -> SparseTensor:
    """Return a function of the values of sparse tensors that have the same indices."""
    sparse_arguments: list[SparseTensor] = []

    def inner(leaf):
        if isinstance(leaf, SparseTensor):
            sparse_arguments.append(leaf)
            return leaf.values
        return leaf

    args = nest.map_structure(inner, list(args))
    kwargs = nest.map_structure(inner, kwargs)
    if not sparse_arguments:
        raise ValueError("No SparseTensor in argument list of map_values")
    first = sparse_arguments[0]
    for other in sparse_arguments[1:]:
        if sizes_of(other) != sizes_of(first):
            raise InvalidArgumentError(
                f"Mismatched shapes! {list(sizes_of(first))} and {list(sizes_of(other))}"
            )
        if not np.array_equal(indices_of(other), indices_of(first)):
            raise InvalidArgumentError("Mismatched indices! The tensors differ in indices.")
    return first.with_values(op(*args, **kwargs))


# --- counting ------------------------------------------------------------------------------------


def _bincount_inputs(values, weights, axis):
    """Return (row, number and weight of each value, how many rows or None for a vector)."""
    if isinstance(values, SparseTensor):
        if weights is not None:
            if not isinstance(weights, SparseTensor):
                raise ValueError(
                    "Argument `weights` must be a SparseTensor if `values` is a SparseTensor. "
                    f"Received weights={weights} of type: {type(weights).__name__}"
                )
            if sizes_of(weights) != sizes_of(values):
                raise InvalidArgumentError("'weights' and 'values' must have the same dense shape.")
            if not np.array_equal(indices_of(weights), indices_of(values)):
                raise InvalidArgumentError("'weights' and 'values' must have the same indices.")
            weights = weights.values
        flat, indices, sizes = values.values._host_data(), indices_of(values), sizes_of(values)
        is_vector = axis == 0 or len(sizes) == 1
        return (
            np.zeros(len(flat), np.int64) if is_vector else indices[:, 0],
            flat,
            weights,
            None if is_vector else sizes[0],
        )
    if is_ragged(values):
        flat = np.asarray(values.flat_values._data)
        if weights is not None:
            if not is_ragged(weights):
                raise ValueError(
                    "Argument `weights` must be a RaggedTensor if `values` is a RaggedTensor. "
                    f"Received weights={weights} of type: {type(weights).__name__}"
                )
            weights = weights.flat_values
        if axis == 0:
            return np.zeros(len(flat), np.int64), flat, weights, None
        return np.asarray(values.value_rowids()._data), flat, weights, int(values.nrows())
    values = ops.to_tensor(values)
    if weights is not None:
        weights = ops.to_tensor(weights)
        if weights.shape != values.shape:
            raise InvalidArgumentError(
                f"Weights and values must have the same shape. Weight shape: "
                f"{list(weights.shape)}; values shape: {list(values.shape)}"
            )
        weights = ops.reshape(weights, (-1,))
    data = np.asarray(values._data)
    if axis == 0 or data.ndim <= 1:
        return np.zeros(data.size, np.int64), data.reshape(-1), weights, None
    rows = np.repeat(np.arange(data.shape[0]), data[0].size if len(data) else 0)
    return rows, data.reshape(-1), weights, data.shape[0]


@export("sparse.bincount")
def bincount(
    values, weights=None, axis=0, minlength=None, maxlength=None, binary_output=False, name=None
) -> SparseTensor:
    """Return how often each number occurs (in each row, for axis -1), or the sum of its weights."""
    if weights is not None and binary_output:
        raise ValueError(
            "Arguments `binary_output` and `weights` are mutually exclusive. Please specify only "
            "one."
        )
    axis = 0 if axis is None else axis
    if axis not in (0, -1):
        raise ValueError(
            f"Unsupported value for argument axis={axis}. Only 0 and -1 are currently supported."
        )
    rows, flat, weights, count = _bincount_inputs(values, weights, axis)
    dtype = flat.dtype
    if dtype.kind not in "iu":
        raise ops.DTypeError(
            f"sparse.bincount counts integers, got values of dtype {dtype.name}. Convert them with "
            "tf.cast. [Op:DenseCountSparseOutput]"
        )
    if flat.size and flat.min() < 0:
        raise InvalidArgumentError("Input values must all be non-negative [Op:SparseBincount]")
    least = -1 if minlength is None else static_int(minlength, "sparse.bincount: minlength")
    max_length = -1 if maxlength is None else static_int(maxlength, "sparse.bincount: maxlength")
    flat = flat.astype(np.int64)
    kept = np.flatnonzero(flat < max_length) if max_length > 0 else np.arange(len(flat))
    rows, flat = rows[kept], flat[kept]
    width = max(int(flat.max(initial=-1)) + 1, least)
    if max_length > 0:
        width = max(least, max_length) if least > 0 else max_length
    ops.check_room("SparseBincount", (count or 1, width))
    unique, groups = np.unique(rows * max(width, 1) + flat, return_inverse=True)
    groups = groups.reshape(-1).astype(np.int64)
    if weights is not None:
        total = ops.unsorted_segment_sum(take_values(weights, kept), Tensor(groups), len(unique))
    elif binary_output:
        total = Tensor(np.ones(len(unique), dtype))
    else:
        total = Tensor(np.bincount(groups, minlength=len(unique)).astype(dtype))
    columns = unique % max(width, 1)
    if count is None:
        return sparse(columns[:, None], total, (width,))
    return sparse(np.stack([unique // max(width, 1), columns], 1), total, (count, width))


def dense_bincount(
    arr,
    weights=None,
    minlength=None,
    maxlength=None,
    dtype=int32,
    name=None,
    axis=None,
    binary_output=False,
) -> Tensor:
    """Return `tf.math.bincount` of the values of a sparse tensor."""
    if not arr.dtype.is_integer:
        arr = arr.with_values(ops.cast(arr.values, int32))
    dense = to_dense(bincount(arr, weights, axis or 0, minlength, maxlength, binary_output))
    return ops.cast(dense, dtype) if weights is None else dense
