"""Softmax and the fused cross-entropies, over the last axis."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gradtape import ops
from gradtape.core.bind import bind
from gradtape.core.convert import operands, to_tensor
from gradtape.core.errors import ShapeError
from gradtape.core.primitive import NoDerivative, primitive
from gradtape.core.tensor import Spec
from gradtape.ops.families import (
    FLOATS,
    INTEGERS,
    batch_leading,
    broadcast_shapes,
    check_dtype,
    same_shape,
)

if TYPE_CHECKING:
    from gradtape.core.primitive import Primitive
    from gradtape.core.tensor import Tensor
    from gradtape.core.typing import TensorLike

__all__ = [
    "log_softmax",
    "softmax",
    "softmax_cross_entropy",
    "sparse_softmax_cross_entropy",
]


def _sum(x: Any) -> Tensor:
    return ops.reduce_sum(x, -1, keepdims=True)


def _softmax_pull(g: Any, ans: Any) -> Any:
    return bind(softmax_grad_p, (ans, g))


softmax_grad_p = primitive(
    "softmax_grad",
    "y g",
    family="reduction",  # y · (g - Σ g · y)
    shape=lambda y, g: y,
    vjp={
        "y": lambda h, y, g: h * (g - _sum(g * y)) - g * _sum(h * y),
        "g": lambda h, y: _softmax_pull(h, y),
    },
    jvp={
        "y": lambda t, y, g: t * (g - _sum(g * y)) - y * _sum(g * t),
        "g": lambda t, y: _softmax_pull(t, y),
    },
    batch=batch_leading,
)
softmax_p = primitive(
    "softmax",
    "x",
    family="reduction",
    shape=same_shape,
    # The Jacobian is symmetric: the reverse and the forward rule are the same.
    vjp={"x": _softmax_pull},
    jvp={"x": lambda t, ans: _softmax_pull(t, ans)},
    batch=batch_leading,
)
log_softmax_p = primitive(
    "log_softmax",
    "x",
    family="reduction",
    shape=same_shape,
    vjp={"x": lambda g, ans: g - ops.exp(ans) * ops.reduce_sum(g, -1, keepdims=True)},
    jvp={"x": lambda t, ans: t - ops.reduce_sum(t * ops.exp(ans), -1, keepdims=True)},
    batch=batch_leading,
)


def _along(prim: Primitive, op: str, x: TensorLike, axis: int) -> Tensor:
    """Apply an op on the last axis along another one."""
    x = to_tensor(x)
    check_dtype(op, FLOATS, x)
    rank = x.ndim
    if rank == 0:
        raise ShapeError(f"{op}: a scalar has no axis to sum over: logits must be 1-D or more.")
    axis = ops.normalize_axis(op, -1 if axis is None else axis, rank)
    if axis == rank - 1:
        return bind(prim, (x,))
    return ops.moveaxis(bind(prim, (ops.moveaxis(x, axis, -1),)), -1, axis)


def softmax(x: Any, axis: int = -1) -> Tensor:
    """Compute exp(x), normalized to sum to 1 along an axis."""
    return _along(softmax_p, "Softmax", x, axis)


def log_softmax(x: Tensor, axis: int = -1) -> Tensor:
    """Compute the logarithm of softmax, without underflow."""
    return _along(log_softmax_p, "LogSoftmax", x, axis)


# --- cross-entropy of distributions --------------------------------------------------------------


def _rows_shape(labels: Spec, logits: Spec) -> Spec:
    return Spec(logits.shape[:-1], logits.dtype)


# The derivative with respect to the logits is softmax - labels, as in TensorFlow: labels are
# assumed to sum to 1.
softmax_cross_entropy_p = primitive(
    "softmax_cross_entropy",
    "labels logits",
    family="reduction",
    shape=_rows_shape,
    vjp={
        "labels": lambda g, logits: -ops.expand_dims(g, -1) * log_softmax(logits),
        "logits": lambda g, labels, logits: ops.expand_dims(g, -1) * (softmax(logits) - labels),
    },
    jvp={
        "labels": lambda t, logits: -ops.reduce_sum(t * log_softmax(logits), -1),
        "logits": lambda t, labels, logits: ops.reduce_sum(t * (softmax(logits) - labels), -1),
    },
    batch=batch_leading,
)


def softmax_cross_entropy(labels: Tensor, logits: Tensor) -> Tensor:
    """Compute -Σ labels log softmax(logits) along the last axis."""
    logits, labels = operands("SoftmaxCrossEntropyWithLogits", logits, labels)
    check_dtype("SoftmaxCrossEntropyWithLogits", FLOATS, logits)
    if tuple(labels.shape) != tuple(logits.shape):
        shape = broadcast_shapes(
            "SoftmaxCrossEntropyWithLogits", tuple(logits.shape), tuple(labels.shape)
        )
        logits, labels = ops.broadcast_to(logits, shape), ops.broadcast_to(labels, shape)
    if logits.ndim == 0:
        raise ShapeError("SoftmaxCrossEntropyWithLogits: logits must have at least one axis.")
    return bind(softmax_cross_entropy_p, (labels, logits))


# --- cross-entropy of class numbers --------------------------------------------------------------

_CLASS = NoDerivative("labels are class numbers, integers")

sparse_softmax_cross_entropy_p = primitive(
    "sparse_softmax_cross_entropy",
    "labels logits",
    family="reduction",
    shape=_rows_shape,
    vjp={
        "labels": _CLASS,
        "logits": lambda g, labels, logits: bind(sparse_grad_p, (labels, logits, g)),
    },
    jvp={
        "labels": _CLASS,
        "logits": lambda t, labels, logits: ops.reduce_sum(
            t * bind(sparse_grad_p, (labels, logits, ops.ones(labels.shape, t.dtype))), -1
        ),
    },
    batch=batch_leading,
)


def _pull_softmax(h: Any, logits: Any, g: Any) -> Tensor:
    p = softmax(logits)
    return _softmax_pull(h, p) * ops.expand_dims(g, -1)


sparse_grad_p = primitive(
    "sparse_softmax_cross_entropy_grad",
    "labels logits g",
    family="reduction",
    shape=lambda labels, logits, g: logits,
    vjp={
        "labels": _CLASS,
        "logits": _pull_softmax,
        "g": lambda h, labels, logits: ops.reduce_sum(
            h * bind(sparse_grad_p, (labels, logits, ops.ones(labels.shape, h.dtype))), -1
        ),
    },
    jvp={
        "labels": _CLASS,
        "logits": lambda t, logits, g: _pull_softmax(t, logits, g),
        "g": lambda t, labels, logits: bind(sparse_grad_p, (labels, logits, t)),
    },
    batch=batch_leading,
)


def sparse_softmax_cross_entropy(labels: TensorLike, logits: TensorLike) -> Tensor:
    """Compute -log softmax(logits)[label] along the last axis."""
    op = "SparseSoftmaxCrossEntropyWithLogits"
    labels, logits = to_tensor(labels), to_tensor(logits)
    check_dtype(op, FLOATS, logits)
    check_dtype(op, INTEGERS, labels)
    if logits.ndim == 0:
        raise ShapeError(f"{op}: logits cannot be scalars. Received logits={logits}")
    if tuple(labels.shape) != tuple(logits.shape)[:-1]:
        raise ShapeError(
            f"{op}: `labels.shape` must equal `logits.shape` except for the last dimension. "
            f"Received: labels.shape={labels.shape} and logits.shape={logits.shape}. For labels "
            "that are distributions use tf.nn.softmax_cross_entropy_with_logits."
        )
    return bind(sparse_softmax_cross_entropy_p, (labels, logits))
