"""Dtype objects, `constant` and `convert_to_tensor`."""

import copy
import enum
import pickle

import numpy as np
import pytest

NAMES = [
    "float16",
    "bfloat16",
    "float32",
    "float64",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "bool",
    "string",
    "complex64",
    "complex128",
]


# The objects


@pytest.mark.parametrize("name", NAMES)
def test_names(tf, name):
    dtype = getattr(tf, name)
    assert dtype.name == name
    assert repr(dtype) == f"tf.{name}"
    assert str(dtype) == f"<dtype: '{name}'>"
    assert tf.as_dtype(name) is dtype
    assert getattr(tf.dtypes, name) is dtype
    assert isinstance(dtype, tf.DType)
    assert dtype == name
    assert hash(dtype) == hash(tf.as_dtype(name))


def test_aliases(tf):
    assert tf.double is tf.float64
    assert tf.half is tf.float16
    assert tf.dtypes.DType is tf.DType


def test_kinds(tf):
    assert [n for n in NAMES if getattr(tf, n).is_floating] == NAMES[:4]
    assert [n for n in NAMES if getattr(tf, n).is_integer] == NAMES[4:12]
    assert [n for n in NAMES if getattr(tf, n).is_unsigned] == NAMES[8:12]
    assert [n for n in NAMES if getattr(tf, n).is_complex] == NAMES[14:]
    assert [n for n in NAMES if getattr(tf, n).is_bool] == ["bool"]


def test_sizes_and_kin(tf):
    sizes = [getattr(tf, name).size for name in NAMES if name != "string"]
    assert sizes == [2, 2, 4, 8, 1, 2, 4, 8, 1, 2, 4, 8, 1, 8, 16]
    assert tf.complex64.real_dtype is tf.float32
    assert tf.complex128.real_dtype is tf.float64
    assert tf.float32.real_dtype is tf.float32
    assert tf.float32.base_dtype is tf.float32
    assert tf.float32.as_numpy_dtype is np.float32
    assert np.dtype(tf.bfloat16.as_numpy_dtype).name == "bfloat16"


def test_extremes(tf):
    assert tf.float32.max == np.finfo(np.float32).max
    assert tf.float32.min == np.finfo(np.float32).min
    assert tf.float64.max == np.finfo(np.float64).max
    assert tf.float16.max == 65504
    assert float(tf.bfloat16.max) == 3.3895313892515355e38
    assert (tf.int8.min, tf.int8.max) == (-128, 127)
    assert tf.uint64.max == 2**64 - 1
    assert tf.int64.min == -(2**63)
    assert tf.float32.limits == (0, 1)
    assert tf.uint8.limits == (0, 255)
    for dtype in (tf.bool, tf.string, tf.complex64):
        with pytest.raises(TypeError, match="minimum"):
            dtype.min  # noqa: B018


def test_equality(tf):
    assert tf.float32 == np.float32
    assert tf.float32 == np.dtype("float32")
    assert tf.float32 == "float32"
    assert tf.float32 != tf.float64
    assert tf.float32 != "float64"
    assert tf.float32 != "no such dtype"
    assert tf.float32 != 3
    assert tf.float32 != None  # noqa: E711
    # Python's float means float32, as in `as_dtype`.
    for dtype, python in ((tf.bool, bool), (tf.float32, float)):
        assert dtype == python
    python = float
    assert tf.float64 != python


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("half", "float16"),
        ("double", "float64"),
        ("float", "float32"),
        (np.int64, "int64"),
        (np.dtype("uint8"), "uint8"),
        (float, "float32"),
        (bool, "bool"),
        (1, "float32"),
    ],
)
def test_as_dtype(tf, given, name):
    assert tf.as_dtype(given) is getattr(tf, name)


@pytest.mark.parametrize("given", ["no such dtype", None, [1]])
def test_as_dtype_errors(tf, given):
    with pytest.raises(TypeError, match=r"[Dd][Tt]ype"):
        tf.as_dtype(given)


def test_copies_are_the_same_object(tf):
    assert copy.deepcopy(tf.float32) is tf.float32
    assert pickle.loads(pickle.dumps(tf.bfloat16)) is tf.bfloat16


