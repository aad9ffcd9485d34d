"""Asking a tape: names, several sources, warnings, used tapes, optimizers, and what it costs."""

import gc
import subprocess
import sys
import weakref

import numpy as np
import pytest

import gradtape as tf


def test_sources_are_called_as_the_program_calls_them():
    weights = [tf.Variable(1.0), tf.Variable(2.0, name="second")]
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as tape:
        loss = weights[0] * x
    explanation = tape.explain(loss, weights)
    assert [f.name for f in explanation] == ["`weights[0]`", "`weights[1]` ('second')"]
    assert [f.connected for f in explanation] == [True, False]
    assert [f.name for f in tape.explain(loss, [weights[0], x])] == ["`weights[0]`", "`x`"]
    assert [f.name for f in tape.explain(loss, sources=x)] == ["`x`"]
    assert str(tape.explain(loss, weights[0])) == "`weights[0]`: a gradient reaches it."


def test_sources_with_the_same_cause_share_one_text():
    a, b = tf.constant(1.0), tf.constant(2.0)
    with tf.GradientTape() as tape:
        loss = a * b
    text = str(tape.explain(loss, [a, b]))
    assert text.startswith("No gradient for `a` and `b`: it is a tensor")
    assert text.count("Remedy") == 1


def test_nested_sources_and_several_targets():
    x, y, z = tf.Variable(1.0), tf.Variable(2.0), tf.Variable(3.0)
    with tf.GradientTape() as tape:
        first, second = x * 1.0, y * 2.0
    explanation = tape.explain([first, second], {"a": x, "b": [y, z]})
    assert [f.connected for f in explanation.findings] == [True, True, False]
    assert explanation.missing[0].source is z


def test_explain_warns_with_the_same_text():
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        loss = tf.stop_gradient(x) * 2.0
    expected = str(tape.explain(loss, x))
    with pytest.warns(tf.NoGradientWarning) as caught:
        assert tape.gradient(loss, x, unconnected_gradients="explain") is None
    assert [str(w.message) for w in caught] == [expected]
    assert caught[0].filename == __file__


def test_explain_gives_the_gradients_there_are(recwarn):
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        loss = x * x
    assert tape.gradient(loss, x, unconnected_gradients="explain").numpy() == 6.0
    assert not recwarn.list
    with pytest.raises(RuntimeError, match="can only be used to compute one set"):
        tape.gradient(loss, x)


def test_jacobians_explain_as_well():
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = tf.round(x) * 2.0
    with pytest.warns(tf.NoGradientWarning, match="passes through `round`"):
        assert tape.jacobian(y, x, unconnected_gradients="explain") is None


def test_a_tape_that_has_just_given_none_can_still_say_why():
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        loss = tf.stop_gradient(x) * 2.0
    assert tape.gradient(loss, x) is None
    assert tape.explain(loss, x).cause.kind == "stop_gradient"


def test_a_used_tape_says_that_it_is_used():
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        loss = x * x
    tape.gradient(loss, x)
    for ask in (
        lambda: tape.explain(loss, x),
        tape.memory,
        tape.profile,
        tape.to_dot,
        tape.to_svg,
        tape.to_html,
    ):
        with pytest.raises(RuntimeError, match=r"let go of its record\. Ask before"):
            ask()
    assert str(tape) == repr(tape) == "<tf.GradientTape: used>"
    assert tape._repr_html_() is None


def test_a_tape_that_was_never_entered_says_so():
    tape = tf.GradientTape()
    with pytest.raises(RuntimeError, match="has recorded nothing"):
        tape.memory()
    assert str(tape) == "<tf.GradientTape: nothing recorded>"


def test_wrong_sources_are_named():
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        loss = x * x
    with pytest.raises(TypeError, match=r"tape\.explain: sources must be tensors .* source 1 is 3"):
        tape.explain(loss, [x, 3])


@pytest.mark.keras
def test_an_optimizer_that_receives_only_none_shows_why():
    x = tf.Variable([1.0, 2.0])
    optimizer = tf.keras.optimizers.SGD()
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.constant(x.numpy()))
    gradient = tape.gradient(loss, x)
    with pytest.raises(ValueError, match="No gradients provided") as caught:
        optimizer.apply_gradients([(gradient, x)])
    assert "left the engine by .numpy()" in str(caught.value)
    assert "tf.constant(x.numpy())" in str(caught.value)


@pytest.mark.keras
@pytest.mark.parametrize("name", ["SGD", "Adam", "RMSprop", "AdamW", "Lion"])
@pytest.mark.parametrize("also_by", [True, False])
def test_every_optimizer_shows_why_also_where_others_have_gradients(name, also_by):
    x, v = tf.Variable([1.0, 2.0], name="x"), tf.Variable([1.0, 2.0], name="v")
    optimizer = getattr(tf.keras.optimizers, name)()
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.stop_gradient(x) * v) if also_by else tf.reduce_sum(v)
    gradients = tape.gradient(loss, [x])
    with pytest.raises(ValueError, match="No gradients provided") as caught:
        optimizer.apply_gradients(zip(gradients, [x], strict=True))
    cause = "stop_gradient cuts the path" if also_by else "was not used while the tape was"
    assert cause in str(caught.value)


