"""Tensors with NumPy's methods: for the rest of the process, and only when asked."""

import subprocess
import sys
import textwrap

import pytest

import gradtape as tf

tnp = tf.experimental.numpy


def run(program: str) -> str:
    start = "import gradtape as tf, numpy as np\ntnp = tf.experimental.numpy\n"
    finished = subprocess.run(
        [sys.executable, "-c", start + textwrap.dedent(program)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode == 0, finished.stderr
    return finished.stdout


def test_methods_are_explained_until_they_are_there():
    x = tf.constant([[1.0, 2.0]])
    for name in ("T", "reshape", "astype", "size"):
        assert not hasattr(x, name)
        with pytest.raises(AttributeError, match=r"experimental_enable_numpy_behavior\(\) first"):
            getattr(x, name)


def test_methods():
    out = run(
        """
        tnp.experimental_enable_numpy_behavior()
        x = tf.constant([[1, 2, 3], [4, 5, 6]])
        print(x.T.shape, x.size, x.ndim, x.tolist(), x.reshape(3, 2).shape, x.reshape([6]).shape)
        print(x.ravel().numpy(), x.flatten("F").numpy(), x.transpose([1, 0]).shape)
        print(x.mean().dtype.name, x.max().numpy(), x.min(axis=0).numpy(), x.clip(2, 4).numpy()[0])
        print(x.astype(np.float32).dtype.name, round(tf.constant(2.5)).numpy(), (+x).shape)
        """
    )
    assert out.splitlines() == [
        "(3, 2) 6 2 [[1, 2, 3], [4, 5, 6]] (3, 2) (6,)",
        "[1 2 3 4 5 6] [1 4 2 5 3 6] (3, 2)",
        "float64 6 [1 2 3] [2 2 3]",
        "float32 2.0 (2, 3)",
    ]


def test_operators_promote():
    out = run(
        """
        i, f, v = tf.constant([1, 2]), tf.constant([0.5, 0.5]), tf.Variable([1.0, 2.0])
        try:
            i + f
        except tf.errors.InvalidArgumentError:
            print("refused")
        tnp.experimental_enable_numpy_behavior()
        for x in (i + f, i * 2.5, 2.5 * i, f + 1, i + 1, v + i, i - v, i / i, i < f):
            print(x.dtype.name, end=" ")
        print((i + f).numpy(), (tf.ones([2, 2]) @ i).numpy())
        """
    )
    assert out.splitlines() == [
        "refused",
        "float64 float64 float64 float32 int32 float64 float64 float64 bool [1.5 2.5] [3. 3.]",
    ]


def test_preference_for_float32():
    out = run(
        """
        print(tnp.array([1.0]).dtype.name, tnp.zeros(2).dtype.name)
        tnp.experimental_enable_numpy_behavior(prefer_float32=True)
        print(tnp.array([1.0]).dtype.name, tnp.zeros(2).dtype.name, tnp.sin(1).dtype.name)
        """
    )
    assert out == "float64 float64\nfloat32 float32 float32\n"


def test_indexing():
    """Every key gives what it gives in NumPy, and a gradient."""
    out = run(
        """
        tnp.experimental_enable_numpy_behavior()
        a = np.arange(2 * 3 * 4, dtype=np.float32).reshape(2, 3, 4)
        x = tf.constant(a)
        keys = [
            [1, 0], np.array([[0, 1], [1, 1]]), (slice(None), [2, 0]), ([0, 1], [2, -1]),
            (slice(None), [0, 2], [1, 1]), ([1, 0], slice(None), [3, 0]), (..., [0, 3]),
            (None, [1]), a > 7, (1, [0, -1]), (slice(None), [True, False, True]),
            (np.array([[0], [1]]), np.array([[0, 2]])), tf.constant([1]), (..., 0), 1,
            slice(1, None),
        ]
        def numpy_key(key):
            return tuple(map(numpy_key, key)) if type(key) is tuple else (
                key.numpy() if tf.is_tensor(key) else key)

        for key in keys:
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = x[key]
                total = tf.reduce_sum(y * y)
            plain = numpy_key(key)
            expected = a[plain]
            assert y.shape == expected.shape, (key, y.shape, expected.shape)
            assert np.array_equal(y, expected), key
            g = np.zeros_like(a)
            np.add.at(g, plain, 2 * expected)
            found = tf.convert_to_tensor(tape.gradient(total, x))
            assert np.allclose(found, g), key
        for wrong in ([0.5], (slice(None), "a")):
            try:
                x[wrong]
            except (IndexError, TypeError, ValueError) as error:
                print(type(error).__name__)
        """
    )
    assert out.splitlines()[0] == "IndexError"


def test_what_is_not_supported_says_so():
    with pytest.raises(NotImplementedError, match="weak dtypes"):
        tnp.experimental_enable_numpy_behavior(dtype_conversion_mode="all")


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: tnp.arange(0, 3, 0), ValueError, "step must not be zero"),
        (lambda: tnp.array([1], ndmin=40), ValueError, "ndmin may be 32 at most"),
        (lambda: tnp.clip([1.0], None, None), ValueError, "at least one of a_min and a_max"),
        (lambda: tnp.concatenate([]), ValueError, "at least one tensor"),
        (lambda: tnp.diag_indices(-1), ValueError, "must not be negative"),
        (lambda: tnp.full_like([1], 1, order="F"), ValueError, "order='F'"),
        (lambda: tnp.gcd(1.5, 2), ValueError, "gcd must be integers, got float64"),
        (lambda: tnp.ix_([[1]]), ValueError, "vectors are wanted, argument 0 has rank 2"),
        (lambda: tnp.ix_([0.5]), ValueError, "integers or truth values"),
        (lambda: tnp.linspace(0.0, 1.0, -1), ValueError, "num must not be negative"),
        (lambda: tnp.mean([1.0], out=[0.0]), ValueError, "out cannot be given"),
        (lambda: tnp.meshgrid([1], sparse=True), ValueError, "only sparse=False"),
        (lambda: tnp.pad([1], [[1, 1]], "edge"), ValueError, "constant, reflect or symmetric"),
        (lambda: tnp.random.randint(3, dtype=float), ValueError, "must be int32 or int64"),
        (lambda: tnp.random.seed([1]), ValueError, "random.seed: s: an integer is expected"),
        (lambda: tnp.reshape([1], [1], order="A"), ValueError, "order must be C or F"),
        (lambda: tnp.select([], []), ValueError, "at least one"),
        (lambda: tnp.sign([1.0], out=[1.0]), ValueError, "only x can be given"),
        (lambda: tnp.size([1], axis=0), NotImplementedError, "x.shape\\[axis\\]"),
        (lambda: tnp.sort([1], kind="heapsort"), ValueError, "kind must be one of"),
        (lambda: tnp.argsort([1j]), TypeError, "complex numbers have no order"),
        (lambda: tnp.split([1, 2], [2, 1]), ValueError, "must not fall"),
        (lambda: tnp.split([1, 2], [1], axis=1), ValueError, "axis 1 is out of bounds"),
        (lambda: tnp.hsplit([1, 2, 3], 2), ValueError, "cannot be divided into 2 equal parts"),
        (lambda: tnp.take([1], [0], mode="raise"), ValueError, "mode must be clip or wrap"),
        (lambda: tnp.take([1], [0], out=[1]), ValueError, "out cannot be given"),
        (lambda: tnp.tril([1.0]), ValueError, "a matrix is wanted"),
        (lambda: tnp.where([True], x=1), ValueError, "both be given, or neither"),
        (lambda: tnp.compress([[True]], [1]), ValueError, "condition must be a vector"),
        (lambda: tnp.broadcast_arrays([1, 2], [1, 2, 3]), ValueError, "do not fit each other"),
        (lambda: tnp.broadcast_arrays([1], subok=True), ValueError, "subok"),
        (lambda: tnp.einsum("i", [1], casting="unsafe"), ValueError, "'safe' or 'no'"),
        (lambda: tnp.einsum("i", [1], optimize="best"), ValueError, "optimize must be"),
        (lambda: tnp.matmul([[1.0]], [[1.0], [2.0]]), ValueError, "MatMul"),
        (lambda: tnp.average([1.0], axis=(0,)), ValueError, "axis must be an integer"),
        (lambda: tnp.average([1.0], weights=[1.0, 2.0]), ValueError, "do not fit"),
        (lambda: tnp.diff([1.0], -1), ValueError, "n must not be negative"),
        (lambda: tnp.diff([1.0], axis=3), ValueError, "axis 3 is out of bounds"),
        (lambda: tnp.flatten([1.0], "X"), ValueError, "order must be"),
    ],
)
def test_errors(call, error, text):
    with pytest.raises((error, tf.errors.InvalidArgumentError), match=text):
        call()