# constant


@pytest.mark.parametrize(
    ("value", "name", "shape"),
    [
        (1, "int32", ()),
        (1.0, "float32", ()),
        (True, "bool", ()),
        (1j, "complex128", ()),
        ("a", "string", ()),
        (2**40, "int64", ()),
        ([1, 2.5], "float32", (2,)),
        ([1j, 2], "complex128", (2,)),
        ((1.0, 2.0), "float32", (2,)),
        (range(3), "int32", (3,)),
        ([], "float32", (0,)),
        ([[], []], "float32", (2, 0)),
        (np.float64(1), "float64", ()),
        (np.int8(1), "int8", ()),
        (np.bool_(True), "bool", ()),
        (np.array(3), "int64", ()),
        ([np.float64(1.0), 2], "float64", (2,)),
        (np.array(["a", "b"]), "string", (2,)),
        (np.arange(6.0)[::-2], "float64", (3,)),
        (np.asfortranarray(np.ones((2, 3))), "float64", (2, 3)),
        (np.broadcast_to(np.float32(1.0), (2, 2)), "float32", (2, 2)),
        (np.array([1.0, 2.0], ">f4"), "float32", (2,)),
    ],
)
@pytest.mark.parametrize("function", ["constant", "convert_to_tensor"])
def test_dtype_and_shape_of_values(tf, function, value, name, shape):
    tensor = getattr(tf, function)(value)
    assert tensor.dtype == name
    assert tensor.shape == shape
    if name != "string":
        expected = list(value) if isinstance(value, range) else value
        np.testing.assert_array_equal(tensor.numpy(), expected)


def test_constant_with_dtype_and_shape(tf):
    assert tf.constant(0, dtype=tf.float64).dtype == tf.float64
    assert tf.constant([1, 2], tf.float32).dtype == tf.float32
    assert tf.constant([1.0, 2.0], dtype="float16").dtype == tf.float16
    assert tf.constant(True, tf.float32).numpy() == 1.0
    np.testing.assert_array_equal(tf.constant(1.0, shape=(2, 2)).numpy(), np.ones((2, 2)))
    np.testing.assert_array_equal(tf.constant([1, 2, 3, 4], shape=(2, 2)).numpy(), [[1, 2], [3, 4]])
    with pytest.raises(TypeError, match="3 elements"):
        tf.constant([1, 2, 3], shape=(2, 2))


@pytest.mark.parametrize("dtype", ["float64", "int64", "uint8"])
def test_an_array_of_numbers_is_cast_to_flags(tf, dtype):
    array = np.array([2, 0], dtype)
    for made in (
        tf.constant(array, tf.bool),
        tf.convert_to_tensor(array, dtype_hint=tf.bool),
        tf.constant([True, True]) & array,
    ):
        assert made.dtype == tf.bool
        np.testing.assert_array_equal(made, [True, False])
    with pytest.raises(TypeError, match="bool"):
        tf.constant(1.0, tf.bool)


def test_arrays_are_cast_and_python_numbers_are_not(tf):
    assert tf.constant(np.ones(2), tf.float32).dtype == tf.float32
    np.testing.assert_array_equal(tf.constant(np.array([1.7]), tf.int32).numpy(), [1])
    with pytest.raises(TypeError, match="int32"):
        tf.constant(1.5, tf.int32)
    with pytest.raises(TypeError, match="int32"):
        tf.constant([1.0, 2.0], tf.int32)
    with pytest.raises(TypeError, match="bool"):
        tf.constant(1, tf.bool)


def test_constant_of_a_tensor(tf):
    tensor = tf.constant([1.0])
    np.testing.assert_array_equal(tf.constant(tensor).numpy(), [1.0])
    with pytest.raises(TypeError, match="float64"):
        tf.constant(tensor, tf.float64)


