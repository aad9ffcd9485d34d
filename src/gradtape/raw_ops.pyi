# Written by `python -m tools.stubs`: change the source, and run it again.

from collections.abc import Sequence
from gradtape.api.raw_ops import BroadcastGradientArgs as _BroadcastGradientArgs
from gradtape.api.raw_ops import FusedBatchNormV2 as _FusedBatchNormV2
from gradtape.api.raw_ops import UniqueWithCountsV2 as _UniqueWithCountsV2
from gradtape.core.tensor import Tensor
from gradtape.core.typing import AxisLike
from gradtape.core.typing import DTypeLike
from gradtape.core.typing import IntLike
from gradtape.core.typing import TensorLike
from typing import Any

def BroadcastGradientArgs(
    *,
    s0: TensorLike,
    s1: TensorLike,
    name: str | None = None,
) -> _BroadcastGradientArgs:
    """Return over which axes the gradients of tensors of two shapes are to be summed.

    Args:
        s0: the one shape.
        s1: the other shape.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        TypeError if `s0` or `s1` has a dtype that it does not take.
        ValueError if the shape of `s1` does not fit, or the shapes of `s0` and `s1` do not fit
            together.
    """

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

    Args:
        x: a tensor, or what converts to one.
        scale: what is multiplied with afterwards.
        offset: what is added afterwards.
        mean: the mean.
        variance: the variance.
        epsilon: a small number that keeps divisions finite.
        data_format: the order of the axes: "NHWC" has the channels last, "NCHW" before the spatial
            axes; likewise "NWC", "NDHWC".
        is_training: whether mean and variance are those of the batch.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        The normalized tensor, mean and variance, and what a backward pass would need.

    Raises:
        tf.errors.InvalidArgumentError if `offset` has a dtype that it does not take, the dtypes of
            `x`, `scale` and `offset` differ, the shape of `x` does not fit, or the shapes of `x`,
            `scale` and `offset` do not fit together.
        tf.errors.UnimplementedError if `x` or `scale` has a dtype that it does not take.
    """

def IgammaGradA(*, a: TensorLike, x: TensorLike, name: str | None = None) -> Tensor:
    """Return the derivative of igamma(a, x) with respect to a.

    Args:
        a: a tensor, or what converts to one.
        x: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InternalError if `a` or `x` has a dtype that it does not take.
        tf.errors.InvalidArgumentError if the shapes of `a` and `x` do not fit together.
    """

def MatrixDiagPartV2(
    *,
    input: TensorLike,
    k: IntLike | Sequence[Any],
    padding_value: TensorLike,
    name: str | None = None,
) -> Tensor:
    """Return diagonals of matrices.

    Args:
        input: a tensor, or what converts to one.
        k: how many to take; for diagonals, which one (0 is the main one).
        padding_value: the number outside of the diagonals.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `k` has a dtype that it does not take, or the shape of
            `input` does not fit.
    """

def RandomGammaGrad(*, alpha: TensorLike, sample: TensorLike, name: str | None = None) -> Tensor:
    """Return the derivative of gamma samples with respect to their shape parameter.

    Args:
        alpha: a factor: see above.
        sample: what was drawn.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if the shapes of `alpha` and `sample` do not fit together.
        tf.errors.UnimplementedError if `alpha` or `sample` has a dtype that it does not take.
    """

def ResourceApplyGradientDescent(
    *,
    var: Any,
    alpha: TensorLike,
    delta: TensorLike,
    use_locking: bool = False,
    name: str | None = None,
) -> None:
    """Take one step down a gradient: var -= alpha * delta.

    Args:
        var: a variable to assign to, in place of a tensor.
        alpha: a factor: see above.
        delta: the step from one number to the next.
        use_locking: has no effect; there for compatibility.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        Nothing.

    Raises:
        tf.errors.InvalidArgumentError if `alpha` or `delta` has a dtype that it does not take, the
            dtypes of `alpha` and `delta` differ, the shape of `delta` does not fit, or the shapes
            of `alpha` and `delta` do not fit together.
    """

def UniqueWithCountsV2(
    *,
    x: TensorLike,
    axis: AxisLike,
    out_idx: DTypeLike = ...,
    name: str | None = None,
) -> _UniqueWithCountsV2:
    """Return the unique slices of a tensor along an axis, in the order in which they come.

    Args:
        x: a tensor, or what converts to one.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.
        out_idx: the dtype of the indices.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        IndexError if the shape of `x` does not fit.
        TypeError if `axis` has a dtype that it does not take.
    """
