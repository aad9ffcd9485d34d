"""Reductions of rows that share a segment id, and their transposes.

The primitives take ids of rank 1, one per row of x; a negative id drops its row.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gradtape import ops
from gradtape.core.bind import bind
from gradtape.core.convert import static_value, to_tensor
from gradtape.core.dtypes import from_numpy
from gradtape.core.errors import InvalidArgumentError, ShapeError
from gradtape.core.primitive import NoDerivative, primitive
from gradtape.core.size import Size
from gradtape.core.tensor import Spec, Tensor
from gradtape.ops.cumulative import linear_recurrence, shift
from gradtape.ops.families import INTEGERS, NUMBERS, REALS, check_dtype

if TYPE_CHECKING:
    from gradtape.core.primitive import Primitive
    from gradtape.core.typing import Array, IntLike, Params, TensorLike, Tensors

__all__ = [
    "segment_max",
    "segment_mean",
    "segment_min",
    "segment_prod",
    "segment_rows",
    "segment_sum",
    "sorted_segments",
    "unsorted_segment_max",
    "unsorted_segment_mean",
    "unsorted_segment_min",
    "unsorted_segment_prod",
    "unsorted_segment_sqrt_n",
    "unsorted_segment_sum",
]

_INTEGER = NoDerivative("segment ids are integers, which have no derivative")

# --- batching ------------------------------------------------------------------------------------


def _offset(ids: Tensor, size: int, num: int) -> Tensor:
    """Offset the ids of each of a stack of problems by `num`, to merge them into one problem."""
    starts = np.arange(size, dtype=ids.dtype.as_numpy_dtype).reshape(size, 1) * num
    ids = ops.cast(ids, "int64") if size * num > np.iinfo(starts.dtype).max else ids
    starts = ops.cast(Tensor(starts), ids.dtype)
    return ops.reshape(ops.where(ids < 0, ids, ids + starts), (-1,))


def _batch_segments(
    prim: Primitive, size: int, batched: Sequence[bool], inputs: Tensors, params: Params
) -> Tensor:
    x, ids = inputs
    if not batched[1]:
        return ops.moveaxis(bind(prim, (ops.moveaxis(x, 0, 1), ids), params), 1, 0)
    if not batched[0]:
        x = ops.broadcast_to(x, (size, *x.shape))
    num = params["num"]
    rows = ops.reshape(x, (x.shape[0] * x.shape[1], *x.shape[2:]))
    y = bind(prim, (rows, _offset(ids, size, num)), {**params, "num": size * num})
    return ops.reshape(y, (size, num, *x.shape[2:]))


def _batch_rows(
    prim: Primitive, size: int, batched: Sequence[bool], inputs: Tensors, params: Params
) -> Tensor:
    x, ids = inputs
    if not batched[1]:
        return ops.moveaxis(bind(prim, (ops.moveaxis(x, 0, 1), ids), params), 1, 0)
    if batched[0]:
        num, rest = x.shape[1], x.shape[2:]
        y = bind(prim, (ops.reshape(x, (size * num, *rest)), _offset(ids, size, num)), params)
    else:
        rest = x.shape[1:]
        y = bind(prim, (x, ops.reshape(ids, (-1,))), params)
    return ops.reshape(y, (size, ids.shape[1], *rest))


# --- sum, and back -------------------------------------------------------------------------------


def _segments_shape(x: Spec, ids: Spec, num: int, **params: Any) -> Spec:
    return Spec((num, *x.shape[1:]), x.dtype)


segment_sum_p = primitive(
    "segment_sum",
    "x ids",
    shape=_segments_shape,
    batch=_batch_segments,
    vjp={"x": lambda g, ids: segment_rows(g, ids), "ids": _INTEGER},
    jvp={"x": lambda t, ids, num: _sum(t, ids, num), "ids": _INTEGER},
)
segment_rows_p = primitive(
    "segment_rows",
    "x ids",
    batch=_batch_rows,
    shape=lambda x, ids: Spec((*ids.shape, *x.shape[1:]), x.dtype),
    vjp={"x": lambda g, ids, x_shape: _sum(g, ids, x_shape[0]), "ids": _INTEGER},
    jvp={"x": lambda t, ids: segment_rows(t, ids), "ids": _INTEGER},
)


def _sum(x: Tensor, ids: Tensor, num: int) -> Tensor:
    return bind(segment_sum_p, (x, ids), {"num": num})


def segment_rows(x: TensorLike, ids: TensorLike) -> Any:
    """Return row ids[i] of x for each i, zeros for negative ids: the transpose of the sum."""
    return bind(segment_rows_p, (to_tensor(x), to_tensor(ids)))


# --- product -------------------------------------------------------------------------------------


def _cofactors(x: Any, ids: Any) -> Tensor:
    """Return the product of all other rows of each row's segment, exact where rows are 0.

    With the rows sorted by segment, the products of those before and of those after are linear
    recurrences that restart with each segment.
    """
    order = ops.argsort(ids)
    rows, ids = segment_rows(x, order), ops.maximum(segment_rows(ids, order), -1)
    products = []
    for by in (1, -1):
        same = ops.equal(ids, shift(ids, 0, by, -2))
        same = ops.reshape(same, (*same.shape, *(1,) * (len(rows.shape) - 1)))
        zeros, ones = ops.zeros_like(rows), ops.ones_like(rows)
        factors = ops.where(same, shift(rows, 0, by), zeros)
        terms = ops.where(same, zeros, ones)
        products.append(linear_recurrence(factors, terms, reverse=by < 0))
    return segment_rows(products[0] * products[1], ops.argsort(order))


def _segment_prod_jvp(t: Tensor, x: Tensor, ids: Tensor, num: int) -> Tensor:
    return _sum(t * _cofactors(x, ids), ids, num)


segment_prod_p = primitive(
    "segment_prod",
    "x ids",
    shape=_segments_shape,
    batch=_batch_segments,
    vjp={
        "x": lambda g, x, ids: segment_rows(g, ids) * ops.conj(_cofactors(x, ids)),
        "ids": _INTEGER,
    },
    jvp={"x": _segment_prod_jvp, "ids": _INTEGER},
)

# --- maximum, minimum ----------------------------------------------------------------------------


def _winners(x: Any, ids: Any, ans: Any, num: int) -> tuple[Any, ...]:
    """Return 1 at the extreme elements and 0 elsewhere, and their number in each segment."""
    hit = ops.cast(ops.equal(x, segment_rows(ans, ids)), x.dtype)
    return hit, ops.maximum(_sum(hit, ids, num), 1)


def _segment_extreme(name: str) -> Primitive:
    """Define a segment reduction whose ties share the derivative equally, as in TensorFlow."""

    def vjp(g: Any, x: Any, ids: Any, ans: Any, num: int) -> Any:
        hit, count = _winners(x, ids, ans, num)
        return segment_rows(g / count, ids) * hit

    def jvp(t: Tensor, x: Tensor, ids: Tensor, ans: Tensor, num: int) -> Tensor:
        hit, count = _winners(x, ids, ans, num)
        return _sum(t * hit, ids, num) / count

    return primitive(
        name,
        "x ids",
        shape=_segments_shape,
        batch=_batch_segments,
        vjp={"x": vjp, "ids": _INTEGER},
        jvp={"x": jvp, "ids": _INTEGER},
    )


segment_max_p, segment_min_p = _segment_extreme("segment_max"), _segment_extreme("segment_min")

# --- segments in any order -----------------------------------------------------------------------


def _unsorted(
    op: str, x: TensorLike, ids: TensorLike, num_segments: Any, allowed: frozenset[Any]
) -> tuple[Tensor, Tensor, int]:
    """Return rows, ids of rank 1 and the number of segments, checked."""
    x, ids = to_tensor(x), to_tensor(ids)
    check_dtype(op, allowed, x)
    check_dtype(op, INTEGERS, ids)
    shape, shape_of_ids = tuple(x.shape), tuple(ids.shape)
    rank = len(shape_of_ids)
    if shape[:rank] != shape_of_ids:
        raise ShapeError(
            f"{op}: data.shape = {list(shape)} does not start with segment_ids.shape = "
            f"{list(shape_of_ids)}: there must be one id for each row. [Op:{op}]"
        )
    count = static_value(num_segments)
    num = np.asarray(0 if type(count) is Size else count)
    if num.ndim or num.dtype.kind not in "iu":
        raise ShapeError(
            f"{op}: num_segments should be one integer, got {num_segments!r}. [Op:{op}]"
        )
    if num < 0:
        raise InvalidArgumentError(
            f"{op}: Input num_segments == {num} must not be negative. [Op:{op}]"
        )
    if rank != 1:
        x = ops.reshape(x, (math.prod(shape_of_ids), *shape[rank:]))
        ids = ops.reshape(ids, (math.prod(shape_of_ids),))
    return x, ids, count if type(count) is Size else int(num)  # pyright: ignore[reportReturnType] (a size computes as an integer does)


def unsorted_segment_sum(x: TensorLike, ids: TensorLike, num_segments: IntLike) -> Tensor:
    """Sum the rows with each id, from 0 to num_segments - 1."""
    x, ids, num = _unsorted("UnsortedSegmentSum", x, ids, num_segments, NUMBERS)
    return _sum(x, ids, num)


def unsorted_segment_prod(x: TensorLike, ids: TensorLike, num_segments: IntLike) -> Tensor:
    """Multiply the rows with each id; 1 if there are none."""
    x, ids, num = _unsorted("UnsortedSegmentProd", x, ids, num_segments, NUMBERS)
    return bind(segment_prod_p, (x, ids), {"num": num})


def unsorted_segment_max(x: TensorLike, ids: TensorLike, num_segments: IntLike) -> Tensor:
    """Return the maximum of the rows with each id; the dtype's lowest number if none."""
    x, ids, num = _unsorted("UnsortedSegmentMax", x, ids, num_segments, REALS)
    return bind(segment_max_p, (x, ids), {"num": num, "empty": from_numpy(x._data.dtype).min})


