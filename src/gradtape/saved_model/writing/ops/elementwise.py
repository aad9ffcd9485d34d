"""How elementwise primitives are written."""

from __future__ import annotations

import math

import numpy as np

from gradtape import ops
from gradtape.saved_model.writing.builder import Builder, Ref
from gradtape.saved_model.writing.lowering import RULES, expansion, rule
from gradtape.saved_model.writing.sizes import NodePair

_BOOL = np.dtype(bool)

# Primitives that are one op of TensorFlow, with the name of its result.
_SAME = {
    "abs": "Abs:y",
    "acos": "Acos:y",
    "acosh": "Acosh:y",
    "add": "AddV2:z",
    "asin": "Asin:y",
    "asinh": "Asinh:y",
    "atan": "Atan:y",
    "atan2": "Atan2:z",
    "atanh": "Atanh:y",
    "bessel_i0": "BesselI0:y",
    "bessel_i0e": "BesselI0e:y",
    "bessel_i1": "BesselI1:y",
    "bessel_i1e": "BesselI1e:y",
    "betainc": "Betainc:z",
    "bitwise_and": "BitwiseAnd:z",
    "bitwise_invert": "Invert:y",
    "bitwise_or": "BitwiseOr:z",
    "bitwise_xor": "BitwiseXor:z",
    "ceil": "Ceil:y",
    "conj": "Conj:output",
    "cos": "Cos:y",
    "cosh": "Cosh:y",
    "digamma": "Digamma:y",
    "divide": "RealDiv:z",
    "divide_no_nan": "DivNoNan:z",
    "erf": "Erf:y",
    "erfc": "Erfc:y",
    "erfinv": "Erfinv:y",
    "exp": "Exp:y",
    "expm1": "Expm1:y",
    "floor": "Floor:y",
    "floordiv": "FloorDiv:z",
    "floormod": "FloorMod:z",
    "identity": "Identity:output",
    "igamma": "Igamma:z",
    "igammac": "Igammac:z",
    "left_shift": "LeftShift:z",
    "lgamma": "Lgamma:y",
    "log": "Log:y",
    "log1p": "Log1p:y",
    "maximum": "Maximum:z",
    "minimum": "Minimum:z",
    "multiply": "Mul:z",
    "multiply_no_nan": "MulNoNan:z",
    "ndtri": "Ndtri:y",
    "negative": "Neg:y",
    "nextafter": "NextAfter:output",
    "polygamma": "Polygamma:z",
    "power": "Pow:z",
    "reciprocal": "Reciprocal:y",
    "relu": "Relu:activations",
    "right_shift": "RightShift:z",
    "round": "Round:y",
    "rsqrt": "Rsqrt:y",
    "sigmoid": "Sigmoid:y",
    "sign": "Sign:y",
    "sin": "Sin:y",
    "sinh": "Sinh:y",
    "softplus": "Softplus:activations",
    "softsign": "Softsign:activations",
    "sqrt": "Sqrt:y",
    "square": "Square:y",
    "stop_gradient": "StopGradient:output",
    "subtract": "Sub:z",
    "tan": "Tan:y",
    "tanh": "Tanh:y",
    "truncatediv": "TruncateDiv:z",
    "truncatemod": "TruncateMod:z",
    "zeta": "Zeta:z",
}
_COMPARISONS = {
    "equal": "Equal:z",
    "greater": "Greater:z",
    "greater_equal": "GreaterEqual:z",
    "is_finite": "IsFinite:y",
    "is_inf": "IsInf:y",
    "is_nan": "IsNan:y",
    "less": "Less:z",
    "less_equal": "LessEqual:z",
    "not_equal": "NotEqual:z",
}
_LOGICAL = {
    "logical_and": "LogicalAnd:z",
    "logical_not": "LogicalNot:y",
    "logical_or": "LogicalOr:z",
}
for _name, _kind in _SAME.items():
    RULES[_name] = lambda b, node, *inputs, kind=_kind: b.op(kind, *inputs)
for _name, _kind in _COMPARISONS.items():
    RULES[_name] = lambda b, node, *inputs, kind=_kind: b.op(kind, *inputs, dtype=_BOOL)
for _name, _kind in _LOGICAL.items():
    RULES[_name] = lambda b, node, *inputs, kind=_kind: b.op(kind, *inputs, T=None)


@rule("cast", "cast_to_discrete")
def cast(b: Builder, node: NodePair, x: Ref) -> Ref:
    return b.cast(x, node.output.dtype)


@rule("bitcast")
def bitcast(b: Builder, node: NodePair, x: Ref) -> Ref:
    return b.op("Bitcast:output", x, dtype=node.output.dtype, type=node.output.dtype)


@rule("select")
def select(b: Builder, node: NodePair, condition: Ref, x: Ref, y: Ref) -> Ref:
    return b.op("SelectV2:output", condition, x, y, dtype=x.dtype, T=x.dtype)


@rule("power_by")
def power_by(b: Builder, node: NodePair, x: Ref) -> Ref:
    return b.op("Pow:z", x, b.const(node.exponent, x.dtype))


@rule("complex")
def complex_(b: Builder, node: NodePair, real: Ref, imag: Ref) -> Ref:
    return b.op("Complex:out", real, imag, dtype=node.output.dtype, Tout=node.output.dtype)


@rule("real", "imag")
def part(b: Builder, node: NodePair, x: Ref) -> Ref:
    kind = "Real:output" if node.name == "real" else "Imag:output"
    return b.op(kind, x, dtype=node.output.dtype, Tout=node.output.dtype)


@rule("complex_abs")
def complex_abs(b: Builder, node: NodePair, x: Ref) -> Ref:
    return b.op("ComplexAbs:y", x, dtype=node.output.dtype, Tout=node.output.dtype)


@rule("elu")
def elu(b: Builder, node: NodePair, x: Ref) -> Ref:
    if node.alpha == 1.0:
        return b.op("Elu:activations", x)
    zero, alpha = b.const(0, x.dtype), b.const(node.alpha, x.dtype)
    low = b.op("Mul:z", alpha, b.op("Expm1:y", b.op("Minimum:z", x, zero)))
    above = b.op("Greater:z", x, zero, dtype=_BOOL)
    return select(b, node, above, x, low)


@expansion("cbrt")
def cbrt(x):
    return ops.sign(x) * ops.abs(x) ** (1 / 3)


@expansion("trunc")
def trunc(x):
    return ops.sign(x) * ops.floor(ops.abs(x))


@expansion("gelu")
def gelu(x):
    return 0.5 * x * ops.erfc(-x * math.sqrt(0.5))


@expansion("gelu_tanh")
def gelu_tanh(x):
    return 0.5 * x * (1.0 + ops.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x * x * x)))
