"""Maxima and sums over sliding windows."""

from __future__ import annotations

import math

import numpy as np

from gradtape.exporting.onnx.builder import Builder
from gradtape.exporting.onnx.chapters.conv import (
    channels_first,
    channels_last,
    padding_of,
    transposed,
)
from gradtape.exporting.samples import Op


def _max_pool(b: Builder, op: Op, x: str) -> str:
    rank, window = op.rank(), op["window"]
    result = b(
        "MaxPool",
        channels_first(b, x, rank),
        kernel_shape=window,
        strides=op["strides"],
        dilations=op["dilations"],
        **padding_of(op, window),
    )
    return channels_last(b, result, rank)


def _window_sum(b: Builder, op: Op, x: str) -> str:
    """Return the mean over windows, zeros in the padding included, times their size."""
    rank, window = op.rank(), op["window"]
    if any(d != 1 for d in op["dilations"]):
        raise NotImplementedError(f"{op}: windows with gaps are not exported.")
    if op.dtype().kind not in "f":
        raise NotImplementedError(f"{op}: windows of {op.dtype().name} are not in ONNX.")
    means = b(
        "AveragePool",
        channels_first(b, x, rank),
        kernel_shape=window,
        strides=op["strides"],
        count_include_pad=1,
        **padding_of(op, window),
    )
    total = b("Mul", means, np.asarray(math.prod(window), op.dtype()))
    return channels_last(b, total, rank)


def _max_pool_spread(b: Builder, op: Op, x: str, y: str, g: str) -> str:
    """Return zeros with g where the maxima were, summed where windows share one."""
    rank, window = op.rank(), op["window"]
    images = channels_first(b, x, rank)
    _, indices = b.several(
        "MaxPool",
        [images],
        2,
        kernel_shape=window,
        strides=op["strides"],
        dilations=op["dilations"],
        **padding_of(op, window),
    )
    flat = b.integers([-1])
    zeros = b("Expand", np.zeros(1, op.dtype()), b("Shape", b("Reshape", images, flat)))
    slopes = b("Reshape", channels_first(b, g, rank), flat)
    at = b("Reshape", indices, flat)
    made = b("ScatterElements", zeros, at, slopes, axis=0, reduction="add")
    return channels_last(b, b("Reshape", made, b("Shape", images)), rank)


def _window_spread(b: Builder, op: Op, g: str) -> str:
    """Return the transpose of `window_sum`: each channel is convolved by ones."""
    window, (channels,) = op["window"], op.fixed_shape(0, slice(-1, None))
    ones = b.constant(np.ones((channels, 1, *window)), op.dtype())
    return transposed(b, op, g, ones, window, channels)


ROWS = {
    "max_pool": _max_pool,
    "max_pool_spread": _max_pool_spread,
    "window_sum": _window_sum,
    "window_spread": _window_spread,
}
