"""Files of weights as Keras 2 wrote and named them."""

import os

import h5py
import numpy as np
import pytest

import gradtape as tf
import gradtape.keras
from gradtape.api.compat import old_names


@pytest.fixture
def served(monkeypatch):
    """gradtape is the program's TensorFlow."""
    monkeypatch.setitem(old_names._state, "works", True)
    monkeypatch.setattr(old_names, "_noticed", set())


def make(keras, built=True):
    class Net(keras.Model):
        def __init__(self):
            super().__init__()
            self.hidden = keras.layers.Dense(3)
            self.norm = keras.layers.BatchNormalization()
            self.out = keras.layers.Dense(1)

        def call(self, x):
            return self.out(self.norm(self.hidden(x)))

    model = Net()
    if built:
        model(tf.ones((1, 2)))
        for index, variable in enumerate(model.variables):
            variable.assign(tf.fill(variable.shape, float(index + 1)))
    return model


def spread(model):
    """Change all that the model holds."""
    for variable in model.variables:
        variable.assign(variable - 7.0)


@pytest.mark.parametrize("as_path", [False, True])
@pytest.mark.parametrize(
    ("name", "save_format"),
    [("w.h5", None), ("w.hdf5", None), ("ckpt", None), ("a.ckpt", "tf"), ("plain", "h5")],
)
def test_what_was_saved_is_loaded(keras, served, tmp_path, name, save_format, as_path):
    path = tmp_path / name if as_path else str(tmp_path / name)
    model = make(keras)
    before = [v.numpy() for v in model.variables]
    options = {} if save_format is None else {"save_format": save_format}
    with pytest.warns(FutureWarning, match="does not end in .weights.h5"):
        model.save_weights(path, **options)
    spread(model)
    model.load_weights(path)
    for value, variable in zip(before, model.variables, strict=True):
        np.testing.assert_array_equal(value, variable.numpy())
    assert h5py.is_hdf5(path) == (name in ("w.h5", "w.hdf5", "plain"))


@pytest.mark.filterwarnings("ignore::FutureWarning")
def test_a_checkpoint_is_the_latest_and_waits_for_a_model(keras, served, tmp_path):
    model = make(keras)
    model.save_weights(str(tmp_path / "step1.ckpt"))
    spread(model)
    model.save_weights(str(tmp_path / "step2.ckpt"))
    latest = tf.train.latest_checkpoint(str(tmp_path))
    assert latest == str(tmp_path / "step2.ckpt")
    other = make(keras, built=False)
    other.load_weights(latest).expect_partial()
    x = np.array([[1.0, -2.0]], "float32")
    np.testing.assert_array_equal(other(x), model(x))


@pytest.mark.filterwarnings("ignore::FutureWarning")
@pytest.mark.parametrize("name", ["w.h5", "epoch{epoch}.ckpt"])
def test_a_callback_writes_them(keras, served, tmp_path, name):
    model = make(keras)
    model.compile("sgd", "mse")
    callback = keras.callbacks.ModelCheckpoint(str(tmp_path / name), save_weights_only=True)
    model.fit(np.ones((4, 2)), np.ones((4, 1)), epochs=2, verbose=0, callbacks=[callback])
    trained = model.get_weights()
    spread(model)
    model.load_weights(str(tmp_path / name.format(epoch=2)))
    for value, weight in zip(trained, model.get_weights(), strict=True):
        np.testing.assert_array_equal(value, weight)


@pytest.mark.filterwarnings("ignore::FutureWarning")
def test_present_names_mean_what_they_did(keras, served, tmp_path):
    model = make(keras)
    path = str(tmp_path / "w.weights.h5")
    model.save_weights(path)
    with h5py.File(path) as file:
        assert "layer_names" not in file.attrs  # Keras 3's layout
    with pytest.raises(ValueError, match="File format not supported"):
        model.load_weights(str(tmp_path / "nothing.ckpt"))


def test_other_names_are_errors_elsewhere(keras, tmp_path):
    model = make(keras)
    for name in ("w.h5", "ckpt"):
        with pytest.raises(ValueError, match=r"must end in `.weights.h5`"):
            model.save_weights(str(tmp_path / name))
        with pytest.raises(ValueError, match=r"must end in `.weights.h5`"):
            keras.callbacks.ModelCheckpoint(str(tmp_path / name), save_weights_only=True)
    assert os.listdir(tmp_path) == []
