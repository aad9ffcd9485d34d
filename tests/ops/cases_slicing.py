"""Indexing: reading, its transpose, and writing."""

from __future__ import annotations

import numpy as np

from gradtape import ops
from gradtape.ops.slicing import WHOLE
from tests.ops.harness import Case, random

A = random(4, 5)
CUBE = random(4, 5, 3, seed=1)
MASK = np.array([[True, False, True, True, False]] * 4)
KEYS = {
    "integer": 1,
    "negative integer": (-1, -2),
    "range": np.s_[1:3],
    "steps": np.s_[::2, 1:5:3],
    "negative steps": np.s_[::-1, 4:0:-2],
    "out of range bounds": np.s_[2:100],
    "empty": np.s_[3:1],
    "ellipsis": np.s_[..., 1],
    "ellipsis between": np.s_[1, ..., ::2],
    "new axes": np.s_[None, :, None, 1],
    "all kinds": np.s_[..., None, ::2],
    "element": (1, 2, 0),
    "whole": np.s_[:],
}

CASES = [
    Case(f"getitem {name}", lambda x, key=key: x[key] ** 2, [CUBE]) for name, key in KEYS.items()
] + [
    Case("getitem of scalar", lambda x: x[None, ..., None], [random(seed=2)]),
    Case("getitem mask", lambda x: x[MASK] ** 2, [A]),
    Case("getitem overlap", lambda x: x[1:] * x[:-1], [A]),
    Case("put_slice", lambda x: ops.put_slice(x, (7, 9), ((1, 5, None), (0, 9, 2))) ** 2, [A]),
    Case("put_slice integer", lambda x: ops.put_slice(x, (3, 4), (1,)), [random(4)]),
    Case(
        "update_slice",
        lambda x, v: ops.update_slice(x, v, ((1, 3, None), (None, None, -2))) ** 2,
        [A, random(2, 3, seed=3)],
    ),
    Case("update_slice broadcast", lambda x, v: ops.update_slice(x, v, (1,)), [A, random(seed=4)]),
    Case(
        "update_slice integer",
        lambda x, v: ops.update_slice(x, v, (WHOLE, 2)) * x,
        [A, random(4, seed=5)],
    ),
    Case(
        "strided_slice_update",
        lambda x, v: ops.strided_slice_update(x, np.s_[..., -1], v) ** 2,
        [CUBE, random(4, 5, seed=6)],
    ),
    Case("strided_slice", lambda x: ops.strided_slice(x, [3, 4], [0, 0], [-1, -2]), [A]),
    Case(
        "strided_slice masks",
        lambda x: ops.strided_slice(
            x, [1, 0, 1], [2, 0, 3], None, begin_mask=1, end_mask=4, ellipsis_mask=2
        ),
        [CUBE],
    ),
    Case("reverse", lambda x: ops.reverse(x, [0, -1]) * x, [CUBE]),
    Case("block", lambda x: ops.block(x, [1, 2], [2, -1]) ** 2, [A]),
    Case("dynamic_slice", lambda x: ops.dynamic_slice(x, [3, 1], [2, 3]) ** 2, [A]),
    Case(
        "dynamic_update_slice",
        lambda x, v: ops.dynamic_update_slice(x, v, [1, 9]) ** 2,
        [A, random(2, 3, seed=7)],
    ),
]
