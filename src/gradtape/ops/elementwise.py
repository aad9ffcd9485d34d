"""Elementwise arithmetic, comparisons, exponentials and the like."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from gradtape import ops
from gradtape.core import dtypes
from gradtape.core.bind import bind
from gradtape.core.composites import APPLIERS, apply_to_composites
from gradtape.core.convert import check_same_dtype, operands, to_tensor
from gradtape.core.dtypes import as_dtype
from gradtape.core.errors import DTypeError, ShapeError, UnimplementedError
from gradtape.core.primitive import NoDerivative
from gradtape.core.tensor import Spec, Tensor
from gradtape.ops.families import (
    ANY,
    BOOL,
    FLOATS,
    INEXACT,
    INTEGERS,
    NUMBERS,
    REALS,
    STRING,
    binary,
    broadcast_shapes,
    broadcasting,
    check_dtype,
    elementwise,
    empty_as,
    scalar_types,
    unary,
    unary_op,
)

if TYPE_CHECKING:
    from gradtape.core.typing import DTypeLike, NumpyDType, TensorLike

__all__ = [
    "acos",
    "acosh",
    "add",
    "add_n",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cast",
    "cbrt",
    "clip",
    "coordinates",
    "cos",
    "cosh",
    "divide",
    "divide_no_nan",
    "equal",
    "exp",
    "expm1",
    "greater",
    "greater_equal",
    "identity",
    "is_finite",
    "is_inf",
    "is_nan",
    "less",
    "less_equal",
    "log",
    "log1p",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "maximum",
    "minimum",
    "multiply",
    "multiply_no_nan",
    "negative",
    "not_equal",
    "pow",
    "reciprocal",
    "rsqrt",
    "sin",
    "sinh",
    "sqrt",
    "square",
    "squared_difference",
    "stop_gradient",
    "subtract",
    "tan",
    "tanh",
    "truediv",
    "where",
    "xdivy",
    "xlog1py",
    "xlogy",
]

_TRUTH = np.dtype(bool)

# --- arithmetic --------------------------------------------------------------------------------

_add_p = elementwise("add", "x y", {"x": lambda t: t, "y": lambda t: t})
_join_text_p = elementwise(
    "join_text", "x y", NoDerivative("text is not a number"), shape=broadcasting("add")
)
_scalars_of_numbers = scalar_types(NUMBERS)


def add(x: Any, y: Any, name: str | None = None) -> Tensor:
    """Add x and y elementwise; concatenate strings."""
    if type(x) is not Tensor or type(y) is not Tensor:
        try:
            x, y = operands("AddV2", x, y)
        except ValueError:
            if type(x) in APPLIERS or type(y) in APPLIERS:
                return apply_to_composites("add", add, (x, y), {})
            raise
    kind = type(x._data)
    if kind is not type(y._data) or kind not in _scalars_of_numbers:
        dtype = x._data.dtype
        if dtype is not y._data.dtype:
            check_same_dtype("AddV2", x, y)
        if dtype not in NUMBERS:
            check_dtype("AddV2", NUMBERS | STRING, x)
            return bind(_join_text_p, (x, y))
    return bind(_add_p, (x, y))


subtract = binary("subtract", d=(lambda t: t, lambda t: -t))
multiply = binary("multiply", d=(lambda y: y, lambda x: x))
divide = binary("divide", d=(lambda t, y: t / y, lambda y, ans: -(ans / y)), allowed=INEXACT)
# Where y is 0, the result is 0 and so are both derivatives.
divide_no_nan = binary(
    "divide_no_nan",
    d=(lambda t, y: divide_no_nan(t, y), lambda y, ans: -divide_no_nan(ans, y)),
    allowed=INEXACT,
)
# Where y is 0, the result is 0 whatever x is; as in TensorFlow, the derivative with respect to y is
# still x there.
multiply_no_nan = binary(
    "multiply_no_nan",
    d=(lambda t, y: multiply_no_nan(t, y), lambda t, x: multiply_no_nan(x, t)),
    allowed=INEXACT,
)
negative = unary_op(elementwise("negative", vjp={"x": lambda g: -g}, jvp="linear"), NUMBERS)


def _unary_no_nan(name: str, d: Callable[..., Any], allowed: Any = INEXACT) -> Callable[..., Any]:
    """Define a unary op whose slope may be infinite: a cotangent of 0 stays 0 even there.

    So does TensorFlow for these few, and `where(x > 0, sqrt(x), 0)` has its gradient for all x.
    """
    prim = elementwise(
        name,
        vjp={"x": lambda g, ans: multiply_no_nan(ops.conj(d(ans)), g)},
        jvp={"x": lambda t, ans: multiply_no_nan(d(ans), t)},
    )
    return unary_op(prim, allowed)


reciprocal = _unary_no_nan("reciprocal", d=lambda ans: -(ans * ans))

_FLOAT_OF_INTEGER = {1: dtypes.float32, 2: dtypes.float32, 4: dtypes.float64, 8: dtypes.float64}


def truediv(x: Any, y: TensorLike, name: str | None = None) -> Tensor:
    """Divide x by y; cast integers first: up to 16 bits to float32, others to float64."""
    if type(x) is not Tensor or type(y) is not Tensor:
        try:
            x, y = operands("RealDiv", x, y)
        except ValueError:
            if type(x) in APPLIERS or type(y) in APPLIERS:
                return apply_to_composites("truediv", truediv, (x, y), {})
            raise
    if x._data.dtype in INTEGERS:
        check_same_dtype("RealDiv", x, y)
        dtype = _FLOAT_OF_INTEGER[x._data.dtype.itemsize]
        x, y = cast(x, dtype), cast(y, dtype)
    return divide(x, y)


def squared_difference(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Compute (x - y)²; for complex numbers, the product with the conjugate."""
    d = subtract(x, y)
    return d * ops.conj(d) if d._data.dtype.kind == "c" else square(d)


