"""Functions of TensorFlow on Keras's symbolic tensors, while a functional model is built."""

import subprocess
import sys

import numpy as np
import pytest

import gradtape as tf

# Functions of x [batch, 4, 6] and y [batch, 4, 6], which a model is to compute as they do.
CALLS = {
    "concat": lambda x, y: tf.concat([x, y], -1),
    "stack": lambda x, y: tf.stack([x, y], axis=1),
    "reshape": lambda x, y: tf.reshape(x, [-1, 24]),
    "reshape by sizes": lambda x, y: tf.reshape(x, [tf.shape(x)[0], 3, -1]),
    "sizes computed": lambda x, y: tf.reshape(x, [tf.shape(x)[0] * 2, tf.shape(x)[1] // 2, 6]),
    "sizes unpacked": lambda x, y: tf.zeros(list(tf.shape(x))) + x,
    "transpose": lambda x, y: tf.transpose(x, [0, 2, 1]),
    "matmul": lambda x, y: tf.matmul(x, y, transpose_b=True),
    "einsum": lambda x, y: tf.einsum("bij,bkj->bik", x, y),
    "reduce_mean": lambda x, y: tf.reduce_mean(x, axis=[1, 2], keepdims=True),
    "reduce_std": lambda x, y: tf.math.reduce_std(x, axis=1),
    "relu": lambda x, y: tf.nn.relu(x),
    "softmax": lambda x, y: tf.nn.softmax(x, axis=1),
    "leaky_relu": lambda x, y: tf.nn.leaky_relu(x, alpha=0.1),
    "exp": lambda x, y: tf.exp(x),
    "binary functions": lambda x, y: tf.multiply(tf.add(x, y), tf.maximum(x, 2.0)),
    "number first": lambda x, y: tf.subtract(1.0, x),
    "operators": lambda x, y: 2 * x - y / 3 + x**2,
    "tensor first": lambda x, y: tf.constant(2.0) * x + tf.ones([6]) - y,
    "slices": lambda x, y: x[:, 0, ::2] + y[..., 1, :3],
    "cast": lambda x, y: tf.cast(x > 0, tf.float32),
    "where": lambda x, y: tf.where(x > y, x, tf.zeros_like(y)),
    "clip": lambda x, y: tf.clip_by_value(x, -0.5, 0.5),
    "split": lambda x, y: tf.split(x, 3, axis=-1)[1],
    "unstack": lambda x, y: tf.unstack(x, axis=1)[2],
    "expand and squeeze": lambda x, y: tf.squeeze(tf.expand_dims(x, 2), 2),
    "gather": lambda x, y: tf.gather(x, [2, 0], axis=1),
    "pad": lambda x, y: tf.pad(x, [[0, 0], [1, 1], [0, 2]], mode="CONSTANT"),
    "tile": lambda x, y: tf.tile(x, [1, 2, 1]),
    "tile by sizes": lambda x, y: tf.tile(tf.ones([1, 4, 6]), [tf.shape(x)[0], 1, 1]) * x,
    "argmax": lambda x, y: tf.argmax(x, axis=-1),
    "top_k": lambda x, y: tf.math.top_k(x, k=2)[0],
    "one_hot": lambda x, y: tf.one_hot(tf.argmax(x, axis=-1), 6),
    "norm": lambda x, y: tf.norm(x, axis=-1),
    "l2_normalize": lambda x, y: tf.nn.l2_normalize(x, axis=-1),
    "moments": lambda x, y: tf.nn.moments(x, axes=[1])[0],
    "resize": lambda x, y: tf.image.resize(x[..., None], (8, 12)),
    "conv1d": lambda x, y: tf.nn.conv1d(x, tf.ones([2, 6, 3]), 1, "SAME"),
    "fft": lambda x, y: tf.math.real(tf.signal.fft(tf.cast(x, tf.complex64))),
    "map_fn": lambda x, y: tf.map_fn(lambda row: row * 2, x),
    "stop_gradient": lambda x, y: tf.stop_gradient(x) + tf.identity(y),
    "convert_to_tensor": lambda x, y: tf.convert_to_tensor(x),
}


@pytest.fixture
def values():
    generator = np.random.default_rng(0)
    return [generator.normal(size=(3, 4, 6)).astype("float32") for _ in range(2)]


@pytest.mark.parametrize("name", CALLS)
def test_a_model_computes_what_the_function_computes(keras, values, name):
    x, y = keras.Input((4, 6)), keras.Input((4, 6))
    result = CALLS[name](x, y)
    assert isinstance(result, keras.KerasTensor)
    expected = CALLS[name](*map(tf.constant, values))
    model = keras.Model([x, y], result)
    np.testing.assert_allclose(model(values), expected, rtol=1e-6)
    assert standard(result.dtype) == expected.dtype.name
    assert len(result.shape) == len(expected.shape)
    for actual, size in zip(result.shape, expected.shape, strict=True):
        assert actual in (None, size)


def standard(dtype) -> str:
    return getattr(dtype, "name", dtype)


@pytest.mark.parametrize("name", sorted(CALLS.keys() - {"map_fn"}))
def test_saved_and_loaded(keras, values, tmp_path, name):
    x, y = keras.Input((4, 6)), keras.Input((4, 6))
    model = keras.Model([x, y], CALLS[name](x, y))
    model.save(tmp_path / "model.keras")
    loaded = keras.models.load_model(tmp_path / "model.keras")
    np.testing.assert_array_equal(loaded(values), model(values))


def test_static_sizes_are_kept(keras):
    x = keras.Input((4, 6))
    assert tf.reshape(x, [tf.shape(x)[0], 3, -1]).shape == (None, 3, 8)
    assert tf.reshape(x, [-1, tf.shape(x)[1] * tf.shape(x)[2]]).shape == (None, 24)
    assert tf.zeros((tf.shape(x)[0], 5)).shape == (None, 5)
    assert tf.range(tf.shape(x)[0]).shape == (None,)
    assert tf.concat([x, x], 1).shape == (None, 8, 6)
    sizes = tf.shape(x)
    assert len(sizes) == 3
    with pytest.raises(TypeError, match="Cannot iterate over a scalar tensor"):
        iter(sizes[0])


@pytest.mark.parametrize("compiled", [False, True])
def test_training(keras, compiled):
    if compiled:
        pytest.importorskip("jax")
    x = keras.Input((8,))
    hidden = keras.layers.Dense(6)(tf.concat([x, tf.square(x)], -1))
    rows = tf.reshape(tf.nn.tanh(hidden), [tf.shape(hidden)[0], 2, 3])
    model = keras.Model(x, keras.layers.Dense(1)(tf.reduce_sum(rows, axis=1)))
    model.compile(keras.optimizers.SGD(0.05), "mse", jit_compile=compiled)
    generator = np.random.default_rng(1)
    inputs = generator.normal(size=(64, 8)).astype("float32")
    history = model.fit(inputs, inputs[:, :1] ** 2, epochs=5, verbose=0).history["loss"]
    assert history[-1] < history[0]
    names = [operation.name for operation in model.operations]
    assert any(name.startswith("concat") for name in names)


def test_shapes_have_the_methods_of_tensorflow(keras):
    x = keras.Input((4, None))
    assert x.shape.as_list() == x.get_shape().as_list() == [None, 4, None]
    assert (x.shape.rank, x.shape[1], x.shape) == (3, 4, (None, 4, None))
    with pytest.raises(AttributeError, match="immutable"):
        x.shape = (1,)


def test_summary_names_the_functions(keras, capsys):
    x = keras.Input((8,))
    keras.Model(x, tf.nn.relu(x)).summary()
    assert "relu" in capsys.readouterr().out


def test_old_backend_functions_take_symbolic_tensors(keras):
    x = keras.Input((4,))
    K = keras.backend
    assert K.sum(K.square(x), axis=-1).shape == (None,)
    assert K.concatenate([x, x]).shape == (None, 8)


def test_errors_are_those_of_the_function(keras):
    x = keras.Input((4,))
    with pytest.raises(Exception, match="Ranks and dimensions of inputs should match"):
        tf.concat([x, tf.ones([1, 2, 3])], -1)


def test_a_function_without_a_public_name_says_where_to_call_it(keras):
    from gradtape.core.composites import apply_to_composites

    x = keras.Input((4,))
    with pytest.raises(ValueError, match="in the `call` method of a layer"):
        apply_to_composites("mine", lambda x: x, (x,), {})


def test_a_file_cannot_name_other_functions(keras):
    from keras_gradtape.src.symbolic.functions import Function

    for name in ("io.write_file", "py_function", "io.gfile.rmtree", "operator.call", "nothing"):
        with pytest.raises(ValueError, match=f"tf.{name} is no function that can be an operation"):
            Function(name)


def test_nothing_changes_before_the_first_symbolic_tensor():
    text = """
import gradtape as tf
before = tf.matmul, tf.nn.conv2d
import gradtape.keras
dense = tf.keras.layers.Dense(2)
dense(tf.ones((1, 2)))
assert (tf.matmul, tf.nn.conv2d) == before
tf.keras.Input((2,))
assert tf.matmul is before[0]  # it looks for tensors that are not plain ones, anyway
assert tf.nn.conv2d is not before[1]
assert tf.nn.conv2d.__wrapped__ is before[1]
"""
    subprocess.run([sys.executable, "-c", text], check=True)


def test_shapes_are_tensorflows_and_those_of_keras_are_tuples():
    x = tf.keras.Input((3, None))
    assert x.shape.as_list() == [None, 3, None]
    assert type(tf.keras.ops.shape(x)) is tuple
    assert tf.keras.ops.shape(x) == (None, 3, None)
    assert type(tf.keras.ops.shape(tf.keras.ops.ones((2, 3)))) is tuple


def test_functions_that_a_program_has_registered_others_for():
    """They have a second face, for a program's own types; a model names them all the same."""
    tf.keras.Input((3,))  # from here on, functions take symbolic tensors
    from keras_gradtape.src.symbolic.functions import _name_of

    _name_of.cache_clear()

    class Masked(tf.experimental.ExtensionType):
        values: tf.Tensor

    @tf.experimental.dispatch_for_unary_elementwise_apis(Masked)
    def apply(api, x: Masked):
        return Masked(api(x.values))

    try:
        x = tf.keras.Input((3,))
        model = tf.keras.Model(x, tf.nn.relu(tf.math.round(x)))
        np.testing.assert_array_equal(model(tf.constant([[-1.0, 2.4, 0.0]])), [[0.0, 2.0, 0.0]])
        assert tf.nn.relu(Masked([-1.0, 2.0])).values.numpy().tolist() == [0.0, 2.0]
    finally:
        tf.experimental.unregister_dispatch_for(apply)
