"""Products of ragged stacks of matrices."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gradtape.api.ragged.rows import dense_as_ragged
from gradtape.api.ragged.tensor import RaggedTensor, as_values, row_count
from gradtape.core.errors import InvalidArgumentError


def matmul(a, b, transpose_a=False, transpose_b=False, **options) -> Any:
    """Return the products of matrices, or of stacks of them, of which one is ragged."""
    from gradtape.api.linalg.products import matmul as dense_matmul

    a, b = as_values(a), as_values(b)
    if len(a.shape) != len(b.shape):
        raise ValueError(
            f"`a` and `b` must have the same rank in tf.matmul if one is ragged, got shapes "
            f"{a.shape} and {b.shape}."
        )
    if a.dtype is not b.dtype:
        raise ValueError(
            f"`a` and `b` must have the same dtype in tf.matmul, got {a.dtype.name} and "
            f"{b.dtype.name}."
        )
    rank = len(a.shape)
    options |= {"transpose_a": transpose_a, "transpose_b": transpose_b}
    if rank == 2:
        return dense_matmul(_one_matrix(a), _one_matrix(b), **options)
    if rank > 3:
        return _in_same_rows(a, b, options)
    turned_a = transpose_a or options.get("adjoint_a")
    turned_b = transpose_b or options.get("adjoint_b")
    left, right = _stack(a, turned_a), _stack(b, turned_b)
    if len(left.rows) != len(right.rows):
        raise ValueError(
            f"tf.matmul: stacks of {len(left.rows)} and {len(right.rows)} matrices have no product."
        )
    wrong = left.columns != right.rows
    # A matrix without rows does not say how many columns it has.
    wrong &= (left.columns >= 0) & (right.rows >= 0)
    if wrong.any():
        i = int(wrong.argmax())
        raise InvalidArgumentError(
            f"tf.matmul: matrices {i} of the stacks have {left.columns[i]} columns and "
            f"{right.rows[i]} rows, which must be equal."
        )
    # Padding with zeros and cutting off what is in its rows and columns changes nothing.
    inner = int(max(left.columns.max(initial=0), right.rows.max(initial=0)))
    padded_a = _padded(a, (None, inner), turned_a)
    product = dense_matmul(padded_a, _padded(b, (inner, None), turned_b), **options)
    dtype = next(x for x in (a, b) if isinstance(x, RaggedTensor))._partition.dtype
    rows = np.maximum(left.rows, 0)  # A transposed matrix without columns does not say how many.
    if right.ragged_columns:
        columns = np.repeat(np.maximum(right.columns, 0), rows)
        return RaggedTensor.from_tensor(product, lengths=(rows, columns), row_splits_dtype=dtype)
    if left.ragged_rows:
        return RaggedTensor.from_tensor(product, lengths=rows, row_splits_dtype=dtype)
    return dense_as_ragged(product, 1, dtype)


def _in_same_rows(a: Any, b: Any, options: dict) -> RaggedTensor:
    """Return the products of stacks of stacks, which must have the same numbers of items."""
    ragged = next(x for x in (a, b) if isinstance(x, RaggedTensor))
    a, b = (
        x if isinstance(x, RaggedTensor) else dense_as_ragged(x, 1, ragged._partition.dtype)
        for x in (a, b)
    )
    if not np.array_equal(a._partition.lengths, b._partition.lengths):
        raise InvalidArgumentError(
            f"tf.matmul: the stacks of shapes {a.shape} and {b.shape} have different numbers of "
            "matrices in their rows."
        )
    values: Any = (a.values, b.values)
    if not any(isinstance(x, RaggedTensor) for x in values):
        from gradtape.api.linalg.products import matmul as dense_matmul

        return ragged.with_values(dense_matmul(*values, **options))
    return ragged.with_values(matmul(*values, **options))


class _Sizes(NamedTuple):
    """The numbers of rows and columns of each matrix of a stack (-1: unknown)."""

    rows: np.ndarray
    columns: np.ndarray
    ragged_rows: bool
    ragged_columns: bool


def _stack(x: Any, turned: Any) -> _Sizes:
    count = row_count(x)
    if not isinstance(x, RaggedTensor):
        rows, columns = (np.full(count, size) for size in x.shape[1:])
        sizes = _Sizes(rows, columns, ragged_rows=False, ragged_columns=False)
    else:
        rows = x._partition.lengths
        inner = x.values
        if isinstance(inner, RaggedTensor) and inner._partition.uniform is None:
            columns = _widths(inner._partition.lengths, rows)
        else:
            columns = np.full(count, inner.shape[1])
        sizes = _Sizes(
            rows,
            columns,
            ragged_rows=x._partition.uniform is None,
            ragged_columns=x.shape[2] is None,
        )
    return _Sizes(sizes[1], sizes[0], sizes[3], sizes[2]) if turned else sizes


def _widths(lengths: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Return the length that all rows of each matrix have."""
    ends = np.cumsum(rows)
    widths = np.full(len(rows), -1)
    filled = rows > 0
    widths[filled] = lengths[ends[filled] - 1]
    if (np.repeat(widths, rows) != lengths).any():
        raise _not_rectangular()
    return widths


def _not_rectangular() -> Exception:
    return InvalidArgumentError(
        "The matrices in `a` and `b` may not be ragged in their innermost dimension: all rows of "
        "one matrix must have the same length."
    )


def _one_matrix(x: Any) -> Any:
    if not isinstance(x, RaggedTensor):
        return x
    if len(set(x._partition.lengths.tolist())) > 1:
        raise _not_rectangular()
    return x.to_tensor()


def _padded(x: Any, sizes: tuple, turned: Any) -> Any:
    if not isinstance(x, RaggedTensor):
        return x
    return x.to_tensor(shape=(None, *(sizes[::-1] if turned else sizes)))
