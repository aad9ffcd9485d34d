"""What wrong arguments of the linear algebra ops are told, and what singular inputs give."""

from __future__ import annotations

import numpy as np
import pytest

import gradtape as tf
from gradtape import ops

ONES = np.ones


def ones(*shape, dtype="float32"):
    return tf.constant(ONES(shape, dtype))


SINGULAR = tf.constant([[1.0, 2.0], [2.0, 4.0]])

# (call, classes of the exception, words of its text)
WRONG = {
    "matmul sizes": (
        lambda: tf.matmul(ones(2, 3), ones(2, 3)),
        ValueError,
        ["In[0]: [2, 3]", "inner sizes 3 and 2"],
    ),
    "matmul sizes transposed": (
        lambda: tf.matmul(ones(2, 3), ones(3, 2), transpose_b=True),
        ValueError,
        ["with transpose_b", "sizes 3 and 2"],
    ),
    "matmul vector": (lambda: tf.matmul(ones(2, 3), ones(3)), ValueError, ["tf.linalg.matvec"]),
    "matmul stacks": (lambda: tf.matmul(ones(2, 2, 2), ones(3, 2, 2)), ValueError, ["[2] vs. [3]"]),
    "matmul dtypes": (
        lambda: tf.matmul(ones(2, 2), ones(2, 2, dtype="float64")),
        TypeError,
        ["float32", "float64", "tf.cast"],
    ),
    "matmul text": (
        lambda: tf.matmul(tf.constant([["a"]]), tf.constant([["b"]])),
        TypeError,
        ["string", "MatMul"],
    ),
    "matmul both flags": (
        lambda: tf.matmul(ones(2, 2), ones(2, 2), transpose_a=True, adjoint_a=True),
        ValueError,
        ["Only one of `transpose_a` and `adjoint_a`"],
    ),
    "matvec scalar": (
        lambda: tf.linalg.matvec(ones(2, 3), tf.constant(1.0)),
        ValueError,
        ["a matrix and a vector"],
    ),
    "cross pairs": (
        lambda: tf.linalg.cross(ones(2), ones(2)),
        tf.errors.FailedPreconditionError,
        ["3-element vectors", "[2]"],
    ),
    "cross shapes": (lambda: tf.linalg.cross(ones(2, 3), ones(3)), ValueError, ["[2, 3] vs. [3]"]),
    "trace vector": (lambda: tf.linalg.trace(ones(3)), ValueError, ["rank >= 2", "[3]"]),
    "transpose vector": (lambda: tf.linalg.matrix_transpose(ones(3)), ValueError, ["rank >= 2"]),
    "einsum format": (lambda: tf.einsum("i-j", ones(2)), ValueError, ["incorrect format: i-j"]),
    "einsum two ellipses": (
        lambda: tf.einsum("...i...->i", ones(2)),
        ValueError,
        ["incorrect format"],
    ),
    "einsum count": (
        lambda: tf.einsum("ij,jk->ik", ones(2, 2)),
        ValueError,
        ["Got 1 inputs", "expecting 2"],
    ),
    "einsum no operands": (lambda: tf.einsum("i,j->ij"), ValueError, ["Got 0 inputs"]),
    "einsum unknown label": (lambda: tf.einsum("ij->iz", ones(2, 2)), ValueError, ["label z"]),
    "einsum repeated output": (lambda: tf.einsum("i->ii", ones(2)), ValueError, ["more than once"]),
    "einsum rank": (
        lambda: tf.einsum("ijk->i", ones(2, 3)),
        tf.errors.InvalidArgumentError,
        ["rank 3 but got: 2"],
    ),
    "einsum rank with ellipsis": (
        lambda: tf.einsum("ij...->i...", ones(2)),
        ValueError,
        ["rank at least 2"],
    ),
    "einsum sizes": (
        lambda: tf.einsum("ij,jk->ik", ones(2, 3), ones(2, 3)),
        ValueError,
        ["Expected dimension 3 at axis 0", "'j'"],
    ),
    "einsum ones do not broadcast": (
        lambda: tf.einsum("i,i->i", ones(1), ones(3)),
        ValueError,
        ["Expected dimension 1"],
    ),
    "einsum lost ellipsis": (
        lambda: tf.einsum("...i->i", ones(2, 3)),
        ValueError,
        ["1 broadcasting dimension(s)"],
    ),
    "einsum keyword": (lambda: tf.einsum("i->i", ones(2), speed=3), TypeError, ["speed"]),
    "einsum dtypes": (
        lambda: tf.einsum("i,i->", ones(2), ones(2, dtype="float64")),
        TypeError,
        ["Einsum", "float64"],
    ),
    "tensordot sizes": (
        lambda: tf.tensordot(ones(2, 3), ones(2, 3), 1),
        ValueError,
        ["[2, 3]", "different sizes"],
    ),
    "tensordot too many": (
        lambda: tf.tensordot(ones(2, 3), ones(3, 2), 3),
        ValueError,
        ["must not be larger"],
    ),
    "tensordot negative": (lambda: tf.tensordot(ones(2), ones(2), -1), ValueError, ["at least 0"]),
    "tensordot uneven": (
        lambda: tf.tensordot(ones(2, 2), ones(2, 2), [[0, 1], [0]]),
        ValueError,
        ["2 != 1"],
    ),
    "tensordot three lists": (
        lambda: tf.tensordot(ones(2), ones(2), [[0], [0], [0]]),
        ValueError,
        ["length 2"],
    ),
    "tensordot twice": (
        lambda: tf.tensordot(ones(2, 2), ones(2, 2), [[0, 0], [0, 1]]),
        ValueError,
        ["twice"],
    ),
    "tensordot axis": (
        lambda: tf.tensordot(ones(2), ones(2), [[3], [0]]),
        ValueError,
        ["axis 3 is out of range"],
    ),
    "tensordot words": (lambda: tf.tensordot(ones(2), ones(2), 1.5), TypeError, ["1.5"]),
    "inv shape": (lambda: tf.linalg.inv(ones(2, 3)), ValueError, ["must be square", "[2, 3]"]),
    "inv integers": (lambda: tf.linalg.inv([[1, 0], [0, 1]]), TypeError, ["int32", "tf.cast"]),
    "inv singular": (
        lambda: tf.linalg.inv(SINGULAR),
        tf.errors.InvalidArgumentError,
        ["Input is not invertible."],
    ),
    "solve singular": (
        lambda: tf.linalg.solve(SINGULAR, ones(2, 1)),
        tf.errors.InvalidArgumentError,
        ["Input matrix is not invertible."],
    ),
    "solve rows": (
        lambda: tf.linalg.solve(tf.eye(2), ones(3, 1)),
        ValueError,
        ["incompatible", "[3, 1]"],
    ),
    "solve vector": (lambda: tf.linalg.solve(tf.eye(2), ones(2)), ValueError, ["last axis"]),
    "solve stacks": (
        lambda: tf.linalg.solve(tf.eye(2), ones(4, 2, 1)),
        ValueError,
        ["tf.broadcast_to"],
    ),
    "triangular rows": (
        lambda: tf.linalg.triangular_solve(tf.eye(2), ones(3, 1)),
        ValueError,
        ["MatrixTriangularSolve", "[3, 1]"],
    ),
    "triangular stacks": (
        lambda: tf.linalg.triangular_solve(ones(2, 2, 2), ones(3, 2, 1)),
        ValueError,
        ["[2] vs. [3]"],
    ),
    "banded none": (
        lambda: tf.linalg.banded_triangular_solve(ones(0, 3), ones(3, 1)),
        ValueError,
        ["at least one band"],
    ),
    "lu singular": (
        lambda: tf.linalg.lu(SINGULAR),
        tf.errors.InvalidArgumentError,
        ["Input is not invertible."],
    ),
    "lu index type": (
        lambda: tf.linalg.lu(tf.eye(2), tf.float32),
        tf.errors.InvalidArgumentError,
        ["int32 or int64"],
    ),
    "lu_solve vector": (
        lambda: tf.linalg.lu_solve(tf.eye(2), [0, 1], ones(2)),
        ValueError,
        ["at least 2 dimensions"],
    ),
    "svd vector": (lambda: tf.linalg.svd(ones(3)), ValueError, ["Svd", "rank >= 2"]),
    "eig halves": (lambda: tf.linalg.eig(ones(2, 2, dtype="float16")), TypeError, ["float16"]),
    "logm real": (lambda: tf.linalg.logm(tf.eye(2)), TypeError, ["complex64"]),
    "expm integers": (lambda: tf.linalg.expm([[1]]), ValueError, ["does not support"]),
    "lstsq rows": (lambda: tf.linalg.lstsq(ones(3, 2), ones(2, 1)), ValueError, ["[3, 2]"]),
    "pinv complex": (
        lambda: tf.linalg.pinv(tf.cast(tf.eye(2), tf.complex64)),
        TypeError,
        ["complex64"],
    ),
    "pinv vector": (lambda: tf.linalg.pinv(ones(2)), ValueError, ["saw: 1"]),
    "tridiagonal format": (
        lambda: tf.linalg.tridiagonal_solve(ones(3, 4), ones(4, 1), "rows"),
        ValueError,
        ["rows", "'sequence'"],
    ),
    "tridiagonal count": (
        lambda: tf.linalg.tridiagonal_solve(ones(2, 4), ones(4, 1)),
        ValueError,
        ["Expected 3 diagonals got 2"],
    ),
    "tridiagonal sequence": (
        lambda: tf.linalg.tridiagonal_solve([ones(3)], ones(4), "sequence"),
        ValueError,
        ["length 3"],
    ),
    "tridiagonal matrix": (
        lambda: tf.linalg.tridiagonal_matmul(ones(3, 4), ones(4, 1), "matrix"),
        ValueError,
        ["last two dimensions"],
    ),
    "tridiagonal rows": (
        lambda: tf.linalg.tridiagonal_solve(ones(3, 4), ones(3, 1)),
        ValueError,
        ["got 4 and 3"],
    ),
    "tridiagonal rank": (
        lambda: tf.linalg.tridiagonal_solve(ones(3, 4), ones(2, 4, 1)),
        ValueError,
        ["rank of rhs to be 1 or 2"],
    ),
    "tridiagonal stacks": (
        lambda: tf.linalg.tridiagonal_solve(ones(2, 3, 4), ones(5, 4, 1)),
        ValueError,
        ["expected [5, 3, 4]"],
    ),
    "tridiagonal pivoting": (
        lambda: tf.linalg.tridiagonal_solve(
            ones(3, 4), ones(4, 1), partial_pivoting=False, perturb_singular=True
        ),
        ValueError,
        ["partial_pivoting must be True"],
    ),
    "tridiagonal_matmul rows": (
        lambda: tf.linalg.tridiagonal_matmul(ones(3, 4), ones(3, 1)),
        ValueError,
        ["[3, 4]", "[3, 1]"],
    ),
    "eigh_tridiagonal select": (
        lambda: tf.linalg.eigh_tridiagonal(ones(3), ones(2), select="x"),
        ValueError,
        ["'x'"],
    ),
    "eigh_tridiagonal range": (
        lambda: tf.linalg.eigh_tridiagonal(ones(3), ones(2), select="i"),
        ValueError,
        ["select_range"],
    ),
    "eigh_tridiagonal indices": (
        lambda: tf.linalg.eigh_tridiagonal(ones(3), ones(2), select="i", select_range=(2, 5)),
        ValueError,
        ["(2, 5)"],
    ),
    "eigh_tridiagonal lengths": (
        lambda: tf.linalg.eigh_tridiagonal(ones(3), ones(3)),
        ValueError,
        ["one shorter"],
    ),
    "eigh_tridiagonal stack": (
        lambda: tf.linalg.eigh_tridiagonal(ones(2, 3), ones(2, 2), select="v", select_range=(0, 1)),
        ValueError,
        ["one matrix"],
    ),
    "norm axes": (lambda: tf.norm(ones(2, 2, 2), axis=[0, 1, 2]), ValueError, ["[0, 1, 2]"]),
    "norm same axes": (lambda: tf.norm(ones(2, 2), axis=(1, 1)), ValueError, ["unique"]),
    "norm order": (lambda: tf.norm(ones(2), ord="nuc"), ValueError, ["vector norm, got nuc"]),
    "norm matrix order": (
        lambda: tf.norm(ones(2, 2), ord=3, axis=(0, 1)),
        ValueError,
        ["matrix norm"],
    ),
    "norm integers": (lambda: tf.norm(tf.constant([3, 4])), TypeError, ["int32"]),
    "global_norm tensor": (lambda: tf.linalg.global_norm(ones(2)), TypeError, ["sequence"]),
    "clip_by_norm shapes": (
        lambda: tf.clip_by_norm(ones(2, 2), ones(3, 2, 2)),
        ValueError,
        ["(3, 2, 2)"],
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_text(name):
    call, kind, words = WRONG[name]
    with pytest.raises(kind) as caught:
        call()
    for word in words:
        assert word in str(caught.value)


def gradient(function, x):
    x = tf.constant(x)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = function(x)
    return tape.gradient(y, x)


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (lambda x: tf.linalg.qr(x, full_matrices=True), "not unique"),
        (lambda x: tf.linalg.svd(x, full_matrices=True), "differ by more than 1"),
    ],
)
def test_no_gradient_where_factors_are_not_unique(function, words):
    with pytest.raises(NotImplementedError, match=words):
        gradient(function, ONES((4, 2)))


