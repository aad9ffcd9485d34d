"""Checkpoints of a job: written by one process, never by halves, good for any number of them."""

from __future__ import annotations

import os
import re
import shutil
import signal
import time
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

import gradtape as tf
from gradtape.distribute.process import chief
from gradtape.distribute.process.cluster import Cluster
from gradtape.distribute.process.membership import ClusterError
from tests.distribute.processes import Ended, needs_jax, workers

TRAINING = """
    import os, signal

    import numpy as np

    import gradtape as tf

    folder, steps = os.environ["FOLDER"], 30
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    random = np.random.default_rng(0)
    xs = random.normal(size=(240, 5)).astype("float32")
    ys = (xs @ random.normal(size=(5, 2)) + 0.1).astype("float32")
    data = tf.data.Dataset.from_tensor_slices((xs, ys)).repeat().batch(24)
    with strategy.scope():
        weights = [
            tf.Variable(0.3 * random.normal(size=shape).astype("float32"))
            for shape in ((5, 8), (8, 2))
        ]
        momenta = [tf.Variable(tf.zeros_like(w)) for w in weights]
        seen = tf.Variable(
            0.0,
            synchronization=tf.VariableSynchronization.ON_READ,
            aggregation=tf.VariableAggregation.SUM,
        )
        step = tf.Variable(0, dtype=tf.int64, trainable=False)
    checkpoint = tf.train.Checkpoint(weights=weights, momenta=momenta, seen=seen, step=step)
    manager = tf.train.CheckpointManager(checkpoint, folder, max_to_keep=2)
    manager.restore_or_initialize()

    def replica_step(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum((tf.tanh(x @ weights[0]) @ weights[1] - y) ** 2) / 24
        gradients = tape.gradient(loss, weights)
        gradients = tf.distribute.get_replica_context().all_reduce("SUM", gradients)
        for w, m, g in zip(weights, momenta, gradients):
            m.assign(0.9 * m + g)
            w.assign_sub(0.02 * m)
        seen.assign_add(tf.cast(tf.shape(x)[0], tf.float32))
        return loss

    begin = int(step)
    print("begin", begin)
    batches = iter(strategy.experimental_distribute_dataset(data.skip(begin)))
    for number in range(begin, steps):
        losses = strategy.run(replica_step, next(batches))
        step.assign_add(1)
        print("loss", number, float(strategy.reduce("SUM", losses, None)))
        if number == 13 and strategy.cluster_resolver.task_id == int(os.environ.get("VICTIM", -1)):
            os.kill(os.getpid(), signal.SIGKILL)
        if number % 4 == 3:
            manager.save()
    final = [x for w in weights for x in w.numpy().ravel().tolist()]
    print("final", float(seen.numpy()), *final)
"""


def trained(folder: Path, count: int, **more: str) -> Ended:
    with workers(folder, TRAINING, count, **more) as job:
        ended = [job.end(i) for i in range(count)]
    assert [each.status for each in ended] == [0] * count, ended[0].err
    assert len({final(each) for each in ended}) == 1
    return ended[0]


def final(ended: Ended) -> tuple[float, ...]:
    return tuple(map(float, ended.out.split("final ")[1].split()))


def curve(ended: Ended) -> dict[int, float]:
    lines = [line.split() for line in ended.out.splitlines() if line.startswith("loss")]
    return {int(number): float(loss) for _, number, loss in lines}


def close(first, second) -> bool:
    return np.allclose(first, second, rtol=2e-5, atol=2e-6)


@needs_jax
def test_a_job_goes_on_after_a_loss_as_if_nothing_had_happened(tmp_path):
    undisturbed = trained(tmp_path, 1, FOLDER=str(tmp_path / "undisturbed"))
    folder = tmp_path / "disturbed"
    more = {"FOLDER": str(folder), "VICTIM": "1", "GRADTAPE_FAULT_TIMEOUT": "10"}
    with workers(tmp_path, TRAINING, 2, **more) as job:
        survivor = job.end(0)
    assert survivor.status == 69
    assert f":{job.processes[1].pid}) has shown no life" in survivor.err
    assert "final" not in survivor.out

    for count in (2, 1):  # the same number of processes, and another
        again = tmp_path / f"again{count}"
        shutil.copytree(folder, again)
        resumed = trained(tmp_path, count, FOLDER=str(again))
        begin = int(resumed.out.split("begin ")[1].split()[0])
        assert begin == 12  # the last fourth step before the loss
        assert close(final(resumed), final(undisturbed)), count
        expected = {n: loss for n, loss in curve(undisturbed).items() if n >= begin}
        assert list(curve(resumed)) == list(expected)
        assert close(list(curve(resumed).values()), list(expected.values()))


