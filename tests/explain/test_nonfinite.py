"""The gallery of inf and nan: the true op and line are named, by a tape and by the watchdog."""

import os

import numpy as np
import pytest

import gradtape as tf
from tests.explain.nan_programs import PROGRAMS


def ids(broken):
    return broken.name


def where(broken) -> str:
    return f"{os.path.relpath(broken.file)}:{broken.line}"


def test_there_are_many_programs():
    assert len(PROGRAMS) >= 15


@pytest.mark.parametrize("broken", PROGRAMS, ids=ids)
def test_the_op_the_line_and_the_cure(broken):
    kind, op = broken.kind.split()
    tape, loss = broken.program()
    finding = tape.find_nonfinite(loss)
    first, *rest = str(finding).splitlines()
    assert (finding.kind, finding.op) == (kind, op)
    assert f"`{op}`" in first
    assert broken.words in first
    assert rest[0].strip().startswith(where(broken))
    assert broken.code in str(finding)
    assert finding.cure


@pytest.mark.parametrize("broken", PROGRAMS, ids=ids)
def test_something_is_not_finite_indeed(broken):
    tape, loss = broken.program()
    gradients = tape.gradient(loss, list(tape.watched_variables()))
    assert not all(np.isfinite(x.numpy()).all() for x in [loss, *gradients])


# Raised at the first op that is not finite, even where a `where` would hide its value.
HIDDEN = {"where_trap": "value", "where_trap_of_a_quotient": "value"}
# The mask itself is made of -inf here, and is what comes first.
EARLIER = {"mask_that_leaves_nothing", "nan_in_the_weights"}


@pytest.mark.parametrize("broken", [b for b in PROGRAMS if b.name not in EARLIER], ids=ids)
def test_the_watchdog_raises_at_the_same_line(broken):
    kind, op = broken.kind.split()

    def run():
        tape, loss = broken.program()
        tape.gradient(loss, list(tape.watched_variables()))

    with pytest.raises(tf.NonFiniteError) as caught, tf.debug_nonfinite():
        run()
    finding = caught.value.finding
    assert finding.op == op
    assert finding.kind == HIDDEN.get(broken.name, kind)
    assert str(finding.location) == where(broken)
    assert isinstance(caught.value, tf.errors.InvalidArgumentError)


def test_the_watchdog_lets_infinities_pass_on_request():
    with tf.debug_nonfinite(only_nan=True):
        y = tf.exp(tf.constant(1000.0))
        with pytest.raises(tf.NonFiniteError, match="infinity minus infinity"):
            y - y


def test_the_watchdog_sees_nothing_after_its_block():
    with pytest.raises(tf.NonFiniteError), tf.debug_nonfinite():
        tf.math.log(tf.constant(0.0))
    assert tf.math.log(tf.constant(0.0)).numpy() == -np.inf


def test_the_where_trap_is_called_by_its_name():
    tape, loss = next(b for b in PROGRAMS if b.name == "where_trap").program()
    finding = tape.find_nonfinite(loss)
    assert finding.trap
    assert "`where` trap" in finding.cure


def test_where_all_is_finite_nothing_is_found():
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape(persistent=True) as tape:
        loss = tf.reduce_sum(tf.math.log(x))
    assert tape.find_nonfinite(loss) is None


def test_a_harmless_infinity_is_not_reported():
    x = tf.Variable([[1.0, 2.0]])
    with tf.GradientTape(persistent=True) as tape:
        scores = tf.where([[True, False]], x, float("-inf"))
        loss = tf.reduce_sum(tf.nn.softmax(scores) ** 2)
    assert tape.find_nonfinite(loss) is None


def test_only_the_sources_that_are_asked_for_count():
    x, y = tf.Variable(0.0), tf.Variable(1.0)
    with tf.GradientTape(persistent=True) as tape:
        loss = tf.sqrt(x) + y
    assert tape.find_nonfinite(loss, y) is None
    assert tape.find_nonfinite(loss, [x, y]).op == "sqrt"


def test_the_values_are_those_of_the_time_of_recording():
    x = tf.Variable(0.0)
    with tf.GradientTape(persistent=True) as tape:
        loss = tf.math.log(x)
    x.assign(1.0)
    assert tape.find_nonfinite(loss).op == "log"


def test_wrong_arguments_and_used_tapes():
    x = tf.Variable(1.0)
    with tf.GradientTape() as tape:
        loss = x * x
    with pytest.raises(TypeError, match="the target must be a tensor"):
        tape.find_nonfinite("loss")
    with pytest.raises(ValueError, match="not computed from anything that this tape watches"):
        tape.find_nonfinite(tf.constant(float("nan")))
    tape.gradient(loss, x)
    with pytest.raises(RuntimeError, match="has given its gradient and let go of its record"):
        tape.find_nonfinite(loss)


def test_inside_a_compiled_function():
    x = tf.Variable(0.0)

    @tf.function
    def logarithm():
        return tf.math.log(x * 2.0)

    logarithm()
    with pytest.raises(tf.NonFiniteError, match="of `log` is not finite"), tf.debug_nonfinite():
        logarithm()
    assert not tf.config.functions_run_eagerly()
    with tf.GradientTape() as tape:
        y = logarithm()
    finding = tape.find_nonfinite(y)
    assert finding.op in ("tf.function", "log")  # one op to the tape, or seen through
    if finding.op == "tf.function":
        assert "run the step in `with tf.debug_nonfinite():`" in finding.cure


def test_zero_times_infinity_names_the_ops_that_give_0():
    p = tf.Variable([0.0, 1.0])
    said = r"0 times infinity(.|\n)*tf\.math\.xlogy\(x, y\)"
    with pytest.raises(FloatingPointError, match=said), tf.debug_nonfinite(only_nan=True):
        p * tf.math.log(p)
