"""`tf.quantization`: rounding to few levels with a gradient that passes through."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gradtape import ops
from gradtape.api.export import export
from gradtape.core.convert import static_int, static_value
from gradtape.core.dtypes import float32
from gradtape.core.errors import InvalidArgumentError
from gradtape.core.tensor import Tensor
from gradtape.engine.custom_gradient import custom_gradient
from gradtape.ops.families import FLOATS, check_dtype


class FakeQuantGradient(NamedTuple):
    """The gradients by the input and by both ends of the range."""

    backprops_wrt_input: Tensor
    backprop_wrt_min: Tensor
    backprop_wrt_max: Tensor


def _levels(num_bits, narrow_range, op: str) -> tuple[float, float]:
    if not 2 <= num_bits <= 16:
        raise InvalidArgumentError(f"{op}: num_bits must be between 2 and 16, inclusive")
    return float(bool(narrow_range)), float(2**num_bits - 1)


def _nudge_range(low: np.ndarray, high: np.ndarray, levels: tuple) -> tuple:
    """Return (ends, step) of the range, moved a little so that zero is one of the levels."""
    lowest, highest = (np.float32(level) for level in levels)
    step = (high - low) / (highest - lowest)
    with np.errstate(all="ignore"):
        zero = lowest - low / step
        zero = np.clip(np.floor(zero + np.float32(0.5)), lowest, highest)
    return (lowest - zero) * step, (highest - zero) * step, step


def _numbers(value, op: str, what: str, rank: int) -> np.ndarray:
    array = np.asarray(ops.to_tensor(value).numpy(), np.float32)
    if array.ndim != rank:
        raise ops.ShapeError(f"{op}: `{what}` must be rank {rank} but is rank {array.ndim}")
    return array


def _quantize(x, low: np.ndarray, high: np.ndarray, levels: tuple):
    bottom, top, step = _nudge_range(low, high, levels)
    with np.errstate(all="ignore"):
        inverse = np.float32(1) / step
        zero = np.floor(-bottom * inverse + np.float32(0.5))
    shifted = ops.minimum(ops.maximum(x, bottom), top) - bottom
    values = ops.floor(shifted * inverse - zero + np.float32(0.5)) * step
    # A range without extent has one level, zero.
    return ops.where(Tensor((low == 0) & (high == 0)), ops.zeros_like(x), values)


def _beyond(x, low: np.ndarray, high: np.ndarray, levels: tuple) -> tuple:
    """Return where x lies below, and where above the range; nowhere if it has no extent."""
    bottom, top, _ = _nudge_range(low, high, levels)
    extended = Tensor((low != 0) | (high != 0))
    return ops.logical_and(x < bottom, extended), ops.logical_and(x > top, extended)


def _gradient(g, x, low: np.ndarray, high: np.ndarray, levels: tuple, axes) -> FakeQuantGradient:
    below, above = _beyond(x, low, high, levels)
    zeros = ops.zeros_like(g)
    return FakeQuantGradient(
        ops.where(ops.logical_or(below, above), zeros, g),
        ops.reduce_sum(ops.where(below, g, zeros), axes),
        ops.reduce_sum(ops.where(above, g, zeros), axes),
    )


def _fake_quant(inputs, low, high, num_bits, narrow_range, op: str, rank: int):
    levels = _levels(num_bits, narrow_range, op)
    inputs = ops.to_tensor(inputs, float32)
    low, high = (
        v if ops.is_tensor_like(v) else ops.to_tensor(v, inputs.dtype) for v in (low, high)
    )
    lows, highs = _numbers(low, op, "min", rank), _numbers(high, op, "max", rank)
    # The gradient goes to x inside of the range, and to the ends from what lies beyond them. (As
    # ops rather than a custom gradient: tapes around a vmap see what happens inside.)
    below, above = _beyond(inputs, lows, highs, levels)
    passed = ops.where(below, ops.to_tensor(low), ops.where(above, ops.to_tensor(high), inputs))
    result = _quantize(ops.stop_gradient(inputs), lows, highs, levels)
    return ops.where(ops.is_finite(passed), passed - ops.stop_gradient(passed), 0.0) + result


@export("quantization.fake_quant_with_min_max_args")
def fake_quant_with_min_max_args(
    inputs, min=-6, max=6, num_bits=8, narrow_range=False, name=None
) -> Tensor:
    """Return x rounded to 2**num_bits levels between two numbers; the gradient passes inside
    them."""
    _check_range(min, max, "fake_quant_with_min_max_args")
    return _fake_quant(
        inputs, float(min), float(max), num_bits, narrow_range, "fake_quant_with_min_max_args", 0
    )


def _check_range(low, high, op: str) -> None:
    if not low < high:
        raise InvalidArgumentError(f"{op}: min has to be smaller than max, was: {low} >= {high}")


@export("quantization.fake_quant_with_min_max_vars")
def fake_quant_with_min_max_vars(
    inputs, min, max, num_bits=8, narrow_range=False, name=None
) -> Tensor:
    """Quantize as `fake_quant_with_min_max_args`; the ends have gradients: of what lies beyond
    each."""
    return _fake_quant(inputs, min, max, num_bits, narrow_range, "fake_quant_with_min_max_vars", 0)


@export("quantization.fake_quant_with_min_max_vars_per_channel")
def fake_quant_with_min_max_vars_per_channel(
    inputs, min, max, num_bits=8, narrow_range=False, name=None
) -> Tensor:
    """Quantize as `fake_quant_with_min_max_vars`, with a range for each element of the last
    axis."""
    return _fake_quant(
        inputs, min, max, num_bits, narrow_range, "fake_quant_with_min_max_vars_per_channel", 1
    )


def _gradients(gradients, inputs, low, high, num_bits, narrow_range, op: str, rank: int):
    levels = _levels(num_bits, narrow_range, op)
    x = ops.to_tensor(inputs)
    lows, highs = _numbers(low, op, "min", rank), _numbers(high, op, "max", rank)
    axes = list(range(x.ndim - rank))
    return _gradient(ops.to_tensor(gradients), x, lows, highs, levels, axes)


@export("quantization.fake_quant_with_min_max_args_gradient")
def fake_quant_with_min_max_args_gradient(
    gradients, inputs, min=-6, max=6, num_bits=8, narrow_range=False, name=None
) -> Tensor:
    """Return the gradient of `fake_quant_with_min_max_args`."""
    op = "fake_quant_with_min_max_args_gradient"
    _check_range(min, max, op)
    return _gradients(gradients, inputs, float(min), float(max), num_bits, narrow_range, op, 0)[0]


@export("quantization.fake_quant_with_min_max_vars_gradient")
def fake_quant_with_min_max_vars_gradient(
    gradients, inputs, min, max, num_bits=8, narrow_range=False, name=None
) -> FakeQuantGradient:
    """Return the gradients of `fake_quant_with_min_max_vars`."""
    op = "fake_quant_with_min_max_vars_gradient"
    return _gradients(gradients, inputs, min, max, num_bits, narrow_range, op, 0)


@export("quantization.fake_quant_with_min_max_vars_per_channel_gradient")
def fake_quant_with_min_max_vars_per_channel_gradient(
    gradients, inputs, min, max, num_bits=8, narrow_range=False, name=None
) -> FakeQuantGradient:
    """Return the gradients of `fake_quant_with_min_max_vars_per_channel`."""
    op = "fake_quant_with_min_max_vars_per_channel_gradient"
    return _gradients(gradients, inputs, min, max, num_bits, narrow_range, op, 1)


# --- quantize and dequantize ---------------------------------------------------------------------


def _scale(low, high, lowest: float, highest: float) -> tuple:
    """Return (low, high, scale, its inverse): zero stays zero, the farther end becomes a level."""
    by_low = lowest / low if lowest * low > 0 else np.inf
    by_high = highest / high if highest * high > 0 else np.inf
    if by_low < by_high:
        inverse = low / lowest
        return low, highest * inverse, by_low, inverse
    if by_high == np.inf:
        return low, high, 1.0, 1.0
    inverse = high / highest
    return lowest * inverse, high, by_high, inverse


def _bits(num_bits, signed) -> int:
    """Return the argument `num_bits`, which must leave the levels within 64 bits."""
    op = "quantize_and_dequantize"
    bits = static_int(num_bits, f"{op}: num_bits")
    if not 0 < bits < (62 if signed else 63):
        raise InvalidArgumentError(
            f"{op}: num_bits is out of range: {bits} with signed_input {bool(signed)}"
        )
    return bits


def _round_trip(x: np.ndarray, low, high, signed, bits, range_given, mode, narrow) -> np.ndarray:
    highest = float(2 ** (bits - 1) - 1) if signed else float(2**bits - 1)
    lowest = (-highest if narrow else -highest - 1) if signed else float(bool(narrow))
    if not range_given:
        low, high = float(x.min(initial=0.0)), float(x.max(initial=0.0))
    low, high, scale, inverse = _scale(float(low), float(high), lowest, highest)
    scale, inverse = x.dtype.type(scale), x.dtype.type(inverse)
    if range_given:
        x = np.clip(x, x.dtype.type(low), x.dtype.type(high))
    rounded = np.floor(x * scale + x.dtype.type(0.5)) if mode == "HALF_UP" else np.rint(x * scale)
    return np.minimum(rounded, x.dtype.type(highest)) * inverse


def _quantize_and_dequantize(tensor, low, high, options: tuple, axis) -> Tensor:
    if options[3] not in ("HALF_TO_EVEN", "HALF_UP"):
        raise InvalidArgumentError(
            "quantize_and_dequantize: Round mode string must be 'HALF_TO_EVEN' or 'HALF_UP', is "
            f"'{options[3]}'"
        )
    check_dtype("QuantizeAndDequantizeV4", FLOATS, tensor)
    array = np.asarray(tensor.numpy())
    if axis is None:
        return Tensor(_round_trip(array, low, high, *options)[()])
    axis = ops.normalize_axis("QuantizeAndDequantizeV4", axis, array.ndim)
    moved = np.moveaxis(array, axis, 0)
    lows, highs = (np.broadcast_to(v, moved.shape[:1]) for v in (low, high))
    slices = [
        _round_trip(part, lo, hi, *options) for part, lo, hi in zip(moved, lows, highs, strict=True)
    ]
    return Tensor(np.ascontiguousarray(np.moveaxis(np.stack(slices), 0, axis)))


@export("quantization.quantize_and_dequantize")
def quantize_and_dequantize(
    input,
    input_min,
    input_max,
    signed_input=True,
    num_bits=8,
    range_given=False,
    round_mode="HALF_TO_EVEN",
    name=None,
    narrow_range=False,
    axis=None,
) -> Tensor:
    """Return x rounded to the levels of a fixed-point type, and back; the gradient passes
    through."""
    low, high = (np.asarray(static_value(v), np.float64) for v in (input_min, input_max))
    bits = _bits(num_bits, signed_input)
    options = (signed_input, bits, range_given, round_mode, narrow_range)

    @custom_gradient
    def through(x):
        return _quantize_and_dequantize(x, low, high, options, axis), lambda g: g

    return through(ops.to_tensor(input))


@export("quantization.quantize_and_dequantize_v2")
def quantize_and_dequantize_v2(
    input,
    input_min,
    input_max,
    signed_input=True,
    num_bits=8,
    range_given=False,
    round_mode="HALF_TO_EVEN",
    name=None,
    narrow_range=False,
    axis=None,
) -> Tensor:
    """Quantize as `quantize_and_dequantize`; the gradient passes inside [`input_min`,
    `input_max`]."""
    tensor = ops.to_tensor(input)
    low, high = (np.asarray(static_value(v), np.float64) for v in (input_min, input_max))
    bits = _bits(num_bits, signed_input)
    options = (signed_input, bits, range_given, round_mode, narrow_range)
    shape = [1] * tensor.ndim
    if axis is not None:
        axis = ops.normalize_axis("quantize_and_dequantize_v2", axis, tensor.ndim)
        shape[axis] = -1
    array = np.asarray(tensor.numpy())
    ends = [v.reshape(shape) if v.ndim else v for v in (low, high)]
    inside = Tensor(np.asarray((array >= ends[0]) & (array <= ends[1])))

    @custom_gradient
    def through(x):
        result = _quantize_and_dequantize(x, low, high, options, axis)
        return result, lambda g: ops.where(inside, g, ops.zeros_like(g))

    return through(tensor)
