"""Files written by Keras on TensorFlow are read here, and those written here have the same form."""

import json
import re
import zipfile
from pathlib import Path

import h5py
import numpy as np
import pytest

from tests.keras import models

FIXTURES = Path(__file__).parent / "fixtures"
NAMES = tuple(models.MODELS)


def expected(name: str) -> dict:
    with np.load(FIXTURES / f"{name}.npz") as arrays:
        return dict(arrays)


def numbered(arrays: dict, kind: str) -> list:
    return [arrays[f"{kind}_{i}"] for i in range(sum(key.startswith(kind) for key in arrays))]


def check(model, name: str) -> None:
    arrays = expected(name)
    for weight, value in zip(model.get_weights(), numbered(arrays, "weight"), strict=True):
        np.testing.assert_array_equal(weight, value)
    x, _ = models.batch(name)
    outputs = model(x, training=False).numpy()
    np.testing.assert_allclose(outputs, arrays["outputs"], rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("suffix", [".keras", ".h5"])
def test_models_written_on_tensorflow(keras, name, suffix):
    model = keras.models.load_model(FIXTURES / f"{name}{suffix}")
    check(model, name)


@pytest.mark.parametrize("name", NAMES)
def test_weights_written_on_tensorflow(keras, name):
    model = models.compiled(models.MODELS[name](keras), keras)
    x, y = models.batch(name)
    model.train_on_batch(x, y)  # builds the optimizer, whose state the file holds too
    model.load_weights(FIXTURES / f"{name}.weights.h5")
    check(model, name)


@pytest.mark.parametrize("name", NAMES)
def test_training_goes_on_where_tensorflow_stopped(keras, name):
    model = keras.models.load_model(FIXTURES / f"{name}.keras")
    arrays = expected(name)
    state = numbered(arrays, "optimizer")
    for variable, value in zip(model.optimizer.variables, state, strict=True):
        np.testing.assert_allclose(variable.numpy(), value, rtol=1e-6)
    loss, _ = model.train_on_batch(*models.batch(name))
    np.testing.assert_allclose(loss, arrays["next_loss"], rtol=1e-4)


def tree_of(file: h5py.Group) -> dict:
    """Names, shapes and kinds of numbers that a file holds. (Counters have 32 or 64 bits.)"""
    found = {}
    file.visititems(
        lambda name, item: found.update(
            {name: (item.shape, item.dtype.kind) if isinstance(item, h5py.Dataset) else None}
        )
    )
    return found


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("suffix", [".keras", ".h5", ".weights.h5"])
def test_files_written_here_have_the_same_form(keras, name, suffix, tmp_path):
    keras.utils.set_random_seed(11)
    model = models.compiled(models.MODELS[name](keras), keras)
    model.train_on_batch(*models.batch(name))
    path = tmp_path / f"{name}{suffix}"
    if suffix == ".weights.h5":
        model.save_weights(path)
    else:
        model.save(path)
    written, reference = path, FIXTURES / path.name
    if suffix == ".keras":
        configurations = []
        for file in (written, reference):
            with zipfile.ZipFile(file) as archive:
                text = archive.read("config.json").decode()
                configurations.append(
                    json.loads(re.sub(r'"shared_object_id": \d+', '"id": 0', text))
                )
                archive.extract("model.weights.h5", tmp_path / file.parent.name)
        assert configurations[0] == configurations[1]
        written, reference = (
            tmp_path / f.parent.name / "model.weights.h5" for f in (path, reference)
        )
    with h5py.File(written) as ours, h5py.File(reference) as theirs:
        ours, theirs = tree_of(ours), tree_of(theirs)
    assert ours == theirs


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("suffix", [".keras", ".h5"])
def test_files_written_here_are_read_here(keras, name, suffix, tmp_path):
    model = keras.models.load_model(FIXTURES / f"{name}.keras")
    model.save(tmp_path / f"m{suffix}")
    check(keras.models.load_model(tmp_path / f"m{suffix}"), name)
