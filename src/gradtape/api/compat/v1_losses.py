"""`tf.compat.v1.losses`, and the learning rates of `tf.compat.v1.train` that decay."""

from __future__ import annotations

import functools
import math
from typing import Any

from gradtape import ops
from gradtape.api.export import export, lookup
from gradtape.core import dtypes
from gradtape.core.state import get_state
from gradtape.core.tensor import Tensor

_RULES = (
    "none",
    "weighted_sum",
    "weighted_mean",
    "weighted_sum_over_batch_size",
    "weighted_sum_by_nonzero_weights",
)


@export("compat.v1.losses.Reduction")
class Reduction:
    """How the losses of examples become one."""

    NONE, SUM, MEAN, SUM_OVER_BATCH_SIZE, SUM_BY_NONZERO_WEIGHTS = _RULES
    SUM_OVER_NONZERO_WEIGHTS = SUM_BY_NONZERO_WEIGHTS

    @classmethod
    def all(cls) -> tuple[str, ...]:
        """Return all rules."""
        return (*_RULES[:4], _RULES[4], _RULES[4])

    @classmethod
    def validate(cls, key) -> None:
        """Raise ValueError for what is no rule."""
        if key not in _RULES:
            raise ValueError(f"Invalid Reduction Key {key}.")


BY_WEIGHTS = Reduction.SUM_BY_NONZERO_WEIGHTS


@export("compat.v1.losses.compute_weighted_loss")
def compute_weighted_loss(
    losses, weights: Any = 1.0, scope=None, loss_collection="losses", reduction=BY_WEIGHTS
):
    """Return losses times weights, reduced to one number unless `reduction` is "none"."""
    Reduction.validate(reduction)
    losses = ops.to_tensor(losses)
    kind = losses.dtype
    x, w = ops.cast(losses, dtypes.float32), ops.cast(ops.to_tensor(weights), dtypes.float32)
    weighted = x * w
    if reduction == Reduction.NONE:
        return ops.cast(weighted, kind)
    total = ops.reduce_sum(weighted)
    present = ops.broadcast_to(w, x.shape)
    if reduction == Reduction.MEAN:
        total = _safe_mean(total, ops.reduce_sum(present))
    elif reduction == Reduction.SUM_OVER_BATCH_SIZE:
        total = _safe_mean(total, ops.cast(lookup("size")(x), dtypes.float32))
    elif reduction == BY_WEIGHTS:
        nonzero = ops.cast(ops.not_equal(present, 0.0), dtypes.float32)
        total = _safe_mean(total, ops.reduce_sum(nonzero))
    return ops.cast(total, kind)


def _safe_mean(total, count):
    return lookup("math.divide_no_nan")(total, count)


def _pair(labels, predictions):
    for name, value in (("labels", labels), ("predictions", predictions)):
        if value is None:
            raise ValueError(f"Argument `{name}` must not be None.")
    predictions = ops.cast(ops.to_tensor(predictions), dtypes.float32)
    labels = ops.cast(ops.to_tensor(labels), dtypes.float32)
    predictions.shape.assert_is_compatible_with(labels.shape)
    return labels, predictions


def _elementwise(name: str, **own: float):
    """Export a loss that compares labels and predictions element by element."""

    def register(formula):
        def loss(
            labels,
            predictions,
            weights: Any = 1.0,
            *args,
            scope=None,
            loss_collection="losses",
            reduction=BY_WEIGHTS,
            **options,
        ):
            unknown = options.keys() - own.keys()
            if unknown:
                raise TypeError(f"losses.{name}: unknown arguments {', '.join(sorted(unknown))}")
            names = [*own, "scope", "loss_collection", "reduction"]
            given = dict(zip(names, args, strict=False))
            reduction = given.pop("reduction", reduction)
            settings = {key: given.get(key, options.get(key, start)) for key, start in own.items()}
            losses = formula(*_pair(labels, predictions), **settings)
            return compute_weighted_loss(losses, weights, reduction=reduction)

        functools.update_wrapper(loss, formula)
        vars(loss).pop("__wrapped__")  # its parameters are others
        return export(f"compat.v1.losses.{name}")(loss)

    return register


