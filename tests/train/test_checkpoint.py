"""What recorded results cannot show: the file format, damage, a process killed while saving."""

import gc
import itertools
import json
import logging
import os
import re
import signal
import subprocess
import sys
import textwrap
import time

import numpy as np
import pytest

import gradtape as tf

KEY = "v/.ATTRIBUTES/VARIABLE_VALUE"


def saved(folder, value=1.0):
    return tf.train.Checkpoint(v=tf.Variable([value, 2.0]), w=tf.Variable([[3]])).save(
        str(folder / "ckpt")
    )


# --- the file ------------------------------------------------------------------------------------


def test_the_file_is_a_safetensors_file(tmp_path):
    path = saved(tmp_path)
    data = (tmp_path / "ckpt-1.safetensors").read_bytes()
    assert path == str(tmp_path / "ckpt-1")
    length = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + length])
    metadata = header.pop("__metadata__")
    assert all(isinstance(value, str) for value in metadata.values())
    entry = header[KEY]
    begin, end = entry["data_offsets"]
    array = np.frombuffer(data[8 + length :][begin:end], "<f4").reshape(entry["shape"])
    assert entry["dtype"] == "F32"
    assert array.tolist() == [1.0, 2.0]
    # The library asks for data without gaps, that begins at a multiple of eight.
    ends = sorted(each["data_offsets"] for each in header.values())
    assert ends[0][0] == 0
    assert all(one[1] == other[0] for one, other in itertools.pairwise(ends))
    assert ends[-1][1] == len(data) - 8 - length
    assert length % 8 == 0


def test_a_file_of_the_library_without_checksums_can_be_read(tmp_path):
    from gradtape.formats import safetensors

    array = np.arange(6, dtype="<f8")
    header = {"x": {"dtype": "F64", "shape": [2, 3], "data_offsets": [0, 48]}}
    text = json.dumps(header).encode()
    path = tmp_path / "other.safetensors"
    path.write_bytes(len(text).to_bytes(8, "little") + text + array.tobytes())
    result = safetensors.Reader(str(path)).read()
    assert result["x"].tolist() == [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]
    with pytest.raises(tf.errors.DataLossError, match="not a checkpoint"):
        tf.train.Checkpoint().restore(str(path))


