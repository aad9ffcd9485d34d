"""What the program does to an array it got, or gave, changes no tensor."""

import contextlib
import copy
import pickle

import ml_dtypes
import numpy as np
import pytest

import gradtape as tf
from gradtape.core.native import extension
from gradtape.core.user_memory import read_only
from tests.racing import interrupt

needs_buffers = pytest.mark.skipif(
    extension is None, reason="the extension has the buffer protocol of tensors"
)


def in_place(array):
    """A user's augmentation, written in place."""
    array += 1
    return array


@pytest.mark.parametrize("shape", [(), (3,), (200, 300)])
@pytest.mark.parametrize("make", [tf.constant, tf.Variable], ids=["tensor", "variable"])
def test_numpy_function_gets_arrays_of_its_own(make, shape):
    x = make(np.zeros(shape, np.float32))
    y = tf.numpy_function(in_place, [x], tf.float32)
    np.testing.assert_array_equal(y, np.ones(shape, np.float32))
    np.testing.assert_array_equal(x, np.zeros(shape, np.float32))


def test_numpy_function_of_a_deferred_value():
    x = tf.zeros((200, 300)) * 2.0 + 1.0
    tf.numpy_function(in_place, [x], tf.float32)
    np.testing.assert_array_equal(x, np.ones((200, 300), np.float32))


def test_numpy_function_in_vectorized_map():
    rows = tf.constant([[0.0, 1.0], [2.0, 3.0]])
    result = tf.vectorized_map(lambda r: tf.numpy_function(in_place, [r], tf.float32), rows)
    np.testing.assert_array_equal(result, [[1, 2], [3, 4]])
    np.testing.assert_array_equal(rows, [[0, 1], [2, 3]])


def test_numpy_function_in_map_fn_and_datasets():
    x = np.zeros((2, 2), np.float32)
    rows = tf.constant(x)
    tf.map_fn(lambda row: tf.numpy_function(in_place, [row], tf.float32), rows)
    np.testing.assert_array_equal(rows, x)
    dataset = tf.data.Dataset.from_tensor_slices(x).map(
        lambda row: tf.numpy_function(in_place, [row], tf.float32)
    )
    for _ in range(2):  # the second pass starts from the same rows
        np.testing.assert_array_equal(list(dataset), np.ones((2, 2), np.float32))


def test_what_a_function_returned_and_kept():
    buffer = np.zeros(3, np.float32)
    results = [
        tf.numpy_function(lambda: buffer, [], tf.float32),
        tf.py_function(lambda: buffer, [], tf.float32),
        tf.custom_gradient(lambda x: (buffer, lambda g: g))(tf.ones(3)),
    ]
    buffer[:] = 5
    for result in results:
        np.testing.assert_array_equal(result, np.zeros(3))


def test_a_black_box_that_writes_into_its_argument():
    @tf.numerical_gradient
    def squares(x, y):
        x *= x
        y *= 0
        return x.sum() + y.sum()

    x, y = tf.Variable([1.0, 2.0], dtype="float64"), tf.Variable([3.0], dtype="float64")
    with tf.GradientTape() as tape:
        z = squares(x, y)
    assert float(z) == 5.0
    slopes = tape.gradient(z, [x, y])
    np.testing.assert_allclose(slopes[0], [2.0, 4.0], rtol=1e-6)
    np.testing.assert_allclose(slopes[1], [0.0], atol=1e-6)
    np.testing.assert_array_equal(x, [1.0, 2.0])


def test_an_array_of_a_variable_is_a_copy():
    v = tf.Variable([1.0, 2.0])
    array = np.asarray(v)
    array += 1  # as with TensorFlow's variables
    np.testing.assert_array_equal(v, [1.0, 2.0])
    assert not np.array(v, copy=False).flags.writeable


@pytest.mark.parametrize("dtype", ["float32", "int64", "bool", "complex64", ml_dtypes.bfloat16])
@pytest.mark.parametrize("shape", [(), (4,), (2, 3), (0, 3)])
def test_a_view_cannot_be_made_writable(dtype, shape):
    array = np.zeros(shape, dtype)
    for data in (array, array.T):
        view = read_only(data)
        assert (view.dtype, view.shape) == (data.dtype, data.shape)
        np.testing.assert_array_equal(view, data)
        with pytest.raises(ValueError, match="WRITEABLE"):
            view.setflags(write=True)
    assert not np.asarray(tf.constant(array)).flags.writeable


