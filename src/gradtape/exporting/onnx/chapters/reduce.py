"""Reductions over axes, and means with variances."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gradtape.exporting.onnx.builder import Builder
from gradtape.exporting.onnx.chapters.elementwise import number
from gradtape.exporting.samples import Op
from gradtape.exporting.sizes import Series, constant


def _plain(name: str):
    return lambda b, op, x: b.reduce(name, x, op["axis"], op["keepdims"])


def _of_booleans(name: str):
    def row(b: Builder, op: Op, x: str) -> str:
        return b.cast(b.reduce(name, b.cast(x, np.int32), op["axis"], op["keepdims"]), np.bool_)

    return row


def _mean(b: Builder, op: Op, x: str) -> str:
    if op.dtype().kind in "iu":
        raise NotImplementedError(f"{op}: the mean of integers, which is rounded, is not in ONNX.")
    return b.reduce("ReduceMean", x, op["axis"], op["keepdims"])


def _logsumexp(b: Builder, op: Op, x: str) -> str:
    """Subtract the maximum first: the exponentials stay finite."""
    axes = op["axis"]
    largest = b.reduce("ReduceMax", x, axes, True)
    finite = b("Not", b("Or", b("IsNaN", largest), b("IsInf", largest)))
    shift = b("Where", finite, largest, number(op, 0))
    total = b.reduce("ReduceSum", b("Exp", b("Sub", x, shift)), axes, True)
    result = b("Add", b("Log", total), shift)
    return result if op["keepdims"] or not axes else b.squeeze(result, *axes)


def _arg(name: str):
    def row(b: Builder, op: Op, x: str) -> str:
        index = b(name, x, axis=op["axis"], keepdims=0)
        return index if op.result() == np.int64 else b.cast(index, op.result())

    return row


def _tie_shares(b: Builder, op: Op, x: str, extreme: str) -> str:
    share = b.cast(b("Equal", x, extreme), op.dtype())
    return b("Div", share, b.reduce("ReduceSum", share, op["axis"], True))


def _moments(b: Builder, op: Op, x: str) -> list[str]:
    axes = op["axis"]
    mean = b.reduce("ReduceMean", x, axes, True)
    distance = b("Sub", x, mean)
    variance = b.reduce("ReduceMean", b("Mul", distance, distance), axes, op["keepdims"])
    if not op["keepdims"] and axes:
        mean = b.squeeze(mean, *axes)
    return [mean, variance]


def _rescale(b: Builder, op: Op, x: str, mean: str, factor: str, scale: str, offset: str) -> str:
    return b("Add", b("Mul", b("Sub", x, mean), b("Mul", factor, scale)), offset)


def _sum_to(b: Builder, x: str, shape: Sequence[Series], target: Sequence[Series]) -> str:
    """Return a value summed over the axes that its target does not have, or has of size 1."""
    extra = len(shape) - len(target)
    axes = [
        extra + axis
        for axis, size in enumerate(target)
        if constant(size) == 1 and constant(shape[extra + axis]) != 1
    ]
    summed = b.reduce("ReduceSum", x, [*range(extra), *axes], True)
    return b.squeeze(summed, *range(extra)) if extra else summed


def _rescale_grad(
    b: Builder, op: Op, x: str, mean: str, factor: str, scale: str, g: str
) -> list[str]:
    whole = op.shape(0)
    along, slope = b("Mul", b("Sub", x, mean), g), b("Mul", factor, scale)
    by_x = b("Mul", g, slope)
    return [
        by_x,
        b("Neg", _sum_to(b, by_x, whole, op.shape(1))),
        _sum_to(b, b("Mul", along, scale), whole, op.shape(2)),
        _sum_to(b, b("Mul", along, factor), whole, op.shape(3)),
        _sum_to(b, g, whole, op.series("offset_shape")),
    ]


ROWS = {
    "reduce_sum": _plain("ReduceSum"),
    "reduce_mean": _mean,
    "reduce_prod": _plain("ReduceProd"),
    "reduce_max": _plain("ReduceMax"),
    "reduce_min": _plain("ReduceMin"),
    "reduce_any": _of_booleans("ReduceMax"),
    "reduce_all": _of_booleans("ReduceMin"),
    "reduce_logsumexp": _logsumexp,
    "reduce_euclidean_norm": _plain("ReduceL2"),
    "argmax": _arg("ArgMax"),
    "argmin": _arg("ArgMin"),
    "tie_shares": _tie_shares,
    "moments": _moments,
    "rescale": _rescale,
    "rescale_grad": _rescale_grad,
}
