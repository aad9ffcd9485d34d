"""What a program does to the arrays that it gives to Keras, or gets, changes no tensor."""

import numpy as np
import pytest

import gradtape as tf


def keeping(keras):
    """A model that keeps the batches that it was called with."""

    class Keeping(keras.Model):
        def __init__(self):
            super().__init__()
            self.dense = keras.layers.Dense(1)
            self.kept = []

        def call(self, x):
            if isinstance(x, tf.Tensor):
                self.kept.append(x)
            return self.dense(x)

    model = Keeping()
    model.compile("sgd", "mse", run_eagerly=True)
    return model


@pytest.mark.parametrize("shuffle", [False, True])
def test_batches_are_not_the_program_s_memory(keras, shuffle):
    model, x = keeping(keras), np.zeros((6, 2), np.float32)
    model.fit(x, np.zeros((6, 1)), batch_size=2, shuffle=shuffle, verbose=0)
    model.predict(x, batch_size=2, verbose=0)
    model.evaluate(x, np.zeros((6, 1)), batch_size=2, verbose=0)
    model.train_on_batch(x, np.zeros((6, 1)))
    x += 5
    assert len(model.kept) >= 10
    assert all(float(np.max(batch)) == 0 for batch in model.kept if hasattr(batch, "numpy"))


def test_a_generator_that_fills_one_buffer(keras):
    model, buffer = keeping(keras), np.zeros((2, 2), np.float32)

    def batches():
        for number in range(4):
            buffer[:] = number
            yield buffer, np.zeros((2, 1), np.float32)

    model.fit(batches(), steps_per_epoch=3, shuffle=False, verbose=0)
    values = [float(np.max(batch)) for batch in model.kept]
    # Keras holds the first batch until it has the second, so that it sees 1 for it, on TensorFlow
    # as well; the others are as they were yielded.
    assert values[-2:] == [1.0, 2.0]


def test_weights_are_copied_both_ways(keras):
    layer = keras.layers.Dense(1)
    layer.build((None, 2))
    given = [np.ones((2, 1), np.float32), np.ones(1, np.float32)]
    layer.set_weights(given)
    for array in [*given, *layer.get_weights(), layer.kernel.numpy(), np.asarray(layer.kernel)]:
        array[...] = 7
    for weight in layer.get_weights():
        np.testing.assert_array_equal(weight, np.ones_like(weight))


def test_predictions_belong_to_the_program(keras):
    model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
    x = np.ones((3, 2), np.float32)
    first = model.predict(x, verbose=0)
    first[...] = 9
    assert not np.array_equal(model.predict(x, verbose=0), first)


def zeroing(keras, when: str, *arrays):
    """A callback that sets arrays to zero at one moment."""

    def zero(*args, **kwargs):
        for array in arrays:
            array[...] = 0

    return type("Zeroing", (keras.callbacks.Callback,), {when: zero})()


def ones_model(keras):
    dense = keras.layers.Dense(1, use_bias=False, kernel_initializer="ones")
    model = keras.Sequential([keras.Input((2,)), dense])
    model.compile(keras.optimizers.SGD(0.0), "mse")
    return model


@pytest.mark.parametrize("shuffle", [False, True])
@pytest.mark.parametrize("when", ["on_train_begin", "on_epoch_begin", "on_train_batch_begin"])
def test_callbacks_do_not_change_what_fit_was_given(keras, when, shuffle):
    x, y = np.ones((6, 2), np.float32), np.zeros((6, 1), np.float32)
    callback = zeroing(keras, when, x)
    options = {"batch_size": 2, "epochs": 2, "verbose": 0, "shuffle": shuffle}
    history = ones_model(keras).fit(x, y, callbacks=callback, **options).history
    assert history["loss"] == [4.0, 4.0]
    assert not x.any()


@pytest.mark.parametrize(
    ("when", "losses"),
    [("on_train_begin", [0, 0]), ("on_test_batch_begin", [4, 4]), ("on_epoch_end", [4, 4])],
)
def test_validation_data_are_as_they_were_at_the_first_validation(keras, when, losses):
    x, y = np.ones((6, 2), np.float32), np.zeros((6, 1), np.float32)
    options = {"batch_size": 2, "epochs": 2, "verbose": 0, "validation_data": (x, y)}
    model = ones_model(keras)
    history = model.fit(x.copy(), y, callbacks=[zeroing(keras, when, x)], **options).history
    assert history["val_loss"] == losses


def test_callbacks_do_not_change_what_evaluate_and_predict_were_given(keras):
    model, y = ones_model(keras), np.zeros((6, 1), np.float32)
    for when in ("on_test_begin", "on_test_batch_begin"):
        x = np.ones((6, 2), np.float32)
        callbacks = [zeroing(keras, when, x)]
        assert model.evaluate(x, y, batch_size=2, verbose=0, callbacks=callbacks) == 4
    for when in ("on_predict_begin", "on_predict_batch_begin"):
        x = np.ones((6, 2), np.float32)
        callbacks = [zeroing(keras, when, x)]
        outputs = model.predict(x, batch_size=2, verbose=0, callbacks=callbacks)
        np.testing.assert_array_equal(outputs, np.full((6, 1), 2))


def test_data_are_copied_only_where_a_callback_of_the_program_could_change_them(
    keras, tmp_path, monkeypatch
):
    from keras_gradtape.src.epoch_iterator import GradtapeEpochIterator

    model, seen = ones_model(keras), []
    reset = GradtapeEpochIterator.reset

    def recorded(self):
        seen.append(self.data_adapter._inputs[0])
        reset(self)

    monkeypatch.setattr(GradtapeEpochIterator, "reset", recorded)
    mapped = np.lib.format.open_memmap(tmp_path / "x.npy", "w+", np.float32, (4, 2))
    x, y = np.ones((4, 2), np.float32), np.zeros((4, 1), np.float32)
    own = keras.callbacks.EarlyStopping("loss")
    scheduled = keras.callbacks.LearningRateScheduler(lambda epoch, rate: rate)
    for data, callbacks, is_copied in [
        (x, None, False),
        (x, [own], False),
        (x, [own, scheduled], True),
        (x, [keras.callbacks.LambdaCallback()], True),
        (mapped, [scheduled], False),  # may be larger than memory
    ]:
        seen.clear()
        model.fit(data, y, verbose=0, callbacks=callbacks)
        assert np.shares_memory(data, seen[0]) != is_copied
