"""`tfa.losses`: functions, and classes for `model.compile`."""

from __future__ import annotations

from typing import Any, ClassVar

import gradtape
from gradtape.addons.keras import keras, register

tf: Any = gradtape


# --- focal, contrastive, boxes, quantiles --------------------------------------------------------


@register
def sigmoid_focal_crossentropy(y_true, y_pred, alpha=0.25, gamma=2.0, from_logits=False):
    """Compute -α (1 - p)^γ log p, with p the probability given to what is true, summed over the
    last axis (Lin et al. 2017, equation 5)."""
    if gamma is not None and gamma < 0:
        raise ValueError(f"Value of gamma should be greater than or equal to zero, got {gamma}.")
    y_pred = tf.convert_to_tensor(y_pred)
    y_true = tf.cast(y_true, y_pred.dtype)
    entropy = keras.backend.binary_crossentropy(y_true, y_pred, from_logits=from_logits)
    p = tf.sigmoid(y_pred) if from_logits else y_pred
    right = y_true * p + (1 - y_true) * (1 - p)
    weight = 1.0
    if alpha:
        weight = y_true * alpha + (1 - y_true) * (1 - alpha)
    if gamma:
        weight *= (1 - right) ** gamma
    return tf.reduce_sum(weight * entropy, axis=-1)


@register
def contrastive_loss(y_true, y_pred, margin=1.0):
    """Compute y d² + (1 - y) max(m - d, 0)² for distances d of pairs, y = 1 for a pair of the same
    class (Hadsell et al. 2006, equation 4)."""
    d = tf.convert_to_tensor(y_pred)
    y = tf.cast(y_true, d.dtype)
    return y * tf.square(d) + (1 - y) * tf.square(tf.maximum(margin - d, 0))


@register
def giou_loss(y_true, y_pred, mode: str = "giou"):
    """Compute 1 - the (generalized) intersection over union of boxes [ymin, xmin, ymax, xmax]
    (Rezatofighi et al. 2019)."""
    if mode not in ("giou", "iou"):
        raise ValueError(f"Value of mode should be 'iou' or 'giou', got {mode!r}.")
    b1 = tf.convert_to_tensor(y_pred)
    if not b1.dtype.is_floating:
        b1 = tf.cast(b1, tf.float32)
    b2 = tf.cast(y_true, b1.dtype)
    low1, high1 = b1[..., :2], b1[..., 2:]
    low2, high2 = b2[..., :2], b2[..., 2:]

    def area(low, high):
        return tf.reduce_prod(tf.maximum(high - low, 0), axis=-1)

    both = area(tf.maximum(low1, low2), tf.minimum(high1, high2))
    union = area(low1, high1) + area(low2, high2) - both
    overlap = tf.math.divide_no_nan(both, union)
    if mode == "iou":
        return 1 - overlap
    hull = area(tf.minimum(low1, low2), tf.maximum(high1, high2))
    return 1 - (overlap - tf.math.divide_no_nan(hull - union, hull))


@register
def pinball_loss(y_true, y_pred, tau=0.5):
    """Compute the mean of max(τ e, (τ - 1) e), e = y - y_pred, for quantiles τ (Koenker and Bassett
    1978)."""
    y_pred = tf.convert_to_tensor(y_pred)
    error = tf.cast(y_true, y_pred.dtype) - y_pred
    tau = tf.cast(tau, y_pred.dtype)
    return tf.reduce_mean(tf.maximum(tau * error, (tau - 1) * error), axis=-1)


# --- triplets ------------------------------------------------------------------------------------


def _distances(x, metric) -> Any:
    """Return the distance of each row to each: "L2", "squared-L2", "angular" or a function."""
    if callable(metric):
        return metric(x)
    if metric == "angular":
        x = tf.nn.l2_normalize(x, axis=1)
        return 1 - tf.matmul(x, x, transpose_b=True)
    if metric not in ("L2", "squared-L2"):
        raise ValueError(
            f"distance_metric is {metric!r}; use 'L2', 'squared-L2', 'angular' or a function."
        )
    squares = tf.reduce_sum(tf.square(x), axis=1)
    squared = squares[:, None] - 2 * tf.matmul(x, x, transpose_b=True) + squares[None, :]
    squared = tf.maximum(squared, 0)
    squared = tf.linalg.set_diag(squared, tf.zeros_like(squares))
    if metric == "squared-L2":
        return squared
    # The root has no derivative at 0.
    zero = squared <= 0
    return tf.where(zero, 0.0, tf.sqrt(tf.where(zero, tf.ones_like(squared), squared)))


def _same(y_true) -> Any:
    labels = tf.reshape(y_true, [-1])
    return labels[:, None] == labels[None, :]


def _computed_in_floats(y_pred):
    x = tf.convert_to_tensor(y_pred)
    return tf.cast(x, tf.float32) if x.dtype in (tf.float16, tf.bfloat16) else x