def test_rows_of_a_numpy_iterator_cannot_be_changed():
    dataset = tf.data.Dataset.from_tensor_slices(np.zeros((2, 3), np.float32))
    for row in dataset.as_numpy_iterator():
        with pytest.raises(ValueError, match="WRITEABLE"):
            row.setflags(write=True)


@pytest.mark.on_host("DLPack shows a device's memory without a copy, read-only")
def test_dlpack_of_any_rank():
    for value in (1.5, [1.5, 2.0]):
        x = tf.constant(value)
        array = np.from_dlpack(x)
        np.testing.assert_array_equal(array, np.float32(value))
        array[...] = 0
        np.testing.assert_array_equal(x, np.float32(value))


# --- the buffer protocol -------------------------------------------------------------------------


@needs_buffers
@pytest.mark.parametrize(
    ("value", "code"),
    [
        ([1.0, 2.0], "f"),
        (np.zeros((2, 3)), "d"),
        ([True], "?"),
        (np.zeros(2, np.float16), "e"),
        (np.zeros(2, np.complex64), "Zf"),
        (3.0, "f"),
        (tf.ones((300, 300)) * 2.0, "f"),  # deferred
    ],
)
def test_a_memory_view(value, code):
    x = tf.constant(value)
    with memoryview(x) as view:
        assert view.readonly
        assert view.format == code
        assert view.shape == tuple(x.shape)
        assert view.tobytes() == bytes(x) == x.numpy().tobytes()


@needs_buffers
def test_a_memory_view_keeps_its_values():
    v = tf.Variable([1.0, 2.0])
    view = memoryview(tf.convert_to_tensor(v))
    v.assign_add([1.0, 1.0])
    assert view.tolist() == [1.0, 2.0]


@pytest.mark.parametrize("value", [1.0, [1.0, 2.0], np.zeros((300, 300), np.float32)])
@pytest.mark.parametrize("taped", [False, True])
def test_an_interrupt_while_numpy_reads_a_tensor_arrives(value, taped):
    """NumPy asks for a buffer first, and swallows what is raised meanwhile."""
    x = tf.constant(value)
    with tf.GradientTape() if taped else contextlib.nullcontext():
        interrupt(lambda: np.array(x), lambda: None, rounds=40)


@needs_buffers
def test_what_has_no_memory_view():
    with pytest.raises(ValueError, match="cannot include dtype"):
        memoryview(tf.constant([1.0], tf.bfloat16))  # as TensorFlow
    with pytest.raises(TypeError, match="bytes-like"):
        memoryview(tf.Variable([1.0]))  # as TensorFlow
    with pytest.raises((BufferError, TypeError, ValueError)):
        memoryview(tf.constant([1.0])).cast("B")[0] = 1


# --- attributes of the program on variables ------------------------------------------------------


def test_variables_take_attributes():
    v = tf.Variable([1.0])
    v.my_flag = True
    assert v.my_flag
    assert vars(v) == {"my_flag": True}
    assert "my_flag" in dir(v)
    # As TensorFlow: they are this object's, and no part of the value.
    assert not hasattr(copy.deepcopy(v), "my_flag")
    assert not hasattr(pickle.loads(pickle.dumps(v)), "my_flag")
    assert copy.copy(v).my_flag
    del v.my_flag
    assert not hasattr(v, "my_flag")
    with pytest.raises(AttributeError):
        v.shape = (2,)


def test_attributes_are_not_in_checkpoints(tmp_path):
    v = tf.Variable(1.0)
    v.other = tf.Variable(2.0)
    path = tf.train.Checkpoint(v=v).save(str(tmp_path / "c"))
    names = [name for name, _ in tf.train.list_variables(path)]
    assert not [name for name in names if "other" in name]


def test_numpy_function_gets_none_as_an_array():
    def weighted(x, weights):
        assert weights.shape == ()
        assert None in weights
        return x * 2

    x = tf.constant([1.0, 2.0])
    assert tf.numpy_function(weighted, [x, None], tf.float32).numpy().tolist() == [2.0, 4.0]


@pytest.mark.parametrize("name", ["numpy_function", "py_function"])
def test_python_functions_as_decorators(name):
    call = getattr(tf, name)

    @call(Tout=tf.int32)
    def added(a, b):
        return a + b

    assert int(added(1, 2)) == 3
    with pytest.raises(TypeError, match=rf"tf.{name}: Missing argument `inp`, the list"):
        call(lambda a: a, Tout=tf.int32)
    with pytest.raises(TypeError, match=rf"tf.{name}: Missing argument `Tout`, the dtype"):
        call(lambda a: a, [1])
