"""Products of matrices and functions of a matrix."""

from __future__ import annotations

import numpy as np

from gradtape import ops
from tests.ops.harness import Case, random

A = random(3, 4)
B = random(4, 2, seed=1)
STACK = random(2, 3, 4, seed=2)
SQUARE = random(3, 3, seed=3)
ROOT = random(3, 3, seed=4, low=-0.3, high=0.3) + np.diag([1.0, 2.0, 3.0])


def complexified(op):
    """A function of two real tensors: an op at x + i y, as real and imaginary parts."""

    def function(x, y):
        z = op(ops.cast(x, "complex128") + 1j * ops.cast(y, "complex128"))
        return ops.real(z), ops.real(z * -1j)

    return function


def flagged(**flags):
    return lambda x, y: ops.matmul(x, y, **flags)


# A wide dtype is named inside these, and the roots of a matrix lose digits in bfloat16's inputs.
WIDE = {"low_precision": False}

CASES = [
    Case("matmul", ops.matmul, [A, B]),
    Case("matmul transpose_a", flagged(transpose_a=True), [A.T, B]),
    Case("matmul transpose_b", flagged(transpose_b=True), [A, B.T]),
    Case("matmul transposed both", flagged(transpose_a=True, transpose_b=True), [A.T, B.T]),
    Case("matmul stack", ops.matmul, [STACK, random(2, 4, 2, seed=5)]),
    Case(
        "matmul stack transposed",
        flagged(transpose_a=True, transpose_b=True),
        [STACK, random(2, 2, 3, seed=5)],
    ),
    Case("matmul stack by matrix", ops.matmul, [STACK, B]),
    Case("matmul stack by matrix, transpose_b", flagged(transpose_b=True), [STACK, B.T]),
    Case("matmul stack by matrix, transpose_a", flagged(transpose_a=True), [STACK, A]),
    Case("matmul matrix by stack", ops.matmul, [SQUARE, STACK]),
    Case("matmul broadcast", ops.matmul, [random(2, 1, 2, 3), random(3, 3, 2, seed=1)]),
    Case("matmul column", ops.matmul, [A, B[:, :1]]),
    Case("matmul column, transpose_a", flagged(transpose_a=True), [A.T, B[:, :1]]),
    Case("matmul column, transpose_b", flagged(transpose_b=True), [A, B[:, :1].T]),
    Case(
        "matmul column, transposed both",
        flagged(transpose_a=True, transpose_b=True),
        [A.T, B[:, :1].T],
    ),
    Case("matmul of nothing", ops.matmul, [random(2, 0), random(0, 3)], order=1),
    Case("matmul of an empty stack", ops.matmul, [random(0, 2, 3), random(3, 3)], order=1),
    Case(
        "matmul integers", ops.matmul, [np.arange(6).reshape(2, 3), np.arange(3)[:, None]], order=0
    ),
    Case(
        "matmul complex",
        lambda x, y: complexified(lambda z: ops.matmul(z, z, adjoint_b=True))(x, y),
        [A, random(3, 4, seed=6)],
        **WIDE,
    ),
    Case("matvec", ops.matvec, [A, random(4)]),
    Case("matvec stack", lambda a, x: ops.matvec(a, x, transpose_a=True), [STACK, random(5, 1, 3)]),
    Case("adjoint", ops.adjoint, [STACK]),
    Case("cross", ops.cross, [random(2, 3), random(2, 3, seed=1)]),
    Case("trace", ops.trace, [STACK]),
    Case("expm", ops.matrix_exp, [SQUARE]),
    Case("expm stack", ops.matrix_exp, [random(2, 2, 2, low=-3, high=3)]),
    Case("expm complex", complexified(ops.matrix_exp), [SQUARE, ROOT], **WIDE),
    Case("sqrtm", ops.sqrtm, [ROOT]),
    Case("sqrtm stack", ops.sqrtm, [np.stack([ROOT, ROOT.T + 1])], order=1),
    Case("sqrtm complex", complexified(ops.sqrtm), [ROOT, SQUARE], **WIDE),
    Case("logm", complexified(ops.logm), [ROOT, SQUARE], **WIDE),
]
