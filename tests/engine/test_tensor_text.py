"""`repr` and `str` of tensors, to the letter."""

import numpy as np
import pytest

# Each row: a value, the repr of its tensor, its str.
VALUES = [
    (
        1.0,
        "<tf.Tensor: shape=(), dtype=float32, numpy=1.0>",
        "tf.Tensor(1.0, shape=(), dtype=float32)",
    ),
    (
        3,
        "<tf.Tensor: shape=(), dtype=int32, numpy=3>",
        "tf.Tensor(3, shape=(), dtype=int32)",
    ),
    (
        True,
        "<tf.Tensor: shape=(), dtype=bool, numpy=True>",
        "tf.Tensor(True, shape=(), dtype=bool)",
    ),
    (
        "a",
        "<tf.Tensor: shape=(), dtype=string, numpy=b'a'>",
        "tf.Tensor(b'a', shape=(), dtype=string)",
    ),
    (
        b"x",
        "<tf.Tensor: shape=(), dtype=string, numpy=b'x'>",
        "tf.Tensor(b'x', shape=(), dtype=string)",
    ),
    (
        1 + 2j,
        "<tf.Tensor: shape=(), dtype=complex128, numpy=(1+2j)>",
        "tf.Tensor((1+2j), shape=(), dtype=complex128)",
    ),
    (
        [],
        "<tf.Tensor: shape=(0,), dtype=float32, numpy=array([], dtype=float32)>",
        "tf.Tensor([], shape=(0,), dtype=float32)",
    ),
    (
        [1.0, 2.5],
        "<tf.Tensor: shape=(2,), dtype=float32, numpy=array([1. , 2.5], dtype=float32)>",
        "tf.Tensor([1.  2.5], shape=(2,), dtype=float32)",
    ),
    (
        [1, 2],
        "<tf.Tensor: shape=(2,), dtype=int32, numpy=array([1, 2], dtype=int32)>",
        "tf.Tensor([1 2], shape=(2,), dtype=int32)",
    ),
    (
        [[1.0, 2.0], [3.0, 4.0]],
        "<tf.Tensor: shape=(2, 2), dtype=float32, numpy=\narray([[1., 2.],\n     "
        "  [3., 4.]], dtype=float32)>",
        "tf.Tensor(\n[[1. 2.]\n [3. 4.]], shape=(2, 2), dtype=float32)",
    ),
    (
        [[True, False]],
        "<tf.Tensor: shape=(1, 2), dtype=bool, numpy=array([[ True, False]])>",
        "tf.Tensor([[ True False]], shape=(1, 2), dtype=bool)",
    ),
    (
        ["a", "bc"],
        "<tf.Tensor: shape=(2,), dtype=string, numpy=array([b'a', b'bc'], dtype=object)>",
        "tf.Tensor([b'a' b'bc'], shape=(2,), dtype=string)",
    ),
    (
        [[[1]]],
        "<tf.Tensor: shape=(1, 1, 1), dtype=int32, numpy=array([[[1]]], dtype=int32)>",
        "tf.Tensor([[[1]]], shape=(1, 1, 1), dtype=int32)",
    ),
    (
        [[[1.0, 1.0], [1.0, 1.0]], [[1.0, 1.0], [1.0, 1.0]]],
        "<tf.Tensor: shape=(2, 2, 2), dtype=float32, numpy=\narray([[[1., 1.],\n "
        "       [1., 1.]],\n\n       [[1., 1.],\n        [1., 1.]]], dtype=float32"
        ")>",
        "tf.Tensor(\n[[[1. 1.]\n  [1. 1.]]\n\n [[1. 1.]\n  [1. 1.]]], shape=(2, 2, 2"
        "), dtype=float32)",
    ),
    (
        float("nan"),
        "<tf.Tensor: shape=(), dtype=float32, numpy=nan>",
        "tf.Tensor(nan, shape=(), dtype=float32)",
    ),
    (
        [float("nan"), float("inf"), -float("inf")],
        "<tf.Tensor: shape=(3,), dtype=float32, numpy=array([ nan,  inf, -inf], dtype=float32)>",
        "tf.Tensor([ nan  inf -inf], shape=(3,), dtype=float32)",
    ),
    (
        1e-10,
        "<tf.Tensor: shape=(), dtype=float32, numpy=1.000000013351432e-10>",
        "tf.Tensor(1e-10, shape=(), dtype=float32)",
    ),
    (
        1e10,
        "<tf.Tensor: shape=(), dtype=float32, numpy=10000000000.0>",
        "tf.Tensor(1e+10, shape=(), dtype=float32)",
    ),
    (
        1 / 3,
        "<tf.Tensor: shape=(), dtype=float32, numpy=0.3333333432674408>",
        "tf.Tensor(0.33333334, shape=(), dtype=float32)",
    ),
    (
        [1 / 3, 1e-8],
        "<tf.Tensor: shape=(2,), dtype=float32, numpy=array([3.3333334e-01, 9.9"
        "999999e-09], dtype=float32)>",
        "tf.Tensor([3.3333334e-01 9.9999999e-09], shape=(2,), dtype=float32)",
    ),
    (
        [1e-5, 1e5],
        "<tf.Tensor: shape=(2,), dtype=float32, numpy=array([1.e-05, 1.e+05], dtype=float32)>",
        "tf.Tensor([1.e-05 1.e+05], shape=(2,), dtype=float32)",
    ),
    (
        123456789,
        "<tf.Tensor: shape=(), dtype=int32, numpy=123456789>",
        "tf.Tensor(123456789, shape=(), dtype=int32)",
    ),
    (
        [[]],
        "<tf.Tensor: shape=(1, 0), dtype=float32, numpy=array([], shape=(1, 0), dtype=float32)>",
        "tf.Tensor([], shape=(1, 0), dtype=float32)",
    ),
    (
        [[1.5]],
        "<tf.Tensor: shape=(1, 1), dtype=float32, numpy=array([[1.5]], dtype=float32)>",
        "tf.Tensor([[1.5]], shape=(1, 1), dtype=float32)",
    ),
    (
        [-1.0, 20.25],
        "<tf.Tensor: shape=(2,), dtype=float32, numpy=array([-1.  , 20.25], dtype=float32)>",
        "tf.Tensor([-1.   20.25], shape=(2,), dtype=float32)",
    ),
    (
        [[1], [200]],
        "<tf.Tensor: shape=(2, 1), dtype=int32, numpy=\narray([[  1],\n       [20"
        "0]], dtype=int32)>",
        "tf.Tensor(\n[[  1]\n [200]], shape=(2, 1), dtype=int32)",
    ),
]

