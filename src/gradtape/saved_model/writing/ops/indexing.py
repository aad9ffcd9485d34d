"""How primitives that gather, scatter, sort and search are written."""

from __future__ import annotations

import numpy as np

from gradtape import ops
from gradtape.saved_model.writing.builder import Builder, CannotWrite, Ref
from gradtape.saved_model.writing.lowering import RULES, expansion, rule
from gradtape.saved_model.writing.sizes import NodePair

_INT = np.dtype(np.int32)


@rule("gather")
def gather(b: Builder, node: NodePair, x: Ref, indices: Ref) -> Ref:
    return b.op(
        "GatherV2:output",
        x,
        indices,
        b.ints(node.axis),
        T=None,
        Tparams=x.dtype,
        Tindices=indices.dtype,
        Taxis=_INT,
        batch_dims=node.batch_dims,
    )


@expansion("segment_rows")
def segment_rows(x, ids):
    rows = ops.gather(x, ops.maximum(ids, ops.zeros_like(ids)))
    kept = ops.reshape(ops.greater_equal(ids, ops.zeros_like(ids)), (-1, *[1] * (x.ndim - 1)))
    return ops.where(kept, rows, ops.zeros_like(rows))


@expansion("ravel_index")
def ravel_index(indices, shape, op, ignore):
    """Return flat indices: TensorFlow checks them where they are used."""
    if ignore:
        raise CannotWrite(f"{op} that ignores indices out of range")
    sizes = shape[: indices.shape[-1]]
    weights = np.append(np.cumprod(sizes[:0:-1])[::-1], 1).astype(np.int64)
    wide = ops.cast(indices, "int64")
    return ops.reduce_sum(wide * ops.to_tensor(weights), (-1,), False)


def _rows(b: Builder, node: NodePair, x: Ref, updates: Ref) -> Ref:
    """Return x as a table of rows like the updates."""
    row = node.inputs[2].shape[1:]
    if node.inputs[0].rank == node.inputs[2].rank:
        return x
    return b.op("Reshape:output", x, b.sizes([-1, *row]), Tshape=_INT)


def _scatter(kind: str, b: Builder, node: NodePair, x: Ref, indices: Ref, updates: Ref) -> Ref:
    table = _rows(b, node, x, updates)
    rows = b.op("ExpandDims:output", indices, b.ints(-1), Tdim=_INT)
    made = b.op(kind, table, rows, updates, Tindices=indices.dtype)
    if table is x:
        return made
    return b.op("Reshape:output", made, b.shape(node.output), Tshape=_INT)


@rule("set_rows")
def set_rows(b: Builder, node: NodePair, x: Ref, indices: Ref, updates: Ref) -> Ref:
    return _scatter("TensorScatterUpdate:output", b, node, x, indices, updates)


@rule("add_rows")
def add_rows(b: Builder, node: NodePair, x: Ref, indices: Ref, updates: Ref) -> Ref:
    kind = "TensorScatterSub:output" if node.subtract else "TensorScatterAdd:output"
    return _scatter(kind, b, node, x, indices, updates)


_SEGMENTS = {
    "segment_sum": "UnsortedSegmentSum:output",
    "segment_prod": "UnsortedSegmentProd:output",
    "segment_max": "UnsortedSegmentMax:output",
    "segment_min": "UnsortedSegmentMin:output",
}


def _segments(kind: str, b: Builder, node: NodePair, x: Ref, ids: Ref) -> Ref:
    return b.op(kind, x, ids, b.size(node.num), Tindices=ids.dtype, Tnumsegments=_INT)


for _name, _kind in _SEGMENTS.items():
    RULES[_name] = lambda b, node, x, ids, kind=_kind: _segments(kind, b, node, x, ids)


# --- sorting -------------------------------------------------------------------------------------


def _top_k(b: Builder, x: Ref, count: Ref, index_dtype=_INT) -> list[Ref]:
    kinds = [x.dtype, index_dtype]
    return b.nodes_of(
        "TopKV2:values,indices",
        x,
        count,
        dtypes=kinds,
        T=x.dtype,
        sorted=True,
        Tk=_INT,
        index_type=index_dtype,
    )


@rule("top_k_indices")
def top_k_indices(b: Builder, node: NodePair, x: Ref) -> Ref:
    return b.cast(_top_k(b, x, b.size(node.k))[1], node.output.dtype)


def _sorted(b: Builder, node: NodePair, x: Ref, descending: bool) -> list[Ref]:
    if node.axis != node.inputs[0].rank - 1:
        raise CannotWrite("sorting along an axis that is not the last")
    if x.dtype.kind == "u" or x.dtype == bool:
        raise CannotWrite(f"sorting {x.dtype.name}")
    count = b.size(node.inputs[0].shape[-1])
    given = x if descending else b.op("Neg:y", x)
    values, order = _top_k(b, given, count)
    return [values if descending else b.op("Neg:y", values), order]


@rule("sort")
def sort(b: Builder, node: NodePair, x: Ref) -> Ref:
    return _sorted(b, node, x, bool(node.first.params.get("descending", False)))[0]


@rule("argsort")
def argsort(b: Builder, node: NodePair, x: Ref) -> Ref:
    return b.cast(_sorted(b, node, x, bool(node.descending))[1], node.output.dtype)
