"""Tensors as Python objects: protocols, operators, NumPy, DLPack, copies."""

import copy
import operator
import pickle

import numpy as np
import pytest


@pytest.fixture
def matrix(tf):
    return tf.constant([[1.0, 2.0], [3.0, 4.0]])


@pytest.fixture
def vector(tf):
    return tf.constant([1.0, 2.0])


@pytest.fixture
def scalar(tf):
    return tf.constant(2.5)


# Attributes


def test_attributes(tf, matrix, scalar):
    assert matrix.dtype == tf.float32
    assert matrix.shape == (2, 2)
    assert matrix.ndim == 2
    assert matrix.get_shape() == (2, 2)
    assert isinstance(matrix.device, str)
    assert type(matrix.numpy()) is np.ndarray
    assert type(scalar.numpy()) is np.float32
    assert tf.is_tensor(matrix)
    assert not tf.is_tensor(matrix.numpy())
    assert not tf.is_tensor(1.0)


def test_unknown_attribute(matrix):
    with pytest.raises(AttributeError, match="no_such_thing"):
        matrix.no_such_thing  # noqa: B018


def test_shape_cannot_be_set(matrix):
    with pytest.raises(AttributeError):
        matrix.shape = (4,)


def test_set_shape_only_checks(matrix):
    matrix.set_shape((2, 2))
    matrix.set_shape((None, 2))
    with pytest.raises(ValueError, match=r"\(3, 2\)"):
        matrix.set_shape((3, 2))


# Python protocols


def test_len(matrix, scalar):
    assert len(matrix) == 2
    with pytest.raises(TypeError, match=r"Scalar tensor has no `len\(\)`"):
        len(scalar)


def test_iteration(tf, vector, scalar):
    elements = list(vector)
    assert all(isinstance(element, tf.Tensor) for element in elements)
    assert [element.numpy() for element in elements] == [1.0, 2.0]
    with pytest.raises(TypeError, match="Cannot iterate over a scalar tensor"):
        iter(scalar)


def test_unpacking(matrix):
    (a, b), (c, d) = matrix
    assert [value.numpy() for value in (a, b, c, d)] == [1.0, 2.0, 3.0, 4.0]


def test_truth(tf, vector):
    assert bool(tf.constant(2.5)) is True
    assert bool(tf.constant(0.0)) is False
    assert bool(tf.constant([1.0])) is True
    assert bool(tf.constant([])) is False
    with pytest.raises(ValueError, match=r"truth value .* is ambiguous"):
        bool(vector)


def test_numbers(tf, scalar):
    assert int(scalar) == 2
    assert float(scalar) == 2.5
    assert complex(scalar) == 2.5
    assert float(tf.constant(3)) == 3.0
    assert type(int(tf.constant(3))) is int


@pytest.mark.parametrize("kind", [int, float])
def test_numbers_from_a_vector(vector, kind):
    with pytest.raises(TypeError):
        kind(vector)


def test_index(tf):
    assert [10, 20, 30][tf.constant(1)] == 20
    assert list(range(tf.constant(3))) == [0, 1, 2]
    assert operator.index(tf.constant(2, tf.int64)) == 2
    with pytest.raises(TypeError):
        operator.index(tf.constant([1, 2]))


def test_format(tf, scalar):
    assert f"{scalar}" == "2.5"
    assert f"{scalar:.2f}" == "2.50"
    assert f"{tf.constant([1.0, 2.0])}" == "[1. 2.]"


def test_hash_and_reference(tf, matrix):
    with pytest.raises(TypeError, match=r"unhashable\. Instead, use tensor\.ref\(\) as the key"):
        hash(matrix)
    twin = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    assert matrix.ref() == matrix.ref()
    assert matrix.ref() != twin.ref()
    assert matrix.ref().deref() is matrix
    assert {matrix.ref(): "m"}[matrix.ref()] == "m"


