"""The life of a tape: entering, leaving, reuse, persistence, exceptions."""

import gc

import numpy as np
import pytest

REUSED = (
    r"A non-persistent GradientTape can only be used to compute one set of gradients "
    r"\(or jacobians\)"
)


# Reuse and persistence


def test_second_gradient_of_a_non_persistent_tape_is_an_error(tf):
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = x * x
    tape.gradient(y, x)
    with pytest.raises(RuntimeError, match=REUSED):
        tape.gradient(y, x)


def test_jacobian_uses_a_non_persistent_tape_up(tf):
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = x * x
    tape.jacobian(y, x)
    with pytest.raises(RuntimeError, match=REUSED):
        tape.gradient(y, x)
    with pytest.raises(RuntimeError, match=REUSED):
        tape.jacobian(y, x)


def test_tape_never_entered_gives_no_gradient(tf):
    x = tf.Variable(3.0)
    with pytest.raises(RuntimeError):
        tf.GradientTape().gradient(x, x)


def test_persistent_tape_gives_several_gradients(tf):
    x = tf.Variable(3.0)
    with tf.GradientTape(persistent=True) as tape:
        y = x * x
        z = y * y
    assert tape.gradient(z, x).numpy() == 108.0
    assert tape.gradient(y, x).numpy() == 6.0
    assert tape.gradient(z, y).numpy() == 18.0
    assert tape.gradient(z, x).numpy() == 108.0


def test_failed_gradient_of_a_persistent_tape_leaves_it_usable(tf):
    x = tf.Variable([3.0])
    with tf.GradientTape(persistent=True) as tape:
        y = tf.tanh(x)
    with pytest.raises(tf.errors.InvalidArgumentError):
        tape.gradient(y, x, output_gradients=tf.constant([1.0, 2.0]))
    np.testing.assert_allclose(tape.gradient(y, x).numpy(), 1 - np.tanh([3.0]) ** 2, rtol=1e-4)


def test_deleting_a_persistent_tape(tf):
    x = tf.Variable(3.0)
    with tf.GradientTape(persistent=True) as tape:
        y = x * x
    gradient = tape.gradient(y, x)
    del tape
    gc.collect()
    assert gradient.numpy() == 6.0
    assert y.numpy() == 9.0


# Gradient inside the context


def test_gradient_inside_the_context_ends_a_non_persistent_tape(tf):
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = x * x
        gradient = tape.gradient(y, x)
        z = gradient * x
        with pytest.raises(RuntimeError, match=REUSED):
            tape.gradient(z, x)
    assert gradient.numpy() == 6.0


def test_after_gradient_inside_the_context_the_tape_no_longer_records(tf):
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        tape.gradient(x * x, x)
        with pytest.raises(RuntimeError, match="not recording"), tape.stop_recording():
            pass


def test_gradient_inside_a_persistent_tape_warns_and_is_recorded(tf, logged):
    x = tf.Variable(3.0)
    with tf.GradientTape(persistent=True) as tape:
        y = x * x
        gradient = tape.gradient(y, x)
        z = gradient * x
    assert any(
        text.startswith("Calling GradientTape.gradient on a persistent tape inside its context")
        for text in logged
    )
    assert tape.gradient(gradient, x).numpy() == 2.0
    assert tape.gradient(z, x).numpy() == 12.0


def test_gradient_inside_stop_recording_is_not_recorded(tf, logged):
    x = tf.Variable(3.0)
    with tf.GradientTape(persistent=True) as tape:
        y = x * x
        with tape.stop_recording():
            gradient = tape.gradient(y, x)
        z = gradient * x
    assert logged == []
    assert tape.gradient(gradient, x) is None
    assert tape.gradient(z, x).numpy() == 6.0


# stop_recording and reset


def test_stop_recording_leaves_operations_out(tf):
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = x * x
        with tape.stop_recording():
            y = y * x
        z = y * x
    assert tape.gradient(z, x).numpy() == 27.0


def test_stop_recording_does_not_watch_variables(tf):
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape, tape.stop_recording():
        x * x
    assert tape.watched_variables() == ()


def test_stop_recording_stops_one_tape_only(tf):
    x = tf.Variable(3.0)
    with tf.GradientTape() as outer, tf.GradientTape() as inner, outer.stop_recording():
        y = x * x
    assert outer.gradient(y, x) is None
    assert inner.gradient(y, x).numpy() == 6.0


def test_tape_inside_stop_recording(tf):
    x = tf.Variable(3.0)
    with tf.GradientTape() as outer:
        with outer.stop_recording():
            with tf.GradientTape() as inner:
                y = x * x
            assert inner.gradient(y, x).numpy() == 6.0
        z = y * x
    assert outer.gradient(z, x).numpy() == 9.0


