# Written by `python -m tools.stubs`: change the source, and run it again.

from collections.abc import Callable
from gradtape import space_to_batch as space_to_batch
from gradtape.api.math.order import IsotonicRegression
from gradtape.api.nn.morphology import FractionalAvgPool
from gradtape.api.nn.morphology import FractionalMaxPool
from gradtape.api.random.candidate_sampling import AccidentalHits
from gradtape.api.random.candidate_sampling import Candidates
from gradtape.core.tensor import Tensor
from gradtape.core.typing import AxisLike
from gradtape.core.typing import DTypeLike
from gradtape.core.typing import IntLike
from gradtape.core.typing import ShapeLike
from gradtape.core.typing import TensorLike
from gradtape.linalg import l2_normalize as l2_normalize
from gradtape.math import approx_max_k as approx_max_k
from gradtape.math import approx_min_k as approx_min_k
from gradtape.math import in_top_k as in_top_k
from gradtape.math import sigmoid as sigmoid
from gradtape.math import softplus as softplus
from gradtape.math import softsign as softsign
from gradtape.math import tanh as tanh
from gradtape.math import top_k as top_k
from gradtape.math import zero_fraction as zero_fraction
from gradtape.nn import experimental as experimental
from typing import Any

def all_candidate_sampler(
    true_classes: TensorLike,
    num_true: Any,
    num_sampled: Any,
    unique: Any,
    seed: Any = None,
    name: str | None = None,
) -> Candidates:
    """Return all classes below num_sampled, for comparison with the samplers that do sample.

    Args:
        true_classes: the right classes of each example.
        num_true: how many right classes each example has.
        num_sampled: how many classes are drawn.
        unique: whether each class is drawn once at most.
        seed: with `tf.random.set_seed`, determines the numbers drawn; for stateless functions, two
            integers that determine them alone.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if `true_classes` has a dtype that it does not take.
        tf.errors.InvalidArgumentError if the shape of `true_classes` does not fit.
    """

def atrous_conv2d(
    value: TensorLike,
    filters: TensorLike,
    rate: TensorLike,
    padding: Any,
    name: str | None = None,
) -> Tensor:
    """Compute a 2-D convolution dilated by `rate`.

    Args:
        value: a tensor, or what converts to one.
        filters: the kernel, [height, width, in channels, out channels] for images.
        rate: the share of elements that are dropped; for convolutions, the distance of the kernel's
            elements.
        padding: "SAME" (as many outputs as inputs, at stride 1), "VALID" (no padding), or sizes for
            each axis.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A tensor.

    Raises:
        tf.errors.InvalidArgumentError if `value` or `filters` has a dtype that it does not take,
            the dtypes of `value` and `filters` differ, the shape of `value` or `filters` does not
            fit, the shapes of `value` and `filters` do not fit together, `rate` is negative, or
            `padding` is not a known one.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def atrous_conv2d_transpose(
    value: TensorLike,
    filters: TensorLike,
    output_shape: ShapeLike,
    rate: TensorLike,
    padding: Any,
    name: str | None = None,
) -> Tensor:
    """Return the transpose of atrous_conv2d.

    Args:
        value: a tensor, or what converts to one.
        filters: the kernel, [height, width, in channels, out channels] for images.
        output_shape: the shape of the result.
        rate: the share of elements that are dropped; for convolutions, the distance of the kernel's
            elements.
        padding: "SAME" (as many outputs as inputs, at stride 1), "VALID" (no padding), or sizes for
            each axis.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `value` or `filters` has a dtype that it does not take,
            the dtypes of `value` and `filters` differ, the shape of `value` or `filters` does not
            fit, the shapes of `value` and `filters` do not fit together, `rate` is negative, or
            `padding` is not a known one.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def avg_pool(
    input: TensorLike,
    ksize: ShapeLike,
    strides: ShapeLike,
    padding: Any,
    data_format: Any = None,
    name: str | None = None,
) -> Tensor:
    """Return the mean of every window.

    Args:
        input: a tensor, or what converts to one.
        ksize: the size of the window, one number for all spatial axes or one for each axis.
        strides: how far the window moves from one output to the next, along each axis; one number
            for all spatial axes.
        padding: "SAME" (as many outputs as inputs, at stride 1), "VALID" (no padding), or sizes for
            each axis.
        data_format: the order of the axes: "NHWC" has the channels last, "NCHW" before the spatial
            axes; likewise "NWC", "NDHWC".
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if the shape of `input` does not fit.
        tf.errors.InvalidArgumentError if `input` has a dtype that it does not take, `ksize` is
            negative, or `padding` is not a known one.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def avg_pool1d(
    input: TensorLike,
    ksize: ShapeLike,
    strides: ShapeLike,
    padding: Any,
    data_format: str = 'NWC',
    name: str | None = None,
) -> Tensor:
    """Return the mean of every window.

    Args:
        input: a tensor, or what converts to one.
        ksize: the size of the window, one number for all spatial axes or one for each axis.
        strides: how far the window moves from one output to the next, along each axis; one number
            for all spatial axes.
        padding: "SAME" (as many outputs as inputs, at stride 1), "VALID" (no padding), or sizes for
            each axis.
        data_format: the order of the axes: "NHWC" has the channels last, "NCHW" before the spatial
            axes; likewise "NWC", "NDHWC".
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if `data_format` is not a known one.
        tf.errors.InvalidArgumentError if `input` has a dtype that it does not take, the shape of
            `input` does not fit, `ksize` is negative, or `padding` is not a known one.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def avg_pool2d(
    input: TensorLike,
    ksize: ShapeLike,
    strides: ShapeLike,
    padding: Any,
    data_format: str = 'NHWC',
    name: str | None = None,
) -> Tensor:
    """Return the mean of every window.

    Args:
        input: a tensor, or what converts to one.
        ksize: the size of the window, one number for all spatial axes or one for each axis.
        strides: how far the window moves from one output to the next, along each axis; one number
            for all spatial axes.
        padding: "SAME" (as many outputs as inputs, at stride 1), "VALID" (no padding), or sizes for
            each axis.
        data_format: the order of the axes: "NHWC" has the channels last, "NCHW" before the spatial
            axes; likewise "NWC", "NDHWC".
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if `data_format` is not a known one.
        tf.errors.InvalidArgumentError if `input` has a dtype that it does not take, the shape of
            `input` does not fit, `ksize` is negative, or `padding` is not a known one.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.nn.avg_pool2d(tf.reshape(tf.range(4.0), (1, 2, 2, 1)), 2, 2, "VALID").numpy().ravel()
        array([1.5], dtype=float32)
    """

