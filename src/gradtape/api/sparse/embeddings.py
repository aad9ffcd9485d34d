"""`tf.nn.embedding_lookup_sparse`: rows of a table, combined by the rows of a sparse tensor."""

from __future__ import annotations

import numpy as np

from gradtape import ops
from gradtape.api.export import export
from gradtape.api.nn import nn
from gradtape.api.sparse.tensor import SparseTensor
from gradtape.core.tensor import Tensor

_COMBINERS = ("mean", "sqrtn", "sum")


def _check(sp_ids, sp_weights, combiner: str) -> None:
    if combiner not in _COMBINERS:
        raise ValueError(f"combiner must be one of 'mean', 'sqrtn' or 'sum', got {combiner}")
    if not isinstance(sp_ids, SparseTensor):
        raise TypeError(f"sp_ids must be SparseTensor, got {type(sp_ids)}")
    if sp_weights is not None and not isinstance(sp_weights, SparseTensor):
        raise TypeError(f"sp_weights must be either None or SparseTensor, got {type(sp_weights)}")


@export("nn.embedding_lookup_sparse")
def embedding_lookup_sparse(
    params, sp_ids, sp_weights, combiner=None, max_norm=None, name=None, allow_fast_lookup=False
) -> Tensor:
    """Return, for each row of `sp_ids`, the table's rows of its ids, weighted and combined.

    `combiner` is "sum", "mean" (the sum divided by that of the weights, the default) or "sqrtn"
    (divided by the root of the sum of their squares).
    """
    combiner = "mean" if combiner is None else combiner
    _check(sp_ids, sp_weights, combiner)
    rows = np.asarray(sp_ids.indices.numpy())[:, 0]
    count = int(rows.max(initial=-1)) + 1
    segments = Tensor(rows.astype(np.int32))
    result = nn.embedding_lookup(params, sp_ids.values, max_norm=max_norm)
    if sp_weights is None:
        sizes = np.bincount(rows, minlength=count).astype(np.float64)
        scale = {"sum": np.ones(count), "mean": np.maximum(sizes, 1)}.get(
            combiner, np.sqrt(np.maximum(sizes, 1))
        )
        total = ops.unsorted_segment_sum(result, segments, count)
        divisor = ops.to_tensor(scale, total.dtype)
        return total / ops.reshape(divisor, (count, *[1] * (total.ndim - 1)))
    weights = ops.cast(sp_weights.values, result.dtype)
    column = ops.reshape(weights, (-1, *[1] * (result.ndim - 1)))
    total = ops.unsorted_segment_sum(result * column, segments, count)
    if combiner == "sum":
        return total
    if combiner == "mean":
        divisor = ops.unsorted_segment_sum(column, segments, count)
    else:
        divisor = ops.sqrt(ops.unsorted_segment_sum(column * column, segments, count))
    return ops.divide_no_nan(total, divisor)


def _drop_invalid(ids: SparseTensor, weights: SparseTensor | None, combiner: str) -> tuple:
    """Drop ids below zero and, unless they are summed, weights that are not above zero."""
    keep = np.asarray(ids.values.numpy()) >= 0
    if weights is not None and combiner != "sum":
        keep &= np.asarray(weights.values.numpy()) > 0
    if keep.all():
        return ids, weights
    kept_indices = np.flatnonzero(keep)

    def pick(sparse: SparseTensor) -> SparseTensor:
        indices = np.asarray(sparse.indices.numpy())[kept_indices]
        return SparseTensor(indices, ops.gather(sparse.values, kept_indices), sparse.dense_shape)

    return pick(ids), None if weights is None else pick(weights)


@export("nn.safe_embedding_lookup_sparse")
def safe_embedding_lookup_sparse(
    embedding_weights,
    sparse_ids,
    sparse_weights=None,
    combiner="mean",
    default_id=None,
    max_norm=None,
    name=None,
    allow_fast_lookup=False,
) -> Tensor:
    """Look up as `embedding_lookup_sparse`; ids may be invalid and rows empty.

    Ids below zero are left out; a row without ids gives the row of `default_id`, or zeros.
    """
    from gradtape.api.sparse.construction import fill_empty_rows

    if embedding_weights is None:
        raise ValueError(f"Missing embedding_weights {embedding_weights}.")
    _check(sparse_ids, sparse_weights, combiner)
    shape = [int(n) for n in np.asarray(sparse_ids.dense_shape.numpy())]
    flat_shape = (int(np.prod(shape[:-1])), shape[-1])
    ids = _flat(sparse_ids, shape, flat_shape)
    weights = None if sparse_weights is None else _flat(sparse_weights, shape, flat_shape)
    ids, weights = _drop_invalid(ids, weights, combiner)
    filled, is_empty = fill_empty_rows(ids, 0 if default_id is None else default_id)
    if weights is not None:
        weights, _ = fill_empty_rows(weights, 1.0)
    result = embedding_lookup_sparse(embedding_weights, filled, weights, combiner, max_norm)
    if default_id is None:
        empty = ops.reshape(is_empty, (-1, *[1] * (result.ndim - 1)))
        result = ops.where(empty, ops.zeros_like(result), result)
    return ops.reshape(result, (*shape[:-1], *result.shape[1:]))


def _flat(sparse: SparseTensor, shape: list[int], flat_shape: tuple) -> SparseTensor:
    """Return a sparse tensor of rank 2: all axes but the last made one."""
    kept_indices = np.asarray(sparse.indices.numpy())
    rows = np.ravel_multi_index(tuple(kept_indices[:, :-1].T), shape[:-1]) if len(shape) > 1 else 0
    indices = np.stack([np.broadcast_to(rows, len(kept_indices)), kept_indices[:, -1]], 1)
    return SparseTensor(indices, sparse.values, np.array(flat_shape, np.int64))
