"""Changing variables: assignment, scatter updates, and what a tape makes of them."""

import numpy as np
import pytest


def slices(tf, values, indices):
    return tf.IndexedSlices(tf.constant(values), tf.constant(indices))


# Assignment


def test_assign_and_its_kin(tf):
    x = tf.Variable([1.0, 2.0])
    x.assign([3.0, 4.0])
    np.testing.assert_array_equal(x.numpy(), [3.0, 4.0])
    x.assign_add([1.0, 1.0])
    np.testing.assert_array_equal(x.numpy(), [4.0, 5.0])
    x.assign_sub(tf.constant([0.5, 0.5]))
    np.testing.assert_array_equal(x.numpy(), [3.5, 4.5])
    x.assign(tf.Variable([0.0, 1.0]))
    np.testing.assert_array_equal(x.numpy(), [0.0, 1.0])


@pytest.mark.parametrize("method", ["assign", "assign_add", "assign_sub"])
def test_assignments_give_something_that_reads_as_the_variable(tf, method):
    x = tf.Variable(5.0)
    result = getattr(x, method)(2.0)
    assert isinstance(result, tf.Variable)
    assert result.numpy() == x.numpy()
    assert (result * 1.0).numpy() == x.numpy()
    assert getattr(x, method)(2.0, read_value=False) is None


def test_assignments_can_be_chained(tf):
    assert tf.Variable(1.0).assign(2.0).assign_add(3.0).numpy() == 5.0


def test_assigned_array_is_copied(tf):
    x = tf.Variable([1.0, 2.0])
    array = np.array([3.0, 4.0], np.float32)
    x.assign(array)
    array[0] = 9.0
    np.testing.assert_array_equal(x.numpy(), [3.0, 4.0])


@pytest.mark.parametrize("value", [[1.0, 2.0, 3.0], 3.0, [[1.0, 2.0]]])
def test_assign_of_another_shape(tf, value):
    x = tf.Variable([1.0, 2.0], name="weights")
    with pytest.raises(ValueError, match=r"weights:0.*[Ss]hape.*\(2,\)"):
        x.assign(value)
    np.testing.assert_array_equal(x.numpy(), [1.0, 2.0])


@pytest.mark.parametrize("method", ["assign_add", "assign_sub"])
@pytest.mark.parametrize("value", [[1.0, 2.0, 3.0], 3.0])
def test_updates_do_not_broadcast(tf, method, value):
    x = tf.Variable([1.0, 2.0])
    with pytest.raises(tf.errors.InvalidArgumentError, match="shape"):
        getattr(x, method)(value)
    np.testing.assert_array_equal(x.numpy(), [1.0, 2.0])


def test_python_and_numpy_values_are_cast_to_the_dtype(tf):
    x = tf.Variable([1.0, 2.0])
    x.assign([3, 4])
    assert x.dtype == tf.float32
    x.assign(np.array([5.0, 6.0], np.float64))
    np.testing.assert_array_equal(x.numpy(), np.array([5.0, 6.0], np.float32))


@pytest.mark.parametrize("method", ["assign", "assign_add", "assign_sub"])
@pytest.mark.parametrize("name", ["float64", "int32"])
def test_tensors_of_another_dtype_are_an_error(tf, method, name):
    with pytest.raises(ValueError, match=name):
        getattr(tf.Variable(1.0), method)(tf.cast(3, name))


def test_values_that_do_not_fit_the_dtype(tf):
    with pytest.raises(TypeError):
        tf.Variable(1).assign(2.5)
    with pytest.raises(TypeError):
        tf.Variable(1.0).assign("a")
    with pytest.raises(ValueError, match="None"):
        tf.Variable(1.0).assign(None)


# Scatter updates


@pytest.mark.parametrize(
    ("method", "expected"),
    [
        ("scatter_add", [[2.0, 4.0], [3.0, 4.0], [15.0, 26.0]]),
        ("scatter_sub", [[0.0, 0.0], [3.0, 4.0], [-5.0, -14.0]]),
        ("scatter_update", [[1.0, 2.0], [3.0, 4.0], [10.0, 20.0]]),
        ("scatter_mul", [[1.0, 4.0], [3.0, 4.0], [50.0, 120.0]]),
        ("scatter_div", [[1.0, 1.0], [3.0, 4.0], [0.5, 0.3]]),
        ("scatter_min", [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]),
        ("scatter_max", [[1.0, 2.0], [3.0, 4.0], [10.0, 20.0]]),
    ],
)
def test_scatter_updates_with_indexed_slices(tf, method, expected):
    x = tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    result = getattr(x, method)(slices(tf, [[10.0, 20.0], [1.0, 2.0]], [2, 0]))
    np.testing.assert_allclose(x.numpy(), expected, rtol=1e-6)
    np.testing.assert_allclose(result.numpy(), expected, rtol=1e-6)


def test_scatter_adds_repeated_indices(tf):
    x = tf.Variable([1.0, 2.0])
    x.scatter_add(slices(tf, [1.0, 1.0, 1.0], [0, 0, 1]))
    np.testing.assert_array_equal(x.numpy(), [3.0, 3.0])


