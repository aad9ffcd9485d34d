"""Looking into checkpoints without objects to restore: names, shapes, values."""

from __future__ import annotations

import os

import numpy as np

from gradtape.core.dtypes import from_numpy
from gradtape.core.errors import NotFoundError
from gradtape.train.files import main_file, open_reader, path_text
from gradtape.train.manager import latest_checkpoint


class CheckpointReader:
    """The values of one checkpoint, by key."""

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix
        self._reader = open_reader(prefix)

    def has_tensor(self, tensor_str: str) -> bool:
        return tensor_str in self._reader.names

    def get_tensor(self, tensor_str: str) -> np.ndarray:
        if not self.has_tensor(tensor_str):
            raise NotFoundError(f"Key {tensor_str} not found in checkpoint {self._prefix}")
        array = self._reader.read([tensor_str])[tensor_str]
        return array if array.ndim else array[()]

    def get_variable_to_shape_map(self) -> dict[str, list[int]]:
        return {name: list(self._reader.shape(name)) for name in sorted(self._reader.names)}

    def get_variable_to_dtype_map(self) -> dict:
        """Return dtypes by key; None for objects that only TensorFlow reads."""
        kinds = {name: self._reader.dtype(name) for name in sorted(self._reader.names)}
        return {name: kind and from_numpy(kind) for name, kind in kinds.items()}


def _prefix(ckpt_dir_or_file) -> str:
    path = path_text(ckpt_dir_or_file)
    if os.path.isdir(path) and main_file(path) is None:
        latest = latest_checkpoint(path)
        if latest is None:
            raise ValueError(
                f"Couldn't find 'checkpoint' file or checkpoints in given directory {path}"
            )
        return latest
    return path


def load_checkpoint(ckpt_dir_or_file) -> CheckpointReader:
    """Return a reader of a checkpoint, or of the latest one of a folder."""
    return CheckpointReader(_prefix(ckpt_dir_or_file))


def list_variables(ckpt_dir_or_file) -> list[tuple[str, list[int]]]:
    """Return the keys and shapes of the values in a checkpoint."""
    return list(load_checkpoint(ckpt_dir_or_file).get_variable_to_shape_map().items())


def load_variable(ckpt_dir_or_file, name):
    """Return one value of a checkpoint, as an array."""
    return load_checkpoint(ckpt_dir_or_file).get_tensor(name.removesuffix(":0"))
