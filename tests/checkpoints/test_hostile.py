"""Damaged and hostile checkpoints give an error that says where; nothing else happens."""

import os
import re
import sys
import tracemalloc

import numpy as np
import pytest

import gradtape as tf
from tests.checkpoints import hostile

FILES = list(hostile.files())
ERRORS = (tf.errors.DataLossError, tf.errors.NotFoundError)
MAX_BYTES = 40_000_000


class Opened:
    """The paths that are opened while a test listens. (Python never removes such a hook.)"""

    def __init__(self):
        self.paths = []
        self.listens = False
        sys.addaudithook(self)

    def __call__(self, event, args):
        if self.listens and event == "open":
            self.paths.append(str(args[0]))

    def __enter__(self):
        self.paths, self.listens = [], True

    def __exit__(self, *error):
        self.listens = False


OPENED = Opened()


def write(folder, files):
    """Make the folder hold these files, a folder where there is no content."""
    folder.mkdir()
    for name, content in files.items():
        if content is None:
            (folder / name).mkdir()
        else:
            (folder / name).write_bytes(content)
    return str(folder / hostile.NAME)


def restored(prefix):
    """The value of the variable after restoring, or the error before, with the same value."""
    v = tf.Variable(tf.fill([2, 3], -1.0))
    try:
        tf.train.Checkpoint(v=v).read(prefix).assert_consumed()
    except Exception as error:
        assert v.numpy().tolist() == [[-1.0] * 3] * 2
        return error
    return v.numpy()


def test_there_are_many():
    assert len(FILES) >= 100
    assert len({name for name, *_ in FILES}) == len(FILES)


def test_the_undamaged_checkpoint_is_restored(tmp_path):
    assert np.array_equal(restored(write(tmp_path / "good", hostile.FILES)), hostile.VALUES)


@pytest.mark.parametrize(("name", "files", "text"), FILES, ids=[name for name, *_ in FILES])
def test_restoring(tmp_path, name, files, text):
    prefix = write(tmp_path / "bad", files)
    tracemalloc.start()
    with OPENED:
        error = restored(prefix)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert isinstance(error, ERRORS), error
    assert text in str(error)
    assert prefix in str(error)
    assert peak < MAX_BYTES
    outside = [path for path in OPENED.paths if not path.startswith(str(tmp_path))]
    assert [path for path in outside if not path.endswith((".py", ".pyc"))] == []


@pytest.mark.parametrize(("name", "files", "text"), FILES, ids=[name for name, *_ in FILES])
def test_reading_one_value_after_the_other(tmp_path, name, files, text):
    prefix = write(tmp_path / "bad", files)

    def read_all():
        reader = tf.train.load_checkpoint(prefix)
        reader.get_variable_to_dtype_map()
        return [reader.get_tensor(key) for key in reader.get_variable_to_shape_map()]

    if name.startswith("graph:") or "share their" in name:
        # Only what restores objects, or all values at once, notices these.
        assert len(read_all()) >= 2
    else:
        with pytest.raises(ERRORS, match=re.escape(prefix)):
            read_all()


@pytest.mark.parametrize("part", ["index", "data"])
def test_each_changed_byte_is_noticed_or_harmless(tmp_path, part):
    name = hostile.INDEX if part == "index" else hostile.SHARD
    good = hostile.FILES[name]
    noticed = 0
    prefix = write(tmp_path / "bad", hostile.FILES)
    for position in range(len(good)):
        changed = bytearray(good)
        changed[position] ^= 1 << position % 8
        (tmp_path / "bad" / name).write_bytes(changed)
        result = restored(prefix)
        if isinstance(result, Exception):
            assert isinstance(result, ERRORS), result
            noticed += 1
        else:
            assert np.array_equal(result, hostile.VALUES)
    assert noticed > len(good) * 0.6


@pytest.mark.parametrize("part", ["index", "data"])
def test_each_cut_is_noticed(tmp_path, part):
    name = hostile.INDEX if part == "index" else hostile.SHARD
    prefix = write(tmp_path / "bad", hostile.FILES)
    for length in range(len(hostile.FILES[name])):
        (tmp_path / "bad" / name).write_bytes(hostile.FILES[name][:length])
        assert isinstance(restored(prefix), ERRORS)


@pytest.mark.parametrize(
    ("name", "files"),
    list(hostile.harmless_graphs()),
    ids=[n for n, _ in hostile.harmless_graphs()],
)
def test_cycles_and_many_edges_are_no_problem(tmp_path, name, files):
    v = tf.Variable(tf.zeros([2, 3]))
    prefix = write(tmp_path / "odd", files)
    tf.train.Checkpoint(v=v).read(prefix).expect_partial().assert_existing_objects_matched()
    assert np.array_equal(v.numpy(), hostile.VALUES)


@pytest.mark.parametrize("name", hostile.LISTS)
def test_lists_of_checkpoints(tmp_path, name):
    (tmp_path / "checkpoint").write_text(hostile.LISTS[name])
    assert tf.train.latest_checkpoint(str(tmp_path)) is None
    v = tf.Variable(1.0)
    manager = tf.train.CheckpointManager(tf.train.Checkpoint(v=v), str(tmp_path), max_to_keep=1)
    assert manager.checkpoints == []
    assert manager.save() == tf.train.latest_checkpoint(str(tmp_path))


def test_a_list_that_names_files_of_others_deletes_none_of_them(tmp_path):
    write(tmp_path / "others", hostile.FILES)
    folder = tmp_path / "mine"
    folder.mkdir()
    other = "../others/ckpt"
    (folder / "checkpoint").write_text(
        f'model_checkpoint_path: "{other}"\nall_model_checkpoint_paths: "{other}"\n'
        f'outdated_checkpoint_paths: "{other}"\n'
    )
    future = os.path.getmtime(folder / "checkpoint") + 100
    os.utime(folder / "checkpoint", (future, future))
    v = tf.Variable(1.0)
    manager = tf.train.CheckpointManager(tf.train.Checkpoint(v=v), str(folder), max_to_keep=1)
    manager.save()
    manager.save()
    assert sorted(path.name for path in (tmp_path / "others").iterdir()) == sorted(hostile.FILES)
