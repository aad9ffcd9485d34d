"""Conversion, control flow, indexed updates and gradients of the backend's core."""

import importlib

import ml_dtypes
import numpy as np
import pytest

import gradtape as tf


@pytest.fixture(scope="module")
def core(keras):
    from keras.src import backend

    return backend.core


# --- conversion ----------------------------------------------------------------------------------


def test_tensors_that_need_no_change_are_returned_as_they_are(core):
    x = tf.constant([1.0])
    assert core.convert_to_tensor(x) is x
    assert core.convert_to_tensor(x, "float32") is x
    assert core.cast(x, "float32") is x


@pytest.mark.parametrize(
    ("value", "dtype", "expected"),
    [
        (True, None, tf.bool),
        (3, None, tf.int32),
        (2**40, None, tf.int64),
        (0.5, None, tf.float32),
        (1j, None, tf.complex64),
        ([1, 2], None, tf.int32),
        ([1, 2.5], None, tf.float32),
        ([[True]], None, tf.bool),
        ([], None, tf.float32),
        (np.zeros(2), None, tf.float64),
        (np.arange(3), None, tf.int64),
        (2.7, "int32", tf.int32),
        (np.float16(1), None, tf.float16),
        ([0, 2], "bool", tf.bool),
        ([1.5], "bfloat16", tf.bfloat16),
        (-1, "uint8", tf.uint8),
        ("text", None, tf.string),
        (np.ones(2, ">f4"), None, tf.float32),
        (range(3), None, tf.int64),
    ],
)
def test_dtype_of_converted_values(core, value, dtype, expected):
    assert core.convert_to_tensor(value, dtype).dtype is expected


def test_values_are_cast_where_tensorflow_would_refuse(core):
    assert int(core.convert_to_tensor(2.7, "int32")) == 2
    assert int(core.convert_to_tensor(-1, "uint8")) == 255
    np.testing.assert_array_equal(core.convert_to_tensor([0, 2], "bool"), [False, True])


def test_floats_follow_floatx(core, keras):
    keras.config.set_floatx("float64")
    try:
        assert core.convert_to_tensor(0.1).dtype is tf.float64
        assert core.convert_to_tensor([0.1]).dtype is tf.float64
        assert float(core.convert_to_tensor(0.1)) == 0.1
    finally:
        keras.config.set_floatx("float32")


def test_arrays_are_copied(core):
    array = np.ones(2, "float32")
    x = core.convert_to_tensor(array)
    array[0] = 5.0
    np.testing.assert_array_equal(x, [1.0, 1.0])


def test_lists_of_tensors_are_stacked_on_the_tape(core):
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = core.convert_to_tensor([[x[0], 3], [2.5, x[1] * 2]])
        z = tf.reduce_sum(y * y)
    assert y.dtype is tf.float32
    np.testing.assert_array_equal(y, [[1.0, 3.0], [2.5, 4.0]])
    np.testing.assert_allclose(tape.gradient(z, x), [2.0, 16.0])


def test_symbolic_tensors_have_no_value(core, keras):
    with pytest.raises(ValueError, match="A KerasTensor is symbolic"):
        core.convert_to_tensor(keras.KerasTensor((2,)))


def test_back_to_numpy(core):
    result = core.convert_to_numpy(tf.constant([1.0], tf.bfloat16))
    assert result.dtype == ml_dtypes.bfloat16
    assert core.convert_to_numpy(tf.constant(2.0)).shape == ()
    result = core.convert_to_numpy(tf.constant([1.0, 2.0]))
    result[0] = 3.0  # a copy of its own


def test_what_is_a_tensor(core, keras):
    assert core.is_tensor(tf.constant(1.0))
    assert core.is_tensor(tf.Variable(1.0))
    assert not core.is_tensor(np.ones(2))
    assert not core.is_tensor(keras.KerasTensor((2,)))


def test_shape_is_a_plain_tuple(core):
    assert type(core.shape(tf.zeros((2, 3)))) is tuple
    assert core.shape([[1, 2, 3]]) == (1, 3)


def test_device_must_be_named(core):
    with core.device_scope("cpu:0"):
        pass
    with pytest.raises(ValueError, match="Expected a string like 'gpu:0'"), core.device_scope(3):
        pass


# --- control flow --------------------------------------------------------------------------------


