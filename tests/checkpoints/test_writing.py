"""Files in TensorFlow's format: what is in them, and that the old or the new is there, always."""

import os
import shutil

import numpy as np
import pytest

import gradtape as tf
from gradtape.formats.bundle import table
from gradtape.formats.bundle.entries import slice_key
from gradtape.formats.bundle.reader import Reader
from gradtape.formats.bundle.writer import write

FORMATS = ("safetensors", "tensorflow")


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_the_default_stays_safetensors(tmp_path):
    tf.train.Checkpoint(v=tf.Variable(1.0)).save(str(tmp_path / "ckpt"))
    assert names(tmp_path) == ["checkpoint", "ckpt-1.safetensors"]


def test_files(tmp_path):
    options = tf.train.CheckpointOptions(format="tensorflow")
    checkpoint = tf.train.Checkpoint(v=tf.Variable(1.0))
    path = checkpoint.save(str(tmp_path / "ckpt"), options)
    assert names(tmp_path) == ["checkpoint", "ckpt-1.data-00000-of-00001", "ckpt-1.index"]
    assert tf.train.latest_checkpoint(str(tmp_path)) == path
    checkpoint.save_counter.assign(9)
    checkpoint.restore(path).assert_consumed()
    assert int(checkpoint.save_counter) == 1


def test_an_unknown_format_is_refused():
    with pytest.raises(ValueError, match="must be one of safetensors, tensorflow, got 'h5'"):
        tf.train.CheckpointOptions(format="h5")


def test_tables_of_several_blocks():
    values = {f"{i:06d}".encode(): os.urandom(90) for i in range(9000)}
    values[b""] = b"x"
    encoded = table.encode_table(values)
    result = {key: bytes(value) for key, value in table.read_table(encoded, "path").items()}
    assert result == values
    assert list(result) == sorted(values)
    # Keys share their beginnings in the file.
    assert len(encoded) < sum(90 + len(key) for key in values)


def test_arrays_in_any_order_of_memory(tmp_path):
    arrays = {
        "transposed": np.arange(6.0).reshape(2, 3).T,
        "strided": np.arange(10)[::3],
        "big-endian": np.arange(3, dtype=">i4"),
        "scalar": np.float32(2.5),
        "strings": np.array([[b"", b"\xff\x00"], [b"x" * 300, b"y"]], object),
        "no strings": np.empty((0, 2), object),
    }
    prefix = str(tmp_path / "ckpt")
    write(prefix, arrays)
    result = Reader(prefix).read()
    assert sorted(result) == sorted(arrays)
    for name, array in arrays.items():
        assert result[name].tolist() == np.asarray(array).tolist()
        assert result[name].shape == np.shape(array)


def test_keys_of_slices():
    # As TensorFlow has them in tests/checkpoints/files/slices.index.
    assert slice_key(b"text", ((0, 1),)) == b"\x00text\x00\x01\x01\x01\x80\x81"
    assert slice_key(b"", ((100, 200),)) == b"\x00\x00\x01\x01\x01\xc0d\xc0\xc8"
    assert slice_key(b"\xff\x00", ((0, -1),)) == b"\x00\xff\x00\x00\xff\x00\x01\x01\x01\x80\x7f"
    assert slice_key(b"", ((2**40, 0),))[5:] == b"\xfd\x00\x00\x00\x00\x00\x80"


@pytest.mark.parametrize("kind", FORMATS)
def test_one_variable_in_two_places_gets_the_first_value(tmp_path, kind):
    options = tf.train.CheckpointOptions(format=kind)
    saved = tf.train.Checkpoint(a=tf.Variable(1.0), b=tf.Variable(2.0))
    v = tf.Variable(0.0)
    both = tf.train.Checkpoint(a=v, b=v)
    both.read(saved.write(str(tmp_path / "ckpt"), options)).assert_consumed()
    assert float(v) == 1.0  # as in TensorFlow


# --- interrupted saves ---------------------------------------------------------------------------


class Snapshots:
    """Copies of a folder from before each change of a name in it, and from the end."""

    def __init__(self, folder, copies, monkeypatch):
        self._folder, self._copies = folder, copies
        self.taken = []
        for name in ("replace", "rename", "remove", "unlink"):
            monkeypatch.setattr(os, name, self._before(getattr(os, name)))

    def _before(self, function):
        def changed(*args, **kwargs):
            self.take()
            return function(*args, **kwargs)

        return changed

    def take(self):
        copy = self._copies / f"{self._folder.name}-{len(self.taken)}"
        shutil.copytree(self._folder, copy)
        self.taken.append(copy)


def value(folder):
    v = tf.Variable(0.0)
    try:
        tf.train.Checkpoint(v=v).read(str(folder / "ckpt")).assert_consumed()
    except tf.errors.NotFoundError:
        return None
    return float(v)


def put(folder, kind, number):
    options = tf.train.CheckpointOptions(format=kind)
    tf.train.Checkpoint(v=tf.Variable(number)).write(str(folder / "ckpt"), options)


def states(folder, copies, kind, number):
    """All states of the folder while a checkpoint is written into it."""
    copies.mkdir()
    with pytest.MonkeyPatch.context() as patch:
        snapshots = Snapshots(folder, copies, patch)
        put(folder, kind, number)
    snapshots.take()
    return snapshots.taken


@pytest.mark.parametrize("third", FORMATS)
@pytest.mark.parametrize("second", FORMATS)
@pytest.mark.parametrize("first", [None, *FORMATS])
def test_a_save_that_stops_anywhere_leaves_the_old_or_the_new(tmp_path, first, second, third):
    folder = tmp_path / "folder"
    folder.mkdir()
    if first is not None:
        put(folder, first, 1.0)
    before = value(folder)
    seen = set()
    for number, state in enumerate(states(folder, tmp_path / "second", second, 2.0)):
        held = value(state)
        seen.add(held)
        # And whatever was left behind, the next save is as safe.
        for later in states(state, tmp_path / f"third-{number}", third, 3.0):
            assert value(later) in (held, 3.0)
        assert value(state) == 3.0
        ends = {name.partition(".")[2].split("-")[0] for name in names(state) if name[0] != "."}
        assert ends == ({"safetensors"} if third == "safetensors" else {"data", "index"})
    assert seen == {before, 2.0}