SAVING = """
    import os, time

    import numpy as np

    import gradtape as tf

    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    with strategy.scope():
        parts = [tf.Variable(np.zeros(20_000, "float32")) for _ in range(8)]
    manager = tf.train.CheckpointManager(
        tf.train.Checkpoint(parts=parts), os.environ["FOLDER"], max_to_keep=2
    )
    manager.restore_or_initialize()
    print("saving")
    while True:
        for part in parts:
            part.assign_add(tf.ones_like(part))
        manager.save()
        print("saved", int(parts[0][0]))
"""


@needs_jax
@pytest.mark.parametrize("victim", [0, 1])
def test_whenever_a_process_is_killed_the_checkpoint_is_whole(tmp_path, victim):
    folder = tmp_path / "checkpoints"
    with workers(tmp_path, SAVING, FOLDER=str(folder), GRADTAPE_FAULT_TIMEOUT="10") as job:
        job.until_printed(0, "saved 3\n")
        time.sleep(0.1 * victim)  # in the middle of anything
        os.kill(job.processes[victim].pid, signal.SIGKILL)
        killed = job.out(0)
        job.end(1 - victim)
    at_least = int(re.findall(r"saved (\d+)\n", killed)[-1])
    parts = [tf.Variable(np.zeros(20_000, "float32")) for _ in range(8)]
    manager = tf.train.CheckpointManager(tf.train.Checkpoint(parts=parts), folder, max_to_keep=2)
    assert manager.restore_or_initialize()
    values = {float(x) for part in parts for x in (part[0], part[-1])}
    assert len(values) == 1
    assert values.pop() >= at_least
    left = {file.name for file in folder.iterdir()}
    assert len([name for name in left if name.endswith(".safetensors")]) <= 3
    for path in folder.glob("[!.]*.safetensors"):
        tf.train.load_checkpoint(str(path).removesuffix(".safetensors"))


SHARDED = """
    import os

    import numpy as np

    import gradtape as tf
    from gradtape.distribute.process.cluster import join

    cluster = join()
    import jax
    from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

    from gradtape.backends.xla.runtime.device import start_using_devices
    from gradtape.backends.xla.runtime.tensor import DeviceTensor
    from gradtape.backends.xla.runtime.mesh import MeshVariable, spread

    start_using_devices()
    mesh = Mesh(np.array(jax.devices()), ("d",))

    class Sharded(MeshVariable):
        __slots__ = ()

        def _place_initial_value(self, value):
            return DeviceTensor(spread(value._data, NamedSharding(mesh, P("d"))))

    values = np.arange(24, dtype="float64").reshape(12, 2)
    with tf.device("/XLA:0"):
        v = Sharded(values if os.environ["ROLE"] == "save" else 0 * values)
    checkpoint = tf.train.Checkpoint(v=v)
    path = os.path.join(os.environ["FOLDER"], "ckpt-1")
    if os.environ["ROLE"] == "save":
        checkpoint.save(os.path.join(os.environ["FOLDER"], "ckpt"))
    else:
        checkpoint.restore(path).assert_consumed()
    own = [shard.data.shape for shard in v._data.addressable_shards]
    print("parts", own, sum(float(s.data.sum()) for s in v._data.addressable_shards))
"""


@needs_jax
def test_what_lies_in_parts_is_saved_whole_and_restored_in_parts(tmp_path):
    def run(count: int, role: str, devices: int = 1) -> list[str]:
        more = {"FOLDER": str(tmp_path), "ROLE": role, "JAX_NUM_CPU_DEVICES": str(devices)}
        with workers(tmp_path, SHARDED, count, **more) as job:
            ended = [job.end(i) for i in range(count)]
        assert [each.status for each in ended] == [0] * count, ended[-1].err
        return [each.out.split("parts ")[1].strip() for each in ended]

    assert run(2, "save") == ["[(6, 2)] 66.0", "[(6, 2)] 210.0"]
    saved = tf.train.load_variable(tmp_path / "ckpt-1", "v/.ATTRIBUTES/VARIABLE_VALUE")
    assert np.array_equal(saved, np.arange(24, dtype="float64").reshape(12, 2))
    assert run(1, "restore", 3) == ["[(4, 2), (4, 2), (4, 2)] 276.0"]


# --- who writes ----------------------------------------------------------------------------------