def test_cond_and_switch_choose(core):
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = core.cond(x > 2.0, lambda: x * x, lambda: -x)
        y += core.switch(7, [lambda a: a, lambda a: 5 * a], x)
    assert float(tape.gradient(y, x)) == 11.0


def test_while_loop(core):
    result = core.while_loop(lambda i, s: i < 5, lambda i, s: (i + 1, s * 2), (0, 1.0))
    assert [float(v) for v in result] == [5.0, 32.0]
    assert float(core.while_loop(lambda x: x < 100, lambda x: x * 2, 1.0)) == 128.0
    assert float(core.while_loop(lambda x: x < 100, lambda x: x * 2, 1.0, 3)) == 8.0


def test_fori_loop_is_differentiable(core):
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = core.fori_loop(0, 3, lambda i, v: v * x, 1.0)
    assert float(tape.gradient(y, x)) == 12.0


@pytest.mark.parametrize("reverse", [False, True])
def test_scan_is_cumulative_and_differentiable(core, reverse):
    x = tf.Variable([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        carry, ys = core.scan(lambda c, v: (c + v, c * v), 0.0, x, reverse=reverse)
        loss = tf.reduce_sum(ys)
    values = np.array([1.0, 2.0, 3.0])[:: -1 if reverse else 1]
    expected = values * (np.cumsum(values) - values)
    np.testing.assert_allclose(ys, expected[:: -1 if reverse else 1])
    assert float(carry) == 6.0
    np.testing.assert_allclose(tape.gradient(loss, x), [5.0, 4.0, 3.0])


def test_scan_without_inputs_and_without_outputs(core):
    carry, ys = core.scan(lambda c, _: (c + 1, None), 0, length=4)
    assert int(carry) == 4
    assert ys.shape == (4,)


@pytest.mark.parametrize(
    ("arguments", "error", "text"),
    [
        ({"f": 3, "init": 0, "length": 1}, TypeError, "should be a callable"),
        ({"f": abs, "init": 0}, ValueError, "Got no `xs`"),
        ({"f": abs, "init": 0, "length": 1, "unroll": 0}, ValueError, "`unroll` must be"),
    ],
)
def test_scan_checks_its_arguments(core, arguments, error, text):
    with pytest.raises(error, match=text):
        core.scan(**arguments)


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 8, 13])
@pytest.mark.parametrize("axis", [0, -1])
@pytest.mark.parametrize("reverse", [False, True])
def test_associative_scan_of_sums_is_cumsum(core, count, axis, reverse):
    shape = (count, 2) if axis == 0 else (2, count)
    x = np.arange(1.0, 2 * count + 1).reshape(shape).astype("float32")
    result = core.associative_scan(lambda a, b: a + b, x, reverse=reverse, axis=axis)
    x = np.flip(x, axis) if reverse else x
    expected = np.cumsum(x, axis)
    np.testing.assert_allclose(result, np.flip(expected, axis) if reverse else expected)


def test_associative_scan_keeps_order_and_structure(core):
    matrices = np.random.default_rng(0).normal(size=(5, 2, 2))
    result = core.associative_scan(lambda a, b: {"m": a["m"] @ b["m"]}, {"m": matrices})
    expected = [matrices[0]]
    for matrix in matrices[1:]:
        expected.append(expected[-1] @ matrix)
    np.testing.assert_allclose(result["m"], np.stack(expected), rtol=1e-5)


def test_associative_scan_checks_sizes(core):
    with pytest.raises(ValueError, match="same first dimension"):
        core.associative_scan(lambda a, b: a, [np.ones(2), np.ones(3)])


def test_map_and_vectorized_map(core):
    x = np.arange(6.0, dtype="float32").reshape(3, 2)
    np.testing.assert_allclose(core.map(lambda row: row * 2, x), 2 * x)
    np.testing.assert_allclose(core.vectorized_map(lambda row: tf.reduce_sum(row), x), x.sum(1))
    result = core.vectorized_map(lambda pair: pair[0] * pair[1][0], (x, x))
    np.testing.assert_allclose(result, x * x[:, :1])


# --- indexed updates -----------------------------------------------------------------------------


def test_scatter_adds(core):
    result = core.scatter([[0], [2], [0]], [1.0, 2.0, 3.0], (4,))
    np.testing.assert_array_equal(result, [4.0, 0.0, 2.0, 0.0])


