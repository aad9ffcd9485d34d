"""Reshape, transpose, broadcast, join, part, repeat."""

from __future__ import annotations

import numpy as np

from gradtape import ops
from tests.ops.harness import Case, random

A = random(2, 6)
B = random(2, 6, seed=1)
CUBE = random(2, 3, 4, seed=2)
THIN = random(1, 3, 1, seed=3)
SCALAR = random(seed=4)
COMPLEX = random(2, 3, seed=5) + 1j * random(2, 3, seed=6)


def _squares(parts):
    """Different work on each part, so that mixed up cotangents show."""
    return [(i + 1) * part * part for i, part in enumerate(parts)]


CASES = [
    Case("reshape", lambda x: ops.reshape(x, (3, -1)) ** 2, [A]),
    Case("reshape to scalar", lambda x: ops.reshape(x, ()), [random(1, 1)]),
    Case("reshape of scalar", lambda x: ops.reshape(x, (1, 1)), [SCALAR]),
    Case("reshape empty", lambda x: ops.reshape(x, (-1, 2)), [random(0, 4)]),
    Case("expand_dims", lambda x: ops.expand_dims(x, -2), [A]),
    Case("squeeze", lambda x: ops.squeeze(x) ** 2, [THIN]),
    Case("squeeze axis", lambda x: ops.squeeze(x, [-1]), [THIN]),
    Case("barrier", lambda x, y: ops.barrier(x, y) ** 2, [CUBE, random(4)]),
    Case("transpose", lambda x: ops.transpose(x) ** 2, [CUBE]),
    Case("transpose permutation", lambda x: ops.transpose(x, (1, 2, 0)), [CUBE]),
    Case("transpose complex", ops.transpose, [COMPLEX]),
    Case("moveaxis", lambda x: ops.moveaxis(x, 0, -1) ** 2, [CUBE]),
    Case("moveaxis several", lambda x: ops.moveaxis(x, (0, 1), (2, 0)), [CUBE]),
    Case("swapaxes", lambda x: ops.swapaxes(x, 0, -1), [CUBE]),
    Case("broadcast_to", lambda x: ops.broadcast_to(x, (2, 3, 4)) ** 2, [random(3, 1)]),
    Case("broadcast_to from scalar", lambda x: ops.broadcast_to(x, (2, 3)), [SCALAR]),
    Case("broadcast_to large", lambda x: ops.broadcast_to(x, (3, 2000)) ** 2, [random(3, 1)]),
    Case("tile", lambda x: ops.tile(x, (2, 1, 3)) ** 2, [CUBE]),
    Case("tile none", lambda x: ops.tile(x, (1, 1)), [A]),
    Case("tile away", lambda x: ops.tile(x, (2, 0)), [A]),
    Case("repeat", lambda x: ops.repeat(x, 3, 1) ** 2, [A]),
    Case("repeat each", lambda x: ops.repeat(x, [1, 0, 2], 1), [CUBE]),
    Case("repeat flat", lambda x: ops.repeat(x, 2), [A]),
    Case("roll", lambda x: ops.roll(x, (1, -2), (0, 1)) * x, [A]),
    Case("concat", lambda x, y: ops.concat([x, y, x], 1) ** 2, [A, B]),
    Case("concat negative axis", lambda x, y: ops.concat([x, y], -2), [A, B]),
    Case("concat sizes", lambda x, y: ops.concat([x, y], 0), [random(1, 3), random(4, 3)]),
    Case("concat constant", lambda x: ops.concat([x, np.ones((1, 6))], 0) ** 2, [A]),
    Case("concat empty", lambda x: ops.concat([x, np.ones((0, 6))], 0), [A]),
    Case("stack", lambda x, y: ops.stack([x, y, x * y], 1) ** 2, [A, B]),
    Case("stack scalars", lambda x: ops.stack([x, x * x, 1.0]), [SCALAR]),
    Case("stack last", lambda x, y: ops.stack([x, y], -1), [A, B]),
    Case("split equal", lambda x: _squares(ops.split(x, 3, 1)), [A]),
    Case("split sizes", lambda x: _squares(ops.split(x, [1, -1, 2], 1)), [A]),
    Case("split one used", lambda x: ops.split(x, 2, 0)[1] ** 2, [A]),
    Case("split with empty part", lambda x: _squares(ops.split(x, [0, 6], -1)), [A]),
    Case("unstack", lambda x: _squares(ops.unstack(x)), [CUBE]),
    Case("unstack axis", lambda x: _squares(ops.unstack(x, axis=-1)), [CUBE]),
    Case("unstack one used", lambda x: ops.unstack(x, axis=1)[2] ** 2, [CUBE]),
    Case("iteration", lambda x: _squares(x), [CUBE]),
]
