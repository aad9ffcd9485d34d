"""The ways to save. Each saves state `n` (all numbers are n) and loads the number, or None.

`load` raises where the state is not whole, or is a mixture of two.
"""

from __future__ import annotations

import os

import numpy as np

import gradtape as tf
from gradtape import keras

SIZE = 200


def _model():
    keras.utils.set_random_seed(1)
    layers = [keras.layers.Dense(SIZE) for _ in range(3)]
    model = keras.Sequential([keras.layers.Input((SIZE,)), *layers])
    model.compile("sgd", "mse")
    return model


def _fill(variables, number: int) -> None:
    for variable in variables:
        variable.assign(np.full(variable.shape, number, "float32"))


def _number(variables) -> int:
    numbers = set(np.unique(np.concatenate([np.ravel(variable) for variable in variables])))
    if len(numbers) != 1:
        raise AssertionError(f"a mixture of the states {sorted(numbers)}")
    return int(numbers.pop())


class _Files:
    """Models and weights in one file of Keras."""

    name = ""

    def __init__(self, folder: str) -> None:
        self.path = os.path.join(folder, self.name)
        self.model = _model()

    def save(self, number: int) -> None:
        _fill(self.model.trainable_variables, number)
        self.write()

    def write(self) -> None:
        self.model.save(self.path)

    def load(self) -> int | None:
        if not os.path.exists(self.path):
            return None
        return _number(self.read().trainable_variables)

    def read(self):
        return keras.models.load_model(self.path, compile=False)


class KerasFile(_Files):
    name = "model.keras"


class LegacyFile(_Files):
    name = "model.h5"


class Weights(_Files):
    name = "model.weights.h5"

    def write(self) -> None:
        self.model.save_weights(self.path, overwrite=True)

    def read(self):
        self.model.load_weights(self.path)
        return self.model


class ShardedWeights(Weights):
    """Weights in several files, and one that lists them; their count changes, too."""

    name = "model.weights.json"
    count = 0

    def write(self) -> None:
        self.count += 1
        largest = (1.2 + self.count % 2) * SIZE * SIZE * 4 / 2**30  # in gigabytes
        self.model.save_weights(self.path, overwrite=True, max_shard_size=largest)


class ModelFolder(_Files):
    """A model that is not zipped: a folder with its configuration, which changes, and weights."""

    name = "folder"

    def save(self, number: int) -> None:
        layers = [keras.layers.Dense(SIZE + number) for _ in range(2)]
        self.model = keras.Sequential([keras.layers.Input((SIZE,)), *layers])
        super().save(number)

    def write(self) -> None:
        self.model.save(self.path, zipped=False)


class Backup:
    """`BackupAndRestore`: weights and the epoch to go on with, here the same number."""

    def __init__(self, folder: str) -> None:
        self.model = _model()
        self.callback = keras.callbacks.BackupAndRestore(os.path.join(folder, "backup"))
        self.callback.set_model(self.model)

    def save(self, number: int) -> None:
        _fill(self.model.trainable_variables, number)
        self.callback.on_epoch_end(number - 1)

    def load(self) -> int | None:
        _fill(self.model.trainable_variables, 0)
        self.model._initial_epoch = 0
        self.callback.on_train_begin()
        number = _number(self.model.trainable_variables)
        if self.model._initial_epoch != number:
            raise AssertionError(f"weights of {number}, epoch {self.model._initial_epoch}")
        return number or None


class FinishedBackup(Backup):
    """The same, deleted each time as at the end of `fit`: then there may be none."""

    may_be_none = True

    def save(self, number: int) -> None:
        super().save(number)
        self.callback.on_train_end()


