"""Complex numbers and their parts.

The gradient of a complex function is the conjugate of its derivative, as in TensorFlow: then
x - rate * gradient goes downhill for the real functions of complex numbers that losses are.
"""

from __future__ import annotations

import numpy as np

from gradtape import ops
from gradtape.core.bind import bind
from gradtape.core.convert import ON_VALUES, is_tensor_like, to_tensor
from gradtape.core.errors import DTypeError
from gradtape.core.primitive import primitive
from gradtape.core.tensor import Spec, Tensor
from gradtape.ops.elementwise import abs_p
from gradtape.ops.families import (
    COMPLEX,
    REAL_SCALARS,
    REALS,
    batch_elementwise,
    broadcast_shapes,
    same_shape,
    unary_op,
)

__all__ = ["abs", "angle", "complex", "conj", "imag", "real"]


def _part_shape(x: Spec) -> Spec:
    return Spec(x.shape, np.dtype(f"f{x.dtype.itemsize // 2}"))


def _complex_shape(re: Spec, im: Spec) -> Spec:
    shape = broadcast_shapes("Complex", re.shape, im.shape)
    return Spec(shape, np.dtype(f"c{re.dtype.itemsize * 2}"))


complex_p = primitive(
    "complex", "re im", shape=_complex_shape, batch=batch_elementwise, broadcasts=True,
    vjp={"re": lambda g: real(g), "im": lambda g: imag(g)},
    jvp={
        "re": lambda t: complex(t, ops.zeros_like(t)),
        "im": lambda t: complex(ops.zeros_like(t), t),
    },
)  # fmt: skip
_PARTS = (np.dtype(np.float32), np.dtype(np.float64))


def complex(real, imag, name=None):
    """The complex number with these parts."""
    if is_tensor_like(imag) and not is_tensor_like(real):
        imag = to_tensor(imag)
        real = to_tensor(real, imag.dtype)
    else:
        real = to_tensor(real)
        imag = to_tensor(imag, None if is_tensor_like(imag) else real.dtype)
    if real.dtype is not imag.dtype or real._data.dtype not in _PARTS:
        raise DTypeError(
            f"The `real` and `imag` components have incorrect types: {real.dtype.name} "
            f"{imag.dtype.name}. They must be consistent, and one of [tf.float32, tf.float64]; "
            "convert them with tf.cast. [Op:Complex]"
        )
    return bind(complex_p, (real, imag))


_real = unary_op(
    primitive(
        "real", "x", shape=_part_shape, batch=batch_elementwise, jvp="linear",
        vjp={"x": lambda g, x_dtype: ops.cast(g, x_dtype)},
    ),
    COMPLEX,
)  # fmt: skip
_imag = unary_op(
    primitive(
        "imag", "x", shape=_part_shape, batch=batch_elementwise, jvp="linear",
        vjp={"x": lambda g: complex(ops.zeros_like(g), g)},
    ),
    COMPLEX,
)  # fmt: skip
_conj = unary_op(
    primitive(
        "conj", "x", shape=same_shape, batch=batch_elementwise, jvp="linear",
        vjp={"x": lambda g: conj(g)},
    ),
    COMPLEX,
)  # fmt: skip


def _numeric(name: str, x):
    x = to_tensor(x)
    if not x.dtype.is_numeric:
        raise TypeError(f"{name}: a numeric tensor is wanted, got one of dtype {x.dtype.name}.")
    return x


def real(x, name=None):
    """The real part; of a real tensor, itself."""
    x = _numeric("real", x)
    return _real(x) if x._data.dtype.kind == "c" else x


def imag(x, name=None):
    """The imaginary part; of a real tensor, zeros."""
    x = _numeric("imag", x)
    return _imag(x) if x._data.dtype.kind == "c" else ops.zeros_like(x)


def conj(x, name=None):
    """The complex conjugate; a real tensor is its own."""
    if type(x) is not Tensor:
        x = to_tensor(x)
    if type(x._data) in REAL_SCALARS:  # nearly every rule asks, and mostly of these
        return x
    return _conj(x) if x._data.dtype.kind == "c" else _numeric("conj", x)


def angle(x, name=None):
    """The argument of complex numbers; of real ones, 0, and π where they are negative."""
    x = _numeric("angle", x)
    if x._data.dtype.kind == "c":
        return ops.atan2(_imag(x), _real(x))
    return ops.where(ops.less(x, 0), ops.to_tensor(np.pi, x.dtype), 0)


# The direction x / |x| is taken as 0 at 0, as TensorFlow does.
_complex_abs_p = primitive(
    "complex_abs", "x", shape=_part_shape, batch=batch_elementwise,
    vjp={"x": lambda g, x, ans, x_dtype: ops.cast(ops.divide_no_nan(g, ans), x_dtype) * x},
    jvp={"x": lambda t, x, ans: ops.divide_no_nan(real(conj(x) * t), ans)},
)  # fmt: skip
_abs_of_real = unary_op(abs_p, REALS)


def abs(x, name=None):
    """The absolute value."""
    if type(x) is not Tensor:
        if type(x) in ON_VALUES:
            return ON_VALUES[type(x)](x, "abs", abs)
        x = to_tensor(x)
    return bind(_complex_abs_p, (x,)) if x._data.dtype.kind == "c" else _abs_of_real(x)