def _unless_zero(op: str, compute: Callable[..., Any]) -> Callable[..., Any]:
    """Define compute(x, y) as 0 where x is 0, whatever y is; there both derivatives are 0, too."""

    def function(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
        x, y = operands(op, x, y)
        check_dtype(op, INEXACT, x)
        is_zero = equal(x, 0)
        return where(is_zero, 0, compute(x, where(is_zero, 1, y)))

    function.__name__ = function.__qualname__ = op.lower()
    function.__doc__ = f"Compute `{op.lower()}` elementwise."
    return function


xlogy = _unless_zero("Xlogy", lambda x, y: x * log(y))
xlog1py = _unless_zero("Xlog1py", lambda x, y: x * log1p(y))
xdivy = _unless_zero("Xdivy", lambda x, y: x / y)


def add_n(inputs: list[Any]) -> Tensor:
    """Return the sum of a list of tensors of the same shape and dtype."""
    xs = ops.tensors_alike("AddN", inputs)
    for i, x in enumerate(xs):
        if x._data.shape != xs[0]._data.shape:
            raise ShapeError(
                "AddN: Inputs to operation AddN must have the same size and shape. Input 0: "
                f"{xs[0].shape.as_list()} != input {i}: {x.shape.as_list()} [Op:AddN]"
            )
    total = xs[0]
    for x in xs[1:]:
        total = total + x
    return total


# --- choice ------------------------------------------------------------------------------------


def _share(chosen: Callable[..., Any]) -> Callable[..., Any]:
    """Return the rule for an operand of maximum or minimum: t where it was chosen, else 0."""
    return lambda t, x, y: where(chosen(x, y), t, 0)


# Of equal operands x takes the whole derivative, as in TensorFlow; where one is nan, y takes it.
_x_is_max = _share(lambda x, y: greater_equal(x, y))
_y_is_max = _share(lambda x, y: logical_not(greater_equal(x, y)))
_x_is_min = _share(lambda x, y: less_equal(x, y))
_y_is_min = _share(lambda x, y: logical_not(less_equal(x, y)))
maximum = binary("maximum", d=(_x_is_max, _y_is_max), allowed=REALS)
minimum = binary("minimum", d=(_x_is_min, _y_is_min), allowed=REALS)


def clip(x: TensorLike, low: TensorLike, high: TensorLike) -> Tensor:
    """Clip x between bounds that broadcast to it. At a bound, the derivative goes to x."""
    x = to_tensor(x)
    y = maximum(minimum(x, high), low)
    if y._data.shape != x._data.shape:
        raise ShapeError(
            f"clip_by_value: Shapes {x.shape} and {y.shape} are incompatible: the bounds must "
            "broadcast to the shape of the tensor to clip."
        )
    return y


_NO_CONDITION = NoDerivative("the condition of `where` is true or false, not a number")


def _select_shape(condition: Spec, x: Spec, y: Spec) -> Spec:
    try:
        return Spec(broadcast_shapes("SelectV2", condition.shape, x.shape, y.shape), x.dtype)
    except ShapeError:
        raise ShapeError(
            f"where: condition {list(condition.shape)}, then {list(x.shape)}, and else "
            f"{list(y.shape)} must be broadcastable [Op:SelectV2]"
        ) from None


select_p = elementwise(
    "select",
    "condition x y",
    {
        "condition": _NO_CONDITION,
        "x": lambda t, condition: where(condition, t, 0),
        "y": lambda t, condition: where(condition, 0, t),
    },
    shape=_select_shape,
)


def where(condition: TensorLike, x: TensorLike, y: TensorLike) -> Any:
    """Return x where the condition is true, y elsewhere."""
    if type(condition) is not Tensor:
        condition = to_tensor(empty_as(condition, dtypes.bool_))
    if condition._data.dtype != _TRUTH:
        raise DTypeError(
            f"where: the condition must be a bool tensor, got one of dtype {condition.dtype.name} "
            f"and shape {condition.shape}. Compare it, as in tf.where(x != 0, …). [Op:SelectV2]"
        )
    x, y = operands("SelectV2", x, y)
    return bind(select_p, (condition, x, y))


def coordinates(condition: TensorLike) -> Any:
    """Return the coordinates of the nonzero elements, one row for each, in row-major order."""
    condition = to_tensor(condition)
    check_dtype("Where", ANY - STRING, condition)
    if not condition.ndim:
        raise ShapeError(
            "where: the coordinates of a scalar were asked for: give a tensor of rank 1 or more, "
            "or x and y to choose from. [Op:Where]"
        )
    specs = [(np.int64, (None, condition.ndim))]
    return ops.host_arrays(_nonzero, [condition], specs)[0]


def _nonzero(array: np.ndarray) -> list[np.ndarray]:
    return [np.argwhere(array)]


# --- powers, exponentials, logarithms ------------------------------------------------------------


def _log_or_zero(x: Any) -> Any:
    """Return log x, and 0 where x <= 0: there x**y has no derivative with respect to y."""
    safe = not_equal(x, 0) if x.dtype.is_complex else greater(x, 0)
    return where(safe, log(where(safe, x, 1)), 0)


power = binary("power", d=(lambda x, y: y * power(x, y - 1), lambda x, ans: ans * _log_or_zero(x)))
# A power whose exponent is a Python number: no second tensor, and a much shorter rule.
_power_by_p = elementwise("power_by", d={"x": lambda x, exponent: exponent * pow(x, exponent - 1)})
square = unary("square", d=lambda x: add(x, x), allowed=NUMBERS)


def pow(x: TensorLike, y: Any, name: str | None = None) -> Tensor:
    """Raise x to the power y."""
    kind = type(y)
    if (kind is int or kind is float) and -100 <= y <= 100:
        if type(x) is not Tensor:
            if type(x) in APPLIERS:
                return apply_to_composites("pow", pow, (x, y), {})
            x = to_tensor(x)
        if kind is int or x._data.dtype in INEXACT:
            if y == 2:
                return square(x)
            if x._data.dtype in NUMBERS:
                return bind(_power_by_p, (x,), {"exponent": y})
    return power(x, y)


# At 0 the slopes of the roots are infinite, as in TensorFlow.
sqrt = _unary_no_nan("sqrt", d=lambda ans: 0.5 / ans)
cbrt = unary("cbrt", d=lambda ans: reciprocal(3 * ans * ans), allowed=FLOATS)
rsqrt = _unary_no_nan("rsqrt", d=lambda ans: -0.5 * (ans * ans * ans))
exp = unary("exp", d=lambda ans: ans)
expm1 = unary("expm1", d=lambda x: exp(x))  # ans + 1 would round to 0 far below 0
log = unary("log", d=lambda x: reciprocal(x))
log1p = unary("log1p", d=lambda x: reciprocal(1 + x))

# --- trigonometric and hyperbolic ----------------------------------------------------------------

sin = unary("sin", d=lambda x: cos(x))
cos = unary("cos", d=lambda x: -sin(x))
tan = unary("tan", d=lambda ans: 1 + ans * ans)
asin = unary("asin", d=lambda x: rsqrt(1 - x * x))
acos = unary("acos", d=lambda x: -rsqrt(1 - x * x))
atan = unary("atan", d=lambda x: reciprocal(1 + x * x))
sinh = unary("sinh", d=lambda x: cosh(x))
cosh = unary("cosh", d=lambda x: sinh(x))
tanh = unary("tanh", d=lambda ans: 1 - ans * ans)
# In terms of the result, as in TensorFlow: on the branch cuts of complex numbers the root would be
# ambiguous.
asinh = unary("asinh", d=lambda ans: reciprocal(cosh(ans)))
acosh = unary("acosh", d=lambda ans: reciprocal(sinh(ans)))
atanh = unary("atanh", d=lambda x: reciprocal(1 - x * x))


# atan2(x, y) is the angle whose tangent is x / y: the first operand is the ordinate.
atan2 = binary(
    "atan2",
    d=(lambda x, y: y / (x * x + y * y), lambda x, y: -(x / (x * x + y * y))),
    allowed=FLOATS,
)

# --- absolute values -----------------------------------------------------------------------------

abs_p = elementwise("abs", d={"x": lambda x: ops.sign(x)})  # 0 at 0, as in TensorFlow

# --- dtype and identity --------------------------------------------------------------------------


def _cast_shape(x: Spec, dtype: NumpyDType) -> Spec:
    return Spec(x.shape, dtype)


cast_p = elementwise(
    "cast", shape=_cast_shape, vjp={"x": lambda g, x_dtype: cast(g, x_dtype)}, jvp="linear"
)
cast_to_discrete_p = elementwise(
    "cast_to_discrete",
    d=NoDerivative("the result is of an integer or bool dtype, which has no derivative"),
    shape=_cast_shape,
)


def cast(x: TensorLike, dtype: DTypeLike, name: str | None = None) -> Any:
    """Cast x to `dtype`; gradients flow only through inexact dtypes."""
    x, dtype = to_tensor(x), as_dtype(dtype)
    if x.dtype is dtype:
        return x
    if x.dtype is dtypes.string or dtype is dtypes.string:
        raise UnimplementedError(
            f"Cast {x.dtype.name} to {dtype.name} is not supported. Use tf.strings.to_number or "
            "tf.strings.as_string. [Op:Cast]"
        )
    prim = cast_p if dtype.is_differentiable else cast_to_discrete_p
    return bind(prim, (x,), {"dtype": dtype.dtype})


identity = unary_op(
    elementwise("identity", vjp={"x": lambda g: g}, jvp="linear", family="view"), ANY
)
stop_gradient = unary_op(
    elementwise("stop_gradient", d=NoDerivative("stop_gradient was asked for"), family="view"), ANY
)

# --- comparisons and logic -----------------------------------------------------------------------

_TRUTH_VALUE = NoDerivative("a comparison gives true or false, not a number")
_STEP_DOWN = NoDerivative(_TRUTH_VALUE.reason, "Use a smooth step such as tf.sigmoid(k * (y - x)).")
_STEP_UP = NoDerivative(_TRUTH_VALUE.reason, "Use a smooth step such as tf.sigmoid(k * (x - y)).")

equal = binary("equal", _TRUTH_VALUE, allowed=ANY, result=_TRUTH)
not_equal = binary("not_equal", _TRUTH_VALUE, allowed=ANY, result=_TRUTH)
less = binary("less", _STEP_DOWN, allowed=REALS, result=_TRUTH)
less_equal = binary("less_equal", _STEP_DOWN, allowed=REALS, result=_TRUTH)
greater = binary("greater", _STEP_UP, allowed=REALS, result=_TRUTH)
greater_equal = binary("greater_equal", _STEP_UP, allowed=REALS, result=_TRUTH)
is_nan = unary("is_nan", _TRUTH_VALUE, allowed=FLOATS, result=_TRUTH)
is_inf = unary("is_inf", _TRUTH_VALUE, allowed=FLOATS, result=_TRUTH)
is_finite = unary("is_finite", _TRUTH_VALUE, allowed=FLOATS, result=_TRUTH)
logical_and = binary("logical_and", _TRUTH_VALUE, allowed=BOOL)
logical_or = binary("logical_or", _TRUTH_VALUE, allowed=BOOL)
logical_not = unary("logical_not", _TRUTH_VALUE, allowed=BOOL)


def logical_xor(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Return whether exactly one of x and y is true."""
    x, y = operands("LogicalXor", x, y)
    check_dtype("LogicalXor", BOOL, x)
    return not_equal(x, y)