@_elementwise("absolute_difference")
def absolute_difference(labels, predictions) -> Tensor:
    """Return the weighted mean of absolute differences."""
    return ops.abs(predictions - labels)


@_elementwise("mean_squared_error")
def mean_squared_error(labels, predictions) -> Tensor:
    """Return the weighted mean of squared differences."""
    return ops.square(predictions - labels)


@_elementwise("log_loss", epsilon=1e-7)
def log_loss(labels, predictions, epsilon) -> Tensor:
    """Return the cross entropy of probabilities."""
    return -labels * ops.log(predictions + epsilon) - (1 - labels) * ops.log(
        1 - predictions + epsilon
    )


@_elementwise("huber_loss", delta=1.0)
def huber_loss(labels, predictions, delta) -> Tensor:
    """Return a loss that is quadratic up to delta, and linear beyond."""
    error = ops.abs(predictions - labels)
    near = ops.minimum(error, delta)
    return 0.5 * near * near + delta * (error - near)


@export("compat.v1.losses.hinge_loss")
def hinge_loss(
    labels, logits, weights: Any = 1.0, scope=None, loss_collection="losses", reduction=BY_WEIGHTS
) -> Tensor:
    """Return the hinge loss for labels 0 and 1."""
    labels, logits = _pair(labels, logits)
    losses = lookup("nn.relu")(1 - (2 * labels - 1) * logits)
    return compute_weighted_loss(losses, weights, reduction=reduction)


@export("compat.v1.losses.cosine_distance")
def cosine_distance(
    labels,
    predictions,
    axis=None,
    weights: Any = 1.0,
    scope=None,
    loss_collection="losses",
    reduction=BY_WEIGHTS,
    dim=None,
) -> Tensor:
    """Return 1 - cosine of the angle between unit vectors along an axis."""
    axis = dim if axis is None else axis
    if axis is None:
        raise ValueError("You must specify argument `axis`.")
    labels, predictions = _pair(labels, predictions)
    losses = 1 - ops.reduce_sum(labels * predictions, axis=axis, keepdims=True)
    return compute_weighted_loss(losses, weights, reduction=reduction)


def _smooth_pair(labels, logits, smoothing: float, classes: int | None = None):
    """Return labels and logits of one dtype; `smoothing` is the part of each label that is spread
    evenly over the classes (None: those of the last axis)."""
    logits = ops.to_tensor(logits)
    labels = ops.cast(ops.to_tensor(labels), logits.dtype)
    logits.shape.assert_is_compatible_with(labels.shape)
    if smoothing > 0:
        labels = labels * (1 - smoothing) + smoothing / (classes or int(labels.shape[-1]))
    return labels, logits


@export("compat.v1.losses.sigmoid_cross_entropy")
def sigmoid_cross_entropy(
    multi_class_labels,
    logits,
    weights: Any = 1.0,
    label_smoothing=0,
    scope=None,
    loss_collection="losses",
    reduction=BY_WEIGHTS,
) -> Tensor:
    """Return the cross entropy of independent classes."""
    labels, logits = _smooth_pair(multi_class_labels, logits, label_smoothing, classes=2)
    losses = lookup("nn.sigmoid_cross_entropy_with_logits")(labels=labels, logits=logits)
    return compute_weighted_loss(losses, weights, reduction=reduction)


@export("compat.v1.losses.softmax_cross_entropy")
def softmax_cross_entropy(
    onehot_labels,
    logits,
    weights: Any = 1.0,
    label_smoothing=0,
    scope=None,
    loss_collection="losses",
    reduction=BY_WEIGHTS,
) -> Tensor:
    """Return the cross entropy of one class in many, with one-hot labels."""
    labels, logits = _smooth_pair(onehot_labels, logits, label_smoothing)
    losses = lookup("nn.softmax_cross_entropy_with_logits")(
        labels=ops.stop_gradient(labels), logits=logits
    )
    return compute_weighted_loss(losses, weights, reduction=reduction)


