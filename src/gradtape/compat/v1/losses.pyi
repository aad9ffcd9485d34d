# Written by `python -m tools.stubs`: change the source, and run it again.

from gradtape.api.compat.v1_losses import Reduction as Reduction
from gradtape.core.tensor import Tensor
from gradtape.core.typing import AxisLike
from gradtape.core.typing import TensorLike
from typing import Any

def absolute_difference(
    labels: TensorLike,
    predictions: TensorLike,
    weights: TensorLike = 1.0,
    *args: Any,
    scope: str | None = None,
    loss_collection: str = 'losses',
    reduction: str = 'weighted_sum_by_nonzero_weights',
    **options: Any,
) -> Tensor:
    """Return the weighted mean of absolute differences.

    Args:
        labels: what is right.
        predictions: what was predicted: scores, or classes.
        weights: how much each element counts.
        *args: positional arguments.
        scope: has no effect; there for compatibility.
        loss_collection: has no effect; there for compatibility.
        reduction: how the losses are combined.
        **options: settings, as in TensorFlow.

    Raises:
        ValueError if the shape of `labels` or `predictions` does not fit, the shapes of `labels`
            and `predictions` do not fit together, or `reduction` is not a known one.
        tf.errors.InvalidArgumentError if the shapes of `labels`, `weights` and `predictions` do not
            fit together.
        tf.errors.UnimplementedError if `labels`, `predictions` or `weights` has a dtype that it
            does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def compute_weighted_loss(
    losses: Any,
    weights: TensorLike = 1.0,
    scope: str | None = None,
    loss_collection: str = 'losses',
    reduction: str = 'weighted_sum_by_nonzero_weights',
) -> Any:
    """Return losses times weights, reduced to one number unless `reduction` is "none".

    Args:
        losses: the losses.
        weights: how much each element counts.
        scope: has no effect; there for compatibility.
        loss_collection: has no effect; there for compatibility.
        reduction: how the losses are combined.

    Raises:
        ValueError if `reduction` is not a known one.
        tf.errors.InvalidArgumentError if the shape of `losses` does not fit, or the shapes of
            `losses` and `weights` do not fit together.
        tf.errors.UnimplementedError if `losses` or `weights` has a dtype that it does not take.
    """

def cosine_distance(
    labels: TensorLike,
    predictions: TensorLike,
    axis: AxisLike = None,
    weights: TensorLike = 1.0,
    scope: str | None = None,
    loss_collection: str = 'losses',
    reduction: str = 'weighted_sum_by_nonzero_weights',
    dim: AxisLike = None,
) -> Tensor:
    """Return 1 - cosine of the angle between unit vectors along an axis.

    Args:
        labels: what is right.
        predictions: what was predicted: scores, or classes.
        axis: the axis, or several where that makes sense; negative ones are counted from the last.
            In a reduction, None means all axes.
        weights: how much each element counts.
        scope: has no effect; there for compatibility.
        loss_collection: has no effect; there for compatibility.
        reduction: how the losses are combined.
        dim: an old name of axis.

    Raises:
        ValueError if the shape of `labels` or `predictions` does not fit, the shapes of `labels`
            and `predictions` do not fit together, or `reduction` is not a known one.
        tf.errors.InvalidArgumentError if the shapes of `labels`, `weights` and `predictions` do not
            fit together, or `axis` is out of range.
        tf.errors.UnimplementedError if `labels`, `predictions` or `weights` has a dtype that it
            does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def get_losses(scope: str | None = None) -> list:
    """Return []: variables live in objects, as in TensorFlow 2.

    Args:
        scope: has no effect; there for compatibility.
    """

def get_regularization_losses(scope: str | None = None) -> list:
    """Return []: variables live in objects, as in TensorFlow 2.

    Args:
        scope: has no effect; there for compatibility.
    """

