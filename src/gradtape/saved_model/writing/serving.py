"""The graph of a SavedModel for servers: a call for each signature, and ops that read variables.

`tf.saved_model.load` needs none of it; TensorFlow Serving and sessions do.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gradtape.core.shape import TensorShape
from gradtape.engine.variable import Variable
from gradtape.formats.saved_model import messages
from gradtape.formats.saved_model.schema import Record
from gradtape.saved_model.options import PREDICT_METHOD
from gradtape.saved_model.structures import encode_shape
from gradtape.saved_model.writing.builder import RESOURCE, FunctionName, attribute
from gradtape.saved_model.writing.functions import WrittenFunction, named_outputs
from gradtape.saved_model.writing.tables import contents, creation, filling

_STRING = np.dtype(object)


class Served(NamedTuple):
    """A signature: the function, the names of its inputs, and what it calls."""

    function: str
    inputs: list[str]
    inner: WrittenFunction


class _Graph:
    """Nodes outside of functions: an output is `node`, or `node:1`."""

    def __init__(self) -> None:
        self.record = messages.GRAPH()

    def node(self, name: str, op: str, inputs: list[str], **attributes: Any) -> str:
        encoded = {key: attribute(value) for key, value in attributes.items()}
        self.record.node.append(messages.NODE(name=name, op=op, input=inputs, attr=encoded))
        return name

    def const(self, name: str, array: np.ndarray) -> str:
        return self.node(name, "Const", [], value=array, dtype=array.dtype)


def main_graph(
    served: dict[str, Served], variables: list[tuple[Variable, str]], tables: list
) -> tuple[Record, dict[str, Any]]:
    """Return the graph, and the fields of the MetaGraph that speak of it."""
    graph = _Graph()
    handles: dict[int, str] = {}
    for index, (variable, _) in enumerate(variables):
        kind = np.dtype(variable.dtype.as_numpy_dtype)
        name = f"variable_{index}"
        handles[id(variable)] = graph.node(
            name, "VarHandleOp", [], dtype=kind, shape=variable.shape, shared_name=name
        )
    fillers = []
    for index, table in enumerate(tables):
        keys, values = contents(table)
        kind, reserved, attributes = creation(table)
        name = f"table_{index}"
        given = [graph.const(f"{name}/no_key_{i}", key) for i, key in enumerate(reserved)]
        handles[id(table)] = graph.node(name, kind, given, shared_name=name, **attributes)
        parts = [graph.const(f"{name}/keys", keys), graph.const(f"{name}/values", values)]
        fillers.append(
            graph.node(
                f"{name}/fill",
                filling(table),
                [name, *parts],
                Tin=keys.dtype,
                Tout=values.dtype,
            )
        )
    signatures = {key: _signature(graph, key, each, handles) for key, each in served.items()}
    graph.node("init", "NoOp", [f"^{name}" for name in fillers])
    collection = messages.COLLECTION(node_list=messages.NODE_LIST(value=["init"]))
    return graph.record, {
        "signature_def": signatures,
        "saver_def": _saver(graph, variables, handles),
        "collection_def": {"saved_model_main_op": collection},
    }


def _signature(graph: _Graph, key: str, served: Served, handles: dict[int, str]) -> Record:
    specs = {spec.name: spec for spec in served.inner.call.specs}
    inputs, outputs, placeholders, kinds = {}, {}, [], []
    for name in served.inputs:
        kind = np.dtype(specs[name].dtype.as_numpy_dtype)
        placeholder = graph.node(
            f"{key}_{name}", "Placeholder", [], dtype=kind, shape=TensorShape(specs[name].shape)
        )
        placeholders.append(placeholder)
        kinds.append(kind)
        inputs[name] = _info(placeholder, specs[name])
    held = [handles[id(thing)] for thing in served.inner.captured]
    made = named_outputs(served.inner.call.outputs)
    results = [np.dtype(made[name].dtype.as_numpy_dtype) for name in sorted(made)]
    call = graph.node(
        f"{key}_call",
        "StatefulPartitionedCall",
        [*placeholders, *held],
        Tin=[*kinds, *[RESOURCE] * len(held)],
        Tout=results,
        f=FunctionName(served.function),
    )
    for index, name in enumerate(sorted(made)):
        outputs[name] = _info(f"{call}:{index}", made[name])
    return messages.SIGNATURE(inputs=inputs, outputs=outputs, method_name=PREDICT_METHOD)


def _info(name: str, spec: Any) -> Record:
    return messages.TENSOR_INFO(
        name=name if ":" in name else f"{name}:0",
        dtype=spec.dtype.as_datatype_enum,
        tensor_shape=encode_shape(spec.shape),
    )


def _saver(graph: _Graph, variables: list[tuple[Variable, str]], handles: dict[int, str]) -> Record:
    file = graph.node("saver_filename", "Placeholder", [], dtype=_STRING, shape=TensorShape([]))
    keys = np.empty(len(variables), object)
    keys[:] = [key.encode() for _, key in variables]
    blank = np.empty(len(variables), object)
    blank[:] = b""
    kinds = [np.dtype(variable.dtype.as_numpy_dtype) for variable, _ in variables]
    named = [graph.const("save/names", keys), graph.const("save/slices", blank)]
    reads, writes = [], []
    for index, (variable, _) in enumerate(variables):
        handle = handles[id(variable)]
        name = f"save/read_{index}"
        reads.append(graph.node(name, "ReadVariableOp", [handle], dtype=kinds[index]))
    if variables:
        graph.node("save/write", "SaveV2", [file, *named, *reads], dtypes=list(kinds))
        graph.node("save/restore", "RestoreV2", [file, *named], dtypes=list(kinds))
    for index, (variable, _) in enumerate(variables):
        source = f"save/restore:{index}" if index else "save/restore"
        writes.append(
            graph.node(
                f"save/assign_{index}",
                "AssignVariableOp",
                [handles[id(variable)], source],
                dtype=kinds[index],
            )
        )
    graph.node("save/done", "Identity", [file, *["^save/write"] * bool(variables)], T=_STRING)
    graph.node("save/restore_all", "NoOp", [f"^{name}" for name in writes])
    return messages.SAVER(
        filename_tensor_name="saver_filename:0",
        save_tensor_name="save/done:0",
        restore_op_name="save/restore_all",
        version=2,
    )
