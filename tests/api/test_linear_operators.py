"""Linear operators: what is wrong is said; programs can define their own."""

import numpy as np
import pytest

import gradtape as tf

linalg = tf.linalg


def diag(*values, **options):
    return linalg.LinearOperatorDiag(list(values), **options)


FULL = linalg.LinearOperatorFullMatrix([[1.0, 2.0, 3.0], [0.0, 1.0, 0.0]])
SQUARE = linalg.LinearOperatorFullMatrix([[2.0, 1.0], [0.0, 1.0]])

WRONG = [
    (lambda: SQUARE.matmul(tf.ones([3, 1])), ValueError, r"shape \(3, 1\) does not fit.*\(2, 2\)"),
    (
        lambda: SQUARE.matmul(tf.ones([2, 1], tf.float64)),
        TypeError,
        "float64, the operator float32",
    ),
    (
        lambda: FULL.matmul(SQUARE.matmul(SQUARE)),
        ValueError,
        r"incompatible.*\(2, 3\) and \(2, 2\)",
    ),
    (lambda: FULL.solve(tf.ones([2, 1])), NotImplementedError, "not square"),
    (lambda: FULL.determinant(), NotImplementedError, "determinant: the operator is not square"),
    (lambda: FULL.inverse(), ValueError, "not square, or is singular"),
    (lambda: SQUARE.eigvals(), NotImplementedError, "is_self_adjoint=True"),
    (lambda: SQUARE.cholesky(), ValueError, "is_positive_definite must be True"),
    (lambda: diag(1.0, is_self_adjoint=False), ValueError, "always self adjoint"),
    (lambda: diag(1.0, is_square=False), ValueError, "Only square diagonal"),
    (lambda: linalg.LinearOperatorDiag(1.0), ValueError, "at least 1 dimension"),
    (lambda: linalg.LinearOperatorFullMatrix([1.0]), ValueError, "at least 2 dimensions"),
    (
        lambda: linalg.LinearOperator(tf.float32, is_positive_definite=True, is_non_singular=False),
        ValueError,
        "always non-singular",
    ),
    (lambda: linalg.LinearOperatorIdentity(-1), ValueError, "non-negative integer, got -1"),
    (lambda: linalg.LinearOperatorIdentity(2, is_square=False), ValueError, "always square"),
    (lambda: linalg.LinearOperatorZeros(2, 3), ValueError, "shape is not square"),
    (lambda: linalg.LinearOperatorZeros(2, is_non_singular=True), ValueError, "singular"),
    (
        lambda: linalg.LinearOperatorPermutation([0, 0]),
        ValueError,
        "each number below its size once",
    ),
    (lambda: linalg.LinearOperatorPermutation([0.0]), TypeError, "integer dtype, got float32"),
    (
        lambda: linalg.LinearOperatorToeplitz([1.0], [1.0, 2.0]),
        ValueError,
        "mismatched sizes: 1 and 2",
    ),
    (lambda: linalg.LinearOperatorCirculant2D([1.0]), ValueError, "at least 2 dimensions"),
    (lambda: linalg.LinearOperatorTridiag([[1.0]], "rows"), ValueError, "got 'rows'"),
    (lambda: linalg.LinearOperatorComposition([]), ValueError, "at least one operator"),
    (
        lambda: linalg.LinearOperatorComposition([FULL, FULL]),
        ValueError,
        "cannot follow each other",
    ),
    (
        lambda: linalg.LinearOperatorKronecker(
            [SQUARE, linalg.LinearOperatorIdentity(2, dtype=tf.float64)]
        ),
        TypeError,
        "one dtype, got .'float32', 'float64'.",
    ),
    (
        lambda: linalg.LinearOperatorBlockLowerTriangular([[SQUARE, SQUARE]]),
        ValueError,
        "Row 0.*1 oper",
    ),
    (
        lambda: linalg.LinearOperatorBlockDiag([SQUARE, SQUARE]).matmul(
            [tf.ones([2, 1]), tf.ones([1, 1])]
        ),
        ValueError,
        r"blocks have sizes \[2, 1\], the operator's are \[2, 2\]",
    ),
    (lambda: linalg.LinearOperatorLowRankUpdate(SQUARE, tf.ones([3, 1])), ValueError, "do not fit"),
    (
        lambda: linalg.LinearOperatorAdjoint(diag(1.0), is_self_adjoint=False),
        ValueError,
        "contradicts",
    ),
    (lambda: linalg.LinearOperatorInversion(FULL), ValueError, "needs a square operator"),
    (
        lambda: linalg.experimental.conjugate_gradient(SQUARE, [1.0, 1.0]),
        ValueError,
        "is_self_adjoint=True",
    ),
    (
        lambda: diag(0.0, 1.0).assert_non_singular(),
        tf.errors.InvalidArgumentError,
        "Singular operator:  Diagonal contained zero values",
    ),
    (
        lambda: tf.linalg.LinearOperatorLowerTriangular(
            [[1.0, 0.0], [1.0, 0.0]]
        ).assert_non_singular(),
        tf.errors.InvalidArgumentError,
        "Singular operator:  Diagonal contained zero values",
    ),
    (
        lambda: diag(-1.0, 1.0).assert_positive_definite(),
        tf.errors.InvalidArgumentError,
        "positive",
    ),
    (lambda: SQUARE.assert_self_adjoint(), tf.errors.InvalidArgumentError, "adjoint"),
    (
        lambda: tf.linalg.LinearOperatorCirculant([1.0, 0.0]).assert_non_singular(),
        tf.errors.InvalidArgumentError,
        "zero spectrum",
    ),
]