def avg_pool3d(
    input: TensorLike,
    ksize: ShapeLike,
    strides: ShapeLike,
    padding: Any,
    data_format: str = 'NDHWC',
    name: str | None = None,
) -> Tensor:
    """Return the mean of every window.

    Args:
        input: a tensor, or what converts to one.
        ksize: the size of the window, one number for all spatial axes or one for each axis.
        strides: how far the window moves from one output to the next, along each axis; one number
            for all spatial axes.
        padding: "SAME" (as many outputs as inputs, at stride 1), "VALID" (no padding), or sizes for
            each axis.
        data_format: the order of the axes: "NHWC" has the channels last, "NCHW" before the spatial
            axes; likewise "NWC", "NDHWC".
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if `data_format` is not a known one.
        tf.errors.InvalidArgumentError if `input` has a dtype that it does not take, the shape of
            `input` does not fit, `ksize` is negative, or `padding` is not a known one.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def batch_norm_with_global_normalization(
    input: TensorLike,
    mean: TensorLike,
    variance: TensorLike,
    beta: TensorLike,
    gamma: TensorLike,
    variance_epsilon: Any,
    scale_after_normalization: Any,
    name: str | None = None,
) -> Tensor:
    """Compute batch normalization, by the argument names of TensorFlow 1.

    Args:
        input: a tensor, or what converts to one.
        mean: the mean.
        variance: the variance.
        beta: a factor: see above.
        gamma: the exponent.
        variance_epsilon: a small number that keeps the division finite.
        scale_after_normalization: whether to multiply with gamma.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A tensor.

    Raises:
        TypeError if `variance` has a dtype that it does not take.
        tf.errors.InvalidArgumentError if `mean` or `beta` has a dtype that it does not take, the
            dtypes of `input`, `mean`, `variance` and `beta` differ, or the shapes of `input`,
            `mean`, `variance`, `beta` and `gamma` do not fit together.
        tf.errors.UnimplementedError if `input` has a dtype that it does not take.

    Derivative: in reverse mode, and in forward mode by transposing that, of any order; under
        `tf.vectorized_map` and in Jacobians batched by rules.
    """

def batch_normalization(
    x: TensorLike,
    mean: TensorLike,
    variance: TensorLike,
    offset: Any,
    scale: Any,
    variance_epsilon: Any,
    name: str | None = None,
) -> Tensor:
    """Return (x - mean) / sqrt(variance + epsilon), scaled and shifted.

    Args:
        x: a tensor, or what converts to one.
        mean: the mean.
        variance: the variance.
        offset: what is added afterwards.
        scale: what is multiplied with afterwards.
        variance_epsilon: a small number that keeps the division finite.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        TypeError if `variance` has a dtype that it does not take.
        tf.errors.InvalidArgumentError if `mean`, `offset` or `scale` has a dtype that it does not
            take, the dtypes of `x`, `mean`, `variance`, `offset` and `scale` differ, or the shapes
            of `x`, `mean`, `variance`, `offset` and `scale` do not fit together.
        tf.errors.UnimplementedError if `x` has a dtype that it does not take.

    Derivative: in reverse mode, and in forward mode by transposing that, of any order; under
        `tf.vectorized_map` and in Jacobians batched by rules.

    Example:
        >>> tf.nn.batch_normalization(tf.constant([1.0, 3.0]), 2.0, 1.0, 0.0, 1.0, 0.0).numpy()
        array([-1.,  1.], dtype=float32)
    """

def bias_add(
    value: TensorLike,
    bias: TensorLike,
    data_format: Any = None,
    name: str | None = None,
) -> Tensor:
    """Add a vector along the channels.

    Args:
        value: a tensor, or what converts to one.
        bias: what is added.
        data_format: the order of the axes: "NHWC" has the channels last, "NCHW" before the spatial
            axes; likewise "NWC", "NDHWC".
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A tensor.

    Raises:
        ValueError if `data_format` is not a known one.
        tf.errors.InvalidArgumentError if `value` or `bias` has a dtype that it does not take, the
            dtypes of `value` and `bias` differ, the shape of `value` or `bias` does not fit, or the
            shapes of `value` and `bias` do not fit together.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.nn.bias_add(tf.zeros((1, 2)), [1.0, 2.0]).numpy()
        array([[1., 2.]], dtype=float32)
    """

def collapse_repeated(labels: TensorLike, seq_length: Any, name: str | None = None) -> tuple:
    """Return (labels with runs of equal ones made one, the new lengths).

    Args:
        labels: what is right.
        seq_length: the length of each row.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        TypeError if `seq_length` has a dtype that it does not take.
        tf.errors.InvalidArgumentError if the shape of `labels` or `seq_length` does not fit, or the
            shapes of `labels` and `seq_length` do not fit together.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def compute_accidental_hits(
    true_classes: TensorLike,
    sampled_candidates: Any,
    num_true: Any,
    seed: Any = None,
    name: str | None = None,
) -> AccidentalHits:
    """Return where a candidate is one of an example's true classes, to be taken out of a sampled
    loss.

    Args:
        true_classes: the right classes of each example.
        sampled_candidates: the classes that were drawn.
        num_true: how many right classes each example has.
        seed: with `tf.random.set_seed`, determines the numbers drawn; for stateless functions, two
            integers that determine them alone.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if `true_classes` or `sampled_candidates` has a dtype that it does not take.
        tf.errors.InvalidArgumentError if the shape of `true_classes` or `sampled_candidates` does
            not fit.
    """

def compute_average_loss(
    per_example_loss: TensorLike,
    sample_weight: Any = None,
    global_batch_size: Any = None,
) -> Tensor:
    """Return the sum of per-example losses, divided by the size of the batch of all replicas.

    Args:
        per_example_loss: the loss of each example.
        sample_weight: how much each example counts.
        global_batch_size: the number of examples in all replicas.

    Raises:
        tf.errors.InvalidArgumentError if the shapes of `per_example_loss` and `sample_weight` do
            not fit together.
        tf.errors.UnimplementedError if `sample_weight` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.nn.compute_average_loss([1.0, 3.0], global_batch_size=4).numpy()
        np.float32(1.0)
    """

def conv1d(
    input: TensorLike,
    filters: TensorLike,
    stride: Any,
    padding: Any,
    data_format: str = 'NWC',
    dilations: ShapeLike = None,
    name: str | None = None,
) -> Tensor:
    """Compute a 1-D convolution: input [..., width, channels], filters [width, in, out].

    Args:
        input: a tensor, or what converts to one.
        filters: the kernel, [height, width, in channels, out channels] for images.
        stride: how far the window moves from one output to the next.
        padding: "SAME" (as many outputs as inputs, at stride 1), "VALID" (no padding), or sizes for
            each axis.
        data_format: the order of the axes: "NHWC" has the channels last, "NCHW" before the spatial
            axes; likewise "NWC", "NDHWC".
        dilations: the distance of the kernel's elements, along each axis.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A tensor.

    Raises:
        ValueError if `data_format` is not a known one.
        tf.errors.InvalidArgumentError if `input` or `filters` has a dtype that it does not take,
            the dtypes of `input` and `filters` differ, the shape of `input` or `filters` does not
            fit, the shapes of `input` and `filters` do not fit together, `dilations` is negative,
            or `padding` is not a known one.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.nn.conv1d(tf.ones((1, 4, 1)), tf.ones((2, 1, 1)), 1, "VALID").numpy().ravel()
        array([2., 2., 2.], dtype=float32)
    """