def unsorted_segment_min(x: TensorLike, ids: TensorLike, num_segments: IntLike) -> Tensor:
    """Return the minimum of the rows with each id; the dtype's highest number if none."""
    x, ids, num = _unsorted("UnsortedSegmentMin", x, ids, num_segments, REALS)
    return bind(segment_min_p, (x, ids), {"num": num, "empty": from_numpy(x._data.dtype).max})


def _counts(x: Tensor, ids: Tensor, num: int) -> Tensor:
    """Return the number of rows of each segment (at least 1), shaped to divide the segments."""
    ones = ops.ones(tuple(ids.shape), x.dtype)
    return ops.reshape(ops.maximum(_sum(ones, ids, num), 1), (num, *(1,) * (len(x.shape) - 1)))


def unsorted_segment_mean(x: Any, ids: TensorLike, num_segments: IntLike) -> Tensor:
    """Return the mean of the rows with each id; 0 if there are none."""
    x, ids, num = _unsorted("UnsortedSegmentMean", x, ids, num_segments, REALS)
    if not x.dtype.is_floating:  # a quotient of integers is a float64, as everywhere
        x = ops.cast(x, "float64")
    return _sum(x, ids, num) / _counts(x, ids, num)


def unsorted_segment_sqrt_n(x: TensorLike, ids: TensorLike, num_segments: IntLike) -> Tensor:
    """Sum the rows with each id, and divide by the square root of their number."""
    x, ids, num = _unsorted("UnsortedSegmentSqrtN", x, ids, num_segments, REALS)
    return _sum(x, ids, num) / ops.sqrt(_counts(x, ids, num))


