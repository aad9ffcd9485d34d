"""`tf.nn`: losses, normalization, lookups. Activations: see elementwise; windows: convolution."""

from __future__ import annotations

import numpy as np

from gradtape import ops
from gradtape.api.export import export
from gradtape.core.convert import static_int
from gradtape.core.errors import InvalidArgumentError
from gradtape.core.scope import replica_count
from gradtape.core.tensor import Tensor, TensorBase


@export("nn.softmax", "math.softmax")
def softmax(logits, axis=None, name=None) -> Tensor:
    """Return exp(logits), scaled to sum to one along an axis (the last)."""
    return ops.softmax(logits, -1 if axis is None else axis)


@export("nn.log_softmax", "math.log_softmax")
def log_softmax(logits, axis=None, name=None) -> Tensor:
    """Return the logarithm of softmax."""
    return ops.log_softmax(logits, -1 if axis is None else axis)


# --- losses --------------------------------------------------------------------------------------


@export("nn.softmax_cross_entropy_with_logits")
def softmax_cross_entropy_with_logits(labels, logits, axis=-1, name=None) -> Tensor:
    """Return -Σ labels log softmax(logits) along an axis; labels are distributions."""
    logits, labels = ops.operands("SoftmaxCrossEntropyWithLogits", logits, labels)
    axis = ops.normalize_axis("SoftmaxCrossEntropyWithLogits", axis, max(logits.ndim, 1))
    if axis != logits.ndim - 1:
        logits, labels = ops.moveaxis(logits, axis, -1), ops.moveaxis(labels, axis, -1)
    return ops.softmax_cross_entropy(labels, logits)


@export("nn.sparse_softmax_cross_entropy_with_logits")
def sparse_softmax_cross_entropy_with_logits(labels, logits, name=None) -> Tensor:
    """Return -log softmax(logits)[label]; labels are class numbers."""
    return ops.sparse_softmax_cross_entropy(labels, logits)


def _check_same_shape(op: str, labels, logits) -> None:
    if tuple(labels.shape) != tuple(logits.shape):
        raise ValueError(
            f"`logits` and `labels` must have the same shape, received ({logits.shape} vs "
            f"{labels.shape}). [{op}]"
        )


@export("nn.sigmoid_cross_entropy_with_logits")
def sigmoid_cross_entropy_with_logits(labels=None, logits=None, name=None) -> Tensor:
    """Return the cross-entropy of independent truth values, from logits, without overflow."""
    if labels is None or logits is None:
        raise ValueError("Both `labels` and `logits` must be provided.")
    logits, labels = ops.operands("sigmoid_cross_entropy_with_logits", logits, labels)
    _check_same_shape("sigmoid_cross_entropy_with_logits", labels, logits)
    zeros = ops.zeros_like(logits)
    positive = logits >= zeros
    # -|x| and max(x, 0), chosen so that the derivative at 0 is that of the smooth function.
    negative_size = ops.where(positive, -logits, logits)
    return ops.where(positive, logits, zeros) - logits * labels + ops.log1p(ops.exp(negative_size))


@export("nn.weighted_cross_entropy_with_logits")
def weighted_cross_entropy_with_logits(labels, logits, pos_weight, name=None) -> Tensor:
    """Return the sigmoid cross-entropy with positive examples weighted by `pos_weight`."""
    logits, labels = ops.operands("weighted_cross_entropy_with_logits", logits, labels)
    _check_same_shape("weighted_cross_entropy_with_logits", labels, logits)
    weight = 1 + (pos_weight - 1) * labels
    softplus = ops.log1p(ops.exp(-ops.abs(logits))) + ops.relu(-logits)
    return (1 - labels) * logits + weight * softplus


@export("nn.log_poisson_loss")
def log_poisson_loss(targets, log_input, compute_full_loss=False, name=None) -> Tensor:
    """Return the negative log-likelihood of counts, given the logarithm of the rate."""
    log_input, targets = ops.operands("log_poisson_loss", log_input, targets)
    _check_same_shape("log_poisson_loss", targets, log_input)
    loss = ops.exp(log_input) - log_input * targets
    if not compute_full_loss:
        return loss
    # Stirling's approximation of log(targets!), for targets of 2 and more.
    stirling = targets * ops.log(targets) - targets + 0.5 * ops.log(2 * np.pi * targets)
    small = (targets >= 0) & (targets <= 1)
    return loss + ops.where(small, ops.zeros_like(targets), stirling)


@export("nn.compute_average_loss")
def compute_average_loss(per_example_loss, sample_weight=None, global_batch_size=None) -> Tensor:
    """Return the sum of per-example losses, divided by the size of the batch of all replicas."""
    loss = ops.to_tensor(per_example_loss)
    if global_batch_size is None:
        batch = loss.shape[0] * replica_count.get()
    else:
        batch = static_int(global_batch_size)
    if sample_weight is not None:
        loss = loss * ops.cast(sample_weight, loss.dtype)
    return ops.reduce_sum(loss) / batch


@export("nn.scale_regularization_loss")
def scale_regularization_loss(regularization_loss) -> Tensor:
    """Return the share of a replica in the sum of a regularization loss."""
    return ops.reduce_sum(regularization_loss) / replica_count.get()


# --- normalization -------------------------------------------------------------------------------


