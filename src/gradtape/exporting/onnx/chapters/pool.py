"""Maxima and sums over sliding windows."""

from __future__ import annotations

import math

import numpy as np

from gradtape.exporting.onnx.builder import Builder
from gradtape.exporting.onnx.chapters.conv import channels_first, channels_last, padding_of
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


ROWS = {"max_pool": _max_pool, "window_sum": _window_sum}
