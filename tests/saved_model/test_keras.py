"""Keras models as SavedModels, by tf.saved_model.save, and SavedModels as layers."""

import numpy as np
import pytest

import gradtape as tf

keras = tf.keras
X = np.random.default_rng(0).random((4, 3)).astype("f")


def signature(model, folder):
    tf.saved_model.save(model, folder)
    loaded = tf.saved_model.load(folder)
    assert list(loaded.signatures) == ["serving_default"]
    return loaded.signatures["serving_default"]


def test_a_model_has_a_signature(tmp_path):
    model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(2)])
    serve = signature(model, tmp_path)
    assert serve.structured_input_signature == (
        (),
        {"inputs": tf.TensorSpec([None, 3], name="inputs")},
    )
    np.testing.assert_allclose(serve(inputs=X)["output_0"], model(X), rtol=1e-6)


def test_tensors_are_named_by_the_parameter(tmp_path):
    """As in TensorFlow, also those in a dictionary."""
    first, second = keras.Input((3,), name="first"), keras.Input((3,), name="second")
    outputs = {"sum": first + second, "twice": first * 2}
    serve = signature(keras.Model({"first": first, "second": second}, outputs), tmp_path)
    made = serve(inputs=X, inputs_1=X + 1)
    assert sorted(made) == ["sum", "twice"]
    np.testing.assert_allclose(made["sum"], 2 * X + 1, rtol=1e-6)


def test_a_model_that_has_been_called_has_a_signature_of_that_shape(tmp_path):
    class Model(keras.Model):
        def __init__(self):
            super().__init__()
            self.dense = keras.layers.Dense(2)

        def call(self, x):
            return self.dense(x)

    tf.saved_model.save(Model(), tmp_path / "not called")
    assert not tf.saved_model.load(tmp_path / "not called").signatures
    model = Model()
    model(X)
    serve = signature(model, tmp_path / "called")
    assert serve.structured_outputs["output_0"].shape == (4, 2)


def test_a_saved_model_is_a_layer_that_learns(tmp_path):
    model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(4), keras.layers.Dense(1)])
    model.export(tmp_path, verbose=False)
    layer = keras.layers.TFSMLayer(tmp_path)
    before = layer(X)
    np.testing.assert_allclose(before, model(X), rtol=1e-5)
    assert len(layer.trainable_weights) == 4
    outer = keras.Sequential([keras.Input((3,)), layer])
    outer.compile("sgd", "mse")
    outer.fit(X, X.sum(1, keepdims=True), verbose=0)
    assert np.abs(layer(X) - before).max() > 1e-4
    with pytest.raises(ValueError, match="The endpoint 'nothing' is neither an attribute of"):
        keras.layers.TFSMLayer(tmp_path, call_endpoint="nothing")


def test_a_keras_variable_of_a_variable_is_that_one():
    variable = tf.Variable([1.0, 2.0])
    same = keras.Variable(variable, dtype="float32")
    same.assign([3.0, 4.0])
    np.testing.assert_array_equal(variable, [3.0, 4.0])
    other = keras.Variable(variable, dtype="float64")
    other.assign([5.0, 6.0])
    np.testing.assert_array_equal(variable, [3.0, 4.0])
