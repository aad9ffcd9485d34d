"""Objects of a checkpoint in TensorFlow's form: its graph of objects, as a value among others.

A table is one object with two values there, and an object with two children here.
"""

from __future__ import annotations

import numpy as np

from gradtape.formats.bundle.object_graph import (
    OBJECT_GRAPH_KEY,
    decode_object_graph,
    encode_object_graph,
)
from gradtape.formats.bundle.table import damaged
from gradtape.formats.errors import DecodeError
from gradtape.train.graph import ATTRIBUTES, ObjectGraph
from gradtape.train.trackables import ITERATOR, VARIABLE

_TABLE = "table"
_COLUMNS = ("-keys", "-values")


def decode_graph(value: np.ndarray, names: list[str], path: str) -> ObjectGraph:
    """Return the graph that a checkpoint holds under its own key; `names` has all keys in it."""
    if value.dtype != object or value.ndim:
        raise damaged(path, f"{OBJECT_GRAPH_KEY} is no string")
    try:
        nodes = decode_object_graph(value.item())
    except DecodeError as error:
        raise damaged(path, f"in {OBJECT_GRAPH_KEY}, {error}") from error
    known = set(names)
    for node in list(nodes):
        key = node["values"].pop(_TABLE, None)
        if key is not None:
            for column in _COLUMNS:
                node["children"][_TABLE + column] = len(nodes)
                values = {ITERATOR: key + column}
                nodes.append({"children": {}, "values": values, "slots": []})
        # (The keys of other kinds are the beginnings of keys, and only TensorFlow reads them.)
        key = node["values"].get(VARIABLE)
        if key is not None and key not in known:
            raise damaged(path, f"the value {key!r} is not in it")
    return ObjectGraph(nodes)


def encode_graph(graph: ObjectGraph, arrays: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return the values to write: those given under TensorFlow's keys, and the graph."""
    nodes = [{**node, "children": dict(node["children"])} for node in graph.nodes]
    renamed = dict.fromkeys(arrays, "")
    for node in nodes:
        columns = [node["children"].pop(_TABLE + column, None) for column in _COLUMNS]
        if None in columns:
            continue
        for column, number in zip(_COLUMNS, columns, strict=True):
            old = nodes[number]["values"].pop(ITERATOR)
            key = old.removesuffix(f"/{_TABLE}{column}/{ATTRIBUTES}/{ITERATOR}")
            node["values"] = {_TABLE: f"{key}/{ATTRIBUTES}/{_TABLE}"}
            renamed[old] = node["values"][_TABLE] + column
    values = {renamed[key] or key: array for key, array in arrays.items()}
    encoded = np.empty((), object)
    encoded[()] = encode_object_graph(nodes, graph.full_names)
    return {**values, OBJECT_GRAPH_KEY: encoded}