def conv1d_transpose(
    input: TensorLike,
    filters: TensorLike,
    output_shape: ShapeLike,
    strides: ShapeLike,
    padding: str = 'SAME',
    data_format: str = 'NWC',
    dilations: ShapeLike = None,
    name: str | None = None,
) -> Tensor:
    """Compute the transpose of conv1d; filters [*window, out, in].

    Args:
        input: a tensor, or what converts to one.
        filters: the kernel, [height, width, in channels, out channels] for images.
        output_shape: the shape of the result.
        strides: how far the window moves from one output to the next, along each axis; one number
            for all spatial axes.
        padding: "SAME" (as many outputs as inputs, at stride 1), "VALID" (no padding), or sizes for
            each axis.
        data_format: the order of the axes: "NHWC" has the channels last, "NCHW" before the spatial
            axes; likewise "NWC", "NDHWC".
        dilations: the distance of the kernel's elements, along each axis.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A tensor.

    Raises:
        ValueError if `data_format` is not a known one.
        tf.errors.InvalidArgumentError if `input` or `filters` has a dtype that it does not take,
            the dtypes of `input` and `filters` differ, the shape of `input` or `filters` does not
            fit, the shapes of `input` and `filters` do not fit together, or `padding` is not a
            known one.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def conv2d(
    input: TensorLike,
    filters: TensorLike,
    strides: ShapeLike,
    padding: Any,
    data_format: str = 'NHWC',
    dilations: ShapeLike = None,
    name: str | None = None,
) -> Tensor:
    """Compute a 2-D convolution: input [..., height, width, channels], filters [height, width, in,
    out].

    Args:
        input: a tensor, or what converts to one.
        filters: the kernel, [height, width, in channels, out channels] for images.
        strides: how far the window moves from one output to the next, along each axis; one number
            for all spatial axes.
        padding: "SAME" (as many outputs as inputs, at stride 1), "VALID" (no padding), or sizes for
            each axis.
        data_format: the order of the axes: "NHWC" has the channels last, "NCHW" before the spatial
            axes; likewise "NWC", "NDHWC".
        dilations: the distance of the kernel's elements, along each axis.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A tensor.

    Raises:
        tf.errors.InvalidArgumentError if the channels of input and filters differ.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.nn.conv2d(tf.ones((1, 4, 4, 1)), tf.ones((3, 3, 1, 1)), 1, "VALID").numpy()[0, :, :, 0]
        array([[9., 9.],
               [9., 9.]], dtype=float32)
    """

def conv2d_transpose(
    input: TensorLike,
    filters: TensorLike,
    output_shape: ShapeLike,
    strides: ShapeLike,
    padding: str = 'SAME',
    data_format: str = 'NHWC',
    dilations: ShapeLike = None,
    name: str | None = None,
) -> Tensor:
    """Compute the transpose of conv2d; filters [*window, out, in].

    Args:
        input: a tensor, or what converts to one.
        filters: the kernel, [height, width, in channels, out channels] for images.
        output_shape: the shape of the result.
        strides: how far the window moves from one output to the next, along each axis; one number
            for all spatial axes.
        padding: "SAME" (as many outputs as inputs, at stride 1), "VALID" (no padding), or sizes for
            each axis.
        data_format: the order of the axes: "NHWC" has the channels last, "NCHW" before the spatial
            axes; likewise "NWC", "NDHWC".
        dilations: the distance of the kernel's elements, along each axis.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A tensor.

    Raises:
        ValueError if `data_format` is not a known one.
        tf.errors.InvalidArgumentError if `input` or `filters` has a dtype that it does not take,
            the dtypes of `input` and `filters` differ, the shape of `input` or `filters` does not
            fit, the shapes of `input` and `filters` do not fit together, or `padding` is not a
            known one.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.nn.conv2d_transpose(tf.ones((1, 1, 1, 1)), tf.ones((2, 2, 1, 1)), [1, 2, 2, 1], 2).shape
        TensorShape([1, 2, 2, 1])
    """

def conv3d(
    input: TensorLike,
    filters: TensorLike,
    strides: ShapeLike,
    padding: Any,
    data_format: str = 'NDHWC',
    dilations: ShapeLike = None,
    name: str | None = None,
) -> Tensor:
    """Compute a 3-D convolution: input [..., depth, height, width, channels].

    Args:
        input: a tensor, or what converts to one.
        filters: the kernel, [height, width, in channels, out channels] for images.
        strides: how far the window moves from one output to the next, along each axis; one number
            for all spatial axes.
        padding: "SAME" (as many outputs as inputs, at stride 1), "VALID" (no padding), or sizes for
            each axis.
        data_format: the order of the axes: "NHWC" has the channels last, "NCHW" before the spatial
            axes; likewise "NWC", "NDHWC".
        dilations: the distance of the kernel's elements, along each axis.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A tensor.

    Raises:
        ValueError if `data_format` is not a known one.
        tf.errors.InvalidArgumentError if `input` or `filters` has a dtype that it does not take,
            the dtypes of `input` and `filters` differ, the shape of `input` or `filters` does not
            fit, the shapes of `input` and `filters` do not fit together, or `padding` is not a
            known one.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def conv3d_transpose(
    input: TensorLike,
    filters: TensorLike,
    output_shape: ShapeLike,
    strides: ShapeLike,
    padding: str = 'SAME',
    data_format: str = 'NDHWC',
    dilations: ShapeLike = None,
    name: str | None = None,
) -> Tensor:
    """Compute the transpose of conv3d; filters [*window, out, in].

    Args:
        input: a tensor, or what converts to one.
        filters: the kernel, [height, width, in channels, out channels] for images.
        output_shape: the shape of the result.
        strides: how far the window moves from one output to the next, along each axis; one number
            for all spatial axes.
        padding: "SAME" (as many outputs as inputs, at stride 1), "VALID" (no padding), or sizes for
            each axis.
        data_format: the order of the axes: "NHWC" has the channels last, "NCHW" before the spatial
            axes; likewise "NWC", "NDHWC".
        dilations: the distance of the kernel's elements, along each axis.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A tensor.

    Raises:
        ValueError if `data_format` is not a known one.
        tf.errors.InvalidArgumentError if `input` or `filters` has a dtype that it does not take,
            the dtypes of `input` and `filters` differ, the shape of `input` or `filters` does not
            fit, the shapes of `input` and `filters` do not fit together, or `padding` is not a
            known one.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def conv_transpose(
    input: TensorLike,
    filters: TensorLike,
    output_shape: ShapeLike,
    strides: ShapeLike,
    padding: str = 'SAME',
    data_format: Any = None,
    dilations: ShapeLike = None,
    name: str | None = None,
) -> Tensor:
    """Return the transpose of `convolution`.

    Args:
        input: a tensor, or what converts to one.
        filters: the kernel, [height, width, in channels, out channels] for images.
        output_shape: the shape of the result.
        strides: how far the window moves from one output to the next, along each axis; one number
            for all spatial axes.
        padding: "SAME" (as many outputs as inputs, at stride 1), "VALID" (no padding), or sizes for
            each axis.
        data_format: the order of the axes: "NHWC" has the channels last, "NCHW" before the spatial
            axes; likewise "NWC", "NDHWC".
        dilations: the distance of the kernel's elements, along each axis.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if the shape of `filters` does not fit.
        tf.errors.InvalidArgumentError if `input` or `filters` has a dtype that it does not take,
            the dtypes of `input` and `filters` differ, the shape of `input` does not fit, the
            shapes of `input` and `filters` do not fit together, or `padding` is not a known one.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def convolution(
    input: TensorLike,
    filters: TensorLike,
    strides: ShapeLike = None,
    padding: str = 'VALID',
    data_format: Any = None,
    dilations: ShapeLike = None,
    name: str | None = None,
) -> Tensor:
    """Compute a convolution in as many dimensions as the filters have.

    Args:
        input: a tensor, or what converts to one.
        filters: the kernel, [height, width, in channels, out channels] for images.
        strides: how far the window moves from one output to the next, along each axis; one number
            for all spatial axes.
        padding: "SAME" (as many outputs as inputs, at stride 1), "VALID" (no padding), or sizes for
            each axis.
        data_format: the order of the axes: "NHWC" has the channels last, "NCHW" before the spatial
            axes; likewise "NWC", "NDHWC".
        dilations: the distance of the kernel's elements, along each axis.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A tensor.

    Raises:
        ValueError if the shape of `filters` does not fit.
        tf.errors.InvalidArgumentError if `input` or `filters` has a dtype that it does not take,
            the dtypes of `input` and `filters` differ, the shape of `input` does not fit, the
            shapes of `input` and `filters` do not fit together, or `padding` is not a known one.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def crelu(features: TensorLike, axis: AxisLike = -1, name: str | None = None) -> Tensor:
    """Return relu(features) and relu(-features), end to end along an axis.

    Args:
        features: a tensor, or what converts to one.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `features` has a dtype that it does not take, the shape of
            `features` does not fit, or `axis` is out of range.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def ctc_beam_search_decoder(
    inputs: TensorLike,
    sequence_length: TensorLike,
    beam_width: IntLike = 100,
    top_paths: IntLike = 1,
) -> tuple:
    """Return ([the k-th best labels of each example, as a SparseTensor], their
    log-probabilities).

    Args:
        inputs: a tensor, or a list of tensors, or what converts to them.
        sequence_length: the length of each row.
        beam_width: how many candidates are kept.
        top_paths: how many results.

    Raises:
        ValueError if `inputs` has a dtype that it does not take.
        tf.errors.InvalidArgumentError if the shape of `inputs` does not fit.
    """

