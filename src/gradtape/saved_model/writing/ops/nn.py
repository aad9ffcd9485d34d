"""How the primitives that layers are made of are written."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gradtape import ops
from gradtape.core.state import get_state
from gradtape.graph.control.scan import trace_scan
from gradtape.graph.tracing import Trace
from gradtape.saved_model.writing.builder import Builder, CannotWrite, Ref
from gradtape.saved_model.writing.lowering import expansion, rule
from gradtape.saved_model.writing.sizes import NodePair, Unknown

_INT = np.dtype(np.int32)


@rule("softmax")
def softmax(b: Builder, node: NodePair, x: Ref) -> Ref:
    return b.op("Softmax:softmax", x)


@rule("log_softmax")
def log_softmax(b: Builder, node: NodePair, x: Ref) -> Ref:
    return b.op("LogSoftmax:logsoftmax", x)


@expansion("softmax_cross_entropy")
def softmax_cross_entropy(labels, logits):
    return -ops.reduce_sum(labels * ops.log_softmax(logits), (-1,), False)


@expansion("sparse_softmax_cross_entropy")
def sparse_softmax_cross_entropy(labels, logits):
    chosen = ops.one_hot(labels, int(logits.shape[-1]), dtype=logits.dtype)
    return -ops.reduce_sum(chosen * ops.log_softmax(logits), (-1,), False)


@expansion("rescale")
def rescale(x, mean, factor, scale, offset):
    return (x - mean) * (factor * scale) + offset


@expansion("layer_normalize")
def layer_normalize(x, scale, offset, epsilon):
    mean = ops.reduce_mean(x, (-1,), True)
    apart = x - mean
    variance = ops.reduce_mean(apart * apart, (-1,), True)
    return apart * ops.rsqrt(variance + epsilon) * scale + offset


@expansion("attention")
def attention(q, k, v, bias, scale, causal):
    scores = ops.einsum("bqhd,bkhd->bhqk", q, k) * scale + bias
    if causal:
        queries, keys = int(q.shape[1]), int(k.shape[1])
        ahead = np.arange(keys)[None, :] > np.arange(queries)[:, None]
        scores = ops.where(ops.to_tensor(ahead), ops.cast(-1e30, q.dtype), scores)
    weights = ops.softmax(scores)
    logs = ops.reduce_logsumexp(scores, (-1,), False)
    return ops.einsum("bhqk,bkhd->bqhd", weights, v), logs


# --- convolutions --------------------------------------------------------------------------------


def _same_padding(size: int, window: int, stride: int, dilation: int) -> tuple[int, int]:
    reach = (window - 1) * dilation + 1
    total = max((-(-size // stride) - 1) * stride + reach - size, 0)
    return total // 2, total - total // 2


class _Windows:
    """Windows over space: their padding by name, or by zeros that are put around the input."""

    def __init__(self, node: NodePair, space: list[tuple], windows: tuple, dilations: tuple):
        first, second = (
            [
                tuple(pair) == _same_padding(n, k, s, d)
                for pair, n, k, s, d in zip(
                    each.params["padding"], sizes, windows, node.strides, dilations, strict=True
                )
            ]
            for each, sizes in zip((node.first, node.second), space, strict=True)
        )
        pairs = [tuple(pair) for pair in node.padding]
        self.padding, self.pads = "VALID", []
        if any(pair != (0, 0) for pair in pairs):
            if all(first) and all(second):
                self.padding = "SAME"
            else:
                self.pads = pairs
        if any(isinstance(n, Unknown) for pair in self.pads for n in pair):
            raise CannotWrite("a padding depends on a size that the signature leaves open")

    def padded(self, b: Builder, x: Ref, value: Any = 0) -> Ref:
        """Return the input with the padding around it that has no name."""
        if not self.pads:
            return x
        around = b.ints([(0, 0), *self.pads, (0, 0)])
        return b.op("PadV2:output", x, around, b.const(value, x.dtype), Tpaddings=_INT)


def _space(node: NodePair) -> list[tuple]:
    """Return the sizes of space of the first input, in both traces."""
    return [tuple(each.inputs[0].spec.shape[1:-1]) for each in (node.first, node.second)]


def _widened(b: Builder, ref: Ref, axis: int) -> Ref:
    return b.op("ExpandDims:output", ref, b.ints(axis), Tdim=_INT)


def _narrowed(b: Builder, ref: Ref, axis: int) -> Ref:
    return b.op("Squeeze:output", ref, squeeze_dims=[axis])


def _five(values: tuple, one_dimensional: bool) -> list[int]:
    return [1, *([1] if one_dimensional else []), *map(int, values), 1]


@rule("conv")
def conv(b: Builder, node: NodePair, x: Ref, w: Ref) -> Ref:
    shape = node.inputs[1].shape
    rank = len(shape) - 2
    windows = _Windows(node, _space(node), shape[:-2], node.dilations)
    x = windows.padded(b, x)
    if rank == 1:
        x, w = _widened(b, x, 1), _widened(b, w, 0)
    sides = {
        "strides": _five(node.strides, rank == 1),
        "dilations": _five(node.dilations, rank == 1),
        "padding": windows.padding,
    }
    if rank == 3:
        if node.groups != 1:
            raise CannotWrite("a convolution in 3 dimensions with groups")
        return b.op("Conv3D:output", x, w, **sides)
    made = _conv2d(b, node, x, w, sides)
    return _narrowed(b, made, 1) if rank == 1 else made


def _conv2d(b: Builder, node: NodePair, x: Ref, w: Ref, sides: dict[str, Any]) -> Ref:
    channels: Any = node.inputs[0].shape[-1]
    features: Any = node.inputs[1].shape[-1]
    groups = node.groups
    if groups == 1:
        return b.op("Conv2D:output", x, w, **sides)
    uniform = sides["strides"][1] == sides["strides"][2] and set(sides["dilations"]) == {1}
    if groups == channels and uniform:
        window = [1, *node.inputs[1].shape[:-2]][-2:]
        each = b.ints([*window, channels, features // channels])
        w = b.op("Reshape:output", w, each, Tshape=_INT)
        return b.op("DepthwiseConv2dNative:output", x, w, **sides)
    parts = []
    for ref, axis in ((x, -1), (w, -1)):
        many = {"num_split": groups, "T": ref.dtype}
        kinds = [ref.dtype] * groups
        parts.append(b.nodes_of("Split:output", b.ints(axis), ref, dtypes=kinds, **many))
    made = [b.op("Conv2D:output", *pair, **sides) for pair in zip(*parts, strict=True)]
    return b.op("ConcatV2:output", *made, b.ints(-1), N=groups, Tidx=_INT)


@rule("conv_input")
def conv_input(b: Builder, node: NodePair, g: Ref, w: Ref) -> Ref:
    shape, sizes = node.inputs[1].shape, list(node.output.shape)
    rank = len(shape) - 2
    space = [tuple(each.params["shape"][1:-1]) for each in (node.first, node.second)]
    windows = _Windows(node, space, shape[:-2], node.dilations)
    if node.groups != 1:
        raise CannotWrite("a transposed convolution with groups")
    sides = {
        "strides": _five(node.strides, rank == 1),
        "dilations": _five(node.dilations, rank == 1),
        "padding": windows.padding,
    }
    if windows.pads:
        if any(isinstance(n, Unknown) for n in sizes[1:-1]):
            raise CannotWrite("a transposed convolution with open sizes of space and such padding")
        around = [(0, 0), *windows.pads, (0, 0)]
        sizes = [
            n if isinstance(n, Unknown) else n + sum(pair)
            for n, pair in zip(sizes, around, strict=True)
        ]
    if rank == 1:
        g, w, sizes = _widened(b, g, 1), _widened(b, w, 0), [sizes[0], 1, *sizes[1:]]
    if rank == 3:
        made = b.op(
            "Conv3DBackpropInputV2:output",
            b.sizes(sizes),
            w,
            g,
            dtype=g.dtype,
            T=g.dtype,
            Tshape=_INT,
            **sides,
        )
    else:
        made = b.op(
            "Conv2DBackpropInput:output", b.sizes(sizes), w, g, dtype=g.dtype, T=g.dtype, **sides
        )
    if rank == 1:
        made = _narrowed(b, made, 1)
    if windows.pads:
        begin = [0, *[pair[0] for pair in windows.pads], 0]
        ends = [0, *[p[0] + n for p, n in zip(windows.pads, node.output.shape[1:-1], strict=True)]]
        made = b.op(
            "StridedSlice:output",
            made,
            b.ints(begin),
            b.ints([*ends, 0]),
            b.ints([1] * len(begin)),
            Index=_INT,
            end_mask=1 | 1 << len(begin) - 1,
        )
    return made


# --- pooling -------------------------------------------------------------------------------------


def _pool(b: Builder, node: NodePair, x: Ref, kind: str, fill: Any) -> Ref:
    rank = node.inputs[0].rank - 2
    if set(node.dilations) != {1} or rank > 3:
        raise CannotWrite("pooling with dilations")
    windows = _Windows(node, _space(node), node.window, node.dilations)
    if kind == "AvgPool" and windows.padding == "SAME":  # it would not count what is added
        windows.padding, windows.pads = "VALID", [tuple(pair) for pair in node.padding]
        if any(isinstance(n, Unknown) for pair in windows.pads for n in pair):
            raise CannotWrite("a padding depends on a size that the signature leaves open")
    x = windows.padded(b, x, fill)
    if rank == 1:
        x = _widened(b, x, 1)
    made = b.op(
        f"{kind}{'3D' if rank == 3 else ''}:output",
        x,
        ksize=_five(node.window, rank == 1),
        strides=_five(node.strides, rank == 1),
        padding=windows.padding,
    )
    return _narrowed(b, made, 1) if rank == 1 else made


@rule("max_pool")
def max_pool(b: Builder, node: NodePair, x: Ref) -> Ref:
    lowest = -np.inf if x.dtype.kind == "f" else np.iinfo(x.dtype).min
    return _pool(b, node, x, "MaxPool", lowest)


@rule("window_sum")
def window_sum(b: Builder, node: NodePair, x: Ref) -> Ref:
    mean = _pool(b, node, x, "AvgPool", 0)
    return b.op("Mul:z", mean, b.const(math.prod(node.window), x.dtype))


# --- sequences -----------------------------------------------------------------------------------


def _over_time(step, state: list, rows) -> list:
    """Return what a step makes of each row of [batch, steps, …], in that order, as one loop."""
    trace = get_state().trace
    assert isinstance(trace, Trace)
    made = trace_scan(
        trace,
        lambda carry, row: step(carry, row[0]),
        state,
        [ops.transpose(rows, (1, 0, 2))],
        int(rows.shape[1]),
    )
    assert isinstance(made, tuple)
    return [ops.transpose(x, (1, 0, 2)) for x in made[1]]


@expansion("lstm")
def lstm(x, h, c, w, u, b):
    def step(carry, row):
        sums = row + ops.matmul(carry[0], u)
        i, f, g, o = ops.split(sums, 4, -1)
        cell = ops.sigmoid(f) * carry[1] + ops.sigmoid(i) * ops.tanh(g)
        hidden = ops.sigmoid(o) * ops.tanh(cell)
        return [hidden, cell], [hidden, cell, sums]

    return _over_time(step, [h, c], ops.matmul(x, w) + b)


@expansion("gru")
def gru(x, h, w, u, b):
    inputs = ops.matmul(x, w) + b[0]
    inner_bias = b[1]

    def step(carry, row):
        inner = ops.matmul(carry[0], u) + inner_bias
        (x_z, x_r, x_g), (h_z, h_r, h_g) = ops.split(row, 3, -1), ops.split(inner, 3, -1)
        z, r = ops.sigmoid(x_z + h_z), ops.sigmoid(x_r + h_r)
        g = ops.tanh(x_g + r * h_g)
        hidden = z * carry[0] + (1.0 - z) * g
        return [hidden], [hidden, ops.concat([z, r, g, h_g], -1)]

    return _over_time(step, [h], inputs)
