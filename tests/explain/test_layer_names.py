"""Ops know the layers, models and name scopes that they ran in; reports show them."""

import os
import subprocess
import sys

import pytest

import gradtape as tf
from gradtape.core.scope import op_scope
from gradtape.explain.paths import RecordingGraph


def block(name):
    layers = tf.keras.layers
    return tf.keras.Sequential(
        [layers.Dense(3, activation="relu", name="dense"), layers.Dense(2, name="out")], name=name
    )


@pytest.fixture(scope="module")
def model():
    encoder = tf.keras.Sequential([block("block_1"), block("block_2")], name="encoder")
    inputs = tf.keras.Input((2,))
    head = tf.keras.layers.Dense(1, name="head")
    return tf.keras.Model(inputs, head(encoder(inputs)), name="model")


@pytest.fixture
def tape(model):
    with tf.GradientTape(persistent=True) as tape:
        y = model(tf.ones((4, 2)))
        tape.loss = tf.keras.losses.MeanSquaredError()(tf.zeros((4, 1)), y) * 2.0
    return tape


def layers_of(tape):
    return [op.layer for op in RecordingGraph(tape._recording).ops]


def test_every_op_has_the_path_of_its_layer(tape):
    seen = list(dict.fromkeys(layers_of(tape)))
    assert seen == [
        "model/encoder/block_1/dense",
        "model/encoder/block_1/out",
        "model/encoder/block_2/dense",
        "model/encoder/block_2/out",
        "model/head",
        "mean_squared_error",
        "",
    ]


def test_the_table_of_a_tape_has_layers_and_full_names_of_variables(tape):
    text = str(tape)
    assert text.splitlines()[0] == repr(tape)
    assert "model/encoder/block_2/dense/kernel" in text
    assert text.splitlines()[2].split() == "# op inputs result kept layer line code".split()


def test_memory_and_times_are_summed_by_layer(tape):
    memory, times = tape.memory(), tape.profile(tape.loss)
    for by_layer in (memory.by_layer, times.by_layer):
        ops = {share.name: share.ops for share in by_layer}
        assert ops["model/encoder/block_1/dense"] == 3
        assert ops["(no layer)"] == 1
        assert sum(ops.values()) == len(layers_of(tape))
    assert sum(share.bytes for share in memory.by_layer) == memory.total_bytes
    assert "By layer" in str(memory)
    assert "By layer" in str(times)


def test_without_layers_reports_are_as_they_were():
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = x * x
    assert tape.memory().by_layer == []
    assert tape.profile(y).by_layer == []
    for text in (str(tape), str(tape.memory()), str(tape.profile(y))):
        assert " layer" not in text


def test_an_explanation_names_the_layer_and_the_variable():
    class Steps(tf.keras.layers.Layer):
        def call(self, x):
            return tf.round(x)

    stack = [tf.keras.layers.Dense(2, name="first"), Steps(name="steps")]
    model = tf.keras.Sequential(stack, name="outer")
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(model(tf.ones((1, 3))))
    explanation = tape.explain(loss, model.trainable_variables)
    assert "in test_an_explanation_names_the_layer_and_the_variable.<locals>.Steps.call" in str(
        explanation
    )
    assert ", layer outer/steps" in str(explanation)
    assert "outer/first/kernel" in str(explanation)
    assert explanation.cause.location.layer == "outer/steps"


def test_a_nan_is_found_in_its_layer_forward_and_backward():
    class Root(tf.keras.layers.Layer):
        def call(self, x):
            return tf.sqrt(x)

    model = tf.keras.Sequential([Root(name="root")], name="net")
    x = tf.constant([0.0])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = model(x * 1.0)
    assert tape.find_nonfinite(y).location.layer == "net/root"
    with tf.debug_nonfinite(), pytest.raises(tf.NonFiniteError, match="layer net/root"):
        tape.gradient(y, x)
    with tf.debug_nonfinite(), pytest.raises(tf.NonFiniteError, match="layer net/root"):
        model(x - 1.0)


def test_name_scopes_are_noted_as_layers_are():
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        with tf.name_scope("outer"):
            y = x * x
            with tf.name_scope("inner"):
                y = y * x
            with tf.name_scope("empty"):
                pass
            y = y * x
        y = y * x
    assert layers_of(tape) == ["outer", "outer/inner", "outer", ""]
    assert len(tape._recording.scopes) == 4


def test_a_tape_that_begins_in_a_scope_knows_it():
    x = tf.Variable(2.0)
    with tf.name_scope("around"), tf.GradientTape() as tape:
        x * x
    assert layers_of(tape) == ["around"]


def test_what_is_opened_while_a_tape_pauses_counts_when_it_goes_on():
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        with tape.stop_recording():
            scope = tf.name_scope("late")
            scope.__enter__()
        x * x
        scope.__exit__(None, None, None)
        x * x
    assert layers_of(tape) == ["late", ""]


def test_an_error_in_a_layer_closes_its_scope():
    class Fails(tf.keras.layers.Layer):
        def call(self, x):
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        Fails()(tf.ones(2))
    assert op_scope() == ""


SCOPES = """
import gradtape as tf
from gradtape.engine.recording import Recording

recording = Recording(True)
for path in ("a", "a/b", "a"):
    recording.enter_scope(path)
recording.watch(tf.Variable(1.0))
recording.enter_scope("c")
assert recording.scopes == [(0, "a"), (1, "c")], recording.scopes
assert recording.outline().scopes == recording.scopes
x = tf.Variable([0.0])
with tf.name_scope("net"), tf.GradientTape(persistent=True) as tape:
    y = tf.sqrt(x)
try:
    with tf.debug_nonfinite():
        tape.gradient(y, x)
except tf.NonFiniteError as error:
    assert error.finding.location.layer == "net"
    print("found")
"""


@pytest.mark.parametrize("native", ["0", "1"])
def test_the_core_in_python_and_in_c_note_the_same(native):
    done = subprocess.run(
        [sys.executable, "-c", SCOPES],
        env={**os.environ, "GRADTAPE_NATIVE": native, "PYTHONPATH": ":".join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == "found\n", done.stderr


def test_scopes_of_keras_are_named_as_keras_names_them():
    from keras.src.backend.common.name_scope import current_path

    from keras_gradtape.src.layer import base_name_scope, name_scope

    owner = object()
    for kind in (base_name_scope, name_scope):
        with kind("dense", caller=owner):
            with kind("dense", caller=owner):
                assert current_path() == "dense"
            assert current_path() == "dense"
            with kind("dense"):
                assert current_path() == "dense/dense"
        assert current_path() == ""