@pytest.mark.parametrize(("call", "error", "text"), WRONG)
def test_errors(call, error, text):
    with pytest.raises(error, match=text):
        call()


def test_assertions_that_hold():
    diag(1.0, 2.0).assert_non_singular()
    diag(1e-9, 1e9).assert_non_singular()  # its inverse is exact, whatever its condition
    diag(1.0, 2.0).assert_positive_definite()
    diag(1.0, 2.0).assert_self_adjoint()
    linalg.LinearOperatorCirculant([3.0, 1.0, 1.0]).assert_hermitian_spectrum()


class Shift(linalg.LinearOperator):
    """Each coordinate in the place of the next: an operator of a program's own."""

    def __init__(self, size):
        self._size = size
        super().__init__(tf.float32, is_non_singular=True, parameters={"size": size})

    def _shape(self):
        return tf.TensorShape([self._size, self._size])

    def _shape_tensor(self):
        return tf.constant([self._size, self._size])

    def _matmul(self, x, adjoint=False, adjoint_arg=False):
        x = tf.linalg.adjoint(x) if adjoint_arg else x
        return tf.roll(x, -1 if adjoint else 1, axis=-2)


def test_a_class_of_ones_own():
    shift = Shift(3)
    x = tf.constant([1.0, 2.0, 3.0])
    assert shift.matvec(x).numpy().tolist() == [3.0, 1.0, 2.0]
    np.testing.assert_allclose(shift.solvevec(x), [2.0, 3.0, 1.0], atol=1e-6)
    assert float(shift.determinant()) == pytest.approx(1.0)
    assert float(shift.trace()) == 0.0
    product = shift @ shift.H
    np.testing.assert_allclose(product.to_dense(), np.eye(3), atol=1e-6)
    assert product.is_self_adjoint
    assert product.is_positive_definite


def test_variables_are_found_and_read_anew():
    scale = tf.Variable([1.0, 2.0])
    operator = linalg.LinearOperatorDiag(scale)
    assert operator.trainable_variables == (scale,)
    outer = linalg.LinearOperatorComposition([operator, SQUARE])
    assert outer.trainable_variables[0] is scale
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(outer.matvec([1.0, 1.0]))
    assert tape.gradient(y, scale).numpy().tolist() == [3.0, 1.0]
    scale.assign([5.0, 5.0])
    assert operator.diag_part().numpy().tolist() == [5.0, 5.0]


def test_parts_of_a_batch():
    base = linalg.LinearOperatorDiag(np.arange(1.0, 13.0, dtype=np.float32).reshape(3, 2, 2))
    single = linalg.LinearOperatorFullMatrix(np.eye(2, dtype=np.float32))
    for whole in (base, linalg.LinearOperatorComposition([base, single]), base.adjoint()):
        for key in (0, (slice(None), 1), (..., 0), slice(1, 3)):
            assert np.array_equal(
                whole[key].to_dense(),
                whole.to_dense()[
                    key if not (isinstance(key, tuple) and key[0] is Ellipsis) else (slice(None), 0)
                ],
            )


