"""Serialized XLA programs, run by JAX alone."""

import numpy as np
import pytest

import gradtape as tf

pytest.importorskip("jax", reason="XLA is reached by way of JAX, an optional package")


def test_jax_runs_a_program(tmp_path):
    from jax import export

    layer = tf.keras.layers.LSTM(3, return_sequences=True)
    x = np.random.default_rng(0).normal(size=(2, 20, 4)).astype("float32")
    wanted = layer(x)
    path = tmp_path / "model.stablehlo"
    tf.export.stablehlo(layer, [tf.TensorSpec([2, 20, 4])], path)
    program = export.deserialize(bytearray(path.read_bytes()))
    np.testing.assert_allclose(program.call(x)[0], wanted, rtol=1e-5, atol=1e-6)
    assert [(a.shape, str(a.dtype)) for a in program.in_avals] == [((2, 20, 4), "float32")]


def test_doubles_and_loops():
    from jax import enable_x64, export

    def power(x):
        return tf.while_loop(lambda y: tf.reduce_sum(y) < 50.0, lambda y: (y * 1.5 + 1,), (x,))[0]

    x = np.array([0.1, 0.3])
    data = tf.export.stablehlo(power, [tf.TensorSpec([2], tf.float64)])
    with enable_x64(True):
        result = export.deserialize(bytearray(data)).call(x)[0]
    np.testing.assert_allclose(result, power(tf.constant(x)), rtol=1e-14)


def test_what_is_no_xla_program():
    with pytest.raises(NotImplementedError, match="is no XLA program: it prints, checks or writes"):
        tf.export.stablehlo(lambda x: (tf.print(x), x)[1], [tf.TensorSpec([2])])
