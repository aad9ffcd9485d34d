"""What usually helps against an inf or a nan, by the op that made it and by what it was given."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

WHERE_TRAP = (
    "This is the `where` trap: the branch that is not chosen is computed all the same, and its "
    "infinite slope times 0 is nan. Choose a harmless input first: "
    "safe = tf.where(ok, x, 1.0), then tf.where(ok, f(safe), other)."
)
INSIDE_FUNCTION = (
    "To see which op it is, run the step in `with tf.debug_nonfinite():`, or the whole program "
    "with tf.config.run_functions_eagerly(True)."
)
_MASKED_ROW = (
    "Every entry of a row is -inf (a mask that leaves nothing). Mask with a large negative number "
    "such as -1e9, or leave such rows out."
)
_HALF = (
    "float16 ends at 65504. Compute this in float32, or use bfloat16, which has float32's range."
)
_BIG = "The numbers are too large for the dtype. Scale the inputs, or clip the gradients."
_ORIGINS = {
    "log": "Keep the argument away from 0: tf.math.log(tf.maximum(x, 1e-7)). For a cross-entropy, "
    "use the loss that takes logits (from_logits=True).",
    "divide": "Keep the denominator away from 0, or use tf.math.divide_no_nan(x, y), which gives 0 "
    "there.",
    "sqrt": "The slope of sqrt at 0 is infinite. Keep away from 0: tf.sqrt(tf.maximum(x, 1e-12)).",
    "negative": "Rounding may have made a sum of squares slightly negative: "
    "tf.sqrt(tf.maximum(x, 0.0)).",
    "norm": "The norm has no slope at 0. Add a small number under the root: "
    "tf.sqrt(tf.reduce_sum(x * x) + 1e-12).",
    "exp": "exp overflows (above 88 in float32). Use a form that does not compute it alone: "
    "tf.nn.softmax, tf.reduce_logsumexp, tf.nn.softplus, tf.math.log_sigmoid.",
    "arc": "The slope is infinite at -1 and 1, and beyond them there is no value. "
    "Clip first: tf.clip_by_value(x, -1 + 1e-6, 1 - 1e-6).",
    "eigen": "Two eigenvalues (or singular values) are nearly equal: their vectors are not unique "
    "and have no derivative. Add a small distinct diagonal, or differentiate the values alone "
    "(tf.linalg.eigvalsh).",
    "rank": "The columns of the matrix depend on each other. Add a small number to its diagonal, "
    "or use tf.linalg.svd.",
    "power": "0 to a power below 1 has an infinite slope, and a negative number to a fraction has "
    "no real value. Keep the base above 0: tf.maximum(x, 1e-7) ** y.",
    "product": "tf.math.multiply_no_nan(x, y) gives 0 where y is 0, and tf.math.xlogy(x, y) is "
    "x * log(y) that is 0 where x is 0.",
    "input": "The value was inf or nan when it entered: look at where it was read or made.",
}


# Ops for which infinite inputs are usual: masks.
MASKED = frozenset("softmax log_softmax softmax_cross_entropy reduce_logsumexp".split())


def _some(x, test: Callable) -> bool:
    with np.errstate(all="ignore"):
        return x is not None and bool(np.any(test(np.asarray(x))))


def _log(name: str, x, y, result, params) -> tuple[str, str]:
    edge = -1 if name == "log1p" else 0
    negative = _some(x, lambda a: a < edge) or (x is None and _some(result, np.isnan))
    sign = "a negative number" if negative else str(edge)
    return f"the logarithm of {sign}" if edge == 0 else f"log1p of {sign}", _ORIGINS["log"]


def _division(name: str, x, y, result, params) -> tuple[str, str]:
    below = x if name == "reciprocal" else y
    if below is None or _some(below, lambda a: a == 0):
        top = x if name != "reciprocal" else None
        both = top is not None and _some(top, lambda a: a == 0)
        return ("0 divided by 0" if both else "a division by 0"), _ORIGINS["divide"]
    return "a quotient beyond the range of the dtype", _BIG


def _root(name: str, x, y, result, params) -> tuple[str, str]:
    negative = _some(x, lambda a: a < 0) or (x is None and _some(result, np.isnan))
    what = "a negative number" if negative else "0"
    return f"the root of {what}", _ORIGINS["negative" if negative else "sqrt"]


def _exponential(name: str, x, y, result, params) -> tuple[str, str]:
    return f"{name} of a large number", _ORIGINS["exp"]


def _power(name: str, x, y, result, params) -> tuple[str, str]:
    exponent = params.get("exponent", y)
    if _some(x, lambda a: a < 0):
        return "a negative number to a power that is not whole", _ORIGINS["power"]
    if _some(x, lambda a: a == 0) and exponent is not None and _some(exponent, lambda a: a < 0):
        return "0 to a negative power", _ORIGINS["power"]
    return "a power beyond the range of the dtype", _BIG


def _edge(name: str, x, y, result, params) -> tuple[str, str]:
    return f"{name} at or beyond the edge of where it is defined", _ORIGINS["arc"]


def _mask(name: str, x, y, result, params) -> tuple[str, str] | None:
    if x is None or _some(x, np.isneginf):
        return "a row with nothing but -inf", _MASKED_ROW
    return None


def _pole(name: str, x, y, result, params) -> tuple[str, str]:
    return f"{name} at a pole", "Keep the argument above 0: tf.maximum(x, 1e-7)."


def _singular(name: str, x, y, result, params) -> tuple[str, str]:
    return "a matrix that is singular, or nearly so", (
        "Add a small number to its diagonal: x + 1e-6 * tf.eye(n)."
    )


def _mean(name: str, x, y, result, params) -> tuple[str, str] | None:
    if _some(x, lambda a: np.asarray(a.size == 0)):
        return "the mean of nothing: the tensor is empty", "Check for an empty batch first."
    return None


def _sum(name: str, x, y, result, params) -> tuple[str, str] | None:
    if _some(x, np.isinf) and (y is None or _some(y, np.isinf)):
        return "infinity minus infinity", _BIG
    return None


def _product(name: str, x, y, result, params) -> tuple[str, str] | None:
    if _some(x, np.isinf) or _some(y, np.isinf):
        return "0 times infinity", _ORIGINS["product"]
    return None


def _by_name(explained: dict[Callable, str]) -> dict[str, Callable]:
    return {name: explain for explain, names in explained.items() for name in names.split()}


_OF_MAKERS = _by_name(
    {
        _log: "log log1p",
        _division: "divide reciprocal floordiv floormod truncatediv",
        _root: "sqrt rsqrt",
        _exponential: "exp expm1 sinh cosh expm",
        _power: "power power_by",
        _edge: "acos asin atanh acosh erfinv ndtri",
        _pole: "lgamma digamma polygamma zeta",
        _singular: "inv solve det slogdet cholesky pinv triangular_solve",
    }
)
# Ops that give inf or nan for ordinary numbers. Others pass on what they are given, or overflow.
MAKERS = frozenset(_OF_MAKERS)
# By primitive: a function that says what happened and what helps, or None if it is nothing special.
HAPPENED: dict[str, Callable[..., tuple[str, str] | None]] = _OF_MAKERS | _by_name(
    {
        _log: "cumulative_logsumexp",
        _mask: " ".join(MASKED),
        _mean: "reduce_mean",
        _sum: "add subtract",
        _product: "multiply",
    }
)


def what_happened(name: str, inputs: list, result, params: dict) -> tuple[str, str]:
    """Return (what happened, the usual cure) for an op whose value is not finite."""
    x: Any = inputs[0] if inputs else None
    y: Any = inputs[1] if len(inputs) > 1 else None
    if _half_overflow(name, x, result):
        return "a number beyond the range of float16", _HALF
    explain = HAPPENED.get(name)
    special = None if explain is None else explain(name, x, y, result, params)
    return special or ("a number beyond the range of the dtype", _BIG)


def _half_overflow(name: str, x, result) -> bool:
    half = np.dtype(np.float16)
    if result is None or np.asarray(result).dtype != half or x is None:
        return False
    if name in ("log", "divide", "reciprocal", "rsqrt"):
        return False
    return bool(np.all(np.isfinite(np.asarray(x, np.float64))))


# By primitive: the slope that is not finite, in words, and the cure in `_ORIGINS`.
SLOPES: dict[str, tuple[str, str]] = {
    name: (what.format(name=name), kind)
    for names, what, kind in (
        ("sqrt rsqrt cbrt", "the slope of {name} at 0, which is infinite", "sqrt"),
        ("log log1p", "the slope of {name} at 0, which is infinite", "log"),
        ("divide reciprocal", "the slope of a division by 0", "divide"),
        ("power power_by", "the slope of a power at 0, which is infinite", "power"),
        ("eigh eig", "the derivative of {name} with (nearly) equal eigenvalues", "eigen"),
        ("svd", "the derivative of svd with (nearly) equal singular values", "eigen"),
        ("qr", "the derivative of qr of a matrix without full rank", "rank"),
        (
            "acos asin atanh acosh erfinv ndtri",
            "the slope of {name} at the edge, which is infinite",
            "arc",
        ),
        ("exp expm1 sinh cosh square", "the slope of {name} of a large number", "exp"),
        ("reduce_euclidean_norm", "the slope of the norm at 0", "norm"),
        ("complex_abs", "the slope of abs of a complex 0", "norm"),
        ("atan2", "the slope of atan2 at (0, 0)", "divide"),
    )
    for name in names.split()
}


def why_slope(name: str, inputs: list, before: str | None, masked: bool) -> tuple[str, str]:
    """Return (what happened, the usual cure) for an op whose derivative is not finite."""
    if name == "sqrt" and before == "reduce_sum":
        name = "reduce_euclidean_norm"
    if name in SLOPES:
        what, kind = SLOPES[name]
    elif any(_some(v, lambda a: ~np.isfinite(a)) for v in inputs[:2] if _is_inexact(v)):
        what, kind = "a derivative computed from a value that is inf or nan", ""
    else:
        what, kind = "a gradient beyond the range of the dtype", ""
    return what, WHERE_TRAP if masked else _ORIGINS.get(kind, _BIG)


def _is_inexact(x) -> bool:
    return x is not None and np.asarray(x).dtype.kind in "fcV"


def for_input() -> str:
    return _ORIGINS["input"]