@register
def triplet_semihard_loss(y_true, y_pred, margin=1.0, distance_metric="L2"):
    """Compute the mean over pairs of a class of max(d(a, p) - d(a, n) + m, 0), with n the nearest
    negative that is farther than p, or else the farthest one (Schroff et al. 2015)."""
    x = _computed_in_floats(y_pred)
    distance = _distances(x, distance_metric)
    same = _same(y_true)
    other = tf.logical_not(same)
    infinite = tf.constant(float("inf"), x.dtype)
    # [anchor, positive, negative]
    farther = other[:, None, :] & (distance[:, None, :] > distance[:, :, None])
    nearest = tf.reduce_min(tf.where(farther, distance[:, None, :], infinite), axis=2)
    lowest = tf.reduce_min(distance, axis=1, keepdims=True)
    farthest = tf.reduce_max(tf.where(other, distance, lowest), axis=1, keepdims=True)
    negative = tf.where(tf.reduce_any(farther, axis=2), nearest, farthest)
    pairs = tf.linalg.set_diag(same, tf.zeros_like(same[0]))
    hinge = tf.maximum(distance - negative + margin, 0)
    count = tf.reduce_sum(tf.cast(pairs, x.dtype))
    total = tf.reduce_sum(tf.where(pairs, hinge, tf.zeros_like(hinge)))
    return tf.cast(tf.math.divide_no_nan(total, count), y_pred.dtype)


@register
def triplet_hard_loss(y_true, y_pred, margin=1.0, soft=False, distance_metric="L2"):
    """Compute the mean over anchors of max(d(a, p) - d(a, n) + m, 0), with p the farthest of the
    class and n the nearest of the others (Hermans et al. 2017); softplus in place of max if
    soft."""
    x = _computed_in_floats(y_pred)
    distance = _distances(x, distance_metric)
    same = _same(y_true)
    positive = tf.linalg.set_diag(same, tf.zeros_like(same[0]))
    highest = tf.reduce_max(distance, axis=1, keepdims=True)
    hardest_negative = tf.reduce_min(tf.where(same, highest, distance), axis=1)
    lowest = tf.reduce_min(distance, axis=1, keepdims=True)
    hardest_positive = tf.reduce_max(tf.where(positive, distance, lowest), axis=1)
    difference = hardest_positive - hardest_negative
    each = tf.math.softplus(difference) if soft else tf.maximum(difference + margin, 0)
    return tf.cast(tf.reduce_mean(each), y_pred.dtype)


@register
def npairs_loss(y_true, y_pred):
    """Compute the cross entropy of a matrix of similarities with the pairs of the same class, which
    share the probability (Sohn 2016)."""
    y_pred = tf.convert_to_tensor(y_pred)
    same = tf.cast(_same(y_true), y_pred.dtype)
    target = same / tf.reduce_sum(same, axis=1, keepdims=True)
    return tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(target, y_pred))


# --- classes -------------------------------------------------------------------------------------


class _FunctionLoss(keras.losses.Loss):
    """A loss that calls a function with options that its constructor takes."""

    function: Any = None
    defaults: ClassVar[dict[str, Any]] = {}
    default_reduction: str | None = "sum_over_batch_size"

    def __init__(self, *args, reduction="default", name=None, **options) -> None:
        given = dict(zip(self.defaults, args, strict=False)) | options
        unknown = given.keys() - self.defaults.keys()
        if unknown:
            raise TypeError(f"{type(self).__name__} has no argument {sorted(unknown)[0]!r}.")
        if reduction == "default":
            reduction = self.default_reduction
        super().__init__(name=name or type(self).function.__name__, reduction=reduction)
        self.options = {**self.defaults, **given}

    def call(self, y_true, y_pred):
        return type(self).function(y_true, y_pred, **self.options)

    def get_config(self) -> dict[str, Any]:
        return {**super().get_config(), **self.options}


def _loss_class(class_name: str, function, reduction=None, /, **defaults):
    members = {
        "function": staticmethod(function),
        "defaults": defaults,
        "default_reduction": reduction,
        "__doc__": function.__doc__,
        "__module__": __name__,
    }
    return register(type(class_name, (_FunctionLoss,), members))


_MEAN = "sum_over_batch_size"
SigmoidFocalCrossEntropy = _loss_class(
    "SigmoidFocalCrossEntropy",
    sigmoid_focal_crossentropy,
    from_logits=False,
    alpha=0.25,
    gamma=2.0,
)
ContrastiveLoss = _loss_class("ContrastiveLoss", contrastive_loss, _MEAN, margin=1.0)
GIoULoss = _loss_class("GIoULoss", giou_loss, _MEAN, mode="giou")
PinballLoss = _loss_class("PinballLoss", pinball_loss, _MEAN, tau=0.5)
TripletSemiHardLoss = _loss_class(
    "TripletSemiHardLoss", triplet_semihard_loss, _MEAN, margin=1.0, distance_metric="L2"
)
TripletHardLoss = _loss_class(
    "TripletHardLoss", triplet_hard_loss, _MEAN, margin=1.0, soft=False, distance_metric="L2"
)
NpairsLoss = _loss_class("NpairsLoss", npairs_loss, _MEAN)
