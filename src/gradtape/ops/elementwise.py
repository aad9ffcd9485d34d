"""Arithmetic, comparisons, exponentials and their kin, on each element."""

from __future__ import annotations

import numpy as np

from gradtape import ops
from gradtape.core import dtypes
from gradtape.core.bind import bind
from gradtape.core.convert import check_same_dtype, operands, to_tensor
from gradtape.core.dtypes import as_dtype
from gradtape.core.errors import DTypeError, ShapeError, UnimplementedError
from gradtape.core.primitive import NoDerivative, primitive
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
    batch_elementwise,
    binary,
    broadcast_shapes,
    broadcasting,
    check_dtype,
    same_shape,
    scalar_types,
    through_factor,
    unary,
    unary_op,
)

__all__ = [
    "acos", "acosh", "add", "add_n", "asin", "asinh", "atan", "atan2", "atanh", "cast", "cbrt",
    "clip", "coordinates", "cos", "cosh", "divide", "divide_no_nan", "elu", "equal", "exp",
    "expm1", "greater", "greater_equal", "identity", "is_finite", "is_inf", "is_nan", "leaky_relu",
    "less", "less_equal", "log", "log1p", "log_sigmoid", "logical_and", "logical_not",
    "logical_or", "logical_xor", "maximum", "minimum", "multiply", "multiply_no_nan", "negative",
    "not_equal", "pow", "reciprocal", "relu", "relu6", "relu_grad", "rsqrt", "sigmoid", "silu",
    "sin", "sinh", "softplus", "sqrt", "square", "squared_difference", "stop_gradient", "subtract",
    "tan", "tanh", "truediv", "where", "xdivy", "xlog1py", "xlogy",
]  # fmt: skip

_TRUTH = np.dtype(bool)

# --- arithmetic --------------------------------------------------------------------------------

_add_p = primitive(
    "add", "x y", shape=broadcasting("add"), batch=batch_elementwise, broadcasts=True,
    vjp={"x": lambda g: g, "y": lambda g: g},
    jvp={"x": lambda t: t, "y": lambda t: t},
)  # fmt: skip
_join_text_p = primitive(
    "join_text", "x y", shape=broadcasting("add"), batch=batch_elementwise, broadcasts=True,
    no_derivative="text is not a number",
)  # fmt: skip
_quick = scalar_types(NUMBERS)


def add(x, y, name=None):
    """x + y; strings are joined."""
    if type(x) is not Tensor or type(y) is not Tensor:
        x, y = operands("AddV2", x, y)
    kind = type(x._data)
    if kind is not type(y._data) or kind not in _quick:
        dtype = x._data.dtype
        if dtype is not y._data.dtype:
            check_same_dtype("AddV2", x, y)
        if dtype not in NUMBERS:
            check_dtype("AddV2", NUMBERS | STRING, x)
            return bind(_join_text_p, (x, y))
    return bind(_add_p, (x, y))


subtract = binary(
    "subtract",
    vjp=(lambda g: g, lambda g: -g),
    jvp=(lambda t: t, lambda t: -t),
)
multiply = binary(
    "multiply",
    vjp=(lambda g, y: through_factor(g, y), lambda g, x: through_factor(g, x)),
    jvp=(lambda t, y: multiply(t, y), lambda t, x: multiply(t, x)),
)
divide = binary(
    "divide",
    vjp=(lambda g, y: g / ops.conj(y), lambda g, y, ans: -g * ops.conj(ans / y)),
    jvp=(lambda t, y: t / y, lambda t, y, ans: -t * (ans / y)),
    allowed=INEXACT,
)
# Where y is 0, the result is 0 and so are both derivatives.
divide_no_nan = binary(
    "divide_no_nan",
    vjp=(
        lambda g, y: ops.divide_no_nan(g, ops.conj(y)),
        lambda g, y, ans: -g * ops.conj(ops.divide_no_nan(ans, y)),
    ),
    jvp=(
        lambda t, y: ops.divide_no_nan(t, y),
        lambda t, y, ans: -t * ops.divide_no_nan(ans, y),
    ),
    allowed=INEXACT,
)
# Where y is 0, the result is 0 whatever x is; as TensorFlow, the derivative by y is still x there.
multiply_no_nan = binary(
    "multiply_no_nan",
    vjp=(
        lambda g, y: ops.multiply_no_nan(g, ops.conj(y)),
        lambda g, x: ops.multiply_no_nan(ops.conj(x), g),
    ),
    jvp=(
        lambda t, y: ops.multiply_no_nan(t, y),
        lambda t, x: ops.multiply_no_nan(x, t),
    ),
    allowed=INEXACT,
)
negative = unary_op(
    primitive(
        "negative", "x", shape=same_shape, vjp={"x": lambda g: -g}, jvp="linear",
        batch=batch_elementwise,
    ),
    NUMBERS,
)  # fmt: skip


