"""What Keras saves appears whole or not at all.

Keras writes its files in place: a process that is killed while it saves leaves neither the old
model nor the new one. Here its writers get the name of a file or folder beside it, which takes the
place of the old one once it is complete; for weights in several files see sharded.py. A backup of
`BackupAndRestore` is two files; the epoch is stored in the file of the weights, too, so that
weights and epoch change at the same moment.
"""

from __future__ import annotations

import functools
import inspect
import io
import json
import os
import warnings
from types import ModuleType

from gradtape.formats.atomic import replacing, replacing_folder, write_whole
from keras_gradtape.src.saving.sharded import write_shards

# The functions that write a file or folder, whose path is their second argument.
_WRITERS = ("save_model", "save_weights_only", "save_model_to_hdf5")
# What a model is that is not zipped. The weights come last: the rest seldom changes.
_ENTRIES = ("assets", "metadata.json", "config.json", "model.weights.h5")
_ATTRIBUTE = "gradtape_training_metadata"


def install_writers(module: ModuleType) -> None:
    """Make the functions of a module of Keras that write a file replace it as a whole."""
    for name in _WRITERS:
        if name in vars(module):
            setattr(module, name, _writing_whole(getattr(module, name)))


def _writing_whole(write):
    signature = inspect.signature(write)

    def write_to(path: str, call: inspect.BoundArguments):
        call.arguments["filepath"] = path
        return write(*call.args, **call.kwargs)

    @functools.wraps(write)
    def written(*args, **kwargs):
        call = signature.bind(*args, **kwargs)
        path = _local_path(call.arguments)
        if path is None:
            return write(*args, **kwargs)
        if call.arguments.get("max_shard_size") is not None:
            return write_shards(_list_of_shards(path), lambda path: write_to(path, call))
        if not call.arguments.get("zipped", True):
            os.makedirs(os.path.dirname(os.path.realpath(path)), exist_ok=True)
            with replacing_folder(path, _ENTRIES) as partial:
                return write_to(partial, call)
        if write.__name__ == "save_model_to_hdf5":  # which makes the folder itself
            os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
        with replacing(path) as partial:
            return write_to(partial, call)

    return written


def _local_path(arguments: dict) -> str | None:
    """Return the path, where an ordinary file or folder will be written: no pipe, no remote
    storage."""
    path = arguments["filepath"]
    if isinstance(path, io.IOBase) or not isinstance(path, (str, os.PathLike)):
        return None
    path = os.fspath(path)
    # What Keras is going to refuse or to ask about is left to it, under the name that it was given.
    if "://" in path or arguments.get("overwrite") is False:
        return None
    if not arguments.get("zipped", True):
        return None if path.endswith(".keras") or os.path.isfile(path) else path
    if arguments.get("max_shard_size") is not None:
        endings = ("weights.h5", "weights.json")
    else:
        endings = (".keras", ".h5", ".hdf5")
    if not path.endswith(endings):
        return None
    return None if os.path.exists(path) and not os.path.isfile(path) else path


def _list_of_shards(path: str) -> str:
    """Return the path of the list of shards, which ends in `.json` whatever the program says."""
    if path.endswith(".json"):
        return path
    listed = f"{os.path.splitext(path)[0]}.json"
    warnings.warn(
        f"Weights with `max_shard_size` are listed in a `.json` file: {listed} is written "
        f"instead of {path}. Give a name that ends in `.weights.json`.",
        stacklevel=4,
    )
    return listed


def install_backups(module: ModuleType) -> None:
    """Make `BackupAndRestore` change weights and epoch at the same moment."""
    cls = module.BackupAndRestore
    save, load, file_utils = cls._save_model, cls._load_model, module.file_utils

    def _save_model(self):
        if file_utils.is_remote_path(self.backup_dir):
            save(self)
            return
        metadata = json.dumps({"epoch": self._current_epoch, "batch": self._last_batch_seen})
        if not file_utils.exists(self.backup_dir):
            file_utils.makedirs(self.backup_dir)
        if self.double_checkpoint:
            for current, previous in (
                (self._weights_path, self._prev_weights_path),
                (self._training_metadata_path, self._prev_training_metadata_path),
            ):
                if file_utils.exists(current):
                    file_utils.copy(current, previous)
        with replacing(self._weights_path) as partial:
            self.model.save_weights(filepath=partial, overwrite=True)
            _store(partial, metadata)
        # For other backends of Keras, which look for the epoch there.
        write_whole(self._training_metadata_path, [metadata.encode()])

    def _load_model(self):
        known = self.model._initial_epoch
        load(self)
        if not file_utils.exists(self._weights_path):
            # A process has died while it deleted the backup: an epoch without weights is none.
            self.model._initial_epoch = known
        elif file_utils.is_remote_path(self._weights_path):
            return
        elif (metadata := _stored(self._weights_path)) is not None:
            self.model._initial_epoch = json.loads(metadata)["epoch"]

    cls._save_model, cls._load_model = _save_model, _load_model


def _store(path: str, metadata: str) -> None:
    import h5py

    with h5py.File(path, "r+") as file:
        file.attrs[_ATTRIBUTE] = metadata


def _stored(path: str) -> str | None:
    import h5py

    with h5py.File(path, "r") as file:
        return file.attrs.get(_ATTRIBUTE)