def ctc_greedy_decoder(
    inputs: TensorLike,
    sequence_length: TensorLike,
    merge_repeated: bool = True,
    blank_index: Any = None,
) -> tuple:
    """Return ([labels as a SparseTensor], minus the sum of the largest logits, [batch, 1]).

    Args:
        inputs: a tensor, or a list of tensors, or what converts to them.
        sequence_length: the length of each row.
        merge_repeated: whether repeated labels count once.
        blank_index: the class that means: no label.

    Raises:
        TypeError if `inputs` has a dtype that it does not take.
        tf.errors.InvalidArgumentError if the shape of `inputs` does not fit.
    """

def ctc_loss(
    labels: TensorLike,
    logits: TensorLike,
    label_length: Any,
    logit_length: TensorLike,
    logits_time_major: bool = True,
    unique: Any = None,
    blank_index: Any = None,
    name: str | None = None,
) -> Tensor:
    """Return the negative log-likelihood of label sequences under every alignment with the logits.

    Labels are a dense [batch, length] tensor with `label_length`, or a `SparseTensor`. Where the
    logits are too short for the labels, the loss is a large number for dense labels and infinite,
    with a gradient of zero, for sparse ones.

    Args:
        labels: what is right.
        logits: scores, before softmax or sigmoid.
        label_length: the length of each row of labels.
        logit_length: the length of each row of logits.
        logits_time_major: whether the first axis is time rather than the batch.
        unique: whether each class is drawn once at most.
        blank_index: the class that means: no label.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        TypeError if `logits`, `label_length` or `logit_length` has a dtype that it does not take.
        ValueError if `labels` has a dtype that it does not take.
        tf.errors.InvalidArgumentError if the shape of `labels`, `logits`, `label_length` or
            `logit_length` does not fit, or the shapes of `labels`, `logits`, `label_length` and
            `logit_length` do not fit together.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def ctc_unique_labels(labels: TensorLike, name: str | None = None) -> list:
    """Return, for each row, its distinct labels in order of appearance, and each label's index
    there.

    Args:
        labels: what is right.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A list.

    Raises:
        ValueError if `labels` has a dtype that it does not take.
        tf.errors.InvalidArgumentError if the shape of `labels` does not fit.

    Derivative: none; the result consists of integers, truth values or strings.
    """

def depth_to_space(
    input: TensorLike,
    block_size: IntLike,
    data_format: str = 'NHWC',
    name: str | None = None,
) -> Tensor:
    """Return the inverse of `space_to_depth`.

    Args:
        input: a tensor, or what converts to one.
        block_size: the size of a block, the same for height and width.
        data_format: the order of the axes: "NHWC" has the channels last, "NCHW" before the spatial
            axes; likewise "NWC", "NDHWC".
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if `data_format` is not a known one.
        tf.errors.InvalidArgumentError if the shape of `input` does not fit, or `block_size` is
            negative.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def depthwise_conv2d(
    input: TensorLike,
    filter: TensorLike,
    strides: ShapeLike,
    padding: Any,
    data_format: Any = None,
    dilations: ShapeLike = None,
    name: str | None = None,
) -> Tensor:
    """Compute a 2-D convolution of each channel with filters of its own.

    Args:
        input: a tensor, or what converts to one.
        filter: the kernel.
        strides: how far the window moves from one output to the next, along each axis; one number
            for all spatial axes.
        padding: "SAME" (as many outputs as inputs, at stride 1), "VALID" (no padding), or sizes for
            each axis.
        data_format: the order of the axes: "NHWC" has the channels last, "NCHW" before the spatial
            axes; likewise "NWC", "NDHWC".
        dilations: the distance of the kernel's elements, along each axis.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A tensor.

    Raises:
        tf.errors.InvalidArgumentError if `input` or `filter` has a dtype that it does not take, the
            dtypes of `input` and `filter` differ, the shape of `input` or `filter` does not fit,
            the shapes of `input` and `filter` do not fit together, or `padding` is not a known one.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.nn.depthwise_conv2d(tf.ones((1, 3, 3, 2)), tf.ones((3, 3, 2, 1)), [1, 1, 1, 1], "VALID").numpy().ravel()
        array([9., 9.], dtype=float32)
    """