def test_gradient_of_a_determinant_needs_an_inverse():
    with pytest.raises(tf.errors.InvalidArgumentError, match="not invertible"):
        gradient(tf.linalg.det, ONES((2, 2)))


def test_cholesky_is_nan_for_what_is_not_positive_definite():
    stack = np.array([[[4.0, 0.0], [2.0, 5.0]], [[1.0, 2.0], [2.0, 1.0]]])
    factors = tf.linalg.cholesky(stack).numpy()
    np.testing.assert_array_equal(factors[0], [[2.0, 0.0], [1.0, 2.0]])
    np.testing.assert_array_equal(np.isnan(factors[1]), [[True, False], [True, True]])


def test_a_zero_on_the_diagonal_of_a_triangular_matrix_gives_inf():
    x = tf.linalg.triangular_solve([[0.0, 0.0], [1.0, 1.0]], [[1.0], [1.0]])
    np.testing.assert_array_equal(x.numpy(), [[np.inf], [-np.inf]])


def test_singular_tridiagonal_systems():
    zeros = tf.zeros([3, 2])
    assert np.isnan(tf.linalg.tridiagonal_solve(zeros, ones(2, 1)).numpy()).all()
    nudged = tf.linalg.tridiagonal_solve(
        tf.constant([[1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]), ones(2, 1), perturb_singular=True
    )
    assert np.isfinite(nudged.numpy()).all()


def test_nan_passes_through_what_cannot_fail():
    bad = np.full((2, 2), np.nan)
    assert np.isnan(tf.linalg.svd(bad, compute_uv=False).numpy()).all()
    assert np.isnan(tf.linalg.expm(bad).numpy()).all()
    mixed = tf.linalg.svd(np.stack([np.eye(2), bad]))[0].numpy()
    np.testing.assert_array_equal(mixed[0], [1.0, 1.0])
    assert np.isnan(mixed[1]).all()


def test_a_real_root_of_a_negative_matrix_is_nan():
    assert np.isnan(tf.linalg.sqrtm(-np.eye(2)).numpy()).all()


@pytest.mark.parametrize("shape", [(0, 0), (2, 0, 0), (0, 2, 2)])
@pytest.mark.parametrize(
    "op",
    [
        ops.inv,
        ops.det,
        ops.slogdet,
        ops.cholesky,
        ops.qr,
        ops.svd,
        ops.svd_values,
        ops.eigh,
        ops.eigvalsh,
        ops.eig,
        ops.eigvals,
        ops.lu,
        ops.matrix_exp,
        ops.sqrtm,
        ops.pinv,
        ops.trace,
    ],
)
def test_empty_matrices(op, shape):
    x = tf.constant(np.zeros(shape, np.float32))
    with tf.GradientTape() as tape:
        tape.watch(x)
        results = op(x)
        results = results if isinstance(results, tuple) else (results,)
        results = [y for y in results if y.dtype.is_differentiable]
    for y in results:
        assert y.shape[: len(shape) - 2] == shape[:-2]
    assert tape.gradient(results, x).shape == shape


def test_clipping_keeps_rows_of_indexed_slices():
    rows = tf.IndexedSlices(tf.constant([[3.0, 4.0]]), tf.constant([1]), (3, 2))
    clipped = tf.clip_by_norm(rows, 1.0)
    assert isinstance(clipped, tf.IndexedSlices)
    np.testing.assert_allclose(clipped.values.numpy(), [[0.6, 0.8]], rtol=1e-6)
    (first, second, none), size = tf.clip_by_global_norm([rows, ones(2), None], 1.0)
    assert isinstance(first, tf.IndexedSlices)
    assert tuple(first.shape) == (3, 2)
    assert none is None
    np.testing.assert_allclose(size.numpy(), np.sqrt(27), rtol=1e-6)
    np.testing.assert_allclose(second.numpy(), np.ones(2) / np.sqrt(27), rtol=1e-6)


def test_an_infinite_global_norm_makes_everything_nan():
    (clipped,), size = tf.clip_by_global_norm([tf.constant([np.inf, 1.0])], 1.0)
    assert np.isinf(size.numpy())
    assert np.isnan(clipped.numpy()).all()