def test_tensors_index_a_batch():
    matrices = np.arange(48.0).reshape(3, 4, 2, 2)
    dense, diagonals = tf.linalg.LinearOperatorFullMatrix(matrices), np.ones((3, 2, 3, 4))
    one = tf.constant(1)
    np.testing.assert_array_equal(dense[one, ..., one].to_dense(), matrices[1, 1])
    assert tf.linalg.LinearOperatorTridiag(diagonals, "compact")[one].batch_shape == (2,)


def test_simplifications():
    eye = linalg.LinearOperatorIdentity(2)
    assert SQUARE.matmul(eye) is SQUARE
    assert eye.matmul(SQUARE) is SQUARE
    assert isinstance(diag(1.0, 2.0) @ diag(2.0, 3.0), linalg.LinearOperatorDiag)
    assert SQUARE.inverse().inverse() is SQUARE
    assert SQUARE.adjoint().adjoint() is SQUARE
    assert isinstance(SQUARE.inverse() @ SQUARE, linalg.LinearOperatorIdentity)
    assert isinstance(diag(1.0, 2.0).inverse(), linalg.LinearOperatorDiag)


def test_vectorized():
    scales = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    result = tf.vectorized_map(
        lambda s: linalg.LinearOperatorDiag(s).solvevec(tf.constant([1.0, 1.0])), scales
    )
    np.testing.assert_allclose(result, 1 / scales.numpy())


def test_blocks_of_vectors_are_broadcast():
    """As TensorFlow does for each block by itself."""
    operator = tf.linalg.LinearOperatorBlockDiag(
        [
            tf.linalg.LinearOperatorDiag([1.0, 2.0]),
            tf.linalg.LinearOperatorDiag([3.0]),
        ]
    )
    first, second = operator.matvec([tf.ones([2, 3, 2]), 2 * tf.ones([2, 1, 1])])
    assert first.shape == (2, 3, 2)
    assert second.shape == (2, 3, 1)
    assert first[0, 0].numpy().tolist() == [1.0, 2.0]
    assert second[1, 2].numpy().tolist() == [6.0]


@pytest.mark.parametrize("batch", [(), (4,), (2, 3)])
@pytest.mark.parametrize("dtype", [np.float64, np.complex128])
def test_operators_made_of_diagonals_have_batches(batch, dtype):
    rng = np.random.default_rng(len(batch))

    def numbers(*shape):
        result = rng.normal(size=(*batch, *shape))
        return (
            (result + 1j * rng.normal(size=result.shape)).astype(dtype)
            if (dtype is np.complex128)
            else result
        )

    column, row = numbers(4), numbers(4)
    row[..., 0] = column[..., 0]
    bands = numbers(3, 4)
    toeplitz = np.empty((*batch, 4, 4), dtype)
    tridiagonal = np.zeros((*batch, 4, 4), dtype)
    for i, j in np.ndindex(4, 4):
        toeplitz[..., i, j] = column[..., i - j] if i >= j else row[..., j - i]
        if abs(i - j) < 2:
            tridiagonal[..., i, j] = bands[..., 1 - (j - i), i]
    x = numbers(4, 2)
    for operator, dense in [
        (tf.linalg.LinearOperatorToeplitz(column, row), toeplitz),
        (tf.linalg.LinearOperatorTridiag(bands, "compact"), tridiagonal),
    ]:
        adjoint = dense.conj().swapaxes(-1, -2)
        close(operator.to_dense(), dense)
        close(operator.matmul(x), dense @ x)
        close(operator.matmul(x, adjoint=True), adjoint @ x)
        close(operator.adjoint().to_dense(), adjoint)
        close(operator.diag_part(), np.diagonal(dense, axis1=-2, axis2=-1))
        close(operator.trace(), np.trace(dense, axis1=-2, axis2=-1))
        close(operator.solve(x), np.linalg.solve(dense, x))


def close(actual, expected):
    np.testing.assert_allclose(actual.numpy(), expected, rtol=1e-9, atol=1e-12)
