"""The batches of `fit` on a device: copied there ahead of the steps, and never changed by that."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("jax", reason="needs JAX")

import gradtape as tf

keras = tf.keras
DEVICE = "/job:localhost/replica:0/task:0/device:XLA:0"


def made(**options):
    """A model that notes the devices of its batches."""

    class Model(keras.Sequential):
        def train_step(self, data):
            seen.extend(part.device for part in data)
            return super().train_step(data)

    seen: list[str] = []
    model = Model([keras.layers.Dense(3), keras.layers.Dense(1)])
    model.compile(keras.optimizers.SGD(0.1), "mse", **options)
    return model, seen


def data(rows: int = 40):
    random = np.random.default_rng(0)
    return random.random((rows, 4), np.float32), random.random((rows, 1), np.float32)


def weights_after(device: str | None, feed) -> list:
    keras.utils.set_random_seed(1)
    with tf.device(device):
        model, _ = made()
        feed(model)
    return model.get_weights()


def on_generator(model):
    x, y = data()
    batches = ((x[i : i + 8], y[i : i + 8]) for i in range(0, 40, 8))
    model.fit(batches, steps_per_epoch=5, shuffle=False, verbose=0)


def on_dataset(model):
    dataset = tf.data.Dataset.from_tensor_slices(data()).batch(8)
    model.fit(dataset, epochs=2, shuffle=False, verbose=0)


FEEDS = {
    "arrays": lambda model: model.fit(*data(), batch_size=8, epochs=2, verbose=0),
    "not shuffled": lambda model: model.fit(*data(37), batch_size=8, shuffle=False, verbose=0),
    "by batches": lambda model: model.fit(*data(), batch_size=8, shuffle="batch", verbose=0),
    "generator": on_generator,
    "dataset": on_dataset,
}


@pytest.mark.parametrize("feed", FEEDS.values(), ids=FEEDS)
def test_training_is_as_on_the_host(feed):
    here, there = weights_after(None, feed), weights_after("/XLA:0", feed)
    for a, b in zip(here, there, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("is_built", [False, True])
@pytest.mark.parametrize("feed", FEEDS.values(), ids=FEEDS)
def test_batches_are_where_the_variables_are(feed, is_built):
    with tf.device("/XLA:0"):
        model, seen = made(run_eagerly=True)
        if is_built:
            model.build((None, 4))
        feed(model)
    assert set(seen) == {DEVICE}
    seen.clear()
    feed(model)  # outside of the block: the variables are on the device as before
    assert set(seen) == {DEVICE}


def test_arrays_generators_and_datasets_share_a_trace():
    with tf.device("/XLA:0"):
        model, seen = made()
        model.build((None, 4))
        FEEDS["arrays"](model)
        traced = len(seen)
        on_generator(model)
        on_dataset(model)
    assert len(seen) == traced > 0


def test_arrays_are_copied_ahead_and_generators_are_not():
    from keras_gradtape.src.epoch_iterator import copied_to

    taken = []

    def batches():
        for number in range(5):
            taken.append(number)
            yield tf.core.tensor.Tensor(np.full(2, number, np.float32))

    results = []
    for ahead in (0, 2):
        taken.clear()
        ahead_of = []
        for number, batch in enumerate(copied_to("/XLA:0", batches(), ahead)):
            assert batch.device == DEVICE
            np.testing.assert_array_equal(batch, np.full(2, number))
            ahead_of.append(len(taken) - number - 1)
        results.append(ahead_of)
    assert results == [[0, 0, 0, 0, 0], [2, 2, 2, 1, 0]]


def test_a_program_may_change_its_arrays_after_each_batch():
    x, y = data()

    class Spoil(keras.callbacks.Callback):
        def on_train_batch_end(self, batch, logs=None):
            x[:] = np.nan

    with tf.device("/XLA:0"):
        model, _ = made()
        model.fit(x, y, batch_size=8, callbacks=[Spoil()], verbose=0)
        assert np.isfinite(model.get_weights()[0]).all()
        x, y = data()
        model.fit(x, y, batch_size=8, shuffle=False, verbose=0)
        x[:] = np.nan
        assert np.isfinite(model.get_weights()[0]).all()


def test_an_interrupted_epoch_leaves_the_next_one_whole():
    x, y = data()

    class Interrupt(keras.callbacks.Callback):
        def on_train_batch_end(self, batch, logs=None):
            raise KeyboardInterrupt

    with tf.device("/XLA:0"):
        model, seen = made(run_eagerly=True)
        with pytest.raises(KeyboardInterrupt):
            model.fit(x, y, batch_size=8, callbacks=[Interrupt()], verbose=0)
        seen.clear()
        model.fit(x, y, batch_size=8, verbose=0)
    assert len(seen) == 2 * 5
