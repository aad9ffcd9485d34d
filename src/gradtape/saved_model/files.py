"""The folder of a SavedModel: where its parts lie, and `saved_model.pb` itself."""

from __future__ import annotations

import os

from gradtape.core.errors import DataLossError
from gradtape.formats.errors import DecodeError
from gradtape.formats.saved_model import messages
from gradtape.formats.saved_model.schema import Record

MODEL_FILE, TEXT_FILE = "saved_model.pb", "saved_model.pbtxt"
SCHEMA_VERSION = 1


def variables_prefix(folder: str) -> str:
    """Return the checkpoint with the values of the variables."""
    return os.path.join(folder, "variables", "variables")


def asset_path(folder: str, name: str) -> str:
    """Return the path of an asset; a name that leads out of the folder is an error."""
    assets = os.path.join(folder, "assets")
    path = os.path.normpath(os.path.join(assets, name))
    inside = os.path.realpath(path).startswith(os.path.realpath(assets) + os.sep)
    if os.path.isabs(name) or not path.startswith(assets + os.sep) or not inside:
        raise DataLossError(f"{folder}: the asset {name!r} does not lie in the model's folder")
    return path


def contains_saved_model(export_dir) -> bool:
    """Return whether a folder holds a SavedModel."""
    folder = os.fspath(export_dir)
    folder = folder.decode() if isinstance(folder, bytes) else folder
    return any(os.path.isfile(os.path.join(folder, name)) for name in (MODEL_FILE, TEXT_FILE))


def read_meta_graph(folder: str, tags: set[str] | None) -> Record:
    """Return the graph of a SavedModel that has these tags."""
    path = os.path.join(folder, MODEL_FILE)
    if not os.path.isfile(path):
        if os.path.isfile(os.path.join(folder, TEXT_FILE)):
            raise NotImplementedError(
                f"{folder} holds a SavedModel as text ({TEXT_FILE}), which is not read here. "
                "Save it again in TensorFlow without `as_text`."
            )
        raise OSError(
            f"SavedModel file does not exist at: {folder}{os.sep}{{{TEXT_FILE}|{MODEL_FILE}}}"
        )
    with open(path, "rb") as file:
        content = file.read()
    try:
        model = messages.SAVED_MODEL.decode(content)
    except DecodeError as error:
        raise DataLossError(f"{path} is damaged, or no SavedModel: {error}") from error
    if model.saved_model_schema_version > SCHEMA_VERSION:
        raise DataLossError(
            f"{path} is written in version {model.saved_model_schema_version} of the format, and "
            f"version {SCHEMA_VERSION} is read here"
        )
    graphs = [graph for graph in model.meta_graphs if _fits(graph, tags)]
    if not graphs:
        available = [sorted(_tags(graph)) for graph in model.meta_graphs]
        if not available:
            raise DataLossError(f"{path} is damaged, or no SavedModel: it has no graph")
        raise ValueError(
            f"Importing a SavedModel with `tf.saved_model.load` requires a `tags=` argument if "
            f"there is more than one MetaGraph. Got `tags={tags and sorted(tags)}`, but the tags "
            f"in {folder} are {available}."
        )
    return graphs[0]


def _tags(graph: Record) -> set[str]:
    return set(graph.meta_info_def.tags) if graph.has("meta_info_def") else set()


def _fits(graph: Record, tags: set[str] | None) -> bool:
    return tags is None or tags == _tags(graph)
