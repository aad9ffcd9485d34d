"""`tf.ragged.*`: ranges, crosses, segments, and functions of flat values."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from gradtape import ops
from gradtape.api.export import export
from gradtape.api.ragged.partition import RowPartition, count_of, integers, numbers
from gradtape.api.ragged.rows import take_rows
from gradtape.api.ragged.tensor import RaggedTensor, as_values, row_count
from gradtape.api.sparse.tensor import SparseTensor
from gradtape.core import nest
from gradtape.core.brief import brief
from gradtape.core.convert import static_int, static_value
from gradtape.core.dtypes import as_dtype, float32, float64, int32, int64, string
from gradtape.core.errors import InvalidArgumentError
from gradtape.core.tensor import Tensor

# The dtype of ranges is the last of these that an argument has.
_RANGES = (int32, int64, float32, float64)


@export("ragged.range")
def range_(
    starts, limits=None, deltas=1, dtype=None, name=None, row_splits_dtype=int64
) -> RaggedTensor:
    """Return one range of numbers in each row; scalars stand for all rows."""
    if limits is None:
        starts, limits = 0, starts
    parts = [static_value(part) for part in (starts, limits, deltas)]
    arrays = [np.asarray(part) for part in parts]
    if dtype is None:
        given = [ops.to_tensor(part).dtype for part in (starts, limits, deltas)]
        if all(each in _RANGES for each in given):
            kind = max(given, key=_RANGES.index).dtype
        else:
            kind = np.result_type(*(each.dtype for each in given))
    else:
        kind = as_dtype(dtype).dtype
    if any(array.dtype.kind == "f" and not np.isfinite(array).all() for array in arrays):
        raise ValueError(f"ragged.range: bounds must be finite, got {parts}.")
    if any(array.ndim > 1 for array in arrays):
        raise ValueError("ragged.range: starts, limits and deltas must be scalars or vectors.")
    try:
        first, last, step = np.broadcast_arrays(*(np.atleast_1d(a).astype(kind) for a in arrays))
    except OverflowError:
        raise ValueError(f"ragged.range: bounds must be 64-bit integers, got {parts}.") from None
    except ValueError:
        raise InvalidArgumentError(
            "starts, limits, and deltas must have the same shape, got "
            f"{', '.join(str(a.shape) for a in arrays)} [Op:RaggedRange]"
        ) from None
    if len({len(a) for a in arrays if a.ndim}) > 1:
        raise InvalidArgumentError(
            "starts, limits, and deltas must have the same shape [Op:RaggedRange]"
        )
    if (step == 0).any():
        raise InvalidArgumentError("Requires delta != 0 [Op:RaggedRange]")
    exact = (last.astype(np.float64) - first) / step
    if kind.kind in "iu":
        exact = -((first.astype(np.int64) - last) // step.astype(np.int64))
    if (exact >= 2.0**63).any():
        raise InvalidArgumentError(
            "Requires ((limit - start) / delta) <= 9223372036854775807 [Op:RaggedRange]"
        )
    counts = np.maximum(np.ceil(exact), 0).astype(np.int64)
    partition = RowPartition.of_lengths(counts, as_dtype(row_splits_dtype))
    rows = [f + np.arange(n).astype(kind) * s for f, s, n in zip(first, step, counts, strict=True)]
    flat = np.concatenate(rows).astype(kind) if rows else np.zeros(0, kind)
    return RaggedTensor._of(Tensor(flat), partition)


# --- segments -------------------------------------------------------------------------------------


@export("ragged.row_splits_to_segment_ids")
def row_splits_to_segment_ids(splits, name=None, out_type=None) -> Tensor:
    """Return the row of each value, for rows that end and begin at `splits`."""
    tensor = integers(splits, "row_splits")
    if not tensor.shape[0]:
        raise ValueError(f"Invalid row_splits: {brief(splits)}")
    ids = RowPartition(tensor).value_rowids(static_int(tensor[-1]))
    return ids if out_type is None else ops.cast(ids, as_dtype(out_type))


@export("ragged.segment_ids_to_row_splits")
def segment_ids_to_row_splits(segment_ids, num_segments=None, out_type=None, name=None) -> Tensor:
    """Return where rows begin and end, for values of these rows (in any order)."""
    dtype = None if out_type is None else as_dtype(out_type)
    ids = integers(segment_ids, "segment_ids", dtype)
    count = None if num_segments is None else count_of(num_segments, "num_segments")
    if count is None:
        count = int(np.max(static_value(ids), initial=-1)) + 1
    if int(np.min(static_value(ids), initial=0)) < 0:
        raise InvalidArgumentError(
            f"segment_ids_to_row_splits: segment_ids must be non-negative, got {brief(segment_ids)}"
        )
    rows = numbers(count + 1, ids.dtype)
    return ops.searchsorted(ops.sort(ids), rows, "left", ids.dtype)


@export("ragged.stack_dynamic_partitions")
def stack_dynamic_partitions(data, partitions, num_partitions, name=None) -> RaggedTensor:
    """Return the rows of data, those of each partition together."""
    data = as_values(data)
    numbers = as_values(partitions)
    count = count_of(num_partitions, "num_partitions")
    ragged = [value for value in (data, numbers) if isinstance(value, RaggedTensor)]
    dtype = ragged[0]._partition.dtype if ragged else numbers.dtype
    if not len(numbers.shape):
        data, numbers = ops.expand_dims(data, 0), ops.expand_dims(numbers, 0)
    while isinstance(numbers, RaggedTensor):
        if not isinstance(data, RaggedTensor):
            raise ValueError("stack_dynamic_partitions: data must be ragged where partitions are.")
        if not data._partition.is_same_as(numbers._partition):
            raise InvalidArgumentError(
                "stack_dynamic_partitions: data and partitions have incompatible ragged shapes: "
                f"rows of {brief(data._partition.lengths.tolist())} and "
                f"{brief(numbers._partition.lengths.tolist())} items."
            )
        data, numbers = data.values, numbers.values
    for _ in range(1, numbers.ndim):
        data = data.values if isinstance(data, RaggedTensor) else _merged(data)
        numbers = _merged(numbers)
    ids = np.asarray(static_value(numbers), np.int64).reshape(-1)
    if len(ids) != row_count(data):
        raise ValueError(
            f"stack_dynamic_partitions: partitions of shape {numbers.shape} must have one number "
            f"for each row of data of shape {data.shape}."
        )
    if ((ids < 0) | (ids >= count)).any():
        raise InvalidArgumentError(
            f"stack_dynamic_partitions: partition numbers must be in [0, {count}), got "
            f"{brief(ids.tolist())}."
        )
    lengths = np.bincount(ids, minlength=count)
    rows = take_rows(data, np.argsort(ids, kind="stable"))
    return RaggedTensor._of(rows, RowPartition.of_lengths(lengths, dtype))


def _merged(x: Any) -> Any:
    return ops.reshape(x, (x.shape[0] * x.shape[1], *x.shape[2:]))


# --- functions of flat values ---------------------------------------------------------------------


@export("ragged.map_flat_values")
def map_flat_values(op, *args, **kwargs) -> Any:
    """Return a function of the flat values of ragged arguments, in the same rows."""
    ragged: list[RaggedTensor] = []

    def inner(leaf):
        if not isinstance(leaf, RaggedTensor):
            return leaf
        ragged.append(leaf)
        return leaf.flat_values

    args = nest.map_structure(inner, list(args))
    kwargs = nest.map_structure(inner, kwargs)
    result = op(*args, **kwargs)
    if not ragged:
        return result
    first = ragged[0]
    for other in ragged[1:]:
        mine, others = first._partitions(), other._partitions()
        if len(mine) != len(others) or not all(
            a.is_same_as(b) for a, b in zip(mine, others, strict=True)
        ):
            raise InvalidArgumentError(
                f"map_flat_values: partitions have incompatible row_splits: arguments of shapes "
                f"{first.shape} and {other.shape} must have rows of the same lengths."
            )
    return nest.map_structure(lambda leaf: _mapped(first, leaf), result)


def _mapped(like: RaggedTensor, values: Any) -> RaggedTensor:
    values, count = as_values(values), row_count(like.flat_values)
    if not len(values.shape) or values.shape[0] != count:
        raise ValueError(
            "tf.ragged.map_flat_values requires that the output of `op` have the same "
            "outer-dimension size as flat_values of any ragged inputs. (output shape: "
            f"{values.shape}; expected outer dimension size: {count})"
        )
    return like._around(values)


# --- crosses --------------------------------------------------------------------------------------


def _feature_rows(value: Any) -> list[list]:
    """Return the rows of a feature: ragged, sparse or dense, of strings or integers."""
    if isinstance(value, SparseTensor):
        rows: list[list] = [[] for _ in range(value.shape[0] or 0)]
        pairs = zip(static_value(value.indices), static_value(value.values), strict=True)
        for index, item in pairs:
            rows[index[0]].append(item)
        return rows
    value = as_values(value)
    if value.dtype is not string and not value.dtype.is_integer:
        raise ValueError(
            f"Unexpected dtype for inputs: {value.dtype.name}. Crosses take strings and integers."
        )
    if len(value.shape) != 2:
        raise ValueError(f"tf.ragged.cross: inputs must have rank 2, got shape {value.shape}.")
    return value.to_list() if isinstance(value, RaggedTensor) else value.numpy().tolist()


def _cross(inputs: Any, combine, dtype: Any) -> RaggedTensor:
    if not isinstance(inputs, (list, tuple)):
        raise TypeError("ragged.cross: `inputs` must be a list of tensors.")
    columns = [_feature_rows(value) for value in inputs]
    if len({len(column) for column in columns}) > 1:
        raise InvalidArgumentError(
            f"tf.ragged.cross: inputs have different numbers of rows: {[len(c) for c in columns]}."
        )
    rows = [
        [combine(items) for items in itertools.product(*row)] for row in zip(*columns, strict=True)
    ]
    flat = [item for row in rows for item in row]
    array = np.empty(len(flat), dtype)
    array[:] = flat
    return RaggedTensor._of(
        Tensor(array), RowPartition.of_lengths([len(row) for row in rows], int64)
    )


def _as_text(item: Any) -> bytes:
    return item if isinstance(item, bytes) else str(int(item)).encode()


@export("ragged.cross")
def cross(inputs, name=None) -> RaggedTensor:
    """Return all combinations of the features of each row, as strings joined by "_X_"."""
    return _cross(inputs, lambda items: b"_X_".join(map(_as_text, items)), object)


@export("ragged.cross_hashed")
def cross_hashed(inputs, num_buckets=0, hash_key=None, name=None) -> RaggedTensor:
    """Return all combinations of the features of each row, as hashes below `num_buckets`."""
    from gradtape.api.strings.farmhash import concatenated_fingerprints, fingerprint64

    key = 0xDECAFCAFFE if hash_key is None else static_int(hash_key, "cross_hashed: hash_key")
    buckets = static_int(num_buckets, "cross_hashed: num_buckets")
    if not 0 <= buckets < 2**63:
        raise ValueError(f"cross_hashed: num_buckets must be 0 or more, got {buckets}.")

    def number(item: Any) -> int:
        return fingerprint64(item) if isinstance(item, bytes) else int(item) % 2**64

    def combine(items: tuple) -> int:
        hashed = key
        for item in items:
            hashed = concatenated_fingerprints(hashed, number(item))
        # TensorFlow takes hashes modulo the largest int64 where there are no buckets.
        return hashed % buckets if buckets else hashed % (2**63 - 1)

    return _cross(inputs, combine, np.int64)