def _unary_no_nan(name: str, d, allowed=INEXACT):
    """Like `unary`, for slopes that are infinite somewhere: a cotangent of 0 stays 0 even there.

    So does TensorFlow for these few, and `where(x > 0, sqrt(x), 0)` has its gradient for all x.
    """
    prim = primitive(
        name, "x", shape=same_shape, batch=batch_elementwise,
        vjp={"x": lambda g, ans: ops.multiply_no_nan(ops.conj(d(ans)), g)},
        jvp={"x": lambda t, ans: ops.multiply_no_nan(d(ans), t)},
    )  # fmt: skip
    return unary_op(prim, allowed)


reciprocal = _unary_no_nan("reciprocal", d=lambda ans: -(ans * ans))

_FLOAT_OF_INTEGER = {1: dtypes.float32, 2: dtypes.float32, 4: dtypes.float64, 8: dtypes.float64}


def truediv(x, y, name=None):
    """x / y. Integers are converted first: to float32 up to 16 bits, else to float64."""
    if type(x) is not Tensor or type(y) is not Tensor:
        x, y = operands("RealDiv", x, y)
    if x._data.dtype in INTEGERS:
        check_same_dtype("RealDiv", x, y)
        dtype = _FLOAT_OF_INTEGER[x._data.dtype.itemsize]
        x, y = cast(x, dtype), cast(y, dtype)
    return divide(x, y)


def squared_difference(x, y, name=None):
    """(x - y)², as a product with the conjugate where they are complex."""
    d = subtract(x, y)
    return d * ops.conj(d) if d._data.dtype.kind == "c" else square(d)


def _unless_zero(op: str, compute):
    """compute(x, y), but 0 where x is 0, whatever y is (there both derivatives are 0 too)."""

    def function(x, y, name=None):
        x, y = operands(op, x, y)
        check_dtype(op, INEXACT, x)
        is_zero = equal(x, 0)
        return where(is_zero, 0, compute(x, where(is_zero, 1, y)))

    function.__name__ = function.__qualname__ = op.lower()
    function.__doc__ = f"The op `{op.lower()}`, on each element."
    return function


xlogy = _unless_zero("Xlogy", lambda x, y: x * log(y))
xlog1py = _unless_zero("Xlog1py", lambda x, y: x * log1p(y))
xdivy = _unless_zero("Xdivy", lambda x, y: x / y)


def add_n(inputs):
    """The sum of a list of tensors that have one shape and dtype."""
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


def _share(chosen):
    """The rule of one operand of a maximum or minimum: g where it was chosen, else 0."""
    return lambda g, x, y: where(chosen(x, y), g, 0)


# Of equal operands x takes the whole derivative, as in TensorFlow; where one is nan, y takes it.
_x_is_max = _share(lambda x, y: greater_equal(x, y))
_y_is_max = _share(lambda x, y: logical_not(greater_equal(x, y)))
_x_is_min = _share(lambda x, y: less_equal(x, y))
_y_is_min = _share(lambda x, y: logical_not(less_equal(x, y)))
maximum = binary("maximum", (_x_is_max, _y_is_max), (_x_is_max, _y_is_max), REALS)
minimum = binary("minimum", (_x_is_min, _y_is_min), (_x_is_min, _y_is_min), REALS)


def clip(x, low, high):
    """x kept between bounds that broadcast to it. At a bound, x takes the derivative."""
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


def _if_true(g, condition):
    return where(condition, g, 0)


def _if_false(g, condition):
    return where(condition, 0, g)


select_p = primitive(
    "select", "condition x y", shape=_select_shape, batch=batch_elementwise, broadcasts=True,
    vjp={"condition": _NO_CONDITION, "x": _if_true, "y": _if_false},
    jvp={"condition": _NO_CONDITION, "x": _if_true, "y": _if_false},
)  # fmt: skip


def where(condition, x, y):
    """x where the condition holds, y elsewhere."""
    if type(condition) is not Tensor:
        condition = to_tensor(condition)
    if condition._data.dtype != _TRUTH:
        raise DTypeError(
            f"where: the condition must be a bool tensor, got one of dtype {condition.dtype.name} "
            f"and shape {condition.shape}. Compare it, as in tf.where(x != 0, …). [Op:SelectV2]"
        )
    x, y = operands("SelectV2", x, y)
    return bind(select_p, (condition, x, y))