def test_no_other_files_are_left(tmp_path):
    saved(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["checkpoint", "ckpt-1.safetensors"]


def test_the_list_of_checkpoints_is_readable_text(tmp_path):
    saved(tmp_path)
    text = (tmp_path / "checkpoint").read_text()
    assert text.splitlines() == [
        'model_checkpoint_path: "ckpt-1"',
        'all_model_checkpoint_paths: "ckpt-1"',
    ]


def test_a_folder_can_be_moved(tmp_path):
    saved(tmp_path / "old", 5.0)
    os.rename(tmp_path / "old", tmp_path / "new")
    v = tf.Variable([0.0, 0.0])
    path = tf.train.latest_checkpoint(tmp_path / "new")
    tf.train.Checkpoint(v=v).restore(path).expect_partial()
    assert v.numpy().tolist() == [5.0, 2.0]


# --- damage --------------------------------------------------------------------------------------


def damaged(data: bytes, kind: str) -> bytes:
    length = int.from_bytes(data[:8], "little")
    changed = bytearray(data)
    if kind == "empty":
        return b""
    if kind == "half":
        return data[: len(data) // 2]
    if kind == "last byte":
        return data[:-1]
    if kind == "longer":
        return data + b"x"
    if kind == "header":
        changed[8 + length // 2] ^= 0x15
    elif kind == "length":
        changed[3] ^= 0xFF
    elif kind == "values":
        changed[-5] ^= 1
    else:
        return b"this is not a checkpoint at all, but some text"
    return bytes(changed)


@pytest.mark.parametrize(
    "kind", ["empty", "half", "last byte", "longer", "header", "length", "values", "text"]
)
def test_a_damaged_checkpoint_is_refused_and_changes_nothing(tmp_path, kind):
    path = saved(tmp_path)
    file = tmp_path / "ckpt-1.safetensors"
    file.write_bytes(damaged(file.read_bytes(), kind))
    v, w = tf.Variable([7.0, 8.0]), tf.Variable([[9]])
    with pytest.raises(tf.errors.DataLossError, match=re.escape(str(file))):
        tf.train.Checkpoint(v=v, w=w).restore(path)
    assert v.numpy().tolist() == [7.0, 8.0]
    assert w.numpy().tolist() == [[9]]


def test_every_cut_is_noticed(tmp_path):
    path = saved(tmp_path)
    file = tmp_path / "ckpt-1.safetensors"
    data = file.read_bytes()
    for length in range(0, len(data), 7):
        file.write_bytes(data[:length])
        with pytest.raises(tf.errors.DataLossError):
            tf.train.Checkpoint(v=tf.Variable([7.0, 8.0])).restore(path)


def test_every_changed_byte_is_noticed_or_harmless(tmp_path):
    path = saved(tmp_path)
    file = tmp_path / "ckpt-1.safetensors"
    data = file.read_bytes()
    noticed = 0
    for position in range(0, len(data), 3):
        changed = bytearray(data)
        changed[position] ^= 1 << position % 8
        file.write_bytes(changed)
        v, w = tf.Variable([7.0, 8.0]), tf.Variable([[9]])
        try:
            tf.train.Checkpoint(v=v, w=w).restore(path).assert_consumed()
        except tf.errors.DataLossError:
            noticed += 1
            assert (v.numpy().tolist(), w.numpy().tolist()) == ([7.0, 8.0], [[9]])
        else:
            assert (v.numpy().tolist(), w.numpy().tolist()) == ([1.0, 2.0], [[3]])
    assert noticed > len(data) // 4


def test_a_wrong_shape_changes_nothing(tmp_path):
    path = tf.train.Checkpoint(a=tf.Variable(1.0), b=tf.Variable([1.0, 2.0])).save(
        str(tmp_path / "ckpt")
    )
    a = tf.Variable(5.0)
    with pytest.raises(ValueError, match=r"shape \(2,\).*shape \(3,\) and name b/"):
        tf.train.Checkpoint(a=a, b=tf.Variable([1.0, 2.0, 3.0])).restore(path)
    assert float(a) == 5.0


def test_a_folder_instead_of_a_checkpoint(tmp_path):
    with pytest.raises(tf.errors.NotFoundError, match="latest_checkpoint"):
        tf.train.Checkpoint().restore(str(tmp_path))


def test_a_failed_save_leaves_everything_as_it_was(tmp_path, monkeypatch):
    v = tf.Variable([1.0])
    checkpoint = tf.train.Checkpoint(v=v)
    first = checkpoint.save(str(tmp_path / "ckpt"))
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}

    def full(handle):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    v.assign([2.0])
    with pytest.raises(OSError, match="No space left"):
        checkpoint.save(str(tmp_path / "ckpt"))
    monkeypatch.undo()
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
    assert tf.train.latest_checkpoint(str(tmp_path)) == first
    assert checkpoint.save(str(tmp_path / "ckpt")).endswith("ckpt-2")


SAVING = """
    import sys
    import numpy as np
    import gradtape as tf

    v = tf.Variable(np.zeros(2_000_000, np.float32))
    checkpoint = tf.train.Checkpoint(v=v)
    manager = tf.train.CheckpointManager(checkpoint, sys.argv[1], max_to_keep=2)
    for step in range(1, 10_000):
        v.assign(np.full(2_000_000, step, np.float32))
        manager.save()
        if step == 2:
            print("ready", flush=True)
"""


@pytest.mark.parametrize("delay", [0.0, 0.013, 0.031, 0.047, 0.071])
def test_a_process_killed_while_saving_leaves_a_good_checkpoint(tmp_path, delay):
    command = [sys.executable, "-c", textwrap.dedent(SAVING), str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(delay)
        process.send_signal(signal.SIGKILL)
        process.wait()
    path = tf.train.latest_checkpoint(str(tmp_path))
    assert path is not None
    v = tf.Variable(np.zeros(2_000_000, np.float32))
    checkpoint = tf.train.Checkpoint(v=v)
    checkpoint.restore(path).assert_consumed()
    number = int(path.rsplit("-", 1)[1])
    assert int(checkpoint.save_counter) == number >= 2
    assert set(v.numpy().tolist()) == {float(number)}
    # What the dead process left behind is replaced by going on.
    manager = tf.train.CheckpointManager(checkpoint, str(tmp_path), max_to_keep=2)
    for _ in range(3):
        manager.save()
    assert {path.name for path in tmp_path.iterdir()} == {
        "checkpoint",
        *(f"{os.path.basename(p)}.safetensors" for p in manager.checkpoints),
    }


def test_what_a_dead_process_could_not_delete_is_deleted_by_the_next(tmp_path, monkeypatch):
    v = tf.Variable(1.0)
    checkpoint = tf.train.Checkpoint(v=v)
    manager = tf.train.CheckpointManager(checkpoint, str(tmp_path), max_to_keep=2)
    own = tmp_path / "ckpt-77.safetensors"  # not the manager's
    own.write_bytes(b"mine")
    manager.save()
    manager.save()

    def die(path):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(os, "remove", die)
        with pytest.raises(KeyboardInterrupt):
            manager.save()

    def numbers():
        return sorted(int(path.stem.split("-")[1]) for path in tmp_path.glob("ckpt-*.safetensors"))

    assert numbers() == [1, 2, 3, 77]
    again = tf.train.CheckpointManager(checkpoint, str(tmp_path), max_to_keep=2)
    assert numbers() == [2, 3, 77]
    assert [os.path.basename(path) for path in again.checkpoints] == ["ckpt-2", "ckpt-3"]
    assert own.read_bytes() == b"mine"


def test_a_file_written_since_is_not_deleted(tmp_path):
    v = tf.Variable(1.0)
    checkpoint = tf.train.Checkpoint(v=v)
    manager = tf.train.CheckpointManager(checkpoint, str(tmp_path), max_to_keep=1)
    manager.save()
    manager.save()
    checkpoint.write(str(tmp_path / "ckpt-1"))  # by hand, under the name of what was deleted
    later = os.path.getmtime(tmp_path / "checkpoint") + 5
    os.utime(tmp_path / "ckpt-1.safetensors", (later, later))
    tf.train.CheckpointManager(checkpoint, str(tmp_path), max_to_keep=1)
    assert (tmp_path / "ckpt-1.safetensors").exists()


# --- restoring -----------------------------------------------------------------------------------


def test_values_that_nobody_used_are_reported_when_the_checkpoint_goes(tmp_path, caplog):
    path = saved(tmp_path)
    checkpoint = tf.train.Checkpoint(v=tf.Variable([0.0, 0.0]))
    with caplog.at_level(logging.WARNING, "gradtape"):
        checkpoint.restore(path)
        del checkpoint
        gc.collect()
    assert "w/.ATTRIBUTES/VARIABLE_VALUE" in caplog.text


def test_expecting_partial_use_is_silent(tmp_path, caplog):
    gc.collect()  # what other tests have left in cycles may have something to say
    caplog.clear()
    path = saved(tmp_path)
    checkpoint = tf.train.Checkpoint(v=tf.Variable([0.0, 0.0]))
    with caplog.at_level(logging.WARNING, "gradtape"):
        checkpoint.restore(path).expect_partial()
        del checkpoint
        gc.collect()
    assert caplog.text == ""


def test_messages_name_what_is_missing(tmp_path):
    path = saved(tmp_path)
    status = tf.train.Checkpoint(v=tf.Variable([0.0, 0.0])).restore(path)
    with pytest.raises(AssertionError, match=r"no Python object was found for w/\.ATTRIBUTES"):
        status.assert_consumed()
    status.expect_partial()
    status = tf.train.Checkpoint(v=tf.Variable([0.0, 0.0]), new=tf.Variable(1)).restore(path)
    with pytest.raises(AssertionError, match=r"not bound to checkpointed values.*\(root\)\.new"):
        status.assert_existing_objects_matched()
    status.expect_partial()


def test_a_list_that_grows_after_restoring(tmp_path):
    trained = tf.Module()
    trained.layers = [tf.Variable(1.0), tf.Variable(2.0)]
    path = tf.train.Checkpoint(net=trained).save(str(tmp_path / "ckpt"))
    fresh = tf.Module()
    fresh.layers = []
    status = tf.train.Checkpoint(net=fresh).restore(path)
    fresh.layers += [tf.Variable(0.0), tf.Variable(0.0)]
    fresh.done = True  # an attribute of the owner: the list is looked through again
    assert [float(v) for v in fresh.layers] == [1.0, 2.0]
    status.assert_consumed()
    fresh.layers[0].assign(9.0)
    fresh.more = 1
    assert float(fresh.layers[0]) == 9.0


def test_a_second_restore_replaces_the_first(tmp_path):
    first = tf.train.Checkpoint(m=tf.Module())
    paths = []
    for value in (1.0, 2.0):
        first.m.v = tf.Variable(value)
        paths.append(first.save(str(tmp_path / "ckpt")))
    fresh = tf.Module()
    checkpoint = tf.train.Checkpoint(m=fresh)
    checkpoint.restore(paths[0]).expect_partial()
    status = checkpoint.restore(paths[1])
    fresh.v = tf.Variable(0.0)
    status.assert_consumed()
    assert float(fresh.v) == 2.0


def test_cycles(tmp_path):
    one, other = tf.Module(), tf.Module()
    one.other, other.one, one.v = other, one, tf.Variable(3.0)
    path = tf.train.Checkpoint(one=one).save(str(tmp_path / "ckpt"))
    one.v.assign(0.0)
    tf.train.Checkpoint(one=one).restore(path).assert_consumed()
    assert float(one.v) == 3.0


def test_random_generators(tmp_path):
    rng = tf.random.Generator.from_seed(4)
    rng.normal([3])
    path = tf.train.Checkpoint(rng=rng).save(str(tmp_path / "ckpt"))
    expected = rng.normal([5]).numpy()
    other = tf.random.Generator.from_seed(99)
    tf.train.Checkpoint(rng=other).restore(path).assert_consumed()
    assert np.array_equal(other.normal([5]).numpy(), expected)


def test_restoring_is_not_recorded_and_seen_by_later_reads(tmp_path):
    v = tf.Variable(2.0)
    checkpoint = tf.train.Checkpoint(v=v)
    path = checkpoint.save(str(tmp_path / "ckpt"))
    v.assign(5.0)
    with tf.GradientTape() as tape:
        checkpoint.restore(path)
        y = v * v
    assert float(tape.gradient(y, v)) == 4.0


def test_keeping_one_checkpoint_every_few_hours(tmp_path, monkeypatch):
    now = [1_000_000.0]
    monkeypatch.setattr(time, "time", lambda: now[0])
    checkpoint = tf.train.Checkpoint(v=tf.Variable(1.0))
    manager = tf.train.CheckpointManager(
        checkpoint, str(tmp_path), max_to_keep=1, keep_checkpoint_every_n_hours=2
    )
    for _ in range(6):
        now[0] += 3600
        manager.save()
    kept = sorted(path.stem for path in tmp_path.glob("*.safetensors"))
    assert kept == ["ckpt-2", "ckpt-4", "ckpt-6"]
    assert [os.path.basename(path) for path in manager.checkpoints] == ["ckpt-6"]


def test_checkpoints_iterator(tmp_path):
    first = saved(tmp_path)
    result = tf.train.checkpoints_iterator(str(tmp_path), timeout=0.2)
    assert next(result) == first
    assert list(result) == []


# --- what is not followed -------------------------------------------------------------------------


class WithUntracked(tf.Module):
    def __init__(self):
        super().__init__()
        self.kept = tf.Variable(1.0)
        self.fill()

    @tf.__internal__.tracking.no_automatic_dependency_tracking
    def fill(self):
        self.hidden = tf.Variable(2.0)
        self.again = tf.Variable(3.0)
        return 5


def test_what_is_assigned_untracked_is_no_part_of_a_checkpoint(tmp_path):
    module = WithUntracked()
    assert module.fill() == 5
    module.again = tf.Variable(4.0)  # tracked from then on
    path = tf.train.Checkpoint(m=module).write(str(tmp_path / "ckpt"))
    names = [name for name, _ in tf.train.list_variables(path)]
    assert [name for name in names if name.startswith("m/")] == [
        "m/again/.ATTRIBUTES/VARIABLE_VALUE",
        "m/kept/.ATTRIBUTES/VARIABLE_VALUE",
    ]
    assert len(module.variables) == 3
