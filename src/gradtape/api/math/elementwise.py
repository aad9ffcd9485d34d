"""`tf.math.*` and the rest of the elementwise functions, under TensorFlow's names."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from gradtape import ops
from gradtape.api.export import export
from gradtape.api.sparse.tensor import SparseTensor
from gradtape.core.dtypes import DType, as_dtype, float32
from gradtape.core.shape import TensorShape
from gradtape.core.tensor import Tensor
from gradtape.engine.indexed_slices import IndexedSlices
from gradtape.engine.vmap import per_example

# --- functions that ops has with TensorFlow's own signature ---------------------------------------

_IN_MATH_AND_TOP = (
    "abs acos acosh add asin asinh atan atanh cos cosh equal exp floor greater greater_equal less "
    "less_equal logical_and logical_not logical_or maximum minimum multiply negative not_equal "
    "pow round sign sin sinh sqrt square subtract tan truediv"
)
_IN_MATH = (
    "bessel_i0 bessel_i0e bessel_i1 bessel_i1e ceil digamma erf erfc erfcinv erfinv expm1 "
    "floordiv floormod is_finite is_inf is_nan lbeta lgamma log log1p log_sigmoid "
    "multiply_no_nan ndtri reciprocal rsqrt squared_difference xdivy xlog1py xlogy"
)
_IN_SPECIAL = (
    "bessel_i0 bessel_i0e bessel_i1 bessel_i1e bessel_j0 bessel_j1 bessel_k0 bessel_k0e bessel_k1 "
    "bessel_k1e bessel_y0 bessel_y1 dawsn expint fresnel_cos fresnel_sin spence"
)
for _name in _IN_MATH_AND_TOP.split():
    export(f"math.{_name}", _name)(getattr(ops, _name))
for _name in _IN_MATH.split():
    export(f"math.{_name}")(getattr(ops, _name))
for _name in _IN_SPECIAL.split():
    export(f"math.special.{_name}")(getattr(ops, _name))
for _name in ("bitwise_and", "bitwise_or", "bitwise_xor", "left_shift", "right_shift"):
    export(f"bitwise.{_name}")(getattr(ops, _name))

export("math.sigmoid", "sigmoid", "nn.sigmoid")(ops.sigmoid)
export("math.tanh", "tanh", "nn.tanh")(ops.tanh)
export("math.divide", "divide")(ops.truediv)
export("realdiv")(ops.divide)
export("math.mod")(ops.floormod)
export("math.rint")(ops.round)
export("math.conj")(ops.conj)
export("truncatediv")(ops.truncatediv)
export("truncatemod")(ops.truncatemod)
export("bitwise.invert")(ops.bitwise_invert)
export("complex", "dtypes.complex")(ops.complex)

# --- functions whose arguments have other names ---------------------------------------------------


@export("math.atan2", "atan2")
def atan2(y, x, name=None) -> Tensor:
    """Return the angle of the point (x, y), in (-π, π]."""
    return ops.atan2(y, x)


@export("math.nextafter")
def nextafter(x1, x2, name=None) -> Tensor:
    """Return the next representable number from x1 toward x2."""
    return ops.nextafter(x1, x2)


@export("math.igamma")
def igamma(a, x, name=None) -> Tensor:
    """Return the lower regularized incomplete gamma function P(a, x)."""
    return ops.igamma(a, x)


@export("math.igammac")
def igammac(a, x, name=None) -> Tensor:
    """Return the upper regularized incomplete gamma function Q(a, x) = 1 - P(a, x)."""
    return ops.igammac(a, x)


@export("math.betainc")
def betainc(a, b, x, name=None) -> Tensor:
    """Return the regularized incomplete beta function; differentiable by x."""
    return ops.betainc(a, b, x)


@export("math.polygamma")
def polygamma(a, x, name=None) -> Tensor:
    """Return the derivative of order `a` of digamma; differentiable by x."""
    return ops.polygamma(a, x)


@export("math.zeta")
def zeta(x, q, name=None) -> Tensor:
    """Return the Hurwitz zeta function Σ (q + n)^-x; differentiable by q."""
    return ops.zeta(x, q)


@export("math.real")
def real(input, name=None) -> Tensor:
    """Return the real part; of a real tensor, itself."""
    return ops.real(input)


@export("math.imag")
def imag(input, name=None) -> Tensor:
    """Return the imaginary part; of a real tensor, zeros."""
    return ops.imag(input)


@export("math.angle")
def angle(input, name=None) -> Tensor:
    """Return the argument of complex numbers."""
    return ops.angle(input)


@export("bitcast")
def bitcast(input, type, name=None) -> Tensor:
    """Return the bits of a tensor, read as another dtype."""
    return ops.bitcast(input, type)


@export("math.logical_xor")
def logical_xor(x, y, name="LogicalXor") -> Tensor:
    """Return the exclusive or of x and y."""
    return ops.logical_xor(x, y)


# --- arithmetic composed of ops -------------------------------------------------------------------


@export("math.divide_no_nan")
def divide_no_nan(x, y, name=None) -> Tensor:
    """Return x / y, and 0 where y is 0. Integers become floats, as in `truediv`."""
    x, y = ops.operands("DivNoNan", x, y)
    if x.dtype.is_integer:
        dtype = float32 if x.dtype.size <= 2 else "float64"
        x, y = ops.cast(x, dtype), ops.cast(y, dtype)
    return ops.divide_no_nan(x, y)


@export("math.reciprocal_no_nan")
def reciprocal_no_nan(x, name=None) -> Tensor:
    """Return 1 / x, and 0 where x is 0."""
    return ops.divide_no_nan(1, ops.to_tensor(x))


@export("math.add_n", "add_n")
def add_n(inputs, name=None) -> Tensor:
    """Return the sum of tensors that all have one shape and dtype."""
    inputs = list(inputs) if isinstance(inputs, Iterable) else []
    if not inputs:
        raise ValueError(
            "add_n: Inputs must be an iterable of at least one Tensor with the same dtype and "
            "shape."
        )
    return ops.add_n(inputs)


@export("math.accumulate_n")
def accumulate_n(inputs, shape=None, tensor_dtype=None, name=None) -> Tensor:
    """Return the sum of tensors that all have one shape (the one given, if any) and dtype."""
    total = add_n(inputs)
    if shape is not None and not total.shape.is_compatible_with(shape):
        raise ValueError(
            f"accumulate_n: Shapes {TensorShape(shape)} and {total.shape} are not compatible"
        )
    if tensor_dtype is not None and total.dtype is not as_dtype(tensor_dtype):
        raise TypeError(
            f"accumulate_n: tensor_dtype is {as_dtype(tensor_dtype).name}, but the inputs are of "
            f"dtype {total.dtype.name}. Convert them with tf.cast."
        )
    return total


@export("math.scalar_mul", "scalar_mul")
def scalar_mul(scalar, x, name=None):
    """Return a scalar times a tensor; IndexedSlices stay sparse."""
    if isinstance(x, IndexedSlices):
        return IndexedSlices(scalar_mul(scalar, x.values), x.indices, x.dense_shape)
    x = ops.to_tensor(x)
    scalar = ops.to_tensor(scalar, None if ops.is_tensor_like(scalar) else x.dtype)
    if scalar.ndim:
        raise ValueError(
            f"Only scalar multiply works, got a scalar of shape {scalar.shape}. For tensors use "
            "tf.multiply."
        )
    return ops.multiply(scalar, x)


@export("math.polyval")
def polyval(coeffs, x, name=None) -> Tensor:
    """Evaluate a polynomial with coefficients from the highest power on, by Horner's scheme."""
    if not isinstance(coeffs, list):
        raise ValueError(f"Argument coeffs must be list type. Received type {type(coeffs)}.")
    x = ops.to_tensor(x)
    if not coeffs:
        return ops.zeros_like(x)
    value = ops.to_tensor(coeffs[0], None if ops.is_tensor_like(coeffs[0]) else x.dtype)
    for c in coeffs[1:]:
        value = c + value * x
    return value


