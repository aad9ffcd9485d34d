"""What an ONNX file has, read back by gradtape's own protocol buffers."""

import os

import numpy as np
import pytest

import gradtape as tf
from gradtape.formats import onnx as messages
from tests.exporting.reading import read


def affine():
    weight = tf.Variable(np.arange(6, dtype="float32").reshape(3, 2), name="weight")
    return tf.function(lambda x: tf.nn.relu(x @ weight) + 1.0), weight


def test_a_function_is_inputs_weights_and_ops():
    function, weight = affine()
    model = read(tf.export.onnx(function, [tf.TensorSpec([None, 3], name="x")]))
    assert model.opset == 21
    assert model.producer == "gradtape"
    assert model.ops == ["MatMul", "Relu", "Add", "Identity"]
    assert model.inputs == {"x": ("float32", "size_0_0", 3)}
    assert model.outputs == {"output_0": ("float32", "size_0_0", 2)}
    assert set(model.weights) == {"weight", "constant"}
    np.testing.assert_array_equal(model.weights["weight"], weight)


def test_fixed_sizes_are_numbers():
    function, _ = affine()
    model = read(tf.export.onnx(function, [tf.TensorSpec([5, 3])]))
    assert model.inputs == {"input_0": ("float32", 5, 3)}
    assert model.outputs == {"output_0": ("float32", 5, 2)}


def test_an_input_signature_and_a_concrete_function_have_specs():
    function, _ = affine()
    signed = tf.function(function.python_function, input_signature=[tf.TensorSpec([None, 3])])
    concrete = function.get_concrete_function(tf.TensorSpec([None, 3]))
    expected = read(tf.export.onnx(function, [tf.TensorSpec([None, 3])]))
    assert read(tf.export.onnx(signed)).ops == expected.ops
    assert read(tf.export.onnx(concrete)).outputs == expected.outputs


def test_examples_and_nests_are_specs():
    def add(pair, c):
        return {"sum": pair["a"] + pair["b"], "scaled": c * pair["a"]}

    pair = {"a": tf.TensorSpec([None]), "b": tf.TensorSpec([None], name="b")}
    model = read(tf.export.onnx(add, [pair, tf.constant(2.0)]))
    assert model.inputs == {
        "input_0": ("float32", "batch"),
        "b": ("float32", "batch"),
        "input_2": ("float32",),
    }
    assert set(model.outputs) == {"sum", "scaled"}


def test_what_is_constant_is_computed_now():
    model = read(
        tf.export.onnx(lambda x: x * tf.sin(tf.range(3.0)) ** 2, [tf.TensorSpec([None, 3])])
    )
    assert model.ops == ["Mul", "Identity"]


def test_one_open_size_of_a_reshape_follows_from_the_others():
    function = lambda x: tf.reshape(x, [x.shape[0], -1])  # noqa: E731
    model = read(tf.export.onnx(function, [tf.TensorSpec([None, 2, 3])]))
    assert model.ops == ["Reshape", "Identity"]
    np.testing.assert_array_equal(model.weights["constant"], [-1, 6])


def test_loops_over_open_axes_are_loops():
    function = lambda x: tf.scan(lambda a, row: a + row, x)  # noqa: E731
    data = tf.export.onnx(function, [tf.TensorSpec([None, 3])])
    assert "If" in read(data).ops
    assert b"Scan" in data
    assert "Scan" in read(tf.export.onnx(function, [tf.TensorSpec([40, 3])])).ops


def test_an_lstm_is_one_op():
    layer = tf.keras.layers.LSTM(2)
    layer.build((None, None, 3))
    model = read(tf.export.onnx(layer, [tf.TensorSpec([None, None, 3])]))
    assert "LSTM" in model.ops


def test_keras_exports(tmp_path, capsys):
    model = tf.keras.Sequential([tf.keras.Input((3,), name="features"), tf.keras.layers.Dense(2)])
    path = str(tmp_path / "model.onnx")
    model.export(path, format="onnx", opset_version=18)
    assert f"Saved artifact at '{path}'." in capsys.readouterr().out
    made = read((tmp_path / "model.onnx").read_bytes())
    assert made.opset == 18
    assert made.inputs == {"features": ("float32", "size_0_0", 3)}
    assert {x.shape for x in made.weights.values()} == {(3, 2), (2,)}
    assert os.listdir(tmp_path) == ["model.onnx"]


def test_weights_beyond_a_message_lie_beside_it(tmp_path, monkeypatch):
    monkeypatch.setattr(messages, "MAX_BYTES", 5000)
    table = tf.Variable(np.arange(2000, dtype="float32").reshape(500, 4), name="table")
    small = tf.Variable([1.0, 2.0, 3.0, 4.0], name="small")
    function = lambda i: tf.gather(table, i) * small  # noqa: E731
    specs = [tf.TensorSpec([None], tf.int32)]
    with pytest.raises(ValueError, match=r"the weights take 8\d+ bytes, more than a message"):
        tf.export.onnx(function, specs)
    tf.export.onnx(function, specs, tmp_path / "model.onnx")
    made = read((tmp_path / "model.onnx").read_bytes())
    position = {"location": "model.onnx.data", "offset": "0", "length": "8000"}
    assert made.weights["table"] == position
    np.testing.assert_array_equal(made.weights["small"], small)
    written = np.fromfile(tmp_path / "model.onnx.data", "float32", 2000)
    np.testing.assert_array_equal(written.reshape(500, 4), table)


def test_an_assignment_that_no_result_depends_on_is_left_out():
    count = tf.Variable(0)

    def counted(x):
        count.assign_add(1)
        return x + 1.0

    assert read(tf.export.onnx(counted, [tf.TensorSpec([2])])).ops == ["Add", "Identity"]
