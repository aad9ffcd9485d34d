"""Segment reductions: `tf.math.segment_sum` and related functions."""

from __future__ import annotations

import numpy as np

from gradtape import ops
from gradtape.api.export import export
from gradtape.core.convert import static_int, static_value, to_tensor
from gradtape.core.errors import InvalidArgumentError
from gradtape.core.tensor import Tensor


def _export_segments(kind: str) -> None:
    op = getattr(ops, f"segment_{kind}")

    def segment(data, segment_ids, name=None) -> Tensor:
        return op(data, segment_ids)

    segment.__name__ = segment.__qualname__ = f"segment_{kind}"
    segment.__doc__ = op.__doc__
    export(f"math.segment_{kind}")(segment)


def _export_unsorted(kind: str) -> None:
    op = getattr(ops, f"unsorted_segment_{kind}")

    def segment(data, segment_ids, num_segments, name=None) -> Tensor:
        return op(data, segment_ids, num_segments)

    segment.__name__ = segment.__qualname__ = f"unsorted_segment_{kind}"
    segment.__doc__ = op.__doc__
    export(f"math.unsorted_segment_{kind}")(segment)


def _export_picked(kind: str) -> None:
    reduce = getattr(ops, f"unsorted_segment_{kind}")
    op = f"SparseSegment{kind.title().replace('_', '')}"

    def segment(
        data, indices, segment_ids, num_segments=None, name=None, sparse_gradient=False
    ) -> Tensor:
        indices = to_tensor(indices)
        if indices.ndim != 1 or not (indices.dtype.is_integer or not len(indices)):
            raise InvalidArgumentError(
                f"{op}: indices must be a vector of integers, got a tensor of dtype "
                f"{indices.dtype.name} and shape {list(indices.shape)}. [Op:{op}]"
            )
        if not len(indices):  # An empty list is one of floating point numbers.
            indices, segment_ids = (ops.cast(x, "int32") for x in (indices, segment_ids))
        x, ids, count = ops.sorted_segments(op, data, segment_ids, rows=len(indices))
        wanted = count if num_segments is None else static_int(num_segments)
        if wanted < count:
            raise InvalidArgumentError(
                f"{op}: segment ids must be < num_segments: {count - 1} and {wanted}. [Op:{op}]"
            )
        if sparse_gradient:
            rows = ops.gather(x, indices)
        else:
            known, size = np.asarray(static_value(indices)), x.shape[0]
            for i in np.flatnonzero((known < 0) | (known >= size))[:1]:
                raise InvalidArgumentError(
                    f"{op}: indices[{i}] == {known[i]} out of range [0, {size}) [Op:{op}]"
                )
            rows = ops.segment_rows(x, indices)
        return reduce(rows, ids, wanted)

    segment.__name__ = segment.__qualname__ = f"segment_{kind}"
    segment.__doc__ = f"Compute `unsorted_segment_{kind}` of the rows of data at indices."
    export(f"sparse.segment_{kind}")(segment)


for _name in "sum mean prod max min".split():
    _export_segments(_name)
for _name in "sum mean prod max min sqrt_n".split():
    _export_unsorted(_name)
for _name in "sum mean sqrt_n".split():
    _export_picked(_name)
