"""What a tape watches: variables by themselves, tensors when asked to."""

import numpy as np
import pytest


def test_trainable_variable_is_watched_by_being_read(tf):
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = x * x
    assert tape.gradient(y, x).numpy() == 6.0


def test_non_trainable_variable_is_not_watched(tf):
    x = tf.Variable(3.0, trainable=False)
    with tf.GradientTape() as tape:
        y = x * x
    assert tape.watched_variables() == ()
    assert tape.gradient(y, x) is None


def test_non_trainable_variable_is_watched_when_asked(tf):
    x = tf.Variable(3.0, trainable=False)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    assert tape.gradient(y, x).numpy() == 6.0


def test_watch_accessed_variables_false_watches_nothing(tf):
    x = tf.Variable(3.0)
    with tf.GradientTape(watch_accessed_variables=False) as tape:
        y = x * x
    assert tape.watched_variables() == ()
    assert tape.gradient(y, x) is None


def test_variable_is_watched_from_then_on_although_it_was_read_before(tf):
    x = tf.Variable(3.0)
    with tf.GradientTape(watch_accessed_variables=False, persistent=True) as tape:
        before = x * x
        tape.watch(x)
        y = x * x
    assert tape.gradient(before, x) is None
    assert tape.gradient(y, x).numpy() == 6.0


def test_watch_accessed_variables_false_and_watching_one_of_two(tf):
    x, z = tf.Variable(3.0), tf.Variable(5.0)
    with tf.GradientTape(watch_accessed_variables=False) as tape:
        tape.watch(x)
        y = x * z
    dx, dz = tape.gradient(y, [x, z])
    assert dx.numpy() == 5.0
    assert dz is None


def test_constant_is_not_watched(tf):
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        y = x * x
    assert tape.gradient(y, x) is None


def test_watched_constant(tf):
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    assert tape.gradient(y, x).numpy() == 6.0


def test_watching_twice_counts_once(tf):
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        tape.watch([x, x])
        y = x * x
    assert tape.gradient(y, x).numpy() == 6.0


def test_only_what_happens_after_the_watch_is_recorded(tf):
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        before = x * x
        tape.watch(x)
        y = before + 5.0 * x
    assert tape.gradient(y, x).numpy() == 5.0


def test_watch_a_list_of_tensors(tf):
    a, b = tf.constant(2.0), tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch([a, b])
        y = a * b
    da, db = tape.gradient(y, [a, b])
    assert (da.numpy(), db.numpy()) == (3.0, 2.0)


def test_watch_a_nested_structure(tf):
    parts = {"w": tf.constant(2.0), "rest": [tf.constant(3.0), (tf.constant(4.0),)]}
    with tf.GradientTape() as tape:
        tape.watch(parts)
        y = parts["w"] * parts["rest"][0] * parts["rest"][1][0]
    gradients = tape.gradient(y, parts)
    assert gradients["w"].numpy() == 12.0
    assert gradients["rest"][0].numpy() == 8.0
    assert gradients["rest"][1][0].numpy() == 6.0


def test_watch_a_structure_that_mixes_variables_and_tensors(tf):
    v, c = tf.Variable(2.0), tf.constant(3.0)
    with tf.GradientTape(watch_accessed_variables=False) as tape:
        tape.watch({"v": v, "c": c})
        y = v * c
    gradients = tape.gradient(y, {"v": v, "c": c})
    assert gradients["v"].numpy() == 3.0
    assert gradients["c"].numpy() == 2.0


@pytest.mark.parametrize(
    ("thing", "type_name"),
    [(3.0, "float"), (None, "NoneType"), ("abc", "str"), (np.ones(2), "ndarray")],
)
def test_watch_of_what_is_no_tensor_is_an_error(tf, thing, type_name):
    with tf.GradientTape() as tape, pytest.raises(ValueError, match=type_name):
        tape.watch(thing)


def test_watching_an_integer_tensor_warns_and_gives_no_gradient(tf, logged):
    x = tf.constant(3)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.cast(x, tf.float32) * 2.0
    assert tape.gradient(y, x) is None
    assert any("The dtype of the watched tensor must be floating" in text for text in logged)
    assert any("int32" in text for text in logged)


def test_watching_a_float_tensor_does_not_warn(tf, logged):
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    tape.gradient(y, x)
    assert logged == []


@pytest.mark.parametrize("name", ["float16", "bfloat16", "float64", "complex64", "complex128"])
def test_watching_every_differentiable_dtype_is_silent(tf, logged, name):
    x = tf.cast(tf.constant(3.0), name)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    gradient = tape.gradient(y, x)
    assert logged == []
    assert gradient.dtype == x.dtype
    assert complex(tf.cast(gradient, tf.complex128).numpy()) == 6.0


def test_integer_variable_has_no_gradient(tf):
    x = tf.Variable(3)
    with tf.GradientTape() as tape:
        y = tf.cast(x, tf.float32) * 2.0
    assert tape.gradient(y, x) is None


