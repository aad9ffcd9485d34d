"""Reads the messages of an ONNX model back, as far as tests look at them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gradtape.formats import protobuf

DTYPES = {1: "float32", 6: "int32", 7: "int64", 9: "bool", 11: "float64", 16: "bfloat16"}


def fields(message) -> dict[int, list]:
    """The values of a message's fields, by number."""
    result: dict[int, list] = {}
    for number, _, value, _ in protobuf.fields(message):
        result.setdefault(number, []).append(value)
    return result


def text(values: list) -> str:
    return bytes(values[0]).decode()


class Model(NamedTuple):
    opset: int
    producer: str
    ops: list[str]
    inputs: dict[str, tuple]
    outputs: dict[str, tuple]
    weights: dict[str, np.ndarray | dict]


def read(data: bytes) -> Model:
    """Read a model: its ops, and the dtypes and sizes of inputs, outputs and weights."""
    model = fields(data)
    graph = fields(model[7][0])
    return Model(
        fields(model[8][0])[2][0],
        text(model[2]),
        [text(fields(node)[4]) for node in graph.get(1, [])],
        dict(map(_info, graph.get(11, []))),
        dict(map(_info, graph.get(12, []))),
        dict(map(_tensor, graph.get(5, []))),
    )


def _info(message) -> tuple[str, tuple]:
    info = fields(message)
    kind = fields(fields(info[2][0])[1][0])
    sizes = []
    for each in fields(kind[2][0]).get(1, []) if 2 in kind else []:
        size = fields(each)
        sizes.append(text(size[2]) if 2 in size else size[1][0])
    return text(info[1]), (DTYPES[kind[1][0]], *sizes)


def _tensor(message) -> tuple[str, np.ndarray | dict]:
    tensor = fields(message)
    if 13 in tensor:
        pairs = [fields(each) for each in tensor[13]]
        return text(tensor[8]), {text(pair[1]): text(pair[2]) for pair in pairs}
    array = np.frombuffer(bytes(tensor[9][0]), DTYPES[tensor[2][0]])
    return text(tensor[8]), array.reshape(tensor.get(1, []))
