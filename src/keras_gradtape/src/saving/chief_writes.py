"""Callbacks that write files, in a job of several processes: process 0 writes them.

The others do the same in a folder that is deleted again, as on TensorFlow: where variables lie in
parts with several processes, all of them must take part in reading them.
"""

from __future__ import annotations

import contextlib
import functools
import os
import tempfile
from types import ModuleType

from gradtape.distribute.process.chief import by_chief, is_chief
from gradtape.distribute.process.cluster import current

# The attributes of a callback that name files, or the folder of them.
_PATH_ATTRIBUTES = {
    "BackupAndRestore": (
        "backup_dir",
        "_weights_path",
        "_training_metadata_path",
        "_prev_weights_path",
        "_prev_training_metadata_path",
    ),
    "ModelCheckpoint": ("filepath",),
}


def install(module: ModuleType) -> None:
    """Make the callback of a module of Keras write in one process."""
    for name, attributes in _PATH_ATTRIBUTES.items():
        if name in vars(module):
            cls = vars(module)[name]
            cls._save_model = _written_by_chief(cls._save_model, attributes)
            if "on_train_end" in vars(cls):  # where the backup is deleted
                cls.on_train_end = _done_by_chief(cls.on_train_end)


def _written_by_chief(save, attributes: tuple[str, ...]):
    @functools.wraps(save)
    def _save_model(self, *args, **kwargs):
        if current().process_count == 1:
            return save(self, *args, **kwargs)
        if not is_chief():
            with _redirect(self, attributes):
                save(self, *args, **kwargs)
        what = f"save the model to {getattr(self, attributes[0])}"
        return by_chief(lambda: save(self, *args, **kwargs), what)

    return _save_model


def _done_by_chief(method):
    @functools.wraps(method)
    def done(self, *args, **kwargs):
        return method(self, *args, **kwargs) if is_chief() else None

    return done


@contextlib.contextmanager
def _redirect(callback, attributes: tuple[str, ...]):
    """Let the callback write into a temporary folder."""
    known = {attribute: getattr(callback, attribute) for attribute in attributes}
    with tempfile.TemporaryDirectory() as folder:
        try:
            for attribute, path in known.items():
                name = os.path.basename(os.fspath(path).rstrip(os.sep))
                inside = folder if attribute.endswith("_dir") else os.path.join(folder, name)
                setattr(callback, attribute, inside)
            yield
        finally:
            for attribute, path in known.items():
                setattr(callback, attribute, path)