def test_watched_variables_lists_each_once_in_order_of_creation(tf):
    a, b, c = tf.Variable(1.0), tf.Variable(2.0), tf.Variable(3.0)
    with tf.GradientTape() as tape:
        c * a * c
    watched = tape.watched_variables()
    assert isinstance(watched, tuple)
    assert [variable.numpy() for variable in watched] == [1.0, 3.0]
    assert watched[0] is a
    assert watched[1] is c
    assert all(variable is not b for variable in watched)


def test_watched_variables_inside_and_after_the_context(tf):
    x = tf.Variable(1.0)
    with tf.GradientTape() as tape:
        assert tape.watched_variables() == ()
        y = x + 1.0
        assert tape.watched_variables()[0] is x
    assert tape.watched_variables()[0] is x
    tape.gradient(y, x)
    assert tape.watched_variables()[0] is x


def test_watched_variables_does_not_list_tensors(tf):
    x = tf.constant(1.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        x + 1.0
    assert tape.watched_variables() == ()


def test_tensor_read_from_a_variable_before_the_tape_is_a_constant(tf):
    x = tf.Variable(3.0)
    value = x.read_value()
    with tf.GradientTape() as tape:
        y = value * value
    assert tape.gradient(y, x) is None


def test_result_computed_before_the_tape_is_a_constant(tf):
    x = tf.Variable(3.0)
    square = x * x
    with tf.GradientTape() as tape:
        y = square * x
    assert tape.gradient(y, x).numpy() == 9.0


@pytest.mark.parametrize("read", ["read_value", "value"])
def test_reading_inside_the_tape_watches(tf, read):
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        value = getattr(x, read)()
        y = value * value
    assert tape.watched_variables()[0] is x
    assert tape.gradient(y, x).numpy() == 6.0


def test_converting_inside_the_tape_watches(tf):
    x = tf.Variable([3.0, 4.0])
    with tf.GradientTape() as tape:
        value = tf.convert_to_tensor(x)
        y = tf.reduce_sum(value * value)
    np.testing.assert_allclose(tape.gradient(y, x).numpy(), [6.0, 8.0])


def test_leaving_tensorflow_for_numpy_loses_the_gradient(tf):
    x = tf.Variable([3.0, 4.0])
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(tf.constant(np.square(x.numpy())))
    assert tape.gradient(y, x) is None


def test_variable_made_inside_the_tape_is_watched(tf):
    with tf.GradientTape() as tape:
        x = tf.Variable(3.0)
        y = x * x
    assert tape.gradient(y, x).numpy() == 6.0


def test_variable_made_from_another_does_not_connect_to_it(tf):
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        z = tf.Variable(x * x)
        y = z * z
    dx, dz = tape.gradient(y, [x, z])
    assert dx is None
    assert dz.numpy() == 18.0


def test_python_rebinding_replaces_the_variable_by_a_tensor(tf):
    x = tf.Variable(2.0)
    gradients = []
    for _ in range(2):
        with tf.GradientTape() as tape:
            y = x + 1.0
        gradients.append(tape.gradient(y, x))
        x = x + 1.0
    assert gradients[0].numpy() == 1.0
    assert gradients[1] is None
    assert not isinstance(x, tf.Variable)


def test_rebinding_inside_the_tape_keeps_the_original_connected(tf):
    original = tf.Variable(2.0)
    x = original
    with tf.GradientTape() as tape:
        x = x * x
        x = x * x
    assert tape.gradient(x, original).numpy() == 32.0


def test_equal_tensors_are_different_sources(tf):
    a, b = tf.constant(2.0), tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(a)
        y = a * b
    da, db = tape.gradient(y, [a, b])
    assert da.numpy() == 2.0
    assert db is None


def test_python_alias_of_a_watched_tensor_is_the_same_source(tf):
    a = tf.constant(2.0)
    alias = a
    with tf.GradientTape() as tape:
        tape.watch(a)
        y = alias * 3.0
    assert tape.gradient(y, alias).numpy() == 3.0


def test_watching_an_intermediate_result_does_not_cut_the_way_to_its_inputs(tf):
    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        middle = x * x
        tape.watch(middle)
        y = middle * middle
    dx, dmiddle = tape.gradient(y, [x, middle])
    assert dx.numpy() == 32.0
    assert dmiddle.numpy() == 8.0


def test_integer_intermediate_cuts_the_gradient(tf):
    x = tf.Variable(3.7)
    with tf.GradientTape() as tape:
        y = tf.cast(tf.cast(x, tf.int32), tf.float32) * 2.0
    assert tape.gradient(y, x) is None


def test_inner_tape_does_not_watch_for_the_outer_one(tf):
    x = tf.constant(3.0)
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = x * x
        assert inner.gradient(y, x).numpy() == 6.0
    assert outer.gradient(y, x) is None
