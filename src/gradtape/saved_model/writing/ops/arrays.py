"""How primitives that move elements are written."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape.saved_model.writing.builder import Builder, CannotWrite, Ref
from gradtape.saved_model.writing.lowering import rule
from gradtape.saved_model.writing.sizes import NodePair, Unknown

_INT = np.dtype(np.int32)


@rule("reshape")
def reshape(b: Builder, node: NodePair, x: Ref) -> Ref:
    sizes = list(node.output.shape)
    unknown = [axis for axis, size in enumerate(sizes) if isinstance(size, Unknown)]
    if len(unknown) == 1:
        sizes[unknown[0]] = -1
    return b.op("Reshape:output", x, b.sizes(sizes), Tshape=_INT)


@rule("transpose")
def transpose(b: Builder, node: NodePair, x: Ref) -> Ref:
    return b.op("Transpose:y", x, b.ints(node.permutation), Tperm=_INT)


@rule("barrier")
def barrier(b: Builder, node: NodePair, x: Ref, after: Ref) -> Ref:
    return b.op("Identity:output", x)


@rule("broadcast_to")
def broadcast_to(b: Builder, node: NodePair, x: Ref) -> Ref:
    return b.op("BroadcastTo:output", x, b.shape(node.output), Tidx=_INT)


@rule("roll")
def roll(b: Builder, node: NodePair, x: Ref) -> Ref:
    return b.op("Roll:output", x, b.size(node.shift), b.ints(node.axis), Tshift=_INT, Taxis=_INT)


@rule("concat")
def concat(b: Builder, node: NodePair, *xs: Ref) -> Ref:
    return b.op("ConcatV2:output", *xs, b.ints(node.axis), N=len(xs), Tidx=_INT)


@rule("stack")
def stack(b: Builder, node: NodePair, *xs: Ref) -> Ref:
    return b.op("Pack:output", *xs, N=len(xs), axis=node.axis)


@rule("unstack")
def unstack(b: Builder, node: NodePair, x: Ref) -> list[Ref]:
    count = len(node.outputs)
    return b.nodes_of(
        "Unpack:output", x, dtypes=[x.dtype] * count, num=count, T=x.dtype, axis=node.axis
    )


@rule("split")
def split(b: Builder, node: NodePair, x: Ref) -> list[Ref]:
    count = len(node.outputs)
    return b.nodes_of(
        "SplitV:output",
        x,
        b.sizes(node.sizes),
        b.ints(node.axis),
        dtypes=[x.dtype] * count,
        num_split=count,
        T=x.dtype,
        Tlen=_INT,
    )


class _Slices:
    """An index as the inputs and attributes of TensorFlow's ops on strided slices."""

    def __init__(self, b: Builder, index: tuple) -> None:
        begin: list[Any] = []
        end: list[Any] = []
        strides: list[int] = []
        self.attributes = dict.fromkeys(
            ("begin_mask", "end_mask", "new_axis_mask", "shrink_axis_mask"), 0
        )
        for position, entry in enumerate(index):
            bit = 1 << position
            if entry is None:
                values = (0, 0, 1)
                self.attributes["new_axis_mask"] |= bit
            elif isinstance(entry, tuple) and not isinstance(entry, Unknown):
                start, stop, step = entry
                values = (start or 0, stop or 0, 1 if step is None else step)
                if start is None:
                    self.attributes["begin_mask"] |= bit
                if stop is None:
                    self.attributes["end_mask"] |= bit
            else:
                if isinstance(entry, Unknown):
                    raise CannotWrite("an index depends on a size that the signature leaves open")
                values = (entry, entry + 1, 1)
                self.attributes["shrink_axis_mask"] |= bit
            begin.append(values[0])
            end.append(values[1])
            strides.append(values[2])
        self.inputs = (b.sizes(begin), b.sizes(end), b.ints(strides))


@rule("slice")
def slice_(b: Builder, node: NodePair, x: Ref) -> Ref:
    slices = _Slices(b, _resolved(node.index, node.inputs[0].shape))
    return b.op("StridedSlice:output", x, *slices.inputs, Index=_INT, **slices.attributes)


def _resolved(index: tuple, shape: tuple) -> tuple:
    """Return an index in which the end of an axis of open size is its end."""
    out, axis = [], 0
    for entry in index:
        if entry is None:
            out.append(entry)
            continue
        if isinstance(entry, tuple) and not isinstance(entry, Unknown):
            start, stop, step = entry
            out.append((start, None if stop == shape[axis] else stop, step))
        else:
            out.append(entry)
        axis += 1
    return tuple(out)


@rule("put_slice")
def put_slice(b: Builder, node: NodePair, x: Ref) -> Ref:
    zero = b.const(0, x.dtype)
    whole = b.op(
        "Fill:output", b.shape(node.output), zero, dtype=x.dtype, T=x.dtype, index_type=_INT
    )
    return update_slice(b, node, whole, x)


@rule("update_slice")
def update_slice(b: Builder, node: NodePair, x: Ref, value: Ref) -> Ref:
    slices = _Slices(b, _resolved(node.index, node.output.shape))
    return b.op(
        "TensorStridedSliceUpdate:output",
        x,
        *slices.inputs,
        value,
        Index=_INT,
        **slices.attributes,
    )


@rule("one_hot")
def one_hot(b: Builder, node: NodePair, indices: Ref) -> Ref:
    kind = node.output.dtype
    return b.op(
        "OneHot:output",
        indices,
        b.size(node.depth),
        b.const(1, kind),
        b.const(0, kind),
        dtype=kind,
        T=kind,
        TI=indices.dtype,
        axis=-1,
    )