def test_exception_inside_stop_recording_resumes_recording(tf):
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        with pytest.raises(KeyError), tape.stop_recording():
            raise KeyError
        y = x * x
    assert tape.gradient(y, x).numpy() == 6.0


def test_stop_recording_outside_the_context(tf):
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        x * x
    with pytest.raises(ValueError, match="Tape is not recording"), tape.stop_recording():
        pass


def test_stop_recording_of_a_tape_never_entered(tf):
    with (
        pytest.raises(RuntimeError, match="Trying to stop recording a tape which is not"),
        tf.GradientTape().stop_recording(),
    ):
        pass


def test_stop_recording_twice_at_once(tf):
    with (
        tf.GradientTape() as tape,
        tape.stop_recording(),
        pytest.raises(ValueError, match="Tape is not recording"),
        tape.stop_recording(),
    ):
        pass


def test_reset_forgets_operations_and_what_was_watched(tf):
    x, c = tf.Variable(3.0), tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(c)
        before = x * x
        tape.reset()
        assert tape.watched_variables() == ()
        y = before * c * x
    dx, dc = tape.gradient(y, [x, c])
    assert dx.numpy() == 18.0
    assert dc is None


def test_reset_keeps_a_persistent_tape_persistent(tf):
    x = tf.Variable(3.0)
    with tf.GradientTape(persistent=True) as tape:
        x * x
        tape.reset()
        y = x * x * x
    assert tape.gradient(y, x).numpy() == 27.0
    assert tape.gradient(y, x).numpy() == 27.0


# Entering again


@pytest.mark.parametrize("persistent", [False, True])
def test_entering_again_goes_on_with_the_same_record(tf, persistent):
    x = tf.Variable(3.0)
    tape = tf.GradientTape(persistent=persistent)
    with tape:
        y = x * x
    outside = y * x
    with tape:
        z = y * x
    assert tape.gradient([z, outside], x).numpy() == 27.0


def test_entering_again_after_gradient_begins_anew(tf):
    x = tf.Variable(3.0)
    tape = tf.GradientTape()
    with tape:
        y = x * x
    assert tape.gradient(y, x).numpy() == 6.0
    with tape:
        z = y * x
    assert tape.gradient(z, x).numpy() == 9.0


def test_entering_an_active_tape_is_an_error(tf):
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        with pytest.raises(ValueError, match="Tape is still recording"):
            tape.__enter__()
        y = x * x
    assert tape.gradient(y, x).numpy() == 6.0


def test_leaving_twice_does_no_harm(tf):
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = x * x
    tape.__exit__(None, None, None)
    assert tape.gradient(y, x).numpy() == 6.0


# Exceptions


class _Failure(Exception):
    pass


def _fail_after(work):
    work()
    raise _Failure


def test_exception_passes_through_and_leaves_a_clean_stack(tf):
    x = tf.Variable(3.0)
    failed = tf.GradientTape()
    with pytest.raises(_Failure), failed, tf.GradientTape():
        _fail_after(lambda: x * x)
    outside = x * x
    assert failed.gradient(outside, x) is None
    with tf.GradientTape() as tape:
        y = x * x * x
    assert tape.gradient(y, x).numpy() == 27.0
    assert [v is x for v in tape.watched_variables()] == [True]


def test_what_was_recorded_before_an_exception_can_be_differentiated(tf):
    x = tf.Variable(3.0)
    results = []
    with pytest.raises(_Failure), tf.GradientTape() as tape:
        _fail_after(lambda: results.append(x * x))
    assert tape.gradient(results[0], x).numpy() == 6.0


def test_failing_operation_leaves_the_tape_recording(tf):
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        with pytest.raises(tf.errors.InvalidArgumentError):
            x + tf.constant([1.0, 2.0, 3.0])
        y = x * x
    np.testing.assert_array_equal(tape.gradient(y, x).numpy(), [2.0, 4.0])


def test_exception_in_a_gradient_function_leaves_a_clean_stack(tf):
    @tf.custom_gradient
    def failing(x):
        def gradient(dy):
            raise _Failure

        return x * 1.0, gradient

    x = tf.Variable(3.0)
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = failing(x)
        with pytest.raises(_Failure):
            inner.gradient(y, x)
        z = x * x
    assert outer.gradient(z, x).numpy() == 6.0


def test_a_tape_lists_its_variables_after_a_jacobian(tf):
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = x * x
    tape.jacobian(y, x)
    assert [v is x for v in tape.watched_variables()] == [True]
    with pytest.raises(RuntimeError, match="one set of gradients"):
        tape.jacobian(y, x)
