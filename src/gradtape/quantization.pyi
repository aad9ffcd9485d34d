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
    """Return the gradient of `fake_quant_with_min_max_args`."""

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
    """Return the gradients of `fake_quant_with_min_max_vars`."""

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
    """Return the gradients of `fake_quant_with_min_max_vars_per_channel`."""

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
    """
