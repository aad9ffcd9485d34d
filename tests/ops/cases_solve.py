"""Linear systems, inverses and determinants."""

from __future__ import annotations

import numpy as np

from gradtape import ops
from tests.ops.cases_linalg import WIDE, complexified
from tests.ops.harness import Case, random

A = random(3, 3) + 3 * np.eye(3)
STACK = random(2, 3, 3, seed=1) + 3 * np.eye(3)
MANY = random(5, 2, 2, seed=2) + 2 * np.eye(2)
B = random(3, 2, seed=3)
DIAGONALS = random(3, 4, seed=4) + np.array([[0.0], [3.0], [0.0]])
POSITIVE = random(2, 4, seed=5, low=0.5, high=1.5)


def solving(**options):
    return lambda a, b: ops.triangular_solve(a, b, **options)


def banded(**options):
    return lambda a, b: ops.banded_triangular_solve(a, b, **options)


CASES = [
    Case("solve", ops.solve, [A, B]),
    Case("solve adjoint", lambda a, b: ops.solve(a, b, adjoint=True), [A, B]),
    Case("solve stack", ops.solve, [STACK, random(2, 3, 1)]),
    Case(
        "solve complex",
        complexified(lambda z: ops.solve(z + 3, z, adjoint=True)),
        [A, random(3, 3, seed=8)],
        **WIDE,
    ),
    Case("solve nothing", ops.solve, [random(0, 0), random(0, 2)], order=1),
    Case("triangular_solve stack of few", solving(), [STACK, random(2, 3, 1)]),
    Case("triangular_solve stack of many", solving(), [MANY, random(5, 2, 1)]),
    Case(
        "triangular_solve stack of many, upper adjoint",
        solving(lower=False, adjoint=True),
        [MANY, random(5, 2, 3)],
    ),
    Case("triangular_solve one matrix for a stack", solving(), [A, random(2, 3, 2)]),
    Case("triangular_solve broadcast", solving(), [STACK, random(4, 1, 3, 2)]),
    Case(
        "triangular_solve complex",
        complexified(lambda z: ops.triangular_solve(z, z, True, True)),
        [A, random(3, 3, seed=8)],
        **WIDE,
    ),
    Case("cholesky_solve", ops.cholesky_solve, [A, B]),
    Case("banded_triangular_solve", banded(), [POSITIVE, random(4, 2)]),
    Case("banded_triangular_solve upper", banded(lower=False), [POSITIVE, random(4, 2)]),
    Case("banded_triangular_solve of too many bands", banded(), [random(4, 3) + 2, random(3, 1)]),
    Case("inv", ops.inv, [A]),
    Case("inv adjoint", lambda a: ops.inv(a, adjoint=True), [STACK]),
    Case(
        "inv complex",
        complexified(lambda z: ops.inv(z, adjoint=True)),
        [A, random(3, 3, seed=8)],
        **WIDE,
    ),
    Case("det", ops.det, [A]),
    Case("det stack", ops.det, [STACK]),
    Case("det complex", complexified(ops.det), [A, random(3, 3, seed=8)], **WIDE),
    Case("slogdet", ops.slogdet, [A]),
    Case("slogdet stack", ops.slogdet, [-STACK]),
    Case("lstsq", ops.lstsq, [random(4, 2), random(4, 3)]),
    Case("lstsq wide", lambda a, b: ops.lstsq(a, b, 0.3), [random(2, 4), random(2, 1)]),
    Case("lstsq stack", lambda a, b: ops.lstsq(a, b, 0.3), [random(2, 4, 2), random(2, 4, 1)]),
    Case(
        "lstsq by pseudo-inverse",
        lambda a, b: ops.lstsq(a, b, fast=False),
        [random(4, 2), random(4, 1)],
    ),
    Case("pinv", ops.pinv, [random(4, 3)]),
    Case("pinv wide stack", ops.pinv, [random(2, 2, 3)]),
    Case("pinv at equal singular values", ops.pinv, [np.eye(3, 2)]),
    Case("pinv complex", complexified(ops.pinv), [random(3, 2), random(3, 2, seed=1)], **WIDE),
    Case("tridiagonal_solve", ops.tridiagonal_solve, [DIAGONALS, random(4, 2)]),
    Case(
        "tridiagonal_solve stack",
        ops.tridiagonal_solve,
        [np.stack([DIAGONALS, 2 * DIAGONALS]), random(2, 4, 1)],
    ),
    Case(
        "tridiagonal_solve complex",
        complexified(lambda z: ops.tridiagonal_solve(z, z[..., None][0])),
        [DIAGONALS, DIAGONALS / 3],
        **WIDE,
    ),
    Case("tridiagonal_matmul", ops.tridiagonal_matmul, [DIAGONALS, random(4, 2)]),
] + [
    Case(
        f"triangular_solve {'lower' if lower else 'upper'}{' adjoint' * adjoint}",
        solving(lower=lower, adjoint=adjoint),
        [A, B],
    )
    for lower in (True, False)
    for adjoint in (True, False)
]
