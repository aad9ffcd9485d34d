"""Collectives where there is one replica; tests/distribute has them with several."""

from __future__ import annotations

import numpy as np

from gradtape import ops
from gradtape.core.bind import bind
from gradtape.ops import collectives
from tests.ops.harness import Case, random


def _all_reduce(*xs):
    return [y * y for y in bind(collectives.all_reduce_p, xs, {"replicas": 1})]


def _all_gather(axis):
    params = {"axis": axis, "replicas": 1}
    return lambda x, i: bind(collectives.all_gather_p, (x, ops.to_tensor(i)), params) ** 2


FIRST = np.int32(0)
CASES = [
    Case("all_reduce", _all_reduce, [random(2, 3)]),
    Case("all_reduce several", _all_reduce, [random(2, 3), random(seed=1), random(0, 2, seed=2)]),
    Case("all_gather", _all_gather(0), [random(2, 3), FIRST]),
    Case("with_sharding", lambda x: ops.with_sharding(x, None, (None, None)) ** 2, [random(2, 3)]),
    Case("all_gather last axis", _all_gather(1), [random(2, 3), FIRST]),
]