def depthwise_conv2d_backprop_filter(
    input: TensorLike,
    filter_sizes: ShapeLike,
    out_backprop: TensorLike,
    strides: ShapeLike,
    padding: Any,
    data_format: str = 'NHWC',
    dilations: ShapeLike = ...,
    name: str | None = None,
) -> Tensor:
    """Return the cotangent of the filter of depthwise_conv2d.

    Args:
        input: a tensor, or what converts to one.
        filter_sizes: the shape of the kernel.
        out_backprop: the cotangent of the result.
        strides: how far the window moves from one output to the next, along each axis; one number
            for all spatial axes.
        padding: "SAME" (as many outputs as inputs, at stride 1), "VALID" (no padding), or sizes for
            each axis.
        data_format: the order of the axes: "NHWC" has the channels last, "NCHW" before the spatial
            axes; likewise "NWC", "NDHWC".
        dilations: the distance of the kernel's elements, along each axis.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if `data_format` is not a known one.
        tf.errors.InvalidArgumentError if `input` or `out_backprop` has a dtype that it does not
            take, the dtypes of `input` and `out_backprop` differ, the shape of `input` or
            `out_backprop` does not fit, the shapes of `input` and `out_backprop` do not fit
            together, or `padding` is not a known one.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def depthwise_conv2d_backprop_input(
    input_sizes: ShapeLike,
    filter: TensorLike,
    out_backprop: TensorLike,
    strides: ShapeLike,
    padding: Any,
    data_format: str = 'NHWC',
    dilations: ShapeLike = ...,
    name: str | None = None,
) -> Tensor:
    """Return the cotangent of the input of depthwise_conv2d.

    Args:
        input_sizes: the shape of the input.
        filter: the kernel.
        out_backprop: the cotangent of the result.
        strides: how far the window moves from one output to the next, along each axis; one number
            for all spatial axes.
        padding: "SAME" (as many outputs as inputs, at stride 1), "VALID" (no padding), or sizes for
            each axis.
        data_format: the order of the axes: "NHWC" has the channels last, "NCHW" before the spatial
            axes; likewise "NWC", "NDHWC".
        dilations: the distance of the kernel's elements, along each axis.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if the shape of `filter` does not fit, or `data_format` is not a known one.
        tf.errors.InvalidArgumentError if `filter` or `out_backprop` has a dtype that it does not
            take, the dtypes of `filter` and `out_backprop` differ, the shape of `out_backprop` does
            not fit, the shapes of `filter` and `out_backprop` do not fit together, or `padding` is
            not a known one.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def dilation2d(
    input: TensorLike,
    filters: TensorLike,
    strides: ShapeLike,
    padding: Any,
    data_format: Any,
    dilations: ShapeLike,
    name: str | None = None,
) -> Tensor:
    """Return the largest of input + filter in each window, channel by channel.

    Args:
        input: a tensor, or what converts to one.
        filters: the kernel, [height, width, in channels, out channels] for images.
        strides: how far the window moves from one output to the next, along each axis; one number
            for all spatial axes.
        padding: "SAME" (as many outputs as inputs, at stride 1), "VALID" (no padding), or sizes for
            each axis.
        data_format: the order of the axes: "NHWC" has the channels last, "NCHW" before the spatial
            axes; likewise "NWC", "NDHWC".
        dilations: the distance of the kernel's elements, along each axis.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if `padding` or `data_format` is not a known one.
        tf.errors.InvalidArgumentError if `input` or `filters` has a dtype that it does not take,
            the dtypes of `input` and `filters` differ, the shape of `input` or `filters` does not
            fit, or the shapes of `input` and `filters` do not fit together.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def dropout(
    x: TensorLike,
    rate: TensorLike,
    noise_shape: ShapeLike = None,
    seed: Any = None,
    name: str | None = None,
) -> Tensor:
    """Set elements of x to 0 with probability `rate`, and scale up the others.

    Where `noise_shape` has a 1 (and x has not), elements are kept or dropped together.

    Args:
        x: a tensor, or what converts to one.
        rate: the share of elements that are dropped; for convolutions, the distance of the kernel's
            elements.
        noise_shape: the shape of what is drawn; axes of size 1 are dropped together.
        seed: with `tf.random.set_seed`, determines the numbers drawn; for stateless functions, two
            integers that determine them alone.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A tensor.

    Raises:
        ValueError if rate is not in [0, 1).

    Example:
        >>> tf.nn.dropout(tf.ones(3), rate=0.0).numpy()
        array([1., 1., 1.], dtype=float32)
    """

def elu(features: TensorLike, name: str | None = None) -> Tensor:
    """Return features where positive, else exp(features) - 1.

    Args:
        features: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `features` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.nn.elu(tf.constant([0.0, 2.0])).numpy()
        array([0., 2.], dtype=float32)
    """

def embedding_lookup(
    params: TensorLike,
    ids: Any,
    max_norm: Any = None,
    name: str | None = None,
) -> Tensor:
    """Return rows of a table (or of several that follow one another).

    Args:
        params: the table of embeddings, [classes, ...].
        ids: the rows to look up.
        max_norm: the largest norm that a row may have; larger ones are scaled down.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `ids` has a dtype that it does not take, the shape of
            `params` does not fit, or `ids` has an index that is out of range.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.nn.embedding_lookup(tf.constant([[1.0], [2.0], [3.0]]), [2, 0]).numpy()
        array([[3.],
               [1.]], dtype=float32)
    """

def embedding_lookup_sparse(
    params: TensorLike,
    sp_ids: Any,
    sp_weights: Any,
    combiner: str | None = None,
    max_norm: Any = None,
    name: str | None = None,
    allow_fast_lookup: bool = False,
) -> Tensor:
    """Return, for each row of `sp_ids`, the table's rows of its ids, weighted and combined.

    `combiner` is "sum", "mean" (the sum divided by that of the weights, the default) or "sqrtn"
    (divided by the root of the sum of their squares).

    Args:
        params: the table of embeddings, [classes, ...].
        sp_ids: the rows to look up, as a sparse tensor.
        sp_weights: how much each row counts.
        combiner: "sum", "mean" or "sqrtn".
        max_norm: the largest norm that a row may have; larger ones are scaled down.
        name: a label, as in TensorFlow; it does not change the result.
        allow_fast_lookup: has no effect; there for compatibility.

    Returns:
        A tensor.

    Raises:
        ValueError if `combiner` is not a known one.
        tf.errors.InvalidArgumentError if the shape of `params` does not fit.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def erosion2d(
    value: TensorLike,
    filters: TensorLike,
    strides: ShapeLike,
    padding: Any,
    data_format: Any,
    dilations: ShapeLike,
    name: str | None = None,
) -> Tensor:
    """Return the smallest of input - filter (turned around) in each window, channel by channel.

    Args:
        value: a tensor, or what converts to one.
        filters: the kernel, [height, width, in channels, out channels] for images.
        strides: how far the window moves from one output to the next, along each axis; one number
            for all spatial axes.
        padding: "SAME" (as many outputs as inputs, at stride 1), "VALID" (no padding), or sizes for
            each axis.
        data_format: the order of the axes: "NHWC" has the channels last, "NCHW" before the spatial
            axes; likewise "NWC", "NDHWC".
        dilations: the distance of the kernel's elements, along each axis.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if `padding` or `data_format` is not a known one.
        tf.errors.InvalidArgumentError if `value` or `filters` has a dtype that it does not take,
            the dtypes of `value` and `filters` differ, the shape of `value` or `filters` does not
            fit, or the shapes of `value` and `filters` do not fit together.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def fixed_unigram_candidate_sampler(
    true_classes: TensorLike,
    num_true: Any,
    num_sampled: Any,
    unique: Any,
    range_max: Any,
    vocab_file: str = '',
    distortion: TensorLike = 1.0,
    num_reserved_ids: IntLike = 0,
    num_shards: IntLike = 1,
    shard: IntLike = 0,
    unigrams: Any = ...,
    seed: Any = None,
    name: str | None = None,
) -> Candidates:
    """Return classes with given weights, each to the power of `distortion`.

    The weights are `unigrams`, or the last field of each line of a file with commas. The first
    `num_reserved_ids` classes are never drawn. Of several shards, only one's classes count.

    Args:
        true_classes: the right classes of each example.
        num_true: how many right classes each example has.
        num_sampled: how many classes are drawn.
        unique: whether each class is drawn once at most.
        range_max: the number of classes.
        vocab_file: a file with a weight in each line.
        distortion: the power that weights are raised to.
        num_reserved_ids: how many first classes are never drawn.
        num_shards: in how many parts the classes are divided.
        shard: which part this is.
        unigrams: the weights of the classes.
        seed: with `tf.random.set_seed`, determines the numbers drawn; for stateless functions, two
            integers that determine them alone.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if `true_classes` has a dtype that it does not take.
        tf.errors.InvalidArgumentError if the shape of `true_classes` does not fit, or `vocab_file`
            is not a known one.
    """

def fractional_avg_pool(
    value: TensorLike,
    pooling_ratio: Any,
    pseudo_random: bool = False,
    overlapping: bool = False,
    seed: IntLike = 0,
    name: str | None = None,
) -> FractionalAvgPool:
    """Compute average pooling over windows whose sizes vary at random.

    With a seed, the windows are those of TensorFlow, and the same on every call.

    Args:
        value: a tensor, or what converts to one.
        pooling_ratio: the ratio of the sizes before and after, for each axis.
        pseudo_random: whether the sizes of the regions follow a fixed pattern.
        overlapping: whether regions share their borders.
        seed: with `tf.random.set_seed`, determines the numbers drawn; for stateless functions, two
            integers that determine them alone.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        The result, and the borders of the windows along rows and columns.

    Raises:
        tf.errors.InvalidArgumentError if `value` has a dtype that it does not take, or the shape of
            `value` does not fit.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def fractional_max_pool(
    value: TensorLike,
    pooling_ratio: Any,
    pseudo_random: bool = False,
    overlapping: bool = False,
    seed: IntLike = 0,
    name: str | None = None,
) -> FractionalMaxPool:
    """Compute max pooling over windows whose sizes vary at random: any ratio above 1 is possible.

    With a seed, the windows are those of TensorFlow, and the same on every call.

    Args:
        value: a tensor, or what converts to one.
        pooling_ratio: the ratio of the sizes before and after, for each axis.
        pseudo_random: whether the sizes of the regions follow a fixed pattern.
        overlapping: whether regions share their borders.
        seed: with `tf.random.set_seed`, determines the numbers drawn; for stateless functions, two
            integers that determine them alone.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        The result, and the borders of the windows along rows and columns.

    Raises:
        tf.errors.InvalidArgumentError if `value` has a dtype that it does not take, or the shape of
            `value` does not fit.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def gelu(features: TensorLike, approximate: bool = False, name: str | None = None) -> Tensor:
    """Return features times the normal distribution function of them, or its approximation by
    tanh.

    Args:
        features: a tensor, or what converts to one.
        approximate: whether to take the approximation by tanh.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if `features` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.nn.gelu(tf.constant([0.0, 10.0])).numpy()
        array([ 0., 10.], dtype=float32)
    """

def isotonic_regression(
    inputs: TensorLike,
    decreasing: bool = True,
    axis: AxisLike = -1,
) -> IsotonicRegression:
    """Return the closest decreasing (increasing) sequences in least squares, and their runs of
    equal values.

    Args:
        inputs: a tensor, or a list of tensors, or what converts to them.
        decreasing: whether the results fall rather than rise.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.

    Raises:
        tf.errors.InvalidArgumentError if `inputs` has a dtype that it does not take, the shape of
            `inputs` does not fit, or `axis` is out of range.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def l2_loss(t: TensorLike, name: str | None = None) -> Tensor:
    """Return half the sum of squares.

    Args:
        t: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `t` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.nn.l2_loss(tf.constant([3.0, 4.0])).numpy()
        np.float32(12.5)
    """

