"""`tf.sets`: the last axis of tensors as sets."""

from __future__ import annotations

import numpy as np

from gradtape import ops
from gradtape.api.export import export
from gradtape.api.sparse.construction import (
    check_order,
    indices_of,
    sizes_of,
    sparse,
)
from gradtape.api.sparse.tensor import SparseTensor
from gradtape.core.errors import InvalidArgumentError
from gradtape.core.tensor import Tensor


def _as_input(x, op: str):
    """Return a sparse or dense tensor, as the sets by row: (sets, the shape of the rows, the
    dtype)."""
    if isinstance(x, SparseTensor):
        shape, data, indices = sizes_of(x)[:-1], x.values._host_data(), indices_of(x)[:, :-1]
        sets: dict = {}
        for row, value in zip(map(tuple, indices.tolist()), data.tolist(), strict=True):
            sets.setdefault(row, set()).add(value)
        return sets, shape, x.values._data.dtype
    x = ops.to_tensor(x)
    data = np.asarray(x._data)
    if data.ndim < 2:
        raise ops.ShapeError(
            f"Input rank must be >= 2: the last axis holds the sets; got shape {list(data.shape)} "
            f"[Op:{op}]"
        )
    rows = data.reshape(-1, data.shape[-1]).tolist()
    return (
        dict(zip(np.ndindex(*data.shape[:-1]), map(set, rows), strict=True)),
        data.shape[:-1],
        data.dtype,
    )


def _operation(a, b, validate_indices: bool, combine) -> SparseTensor:
    op = "SetOperation"
    if isinstance(a, SparseTensor) and not isinstance(b, SparseTensor):
        # A dense second set would be read row by row all the same; TensorFlow has no such kernel.
        raise TypeError("If a is sparse, b must be sparse as well: use tf.sparse.from_dense.")
    for x in (a, b):
        if validate_indices and isinstance(x, SparseTensor):
            check_order(op, x)
    (left, shape, dtype), (right, other, other_dtype) = _as_input(a, op), _as_input(b, op)
    if dtype != other_dtype:
        raise TypeError(f"Types don't match, {dtype} vs {other_dtype}.")
    if tuple(shape) != tuple(other):
        raise InvalidArgumentError(
            f"Mismatched shapes: the sets of a lie in {list(shape)}, those of b in {list(other)}. "
            f"[Op:{op}]"
        )
    entries, values, width = [], [], 0
    for row in sorted({*left, *right}):
        items = sorted(combine(left.get(row, set()), right.get(row, set())))
        width = max(width, len(items))
        entries += [(*row, i) for i in range(len(items))]
        values += items
    array = np.empty(len(values), dtype)
    array[:] = values
    indices = np.array(entries, np.int64).reshape(len(values), len(shape) + 1)
    return sparse(indices, Tensor(array), (*shape, width))


@export("sets.size")
def size(a, validate_indices=True) -> Tensor:
    """Return the number of different elements in each row of a sparse tensor."""
    if not isinstance(a, SparseTensor):
        raise TypeError(f"Expected `SparseTensor`, got {a}.")
    if a.values.dtype.is_floating:
        raise TypeError(f"Invalid dtype `{a.values.dtype!r}`: sets are of integers or strings.")
    if validate_indices:
        check_order("SetSize", a)
    sets, shape, _ = _as_input(a, "SetSize")
    counts = np.zeros(shape, np.int32)
    for row, items in sets.items():
        if not all(0 <= i < n for i, n in zip(row, shape, strict=True)):
            raise InvalidArgumentError(
                f"sets.size: the row {list(map(int, row))} is out of bounds: need 0 <= index < "
                f"{list(shape)}. [Op:SetSize]"
            )
        counts[row] = len(items)
    return Tensor(counts)


@export("sets.intersection")
def intersection(a, b, validate_indices=True) -> SparseTensor:
    """Return the elements that the sets of both tensors have."""
    return _operation(a, b, validate_indices, set.intersection)


@export("sets.union")
def union(a, b, validate_indices=True) -> SparseTensor:
    """Return the elements that the sets of either tensor have."""
    return _operation(a, b, validate_indices, set.union)


@export("sets.difference")
def difference(a, b, aminusb=True, validate_indices=True) -> SparseTensor:
    """Return the elements of the one tensor's sets that the other's do not have."""
    if aminusb:
        return _operation(a, b, validate_indices, set.difference)
    return _operation(a, b, validate_indices, lambda x, y: y - x)
