"""Keras files that reach outside of themselves give an error, read nothing there, run nothing."""

import contextlib
import os
import tracemalloc

import h5py
import numpy as np
import pytest

from tests.hostile.keras_files import ATTACKS, WEIGHTS, marker, members, packed

SECRET = 4242.0
MAX = 256 << 20


@pytest.fixture(scope="module")
def keras():
    import gradtape.keras

    return gradtape.keras


@pytest.fixture(scope="module")
def good(keras, tmp_path_factory):
    model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(2), keras.layers.Dense(1)])
    path = tmp_path_factory.mktemp("good") / "good.keras"
    model.save(path)
    return str(path)


@pytest.fixture
def folder(tmp_path):
    with h5py.File(tmp_path / "secret.h5", "w") as file:
        file["x"] = np.full((3, 2), SECRET, np.float32)
    (tmp_path / "inner").mkdir()
    return str(tmp_path / "inner")


def test_the_file_that_they_are_made_of_is_good(keras, good):
    assert len(keras.models.load_model(good).layers) == 2


def test_there_are_many():
    assert len(ATTACKS) >= 30


def refused(load, folder, most=MAX):
    before = set(os.listdir(os.path.dirname(folder)))
    tracemalloc.start()
    try:
        with pytest.raises(Exception) as caught:  # noqa: PT011 (Keras's own classes)
            load()
        assert tracemalloc.get_traced_memory()[1] < most
    finally:
        tracemalloc.stop()
    assert str(caught.value)
    assert str(SECRET) not in str(caught.value)
    assert not os.path.exists(marker(folder))
    assert set(os.listdir(os.path.dirname(folder))) == before


@pytest.mark.parametrize("name", ATTACKS)
def test_models(keras, good, folder, name):
    path = ATTACKS[name](good, folder)
    # A layer of 2^40 units is what that file asks for: NumPy may reserve addresses for it, of which
    # no byte is ever used.
    most = float("inf") if name == "units of 2^40" else MAX
    refused(lambda: keras.models.load_model(path), folder, most)


@pytest.mark.parametrize("kind", ["attack.weights.h5", "attack.h5"])
@pytest.mark.parametrize("name", WEIGHTS)
def test_files_of_weights(keras, good, folder, name, kind):
    """The same in a file of weights alone, and in a model of Keras's old format."""
    model = keras.models.load_model(good)
    path = os.path.join(folder, kind)
    if kind == "attack.h5":
        model.save(path)
    else:
        model.save_weights(path)
    before = [array.tolist() for array in model.get_weights()]
    with h5py.File(path, "r+") as file:
        WEIGHTS[name](file, folder)
    load = keras.models.load_model if kind == "attack.h5" else model.load_weights
    refused(lambda: load(path), folder)
    assert [array.tolist() for array in model.get_weights()] == before


@pytest.mark.filterwarnings("ignore:Skipping invalid path")
@pytest.mark.parametrize("name", ["../../escaped", "/tmp/escaped", "a/../../../escaped"])
def test_names_of_members_do_not_lead_outside(keras, good, folder, name):
    path = packed(folder, {**members(good), name: b"x", f"assets/{name}": b"x"})
    before = sorted(os.listdir(os.path.dirname(folder)))
    with contextlib.suppress(ValueError):  # a member may be left out, or refused
        keras.models.load_model(path)
    assert sorted(os.listdir(os.path.dirname(folder))) == before
    assert os.listdir(folder) == ["attack.keras"]
