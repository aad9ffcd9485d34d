"""Keras variables and tapes."""

import numpy as np
import pytest

import gradtape as tf


@pytest.fixture
def variable(keras):
    return keras.Variable([1.0, 2.0], name="v")


def test_tape_takes_keras_variables_as_sources(variable):
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(variable * variable)
    np.testing.assert_allclose(tape.gradient(y, variable), [2.0, 4.0])


def test_tape_watches_keras_variables_on_request(variable):
    with tf.GradientTape(watch_accessed_variables=False) as tape:
        tape.watch([variable])
        y = tf.reduce_sum(tf.sin(variable))
    np.testing.assert_allclose(tape.gradient(y, [variable])[0], np.cos([1.0, 2.0]), rtol=1e-6)


def test_variables_that_are_not_trainable_are_not_watched(keras, variable):
    variable.trainable = False
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(variable * variable)
    assert tape.gradient(y, variable) is None
    variable.trainable = True
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(variable * variable)
    np.testing.assert_allclose(tape.gradient(y, variable), [2.0, 4.0])


def test_ops_take_keras_variables(variable):
    np.testing.assert_allclose(tf.square(variable), [1.0, 4.0])
    np.testing.assert_allclose(tf.constant([3.0, 3.0]) + variable, [4.0, 5.0])
    np.testing.assert_allclose(tf.stack([variable, variable]), [[1.0, 2.0], [1.0, 2.0]])
    np.testing.assert_allclose(np.sum(variable), 3.0)


def test_value_is_a_tensor_that_stays(variable):
    before = variable.value
    variable.assign([5.0, 6.0])
    np.testing.assert_array_equal(before, [1.0, 2.0])
    np.testing.assert_array_equal(variable.value, [5.0, 6.0])


def test_assign_copies_arrays(variable):
    array = np.array([5.0, 6.0], "float32")
    variable.assign(array)
    array[0] = 0.0
    np.testing.assert_array_equal(variable.numpy(), [5.0, 6.0])


def test_assign_checks_the_shape(variable):
    with pytest.raises(ValueError, match="shape of the target variable"):
        variable.assign([1.0])


def test_conversion_to_another_dtype_must_be_asked_for(variable):
    with pytest.raises(ValueError, match=r"requested dtype int32 for Variable with dtype float32"):
        tf.convert_to_tensor(variable, tf.int32)


def test_iteration_length_and_reference(variable):
    assert len(variable) == 2
    assert [float(x) for x in variable] == [1.0, 2.0]
    assert variable.ref() in {variable.ref()}
    assert variable.ref().deref() is variable


def test_autocast_reads_in_the_dtype_of_the_scope_with_gradients(keras, variable):
    from keras.src.backend import AutocastScope

    with tf.GradientTape() as tape, AutocastScope("float16"):
        value = variable.value
        y = tf.reduce_sum(tf.cast(value * value, tf.float32))
    assert value.dtype is tf.float16
    gradient = tape.gradient(y, variable)
    assert gradient.dtype is tf.float32
    np.testing.assert_allclose(gradient, [2.0, 4.0])


def test_stateless_scope_replaces_values_and_collects_updates(keras, variable):
    replaced = tf.constant([7.0, 8.0])
    with tf.GradientTape() as tape:
        tape.watch(replaced)
        with keras.StatelessScope(state_mapping=[(variable, replaced)]) as scope:
            y = tf.reduce_sum(variable * variable)
            variable.assign_add([1.0, 1.0])
        updated = scope.get_current_value(variable)
    np.testing.assert_allclose(updated, [8.0, 9.0])
    np.testing.assert_allclose(variable.numpy(), [1.0, 2.0])
    np.testing.assert_allclose(tape.gradient(y, replaced), [14.0, 16.0])


def test_stateless_call_is_differentiable_by_its_variables(keras):
    model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(2), keras.layers.Dropout(0.5)])
    weights = [v.value for v in model.trainable_variables]
    fixed = [v.value for v in model.non_trainable_variables]
    x = tf.constant([[1.0, 2.0, 3.0]])
    with tf.GradientTape() as tape:
        tape.watch(weights)
        outputs, updated = model.stateless_call(weights, fixed, x, training=False)
        y = tf.reduce_sum(outputs)
    gradients = tape.gradient(y, weights)
    np.testing.assert_allclose(gradients[0], [[1.0, 1.0], [2.0, 2.0], [3.0, 3.0]])
    np.testing.assert_allclose(gradients[1], [1.0, 1.0])
    assert len(updated) == len(fixed)


def test_float64_variables_have_float64_gradients(keras):
    variable = keras.Variable(np.array([0.1, 0.2]), dtype="float64")
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(variable**3)
    gradient = tape.gradient(y, variable)
    assert gradient.dtype is tf.float64
    np.testing.assert_allclose(gradient, 3 * np.array([0.1, 0.2]) ** 2, rtol=1e-14)


def test_names_that_tensorflow_gives_a_variable(keras):
    variable = keras.layers.Dense(3).add_weight(shape=(2, 3), name="kernel")
    assert variable.shape.as_list() == [2, 3]
    assert (variable.shape.rank, variable.shape.num_elements()) == (2, 6)
    assert variable.shape == (2, 3)
    assert variable.handle is variable
    assert variable._shared_name == variable.path