def coordinates(condition):
    """The coordinates of the elements that are not zero, one row each, in order."""
    condition = to_tensor(condition)
    check_dtype("Where", ANY - STRING, condition)
    if not condition.ndim:
        raise ShapeError(
            "where: the coordinates of a scalar were asked for: give a tensor of rank 1 or more, "
            "or x and y to choose from. [Op:Where]"
        )
    # No primitive: how many there are depends on the values.
    return Tensor(np.argwhere(condition.numpy()))


# --- powers, exponentials, logarithms ------------------------------------------------------------


def _log_or_zero(x):
    """log x, and 0 where x <= 0 (there x**y has no sensible derivative by y), as TensorFlow."""
    safe = not_equal(x, 0) if x.dtype.is_complex else greater(x, 0)
    return where(safe, log(where(safe, x, 1)), 0)


power = binary(
    "power",
    vjp=(
        lambda g, x, y: g * ops.conj(y * power(x, y - 1)),
        lambda g, x, ans: g * ops.conj(ans * _log_or_zero(x)),
    ),
    jvp=(
        lambda t, x, y: t * (y * power(x, y - 1)),
        lambda t, x, ans: t * (ans * _log_or_zero(x)),
    ),
)
# A power whose exponent is a Python number: no second tensor, and a much shorter rule.
_power_by_p = primitive(
    "power_by", "x", shape=same_shape, batch=batch_elementwise,
    vjp={"x": lambda g, x, exponent: g * ops.conj(exponent * pow(x, exponent - 1))},
    jvp={"x": lambda t, x, exponent: t * (exponent * pow(x, exponent - 1))},
)  # fmt: skip
# Functions rather than operators: `x**2` is the commonest of all powers.
square = unary_op(
    primitive(
        "square", "x", shape=same_shape, batch=batch_elementwise,
        vjp={"x": lambda g, x: multiply(g, ops.conj(add(x, x)))},
        jvp={"x": lambda t, x: multiply(t, add(x, x))},
    ),
    NUMBERS,
)  # fmt: skip


def pow(x, y, name=None):
    """x to the power y."""
    kind = type(y)
    if (kind is int or kind is float) and -100 <= y <= 100:
        if type(x) is not Tensor:
            x = to_tensor(x)
        if kind is int or x._data.dtype in INEXACT:
            if y == 2:
                return square(x)
            if x._data.dtype in NUMBERS:
                return bind(_power_by_p, (x,), {"exponent": y})
    return power(x, y)


# At 0 the slopes of the roots are infinite, as TensorFlow's.
sqrt = _unary_no_nan("sqrt", d=lambda ans: 0.5 / ans)
cbrt = unary("cbrt", d=lambda ans: reciprocal(3 * ans * ans), allowed=FLOATS)
rsqrt = _unary_no_nan("rsqrt", d=lambda ans: -0.5 * (ans * ans * ans))
exp = unary("exp", d=lambda ans: ans)
expm1 = unary("expm1", d=lambda ans: ans + 1)
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
# By the result, as TensorFlow: on the branch cuts of complex numbers the root would be ambiguous.
asinh = unary("asinh", d=lambda ans: reciprocal(cosh(ans)))
acosh = unary("acosh", d=lambda ans: reciprocal(sinh(ans)))
atanh = unary("atanh", d=lambda x: reciprocal(1 - x * x))


def _atan2_by_y(g, x, y):
    return g * (y / (x * x + y * y))


def _atan2_by_x(g, x, y):
    return -g * (x / (x * x + y * y))


# atan2(x, y) is the angle whose tangent is x / y: the first operand is the ordinate.
atan2 = binary("atan2", (_atan2_by_y, _atan2_by_x), (_atan2_by_y, _atan2_by_x), FLOATS)

# --- activations ---------------------------------------------------------------------------------

sigmoid = unary("sigmoid", d=lambda ans: ans * (1 - ans))
softplus = unary("softplus", d=lambda x: sigmoid(x), allowed=FLOATS)
abs_p = primitive(
    "abs", "x", shape=same_shape, batch=batch_elementwise,
    # 0 at 0, as TensorFlow.
    vjp={"x": lambda g, x: g * ops.sign(x)},
    jvp={"x": lambda t, x: t * ops.sign(x)},
)  # fmt: skip

# relu has its own rule, rather than maximum's: one comparison less. At 0 the gradient is 0.
relu = unary_op(
    primitive(
        "relu", "x", shape=same_shape, batch=batch_elementwise,
        vjp={"x": lambda g, ans: relu_grad(ans, g)},
        jvp={"x": lambda t, ans: relu_grad(ans, t)},
    ),
    REALS,
)  # fmt: skip
_STEP = NoDerivative("a step function of x: constant on each side of 0")
_relu_grad_p = primitive(
    "relu_grad", "x g", shape=broadcasting("relu_grad"), batch=batch_elementwise, broadcasts=True,
    vjp={"x": _STEP, "g": lambda g, x: relu_grad(x, g)},
    jvp={"x": _STEP, "g": lambda t, x: relu_grad(x, t)},
)  # fmt: skip


