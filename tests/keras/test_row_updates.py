"""Optimizers and gradients of rows: what they compute, and that it costs rows where it can."""

import numpy as np
import pytest

import gradtape as tf
from gradtape.core.native import extension
from tests.allocation import peak_of

ROWS, COLUMNS = 20_000, 16
TABLE = ROWS * COLUMNS * 4  # bytes
INDICES = np.array([3, 17, 3, 9000, 17, 3])
OPTIMIZERS = {
    "sgd": lambda **k: tf.keras.optimizers.SGD(0.1, **k),
    "momentum": lambda **k: tf.keras.optimizers.SGD(0.1, 0.9, **k),
    "adagrad": lambda **k: tf.keras.optimizers.Adagrad(0.1, **k),
    "adam": lambda **k: tf.keras.optimizers.Adam(0.1, **k),
    "rmsprop": lambda **k: tf.keras.optimizers.RMSprop(0.1, **k),
    "adadelta": lambda **k: tf.keras.optimizers.Adadelta(0.1, **k),
}


def start():
    return np.random.default_rng(5).normal(size=(ROWS, COLUMNS)).astype("float32")


def stepper(optimizer, v, mode, form):
    weights = tf.constant(np.random.default_rng(6).normal(size=(len(INDICES), COLUMNS)), "float32")
    optimizer.build([v])

    def step(indices):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.gather(v, indices) ** 2 * weights)
        gradient = tape.gradient(loss, v)
        assert isinstance(gradient, tf.IndexedSlices)
        if form == "dense":
            gradient = tf.convert_to_tensor(gradient)
        elif form == "clipped":  # as programs do it: without dense_shape
            values = tf.clip_by_norm(gradient.values, 1.0)
            gradient = tf.IndexedSlices(values, gradient.indices)
        optimizer.apply_gradients([(gradient, v)])

    run = tf.function(step) if mode == "function" else step
    return lambda indices=INDICES: run(tf.constant(indices))


@pytest.mark.parametrize("form", ["rows", "clipped"])
@pytest.mark.parametrize("mode", ["eager", "function"])
@pytest.mark.parametrize("name", ["sgd", "adagrad"])
def test_a_step_costs_its_rows(name, mode, form):
    v = tf.Variable(start())
    step = stepper(OPTIMIZERS[name](), v, mode, form)
    step()
    array = id(v._data)
    assert peak_of(step) < TABLE / 8
    assert id(v._data) == array


def test_norms_of_all_gradients_cost_rows():
    v = tf.Variable(start())
    step = stepper(OPTIMIZERS["sgd"](clipnorm=0.5), v, "eager", "rows")
    step()
    assert peak_of(step) < TABLE / 8


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_a_function_computes_what_eager_code_does(name, caplog):
    result = []
    for mode in ("eager", "function"):
        v = tf.Variable(start())
        step = stepper(OPTIMIZERS[name](), v, mode, "clipped")
        for _ in range(3):
            step()
        result.append(v.numpy())
    np.testing.assert_allclose(result[0], result[1], rtol=1e-5, atol=1e-6)
    assert not caplog.records  # the function was traced


@pytest.mark.parametrize("mode", ["eager", "function"])
@pytest.mark.parametrize("name", OPTIMIZERS)
def test_rows_that_differ_give_what_the_dense_gradient_does(name, mode):
    result = []
    for form in ("rows", "dense"):
        v = tf.Variable(start())
        step = stepper(OPTIMIZERS[name](), v, mode, form)
        for i in range(3):
            step([*np.unique(INDICES).tolist(), i + 50, i + 70, i + 90])
        result.append(v.numpy())
    np.testing.assert_allclose(result[0], result[1], rtol=1e-4, atol=1e-5)


def test_adagrad_without_epsilon_is_left_to_keras():
    v = tf.Variable(start())
    optimizer = tf.keras.optimizers.Adagrad(0.1, initial_accumulator_value=0.0, epsilon=0.0)
    stepper(optimizer, v, "eager", "rows")()
    result = v.numpy()
    assert np.isnan(result[100]).all()  # 0/0, as everywhere in Keras
    assert np.isfinite(result[3]).all()


@pytest.mark.skipif(extension is None, reason="arrays are copied while threads are alive")
@pytest.mark.parametrize("name", ["sgd", "adagrad"])
@pytest.mark.parametrize("eagerly", [True, False])
def test_fit_with_an_embedding(name, eagerly):
    layers = tf.keras.layers
    embedding = layers.Embedding(ROWS, COLUMNS)
    model = tf.keras.Sequential([layers.Input((4,)), embedding, layers.Flatten(), layers.Dense(1)])
    model.compile(OPTIMIZERS[name](), "mse", run_eagerly=eagerly)
    x = np.random.default_rng(0).integers(0, ROWS, (16 * 12, 4))
    y = np.ones((len(x), 1), "float32")

    def fit():
        model.fit(x, y, batch_size=16, verbose=0)

    fit()
    array = id(embedding.embeddings._value._data)
    assert peak_of(fit) < TABLE / 2
    assert id(embedding.embeddings._value._data) == array


@pytest.mark.parametrize("mode", ["eager", "function"])
def test_wrong_rows_are_an_error(mode):
    v = tf.Variable(start())
    optimizer = OPTIMIZERS["sgd"]()
    optimizer.build([v])

    def step(indices):
        optimizer.apply_gradients([(tf.IndexedSlices(tf.ones((2, COLUMNS)), indices), v)])

    step = tf.function(step) if mode == "function" else step
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"indices\[1\] = -1 is not in \[0, "):
        step(tf.constant([1, -1]))
    np.testing.assert_array_equal(v.numpy(), start())
