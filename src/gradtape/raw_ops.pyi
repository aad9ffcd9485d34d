# Written by `python -m tools.stubs`: change the source, and run it again.

from gradtape.api.raw_ops import BroadcastGradientArgs as _BroadcastGradientArgs
from gradtape.api.raw_ops import FusedBatchNormV2 as _FusedBatchNormV2
from gradtape.api.raw_ops import UniqueWithCountsV2 as _UniqueWithCountsV2
from gradtape.core.tensor import Tensor
from gradtape.core.typing import AxisLike
from gradtape.core.typing import DTypeLike
from gradtape.core.typing import TensorLike
from typing import Any

def BroadcastGradientArgs(
    *,
    s0: TensorLike,
    s1: TensorLike,
    name: str | None = None,
) -> _BroadcastGradientArgs:
    """Return over which axes the gradients of tensors of two shapes are to be summed."""

def FusedBatchNormV2(
    *,
    x: TensorLike,
    scale: Any,
    offset: Any,
    mean: TensorLike,
    variance: TensorLike,
    epsilon: TensorLike = 0.0001,
    data_format: str = 'NHWC',
    is_training: bool = True,
    name: str | None = None,
) -> _FusedBatchNormV2:
    """Normalize each channel, in training by the statistics of the batch, whose variance is
    returned without bias.
    """

def IgammaGradA(*, a: TensorLike, x: TensorLike, name: str | None = None) -> Tensor:
    """Return the derivative of igamma(a, x) with respect to a."""

def MatrixDiagPartV2(
    *,
    input: TensorLike,
    k: Any,
    padding_value: TensorLike,
    name: str | None = None,
) -> Tensor:
    """Return diagonals of matrices."""

def RandomGammaGrad(*, alpha: TensorLike, sample: TensorLike, name: str | None = None) -> Tensor:
    """Return the derivative of gamma samples with respect to their shape parameter."""

def ResourceApplyGradientDescent(
    *,
    var: Any,
    alpha: TensorLike,
    delta: TensorLike,
    use_locking: bool = False,
    name: str | None = None,
) -> None:
    """Take one step down a gradient: var -= alpha * delta."""

def UniqueWithCountsV2(
    *,
    x: TensorLike,
    axis: AxisLike,
    out_idx: DTypeLike = ...,
    name: str | None = None,
) -> _UniqueWithCountsV2:
    """Return the unique slices of a tensor along an axis, in the order in which they come."""
