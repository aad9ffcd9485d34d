"""The values of variables and tables: arrays of the checkpoint in a SavedModel, by object."""

from __future__ import annotations

import os

import numpy as np

from gradtape.core.errors import DataLossError
from gradtape.formats.bundle.object_graph import OBJECT_GRAPH_KEY, decode_object_graph
from gradtape.formats.bundle.reader import Reader, index_path
from gradtape.formats.saved_model.schema import Record
from gradtape.saved_model.files import variables_prefix
from gradtape.saved_model.structures import decode_dtype, decode_shape

_VARIABLE, _TABLE = "VARIABLE_VALUE", "table"


class SavedValues:
    """Arrays by the numbers of objects; nothing is read before its size is known to be right."""

    def __init__(self, folder: str, protos: list[Record], skips: bool) -> None:
        self._folder = folder
        self.variables: dict[int, np.ndarray] = {}
        self.tables: dict[int, tuple[np.ndarray, np.ndarray]] = {}
        prefix = variables_prefix(folder)
        if skips or not os.path.isfile(index_path(prefix)):
            return
        reader = Reader(prefix)
        saved = self._keys_by_object(reader, protos)
        wanted = {
            index: saved[index][_VARIABLE]
            for index, proto in enumerate(protos)
            if proto.has("variable") and _VARIABLE in saved.get(index, {})
        }
        tables = {index: saved[index][_TABLE] for index in saved if _TABLE in saved[index]}
        names = [*wanted.values(), *[f"{key}-{part}" for key in tables.values() for part in _PARTS]]
        unknown = set(names) - set(reader.names)
        if unknown:
            raise DataLossError(f"{folder}: the value {min(unknown)!r} is not in its checkpoint")
        for index, key in wanted.items():
            self._check(reader, key, protos[index].variable)
        arrays = reader.read(sorted(set(names)))
        self.variables = {index: arrays[key] for index, key in wanted.items()}
        self.tables = {
            index: (arrays[f"{key}-keys"], arrays[f"{key}-values"]) for index, key in tables.items()
        }

    def _keys_by_object(self, reader: Reader, protos: list[Record]) -> dict[int, dict[str, str]]:
        """Return the keys of each object, which is matched by its path from the root."""
        if OBJECT_GRAPH_KEY not in reader.names:
            raise DataLossError(f"{self._folder}: its checkpoint has no objects")
        encoded = reader.read([OBJECT_GRAPH_KEY])[OBJECT_GRAPH_KEY]
        if encoded.dtype != object or encoded.ndim:
            raise DataLossError(f"{self._folder}: {OBJECT_GRAPH_KEY} is no string")
        saved = decode_object_graph(encoded.item())
        values: dict[int, dict[str, str]] = {}
        stack = [(0, 0)]
        seen = set(stack)
        while stack:
            here, there = stack.pop()
            if saved[there]["values"]:
                values.setdefault(here, saved[there]["values"])
            children = saved[there]["children"]
            for child in protos[here].children:
                pair = (child.node_id, children.get(child.local_name, -1))
                if pair[1] >= 0 and pair not in seen:
                    seen.add(pair)
                    stack.append(pair)
        return values

    def _check(self, reader: Reader, key: str, variable: Record) -> None:
        shape, dtype = decode_shape(variable.shape), decode_dtype(variable.dtype)
        if not shape.is_compatible_with(reader.shape(key)):
            raise DataLossError(
                f"{self._folder}: {key} has the shape {reader.shape(key)}, and its variable {shape}"
            )
        if reader.dtype(key) != np.dtype(dtype.as_numpy_dtype):
            raise DataLossError(
                f"{self._folder}: {key} is of {reader.dtype(key)}, and its variable of {dtype.name}"
            )


_PARTS = ("keys", "values")
