"""What cannot be exported says so, and why, before a file is written."""

import os
import re

import numpy as np
import pytest

import gradtape as tf

OPEN = tf.TensorSpec([None, 3])


def loop_over_rows(x):
    total = tf.zeros(3)
    for i in range(x.shape[0]):
        total = total * 0.5 + x[i]
    return total


def triangle(x):
    return x * tf.constant(np.tri(x.shape[0], 3, dtype="float32"))


COUNT = tf.Variable(0.0)
CASES = {
    "an op without a row": (
        lambda x: tf.math.lgamma(x),
        OPEN,
        r"tf\.export\.onnx: op lgamma \(test_export_errors\.py, line \d+\): there is no form of it "
        r"in ONNX\.",
    ),
    "a loop in Python": (
        loop_over_rows,
        OPEN,
        r"op \w+ \(test_export_errors\.py, line \d+\): which ops follow depends on an open size .* "
        r"write the loop with tf\.scan or tf\.while_loop\.",
    ),
    "a table of NumPy": (
        triangle,
        OPEN,
        r"op multiply \(test_export_errors\.py, line \d+\): a constant depends on an open size of "
        r"the signature \(its shape is \[67, 3\] and \[98, 3\] in two traces\)",
    ),
    "a size that is no expression": (
        lambda x: tf.zeros([x.shape[0] ** 3 % 71, 2]),
        OPEN,
        r"tf\.export\.onnx: a size depends on the open sizes of the signature in a way that ONNX "
        r"cannot express \(it is 7, 1, 59, 46, 16 in the traces\)",
    ),
    "a value in Python": (
        lambda x: x + tf.reduce_sum(x).numpy(),
        OPEN,
        r"cannot be exported, because Python needs the value of a tensor: .*_errors\.py:\d+: ",
    ),
    "state": (
        lambda x: x + COUNT.assign_add(1.0),
        OPEN,
        r"computes with variables that it assigns to \(Variable\), and an exported model has no "
        r"state\. Export a function that takes their values as arguments, and returns the new ones",
    ),
    "random numbers": (
        lambda x: x + tf.random.normal([3]),
        OPEN,
        r"draws random numbers on each call\. Export it as it is used for inference",
    ),
    "an effect": (
        lambda x: (tf.print(x), x)[1],
        OPEN,
        r"prints, checks or calls Python on each call, which an ONNX model cannot\.",
    ),
    "complex results": (
        lambda x: tf.cast(x, tf.complex64),
        OPEN,
        r"takes or returns complex numbers, which ONNX does not compute with\.",
    ),
    "complex arithmetic": (
        lambda x: tf.abs(tf.exp(tf.cast(x, tf.complex64))),
        OPEN,
        r"op \w+ \(test_export_errors\.py, line \d+\): ",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_what_has_no_form_in_onnx(name, tmp_path):
    function, spec, message = CASES[name]
    with pytest.raises(NotImplementedError, match=message) as caught:
        tf.export.onnx(function, [spec], tmp_path / "model.onnx")
    assert str(caught.value).startswith("tf.export.onnx: ")
    assert os.listdir(tmp_path) == []


def test_malformed_calls():
    with pytest.raises(TypeError, match=r"tf\.export\.onnx: 3 is no function\."):
        tf.export.onnx(3, [OPEN])
    with pytest.raises(TypeError, match=r"the specs of the arguments are missing: signature=\[tf"):
        tf.export.onnx(lambda x: x)
    with pytest.raises(TypeError, match=r"must have tf\.TensorSpecs or example tensors, not <"):
        tf.export.onnx(lambda x: x, [object()])
    with pytest.raises(ValueError, match=r"has an unknown rank\. Open sizes are written as None"):
        tf.export.onnx(lambda x: x, [tf.TensorSpec(None)])
    with pytest.raises(ValueError, match=re.escape("opset must be one of [17, 18, 19, 20, 21]")):
        tf.export.onnx(lambda x: x, [OPEN], opset=9)
    with pytest.raises(NotImplementedError, match="ONNX has BitwiseAnd as needed here from opset"):
        tf.export.onnx(
            lambda x: tf.bitwise.bitwise_and(x, x), [tf.TensorSpec([2], tf.int32)], opset=17
        )


def test_errors_of_the_function_are_its_own():
    with pytest.raises(ValueError, match=r"Matrix size-incompatible|shape"):
        tf.export.onnx(lambda x: x @ tf.ones((4, 2)), [OPEN])


def test_keras_has_no_other_options(tmp_path):
    model = tf.keras.Sequential([tf.keras.Input((3,)), tf.keras.layers.Dense(2)])
    with pytest.raises(TypeError, match=r"export\(format='onnx'\) has no arguments \['dynamo'\]"):
        model.export(tmp_path / "m.onnx", format="onnx", dynamo=True)


def test_a_program_of_xla_has_fixed_sizes():
    with pytest.raises(ValueError, match=r"tf\.export\.stablehlo: .* has an open size, and an XLA"):
        tf.export.stablehlo(lambda x: x, [OPEN])