class Checkpoint:
    """`tf.train.Checkpoint.save`: numbered files, of which one is the latest."""

    format = "safetensors"

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.variables = [tf.Variable(np.zeros((SIZE, SIZE), "float32")) for _ in range(3)]
        self.checkpoint = tf.train.Checkpoint(variables=self.variables)
        self.begin()

    def begin(self) -> None:
        self.checkpoint.save_counter.assign(0)

    def save(self, number: int) -> None:
        _fill(self.variables, number)
        self.write()

    def write(self) -> None:
        self.checkpoint.save_counter.assign(int(self.checkpoint.save_counter) % 4)
        self.checkpoint.save(os.path.join(self.folder, "numbered", "ckpt"), self.options())

    def options(self):
        return tf.train.CheckpointOptions(format=self.format)

    def load(self) -> int | None:
        latest = self.latest()
        if latest is None:
            return None
        self.checkpoint.restore(latest).assert_consumed()
        return _number(self.variables)

    def latest(self) -> str | None:
        return tf.train.latest_checkpoint(os.path.join(self.folder, "numbered"))

    @staticmethod
    def exists(prefix: str) -> bool:
        return any(os.path.exists(prefix + suffix) for suffix in (".safetensors", ".index"))


class Written(Checkpoint):
    """`tf.train.Checkpoint.write`: the same file again and again."""

    def write(self) -> None:
        self.checkpoint.write(os.path.join(self.folder, "one"), self.options())

    def latest(self) -> str | None:
        path = os.path.join(self.folder, "one")
        return path if self.exists(path) else None


class Managed(Checkpoint):
    """`tf.train.CheckpointManager`, which deletes old checkpoints."""

    def _manager(self):
        folder = os.path.join(self.folder, "managed")
        return tf.train.CheckpointManager(self.checkpoint, folder, max_to_keep=2)

    def begin(self) -> None:
        self.manager = self._manager()

    def write(self) -> None:
        self.manager.save(options=self.options())

    def latest(self) -> str | None:
        # A new process finds the folder as it is, deletes what is outdated, and goes on.
        self.manager = self._manager()
        files = [file for file in self.manager.checkpoints if not self.exists(file)]
        if files:
            raise AssertionError(f"the manager speaks of {files}, which are gone")
        return self.manager.latest_checkpoint


class TensorFlowCheckpoint(Checkpoint):
    """The same in TensorFlow's format: an index and shards of data."""

    format = "tensorflow"


class TensorFlowWritten(Written):
    format = "tensorflow"


class TensorFlowManaged(Managed):
    format = "tensorflow"


class EitherFormat(Written):
    """The same prefix in one format after the other."""

    count = 0

    def options(self):
        self.count += 1
        return tf.train.CheckpointOptions(format=["safetensors", "tensorflow"][self.count % 2])


class SavedDataset:
    """`Dataset.save`: elements, and what is said about them."""

    def __init__(self, folder: str) -> None:
        self.folder = os.path.join(folder, "dataset")

    def save(self, number: int) -> None:
        # Their count and shape change, too.
        rows = np.full((20 + number % 3, SIZE + number % 2), number, "float32")
        tf.data.Dataset.from_tensor_slices(rows).save(self.folder)

    def load(self) -> int | None:
        if not os.path.exists(os.path.join(self.folder, "dataset.json")):
            return None
        dataset = tf.data.Dataset.load(self.folder)
        elements = [element.numpy() for element in dataset]
        number = _number(elements)
        if dataset.element_spec.shape != elements[0].shape or len(dataset) != len(elements):
            raise AssertionError(f"elements of {number}, described as {dataset.element_spec}")
        return number


KINDS = {
    "keras": KerasFile,
    "h5": LegacyFile,
    "weights": Weights,
    "sharded": ShardedWeights,
    "folder": ModelFolder,
    "backup": Backup,
    "finished_backup": FinishedBackup,
    "checkpoint": Checkpoint,
    "written": Written,
    "manager": Managed,
    "tf_checkpoint": TensorFlowCheckpoint,
    "tf_written": TensorFlowWritten,
    "tf_manager": TensorFlowManaged,
    "either_format": EitherFormat,
    "dataset": SavedDataset,
}
