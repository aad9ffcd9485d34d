"""`tf.sparse.cross` and `cross_hashed`: every combination of the features in each row."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from gradtape import ops
from gradtape.api.export import export
from gradtape.api.sparse.construction import indices_of, sizes_of, sparse
from gradtape.api.sparse.tensor import SparseTensor
from gradtape.api.strings.arguments import bytes_of, packed
from gradtape.api.strings.farmhash import fingerprint64
from gradtape.core.brief import brief
from gradtape.core.convert import static_int
from gradtape.core.dtypes import int64, string
from gradtape.core.errors import InvalidArgumentError
from gradtape.core.protocols import is_ragged
from gradtape.core.tensor import Tensor

_WORD = (1 << 64) - 1
_MULTIPLIER = 0xC6A4A7935BD1E995
_DEFAULT_HASH_KEY = 0xDECAFCAFFE


def _mix(value: int) -> int:
    return value ^ (value >> 47)


def _joined(first: int, second: int) -> int:
    """Return the hash of two hashes (Murmur's way, as in TensorFlow)."""
    result = first ^ _MULTIPLIER ^ (_mix(second * _MULTIPLIER & _WORD) * _MULTIPLIER & _WORD)
    result = result * _MULTIPLIER & _WORD
    return _mix(_mix(result) * _MULTIPLIER & _WORD)


def _features(values: Tensor) -> list:
    """Return strings as they are, and numbers as integers."""
    return (values if values.dtype is string else ops.cast(values, int64)).numpy().tolist()


def _rows(value: Any, op: str) -> list[list]:
    """Return the features in each row of an input."""
    if isinstance(value, SparseTensor):
        rows: list[list] = [[] for _ in range(sizes_of(value)[0])]
        for index, item in zip(indices_of(value)[:, 0], _features(value.values), strict=True):
            rows[index].append(item)
        return rows
    if is_ragged(value):
        raise TypeError(
            "All inputs must be Tensors or SparseTensors, got a RaggedTensor. Use its method "
            f"to_sparse. [Op:{op}]"
        )
    value = ops.to_tensor(value)
    if value.ndim != 2:
        raise InvalidArgumentError(
            f"Dense inputs should be a matrix but received shape {list(value.shape)} instead. "
            f"Use tf.expand_dims. [Op:{op}]"
        )
    return _features(value)


def _cross(inputs, op: str, combine: Callable[[Sequence[Any]], Any], pack) -> SparseTensor:
    if not isinstance(inputs, (list, tuple)) or not inputs:
        raise TypeError(f"{op}: inputs must be a list of tensors, got {brief(inputs)}.")
    # Sparse ones come first, whatever the order they are given in.
    ordered = sorted(inputs, key=lambda value: not isinstance(value, SparseTensor))
    columns = [_rows(value, op) for value in ordered]
    count = len(columns[0])
    if any(len(rows) != count for rows in columns):
        raise InvalidArgumentError(
            f"Expected batch size {count} of every input, got {[len(rows) for rows in columns]} "
            f"rows. [Op:{op}]"
        )
    crossed = [
        [combine(features) for features in itertools.product(*row)]
        for row in zip(*columns, strict=True)
    ]
    where = [(i, j) for i, row in enumerate(crossed) for j in range(len(row))]
    indices = np.array(where, np.int64).reshape(-1, 2)
    values = pack([item for row in crossed for item in row])
    return sparse(indices, Tensor(values), (count, max(map(len, crossed), default=0)))


@export("sparse.cross")
def cross(inputs, name=None, separator=None) -> SparseTensor:
    """Return every combination of the features in each row, as strings with a separator."""
    between = b"_X_" if separator is None else bytes_of(separator, "separator")

    def combine(features) -> bytes:
        texts = (item if isinstance(item, bytes) else str(item).encode() for item in features)
        return between.join(texts)

    return _cross(inputs, "SparseCrossV2", combine, lambda items: packed(items, len(items)))


@export("sparse.cross_hashed")
def cross_hashed(inputs, num_buckets=0, hash_key=None, name=None) -> SparseTensor:
    """Return a number for every combination of the features in each row, by their hash."""
    key = _DEFAULT_HASH_KEY if hash_key is None else static_int(hash_key, "hash_key") & _WORD
    buckets = static_int(num_buckets, "num_buckets")
    if buckets < 0:
        raise InvalidArgumentError(
            f"Value for attr 'num_buckets' of {buckets} must be at least minimum 0 [Op:SparseCross]"
        )

    def combine(features) -> int:
        result = key
        for item in features:
            number = fingerprint64(item) if isinstance(item, bytes) else item & _WORD
            result = _joined(result, number)
        return result % (buckets or (1 << 63) - 1)

    return _cross(inputs, "SparseCross", combine, lambda items: np.array(items, np.int64))
