"""Elementwise arithmetic, comparisons, exponentials and the like.

Python's operators are preferred to equivalent ufuncs: on NumPy scalars, which rank-0 tensors hold,
they are up to ten times cheaper. Constants are Python integers, which take the array's dtype; a
Python float would widen bfloat16.
"""

from __future__ import annotations

import operator

import numpy as np

from gradtape.backends.errors import BadValues
from gradtape.backends.precision import in_float32


def join_text(x, y):
    """Concatenate strings, as an array: the sum of two rank-0 arrays of objects is an object."""
    return np.asarray(x + y, object)


# --- powers --------------------------------------------------------------------------------------


def _root_argument(x):
    """Replace -0 by 0 and -inf by inf: their powers are positive, where their roots are not."""
    return x if x.dtype.kind == "c" else np.where(x == -np.inf, -x, x)[()] + 0


# NumPy's power takes forty times the time of these, for large arrays.
_SHORT_POWERS = {
    2: lambda x: x * x,
    3: lambda x: x * x * x,
    4: lambda x: np.square(x * x),
    -1: lambda x: 1 / x,
    -2: lambda x: 1 / (x * x),
    0.5: lambda x: np.sqrt(_root_argument(x)),
    -0.5: lambda x: 1 / np.sqrt(_root_argument(x)),
}


def power(x, y):
    if np.ndim(y) == 0 and (y == 0.5 or y == -0.5):  # for which NumPy, too, takes roots
        return _SHORT_POWERS[float(y.real)](x)
    try:
        return x**y
    except ValueError as error:
        if "negative integer" in str(error):
            raise BadValues(
                "Pow: Integers to negative integer powers are not allowed: convert them with "
                "tf.cast. [Op:Pow]"
            ) from None
        raise


def power_by(x, exponent):
    short = None if x.dtype.kind in "iu" and exponent < 0 else _SHORT_POWERS.get(exponent)
    y = power(x, exponent) if short is None else short(x)
    return y if y.dtype == x.dtype else y.astype(x.dtype)


def square(x):
    return x * x


def reciprocal(x):
    return 1 / x


@in_float32
def rsqrt(x):
    return 1 / np.sqrt(x)


def divide_no_nan(x, y):
    """Return x / y, and 0 where y is 0."""
    if y.all():
        return x / y
    return np.where(y == 0, y.dtype.type(0), x / y)[()]


def multiply_no_nan(x, y):
    """Return x * y, and 0 where y is 0, whatever x is."""
    product = x * y
    is_nan = product != product
    if is_nan.any():
        return np.where(is_nan & (y == 0), y.dtype.type(0), product)[()]
    return product


# --- choice --------------------------------------------------------------------------------------


def maximum(x, y):
    if isinstance(x, np.ndarray) or isinstance(y, np.ndarray):
        return np.maximum(x, y)
    return x if x >= y or x != x else y


def minimum(x, y):
    if isinstance(x, np.ndarray) or isinstance(y, np.ndarray):
        return np.minimum(x, y)
    return x if x <= y or x != x else y


_BITS = {4: np.int32, 8: np.int64}


def _as_bits(x, condition):
    """View an operand of a selection as integers, if it is a contiguous array or the scalar +0."""
    if isinstance(x, np.ndarray):
        whole = x.shape == condition.shape and x.flags.c_contiguous
        return x.view(_BITS[x.dtype.itemsize]) if whole else None
    return 0 if x == 0 and not np.signbit(x) else None


def select(condition, x, y):
    if not isinstance(condition, np.ndarray):
        if not (isinstance(x, np.ndarray) or isinstance(y, np.ndarray)):
            return x if condition else y
    elif x.dtype.kind == "f" and x.dtype.itemsize in _BITS and condition.flags.c_contiguous:
        # NumPy's `where` goes element by element; masking bits is five times as fast.
        xs, ys = _as_bits(x, condition), _as_bits(y, condition)
        if xs is not None and ys is not None:
            mask = condition.astype(_BITS[x.dtype.itemsize])
            np.negative(mask, out=mask)  # all bits set where the condition holds
            mask &= xs ^ ys
            mask ^= ys
            return mask.view(x.dtype)
    chosen = np.where(condition, x, y)
    return chosen if chosen.dtype.hasobject else chosen[()]


# --- dtypes --------------------------------------------------------------------------------------


def _astype(x, dtype):
    try:
        return x.astype(dtype)
    except TypeError:  # not all pairs of 4-bit and 8-bit dtypes can be cast directly
        return x.astype(np.float32).astype(dtype)


def cast(x, dtype):
    if x.dtype.kind == "c" and dtype.kind != "c":
        x = x.real
    if isinstance(x, np.ndarray) or dtype.kind not in "fc":
        return _astype(x, dtype)
    return dtype.type(x)


def cast_to_discrete(x, dtype):
    if x.dtype.kind == "c":
        x = x.real
    return x != 0 if dtype.kind == "b" else _astype(x, dtype)


KERNELS = {
    "add": operator.add,
    "join_text": join_text,
    "subtract": operator.sub,
    "multiply": operator.mul,
    "divide": operator.truediv,
    "divide_no_nan": divide_no_nan,
    "multiply_no_nan": multiply_no_nan,
    "negative": operator.neg,
    "reciprocal": reciprocal,
    "power": power,
    "power_by": power_by,
    "square": square,
    "sqrt": np.sqrt,
    "cbrt": np.cbrt,
    "rsqrt": rsqrt,
    "exp": np.exp,
    "expm1": np.expm1,
    "log": np.log,
    "log1p": np.log1p,
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "asin": np.arcsin,
    "acos": np.arccos,
    "atan": np.arctan,
    "sinh": np.sinh,
    "cosh": np.cosh,
    "tanh": np.tanh,
    "asinh": np.arcsinh,
    "acosh": np.arccosh,
    "atanh": np.arctanh,
    "atan2": np.arctan2,
    "abs": abs,
    "maximum": maximum,
    "minimum": minimum,
    "select": select,
    "cast": cast,
    "cast_to_discrete": cast_to_discrete,
    "identity": lambda x: x,
    "stop_gradient": lambda x: x,
    "equal": operator.eq,
    "not_equal": operator.ne,
    "less": operator.lt,
    "less_equal": operator.le,
    "greater": operator.gt,
    "greater_equal": operator.ge,
    "is_nan": np.isnan,
    "is_inf": np.isinf,
    "is_finite": np.isfinite,
    "logical_and": operator.and_,
    "logical_or": operator.or_,
    "logical_not": operator.invert,
}
# NumPy's functions that compute the same and can write into an array.
UFUNCS = {
    "add": np.add,
    "subtract": np.subtract,
    "multiply": np.multiply,
    "divide": np.divide,
    "negative": np.negative,
    "abs": np.absolute,
    "maximum": np.maximum,
    "minimum": np.minimum,
    "square": np.square,
    "equal": np.equal,
    "not_equal": np.not_equal,
    "less": np.less,
    "less_equal": np.less_equal,
    "greater": np.greater,
    "greater_equal": np.greater_equal,
    "logical_and": np.logical_and,
    "logical_or": np.logical_or,
    "logical_not": np.logical_not,
}
UFUNCS |= {name: kernel for name, kernel in KERNELS.items() if isinstance(kernel, np.ufunc)}
