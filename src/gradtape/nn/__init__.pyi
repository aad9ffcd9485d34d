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
    """Return all classes below num_sampled, for comparison with the samplers that do sample."""

def atrous_conv2d(
    value: TensorLike,
    filters: TensorLike,
    rate: TensorLike,
    padding: Any,
    name: str | None = None,
) -> Tensor:
    """Compute a 2-D convolution dilated by `rate`."""

def atrous_conv2d_transpose(
    value: TensorLike,
    filters: TensorLike,
    output_shape: ShapeLike,
    rate: TensorLike,
    padding: Any,
    name: str | None = None,
) -> Tensor:
    """Return the transpose of atrous_conv2d."""

def avg_pool(
    input: TensorLike,
    ksize: ShapeLike,
    strides: ShapeLike,
    padding: Any,
    data_format: Any = None,
    name: str | None = None,
) -> Tensor:
    """Return the mean of every window."""

def avg_pool1d(
    input: TensorLike,
    ksize: ShapeLike,
    strides: ShapeLike,
    padding: Any,
    data_format: str = 'NWC',
    name: str | None = None,
) -> Tensor:
    """Return the mean of every window."""

def avg_pool2d(
    input: TensorLike,
    ksize: ShapeLike,
    strides: ShapeLike,
    padding: Any,
    data_format: str = 'NHWC',
    name: str | None = None,
) -> Tensor:
    """Return the mean of every window."""

def avg_pool3d(
    input: TensorLike,
    ksize: ShapeLike,
    strides: ShapeLike,
    padding: Any,
    data_format: str = 'NDHWC',
    name: str | None = None,
) -> Tensor:
    """Return the mean of every window."""

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
    """Compute batch normalization, by the argument names of TensorFlow 1."""

def batch_normalization(
    x: TensorLike,
    mean: TensorLike,
    variance: TensorLike,
    offset: Any,
    scale: Any,
    variance_epsilon: Any,
    name: str | None = None,
) -> Tensor:
    """Return (x - mean) / sqrt(variance + epsilon), scaled and shifted."""

def bias_add(
    value: TensorLike,
    bias: TensorLike,
    data_format: Any = None,
    name: str | None = None,
) -> Tensor:
    """Add a vector along the channels."""

def collapse_repeated(labels: TensorLike, seq_length: Any, name: str | None = None) -> tuple:
    """Return (labels with runs of equal ones made one, the new lengths)."""

def compute_accidental_hits(
    true_classes: TensorLike,
    sampled_candidates: Any,
    num_true: Any,
    seed: Any = None,
    name: str | None = None,
) -> AccidentalHits:
    """Return where a candidate is one of an example's true classes, to be taken out of a sampled
    loss.
    """

def compute_average_loss(
    per_example_loss: TensorLike,
    sample_weight: Any = None,
    global_batch_size: Any = None,
) -> Tensor:
    """Return the sum of per-example losses, divided by the size of the batch of all replicas."""

def conv1d(
    input: TensorLike,
    filters: TensorLike,
    stride: Any,
    padding: Any,
    data_format: str = 'NWC',
    dilations: ShapeLike = None,
    name: str | None = None,
) -> Tensor:
    """Compute a 1-D convolution: input [..., width, channels], filters [width, in, out]."""

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
    """Compute the transpose of conv1d; filters [*window, out, in]."""

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
    """Compute the transpose of conv2d; filters [*window, out, in]."""

def conv3d(
    input: TensorLike,
    filters: TensorLike,
    strides: ShapeLike,
    padding: Any,
    data_format: str = 'NDHWC',
    dilations: ShapeLike = None,
    name: str | None = None,
) -> Tensor:
    """Compute a 3-D convolution: input [..., depth, height, width, channels]."""

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
    """Compute the transpose of conv3d; filters [*window, out, in]."""

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
    """Return the transpose of `convolution`."""

def convolution(
    input: TensorLike,
    filters: TensorLike,
    strides: ShapeLike = None,
    padding: str = 'VALID',
    data_format: Any = None,
    dilations: ShapeLike = None,
    name: str | None = None,
) -> Tensor:
    """Compute a convolution in as many dimensions as the filters have."""

