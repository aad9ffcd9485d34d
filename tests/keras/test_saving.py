"""Files written by Keras on TensorFlow are read here, and those written here have the same form."""

import contextlib
import functools
import json
import os
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
    result = {}
    file.visititems(
        lambda name, item: result.update(
            {name: (item.shape, item.dtype.kind) if isinstance(item, h5py.Dataset) else None}
        )
    )
    return result


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


@pytest.mark.parametrize("suffix", [".keras", ".h5", ".weights.h5"])
def test_a_save_that_fails_leaves_the_old_file(keras, suffix, tmp_path, monkeypatch):
    model = keras.Sequential([keras.layers.Input((3,)), keras.layers.Dense(2)])
    path, link = tmp_path / f"real{suffix}", tmp_path / f"link{suffix}"
    link.symlink_to(path)
    save = model.save_weights if suffix == ".weights.h5" else model.save
    save(link)
    path.chmod(0o640)
    save(link)  # through the link, to a file with the same rights
    assert link.is_symlink()
    assert path.stat().st_mode & 0o777 == 0o640
    before = path.read_bytes()

    def fail(*args, **kwargs):
        raise OSError("no space left")

    monkeypatch.setattr(h5py.Group, "create_dataset", fail)
    monkeypatch.setattr(h5py.Group, "__setitem__", fail)
    with pytest.raises(OSError, match="no space left"):
        save(link)
    assert path.read_bytes() == before
    assert sorted(file.name for file in tmp_path.iterdir()) == [link.name, path.name]


def test_a_backup_of_another_backend_is_read(keras, tmp_path):
    """Its epoch stands beside the weights only."""
    model = keras.Sequential([keras.layers.Input((3,)), keras.layers.Dense(2)])
    model.compile("sgd", "mse")
    model.save_weights(tmp_path / "latest.weights.h5")
    (tmp_path / "training_metadata.json").write_text('{"epoch": 7, "batch": 0}')
    callback = keras.callbacks.BackupAndRestore(tmp_path)
    callback.set_model(model)
    callback.on_train_begin()
    assert model._initial_epoch == 7
    (tmp_path / "latest.weights.h5").unlink()  # as a process leaves it that dies while it deletes
    model._initial_epoch = None
    callback.on_train_begin()
    assert model._initial_epoch is None


def _write_shards(model, path):
    model.save_weights(path / "m.weights.json", max_shard_size=2e-7)  # 214 bytes


def _read_shards(keras, path):
    model = _filled(keras, 0)
    model.load_weights(path / "m.weights.json")
    return model


def _write_folder(model, path):
    model.save(path / "m", zipped=False)


def _read_folder(keras, path):
    return keras.models.load_model(path / "m")


WRITERS = {"sharded": (_write_shards, _read_shards), "folder": (_write_folder, _read_folder)}


def _filled(keras, number):
    layers = [keras.layers.Dense(6), keras.layers.Dense(8)]
    model = keras.Sequential([keras.layers.Input((8,)), *layers])
    for variable in model.variables:
        variable.assign(np.full(variable.shape, number))
    return model


def _number(model) -> int:
    (number,) = {float(value) for weight in model.get_weights() for value in weight.ravel()}
    return int(number)


@pytest.mark.parametrize("kind", WRITERS)
def test_several_files_are_replaced_at_one_moment(keras, kind, tmp_path, monkeypatch):
    """Wherever it stops, at a change of names or while it writes, the old or the new is there."""
    write, read = WRITERS[kind]
    write(_filled(keras, 1), tmp_path)
    names = {str(file.relative_to(tmp_path)) for file in tmp_path.rglob("*")}
    for count in range(1, 100):
        left, changes = count, {name: getattr(os, name) for name in ("replace", "rename", "link")}
        create = h5py.Group.create_dataset

        def stop(*args, instead_of, **kwargs):
            nonlocal left
            left -= 1
            if left == 0:
                raise KeyboardInterrupt
            return instead_of(*args, **kwargs)

        with monkeypatch.context() as patched:
            for name, change in changes.items():
                patched.setattr(os, name, functools.partial(stop, instead_of=change))
            patched.setattr(
                h5py.Group,
                "create_dataset",
                lambda *args, create=create, stop=stop, **kwargs: stop(
                    *args, instead_of=create, **kwargs
                ),
            )
            with contextlib.suppress(KeyboardInterrupt):
                write(_filled(keras, count + 1), tmp_path)
        result = _number(read(keras, tmp_path))
        if left > 0:  # it was not stopped any more
            assert result == count + 1
            break
        assert result in (1, count + 1)
        write(_filled(keras, 1), tmp_path)
        assert _number(read(keras, tmp_path)) == 1
        assert {str(file.relative_to(tmp_path)) for file in tmp_path.rglob("*")} == names
    assert count > 4


def test_shards_have_the_names_of_keras(keras, tmp_path):
    for _ in range(2):
        _write_shards(_filled(keras, 1), tmp_path)
        shards = {f"m_{number:05}.weights.h5" for number in range(4)}
        assert {file.name for file in tmp_path.iterdir()} == {"m.weights.json", *shards}
        text = (tmp_path / "m.weights.json").read_text()
        assert set(re.findall(r'"([^"]*\.h5)"', text)) == shards
    with pytest.warns(UserWarning, match=r"listed in a `\.json` file"):
        _filled(keras, 2).save_weights(tmp_path / "m.weights.h5", max_shard_size=1)
    assert _number(_read_shards(keras, tmp_path)) == 2


def test_a_folder_with_other_files_keeps_them(keras, tmp_path, monkeypatch):
    folder = tmp_path / "m"
    _write_folder(_filled(keras, 1), tmp_path)
    (folder / "notes.txt").write_text("mine")
    folder.chmod(0o750)
    _write_folder(_filled(keras, 2), tmp_path)
    assert (folder / "notes.txt").read_text() == "mine"
    assert folder.stat().st_mode & 0o777 == 0o750
    assert _number(_read_folder(keras, tmp_path)) == 2
    (folder / "notes.txt").unlink()
    monkeypatch.chdir(folder)  # where this process works, too, the folder stays
    _filled(keras, 3).save(".", zipped=False)
    assert Path.cwd().samefile(folder)
    assert _number(_read_folder(keras, tmp_path)) == 3


def test_folders_change_names_without_an_exchange_by_the_system(keras, tmp_path, monkeypatch):
    monkeypatch.setattr("ctypes.CDLL", lambda name: None)
    for number in (1, 2, 3):
        _write_folder(_filled(keras, number), tmp_path)
        assert _number(_read_folder(keras, tmp_path)) == number
        assert [file.name for file in tmp_path.iterdir()] == ["m"]