def hinge_loss(
    labels: TensorLike,
    logits: TensorLike,
    weights: TensorLike = 1.0,
    scope: str | None = None,
    loss_collection: str = 'losses',
    reduction: str = 'weighted_sum_by_nonzero_weights',
) -> Tensor:
    """Return the hinge loss for labels 0 and 1.

    Args:
        labels: what is right.
        logits: scores, before softmax or sigmoid.
        weights: how much each element counts.
        scope: has no effect; there for compatibility.
        loss_collection: has no effect; there for compatibility.
        reduction: how the losses are combined.

    Raises:
        ValueError if the shape of `labels` or `logits` does not fit, the shapes of `labels` and
            `logits` do not fit together, or `reduction` is not a known one.
        tf.errors.InvalidArgumentError if the shapes of `labels`, `weights` and `logits` do not fit
            together.
        tf.errors.UnimplementedError if `labels`, `logits` or `weights` has a dtype that it does not
            take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def huber_loss(
    labels: TensorLike,
    predictions: TensorLike,
    weights: TensorLike = 1.0,
    *args: Any,
    scope: str | None = None,
    loss_collection: str = 'losses',
    reduction: str = 'weighted_sum_by_nonzero_weights',
    **options: Any,
) -> Tensor:
    """Return a loss that is quadratic up to delta, and linear beyond.

    Args:
        labels: what is right.
        predictions: what was predicted: scores, or classes.
        weights: how much each element counts.
        *args: positional arguments.
        scope: has no effect; there for compatibility.
        loss_collection: has no effect; there for compatibility.
        reduction: how the losses are combined.
        **options: settings, as in TensorFlow.

    Raises:
        ValueError if the shape of `labels` or `predictions` does not fit, the shapes of `labels`
            and `predictions` do not fit together, or `reduction` is not a known one.
        tf.errors.InvalidArgumentError if the shapes of `labels`, `weights` and `predictions` do not
            fit together.
        tf.errors.UnimplementedError if `labels`, `predictions` or `weights` has a dtype that it
            does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def log_loss(
    labels: TensorLike,
    predictions: TensorLike,
    weights: TensorLike = 1.0,
    *args: Any,
    scope: str | None = None,
    loss_collection: str = 'losses',
    reduction: str = 'weighted_sum_by_nonzero_weights',
    **options: Any,
) -> Tensor:
    """Return the cross entropy of probabilities.

    Args:
        labels: what is right.
        predictions: what was predicted: scores, or classes.
        weights: how much each element counts.
        *args: positional arguments.
        scope: has no effect; there for compatibility.
        loss_collection: has no effect; there for compatibility.
        reduction: how the losses are combined.
        **options: settings, as in TensorFlow.

    Raises:
        ValueError if the shape of `labels` or `predictions` does not fit, the shapes of `labels`
            and `predictions` do not fit together, or `reduction` is not a known one.
        tf.errors.InvalidArgumentError if the shapes of `labels`, `weights` and `predictions` do not
            fit together.
        tf.errors.UnimplementedError if `labels`, `predictions` or `weights` has a dtype that it
            does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def mean_squared_error(
    labels: TensorLike,
    predictions: TensorLike,
    weights: TensorLike = 1.0,
    *args: Any,
    scope: str | None = None,
    loss_collection: str = 'losses',
    reduction: str = 'weighted_sum_by_nonzero_weights',
    **options: Any,
) -> Tensor:
    """Return the weighted mean of squared differences.

    Args:
        labels: what is right.
        predictions: what was predicted: scores, or classes.
        weights: how much each element counts.
        *args: positional arguments.
        scope: has no effect; there for compatibility.
        loss_collection: has no effect; there for compatibility.
        reduction: how the losses are combined.
        **options: settings, as in TensorFlow.

    Raises:
        ValueError if the shape of `labels` or `predictions` does not fit, or the shapes of `labels`
            and `predictions` do not fit together.
        tf.errors.InvalidArgumentError if the shapes of `labels`, `weights` and `predictions` do not
            fit together.
        tf.errors.UnimplementedError if `labels`, `predictions` or `weights` has a dtype that it
            does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def sigmoid_cross_entropy(
    multi_class_labels: TensorLike,
    logits: TensorLike,
    weights: TensorLike = 1.0,
    label_smoothing: TensorLike = 0,
    scope: str | None = None,
    loss_collection: str = 'losses',
    reduction: str = 'weighted_sum_by_nonzero_weights',
) -> Tensor:
    """Return the cross entropy of independent classes.

    Args:
        multi_class_labels: what is right, 0 or 1 for each class.
        logits: scores, before softmax or sigmoid.
        weights: how much each element counts.
        label_smoothing: how far labels are moved to the middle.
        scope: has no effect; there for compatibility.
        loss_collection: has no effect; there for compatibility.
        reduction: how the losses are combined.

    Raises:
        ValueError if the shape of `multi_class_labels` or `logits` does not fit, the shapes of
            `multi_class_labels` and `logits` do not fit together, or `reduction` is not a known
            one.
        tf.errors.InvalidArgumentError if the shapes of `multi_class_labels`, `weights` and `logits`
            do not fit together.
        tf.errors.UnimplementedError if `multi_class_labels`, `logits` or `weights` has a dtype that
            it does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def softmax_cross_entropy(
    onehot_labels: TensorLike,
    logits: TensorLike,
    weights: TensorLike = 1.0,
    label_smoothing: TensorLike = 0,
    scope: str | None = None,
    loss_collection: str = 'losses',
    reduction: str = 'weighted_sum_by_nonzero_weights',
) -> Tensor:
    """Return the cross entropy of one class in many, with one-hot labels.

    Args:
        onehot_labels: what is right, as one-hot rows.
        logits: scores, before softmax or sigmoid.
        weights: how much each element counts.
        label_smoothing: how far labels are moved to the middle.
        scope: has no effect; there for compatibility.
        loss_collection: has no effect; there for compatibility.
        reduction: how the losses are combined.

    Raises:
        ValueError if the shape of `onehot_labels` or `logits` does not fit, the shapes of
            `onehot_labels` and `logits` do not fit together, or `reduction` is not a known one.
        tf.errors.InvalidArgumentError if the shapes of `onehot_labels`, `weights` and `logits` do
            not fit together.
        tf.errors.UnimplementedError if `onehot_labels`, `logits` or `weights` has a dtype that it
            does not take.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """

def sparse_softmax_cross_entropy(
    labels: TensorLike,
    logits: TensorLike,
    weights: TensorLike = 1.0,
    scope: str | None = None,
    loss_collection: str = 'losses',
    reduction: str = 'weighted_sum_by_nonzero_weights',
) -> Tensor:
    """Return the cross entropy of one class in many, with the classes' numbers.

    Args:
        labels: what is right.
        logits: scores, before softmax or sigmoid.
        weights: how much each element counts.
        scope: has no effect; there for compatibility.
        loss_collection: has no effect; there for compatibility.
        reduction: how the losses are combined.

    Raises:
        ValueError if `reduction` is not a known one.
        tf.errors.InvalidArgumentError if `labels` or `logits` has a dtype that it does not take,
            the shape of `labels` or `logits` does not fit, or the shapes of `labels` and `logits`
            do not fit together.

    Derivative: in reverse and forward mode, of any order; under `tf.vectorized_map` and in
        Jacobians batched by rules.
    """
