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

from gradtape.distribute.chief import by_chief, is_chief
from gradtape.distribute.cluster import current

# The attributes of a callback that name files, or the folder of them.
_PLACES = {
    "BackupAndRestore": (
        "backup_dir", "_weights_path", "_training_metadata_path", "_prev_weights_path",
        "_prev_training_metadata_path",
    ),
    "ModelCheckpoint": ("filepath",),
}  # fmt: skip


def install(module: ModuleType) -> None:
    """Make the callback of a module of Keras write in one process."""
    for name, places in _PLACES.items():
        if name in vars(module):
            cls = vars(module)[name]
            cls._save_model = _written_by_chief(cls._save_model, places)
            if "on_train_end" in vars(cls):  # where the backup is deleted
                cls.on_train_end = _done_by_chief(cls.on_train_end)


def _written_by_chief(save, places: tuple[str, ...]):
    @functools.wraps(save)
    def _save_model(self, *args, **kwargs):
        if current().process_count == 1:
            return save(self, *args, **kwargs)
        if not is_chief():
            with _elsewhere(self, places):
                save(self, *args, **kwargs)
        what = f"save the model to {getattr(self, places[0])}"
        return by_chief(lambda: save(self, *args, **kwargs), what)

    return _save_model


def _done_by_chief(method):
    @functools.wraps(method)
    def done(self, *args, **kwargs):
        return method(self, *args, **kwargs) if is_chief() else None

    return done


@contextlib.contextmanager
def _elsewhere(callback, places: tuple[str, ...]):
    """The callback writes into a folder of its own, which goes away."""
    known = {place: getattr(callback, place) for place in places}
    with tempfile.TemporaryDirectory() as folder:
        try:
            for place, path in known.items():
                name = os.path.basename(os.fspath(path).rstrip(os.sep))
                inside = folder if place.endswith("_dir") else os.path.join(folder, name)
                setattr(callback, place, inside)
            yield
        finally:
            for place, path in known.items():
                setattr(callback, place, path)
