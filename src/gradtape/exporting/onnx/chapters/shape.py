"""Shape changes."""

from __future__ import annotations

from gradtape.exporting.onnx.builder import Builder
from gradtape.exporting.samples import Op


def _roll(b: Builder, op: Op, x: str) -> str:
    shift, axis = op["shift"], op["axis"]
    if not shift:
        return x
    size = op.shape(0)[axis]
    remainders = {shift % n for n in size}
    if len(remainders) > 1:  # a shift to the left: the other part is as long as the shift
        cut = tuple([n - shift % n for n in size])
        return b("Concat", b.slice(x, axis, cut, None), b.slice(x, axis, None, cut), axis=axis)
    cut = -remainders.pop()
    if not cut:
        return x
    return b("Concat", b.slice(x, axis, cut, None), b.slice(x, axis, None, cut), axis=axis)


ROWS = {
    "reshape": lambda b, op, x: b.reshape(x, op.series("shape")),
    "barrier": lambda b, op, x, after: x,
    "transpose": lambda b, op, x: b.transpose(x, op["permutation"]),
    "broadcast_to": lambda b, op, x: b.expand(x, op.series("shape")),
    "roll": _roll,
}