def leaky_relu(features: TensorLike, alpha: TensorLike = 0.2, name: str | None = None) -> Tensor:
    """Return features where positive, else alpha times features.

    Args:
        features: a tensor, or what converts to one.
        alpha: the slope for x < 0.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        TypeError if `features` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.nn.leaky_relu(tf.constant([-1.0, 2.0]), alpha=0.1).numpy()
        array([-0.1,  2. ], dtype=float32)
    """

def learned_unigram_candidate_sampler(
    true_classes: TensorLike,
    num_true: Any,
    num_sampled: Any,
    unique: Any,
    range_max: Any,
    seed: Any = None,
    name: str | None = None,
) -> Candidates:
    """Draw classes in proportion to how often they were true in earlier calls, plus one.

    Calls with the same parameters and the same seed learn together.

    Args:
        true_classes: the right classes of each example.
        num_true: how many right classes each example has.
        num_sampled: how many classes are drawn.
        unique: whether each class is drawn once at most.
        range_max: the number of classes.
        seed: with `tf.random.set_seed`, determines the numbers drawn; for stateless functions, two
            integers that determine them alone.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        `Candidates`.

    Raises:
        ValueError if `true_classes` has a dtype that it does not take.
        tf.errors.InvalidArgumentError if the shape of `true_classes` does not fit.
    """

def local_response_normalization(
    input: TensorLike,
    depth_radius: IntLike = 5,
    bias: TensorLike = 1,
    alpha: TensorLike = 1,
    beta: TensorLike = 0.5,
    name: str | None = None,
) -> Tensor:
    """Divide each element by a power of the sum of squares of its neighbors along the channels.

    Args:
        input: a tensor, or what converts to one.
        depth_radius: how many channels on either side.
        bias: what is added.
        alpha: a factor: see above.
        beta: a factor: see above.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A tensor.

    Raises:
        tf.errors.InvalidArgumentError if `input` has a dtype that it does not take, or the shape of
            `input` does not fit.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def log_poisson_loss(
    targets: TensorLike,
    log_input: TensorLike,
    compute_full_loss: bool = False,
    name: str | None = None,
) -> Tensor:
    """Return the negative log-likelihood of counts, given the logarithm of the rate.

    Args:
        targets: the right class of each row.
        log_input: the logarithm of the predicted rate.
        compute_full_loss: whether to add Stirling's approximation of the constant term.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if the shape of `targets` or `log_input` does not fit, or the shapes of `targets`
            and `log_input` do not fit together.
        tf.errors.InvalidArgumentError if `targets` or `log_input` has a dtype that it does not
            take, or the dtypes of `targets` and `log_input` differ.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def log_softmax(logits: TensorLike, axis: AxisLike = None, name: str | None = None) -> Tensor:
    """Return the logarithm of softmax.

    Args:
        logits: scores, before softmax or sigmoid.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `logits` has a dtype that it does not take, the shape of
            `logits` does not fit, or `axis` is out of range.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.nn.log_softmax(tf.constant([1.0, 1.0])).numpy()
        array([-0.6931472, -0.6931472], dtype=float32)
    """

def max_pool(
    input: TensorLike,
    ksize: ShapeLike,
    strides: ShapeLike,
    padding: Any,
    data_format: Any = None,
    name: str | None = None,
) -> Tensor:
    """Return the largest element of every window.

    Args:
        input: a tensor, or what converts to one.
        ksize: the size of the window, one number for all spatial axes or one for each axis.
        strides: how far the window moves from one output to the next, along each axis; one number
            for all spatial axes.
        padding: "SAME" (as many outputs as inputs, at stride 1), "VALID" (no padding), or sizes for
            each axis.
        data_format: the order of the axes: "NHWC" has the channels last, "NCHW" before the spatial
            axes; likewise "NWC", "NDHWC".
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if the shape of `input` does not fit.
        tf.errors.InvalidArgumentError if `input` has a dtype that it does not take, `ksize` is
            negative, or `padding` is not a known one.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def max_pool1d(
    input: TensorLike,
    ksize: ShapeLike,
    strides: ShapeLike,
    padding: Any,
    data_format: str = 'NWC',
    name: str | None = None,
) -> Tensor:
    """Return the largest element of every window.

    Args:
        input: a tensor, or what converts to one.
        ksize: the size of the window, one number for all spatial axes or one for each axis.
        strides: how far the window moves from one output to the next, along each axis; one number
            for all spatial axes.
        padding: "SAME" (as many outputs as inputs, at stride 1), "VALID" (no padding), or sizes for
            each axis.
        data_format: the order of the axes: "NHWC" has the channels last, "NCHW" before the spatial
            axes; likewise "NWC", "NDHWC".
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if `data_format` is not a known one.
        tf.errors.InvalidArgumentError if `input` has a dtype that it does not take, the shape of
            `input` does not fit, `ksize` is negative, or `padding` is not a known one.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def max_pool2d(
    input: TensorLike,
    ksize: ShapeLike,
    strides: ShapeLike,
    padding: Any,
    data_format: str = 'NHWC',
    name: str | None = None,
) -> Tensor:
    """Return the largest element of every window.

    Args:
        input: a tensor, or what converts to one.
        ksize: the size of the window, one number for all spatial axes or one for each axis.
        strides: how far the window moves from one output to the next, along each axis; one number
            for all spatial axes.
        padding: "SAME" (as many outputs as inputs, at stride 1), "VALID" (no padding), or sizes for
            each axis.
        data_format: the order of the axes: "NHWC" has the channels last, "NCHW" before the spatial
            axes; likewise "NWC", "NDHWC".
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if `data_format` is not a known one.
        tf.errors.InvalidArgumentError if `input` has a dtype that it does not take, the shape of
            `input` does not fit, `ksize` is negative, or `padding` is not a known one.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.nn.max_pool2d(tf.reshape(tf.range(4.0), (1, 2, 2, 1)), 2, 2, "VALID").numpy().ravel()
        array([3.], dtype=float32)
    """