@pytest.mark.keras
def test_minimizing_a_function_shows_why():
    x = tf.Variable([1.0, 2.0], name="x")
    with pytest.raises(ValueError, match="No gradients provided") as caught:
        tf.keras.optimizers.SGD().minimize(lambda: tf.reduce_sum(tf.round(x)), [x])
    assert "passes through `round`" in str(caught.value)


@pytest.mark.keras
def test_fitting_a_model_that_cannot_learn_shows_why():
    class Rounded(tf.keras.layers.Layer):
        def call(self, x):
            return tf.round(x)

    model = tf.keras.Sequential([tf.keras.layers.Dense(2, name="first"), Rounded()])
    model.compile("sgd", "mse")
    with pytest.raises(ValueError, match="No gradients provided") as caught:
        model.fit(np.ones((4, 3), np.float32), np.ones((4, 2), np.float32), verbose=0)
    assert "first/kernel' and '" in str(caught.value)
    assert "passes through `round`, which has no derivative" in str(caught.value)
    assert "return tf.round(x)" in str(caught.value)


# --- tracking ------------------------------------------------------------------------------------


def test_tracking_is_off_by_default_and_leaves_no_trace():
    from gradtape.core.tensor import Tensor, TensorBase
    from gradtape.explain import origins

    before = (Tensor.__init__, TensorBase.numpy, TensorBase._single)
    assert not origins.is_tracking()
    tf.config.track_origins(True)
    assert origins.is_tracking()
    x = tf.constant(1.0)
    assert origins.origin_of(x).location.text == "x = tf.constant(1.0)"
    tf.config.track_origins(False)
    assert (Tensor.__init__, TensorBase.numpy, TensorBase._single) == before
    assert origins.origin_of(x) is None
    with pytest.raises(TypeError, match="takes True or False"):
        tf.config.track_origins("yes")


def test_tracking_keeps_nothing_alive():
    from gradtape.explain import origins

    tf.config.track_origins(True)
    try:
        x = tf.Variable(1.0)
        for _ in range(500):
            x.assign(x * 1.01)
            y = x * 2.0
        assert max(o.depth for o in origins.origin_of(y).ancestors()) <= 100
        del y
        gc.collect()
        assert len(origins._made._known) < 50
    finally:
        tf.config.track_origins(False)


def test_the_environment_turns_tracking_on():
    program = "import gradtape; from gradtape.explain import origins; print(origins.is_tracking())"
    for value, expected in (("1", "True"), ("0", "False")):
        done = subprocess.run(
            [sys.executable, "-c", program],
            env={"PYTHONPATH": ":".join(sys.path), "GRADTAPE_TRACK_ORIGINS": value},
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.strip() == expected


# --- what it costs -------------------------------------------------------------------------------


def test_importing_gradtape_does_not_load_the_explanations():
    program = (
        "import sys, gradtape as tf\n"
        "x = tf.Variable(1.0)\n"
        "with tf.GradientTape() as tape:\n    y = x * x\n"
        "tape.gradient(y, x)\n"
        "print([m for m in sys.modules if m.startswith('gradtape.explain')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={"PYTHONPATH": ":".join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "[]"


def test_a_record_keeps_no_local_values_of_the_program_alive():
    class Large:
        pass

    def step():
        large = Large()
        gone = weakref.ref(large)
        x = tf.Variable(1.0)
        with tf.GradientTape(persistent=True) as tape:
            y = tf.round(x) * x
            float(x * 2.0)
        return tape, y, gone

    tape, _, gone = step()
    gc.collect()
    assert gone() is None
    assert len(tape._recording.entries) == 2


def test_ends_of_paths_do_not_grow_with_the_length_of_a_loop():
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = x
        for _ in range(100):
            y = tf.where(y > 0.0, y * 1.01, y)
    assert len(tape._recording.lost.ends) == 1
    assert tape.gradient(y, x) is not None


def test_pausing_leaves_everything_as_it_was():
    from gradtape.core.state import EMPTY, get_state

    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        with pytest.raises(KeyError), tape.stop_recording():
            raise KeyError
        assert len(get_state().tapes) == 1
        y = x * x
    assert get_state() is EMPTY
    np.testing.assert_allclose(tape.gradient(y, x).numpy(), 4.0)


# --- compiled functions ---------------------------------------------------------------------------


def compiled(function):
    """A tf.function that has been traced already."""
    made = tf.function(function)
    made()
    return made


def test_a_compiled_function_is_named_where_the_path_ends_inside_it():
    x = tf.Variable(3.0)
    loss_of = compiled(lambda: tf.round(x) * x.read_value())
    cut = compiled(lambda: tf.round(x * 2.0))
    with tf.GradientTape(persistent=True) as tape:
        loss, target = loss_of(), cut()
    assert tape.explain(loss, x).cause is None
    cause = tape.explain(target, x).cause
    assert cause.kind in ("inside_function", "no_derivative")  # one op, or seen through
    if cause.kind == "inside_function":
        assert "inside a compiled tf.function no path leads" in cause.text()
        assert "tf.config.run_functions_eagerly(True)" in cause.text()


def test_tracking_sees_through_functions():
    x = tf.Variable(3.0)
    cut = compiled(lambda: tf.round(x * 2.0))
    tf.config.track_origins(True)
    try:
        assert tf.config.functions_run_eagerly()
        with tf.GradientTape() as tape:
            target = cut()
        assert tape.explain(target, x).cause.kind == "no_derivative"
    finally:
        tf.config.track_origins(False)
    assert not tf.config.functions_run_eagerly()
