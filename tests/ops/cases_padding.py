"""Padding, blocks of space, diagonals and bands."""

from __future__ import annotations

from gradtape import ops
from tests.ops.harness import Case, random

A = random(3, 4)
SQUARE = random(2, 4, 4, seed=1)
IMAGE = random(2, 4, 6, 4, seed=2)
PAIRS = ((1, 2), (0, 3))

CASES = [
    Case("pad", lambda x: ops.pad(x, PAIRS) ** 2, [A]),
    Case("pad value", lambda x: ops.pad(x, PAIRS, constant_values=2.5) ** 2, [A]),
    Case("pad reflect", lambda x: ops.pad(x, PAIRS, "REFLECT") ** 2, [A]),
    Case("pad symmetric", lambda x: ops.pad(x, ((3, 3), (1, 4)), "SYMMETRIC") ** 2, [A]),
    Case("pad nothing", lambda x: ops.pad(x, ((0, 0), (0, 0)), "REFLECT") ** 2, [A]),
    Case("space_to_batch", lambda x: ops.space_to_batch(x, [2, 3], [[1, 1], [0, 0]]) ** 2, [IMAGE]),
    Case("batch_to_space", lambda x: ops.batch_to_space(x, [2], [[1, 0]]) ** 2, [IMAGE]),
    Case("space_to_depth", lambda x: ops.space_to_depth(x, 2) ** 2, [IMAGE]),
    Case("space_to_depth NCHW", lambda x: ops.space_to_depth(x, 2, "NCHW"), [IMAGE]),
    Case("depth_to_space", lambda x: ops.depth_to_space(x, 2) ** 2, [IMAGE]),
    Case("depth_to_space NCHW", lambda x: ops.depth_to_space(x, 2, "NCHW"), [random(1, 4, 2, 3)]),
    Case("matrix_diag", lambda x: ops.matrix_diag(x) ** 2, [A]),
    Case("matrix_diag shifted", lambda x: ops.matrix_diag(x, -1, 5, 6), [random(2, 4)]),
    Case("matrix_diag band", lambda x: ops.matrix_diag(x, (-1, 1), 4, 4) ** 2, [random(2, 3, 4)]),
    Case("matrix_diag padded", lambda x: ops.matrix_diag(x, padding_value=1.5) ** 2, [A]),
    Case("matrix_diag_part", lambda x: ops.matrix_diag_part(x) ** 2, [A]),
    Case("matrix_diag_part above", lambda x: ops.matrix_diag_part(x, 2), [SQUARE]),
    Case("matrix_diag_part band", lambda x: ops.matrix_diag_part(x, (-2, 1), 3.0) ** 2, [SQUARE]),
    Case("matrix_set_diag", lambda x, d: ops.matrix_set_diag(x, d) ** 2, [A, random(3)]),
    Case(
        "matrix_set_diag band",
        lambda x, d: ops.matrix_set_diag(x, d, (-1, 0), "LEFT_RIGHT") ** 2,
        [SQUARE, random(2, 2, 4)],
    ),
    Case("band_part", lambda x: ops.band_part(x, 1, 0) ** 2, [SQUARE]),
    Case("band_part open", lambda x: ops.band_part(x, -1, 1), [A]),
    Case("tensor_diag", lambda x: ops.tensor_diag(x) ** 2, [random(2, 3)]),
    Case("tensor_diag_part", lambda x: ops.tensor_diag_part(x) ** 2, [random(2, 3, 2, 3)]),
]