class Notes(dict):
    """The store of a cluster, in one process."""

    def write(self, key, text):
        self[key] = text

    def glance(self, key, seconds):
        return self.get(key)


@pytest.fixture
def as_worker(monkeypatch):
    """This process counts as a process of a job of two; what it is told is in the notes."""
    notes = Notes()
    monkeypatch.setattr(chief, "store", lambda: notes)
    monkeypatch.setattr(chief, "_serial", iter(range(99)))

    def be(number: int) -> Notes:
        monkeypatch.setattr(chief, "current", lambda: Cluster(number, 2))
        return notes

    return be


def test_only_the_chief_writes(as_worker, tmp_path):
    notes = as_worker(1)
    notes.update({f"chief/{i}": "done" for i in range(4)})
    manager = tf.train.CheckpointManager(
        tf.train.Checkpoint(v=tf.Variable(1.0)), tmp_path / "a", max_to_keep=1
    )
    assert manager.save() == str(tmp_path / "a" / "ckpt-1")
    assert not (tmp_path / "a").exists()
    as_worker(0)
    manager.save()
    assert {file.name for file in (tmp_path / "a").iterdir()} == {
        "checkpoint",
        "ckpt-2.safetensors",
    }


def test_the_others_are_told_what_the_chief_could_not_do(as_worker, tmp_path):
    (tmp_path / "file").write_text("")
    checkpoint = tf.train.Checkpoint(v=tf.Variable(1.0))
    notes = as_worker(0)
    with pytest.raises(FileExistsError):
        checkpoint.write(tmp_path / "file" / "ckpt")
    assert notes["chief/0"].startswith("FileExistsError: ")
    notes["chief/1"] = notes["chief/0"]
    as_worker(1)
    with pytest.raises(ClusterError, match=r"Process 0 could not write the checkpoint .*ckpt.*: F"):
        checkpoint.write(tmp_path / "file" / "ckpt")


KERAS = """
    import os

    import gradtape as tf

    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    keras = tf.keras
    keras.utils.set_random_seed(1)
    with strategy.scope():
        model = keras.Sequential([keras.layers.Input((3,)), keras.layers.Dense(2)])
        model.compile("sgd", "mse")
    x = tf.random.stateless_normal((16, 3), (1, 2)).numpy()
    folder = os.environ["FOLDER"]
    callbacks = [
        keras.callbacks.BackupAndRestore(os.path.join(folder, "backup"), delete_checkpoint=False),
        keras.callbacks.ModelCheckpoint(os.path.join(folder, "model-{epoch}.keras")),
    ]
    written = []

    import keras.src.saving.saving_lib as lib

    original = lib.H5IOStore.__init__

    def noted(self, place, *args, **kwargs):
        written.append(str(place))
        original(self, place, *args, **kwargs)

    lib.H5IOStore.__init__ = noted

    def shown():
        return " ".join(repr(x) for w in model.get_weights() for x in w.ravel().tolist())

    class Begin(keras.callbacks.Callback):
        def on_train_begin(self, logs=None):
            print("begin", shown())

    history = model.fit(
        x, x[:, :2], epochs=int(os.environ["EPOCHS"]), verbose=0, batch_size=8,
        callbacks=[*callbacks, Begin()],
    )
    print("epochs", len(history.epoch), "into the folder:", any(folder in p for p in written))
    print("final", shown())
"""


@needs_jax
@pytest.mark.skipif(
    find_spec("keras") is None or find_spec("h5py") is None,
    reason="Keras, or h5py, with which it saves weights, is not installed",
)
def test_callbacks_of_keras_write_in_one_process_and_restore_in_all(tmp_path):
    def run(epochs: int) -> list[Ended]:
        more = {"FOLDER": str(tmp_path / "files"), "EPOCHS": str(epochs)}
        with workers(tmp_path, KERAS, 2, **more) as job:
            ended = [job.end(i) for i in range(2)]
        assert [each.status for each in ended] == [0, 0], ended[0].err
        return ended

    first = run(1)
    assert "epochs 1 into the folder: True" in first[0].out
    assert "epochs 1 into the folder: False" in first[1].out
    second = run(3)
    for each in second:
        assert "epochs 2 " in each.out
        begin = each.out.split("begin ")[1].splitlines()[0]
        assert tuple(map(float, begin.split())) == final(first[0])
    assert final(second[0]) == final(second[1]) != final(first[0])
    names = {file.name for file in (tmp_path / "files").iterdir()}
    assert names == {"backup", "model-1.keras", "model-2.keras", "model-3.keras"}
