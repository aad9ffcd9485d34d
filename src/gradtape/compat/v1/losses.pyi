# Written by `python -m tools.stubs`: change the source, and run it again.

from gradtape.api.compat.v1_losses import Reduction as Reduction
from gradtape.core.tensor import Tensor
from gradtape.core.typing import AxisLike
from gradtape.core.typing import IntLike
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
    """Return the weighted mean of absolute differences."""

def compute_weighted_loss(
    losses: Any,
    weights: TensorLike = 1.0,
    scope: str | None = None,
    loss_collection: str = 'losses',
    reduction: str = 'weighted_sum_by_nonzero_weights',
) -> Any:
    """Return losses times weights, reduced to one number unless `reduction` is "none"."""

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
    """Return 1 - cosine of the angle between unit vectors along an axis."""

def get_losses(scope: str | None = None) -> list:
    """Return []: variables live in objects, as in TensorFlow 2."""

def get_regularization_losses(scope: str | None = None) -> list:
    """Return []: variables live in objects, as in TensorFlow 2."""

def hinge_loss(
    labels: TensorLike,
    logits: TensorLike,
    weights: TensorLike = 1.0,
    scope: str | None = None,
    loss_collection: str = 'losses',
    reduction: str = 'weighted_sum_by_nonzero_weights',
) -> Tensor:
    """Return the hinge loss for labels 0 and 1."""

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
    """Return a loss that is quadratic up to delta, and linear beyond."""

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
    """Return the cross entropy of probabilities."""

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
    """Return the weighted mean of squared differences."""

def sigmoid_cross_entropy(
    multi_class_labels: TensorLike,
    logits: TensorLike,
    weights: TensorLike = 1.0,
    label_smoothing: IntLike = 0,
    scope: str | None = None,
    loss_collection: str = 'losses',
    reduction: str = 'weighted_sum_by_nonzero_weights',
) -> Tensor:
    """Return the cross entropy of independent classes."""

def softmax_cross_entropy(
    onehot_labels: TensorLike,
    logits: TensorLike,
    weights: TensorLike = 1.0,
    label_smoothing: IntLike = 0,
    scope: str | None = None,
    loss_collection: str = 'losses',
    reduction: str = 'weighted_sum_by_nonzero_weights',
) -> Tensor:
    """Return the cross entropy of one class in many, with one-hot labels."""

def sparse_softmax_cross_entropy(
    labels: TensorLike,
    logits: TensorLike,
    weights: TensorLike = 1.0,
    scope: str | None = None,
    loss_collection: str = 'losses',
    reduction: str = 'weighted_sum_by_nonzero_weights',
) -> Tensor:
    """Return the cross entropy of one class in many, with the classes' numbers."""
