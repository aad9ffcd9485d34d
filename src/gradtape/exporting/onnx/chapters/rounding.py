"""Rounding, and divisions that round."""

from __future__ import annotations

from gradtape.exporting.onnx.builder import Builder
from gradtape.exporting.onnx.chapters.elementwise import is_float, plain
from gradtape.exporting.samples import Op


def _trunc(b: Builder, op: Op, x: str) -> str:
    return b("Mul", b("Sign", x), b("Floor", b("Abs", x)))


def _floordiv(b: Builder, op: Op, x: str, y: str) -> str:
    if is_float(op):
        return b("Floor", b("Div", x, y))
    return b("Div", b("Sub", x, b("Mod", x, y)), y)  # Mod has the sign of y; the rest is exact


def _floormod(b: Builder, op: Op, x: str, y: str) -> str:
    if is_float(op):
        return b("Sub", x, b("Mul", b("Floor", b("Div", x, y)), y))
    return b("Mod", x, y)


def _truncatediv(b: Builder, op: Op, x: str, y: str) -> str:
    quotient = b("Div", x, y)
    return _trunc(b, op, quotient) if is_float(op) else quotient


ROWS = {
    "floor": plain("Floor"),
    "ceil": plain("Ceil"),
    "round": plain("Round"),
    "sign": plain("Sign"),
    "trunc": _trunc,
    "floordiv": _floordiv,
    "floormod": _floormod,
    "truncatediv": _truncatediv,
    "truncatemod": lambda b, op, x, y: b("Mod", x, y, fmod=1),
}
