"""Factorizations of matrices.

Factors are unique up to signs or phases. Where those might jump, the cases return what does not
depend on them.
"""

from __future__ import annotations

import numpy as np

from gradtape import ops
from tests.ops.cases_linalg import complexified
from tests.ops.harness import Case, random

A = random(3, 3) + np.diag([1.0, 3.0, 5.0])
STACK = random(2, 3, 3, seed=1) + np.diag([1.0, 3.0, 5.0])
IMAGINARY = random(3, 3, seed=2)
PIVOTED = np.array([[0.1, 2.0, 1.0], [4.0, 1.0, 0.3], [2.0, 3.0, 5.0]])
# Eigenvectors turn by much more than the inputs change, too much for bfloat16.
WIDE = {"low_precision": False}


def definite(op):
    """An op at a positive definite matrix made from any."""
    return lambda x: op(ops.matmul(x, x, adjoint_b=True) + ops.eye_like(x))


def projected(vectors, values):
    """The sum of the projections on each vector, weighted."""
    return ops.matmul(
        vectors * ops.as_row(ops.cast(values, vectors.dtype)), vectors, adjoint_b=True
    )


def svd_parts(x, **options):
    s, u, v = ops.svd(x, **options)
    count = s.shape[-1]
    weights = ops.cast(np.arange(1.0, count + 1), u.dtype)
    left, right = u[..., :count], v[..., :count]
    mixed = ops.matmul(left * weights, right, adjoint_b=True)
    return s, projected(left, weights), projected(right, weights), mixed


def full_svd_parts(x):
    """With the additional singular vector, of which the projection is unique."""
    s, u, v = ops.svd(x, full_matrices=True)
    return (
        s,
        projected(u, np.arange(1.0, u.shape[-1] + 1)),
        projected(v, np.arange(1.0, v.shape[-1] + 1)),
    )


def eigh_parts(x):
    e, v = ops.eigh(x)
    return ops.real(e), projected(v, np.arange(1.0, e.shape[-1] + 1))


def eig_parts(x):
    """Functions of a matrix, which do not depend on the order or the phases of the vectors."""
    e, v = ops.eig(x)
    sums = ops.reduce_sum(ops.exp(0.3 * e))
    rebuilt = ops.matmul(v * ops.as_row(ops.exp(0.2 * e)), ops.inv(v))
    return ops.real(sums), ops.real(rebuilt)


def eigvals_parts(x):
    e = ops.eigvals(x)
    return ops.real(ops.reduce_sum(ops.exp(0.3 * e), -1)), ops.real(ops.reduce_sum(e * e, -1))


def real_parts(op):
    """Only the real parts of the results of an op at x + i y."""

    def function(x, y):
        z = ops.cast(x, "complex128") + 1j * ops.cast(y, "complex128")
        return [ops.real(part) for part in op(z)]

    return function


def without_phase(z):
    q, r = ops.qr(z)
    return ops.matmul(q * ops.cast(np.arange(1.0, 4), q.dtype), r)


CASES = [
    Case("cholesky", definite(ops.cholesky), [A], low_rtol={"float32": 1e-4, "bfloat16": 0.1}),
    Case("cholesky stack", definite(ops.cholesky), [STACK], order=1, **WIDE),
    Case("cholesky complex", complexified(definite(ops.cholesky)), [A, IMAGINARY], **WIDE),
    Case("lu", lambda x: ops.lu(x)[0], [A]),
    Case("lu with pivoting", lambda x: ops.lu(x, "int64")[0], [PIVOTED]),
    Case("lu stack", lambda x: ops.lu(x)[0], [np.stack([PIVOTED, A])], order=1),
    Case("lu complex", complexified(lambda z: ops.lu(z)[0]), [A, IMAGINARY], **WIDE),
    Case("lu_solve", lambda x, b: ops.lu_solve(*ops.lu(x), b), [PIVOTED, random(3, 2)], **WIDE),
    Case("lu_reconstruct", lambda x: ops.lu_reconstruct(*ops.lu(x)), [STACK], **WIDE),
    Case("lu_matrix_inverse", lambda x: ops.lu_matrix_inverse(*ops.lu(x)), [A], **WIDE),
    Case("qr", ops.qr, [A]),
    Case("qr tall", ops.qr, [random(4, 2)]),
    Case("qr wide", ops.qr, [random(2, 4)]),
    Case("qr square full", lambda x: ops.qr(x, full_matrices=True), [A], order=1),
    Case("qr stack", ops.qr, [random(2, 3, 2)], order=1),
    Case("qr complex", complexified(without_phase), [A, IMAGINARY], **WIDE),
    Case("svd", svd_parts, [A], **WIDE),
    Case("svd tall", svd_parts, [random(4, 2)], **WIDE),
    Case("svd wide", svd_parts, [random(2, 4)], **WIDE),
    Case("svd stack", svd_parts, [random(2, 3, 2)], order=1, **WIDE),
    Case("svd full", full_svd_parts, [random(3, 2)], **WIDE),
    Case("svd complex", real_parts(svd_parts), [A, IMAGINARY], **WIDE),
    Case("svd_values", ops.svd_values, [A]),
    Case("svd_values stack", ops.svd_values, [random(2, 3, 2)]),
    Case(
        "svd_values complex",
        lambda x, y: real_parts(lambda z: [ops.svd_values(z)])(x, y),
        [A, IMAGINARY],
        **WIDE,
    ),
    Case("eigh", eigh_parts, [A], **WIDE),
    Case("eigh stack", eigh_parts, [STACK], order=1, **WIDE),
    Case("eigh complex", real_parts(eigh_parts), [A, IMAGINARY], **WIDE),
    Case("eigvalsh", ops.eigvalsh, [A]),
    Case("eigvalsh complex", real_parts(lambda z: [ops.eigvalsh(z)]), [A, IMAGINARY], **WIDE),
    Case("eig", eig_parts, [A], **WIDE),
    Case("eig complex spectrum", eig_parts, [np.array([[0.0, -2.0], [1.0, 1.0]])], **WIDE),
    Case("eigvals", eigvals_parts, [A], **WIDE),
    Case("eigvals stack", eigvals_parts, [STACK], **WIDE),
]
