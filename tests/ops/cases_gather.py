"""Gather and scatter in all their forms."""

from __future__ import annotations

import numpy as np

from gradtape import ops
from tests.ops.harness import Case, random

A = random(5, 3)
CUBE = random(2, 4, 3, seed=1)
ROWS = np.array([0, 3, 3, 1], np.int32)
GRID = np.array([[0, 2], [1, 1]], np.int64)
SPOTS = np.array([[4], [1], [1]], np.int32)
POSITIONS = np.array([[0, 1], [4, 2], [0, 1]], np.int32)
APART = np.array([[0, 1], [4, 2], [3, 0]], np.int32)


def _at(op, *args):
    """The op with indices in the middle, held fixed."""
    return lambda x, u: op(x, *args, u) ** 2


def _by_rows(kind: str):
    """An update of the rows that a grid of indices names."""
    return lambda x, u: ops.rows_update(kind, "Scatter", x.shape, GRID, u).of(x)


CASES = [
    Case("gather", lambda x: ops.gather(x, ROWS) ** 2, [A]),
    Case("gather scalar index", lambda x: ops.gather(x, 2), [A]),
    Case("gather grid", lambda x: ops.gather(x, GRID) ** 2, [A]),
    Case("gather vector", lambda x: ops.gather(x, ROWS), [random(5)]),
    Case("gather nothing", lambda x: ops.gather(x, np.zeros(0, np.int32)), [A]),
    Case("gather axis 1", lambda x: ops.gather(x, ROWS, 1) ** 2, [CUBE]),
    Case("gather last axis", lambda x: ops.gather(x, GRID, -1) ** 2, [CUBE]),
    Case("gather batch", lambda x: ops.gather(x, GRID, 1, 1) ** 2, [CUBE]),
    Case("gather batch, outer axis", lambda x: ops.gather(x, GRID, 2, 1) ** 2, [CUBE]),
    Case("gather batch of two", lambda x: ops.gather(x, np.zeros((2, 4, 2), int), 2, 2), [CUBE]),
    Case("gather batch, one each", lambda x: ops.gather(x, np.array([3, 1]), 1, 1), [CUBE]),
    Case("gather twice", lambda x: ops.gather(x, ROWS) * ops.gather(x, ROWS[::-1]), [A]),
    Case("gather complex", lambda x: ops.gather(x, ROWS), [A + 1j * random(5, 3, seed=2)]),
    Case("gather_nd rows", lambda x: ops.gather_nd(x, SPOTS) ** 2, [A]),
    Case("gather_nd elements", lambda x: ops.gather_nd(x, POSITIONS) ** 2, [A]),
    Case("gather_nd nested", lambda x: ops.gather_nd(x, POSITIONS[None, :, :1]) ** 2, [A]),
    Case("gather_nd one", lambda x: ops.gather_nd(x, [3, 2]) ** 2, [A]),
    Case("gather_nd everything", lambda x: ops.gather_nd(x, np.zeros((2, 0), np.int32)), [A]),
    Case("gather_nd batch", lambda x: ops.gather_nd(x, GRID[:, None, :], 1) ** 2, [CUBE]),
    Case(
        "gather_nd ignoring",
        lambda x: ops.gather_nd(x, [[0, 1], [9, 0]], policy="IGNORE") ** 2,
        [A],
    ),
    Case("take_along_axis", lambda x: ops.take_along_axis(x, np.abs(A).argsort(0), 0) ** 2, [A]),
    Case("take_along_axis broadcast", lambda x: ops.take_along_axis(x, [[-1, 0]]), [A]),
    Case("scatter_nd rows", lambda u: ops.scatter_nd(SPOTS, u, (5, 2)) ** 2, [random(3, 2)]),
    Case("scatter_nd elements", lambda u: ops.scatter_nd(POSITIONS, u, (5, 3)) ** 2, [random(3)]),
    Case(
        "scatter_nd ignoring",
        lambda u: ops.scatter_nd([[4], [-1], [1]], u, (5, 2), "IGNORE") ** 2,
        [random(3, 2)],
    ),
    Case("scatter add", _at(ops.tensor_scatter_nd_add, POSITIONS), [A, random(3)]),
    Case("scatter sub", _at(ops.tensor_scatter_nd_sub, SPOTS), [A, random(3, 3)]),
    Case("scatter update", _at(ops.tensor_scatter_nd_update, APART), [A, random(3)]),
    Case("scatter update rows", _at(ops.tensor_scatter_nd_update, APART[:, :1]), [A, random(3, 3)]),
    Case("scatter max", _at(ops.tensor_scatter_nd_max, POSITIONS), [A, random(3, seed=3)]),
    Case("scatter min rows", _at(ops.tensor_scatter_nd_min, SPOTS), [A, random(3, 3, seed=4)]),
    Case(
        "scatter max ignoring",
        lambda x, u: ops.tensor_scatter_nd_max(x, [[4], [7], [0]], u, "IGNORE") ** 2,
        [A, random(3, 3, seed=5)],
    ),
    Case(
        "scatter add ignoring",
        lambda x, u: ops.tensor_scatter_nd_add(x, [[4], [7], [0]], u, "IGNORE") ** 2,
        [A, random(3, 3, seed=5)],
    ),
    Case(
        "scatter add of a cube",
        _at(ops.tensor_scatter_nd_add, POSITIONS[:2] // 4),
        [CUBE, random(2, 3)],
    ),
    Case("scale rows", _by_rows("Mul"), [A, random(2, 2, 3, seed=5)], order=0),
    Case("divide rows", _by_rows("Div"), [A, random(2, 2, 3, seed=5) + 3], order=0),
    Case("boolean_mask", lambda x: ops.boolean_mask(x, [True, False, True], 1) ** 2, [A]),
    Case("boolean_mask rank 2", lambda x: ops.boolean_mask(x, A > 0) ** 2, [A]),
    Case("dynamic_partition", lambda x: ops.dynamic_partition(x * x, [0, 2, 0, 2, 0], 3), [A]),
    Case(
        "dynamic_stitch",
        lambda x, y: ops.dynamic_stitch([[4, 0], [[1, 2]]], [x, y]) ** 2,
        [random(2, 3, seed=6), random(1, 2, 3, seed=7)],
    ),
    Case("reverse_sequence", lambda x: ops.reverse_sequence(x, [2, 4], 1, 0) * x, [CUBE]),
    Case("reverse_sequence axes", lambda x: ops.reverse_sequence(x, [2, 0, 1], 0, 2), [CUBE]),
    Case("unravel_index", lambda i: ops.unravel_index(i, (3, 4)), [np.array([0, 11])], order=0),
]