def max_pool3d(
    input: TensorLike,
    ksize: ShapeLike,
    strides: ShapeLike,
    padding: Any,
    data_format: str = 'NDHWC',
    name: str | None = None,
) -> Tensor:
    """Return the largest element of every window.

    Args:
        input: a tensor, or what converts to one.
        ksize: the size of the window, one number for all spatial axes or one for each axis.
        strides: how far the window moves from one output to the next, along each axis; one number
            for all spatial axes.
        padding: "SAME" (as many outputs as inputs, at stride 1), "VALID" (no padding), or sizes for
            each axis.
        data_format: the order of the axes: "NHWC" has the channels last, "NCHW" before the spatial
            axes; likewise "NWC", "NDHWC".
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if `data_format` is not a known one.
        tf.errors.InvalidArgumentError if `input` has a dtype that it does not take, the shape of
            `input` does not fit, `ksize` is negative, or `padding` is not a known one.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def max_pool_with_argmax(
    input: TensorLike,
    ksize: ShapeLike,
    strides: ShapeLike,
    padding: Any,
    data_format: str = 'NHWC',
    output_dtype: DTypeLike = ...,
    include_batch_in_index: bool = False,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """Return the largest elements, and where they are in each image (or the whole batch),
    flattened.

    Args:
        input: a tensor, or what converts to one.
        ksize: the size of the window, one number for all spatial axes or one for each axis.
        strides: how far the window moves from one output to the next, along each axis; one number
            for all spatial axes.
        padding: "SAME" (as many outputs as inputs, at stride 1), "VALID" (no padding), or sizes for
            each axis.
        data_format: the order of the axes: "NHWC" has the channels last, "NCHW" before the spatial
            axes; likewise "NWC", "NDHWC".
        output_dtype: the dtype of the result.
        include_batch_in_index: whether the indices count through the batch, too.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if `data_format` is not a known one.
        tf.errors.InvalidArgumentError if `input` has a dtype that it does not take, the shape of
            `input` does not fit, `ksize` is negative, or `padding` is not a known one.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def moments(
    x: TensorLike,
    axes: AxisLike,
    shift: Any = None,
    keepdims: bool = False,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """Return (mean, variance) over axes. `shift` is there for compatibility and has no effect.

    Args:
        x: a tensor, or what converts to one.
        axes: the axes, negative ones counted from the last.
        shift: how far to move; for moments, has no effect.
        keepdims: whether reduced axes stay, with size 1.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `x` has a dtype that it does not take, the shape of `x`
            does not fit, or `axes` is out of range.

    Derivative: in reverse mode, and in forward mode by transposing that, of any order; under
        `tf.vectorized_map` and in Jacobians batched by rules.

    Example:
        >>> mean, variance = tf.nn.moments(tf.constant([1.0, 3.0]), axes=[0])
        >>> float(mean), float(variance)
        (2.0, 1.0)
    """

def nce_loss(
    weights: TensorLike,
    biases: TensorLike,
    labels: TensorLike,
    inputs: TensorLike,
    num_sampled: Any,
    num_classes: IntLike,
    num_true: IntLike = 1,
    sampled_values: Any = None,
    remove_accidental_hits: bool = False,
    name: str = 'nce_loss',
) -> Tensor:
    """Return the loss of noise-contrastive estimation: true classes against sampled ones.

    Args:
        weights: how much each element counts.
        biases: the bias of each class.
        labels: what is right.
        inputs: a tensor, or a list of tensors, or what converts to them.
        num_sampled: how many classes are drawn.
        num_classes: the number of classes.
        num_true: how many right classes each example has.
        sampled_values: what a sampler has drawn.
        remove_accidental_hits: whether a drawn class that is right is left out.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `weights`, `biases` or `inputs` has a dtype that it does
            not take, the dtypes of `weights`, `biases` and `inputs` differ, the shape of `weights`,
            `biases`, `labels` or `inputs` does not fit, or the shapes of `weights`, `labels`,
            `inputs` and `biases` do not fit together.
        tf.errors.UnimplementedError if `labels` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def normalize_moments(
    counts: TensorLike,
    mean_ss: TensorLike,
    variance_ss: TensorLike,
    shift: Any,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """Return (mean, variance) from what `sufficient_statistics` gives.

    Args:
        counts: how many elements there were.
        mean_ss: the sums of the elements, shifted.
        variance_ss: the sums of their squares, shifted.
        shift: how far to move; for moments, has no effect.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `mean_ss`, `variance_ss` or `shift` has a dtype that it
            does not take, the dtypes of `mean_ss`, `variance_ss` and `shift` differ, or the shapes
            of `mean_ss`, `variance_ss` and `shift` do not fit together.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def pool(
    input: TensorLike,
    window_shape: ShapeLike,
    pooling_type: Any,
    strides: ShapeLike = None,
    padding: str = 'VALID',
    data_format: Any = None,
    dilations: ShapeLike = None,
    name: str | None = None,
) -> Tensor:
    """Compute average or maximum pooling ("AVG", "MAX"), with windows that may be dilated.

    Args:
        input: a tensor, or what converts to one.
        window_shape: the size of the window along each spatial axis.
        pooling_type: "MAX" or "AVG".
        strides: how far the window moves from one output to the next, along each axis; one number
            for all spatial axes.
        padding: "SAME" (as many outputs as inputs, at stride 1), "VALID" (no padding), or sizes for
            each axis.
        data_format: the order of the axes: "NHWC" has the channels last, "NCHW" before the spatial
            axes; likewise "NWC", "NDHWC".
        dilations: the distance of the kernel's elements, along each axis.
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A tensor.

    Raises:
        ValueError if `pooling_type` is not a known one.
        tf.errors.InvalidArgumentError if `input` has a dtype that it does not take, the shape of
            `input` does not fit, or `padding` is not a known one.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def relu(features: TensorLike, name: str | None = None) -> Tensor:
    """Return max(features, 0); the gradient at 0 is 0.

    Args:
        features: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `features` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.nn.relu(tf.constant([-1.0, 2.0])).numpy()
        array([0., 2.], dtype=float32)
    """

def relu6(features: TensorLike, name: str | None = None) -> Tensor:
    """Return min(max(features, 0), 6); the gradient at both ends is 0.

    Args:
        features: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `features` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def safe_embedding_lookup_sparse(
    embedding_weights: TensorLike,
    sparse_ids: Any,
    sparse_weights: Any = None,
    combiner: str = 'mean',
    default_id: Any = None,
    max_norm: Any = None,
    name: str | None = None,
    allow_fast_lookup: bool = False,
) -> Tensor:
    """Look up as `embedding_lookup_sparse`; ids may be invalid and rows empty.

    Ids below zero are left out; a row without ids gives the row of `default_id`, or zeros.

    Args:
        embedding_weights: the table, [classes, ...].
        sparse_ids: the rows to look up, as a sparse tensor.
        sparse_weights: how much each row counts.
        combiner: "sum", "mean" or "sqrtn".
        default_id: the row for examples without any.
        max_norm: the largest norm that a row may have; larger ones are scaled down.
        name: a label, as in TensorFlow; it does not change the result.
        allow_fast_lookup: has no effect; there for compatibility.

    Returns:
        A tensor.

    Raises:
        ValueError if `combiner` is not a known one.
        tf.errors.InvalidArgumentError if `embedding_weights` has a dtype that it does not take, or
            the shape of `embedding_weights` does not fit.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def sampled_softmax_loss(
    weights: TensorLike,
    biases: TensorLike,
    labels: TensorLike,
    inputs: TensorLike,
    num_sampled: Any,
    num_classes: IntLike,
    num_true: IntLike = 1,
    sampled_values: Any = None,
    remove_accidental_hits: bool = True,
    seed: Any = None,
    name: str = 'sampled_softmax_loss',
) -> Tensor:
    """Return the softmax cross-entropy over the true and sampled classes only: for training.

    Args:
        weights: how much each element counts.
        biases: the bias of each class.
        labels: what is right.
        inputs: a tensor, or a list of tensors, or what converts to them.
        num_sampled: how many classes are drawn.
        num_classes: the number of classes.
        num_true: how many right classes each example has.
        sampled_values: what a sampler has drawn.
        remove_accidental_hits: whether a drawn class that is right is left out.
        seed: with `tf.random.set_seed`, determines the numbers drawn; for stateless functions, two
            integers that determine them alone.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `weights`, `biases` or `inputs` has a dtype that it does
            not take, the dtypes of `weights`, `biases` and `inputs` differ, the shape of `weights`,
            `biases`, `labels` or `inputs` does not fit, or the shapes of `weights`, `labels`,
            `inputs` and `biases` do not fit together.
        tf.errors.UnimplementedError if `labels` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def scale_regularization_loss(regularization_loss: TensorLike) -> Tensor:
    """Return the share of a replica in the sum of a regularization loss.

    Args:
        regularization_loss: losses that do not depend on the batch.

    Raises:
        tf.errors.InvalidArgumentError if `regularization_loss` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def selu(features: TensorLike, name: str | None = None) -> Tensor:
    """Return the scaled exponential linear unit.

    Args:
        features: a tensor, or what converts to one.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `features` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def separable_conv2d(
    input: TensorLike,
    depthwise_filter: TensorLike,
    pointwise_filter: TensorLike,
    strides: ShapeLike,
    padding: Any,
    data_format: Any = None,
    dilations: ShapeLike = None,
    name: str | None = None,
) -> Tensor:
    """Return a depthwise convolution, then one over channels alone.

    Args:
        input: a tensor, or what converts to one.
        depthwise_filter: the kernel for each channel.
        pointwise_filter: the kernel that mixes the channels.
        strides: how far the window moves from one output to the next, along each axis; one number
            for all spatial axes.
        padding: "SAME" (as many outputs as inputs, at stride 1), "VALID" (no padding), or sizes for
            each axis.
        data_format: the order of the axes: "NHWC" has the channels last, "NCHW" before the spatial
            axes; likewise "NWC", "NDHWC".
        dilations: the distance of the kernel's elements, along each axis.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `input`, `depthwise_filter` or `pointwise_filter` has a
            dtype that it does not take, the dtypes of `input`, `depthwise_filter` and
            `pointwise_filter` differ, the shape of `input`, `depthwise_filter` or
            `pointwise_filter` does not fit, the shapes of `input`, `depthwise_filter` and
            `pointwise_filter` do not fit together, or `padding` is not a known one.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def sigmoid_cross_entropy_with_logits(
    labels: TensorLike | None = None,
    logits: TensorLike | None = None,
    name: str | None = None,
) -> Tensor:
    """Return the cross-entropy of independent truth values, from logits, without overflow.

    Args:
        labels: what is right.
        logits: scores, before softmax or sigmoid.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        ValueError if labels and logits have different shapes.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.nn.sigmoid_cross_entropy_with_logits(labels=[1.0], logits=[0.0]).numpy()
        array([0.6931472], dtype=float32)
    """

def silu(features: TensorLike, beta: TensorLike = 1.0) -> Tensor:
    """Return features · sigmoid(beta · features).

    Args:
        features: a tensor, or what converts to one.
        beta: a factor inside the sigmoid.

    Raises:
        ValueError if `features` cannot be converted to a tensor.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.nn.silu(tf.constant([0.0, 100.0])).numpy()
        array([  0., 100.], dtype=float32)
    """

def softmax(logits: TensorLike, axis: AxisLike = None, name: str | None = None) -> Tensor:
    """Return exp(logits), scaled to sum to one along an axis (the last).

    Args:
        logits: scores, before softmax or sigmoid.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `logits` has a dtype that it does not take, the shape of
            `logits` does not fit, or `axis` is out of range.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.nn.softmax(tf.constant([1.0, 1.0])).numpy()
        array([0.5, 0.5], dtype=float32)
    """

def softmax_cross_entropy_with_logits(
    labels: TensorLike,
    logits: TensorLike,
    axis: AxisLike = -1,
    name: str | None = None,
) -> Tensor:
    """Return -Σ labels log softmax(logits) along an axis; labels are distributions.

    Args:
        labels: what is right.
        logits: scores, before softmax or sigmoid.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `labels` or `logits` has a dtype that it does not take,
            the dtypes of `labels` and `logits` differ, the shape of `labels` or `logits` does not
            fit, the shapes of `labels` and `logits` do not fit together, or `axis` is out of range.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.nn.softmax_cross_entropy_with_logits(labels=[[0.0, 1.0]], logits=[[1.0, 1.0]]).numpy()
        array([0.6931472], dtype=float32)
    """

def space_to_depth(
    input: TensorLike,
    block_size: IntLike,
    data_format: str = 'NHWC',
    name: str | None = None,
) -> Tensor:
    """Move the elements of square blocks of an image to its channels.

    Args:
        input: a tensor, or what converts to one.
        block_size: the size of a block, the same for height and width.
        data_format: the order of the axes: "NHWC" has the channels last, "NCHW" before the spatial
            axes; likewise "NWC", "NDHWC".
        name: a label, as in TensorFlow; it does not change the result.

    Returns:
        A tensor.

    Raises:
        ValueError if `data_format` is not a known one.
        tf.errors.InvalidArgumentError if the shape of `input` does not fit, or `block_size` is
            negative.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def sparse_softmax_cross_entropy_with_logits(
    labels: TensorLike,
    logits: TensorLike,
    name: str | None = None,
) -> Tensor:
    """Return -log softmax(logits)[label]; labels are class numbers.

    Args:
        labels: the index of the right class, for each row.
        logits: scores, before softmax or sigmoid.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `labels` or `logits` has a dtype that it does not take,
            the shape of `labels` or `logits` does not fit, or the shapes of `labels` and `logits`
            do not fit together.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.

    Example:
        >>> tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[1], logits=[[1.0, 1.0]]).numpy()
        array([0.6931472], dtype=float32)
    """

def sufficient_statistics(
    x: TensorLike,
    axes: AxisLike,
    shift: Any = None,
    keepdims: bool = False,
    name: str | None = None,
) -> Any:
    """Return (count, sum, sum of squares, shift) over axes, of x - shift.

    Args:
        x: a tensor, or what converts to one.
        axes: the axes, negative ones counted from the last.
        shift: how far to move; for moments, has no effect.
        keepdims: whether reduced axes stay, with size 1.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if `shift` has a dtype that it does not take, the dtypes of
            `x` and `shift` differ, the shape of `x` does not fit, the shapes of `x` and `shift` do
            not fit together, or `axes` is out of range.
        tf.errors.UnimplementedError if `x` has a dtype that it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def weighted_cross_entropy_with_logits(
    labels: TensorLike,
    logits: TensorLike,
    pos_weight: TensorLike,
    name: str | None = None,
) -> Tensor:
    """Return the sigmoid cross-entropy with positive examples weighted by `pos_weight`.

    Args:
        labels: what is right.
        logits: scores, before softmax or sigmoid.
        pos_weight: how much positive labels count.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        TypeError if `pos_weight` has a dtype that it does not take.
        ValueError if the shape of `labels` or `logits` does not fit, or the shapes of `labels` and
            `logits` do not fit together.
        tf.errors.InvalidArgumentError if `labels` or `logits` has a dtype that it does not take,
            the dtypes of `labels`, `logits` and `pos_weight` differ, or the shapes of `labels`,
            `pos_weight` and `logits` do not fit together.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def weighted_moments(
    x: TensorLike,
    axes: AxisLike,
    frequency_weights: TensorLike,
    keepdims: bool = False,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """Return (mean, variance) over axes, elements counting as often as their weights say.

    Args:
        x: a tensor, or what converts to one.
        axes: the axes, negative ones counted from the last.
        frequency_weights: how often each element counts.
        keepdims: whether reduced axes stay, with size 1.
        name: a label, as in TensorFlow; it does not change the result.

    Raises:
        tf.errors.InvalidArgumentError if the shape of `x` does not fit, the shapes of `x` and
            `frequency_weights` do not fit together, or `axes` is out of range.
        tf.errors.UnimplementedError if `x` or `frequency_weights` has a dtype that it does not
            take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def with_space_to_batch(
    input: TensorLike,
    dilation_rate: Any,
    padding: Any,
    op: Callable[..., Any],
    filter_shape: Any = None,
    spatial_dims: Any = None,
    data_format: Any = None,
) -> Tensor:
    """Return a convolution-like op made to skip: the skipped positions are moved to the batch and
    back.

    `op(input, num_spatial_dims, padding)` is applied with padding "VALID".

    Args:
        input: a tensor, or what converts to one.
        dilation_rate: the distance of the kernel's elements, along each spatial axis.
        padding: "SAME" (as many outputs as inputs, at stride 1), "VALID" (no padding), or sizes for
            each axis.
        op: a function, called with the tensor.
        filter_shape: the shape of the kernel.
        spatial_dims: which axes are spatial.
        data_format: the order of the axes: "NHWC" has the channels last, "NCHW" before the spatial
            axes; likewise "NWC", "NDHWC".

    Raises:
        TypeError if `op` is not callable.
        ValueError if `padding` is not a known one.
        tf.errors.InvalidArgumentError if `input` has a dtype that it does not take, or the shape of
            `input` does not fit.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

lrn = local_response_normalization
swish = silu
