"""Sorting, the largest elements, and search in sorted sequences."""

from __future__ import annotations

import numpy as np

from gradtape import ops
from tests.ops.harness import Case, random

A = random(3, 5)
CUBE = random(2, 4, 3, seed=1)
SEQUENCE = np.sort(random(3, 6, seed=2), 1)
TIES = np.array([[1.0, 3.0, 3.0, 0.0], [2.0, 2.0, 2.0, 5.0]])

CASES = [
    Case("sort", ops.sort, [A]),
    Case("sort descending", lambda x: ops.sort(x, direction="DESCENDING"), [A]),
    Case("sort middle axis", lambda x: ops.sort(x, 1), [CUBE]),
    Case("sort vector", ops.sort, [random(7, seed=3)]),
    Case("argsort", ops.argsort, [A], order=0),
    Case("argsort descending ties", lambda x: ops.argsort(x, 0, "DESCENDING"), [TIES], order=0),
    Case("top_k", lambda x: ops.top_k(x, 2), [A]),
    Case("top_k one", ops.top_k, [CUBE]),
    Case("top_k long", lambda x: ops.top_k(x, 2, "int64"), [random(2, 90, seed=4)]),
    Case("top_k selected", lambda x: ops.top_k(x, 5)[0], [random(100, seed=5)]),
    Case(
        "in_top_k",
        lambda x: ops.in_top_k(np.array([0, 4, 7]), ops.cast(x, "float32"), 2),
        [A],
        order=0,
    ),
    Case("searchsorted", ops.searchsorted, [SEQUENCE, A], order=0),
    Case(
        "searchsorted right",
        lambda s, v: ops.searchsorted(s, v, "right", "int64"),
        [SEQUENCE[0], A[1]],
        order=0,
    ),
    Case("unique", lambda x: ops.unique(x)[0], [random(6, seed=6)], batched=False),
    Case("isotonic_regression", ops.isotonic_regression, [A]),
    Case("isotonic_regression rising", lambda x: ops.isotonic_regression(x, False, 1), [CUBE]),
    Case("invert_permutation", ops.invert_permutation, [np.array([2, 0, 3, 1])], order=0),
]
