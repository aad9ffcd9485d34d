"""Graphs to nodes: walks the ops, and looks up each in the table of rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

import numpy as np

from gradtape.core.tensor import Tensor
from gradtape.exporting.onnx.builder import Builder, UnknownSize
from gradtape.exporting.onnx.chapters.complexes import ROWS as OF_COMPLEX
from gradtape.exporting.onnx.varying import emit_varying
from gradtape.exporting.samples import Op, ops_of, shape_of
from gradtape.graph.graph import Graph, Value

_LARGEST_FOLDED = 1 << 16  # bytes; a larger constant is computed now only if it does not grow

CHAPTERS = """
    activations attention complexes control conv creation cumulative elementwise gather joining
    linalg nn pool recurrent reduce rounding rows segment shape slicing sort
""".split()
Row = Callable[..., str | list[str]]
ROWS: dict[str, Row] = {}
for _chapter in CHAPTERS:
    ROWS |= import_module(f"gradtape.exporting.onnx.chapters.{_chapter}").ROWS


def emit(builder: Builder, graphs: Sequence[Graph], inputs: Sequence[str]) -> list[str]:
    """Add the nodes of a graph, and return the names of its outputs."""
    builder.names.graphs.append(graphs)
    for value, name in zip(zip(*[g.inputs for g in graphs], strict=True), inputs, strict=True):
        _define(builder, value, name)
    ops = ops_of(graphs)
    needed = {id(value) for op in ops for value, *_ in op.inputs}
    needed |= {id(value) for value in graphs[0].outputs}
    for op in ops:
        op.needed = [id(value) in needed for value, *_ in op.outputs]
        for value, name in zip(op.outputs, _results(builder, op), strict=False):
            _define(builder, value, name)
    return [name_of(builder, value) for value in zip(*[g.outputs for g in graphs], strict=True)]


def _define(builder: Builder, value: Sequence[Value], name: str) -> None:
    builder.values[id(value[0])] = name
    builder.note_sizes(name, shape_of(value))


def _results(builder: Builder, op: Op) -> list[str]:
    if op.nodes[0].has_effect:
        raise NotImplementedError(
            f"{op} prints, checks or calls Python on each call, which an ONNX "
            "model cannot. Take it out of the function that is exported."
        )
    try:
        names = [name_of(builder, value, op) for value in op.inputs]
        folded = _folded(builder, op, names)
        if folded is not None:
            return folded
        row = ROWS.get(op.name)
        if row is None:
            raise NotImplementedError(f"{op}: there is no form of it in ONNX.")
        if op.name not in OF_COMPLEX and "c" in [v.spec.dtype.kind for v, *_ in op.inputs]:
            raise NotImplementedError(f"{op}: ONNX has no arithmetic of complex numbers.")
        made = row(builder, op, *names)
    except UnknownSize as error:
        raise NotImplementedError(f"{op}: {error}") from None
    return [made] if isinstance(made, str) else made


def name_of(builder: Builder, value: Sequence[Value], op: Op | None = None) -> str:
    """Return the name of a value; constants get theirs here."""
    known = builder.values.get(id(value[0]))
    if known is not None:
        return known
    arrays = [_array(each.constant) for each in value]
    if all(each is arrays[0] or _same(each, arrays[0]) for each in arrays[1:]):
        name = builder.names.constant(arrays[0])
    else:
        where = "a result" if op is None else f"{op}: a constant"
        name = emit_varying(builder, arrays, where)
    builder.values[id(value[0])] = name
    return name


def _array(constant: Tensor | None) -> np.ndarray:
    assert constant is not None
    return np.asarray(constant._host_data() if constant._is_on_device else constant.numpy())


def _same(x: np.ndarray, y: np.ndarray) -> bool:
    if x.dtype == object:
        return x.shape == y.shape and bool(np.all(x == y))
    return x.shape == y.shape and x.tobytes() == y.tobytes()


def _folded(builder: Builder, op: Op, names: list[str]) -> list[str] | None:
    """Return the results of an op on constants, computed now; None if it is left to the model."""
    known: list[Any] = [builder.known(name) for name in names]
    node = op.nodes[0]
    if not names or any(x is None for x in known) or node.graphs:
        return None
    if any(other.params != node.params for other in op.nodes[1:]):
        return None
    if any(len(set(s)) > 1 for value in op.outputs for s in shape_of(value)):
        return None
    most = max(_LARGEST_FOLDED, *[x.nbytes for x in known])
    if sum(value.spec.nbytes for value in node.outputs) > most:
        return None
    results = node.prim.kernel(*known, **node.params)
    results = (results,) if node.prim.outputs == 1 else results
    return [
        builder.names.constant(np.ascontiguousarray(_materialized(x)).reshape(value.spec.shape))
        for x, value in zip(results, node.outputs, strict=True)
    ]


def _materialized(x: Any) -> np.ndarray:
    return np.asarray(Tensor(x).numpy())
