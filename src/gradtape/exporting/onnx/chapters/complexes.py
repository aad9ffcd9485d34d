"""Complex numbers and Fourier transforms: a complex tensor has its two parts along one more axis.

ONNX has no arithmetic of complex tensors. What is here is enough for spectrograms.
"""

from __future__ import annotations

import numpy as np

from gradtape.exporting.onnx.builder import Builder
from gradtape.exporting.samples import Op


def _rfft(b: Builder, op: Op, x: str) -> str:
    *others, last = op["axis"]
    result = _dft(b, b.unsqueeze(x, -1), last, onesided=1)
    for axis in others:
        result = _dft(b, result, axis)
    return result


def _fft(b: Builder, op: Op, x: str) -> str:
    for axis in op["axis"]:
        x = _dft(b, x, axis, inverse=int(op["inverse"]))
    return x


def _dft(b: Builder, x: str, axis: int, **attributes: int) -> str:
    if b.names.opset < 20:
        return b("DFT", x, axis=axis, **attributes)
    return b.several("DFT", [x, "", b.constant(axis, np.int64)], 1, **attributes)[0]


def _part(index: int):
    return lambda b, op, x: b("Gather", x, np.int64(index), axis=-1)


def _complex(b: Builder, op: Op, re: str, im: str) -> str:
    whole = [max(sizes, key=max) for sizes in _broadcast(op)]
    parts = [b.unsqueeze(b.expand(x, whole), -1) for x in (re, im)]
    return b("Concat", *parts, axis=-1)


def _broadcast(op: Op):
    """Yield the sizes that both inputs have along each axis of the result."""
    rank = max(op.rank(0), op.rank(1))
    ones = (1,) * len(op.nodes)
    shapes = [[ones] * (rank - op.rank(i)) + op.shape(i) for i in (0, 1)]
    return zip(*shapes, strict=True)


ROWS = {
    "rfft": _rfft,
    "fft": _fft,
    "complex": _complex,
    "real": _part(0),
    "imag": _part(1),
    "conj": lambda b, op, x: b("Mul", x, np.asarray([1, -1], _real(op))),
    "complex_abs": lambda b, op, x: b.reduce("ReduceL2", x, [-1], False),
}


def _real(op: Op) -> np.dtype:
    return np.dtype(np.float32 if op.dtype().itemsize == 8 else np.float64)
