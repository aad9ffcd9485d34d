"""The files of a checkpoint, which programs know by a prefix: one of safetensors, or TensorFlow's.

A prefix with files of both kinds is a save that was interrupted when it had written one kind and
was about to delete the other: each is a whole checkpoint.
"""

from __future__ import annotations

import os
from typing import Any, NamedTuple

import numpy as np

from gradtape.core.errors import DataLossError, NotFoundError
from gradtape.core.tensor import Tensor
from gradtape.formats import safetensors
from gradtape.formats.bundle import writer
from gradtape.formats.bundle.object_graph import OBJECT_GRAPH_KEY
from gradtape.formats.bundle.reader import Reader, index_path
from gradtape.train.graph import ObjectGraph
from gradtape.train.tensorflow_graph import decode_graph, encode_graph

SUFFIX = ".safetensors"
FORMATS = ("safetensors", "tensorflow")
_FORMAT, _GRAPH = "gradtape.checkpoint", "gradtape.graph"


def path_text(path: Any) -> str:
    """Return a path argument as text."""
    if isinstance(path, Tensor):
        path = path.numpy()
    path = os.fspath(path)
    return path.decode() if isinstance(path, bytes) else path


def _safetensors_path(prefix: str) -> str:
    return prefix if prefix.endswith(SUFFIX) else prefix + SUFFIX


def main_file(prefix: str) -> str | None:
    """Return the file that makes a checkpoint exist; None if it does not."""
    paths = (_safetensors_path(prefix), index_path(prefix))
    return next((path for path in paths if os.path.isfile(path)), None)


def variables_of_saved_model(path: str) -> str:
    """Return the prefix of the variables in a SavedModel; other paths as they are."""
    if os.path.isfile(os.path.join(path, "saved_model.pb")):
        return os.path.join(path, "variables", "variables")
    return path


def remove_checkpoint(prefix: str) -> None:
    """Delete all files of a checkpoint; first those that make it exist."""
    _remove([_safetensors_path(prefix), index_path(prefix), *writer.shard_paths(prefix)])


def leftovers(prefix: str) -> list[str]:
    """Return the files of a checkpoint, also of one that is deleted in part."""
    paths = [_safetensors_path(prefix), index_path(prefix), *writer.shard_paths(prefix)]
    return [path for path in paths if os.path.exists(path)]


def _remove(paths: list[str]) -> None:
    for path in paths:
        if os.path.exists(path):
            os.remove(path)


# --- writing -------------------------------------------------------------------------------------


def write_checkpoint(
    prefix: str, kind: str, graph: ObjectGraph, arrays: dict[str, np.ndarray]
) -> None:
    """Write a checkpoint; at every moment the prefix stands for the old one or for the new."""
    os.makedirs(os.path.dirname(os.path.abspath(prefix)), exist_ok=True)
    if kind == "tensorflow":
        writer.write(prefix, encode_graph(graph, arrays))
        _remove([_safetensors_path(prefix)])
    else:
        path = _safetensors_path(prefix)
        safetensors.write(path, arrays, {_FORMAT: "1", _GRAPH: graph.encode()})
        _remove([index_path(prefix), *writer.shard_paths(prefix)])


# --- reading -------------------------------------------------------------------------------------


def open_reader(prefix: str) -> safetensors.Reader | Reader:
    """Return the reader of a checkpoint, of either kind."""
    path = main_file(prefix)
    if path is None:
        hint = ""
        if os.path.isdir(prefix):
            hint = f" That is a folder: use tf.train.latest_checkpoint({prefix!r})."
        raise NotFoundError(
            f"Unsuccessful TensorSliceReader constructor: Failed to find any matching files for "
            f"{prefix}.{hint}"
        )
    return Reader(prefix) if path == index_path(prefix) else safetensors.Reader(path)


class Opened(NamedTuple):
    """A checkpoint that has been read: its graph of objects, its values, and its format.

    A checkpoint of TensorFlow 1 has no graph, but variables by name.
    """

    graph: ObjectGraph | None
    arrays: dict[str, np.ndarray]
    is_of_tensorflow: bool


def open_checkpoint(prefix: str) -> Opened:
    """Return all that is in a checkpoint."""
    reader = open_reader(prefix)
    arrays = reader.read()
    if isinstance(reader, Reader):
        value = arrays.pop(OBJECT_GRAPH_KEY, None)
        if value is None:
            return Opened(None, arrays, is_of_tensorflow=True)
        graph = decode_graph(value, reader.names, index_path(prefix))
        return Opened(graph, arrays, is_of_tensorflow=True)
    path = _safetensors_path(prefix)
    graph = ObjectGraph.decode(reader.metadata.get(_GRAPH), path)
    known = set(reader.names)
    if any(key not in known for node in graph.nodes for key in node["values"].values()):
        raise DataLossError(f"{path} is damaged: values that it speaks of are not in it.")
    return Opened(graph, arrays, is_of_tensorflow=False)