def test_item_assignment(matrix):
    with pytest.raises(TypeError, match="does not support item assignment"):
        matrix[0] = 1.0


def test_in_place_operators_rebind(vector):
    original = vector
    vector += 1.0
    np.testing.assert_array_equal(vector.numpy(), [2.0, 3.0])
    np.testing.assert_array_equal(original.numpy(), [1.0, 2.0])


# Immutability


def test_numpy_gives_a_copy(matrix):
    array = matrix.numpy()
    array[0, 0] = 99.0
    assert matrix.numpy()[0, 0] == 1.0


@pytest.mark.parametrize("function", ["constant", "convert_to_tensor"])
def test_source_array_is_copied(tf, function):
    array = np.ones(3, np.float32)
    tensor = getattr(tf, function)(array)
    array[0] = 5.0
    np.testing.assert_array_equal(tensor.numpy(), [1.0, 1.0, 1.0])


@pytest.mark.parametrize(
    "function",
    [
        lambda tf, x: tf.reshape(x, [4]),
        lambda tf, x: tf.identity(x),
        lambda tf, x: x[0],
        lambda tf, x: tf.transpose(x),
        lambda tf, x: tf.broadcast_to(x, [2, 2, 2]),
        lambda tf, x: tf.stop_gradient(x),
    ],
    ids=["reshape", "identity", "index", "transpose", "broadcast", "stop_gradient"],
)
def test_arrays_of_derived_tensors_can_be_written_without_harm(tf, matrix, function):
    array = function(tf, matrix).numpy()
    array[...] = 99.0
    np.testing.assert_array_equal(matrix.numpy(), [[1.0, 2.0], [3.0, 4.0]])


# NumPy


def test_array_protocol(matrix):
    assert np.asarray(matrix).dtype == np.float32
    assert np.array(matrix, dtype=np.float64).dtype == np.float64
    np.testing.assert_array_equal(np.array(matrix), [[1.0, 2.0], [3.0, 4.0]])


def test_numpy_functions_give_arrays(vector):
    sine = np.sin(vector)
    assert type(sine) is np.ndarray
    assert sine.dtype == np.float32
    np.testing.assert_allclose(sine, np.sin([1.0, 2.0]), rtol=1e-6)
    total = np.add(vector, np.ones(2, np.float32))
    assert type(total) is np.ndarray
    np.testing.assert_array_equal(total, [2.0, 3.0])
    assert np.sum(vector) == 3.0


@pytest.mark.parametrize(
    "other",
    [np.array([3.0, 4.0], np.float32), np.array([3.0, 4.0]), np.float32(3.0), np.float64(3.0)],
    ids=["float32 array", "float64 array", "float32 scalar", "float64 scalar"],
)
def test_operators_with_numpy_give_tensors_of_the_tensors_dtype(tf, vector, other):
    for result in (vector + other, other + vector):
        assert isinstance(result, tf.Tensor)
        assert result.dtype == tf.float32
        np.testing.assert_array_equal(result.numpy(), np.array([1.0, 2.0]) + other)
    np.testing.assert_array_equal((other - vector).numpy(), other - np.array([1.0, 2.0]))


def test_numpy_matmul_from_the_left(tf, matrix):
    result = np.ones((2, 2), np.float32) @ matrix
    assert isinstance(result, tf.Tensor)
    np.testing.assert_array_equal(result.numpy(), [[4.0, 6.0], [4.0, 6.0]])


def test_numpy_from_the_left_is_differentiated(tf, vector):
    with tf.GradientTape() as tape:
        tape.watch(vector)
        y = np.array([3.0, 4.0], np.float32) * vector
    np.testing.assert_array_equal(tape.gradient(y, vector).numpy(), [3.0, 4.0])


# Operators

BINARY = [
    operator.add,
    operator.sub,
    operator.mul,
    operator.truediv,
    operator.floordiv,
    operator.mod,
    operator.pow,
    operator.lt,
    operator.le,
    operator.gt,
    operator.ge,
    operator.eq,
    operator.ne,
]