@export("nn.batch_normalization")
def batch_normalization(x, mean, variance, offset, scale, variance_epsilon, name=None) -> Tensor:
    """Return (x - mean) / sqrt(variance + epsilon), scaled and shifted."""
    x, mean, variance = ops.to_tensor(x), ops.to_tensor(mean), ops.to_tensor(variance)
    inverse = ops.rsqrt(variance + variance_epsilon)
    given = [ops.to_tensor(v) for v in (mean, inverse, scale, offset) if v is not None]
    if x.dtype.is_floating and all(
        v.dtype is x.dtype and ops.spreads_to(v._data.shape, x._data.shape) for v in given
    ):
        return ops.rescale(x, mean, inverse, scale, offset)
    if scale is not None:
        inverse = inverse * scale
    shift = -mean * inverse if offset is None else offset - mean * inverse
    return x * ops.cast(inverse, x.dtype) + ops.cast(shift, x.dtype)


@export("nn.batch_norm_with_global_normalization")
def batch_norm_with_global_normalization(
    input, mean, variance, beta, gamma, variance_epsilon, scale_after_normalization, name=None
) -> Tensor:
    """Compute batch normalization, by the argument names of TensorFlow 1."""
    scale = gamma if scale_after_normalization else None
    return batch_normalization(input, mean, variance, beta, scale, variance_epsilon)


@export("nn.local_response_normalization", "nn.lrn")
def local_response_normalization(
    input, depth_radius=5, bias=1, alpha=1, beta=0.5, name=None
) -> Tensor:
    """Divide each element by a power of the sum of squares of its neighbors along the channels."""
    x = ops.to_tensor(input)
    if x.ndim != 4:
        raise ops.ShapeError(f"LRN: in must be 4-dimensional, got shape {x.shape}")
    radius = static_int(depth_radius, "LRN: depth_radius")
    if not 0 <= radius < 2**31 - 1:
        raise InvalidArgumentError(
            f"LRN: depth_radius = {radius} is negative or too large [Op:LRN]"
        )
    radius = min(radius, x.shape[-1])
    squares = ops.reshape(x * x, (-1, x.shape[-1], 1))
    near = ops.window_sum(squares, (2 * radius + 1,), (1,), ((radius, radius),), (1,))
    base = bias + alpha * ops.reshape(near, x.shape)
    # As TensorFlow computes it: a pass of `pow` would take longer than all the rest.
    if beta == 1:
        return x * ops.reciprocal(base)
    return x * (ops.rsqrt(base) if beta == 0.5 else ops.exp(-beta * ops.log(base)))


@export("nn.bias_add")
def bias_add(value, bias, data_format=None, name=None) -> Tensor:
    """Add a vector along the channels."""
    value, bias = ops.operands("BiasAdd", value, bias)
    layout = "N...C" if data_format is None else str(data_format)
    first = layout.startswith("NC")
    if not (first or (layout.startswith("N") and layout.endswith("C"))):
        raise ValueError(
            "`data_format` must be of the form `N...C` or `NC...`. Received: "
            f"data_format={data_format}"
        )
    axis = 1 if first else value.ndim - 1
    if bias.ndim != 1 or value.ndim < 2 or bias.shape[0] != value.shape[axis]:
        raise ops.ShapeError(
            f"BiasAdd: Must provide as many biases as the last dimension of the input tensor: "
            f"{bias.shape} vs. {value.shape}"
        )
    if first and value.ndim > 2:
        bias = ops.reshape(bias, (-1, *(1,) * (value.ndim - 2)))
    return value + bias


# --- lookups -------------------------------------------------------------------------------------


@export("nn.embedding_lookup")
def embedding_lookup(params, ids, max_norm=None, name=None) -> Tensor:
    """Return rows of a table (or of several that follow one another)."""
    if params is None or (isinstance(params, (list, tuple)) and not params):
        raise ValueError(f"params must be specified, got {params!r}")
    ids = ops.to_tensor(ids)
    if not isinstance(params, (list, tuple)):
        rows = ops.gather(params, ids)
    elif len(params) == 1:
        rows = ops.gather(params[0], ids)
    else:
        rows = _lookup_in_tables(params, ids)
    if max_norm is None:
        return rows
    axes = list(range(ids.ndim, rows.ndim))
    norm = ops.sqrt(ops.reduce_sum(rows * rows, axes, keepdims=True))
    return rows * (max_norm / ops.maximum(norm, ops.cast(max_norm, rows.dtype)))


def _lookup_in_tables(tables, ids):
    """Return rows of tables that follow one another; each table gets a sparse gradient of its
    own."""
    if type(ids) is not Tensor:  # one of many ids at once, inside vmap
        return ops.gather(ops.concat([ops.to_tensor(t) for t in tables], 0), ids)
    tables = [t if isinstance(t, TensorBase) else ops.to_tensor(t) for t in tables]
    flat = np.asarray(ids.numpy()).reshape(-1)
    ends = np.cumsum([t.shape[0] for t in tables])
    if flat.size and (flat.min() < 0 or flat.max() >= ends[-1]):
        raise ops.InvalidArgumentError(
            f"embedding_lookup: ids must be from 0 to {ends[-1] - 1}, got {flat.min()} to "
            f"{flat.max()}"
        )
    owner = np.searchsorted(ends, flat, side="right")
    starts = ends - [t.shape[0] for t in tables]
    order = np.argsort(owner, kind="stable")
    parts = [
        ops.gather(table, Tensor(flat[owner == i] - starts[i])) for i, table in enumerate(tables)
    ]
    rows = ops.gather(ops.concat(parts, 0), Tensor(np.argsort(order)))
    return ops.reshape(rows, (*ids.shape, *rows.shape[1:]))
