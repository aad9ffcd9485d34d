"""Tensors made from nothing, from numbers and from integers."""

from __future__ import annotations

import numpy as np

from gradtape import ops
from tests.ops.harness import Case, random

A = random(3)
INDICES = np.array([[0, 2, -1], [1, 1, 7]], np.int32)

CASES = [
    Case("fill", lambda v: ops.fill((2, 3), v) ** 2, [random()]),
    Case("linspace", lambda a, b: ops.linspace(a, b, 5) ** 2, [random(), random(seed=1)]),
    Case("linspace axis", lambda a, b: ops.linspace(a, b, 4, -1), [A, random(2, 1, seed=2)]),
    Case("linspace of one", lambda a, b: ops.linspace(a, b, 1), [A, A], order=1),
    Case("meshgrid", lambda x, y: ops.meshgrid(x, y * y), [A, random(2, seed=3)]),
    Case("meshgrid ij", lambda x, y: ops.meshgrid(x, y, indexing="ij"), [A, random(2, seed=3)]),
    Case("one_hot", lambda i: ops.one_hot(i, 3), [INDICES], order=0),
    Case("one_hot axis", lambda i: ops.one_hot(i, 3, 1, "int32"), [INDICES], order=0),
    Case("sequence_mask", lambda n: ops.sequence_mask(n, 4), [np.array([1, 4, 0])], order=0),
]
