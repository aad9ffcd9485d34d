"""Weights in the files that Keras 2 wrote: HDF5 in its own layout, or TensorFlow's checkpoints."""

from __future__ import annotations

import functools
import inspect
import os
from typing import Any

from keras.src.callbacks.model_checkpoint import ModelCheckpoint
from keras.src.legacy.saving import legacy_h5_format
from keras.src.models.model import Model

from gradtape.api.compat.old_names import notice, old_names_work
from gradtape.core.tracebacks import filters_tracebacks
from gradtape.distribute.process.chief import by_chief
from gradtape.train.checkpoint import Checkpoint, CheckpointOptions
from gradtape.train.manager import update_checkpoint_state

_PRESENT = (".weights.h5", ".weights.json")
_HDF5 = (".h5", ".hdf5", ".keras")


def install() -> None:
    """Let models and callbacks write such files, and read those that Keras 3 does not."""
    _save_by_other_names()
    _load_checkpoints()
    _check_points_by_other_names()


def _save_by_other_names() -> None:
    save = Model.save_weights

    @functools.wraps(save)
    def save_weights(self, filepath, overwrite=True, *args, save_format=None, **options):
        path = os.fspath(filepath)
        if not old_names_work() or args or path.endswith(_PRESENT):
            return save(self, filepath, overwrite, *args, **options)
        notice(
            "save_weights to a file whose name does not end in .weights.h5 is a manner of Keras 2. "
            "Write such a name."
        )
        if save_format in ("h5", "hdf5", "keras") or (save_format is None and path.endswith(_HDF5)):
            return _write_hdf5(self, path)
        return _write_checkpoint(self, path)

    Model.save_weights = filters_tracebacks(save_weights)


# h5py takes long to load, and few programs need it.


def _is_hdf5(path: str) -> bool:
    import h5py

    return h5py.is_hdf5(path)


def _read_hdf5(model: Any, path: str) -> None:
    import h5py

    with h5py.File(path, "r") as file:
        legacy_h5_format.load_weights_from_hdf5_group(file, model)


def _write_hdf5(model: Any, path: str) -> None:
    import h5py

    def write() -> None:
        with h5py.File(path, "w") as file:
            legacy_h5_format.save_weights_to_hdf5_group(file, model)

    by_chief(write, f"write {path}")


def _write_checkpoint(model: Any, path: str) -> None:
    """Write a checkpoint, which is then the latest of its folder."""
    Checkpoint(root=model).write(path, CheckpointOptions(format="tensorflow"))
    folder = os.path.dirname(path) or "."
    by_chief(lambda: update_checkpoint_state(folder, path, [path]), f"write to {folder}")


def _load_checkpoints() -> None:
    load = Model.load_weights

    @functools.wraps(load)
    def load_weights(self, filepath, *args, **options):
        path = filepath if filepath is None else os.fspath(filepath)
        if path and old_names_work() and not path.endswith((*_PRESENT, *_HDF5)):
            if os.path.exists(f"{path}.index"):
                return Checkpoint(root=self).read(path)
            if os.path.isfile(path) and _is_hdf5(path):
                return _read_hdf5(self, path)
        return load(self, filepath, *args, **options)

    Model.load_weights = filters_tracebacks(load_weights)


def _check_points_by_other_names() -> None:
    initialize = ModelCheckpoint.__init__
    signature = inspect.signature(initialize)

    @functools.wraps(initialize)
    def checkpoint_init(self, filepath, *args, **options):
        given = signature.bind(self, filepath, *args, **options).arguments
        path = os.fspath(filepath)
        other = given.get("save_weights_only") and not path.endswith(".weights.h5")
        if other and old_names_work():
            initialize(self, f"{path}.weights.h5", *args, **options)
            self.filepath = path
        else:
            initialize(self, filepath, *args, **options)

    ModelCheckpoint.__init__ = filters_tracebacks(checkpoint_init)
