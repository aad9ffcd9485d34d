# Written by `python -m tools.stubs`: change the source, and run it again.

from gradtape.api.math.quantization import FakeQuantGradient
from gradtape.core.tensor import Tensor
from gradtape.core.typing import AxisLike
from gradtape.core.typing import IntLike
from gradtape.core.typing import TensorLike

def fake_quant_with_min_max_args(
    inputs: TensorLike,
    min: TensorLike = -6,
    max: TensorLike = 6,
    num_bits: IntLike = 8,
    narrow_range: bool = False,
    name: str | None = None,
) -> Tensor:
    """Return x rounded to 2**num_bits levels between two numbers; the gradient passes inside
    them.

    Args:
        inputs: a tensor, or a list of tensors, or what converts to them.
        min: the lower bound.
        max: the upper bound.
        num_bits: the number of bits.
        narrow_range: whether the smallest integer is not used.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if `inputs` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def fake_quant_with_min_max_args_gradient(
    gradients: TensorLike,
    inputs: TensorLike,
    min: TensorLike = -6,
    max: TensorLike = 6,
    num_bits: IntLike = 8,
    narrow_range: bool = False,
    name: str | None = None,
) -> Tensor:
    """Return the gradient of `fake_quant_with_min_max_args`.

    Args:
        gradients: the cotangent of the result.
        inputs: a tensor, or a list of tensors, or what converts to them.
        min: the lower bound.
        max: the upper bound.
        num_bits: the number of bits.
        narrow_range: whether the smallest integer is not used.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `gradients` has a dtype that it does not take.
    """

def fake_quant_with_min_max_vars(
    inputs: TensorLike,
    min: TensorLike,
    max: TensorLike,
    num_bits: IntLike = 8,
    narrow_range: bool = False,
    name: str | None = None,
) -> Tensor:
    """Quantize as `fake_quant_with_min_max_args`; the ends have gradients: of what lies beyond
    each.

    Args:
        inputs: a tensor, or a list of tensors, or what converts to them.
        min: the lower bound.
        max: the upper bound.
        num_bits: the number of bits.
        narrow_range: whether the smallest integer is not used.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A tensor.

    Raises:
        ValueError if `inputs`, `min` or `max` has a dtype that it does not take.
        tf.errors.InvalidArgumentError if the dtypes of `inputs`, `min` and `max` differ.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def fake_quant_with_min_max_vars_gradient(
    gradients: TensorLike,
    inputs: TensorLike,
    min: TensorLike,
    max: TensorLike,
    num_bits: IntLike = 8,
    narrow_range: bool = False,
    name: str | None = None,
) -> FakeQuantGradient:
    """Return the gradients of `fake_quant_with_min_max_vars`.

    Args:
        gradients: the cotangent of the result.
        inputs: a tensor, or a list of tensors, or what converts to them.
        min: the lower bound.
        max: the upper bound.
        num_bits: the number of bits.
        narrow_range: whether the smallest integer is not used.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        TypeError if `inputs` has a dtype that it does not take.
        ValueError if `min` or `max` has a dtype that it does not take.
        tf.errors.InvalidArgumentError if `gradients` has a dtype that it does not take, or the
            shapes of `gradients` and `inputs` do not fit together.
    """

def fake_quant_with_min_max_vars_per_channel(
    inputs: TensorLike,
    min: TensorLike,
    max: TensorLike,
    num_bits: IntLike = 8,
    narrow_range: bool = False,
    name: str | None = None,
) -> Tensor:
    """Quantize as `fake_quant_with_min_max_vars`, with a range for each element of the last
    axis.

    Args:
        inputs: a tensor, or a list of tensors, or what converts to them.
        min: the lower bound.
        max: the upper bound.
        num_bits: the number of bits.
        narrow_range: whether the smallest integer is not used.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A tensor.

    Raises:
        ValueError if `inputs`, `min` or `max` has a dtype that it does not take, or the shapes of
            `inputs`, `min` and `max` do not fit together.
        tf.errors.InvalidArgumentError if the dtypes of `inputs`, `min` and `max` differ, or the
            shape of `min` or `max` does not fit.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def fake_quant_with_min_max_vars_per_channel_gradient(
    gradients: TensorLike,
    inputs: TensorLike,
    min: TensorLike,
    max: TensorLike,
    num_bits: IntLike = 8,
    narrow_range: bool = False,
    name: str | None = None,
) -> FakeQuantGradient:
    """Return the gradients of `fake_quant_with_min_max_vars_per_channel`.

    Args:
        gradients: the cotangent of the result.
        inputs: a tensor, or a list of tensors, or what converts to them.
        min: the lower bound.
        max: the upper bound.
        num_bits: the number of bits.
        narrow_range: whether the smallest integer is not used.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        TypeError if `inputs` has a dtype that it does not take.
        ValueError if `min` or `max` has a dtype that it does not take, or the shapes of
            `gradients`, `min`, `max` and `inputs` do not fit together.
        tf.errors.InvalidArgumentError if `gradients` has a dtype that it does not take, the shape
            of `min` or `max` does not fit, or the shapes of `gradients` and `inputs` do not fit
            together.
    """

def quantize_and_dequantize(
    input: TensorLike,
    input_min: TensorLike,
    input_max: TensorLike,
    signed_input: bool = True,
    num_bits: IntLike = 8,
    range_given: bool = False,
    round_mode: str = 'HALF_TO_EVEN',
    name: str | None = None,
    narrow_range: bool = False,
    axis: AxisLike = None,
) -> Tensor:
    """Return x rounded to the levels of a fixed-point type, and back; the gradient passes
    through.

    Args:
        input: a tensor, or what converts to one.
        input_min: the lower bound of the data.
        input_max: the upper bound of the data.
        signed_input: whether the integers have a sign.
        num_bits: the number of bits.
        range_given: whether input_min and input_max are to be used.
        round_mode: "HALF_TO_EVEN" or "HALF_UP".
        name: a label, as in TensorFlow; it does not change the result.
        narrow_range: whether the smallest integer is not used.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.

    Raises:
        tf.errors.InvalidArgumentError if `input` has a dtype that it does not take, the shape of
            `input` does not fit, `axis` is out of range, or `round_mode` is not a known one.

    Derivative: in reverse mode, and in forward mode by transposing that, of any order; under
        `tf.vectorized_map` and in Jacobians batched one example after another.
    """

def quantize_and_dequantize_v2(
    input: TensorLike,
    input_min: TensorLike,
    input_max: TensorLike,
    signed_input: bool = True,
    num_bits: IntLike = 8,
    range_given: bool = False,
    round_mode: str = 'HALF_TO_EVEN',
    name: str | None = None,
    narrow_range: bool = False,
    axis: AxisLike = None,
) -> Tensor:
    """Quantize as `quantize_and_dequantize`; the gradient passes inside [`input_min`,
    `input_max`].

    Args:
        input: a tensor, or what converts to one.
        input_min: the lower bound of the data.
        input_max: the upper bound of the data.
        signed_input: whether the integers have a sign.
        num_bits: the number of bits.
        range_given: whether input_min and input_max are to be used.
        round_mode: "HALF_TO_EVEN" or "HALF_UP".
        name: a label, as in TensorFlow; it does not change the result.
        narrow_range: whether the smallest integer is not used.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.

    Returns:
        A tensor.

    Raises:
        TypeError if `input` has a dtype that it does not take.
        tf.errors.InvalidArgumentError if `axis` is out of range, or `round_mode` is not a known
            one.

    Derivative: in reverse mode, and in forward mode by transposing that, of any order; under
        `tf.vectorized_map` and in Jacobians batched one example after another.
    """