@export("compat.v1.losses.sparse_softmax_cross_entropy")
def sparse_softmax_cross_entropy(
    labels, logits, weights: Any = 1.0, scope=None, loss_collection="losses", reduction=BY_WEIGHTS
) -> Tensor:
    """Return the cross entropy of one class in many, with the classes' numbers."""
    logits, labels = ops.to_tensor(logits), ops.to_tensor(labels)
    if len(labels.shape) == len(logits.shape):
        labels = lookup("squeeze")(labels, [-1])
    losses = lookup("nn.sparse_softmax_cross_entropy_with_logits")(labels=labels, logits=logits)
    weights = ops.to_tensor(weights)
    if len(weights.shape) == len(losses.shape) + 1:
        weights = lookup("squeeze")(weights, [-1])
    return compute_weighted_loss(losses, weights, reduction=reduction)


# --- learning rates ------------------------------------------------------------------------------


def _decay(*names: str):
    """Export a rate as a function of the step: eagerly that of no arguments, which reads the
    step each time; in a tf.function its value, as in TensorFlow 2."""

    def register(formula):
        @functools.wraps(formula)
        def decay(*args, **kwargs):
            if get_state().trace is not None:
                return formula(*args, **kwargs)
            return functools.partial(formula, *args, **kwargs)

        return export(*(f"compat.v1.train.{name}" for name in names))(decay)

    return register


def _ratio(rate, step, period):
    rate = ops.to_tensor(rate)
    return rate, ops.cast(ops.to_tensor(step), rate.dtype), ops.cast(period, rate.dtype)


@_decay("exponential_decay")
def exponential_decay(
    learning_rate, global_step, decay_steps, decay_rate, staircase=False, name=None
):
    """Return rate · decay_rate^(step / decay_steps)."""
    rate, step, period = _ratio(learning_rate, global_step, decay_steps)
    times = step / period
    return rate * ops.pow(
        ops.cast(decay_rate, rate.dtype), ops.floor(times) if staircase else times
    )


@_decay("natural_exp_decay")
def natural_exp_decay(
    learning_rate, global_step, decay_steps, decay_rate, staircase=False, name=None
):
    """Return rate · exp(-decay_rate · step / decay_steps)."""
    rate, step, period = _ratio(learning_rate, global_step, decay_steps)
    times = step / period
    return rate * ops.exp(-decay_rate * (ops.floor(times) if staircase else times))


@_decay("inverse_time_decay")
def inverse_time_decay(
    learning_rate, global_step, decay_steps, decay_rate, staircase=False, name=None
):
    """Return rate / (1 + decay_rate · step / decay_steps)."""
    rate, step, period = _ratio(learning_rate, global_step, decay_steps)
    times = step / period
    return rate / (1 + decay_rate * (ops.floor(times) if staircase else times))


@_decay("polynomial_decay")
def polynomial_decay(
    learning_rate,
    global_step,
    decay_steps,
    end_learning_rate=0.0001,
    power=1.0,
    cycle=False,
    name=None,
):
    """Return the rate on its way to `end_learning_rate`, along a power."""
    rate, step, period = _ratio(learning_rate, global_step, decay_steps)
    if cycle:
        period = period * ops.maximum(ops.ceil(step / period), ops.ones_like(step))
    else:
        step = ops.minimum(step, period)
    return (rate - end_learning_rate) * ops.pow(1 - step / period, ops.cast(power, rate.dtype)) + (
        end_learning_rate
    )


@_decay("cosine_decay")
def cosine_decay(learning_rate, global_step, decay_steps, alpha=0.0, name=None):
    """Return the rate on its way to alpha · rate, along half a period of the cosine."""
    rate, step, period = _ratio(learning_rate, global_step, decay_steps)
    fraction = ops.minimum(step, period) / period
    return rate * ((1 - alpha) * 0.5 * (1 + ops.cos(math.pi * fraction)) + alpha)


@_decay("piecewise_constant", "piecewise_constant_decay")
def piecewise_constant(x, boundaries, values, name=None):
    """Return the value of the interval that x is in; a boundary belongs to the one before it."""
    if len(boundaries) != len(values) - 1:
        raise ValueError(
            f"The length of boundaries should be 1 less than the length of values: "
            f"{len(boundaries)} and {len(values)}."
        )
    x, result = ops.to_tensor(x), ops.to_tensor(values[0])
    for boundary, value in zip(boundaries, values[1:], strict=True):
        result = ops.where(x > ops.cast(boundary, x.dtype), ops.to_tensor(value), result)
    return result