@pytest.mark.parametrize("function", BINARY, ids=lambda function: function.__name__)
def test_binary_operators(tf, function):
    a = np.array([1.0, -7.0, 3.0], np.float32)
    b = np.array([2.0, 2.0, 3.0], np.float32)
    x, y = tf.constant(a), tf.constant(b)
    expected = function(a, b)
    operands = [(x, y), (x, b), (a, y), (x, b.tolist()), (a.tolist(), y)]
    for left, right in operands:
        result = function(left, right)
        assert isinstance(result, tf.Tensor)
        np.testing.assert_allclose(result.numpy(), expected, rtol=1e-6)
    np.testing.assert_allclose(function(x, 2.0).numpy(), expected_scalar(function, a), rtol=1e-6)
    np.testing.assert_allclose(function(x, 2).numpy(), expected_scalar(function, a), rtol=1e-6)
    np.testing.assert_allclose(function(2.0, y).numpy(), function(np.float32(2.0), b), rtol=1e-6)


def expected_scalar(function, array):
    return function(array, np.float32(2.0))


def test_unary_operators(tf, vector):
    np.testing.assert_array_equal((-vector).numpy(), [-1.0, -2.0])
    np.testing.assert_array_equal(abs(-vector).numpy(), [1.0, 2.0])
    np.testing.assert_array_equal((~tf.constant([True, False])).numpy(), [False, True])
    np.testing.assert_array_equal((~tf.constant([5])).numpy(), [-6])


@pytest.mark.parametrize("function", [operator.and_, operator.or_, operator.xor])
def test_bitwise_operators(tf, function):
    for a, b in (([True, True, False], [True, False, False]), ([5, 6, 7], [3, 2, 9])):
        expected = function(np.array(a), np.array(b))
        x, y = tf.constant(a), tf.constant(b)
        np.testing.assert_array_equal(function(x, y).numpy(), expected)
        np.testing.assert_array_equal(function(x, b).numpy(), expected)
        np.testing.assert_array_equal(function(a, y).numpy(), expected)
    with pytest.raises(tf.errors.InvalidArgumentError):
        function(tf.constant(1.0), tf.constant(2.0))