@pytest.mark.parametrize(
    ("reduction", "expected"),
    [
        (None, [5.0, 2.0, 7.0]),
        ("add", [9.0, 2.0, 10.0]),
        ("max", [5.0, 2.0, 7.0]),
        ("min", [1.0, 2.0, 3.0]),
        ("mul", [15.0, 2.0, 21.0]),
    ],
)
def test_scatter_update(core, reduction, expected):
    indices = [[0], [2]] if reduction is None else [[0], [2], [0]]
    updates = [5.0, 7.0] if reduction is None else [3.0, 7.0, 5.0]
    result = core.scatter_update(np.array([1.0, 2.0, 3.0]), indices, updates, reduction)
    np.testing.assert_array_equal(result, expected)


def test_scatter_update_multiplies_rows_with_gradients(core):
    x, u = tf.Variable(tf.ones((2, 3)) * 2.0), tf.Variable([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    with tf.GradientTape() as tape:
        y = core.scatter_update(x, [[1], [1]], u, "mul")
        loss = tf.reduce_sum(y)
    np.testing.assert_allclose(y, [[2.0, 2.0, 2.0], [8.0, 20.0, 36.0]])
    by_x, by_u = tape.gradient(loss, [x, u])
    np.testing.assert_allclose(by_x, [[1.0, 1.0, 1.0], [4.0, 10.0, 18.0]])
    np.testing.assert_allclose(by_u, [[8.0, 10.0, 12.0], [2.0, 4.0, 6.0]])


def test_scatter_update_refuses_unknown_reductions(core):
    with pytest.raises(ValueError, match="Unsupported reduction: mean"):
        core.scatter_update(np.ones(2), [[0]], [1.0], "mean")


def test_slice_and_slice_update(core):
    x = np.arange(12.0).reshape(3, 4)
    np.testing.assert_array_equal(core.slice(x, (1, tf.constant(2)), (2, 2)), x[1:, 2:])
    result = core.slice_update(x, [1, 2], np.zeros((2, 2)))
    assert float(tf.reduce_sum(result[1:, 2:])) == 0.0
    with pytest.raises(ValueError, match="Length of `start_indices` must match"):
        core.slice(x, (1,), (2, 2))


def test_unstack(core):
    assert [float(v) for v in core.unstack([1.0, 2.0])] == [1.0, 2.0]
    assert core.unstack(np.ones((2, 3)), axis=1)[0].shape == (2,)


# --- gradients -----------------------------------------------------------------------------------


def test_stop_gradient_takes_variables(core, keras):
    variable = keras.Variable([2.0])
    with tf.GradientTape() as tape:
        y = variable * core.stop_gradient(variable)
    np.testing.assert_allclose(tape.gradient(y, variable), [2.0])


def test_custom_gradient_in_the_form_keras_uses(core):
    @core.custom_gradient
    def doubled_slope(x):
        def grad(*args, upstream=None):
            if upstream is None:
                (upstream,) = args
            return 2.0 * upstream

        return x * 3.0, grad

    x = tf.Variable(1.0)
    with tf.GradientTape() as tape:
        y = doubled_slope(x)
    assert float(y) == 3.0
    assert float(tape.gradient(y, x)) == 2.0


def test_remat_computes_again_with_the_same_noise_and_counts_once(core, keras):
    layer = keras.layers.Dropout(0.5, seed=3)
    counter = keras.Variable(0.0, trainable=False)
    weight = keras.Variable(np.arange(1.0, 9.0, dtype="float32"))
    calls = []

    def noisy(x):
        calls.append(1)
        counter.assign_add(1.0)
        return layer(x * weight, training=True)

    x = tf.Variable(tf.ones(8))
    with tf.GradientTape() as tape:
        y = core.remat(noisy)(x)
    by_x, by_weight = tape.gradient(y, [x, weight])
    assert len(calls) == 2
    assert float(counter) == 1.0
    kept = y.numpy() != 0.0
    assert 0 < kept.sum() < 8
    np.testing.assert_allclose(by_x, np.where(kept, 2.0 * weight.numpy(), 0.0))
    np.testing.assert_allclose(by_weight, np.where(kept, 2.0, 0.0))


def test_devices_without_jax_are_the_host(keras, monkeypatch):
    lib = importlib.import_module("keras_gradtape.src.distribution_lib")
    monkeypatch.setattr(lib, "find_spec", lambda name: None)
    assert keras.distribution.list_devices() == ["cpu:0"]
    assert keras.distribution.list_devices("gpu") == []
    assert lib.get_device_count() == 1