@pytest.mark.parametrize("repeats", [1, 3, 9])
def test_scatter_is_the_same_in_place_and_in_a_copy(tf, repeats):
    random = np.random.default_rng(1)
    start = random.normal(size=(20, 3)).astype(np.float32)
    indices = np.tile(random.permutation(20)[:6], repeats)
    rows = slices(tf, random.normal(size=(indices.size, 3)).astype(np.float32), indices)
    for method in ("scatter_add", "scatter_sub"):
        alone, shared = tf.Variable(start), tf.Variable(start)
        value = tf.convert_to_tensor(shared)
        for x in (alone, shared):
            getattr(x, method)(rows)
        np.testing.assert_allclose(alone, shared, rtol=1e-5, atol=1e-5)
        np.testing.assert_array_equal(value, start)


def test_scatter_leaves_what_a_tape_has_kept(tf):
    x = tf.Variable([[1.0], [2.0]])
    with tf.GradientTape() as tape:
        y = x * x
        x.scatter_sub(slices(tf, [[5.0]], [1]))
    np.testing.assert_array_equal(tape.gradient(y, x), [[2.0], [4.0]])
    np.testing.assert_array_equal(x, [[1.0], [-3.0]])


def test_scatter_of_rows_that_do_not_fit(tf):
    x = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
    with pytest.raises(tf.errors.InvalidArgumentError, match="shape"):
        x.scatter_add(slices(tf, [[1.0, 2.0, 3.0]], [0]))
    np.testing.assert_array_equal(x, [[1.0, 2.0], [3.0, 4.0]])


@pytest.mark.on_host("a value cannot stop a program on a device")
def test_scatter_index_out_of_range(tf):
    x = tf.Variable([1.0, 2.0])
    with pytest.raises(tf.errors.InvalidArgumentError, match="5"):
        x.scatter_add(slices(tf, [7.0], [5]))
    np.testing.assert_array_equal(x.numpy(), [1.0, 2.0])


@pytest.mark.parametrize("method", ["scatter_add", "scatter_sub", "scatter_update"])
def test_scatter_needs_indexed_slices(tf, method):
    with pytest.raises(TypeError, match="IndexedSlices"):
        getattr(tf.Variable([1.0, 2.0]), method)(tf.constant([1.0, 2.0]))


@pytest.mark.parametrize(
    ("method", "expected"),
    [
        ("scatter_nd_add", [11.0, 2.0, 23.0]),
        ("scatter_nd_sub", [-9.0, 2.0, -17.0]),
        ("scatter_nd_update", [10.0, 2.0, 20.0]),
    ],
)
def test_scatter_nd(tf, method, expected):
    x = tf.Variable([1.0, 2.0, 3.0])
    getattr(x, method)([[0], [2]], [10.0, 20.0])
    np.testing.assert_array_equal(x.numpy(), expected)


def test_batch_scatter_update(tf):
    x = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
    x.batch_scatter_update(slices(tf, [[9.0], [8.0]], [[0], [1]]))
    np.testing.assert_array_equal(x.numpy(), [[9.0, 2.0], [3.0, 8.0]])


# Assignment while recording


def test_gradient_uses_the_values_at_the_time_of_recording(tf):
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = x * x
        x.assign(100.0)
    assert tape.gradient(y, x).numpy() == 6.0


def test_assignment_after_the_tape_does_not_change_its_gradient(tf):
    x = tf.Variable([3.0, 4.0])
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(x * x)
    x.assign_add([100.0, 100.0])
    x.scatter_add(slices(tf, [1.0], [0]))
    np.testing.assert_array_equal(tape.gradient(y, x).numpy(), [6.0, 8.0])


def test_uses_before_and_after_an_assignment_are_summed(tf):
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = x * x
        x.assign(10.0)
        y = y + x * x
    assert tape.gradient(y, x).numpy() == 26.0


def test_assignment_does_not_connect_the_value_to_the_variable(tf):
    x, state = tf.Variable(3.0), tf.Variable(0.0)
    with tf.GradientTape() as tape:
        state.assign(x * x)
        y = state * 5.0
    dx, dstate = tape.gradient(y, [x, state])
    assert dx is None
    assert dstate.numpy() == 5.0


def test_assign_add_during_recording_is_not_differentiated(tf):
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        x.assign_add(x * x)
        y = x * 2.0
    assert x.numpy() == 12.0
    assert tape.gradient(y, x).numpy() == 2.0


def test_result_of_an_assignment_used_on_the_tape(tf):
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = x.assign_add(1.0) * 5.0
    assert y.numpy() == 20.0
    assert tape.gradient(y, x).numpy() == 5.0


def test_gradient_descent(tf):
    x = tf.Variable(5.0)
    for _ in range(50):
        with tf.GradientTape() as tape:
            loss = (x - 2.0) ** 2
        x.assign_sub(0.1 * tape.gradient(loss, x))
    np.testing.assert_allclose(x.numpy(), 2.0, atol=1e-4)