@pytest.mark.parametrize(
    "value",
    [
        [[1, 2], [3]],
        [True, 2],
        ["a", 1],
        None,
        [1.0, None],
        {"a": 1},
        {1, 2},
        object(),
        (number for number in range(3)),
        np.array(["2020-01-01"], "datetime64[D]"),
        np.array([1, "a"], object),
    ],
    ids=[
        "ragged",
        "bool and int",
        "text and int",
        "None",
        "None inside",
        "dict",
        "set",
        "object",
        "generator",
        "date",
        "object array",
    ],
)
@pytest.mark.parametrize("function", ["constant", "convert_to_tensor"])
def test_values_that_are_no_tensors(tf, function, value):
    with pytest.raises(ValueError, match=r"[Cc]onvert"):
        getattr(tf, function)(value)


# convert_to_tensor


def test_convert_leaves_a_tensor_alone(tf):
    tensor = tf.constant(1.0)
    assert tf.convert_to_tensor(tensor) is tensor
    assert tf.convert_to_tensor(tensor, tf.float32) is tensor


def test_convert_to_another_dtype_is_an_error_for_tensors(tf):
    with pytest.raises(ValueError, match=r"float64.*float32"):
        tf.convert_to_tensor(tf.constant(1.0), tf.float64)
    with pytest.raises(ValueError, match=r"int32.*float32"):
        tf.convert_to_tensor(tf.Variable(1.0), tf.int32)


def test_convert_hint(tf):
    assert tf.convert_to_tensor(1, dtype_hint=tf.float32).dtype == tf.float32
    assert tf.convert_to_tensor("a", dtype_hint=tf.float32).dtype == tf.string
    assert tf.convert_to_tensor(tf.constant(1), dtype_hint=tf.float32).dtype == tf.int32


def test_convert_lists_that_hold_tensors(tf):
    one, two = tf.constant(1.0), tf.constant(2.0)
    np.testing.assert_array_equal(tf.convert_to_tensor([one, two]).numpy(), [1.0, 2.0])
    np.testing.assert_array_equal(
        tf.convert_to_tensor([[one, 2.0], [3.0, two]]).numpy(), [[1.0, 2.0], [3.0, 2.0]]
    )
    np.testing.assert_array_equal(tf.convert_to_tensor([one, tf.Variable(3.0)]).numpy(), [1.0, 3.0])
    assert tf.convert_to_tensor([one, 2]).dtype == tf.float32


def test_convert_lists_that_hold_tensors_errors(tf):
    with pytest.raises(tf.errors.InvalidArgumentError):
        tf.convert_to_tensor([tf.constant(1), tf.constant(2.0)])
    with pytest.raises(TypeError):
        tf.convert_to_tensor([tf.constant(1), 2.5])
    with pytest.raises(tf.errors.InvalidArgumentError):
        tf.convert_to_tensor([tf.constant([1.0]), tf.constant([1.0, 2.0])])


def test_convert_lists_that_hold_tensors_is_differentiated(tf):
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        packed = tf.convert_to_tensor([x, x * x, 1.0])
        y = tf.reduce_sum(packed * tf.constant([1.0, 10.0, 100.0]))
    assert tape.gradient(y, x).numpy() == 61.0


def test_convert_objects_with_an_array(tf):
    class Holder:
        def __array__(self, dtype=None, copy=None):
            return np.array([1.0, 2.0])

    tensor = tf.convert_to_tensor(Holder())
    assert tensor.dtype == tf.float64
    np.testing.assert_array_equal(tensor.numpy(), [1.0, 2.0])


class Color(enum.IntEnum):
    RED = 1
    BLUE = 2


def test_members_of_an_enumeration_are_integers(tf):
    """As in TensorFlow: the enumeration has items and a length, its members have none."""
    for made, expected in [
        (tf.constant(Color.BLUE), 2),
        (tf.constant([Color.RED, Color.BLUE]), [1, 2]),
        (tf.stack([Color.RED, Color.BLUE]), [1, 2]),
        (tf.gather([5, 6, 7], Color.BLUE), 7),
    ]:
        assert made.dtype == tf.int32
        np.testing.assert_array_equal(made, expected)
    assert (tf.constant([1.0, 2.0]) * Color.BLUE).numpy().tolist() == [2.0, 4.0]
    assert (tf.constant([1, 2]) * Color.BLUE).numpy().tolist() == [2, 4]