# --- choice ---------------------------------------------------------------------------------------


_coordinates = per_example(ops.coordinates)


@export("where")
def where(condition, x: Any = None, y: Any = None, name=None) -> Tensor:
    """Return x where the condition holds, else y; without them, the coordinates where it holds."""
    if (x is None) != (y is None):
        raise ValueError("x and y must both be non-None or both be None.")
    return _coordinates(condition) if x is None else ops.where(condition, x, y)


@export("clip_by_value")
def clip_by_value(t, clip_value_min, clip_value_max, name=None):
    """Clip t to two bounds; at a bound, the gradient goes to t."""
    if isinstance(t, IndexedSlices):
        values = ops.clip(t.values, clip_value_min, clip_value_max)
        return IndexedSlices(values, t.indices, t.dense_shape)
    return ops.clip(t, clip_value_min, clip_value_max)


# --- dtypes ---------------------------------------------------------------------------------------


@export("cast", "dtypes.cast")
def cast(x, dtype, name=None):
    """Return x with its elements converted to `dtype`."""
    if isinstance(x, IndexedSlices):
        return IndexedSlices(ops.cast(x.values, dtype), x.indices, x.dense_shape)
    if isinstance(x, SparseTensor):
        return x.with_values(ops.cast(x.values, dtype))
    return ops.cast(x, dtype)


