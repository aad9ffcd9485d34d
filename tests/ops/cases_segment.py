"""Reductions of rows that share a segment id."""

from __future__ import annotations

import numpy as np

from gradtape import ops
from tests.ops.harness import Case, random

ROWS = random(6, 3)
VECTOR = random(6, seed=1)
ZEROS = np.array([0.0, 2.0, 0.0, 3.0, 0.5, 0.0])
UNSORTED = np.array([2, 0, -1, 2, 0, 4], np.int32)
SORTED = np.array([0, 0, 1, 3, 3, 3], np.int64)
MATRIX_IDS = np.array([[0, 2, 1], [2, 1, 2]], np.int32)
MANY = random(120, 40, seed=2)
MANY_IDS = np.random.default_rng(0).integers(-1, 9, 120).astype(np.int32)

SORTED_OPS = (
    ops.segment_sum,
    ops.segment_mean,
    ops.segment_prod,
    ops.segment_max,
    ops.segment_min,
)
UNSORTED_OPS = (
    ops.unsorted_segment_sum,
    ops.unsorted_segment_mean,
    ops.unsorted_segment_prod,
    ops.unsorted_segment_sqrt_n,
)
EXTREMES = (ops.unsorted_segment_max, ops.unsorted_segment_min)

CASES = []
for _op in SORTED_OPS:
    _name = _op.__name__
    CASES.append(Case(_name, lambda x, op=_op: op(x, SORTED), [ROWS]))
    CASES.append(Case(f"{_name} vector", lambda x, op=_op: op(x, SORTED), [VECTOR]))
for _op in UNSORTED_OPS:
    CASES.append(Case(_op.__name__, lambda x, i, op=_op: op(x, i, 5), [ROWS, UNSORTED]))
    CASES.append(Case(f"{_op.__name__} vector", lambda x, op=_op: op(x, UNSORTED, 5), [VECTOR]))
for _op in (*UNSORTED_OPS, *EXTREMES):
    _args = [random(2, 3, 2, seed=3), MATRIX_IDS]
    CASES.append(Case(f"{_op.__name__} matrix of ids", lambda x, i, op=_op: op(x, i, 3), _args))
for _op in EXTREMES:
    # Segments without rows hold a limit of the dtype; only the others can be compared.
    def _function(x, ids, op=_op):
        return ops.segment_rows(op(x, ids, 5), np.array([0, 2, 4]))

    CASES.append(Case(_op.__name__, _function, [ROWS, UNSORTED]))
CASES += [
    Case(f"{op.__name__} many", lambda x, op=op: op(x, MANY_IDS, 9), [MANY])
    for op in (ops.unsorted_segment_sum, ops.unsorted_segment_max, ops.unsorted_segment_prod)
]
CASES += [
    Case("segment_prod zeros", lambda x: ops.unsorted_segment_prod(x, UNSORTED, 5), [ZEROS]),
    Case("segment_prod two zeros", lambda x: ops.segment_prod(x, SORTED), [ZEROS * (ZEROS > 1)]),
    Case("segment_rows", lambda x: ops.segment_rows(x, UNSORTED), [ROWS]),
    # Mapped over the ids, and over both.
    Case(
        "segment ids mapped", lambda i: ops.unsorted_segment_sum(VECTOR, i, 5), [UNSORTED], order=0
    ),
    Case("segment_rows ids mapped", lambda i: ops.segment_rows(ROWS, i), [UNSORTED], order=0),
]
