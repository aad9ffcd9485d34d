"""Deferred values meet JAX: in compiled functions, on a device, in tapes and Keras.

Every op on two elements or more is deferred here. What stands in a tensor is then no array until
somebody asks, which JAX cannot know: each way in goes through `backends/xla/runtime/transfer.py`.
"""

from __future__ import annotations

import logging

import numpy as np
import pytest

pytest.importorskip("jax", reason="the XLA backend needs JAX, which is not installed")

import gradtape as tf
from gradtape.backends.xla.runtime.tensor import DeviceTensor
from gradtape.core.native import extension, is_deferred
from tests.fusing import fusing_from

ONE_TO_SIX = np.arange(1.0, 7.0, dtype=np.float32).reshape(2, 3)


@pytest.fixture(autouse=True)
def everything_is_deferred():
    with fusing_from(2):  # without the extension, the programs are worth running all the same
        yield


def deferred(values=ONE_TO_SIX):
    """A tensor on the host with these values, which have not been computed yet."""
    with tf.device("/CPU:0"):
        x = tf.constant(values) * 2.0 - tf.constant(values)
    assert extension is None or is_deferred(x._data)
    return x


def deferred_number():
    """A loss: the sum of a chain of ops, which is deferred with it."""
    with tf.device("/CPU:0"):
        return tf.reduce_sum(deferred() * 1.0)


def on_device(values=ONE_TO_SIX):
    with tf.device("/XLA:0"):
        return tf.constant(values)


def device_variable(values=ONE_TO_SIX):
    with tf.device("/XLA:0"):
        return tf.Variable(values)


def check(result, wanted):
    np.testing.assert_allclose(np.asarray(result), wanted, rtol=1e-6)


# --- jit_compile=True on the host ----------------------------------------------------------------


@tf.function(jit_compile=True)
def squared(x):
    return x * x


def test_argument_of_a_compiled_function():
    check(squared(deferred()), ONE_TO_SIX**2)


def test_scalar_argument_of_a_compiled_function():
    check(squared(deferred_number()), 21.0**2)


def test_variable_written_by_a_function_is_read_by_a_compiled_one():
    v = tf.Variable(ONE_TO_SIX)
    tf.function(lambda: v.assign(v * 2.0 + v))()
    compiled = tf.function(lambda: v + 1.0, jit_compile=True)
    check(compiled(), ONE_TO_SIX * 3 + 1)
    tf.function(lambda: v.assign(v - 1.0), jit_compile=True)()
    check(v, ONE_TO_SIX * 3 - 1)


def test_cotangent_into_a_compiled_function():
    x = tf.constant(ONE_TO_SIX)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = squared(x) * tf.tanh(x)
    wanted = 2 * ONE_TO_SIX * np.tanh(ONE_TO_SIX) + ONE_TO_SIX**2 / np.cosh(ONE_TO_SIX) ** 2
    check(tape.gradient(y, x), wanted)
    check(tape.gradient(y, x, output_gradients=deferred()), wanted * ONE_TO_SIX)


def test_second_derivative_through_a_compiled_function():
    x = deferred()
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = squared(x) * deferred()
        first = inner.gradient(y, x)
    check(outer.gradient(first, x), 2 * ONE_TO_SIX)


# --- devices -------------------------------------------------------------------------------------


def test_argument_of_a_function_with_device_variables():
    v = device_variable()
    check(tf.function(lambda x: x * v)(deferred()), ONE_TO_SIX**2)
    step = tf.function(lambda x: v.assign_sub(x))
    for _ in range(3):
        step(deferred())
    check(v, -2 * ONE_TO_SIX)


@pytest.mark.parametrize(
    ("op", "wanted"),
    [
        (lambda x, y: x * y, ONE_TO_SIX**2),
        (lambda x, y: y - x * 2.0, -ONE_TO_SIX),
        (lambda x, y: x > y, np.zeros((2, 3), bool)),
        (lambda x, y: tf.stack([x, y]), np.stack([ONE_TO_SIX] * 2)),
        (lambda x, y: tf.concat([y, x], 0), np.concatenate([ONE_TO_SIX] * 2)),
        (lambda x, y: tf.where(x > 3.0, x, y), ONE_TO_SIX),
        (lambda x, y: tf.where(y > 3.0, x, -x), np.where(ONE_TO_SIX > 3, ONE_TO_SIX, -ONE_TO_SIX)),
        (lambda x, y: tf.matmul(x, y, transpose_b=True), ONE_TO_SIX @ ONE_TO_SIX.T),
        (
            lambda x, y: tf.nn.conv1d(x[None], tf.reshape(y, [1, 3, 2]), 1, "SAME"),
            (ONE_TO_SIX @ ONE_TO_SIX.reshape(3, 2))[None],
        ),
    ],
)
def test_op_of_a_device_tensor_and_a_deferred_one(op, wanted):
    result = op(on_device(), deferred())
    assert type(result) is DeviceTensor
    check(result, wanted)


def test_number_beside_a_device_tensor():
    check(on_device() * deferred_number(), ONE_TO_SIX * 21)


def test_tape_over_both():
    x, y = on_device(), deferred()
    with tf.GradientTape() as tape:
        tape.watch([x, y])
        z = x * tf.sin(y) + y
    to_x, to_y = tape.gradient(z, [x, y])
    check(to_x, np.sin(ONE_TO_SIX))
    check(to_y, ONE_TO_SIX * np.cos(ONE_TO_SIX) + 1)