# --- segments in order ---------------------------------------------------------------------------


def sorted_segments(
    op: str,
    x: TensorLike,
    ids: TensorLike,
    allowed: frozenset[Any] = NUMBERS,
    rows: int | None = None,
) -> tuple[Any, ...]:
    """Return data, ascending ids of rank 1 and the number of segments (last id + 1), checked."""
    x, ids = to_tensor(x), to_tensor(ids)
    check_dtype(op, allowed, x)
    check_dtype(op, INTEGERS, ids)
    if not len(x.shape):
        raise ShapeError(f"{op}: data must be at least rank 1, got a scalar. [Op:{op}]")
    if len(ids.shape) != 1:
        raise ShapeError(
            f"{op}: segment_ids should be a vector, got shape {list(ids.shape)}. [Op:{op}]"
        )
    rows = len(x) if rows is None else rows
    if ids.shape[0] != rows:
        raise ShapeError(
            f"{op}: segment_ids should be the same size as dimension 0 of input: there are "
            f"{ids.shape[0]} ids for {rows} rows. [Op:{op}]"
        )
    known = np.asarray(static_value(ids))
    if (known[1:] < known[:-1]).any():
        raise InvalidArgumentError(
            f"{op}: segment ids are not increasing. Sort them, or use "
            f"tf.math.unsorted_segment_{op.removeprefix('Segment').lower()}. [Op:{op}]"
        )
    if known.size and known[0] < 0:
        raise InvalidArgumentError(
            f"{op}: Segment id {known[0]} is negative; ids in order start from 0. [Op:{op}]"
        )
    return x, ids, int(known[-1]) + 1 if known.size else 0


def segment_sum(x: Tensor, ids: Any) -> Tensor:
    """Sum runs of rows with equal ids."""
    x, ids, num = sorted_segments("SegmentSum", x, ids)
    return _sum(x, ids, num)


def segment_prod(x: TensorLike, ids: Array | int) -> Tensor:
    """Multiply runs of rows with equal ids; 1 for ids that do not occur."""
    x, ids, num = sorted_segments("SegmentProd", x, ids)
    return bind(segment_prod_p, (x, ids), {"num": num})


def segment_max(x: Tensor, ids: Array | list[int]) -> Tensor:
    """Return the maximum of runs of rows with equal ids; 0 for ids that do not occur."""
    x, ids, num = sorted_segments("SegmentMax", x, ids, REALS)
    return bind(segment_max_p, (x, ids), {"num": num, "empty": 0})


def segment_min(x: Tensor, ids: Array) -> Tensor:
    """Return the minimum of runs of rows with equal ids; 0 for ids that do not occur."""
    x, ids, num = sorted_segments("SegmentMin", x, ids, REALS)
    return bind(segment_min_p, (x, ids), {"num": num, "empty": 0})


def segment_mean(x: Tensor, ids: Any) -> Tensor:
    """Return the mean of runs of rows with equal ids; of integers, rounded toward 0."""
    x, ids, num = sorted_segments("SegmentMean", x, ids)
    if x.dtype.is_complex:
        return _sum(x, ids, num) / ops.cast(_counts(ops.real(x), ids, num), x.dtype)
    if x.dtype.is_floating:
        return _sum(x, ids, num) / _counts(x, ids, num)
    total = ops.cast(_sum(x, ids, num), "float64")
    return ops.cast(total / _counts(total, ids, num), x.dtype)
