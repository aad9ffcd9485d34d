"""Convolutions. ONNX has channels first, gradtape last: values are transposed on both sides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gradtape.exporting.onnx.builder import Builder
from gradtape.exporting.samples import Op
from gradtape.exporting.sizes import constant


def channels_first(b: Builder, x: str, rank: int) -> str:
    return b.transpose(x, [0, rank - 1, *range(1, rank - 1)])


def channels_last(b: Builder, x: str, rank: int) -> str:
    return b.transpose(x, [0, *range(2, rank), 1])


def padding_of(op: Op, window: Sequence[int]) -> dict[str, Any]:
    """Return the attributes for the padding: fixed, or as much as keeps the size, up to strides."""
    pairs = op.series("padding")
    fixed = [(constant(before), constant(after)) for before, after in pairs]
    if all(None not in pair for pair in fixed):
        return {"pads": [before for before, _ in fixed] + [after for _, after in fixed]}
    space = op.shape(0)[1:-1]
    for size, pair, k, s, d in zip(
        space, pairs, window, op["strides"], op["dilations"], strict=True
    ):
        for n, before, after in zip(size, *pair, strict=True):
            total = max((-(-n // s) - 1) * s + (k - 1) * d + 1 - n, 0)
            if (before, after) != (total // 2, total - total // 2):
                op["padding"]  # raises, and says that it depends on an open size
    return {"auto_pad": "SAME_UPPER"}


def _conv(b: Builder, op: Op, x: str, w: str) -> str:
    rank, window = op.rank(), op.fixed_shape(1)[:-2]
    filters = b.transpose(w, [rank - 1, rank - 2, *range(rank - 2)])
    result = b(
        "Conv",
        channels_first(b, x, rank),
        filters,
        kernel_shape=window,
        strides=op["strides"],
        dilations=op["dilations"],
        group=op["groups"],
        **padding_of(op, window),
    )
    return channels_last(b, result, rank)


def _conv_input(b: Builder, op: Op, g: str, w: str) -> str:
    rank = op.rank()
    filters = b.transpose(w, [rank - 1, rank - 2, *range(rank - 2)])
    return transposed(b, op, g, filters, op.fixed_shape(1)[:-2], op["groups"])


def transposed(b: Builder, op: Op, g: str, filters: str, window: Sequence[int], groups: int) -> str:
    """Return the transposed convolution: what lies beyond the windows of `conv` is zero."""
    rank = op.rank()
    strides, dilations = op["strides"], op["dilations"]
    befores, afters, extras = [], [], []
    for n, size, pair, k, s, d in zip(
        op.shape(0)[1:-1],
        op.series("shape")[1:-1],
        op.series("padding"),
        window,
        strides,
        dilations,
        strict=True,
    ):
        before = constant(pair[0])
        # Rows that the windows reach: the wanted ones, and those in the padding.
        rest = {
            (count - 1) * s + (k - 1) * d + 1 - wanted - first
            for count, wanted, first in zip(n, size, pair[0], strict=True)
        }
        if before is None or len(rest) > 1:
            op["padding"]
            op["shape"]
        after = rest.pop()
        befores.append(before)
        afters.append(max(after, 0))
        extras.append(max(-after, 0))
    if any(extra >= s for extra, s in zip(extras, strides, strict=True)):
        first = channels_first(b, g, rank)
        return _transposed_padded(b, op, first, filters, groups, befores, extras)
    result = b(
        "ConvTranspose",
        channels_first(b, g, rank),
        filters,
        kernel_shape=window,
        strides=strides,
        dilations=dilations,
        group=groups,
        pads=[*befores, *afters],
        output_padding=extras,
    )
    return channels_last(b, result, rank)


def _transposed_padded(
    b: Builder, op: Op, g: str, filters: str, groups: int, befores, extras
) -> str:
    """Return the same with zeros behind the result, more of them than strides."""
    rank = op.rank()
    result = b(
        "ConvTranspose",
        g,
        filters,
        strides=op["strides"],
        dilations=op["dilations"],
        group=groups,
        pads=[*befores, *[0] * len(befores)],
    )
    ends = b.integers([0] * (rank + 2) + list(extras))
    return channels_last(b, b("Pad", result, ends), rank)


def _conv_filter(b: Builder, op: Op, x: str, g: str) -> str:
    """Return the gradient of the filters: a convolution of x by g, with examples as channels.

    Strides are its dilations, and the other way round.
    """
    rank, groups = op.rank(), op["groups"]
    *window, depth, _ = op["shape"]
    pads = op["padding"]
    space = list(range(1, rank - 1))
    if groups == 1:
        images = b.transpose(x, [rank - 1, 0, *space])
    else:  # [depth, groups · examples, …]
        sizes = op.fixed_shape(0, slice(1, -1))
        by_group = b("Reshape", x, b.integers([0, *sizes, groups, depth]))
        moved = b.transpose(by_group, [rank, rank - 1, 0, *space])
        images = b("Reshape", moved, b.integers([depth, -1, *sizes]))
    made = b(
        "Conv",
        images,
        b.transpose(g, [rank - 1, 0, *space]),
        strides=op["dilations"],
        dilations=op["strides"],
        group=groups,
        pads=[before for before, _ in pads] + [after for _, after in pads],
    )
    for axis, size in enumerate(window, 2):
        made = b.slice(made, axis, 0, size)
    return b.transpose(made, [*range(2, rank), 0, 1])


ROWS = {"conv": _conv, "conv_input": _conv_input, "conv_filter": _conv_filter}
