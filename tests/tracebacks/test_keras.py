"""Tracebacks of Keras's layers, models and functions: without the frames of gradtape's backend."""

import traceback

import pytest

import gradtape as tf
from gradtape.core import tracebacks
from gradtape.core.tracebacks.except_clause import SUPPORTED

pytestmark = [
    pytest.mark.keras,
    pytest.mark.skipif(not SUPPORTED, reason="tracebacks are complete on this Python"),
]


def own_layer():
    class Product(tf.keras.layers.Layer):
        def call(self, x):
            return tf.matmul(x, x)

    return Product()


def fit():
    model = tf.keras.Sequential([tf.keras.layers.Dense(2)])
    model.compile("sgd", "mse")
    model.fit(tf.ones([4, 3]), tf.ones([4, 5]), verbose=0)


def apply():
    variable = tf.Variable([1.0, 2.0])
    tf.keras.optimizers.SGD().apply_gradients([(tf.ones([3]), variable)])


FAILURES = {
    "function": (lambda: tf.keras.ops.matmul(tf.ones([2, 3]), tf.ones([2, 3])), "Matrix size"),
    "layer": (lambda: own_layer()(tf.ones([2, 3])), "Matrix size"),
    "fit": (fit, "Incompatible shapes: [4, 5] vs. [4, 2]"),
    "optimizer": (apply, "Cannot update variable"),
    "variable": (lambda: tf.keras.Variable([1.0]).assign_add([[1.0, 2.0]]), "shape"),
    "random": (lambda: tf.keras.random.normal([2, "a"]), "must be a vector of integers"),
    "loss": (lambda: tf.keras.losses.MeanSquaredError()(tf.ones(2), tf.ones(3)), "Incompatible"),
}


def raised_by(function):
    with pytest.raises(Exception) as caught:  # noqa: PT011 (any: its text is compared after it)
        function()
    return caught.value


def files_of(error):
    return [frame.filename for frame in traceback.extract_tb(error.__traceback__)]


@pytest.mark.parametrize("name", FAILURES)
def test_no_frame_of_the_backend_is_shown(name):
    function, words = FAILURES[name]
    error = raised_by(function)
    assert words in str(error)
    assert not [file for file in files_of(error) if file.startswith(tracebacks.FOLDERS)]
    assert "During handling" not in "".join(traceback.format_exception(error))
    assert __file__ in files_of(error)


def test_kerass_own_switch_shows_the_frames_of_its_backend():
    assert tf.keras.config.is_traceback_filtering_enabled()
    tf.keras.config.disable_traceback_filtering()
    try:
        files = files_of(raised_by(FAILURES["function"][0]))
    finally:
        tf.keras.config.enable_traceback_filtering()
    assert files[-1].startswith(tracebacks.FOLDERS[1])
    assert not [file for file in files if file.startswith(tracebacks.FOLDERS[0])]


def test_tensorflows_switch_shows_all_of_them():
    tf.debugging.disable_traceback_filtering()
    try:
        files = files_of(raised_by(FAILURES["function"][0]))
    finally:
        tf.debugging.enable_traceback_filtering()
    for folder in tracebacks.FOLDERS:
        assert [file for file in files if file.startswith(folder)]