def test_assign_to_a_device_variable():
    v = device_variable()
    v.assign(deferred() * 3.0)
    check(v, ONE_TO_SIX * 3)
    v.assign_add(deferred())
    v.assign_sub(deferred() * 2.0)
    check(v, ONE_TO_SIX * 2)
    v[0].assign(deferred(np.ones(3, np.float32)))
    check(v[0], np.ones(3))
    v.scatter_update(tf.IndexedSlices(deferred(np.ones((1, 3), np.float32)), [1]))
    check(v, np.ones((2, 3)))


def test_new_variables_and_tensors_on_a_device():
    x = deferred()
    with tf.device("/XLA:0"):
        check(tf.Variable(x), ONE_TO_SIX)
        check(tf.identity(x), ONE_TO_SIX)
        check(tf.fill([2], deferred_number()), [21, 21])


# --- memory --------------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", [(8,), (300, 300)])
def test_an_update_in_place_is_not_seen_by_what_jax_has_taken(shape):
    """JAX takes NumPy's memory on the CPU as it is, and reads it after a call has returned."""
    v, w = tf.Variable(tf.ones(shape)), device_variable(np.ones(shape, np.float32))
    function = tf.function(lambda x: x + w)
    compiled = tf.function(lambda x: (x, x + 1.0), jit_compile=True)
    for value in range(1, 5):
        with tf.device("/XLA:0"):
            taken = [tf.identity(v), tf.Variable(v), w * v - v + v]
        given = [function(v), *compiled(v)]
        v.assign_add(tf.ones(shape))
        for result, more in zip([*taken, *given], (0, 0, 0, 1, 0, 1), strict=True):
            check(result, np.full(shape, value + more))
        check(v, np.full(shape, value + 1))


@pytest.mark.parametrize("shape", [(8,), (300, 300)])
def test_what_was_shown_stays_when_a_step_writes_over_the_variable(shape):
    v = device_variable(np.ones(shape, np.float32))
    step = tf.function(lambda: v.assign(v * 2.0))
    shown = []
    for _ in range(4):
        shown.append((np.asarray(v), v.numpy(), v.read_value()))
        step()
        v.assign_add(v * 0.0)
    for i, values in enumerate(shown):
        for value in values:
            check(value, np.full(shape, 2**i))


# --- Keras ---------------------------------------------------------------------------------------


def images():
    """Pictures in bytes, which `Dataset.map` makes into numbers: the usual program."""
    x = (np.arange(16 * 8 * 8 * 3) % 251).astype(np.uint8).reshape(16, 8, 8, 3)
    y = np.arange(16) % 2
    data = tf.data.Dataset.from_tensor_slices((x, y)).batch(4)
    return data.map(lambda x, y: (tf.cast(x, tf.float32) / 127.5 - 1.0, y))


def trained(jit_compile=None):
    keras = tf.keras
    model = keras.Sequential(
        [
            keras.layers.Input((8, 8, 3)),
            keras.layers.Conv2D(4, 3, kernel_initializer=keras.initializers.GlorotUniform(1)),
            keras.layers.Flatten(),
            keras.layers.Dense(2, kernel_initializer=keras.initializers.GlorotUniform(2)),
        ]
    )
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    model.compile(keras.optimizers.SGD(1e-3), loss, jit_compile=jit_compile)
    history = model.fit(images(), epochs=2, verbose=0, shuffle=False)
    result = [model.evaluate(images(), verbose=0), *history.history["loss"]]
    return result, model.predict(images(), verbose=0), int(model.optimizer.iterations.numpy())


@pytest.mark.filterwarnings("ignore:.*shuffle")
@pytest.mark.keras
def test_keras_on_images_of_a_mapped_dataset(caplog):
    with tf.device("/CPU:0"):
        wanted = trained(jit_compile=False)
        with caplog.at_level(logging.WARNING, logger="gradtape"):
            compiled = trained(jit_compile=True)
    with tf.device("/XLA:0"):
        on_device = trained()
    assert not [r for r in caplog.records if r.name == "gradtape"], "a step ran eagerly"
    for result in (compiled, on_device):
        np.testing.assert_allclose(result[0], wanted[0], rtol=2e-5)
        np.testing.assert_allclose(result[1], wanted[1], rtol=2e-4, atol=2e-4)
        assert result[2] == wanted[2] == 8


@pytest.mark.keras
def test_keras_on_a_device_with_deferred_weights():
    """The first values of large weights are a chain of ops, as are the optimizer's updates."""
    keras = tf.keras
    x, y = np.ones((8, 16), np.float32), np.ones((8, 1), np.float32)
    with tf.device("/XLA:0"):
        model = keras.Sequential([keras.layers.Input((16,)), keras.layers.Dense(8)])
        model.add(keras.layers.Dense(1))
        model.compile("adam", "mse")
        before = model.evaluate(x, y, verbose=0)
        model.fit(x, y, epochs=5, batch_size=4, verbose=0)
        model.layers[0].kernel.assign(deferred(np.zeros((16, 8), np.float32)))
        assert float(tf.reduce_sum(model.layers[0].kernel)) == 0
        assert int(model.optimizer.iterations.numpy()) == 10
    assert np.isfinite(before)


@pytest.mark.filterwarnings("ignore:.*shuffle")
def test_loops_over_a_mapped_dataset_on_a_device():
    with tf.device("/XLA:0"):
        w = tf.Variable(tf.ones([8 * 8 * 3, 1]))

        @tf.function
        def step(x):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.matmul(tf.reshape(x, [-1, 8 * 8 * 3]), w))
            w.assign_sub(tape.gradient(loss, w))
            return loss

        eager = [float(tf.reduce_mean(tf.reshape(x, [-1, 8 * 8 * 3]) @ w)) for x, _ in images()]
        start = w.numpy()
        traced = []
        for x, _ in images():
            w.assign(start)
            traced.append(float(step(x)))
    np.testing.assert_allclose(traced, eager, rtol=1e-4, atol=1e-5)