def relu_grad(x, g):
    """g where x > 0, else 0."""
    return bind(_relu_grad_p, (x, g))


def _elu_slope(ans, alpha):
    """1 from 0 on, also at 0 itself, as TensorFlow; below it, alpha e^x = ans + alpha."""
    return where(less(ans, 0), ans + alpha, 1)


_elu_p = primitive(
    "elu", "x", shape=same_shape, batch=batch_elementwise,
    vjp={"x": lambda g, ans, alpha: g * _elu_slope(ans, alpha)},
    jvp={"x": lambda t, ans, alpha: t * _elu_slope(ans, alpha)},
)  # fmt: skip


def elu(x, alpha=1.0):
    """x where it is positive, else alpha (e^x - 1)."""
    x = to_tensor(x)
    check_dtype("Elu", FLOATS, x)
    return bind(_elu_p, (x,), {"alpha": float(alpha)})


def relu6(x):
    """x between 0 and 6; at both ends the gradient is 0, as TensorFlow."""
    x = to_tensor(x)
    check_dtype("Relu6", REALS, x)
    return where(greater_equal(x, 6), 6, relu(x))


def leaky_relu(x, alpha):
    """x where it is positive, else alpha x; the slope at 0 is alpha, as TensorFlow."""
    x = to_tensor(x)
    return x * where(greater(x, 0), to_tensor(1, x.dtype), alpha)


def silu(x, beta=1.0):
    """x · sigmoid(beta x)."""
    x = to_tensor(x)
    return x * sigmoid(x if type(beta) is float and beta == 1 else beta * x)


def log_sigmoid(x, name=None):
    """log(sigmoid(x))."""
    return -softplus(-to_tensor(x))


# --- dtype and identity --------------------------------------------------------------------------


def _cast_shape(x: Spec, dtype) -> Spec:
    return Spec(x.shape, dtype)


cast_p = primitive(
    "cast", "x",
    shape=_cast_shape,
    vjp={"x": lambda g, x_dtype: cast(g, x_dtype)},
    jvp="linear",
    batch=batch_elementwise,
)  # fmt: skip
cast_to_discrete_p = primitive(
    "cast_to_discrete", "x",
    shape=_cast_shape,
    no_derivative="the result is of an integer or bool dtype, which has no derivative",
    batch=batch_elementwise,
)  # fmt: skip


def cast(x, dtype, name=None):
    """x with its elements converted to `dtype`; only inexact dtypes carry gradients."""
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
    primitive(
        "identity", "x", shape=same_shape, vjp={"x": lambda g: g}, jvp="linear",
        batch=batch_elementwise,
    ),
    ANY,
)  # fmt: skip
stop_gradient = unary("stop_gradient", d=NoDerivative("stop_gradient was asked for"), allowed=ANY)

# --- comparisons and logic -----------------------------------------------------------------------

_TRUTH_VALUE = NoDerivative("a comparison gives true or false, not a number")

equal = binary("equal", _TRUTH_VALUE, allowed=ANY, result=_TRUTH)
not_equal = binary("not_equal", _TRUTH_VALUE, allowed=ANY, result=_TRUTH)
less = binary("less", _TRUTH_VALUE, allowed=REALS, result=_TRUTH)
less_equal = binary("less_equal", _TRUTH_VALUE, allowed=REALS, result=_TRUTH)
greater = binary("greater", _TRUTH_VALUE, allowed=REALS, result=_TRUTH)
greater_equal = binary("greater_equal", _TRUTH_VALUE, allowed=REALS, result=_TRUTH)
is_nan = unary("is_nan", _TRUTH_VALUE, allowed=FLOATS, result=_TRUTH)
is_inf = unary("is_inf", _TRUTH_VALUE, allowed=FLOATS, result=_TRUTH)
is_finite = unary("is_finite", _TRUTH_VALUE, allowed=FLOATS, result=_TRUTH)
logical_and = binary("logical_and", _TRUTH_VALUE, allowed=BOOL)
logical_or = binary("logical_or", _TRUTH_VALUE, allowed=BOOL)
logical_not = unary("logical_not", _TRUTH_VALUE, allowed=BOOL)


def logical_xor(x, y, name=None):
    """Whether just one of x and y holds."""
    x, y = operands("LogicalXor", x, y)
    check_dtype("LogicalXor", BOOL, x)
    return not_equal(x, y)