def _bounds(source: DType, target: DType):
    """Return the least and greatest values of `source` that `target` can hold, as NumPy scalars."""
    kind = source.as_numpy_dtype
    if source.is_integer and target.is_integer:
        return kind(max(source.min, target.min)), kind(min(source.max, target.max))
    if source.is_integer:
        return kind(source.min), kind(source.max)
    low = kind(max(float(source.min), float(target.min)))
    high = kind(min(float(source.max), float(target.max)))
    if target.is_integer:
        # A bound of the integers may have been rounded outwards to a number they cannot hold.
        if int(low) < target.min:
            low = np.nextafter(low, kind(0))
        if int(high) > target.max:
            high = np.nextafter(high, kind(0))
    return low, high


@export("saturate_cast", "dtypes.saturate_cast")
def saturate_cast(value, dtype, name=None) -> Tensor:
    """Cast to `dtype`; values outside its range become the nearest bound."""
    value, dtype = ops.to_tensor(value), as_dtype(dtype)
    if dtype.is_complex:
        if not value.dtype.is_complex:
            return ops.cast(saturate_cast(value, dtype.real_dtype), dtype)
        real = saturate_cast(ops.real(value), dtype.real_dtype)
        return ops.complex(real, saturate_cast(ops.imag(value), dtype.real_dtype))
    value = ops.real(value) if value.dtype.is_complex else value
    if not (dtype.is_numeric and (value.dtype.is_numeric or value.dtype.is_bool)):
        raise TypeError(f"saturate_cast: no range is known of {value.dtype.name} to {dtype.name}.")
    if value.dtype.is_numeric and (value.dtype is not dtype or dtype.is_floating):
        value = ops.clip(value, *map(ops.to_tensor, _bounds(value.dtype, dtype)))
    return ops.cast(value, dtype)


# --- activations ----------------------------------------------------------------------------------


def _float32(value: float) -> float:
    """Return a constant as TensorFlow has it: through float32, whatever the dtype of the tensor."""
    return float(np.float32(value))


# The constants of self-normalizing networks: mean 0 and variance 1 are their fixed point.
_SELU_ALPHA = 1.6732632423543772
_SELU_SCALE = 1.0507009873554805


@export("nn.relu")
def relu(features, name=None) -> Tensor:
    """Return max(features, 0); the gradient at 0 is 0."""
    return ops.relu(features)


@export("nn.relu6")
def relu6(features, name=None) -> Tensor:
    """Return min(max(features, 0), 6); the gradient at both ends is 0."""
    return ops.relu6(features)


@export("nn.elu")
def elu(features, name=None) -> Tensor:
    """Return features where positive, else exp(features) - 1."""
    return ops.elu(features)


@export("nn.selu")
def selu(features, name=None) -> Tensor:
    """Return the scaled exponential linear unit."""
    return _SELU_SCALE * ops.elu(features, _SELU_ALPHA)


@export("nn.leaky_relu")
def leaky_relu(features, alpha=0.2, name=None) -> Tensor:
    """Return features where positive, else alpha times features."""
    features = ops.to_tensor(features)
    if features.dtype.is_integer:
        features = ops.cast(features, float32)
    if isinstance(alpha, (int, float)):
        alpha = _float32(alpha)
    return ops.leaky_relu(features, alpha)


@export("nn.crelu")
def crelu(features, axis=-1, name=None) -> Tensor:
    """Return relu(features) and relu(-features), end to end along an axis."""
    features = ops.to_tensor(features)
    return ops.concat([ops.relu(features), ops.relu(-features)], axis)


@export("nn.gelu")
def gelu(features, approximate=False, name=None) -> Tensor:
    """Return features times the normal distribution function of them, or its approximation by
    tanh."""
    features = ops.to_tensor(features)
    if not features.dtype.is_floating:
        raise ValueError(
            "`features.dtype` must be a floating point tensor. Received: "
            f"features.dtype={features.dtype}"
        )
    return ops.gelu(features, approximate)


@export("nn.silu", "nn.swish")
def silu(features, beta=1.0) -> Tensor:
    """Return features · sigmoid(beta · features)."""
    return ops.silu(features, beta)


@export("math.softplus", "nn.softplus")
def softplus(features, name=None) -> Tensor:
    """Return log(1 + exp(features))."""
    return ops.softplus(features)


@export("math.softsign", "nn.softsign")
def softsign(features, name=None) -> Tensor:
    """Return features / (1 + |features|)."""
    return ops.softsign(features)