def crelu(features: TensorLike, axis: AxisLike = -1, name: str | None = None) -> Tensor:
    """Return relu(features) and relu(-features), end to end along an axis."""

def ctc_beam_search_decoder(
    inputs: TensorLike,
    sequence_length: TensorLike,
    beam_width: IntLike = 100,
    top_paths: IntLike = 1,
) -> tuple:
    """Return ([the k-th best labels of each example, as a SparseTensor], their
    log-probabilities).
    """

def ctc_greedy_decoder(
    inputs: TensorLike,
    sequence_length: TensorLike,
    merge_repeated: bool = True,
    blank_index: Any = None,
) -> tuple:
    """Return ([labels as a SparseTensor], minus the sum of the largest logits, [batch, 1])."""

def ctc_loss(
    labels: TensorLike,
    logits: TensorLike,
    label_length: TensorLike,
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
    """

def ctc_unique_labels(labels: TensorLike, name: str | None = None) -> list:
    """Return, for each row, its distinct labels in order of appearance, and each label's index
    there.
    """

def depth_to_space(
    input: TensorLike,
    block_size: IntLike,
    data_format: str = 'NHWC',
    name: str | None = None,
) -> Tensor:
    """Return the inverse of `space_to_depth`."""

def depthwise_conv2d(
    input: TensorLike,
    filter: TensorLike,
    strides: ShapeLike,
    padding: Any,
    data_format: Any = None,
    dilations: ShapeLike = None,
    name: str | None = None,
) -> Tensor:
    """Compute a 2-D convolution of each channel with filters of its own."""

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
    """Return the cotangent of the filter of depthwise_conv2d."""

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
    """Return the cotangent of the input of depthwise_conv2d."""

def dilation2d(
    input: TensorLike,
    filters: TensorLike,
    strides: ShapeLike,
    padding: Any,
    data_format: Any,
    dilations: ShapeLike,
    name: str | None = None,
) -> Tensor:
    """Return the largest of input + filter in each window, channel by channel."""

def dropout(
    x: TensorLike,
    rate: TensorLike,
    noise_shape: ShapeLike = None,
    seed: Any = None,
    name: str | None = None,
) -> Tensor:
    """Set elements of x to 0 with probability `rate`, and scale up the others.

    Where `noise_shape` has a 1 (and x has not), elements are kept or dropped together.
    """

def elu(features: TensorLike, name: str | None = None) -> Tensor:
    """Return features where positive, else exp(features) - 1."""

def embedding_lookup(
    params: TensorLike,
    ids: Any,
    max_norm: Any = None,
    name: str | None = None,
) -> Tensor:
    """Return rows of a table (or of several that follow one another)."""

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
    """Return the smallest of input - filter (turned around) in each window, channel by channel."""

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
    """

def gelu(features: TensorLike, approximate: bool = False, name: str | None = None) -> Tensor:
    """Return features times the normal distribution function of them, or its approximation by
    tanh.
    """

def isotonic_regression(
    inputs: TensorLike,
    decreasing: bool = True,
    axis: AxisLike = -1,
) -> IsotonicRegression:
    """Return the closest decreasing (increasing) sequences in least squares, and their runs of
    equal values.
    """

def l2_loss(t: TensorLike, name: str | None = None) -> Tensor:
    """Return half the sum of squares."""

def leaky_relu(features: TensorLike, alpha: TensorLike = 0.2, name: str | None = None) -> Tensor:
    """Return features where positive, else alpha times features."""

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
    """

def local_response_normalization(
    input: TensorLike,
    depth_radius: IntLike = 5,
    bias: TensorLike = 1,
    alpha: TensorLike = 1,
    beta: TensorLike = 0.5,
    name: str | None = None,
) -> Tensor:
    """Divide each element by a power of the sum of squares of its neighbors along the channels."""

def log_poisson_loss(
    targets: TensorLike,
    log_input: TensorLike,
    compute_full_loss: bool = False,
    name: str | None = None,
) -> Tensor:
    """Return the negative log-likelihood of counts, given the logarithm of the rate."""

def log_softmax(logits: TensorLike, axis: AxisLike = None, name: str | None = None) -> Tensor:
    """Return the logarithm of softmax."""

def max_pool(
    input: TensorLike,
    ksize: ShapeLike,
    strides: ShapeLike,
    padding: Any,
    data_format: Any = None,
    name: str | None = None,
) -> Tensor:
    """Return the largest element of every window."""

def max_pool1d(
    input: TensorLike,
    ksize: ShapeLike,
    strides: ShapeLike,
    padding: Any,
    data_format: str = 'NWC',
    name: str | None = None,
) -> Tensor:
    """Return the largest element of every window."""

def max_pool2d(
    input: TensorLike,
    ksize: ShapeLike,
    strides: ShapeLike,
    padding: Any,
    data_format: str = 'NHWC',
    name: str | None = None,
) -> Tensor:
    """Return the largest element of every window."""

def max_pool3d(
    input: TensorLike,
    ksize: ShapeLike,
    strides: ShapeLike,
    padding: Any,
    data_format: str = 'NDHWC',
    name: str | None = None,
) -> Tensor:
    """Return the largest element of every window."""

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
    """

def moments(
    x: TensorLike,
    axes: AxisLike,
    shift: Any = None,
    keepdims: bool = False,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """Return (mean, variance) over axes. `shift` is there for compatibility and has no effect."""

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
    """Return the loss of noise-contrastive estimation: true classes against sampled ones."""

def normalize_moments(
    counts: TensorLike,
    mean_ss: TensorLike,
    variance_ss: TensorLike,
    shift: Any,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """Return (mean, variance) from what `sufficient_statistics` gives."""

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
    """Compute average or maximum pooling ("AVG", "MAX"), with windows that may be dilated."""

def relu(features: TensorLike, name: str | None = None) -> Tensor:
    """Return max(features, 0); the gradient at 0 is 0."""

def relu6(features: TensorLike, name: str | None = None) -> Tensor:
    """Return min(max(features, 0), 6); the gradient at both ends is 0."""

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
    """Return the softmax cross-entropy over the true and sampled classes only: for training."""

def scale_regularization_loss(regularization_loss: TensorLike) -> Tensor:
    """Return the share of a replica in the sum of a regularization loss."""

def selu(features: TensorLike, name: str | None = None) -> Tensor:
    """Return the scaled exponential linear unit."""

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
    """Return a depthwise convolution, then one over channels alone."""

def sigmoid_cross_entropy_with_logits(
    labels: TensorLike | None = None,
    logits: TensorLike | None = None,
    name: str | None = None,
) -> Tensor:
    """Return the cross-entropy of independent truth values, from logits, without overflow."""

def silu(features: TensorLike, beta: TensorLike = 1.0) -> Tensor:
    """Return features · sigmoid(beta · features)."""

def softmax(logits: TensorLike, axis: AxisLike = None, name: str | None = None) -> Tensor:
    """Return exp(logits), scaled to sum to one along an axis (the last)."""

def softmax_cross_entropy_with_logits(
    labels: TensorLike,
    logits: TensorLike,
    axis: AxisLike = -1,
    name: str | None = None,
) -> Tensor:
    """Return -Σ labels log softmax(logits) along an axis; labels are distributions."""

def space_to_depth(
    input: TensorLike,
    block_size: IntLike,
    data_format: str = 'NHWC',
    name: str | None = None,
) -> Tensor:
    """Move the elements of square blocks of an image to its channels."""

def sparse_softmax_cross_entropy_with_logits(
    labels: TensorLike,
    logits: TensorLike,
    name: str | None = None,
) -> Tensor:
    """Return -log softmax(logits)[label]; labels are class numbers."""

def sufficient_statistics(
    x: TensorLike,
    axes: AxisLike,
    shift: Any = None,
    keepdims: bool = False,
    name: str | None = None,
) -> Any:
    """Return (count, sum, sum of squares, shift) over axes, of x - shift."""

def weighted_cross_entropy_with_logits(
    labels: TensorLike,
    logits: TensorLike,
    pos_weight: TensorLike,
    name: str | None = None,
) -> Tensor:
    """Return the sigmoid cross-entropy with positive examples weighted by `pos_weight`."""

def weighted_moments(
    x: TensorLike,
    axes: AxisLike,
    frequency_weights: TensorLike,
    keepdims: bool = False,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """Return (mean, variance) over axes, elements counting as often as their weights say."""

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
    """

lrn = local_response_normalization
swish = silu
