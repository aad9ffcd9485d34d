"""Crossentropies, with TensorFlow's numerics; one-hot codes; the signal-to-noise ratio."""

from __future__ import annotations

import warnings

from keras.src.backend.config import epsilon

from gradtape import ops
from gradtape.api import numpy_names as names
from gradtape.api.array.shape import broadcast_static_shape
from gradtape.api.compat.old_names import notice, old_names_work
from gradtape.api.nn import nn
from keras_gradtape.src import sparse as sparse_rules
from keras_gradtape.src.conversion import cast, convert_to_tensor, numpy_dtype
from keras_gradtape.src.promotion import common, inexact

__all__ = [
    "binary_crossentropy",
    "categorical_crossentropy",
    "multi_hot",
    "one_hot",
    "psnr",
    "sparse_categorical_crossentropy",
]


def _logits(output, from_logits: bool, activation: str, name: str):
    """Return the logits behind an output, where its activation has noted them, as more exact."""
    logits = getattr(output, "_keras_logits", None)
    if logits is None:
        return output, from_logits
    if from_logits:
        warnings.warn(
            f'"`{name}` received `from_logits=True`, but the `output` argument was produced by a '
            f"{activation} activation and thus does not represent logits. Was this intended?",
            stacklevel=3,
        )
    return logits, True


def _check_same_shape(target, output) -> None:
    if tuple(target.shape) != tuple(output.shape):
        raise ValueError(
            "Arguments `target` and `output` must have the same shape. Received: "
            f"target.shape={tuple(target.shape)}, output.shape={tuple(output.shape)}"
        )


def _clip(output):
    return ops.clip(output, epsilon(), 1 - epsilon())


def categorical_crossentropy(target, output, from_logits=False, axis=-1):
    """Return -Σ target log(output) along an axis, for distributions."""
    output, from_logits = _logits(output, from_logits, "Softmax", "categorical_crossentropy")
    output = inexact(output)
    target, output = common(target, output)
    _check_same_shape(target, output)
    if not target.ndim:
        raise ValueError(
            "Arguments `target` and `output` must be at least rank 1. Received: "
            f"target.shape={tuple(target.shape)}, output.shape={tuple(output.shape)}"
        )
    if from_logits:
        return nn.softmax_cross_entropy_with_logits(target, output, axis)
    output = output / ops.reduce_sum(output, axis, keepdims=True)
    return -ops.reduce_sum(target * ops.log(_clip(output)), axis)


def sparse_categorical_crossentropy(target, output, from_logits=False, axis=-1):
    """Return -log(output[target]) along an axis, for numbers of classes."""
    output, from_logits = _logits(output, from_logits, "Softmax", "sparse_categorical_crossentropy")
    target, output = cast(target, "int32"), inexact(output)
    if target.ndim == output.ndim and target.shape[-1] == 1:
        target = ops.squeeze(target, -1)
    if not output.ndim:
        raise ValueError(
            f"Argument `output` must be at least rank 1. Received: output.shape={output.shape}"
        )
    if axis not in (-1, output.ndim - 1):
        output = ops.moveaxis(output, axis, -1)
    if tuple(target.shape) != tuple(output.shape[:-1]):
        raise ValueError(
            "Arguments `target` and `output` must have the same shape up until the last dimension: "
            f"target.shape={tuple(target.shape)}, output.shape={tuple(output.shape)}"
        )
    if not from_logits:
        output = ops.log(_clip(output))
    return ops.sparse_softmax_cross_entropy(target, output)


def binary_crossentropy(target, output, from_logits=False):
    """Return the binary cross-entropy."""
    output, from_logits = _logits(output, from_logits, "Sigmoid", "binary_crossentropy")
    target, output = common(target, inexact(output))
    if tuple(target.shape) != tuple(output.shape) and old_names_work():
        target, output = _broadcast(target, output)
    _check_same_shape(target, output)
    if from_logits:
        return nn.sigmoid_cross_entropy_with_logits(target, output)
    output = _clip(output)
    return -(target * ops.log(output) + (1 - target) * ops.log(1 - output))


def _broadcast(target, output):
    """Return both in one shape, as Keras 2 combined them; as they are where there is none."""
    try:
        shape = broadcast_static_shape(target.shape, output.shape)
    except ValueError:
        return target, output
    notice(
        f"A binary cross-entropy of shapes {tuple(target.shape)} and {tuple(output.shape)}, which "
        f"are broadcast to {tuple(shape)}, is a manner of Keras 2. Reshape one of them."
    )
    return ops.broadcast_to(target, shape), ops.broadcast_to(output, shape)


def psnr(x1, x2, max_val):
    """Return the peak signal-to-noise ratio, in decibels."""
    x1, x2 = common(x1, x2)
    if tuple(x1.shape) != tuple(x2.shape):
        raise ValueError(
            f"Input shapes {tuple(x1.shape)} and {tuple(x2.shape)} must match for PSNR "
            "calculation. "
        )
    max_val = convert_to_tensor(max_val, x2.dtype)
    error = ops.reduce_mean(ops.square(x1 - x2))
    return 20 * names.log10(max_val) - 10 * names.log10(error)


# --- codes of integers ----------------------------------------------------------------------------


def one_hot(x, num_classes, axis=-1, dtype=None, sparse=False):
    """Return ones at the indices, else zeros; only zeros for indices out of range."""
    x = convert_to_tensor(x)
    if not x.dtype.is_integer:
        x = ops.cast(x, "int32")
    if sparse:
        return sparse_rules.one_hot(x, num_classes, axis, numpy_dtype(dtype or "float32"))
    axis = axis + x.ndim + 1 if axis < -1 else axis
    return ops.one_hot(x, num_classes, axis, numpy_dtype(dtype or "float32"))


def multi_hot(x, num_classes, axis=-1, dtype=None, sparse=False):
    """Return ones at all indices of a row, else zeros."""
    x = cast(x, "int32")
    if sparse:
        return sparse_rules.multi_hot(x, num_classes, axis, numpy_dtype(dtype or "float32"))
    codes = one_hot(x, num_classes, axis, dtype)
    return names.max(codes, 1 if x.ndim > 1 else 0)