def test_integer_division_and_remainder(tf):
    seven, two = tf.constant(7), tf.constant(2)
    assert (seven / two).dtype == tf.float64
    assert (seven / two).numpy() == 3.5
    assert (seven / 2).dtype == tf.float64
    assert (seven // two).dtype == tf.int32
    assert (-seven // two).numpy() == -4
    assert (-seven % 3).numpy() == 2
    assert (tf.constant(-7.0) % 3.0).numpy() == 2.0
    assert (tf.constant(-7.0) // 2.0).numpy() == -4.0


def test_powers(tf):
    assert (tf.constant(2) ** tf.constant(3)).dtype == tf.int32
    assert (2.0 ** tf.constant(3.0)).numpy() == 8.0
    assert (tf.constant(2) ** 2).numpy() == 4


@pytest.mark.on_host("a value cannot stop a program on a device")
def test_negative_powers_of_integers(tf):
    with pytest.raises(tf.errors.InvalidArgumentError, match="negative"):
        (tf.constant(2) ** tf.constant(-1)).numpy()


def test_matmul_operator(tf, matrix):
    np.testing.assert_array_equal((matrix @ matrix).numpy(), [[7.0, 10.0], [15.0, 22.0]])
    with pytest.raises(tf.errors.InvalidArgumentError):
        matrix @ tf.constant([1.0, 2.0])


def test_text_is_joined(tf):
    assert (tf.constant("a") + "b").numpy() == b"ab"
    assert (tf.constant(["a", "b"]) + tf.constant("c")).numpy().tolist() == [b"ac", b"bc"]


def test_python_scalars_take_the_dtype_of_the_tensor(tf):
    for name in ("float16", "bfloat16", "float64", "complex64"):
        x = tf.cast([1.0, 2.0], name)
        for result in (x + 1, 1 + x, x * 2.0, 2.0 * x, x - 1):
            assert result.dtype == x.dtype
    assert (tf.constant(1) + True).numpy() == 2


@pytest.mark.parametrize("function", BINARY, ids=lambda function: function.__name__)
def test_mixing_dtypes_is_an_error(tf, function):
    division = function is operator.truediv
    error = TypeError if division else tf.errors.InvalidArgumentError
    with pytest.raises(error):
        function(tf.constant(1), tf.constant(1.5))
    with pytest.raises(error):
        function(tf.constant(1.0), tf.constant(1.5, tf.float64))


def test_shapes_that_do_not_broadcast(tf):
    with pytest.raises(tf.errors.InvalidArgumentError):
        tf.constant([1.0, 2.0]) + tf.constant([1.0, 2.0, 3.0])


def test_equality_of_shapes_that_do_not_broadcast(tf):
    short, long = tf.constant([1, 2]), tf.constant([1, 2, 3])
    assert (short == long).numpy() == np.False_
    assert (short != long).numpy() == np.True_


def test_comparison_with_none(tf):
    assert (tf.constant(1) == None) is False  # noqa: E711
    assert (tf.constant(1) != None) is True  # noqa: E711


def test_arithmetic_with_none_and_text(tf):
    with pytest.raises(ValueError, match="None"):
        tf.constant(1) + None
    with pytest.raises(tf.errors.InvalidArgumentError):
        tf.constant(1) + "a"


# Copies


@pytest.mark.parametrize(
    "duplicate",
    [copy.copy, copy.deepcopy, lambda value: pickle.loads(pickle.dumps(value))],
    ids=["copy", "deepcopy", "pickle"],
)
@pytest.mark.parametrize("value", [[1.5, 2.5], 3, True, ["a", "b"], [[1 + 2j]]])
def test_copies(tf, duplicate, value):
    tensor = tf.constant(value)
    twin = duplicate(tensor)
    assert isinstance(twin, tf.Tensor)
    assert twin.dtype == tensor.dtype
    np.testing.assert_array_equal(twin.numpy(), tensor.numpy())


def test_copies_in_a_structure(tf):
    parts = {"a": tf.constant([1.0]), "b": [tf.constant(2)]}
    twin = copy.deepcopy(parts)
    assert twin["a"].numpy().tolist() == [1.0]
    assert twin["b"][0].numpy() == 2


# DLPack


@pytest.mark.parametrize(
    "name", ["float16", "float32", "float64", "int8", "int32", "int64", "uint8"]
)
def test_dlpack_round_trip(tf, name):
    tensor = tf.cast([[1, 2, 3], [4, 5, 6]], name)
    back = tf.experimental.dlpack.from_dlpack(tf.experimental.dlpack.to_dlpack(tensor))
    assert isinstance(back, tf.Tensor)
    assert back.dtype == tensor.dtype
    np.testing.assert_array_equal(back.numpy(), tensor.numpy())


@pytest.mark.on_host("NumPy takes no memory of a GPU")
def test_numpy_takes_a_tensor_through_dlpack(matrix):
    assert matrix.__dlpack_device__() == (1, 0)
    np.testing.assert_array_equal(np.from_dlpack(matrix), matrix.numpy())


def test_tensor_from_the_capsule_of_an_array(tf):
    tensor = tf.experimental.dlpack.from_dlpack(np.arange(3.0).__dlpack__())
    assert tensor.dtype == tf.float64
    np.testing.assert_array_equal(tensor.numpy(), [0.0, 1.0, 2.0])


def test_to_dlpack_of_what_is_no_tensor(tf):
    with pytest.raises(tf.errors.InvalidArgumentError):
        tf.experimental.dlpack.to_dlpack(np.ones(2))
