"""The graph of objects in a checkpoint of TensorFlow: a TrackableObjectGraph.

Here a node is a dictionary: its `children`, numbers of nodes by name; its `values`, keys by kind;
its `slots`, each the number of a variable, a name, and the number of a node: what an optimizer
keeps for that variable.
"""

from __future__ import annotations

from typing import Any

from gradtape.formats import protobuf
from gradtape.formats.errors import DecodeError

OBJECT_GRAPH_KEY = "_CHECKPOINTABLE_OBJECT_GRAPH"
_CHILDREN, _VALUES, _SLOTS = 1, 2, 3


def encode_object_graph(nodes: list[dict], full_names: dict[str, str]) -> bytes:
    """Return a graph as bytes; `full_names` has the names of variables by key."""
    encoded = []
    for node in nodes:
        fields = [
            protobuf.data(_CHILDREN, protobuf.integer(1, number) + protobuf.data(2, name))
            for name, number in node["children"].items()
        ]
        for kind, key in node["values"].items():
            value = protobuf.data(1, kind) + protobuf.data(2, full_names.get(key, ""))
            fields.append(protobuf.data(_VALUES, value + protobuf.data(3, key)))
        encoded.append(protobuf.data(1, b"".join(fields)))
    return b"".join(encoded)


def decode_object_graph(message: bytes) -> list[dict]:
    """Return the nodes of a graph."""
    nodes = [
        _decode_node(content)
        for field, wire, content, _ in protobuf.fields(message)
        if field == 1 and wire == protobuf.BYTES
    ]
    if not nodes:
        raise DecodeError("there are no objects")
    for index, node in enumerate(nodes):
        slots = [number for one, _, other in node["slots"] for number in (one, other)]
        for number in (*node["children"].values(), *slots):
            if not 0 <= number < len(nodes):
                raise DecodeError(
                    f"the object {index} has object {number} as a child, and there are {len(nodes)}"
                )
    return nodes


def _decode_node(message: memoryview) -> dict[str, Any]:
    node: dict[str, Any] = {"children": {}, "values": {}, "slots": []}
    for field, wire, content, _ in protobuf.fields(message):
        if wire != protobuf.BYTES:
            continue
        if field == _CHILDREN:
            parts = _parts(content)
            node["children"][_text(parts.get(2, b""))] = _number(parts.get(1, 0))
        elif field == _VALUES:
            parts = _parts(content)
            node["values"][_text(parts.get(1, b""))] = _text(parts.get(3, b""))
        elif field == _SLOTS:
            parts = _parts(content)
            name = _text(parts.get(2, b""))
            node["slots"].append((_number(parts.get(1, 0)), name, _number(parts.get(3, 0))))
    return node


def _parts(message: memoryview) -> dict[int, Any]:
    return {field: content for field, _, content, _ in protobuf.fields(message)}


def _number(value) -> int:
    if not isinstance(value, int):
        raise DecodeError("the number of an object is no number")
    return value


def _text(value) -> str:
    if isinstance(value, int):
        raise DecodeError("a name is no text")
    return bytes(value).decode(errors="surrogateescape")