# Each row: a dtype, the arrays' part of repr and str of [1.5, 2.0], and of the scalar 1.5.
DTYPES = [
    ("float16", "array([1.5, 2. ], dtype=float16)", "[1.5 2. ]", "1.5", "1.5"),
    ("bfloat16", "array([1.5, 2], dtype=bfloat16)", "[1.5 2]", "1.5", "1.5"),
    ("float64", "array([1.5, 2. ])", "[1.5 2. ]", "1.5", "1.5"),
    ("int8", "array([1, 2], dtype=int8)", "[1 2]", "1", "1"),
    ("int16", "array([1, 2], dtype=int16)", "[1 2]", "1", "1"),
    ("int64", "array([1, 2])", "[1 2]", "1", "1"),
    ("uint8", "array([1, 2], dtype=uint8)", "[1 2]", "1", "1"),
    ("uint16", "array([1, 2], dtype=uint16)", "[1 2]", "1", "1"),
    ("uint32", "array([1, 2], dtype=uint32)", "[1 2]", "1", "1"),
    ("uint64", "array([1, 2], dtype=uint64)", "[1 2]", "1", "1"),
    (
        "complex64",
        "array([1.5+0.j, 2. +0.j], dtype=complex64)",
        "[1.5+0.j 2. +0.j]",
        "(1.5+0j)",
        "(1.5+0j)",
    ),
    ("complex128", "array([1.5+0.j, 2. +0.j])", "[1.5+0.j 2. +0.j]", "(1.5+0j)", "(1.5+0j)"),
    ("float8_e5m2", "array([1.5, 2], dtype='float8_e5m2')", "[1.5 2]", "1.5", "1.5"),
    ("float8_e4m3fn", "array([1.5, 2], dtype='float8_e4m3fn')", "[1.5 2]", "1.5", "1.5"),
]


@pytest.mark.parametrize(
    ("value", "as_repr", "as_str"), VALUES, ids=[repr(row[0]) for row in VALUES]
)
def test_values(tf, value, as_repr, as_str):
    tensor = tf.constant(value)
    assert repr(tensor) == as_repr
    assert str(tensor) == as_str


@pytest.mark.parametrize(
    ("name", "as_repr", "as_str", "scalar_repr", "scalar_str"),
    DTYPES,
    ids=[row[0] for row in DTYPES],
)
def test_dtypes(tf, name, as_repr, as_str, scalar_repr, scalar_str):
    tensor = tf.cast(tf.constant([1.5, 2.0]), name)
    assert repr(tensor) == f"<tf.Tensor: shape=(2,), dtype={name}, numpy={as_repr}>"
    assert str(tensor) == f"tf.Tensor({as_str}, shape=(2,), dtype={name})"
    scalar = tf.cast(tf.constant(1.5), name)
    assert repr(scalar) == f"<tf.Tensor: shape=(), dtype={name}, numpy={scalar_repr}>"
    assert str(scalar) == f"tf.Tensor({scalar_str}, shape=(), dtype={name})"


def test_float64_scalar(tf):
    tensor = tf.constant(1 / 3, tf.float64)
    assert repr(tensor) == "<tf.Tensor: shape=(), dtype=float64, numpy=0.3333333333333333>"


def test_empty(tf):
    assert str(tf.zeros((2, 0))) == "tf.Tensor([], shape=(2, 0), dtype=float32)"
    assert repr(tf.zeros((2, 0))) == (
        "<tf.Tensor: shape=(2, 0), dtype=float32, numpy=array([], shape=(2, 0), dtype=float32)>"
    )


def test_long_tensors_are_abbreviated(tf):
    tensor = tf.range(1001)
    assert str(tensor) == (
        "tf.Tensor([   0    1    2 ...  998  999 1000], shape=(1001,), dtype=int32)"
    )
    # NumPy itself decides how an abbreviated array is written, and that changes.
    assert repr(tensor) == (
        f"<tf.Tensor: shape=(1001,), dtype=int32, numpy=\n{tensor.numpy()!r}>"
        if "\n" in repr(tensor.numpy())
        else f"<tf.Tensor: shape=(1001,), dtype=int32, numpy={tensor.numpy()!r}>"
    )


def test_print_options_of_numpy_are_respected(tf):
    with np.printoptions(precision=2):
        assert str(tf.constant([1 / 3])) == "tf.Tensor([0.33], shape=(1,), dtype=float32)"
