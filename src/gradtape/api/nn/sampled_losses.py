"""`tf.nn.nce_loss` and `tf.nn.sampled_softmax_loss`: losses over a sample of very many classes."""

from __future__ import annotations

import numpy as np

from gradtape import ops
from gradtape.api.export import export
from gradtape.api.nn import nn
from gradtape.api.random.candidate_sampling import (
    compute_accidental_hits,
    log_uniform_candidate_sampler,
)
from gradtape.core.tensor import Tensor


def _sampled_logits(
    weights,
    biases,
    labels,
    inputs,
    num_sampled,
    num_classes,
    num_true,
    sampled_values,
    remove_accidental_hits,
    seed,
) -> tuple:
    """Return (logits, labels), both [batch, num_true + num_sampled]: true classes, then sampled
    ones."""
    labels, inputs = ops.cast(labels, "int64"), ops.to_tensor(inputs)
    flat = ops.reshape(labels, (-1,))
    if sampled_values is None:
        sampled_values = log_uniform_candidate_sampler(
            labels, num_true, num_sampled, True, num_classes, seed
        )
    sampled, true_expected, sampled_expected = (ops.stop_gradient(v) for v in sampled_values)
    sampled = ops.cast(sampled, "int64")
    # One lookup for all, so that the gradient is one set of rows.
    every = ops.concat([flat, sampled], 0)
    count = flat.shape[0]
    rows = nn.embedding_lookup(weights, every)
    offsets = nn.embedding_lookup(biases, every)
    size = rows.shape[1]
    true_rows = ops.reshape(rows[:count], (-1, num_true, size))
    true_logits = ops.reduce_sum(ops.expand_dims(inputs, 1) * true_rows, -1)
    true_logits = true_logits + ops.reshape(offsets[:count], (-1, num_true))
    sampled_logits = ops.matmul(inputs, rows[count:], transpose_b=True) + offsets[count:]
    if remove_accidental_hits:
        hits = compute_accidental_hits(labels, sampled, num_true)
        away = np.zeros(sampled_logits.shape, sampled_logits.dtype.as_numpy_dtype)
        away[np.asarray(hits[0].numpy()), np.asarray(hits[1].numpy())] = hits[2].numpy()
        sampled_logits = sampled_logits + Tensor(away)
    true_logits = true_logits - ops.log(true_expected)
    sampled_logits = sampled_logits - ops.log(sampled_expected)
    logits = ops.concat([true_logits, sampled_logits], 1)
    targets = ops.concat([ops.ones_like(true_logits) / num_true, ops.zeros_like(sampled_logits)], 1)
    return logits, ops.stop_gradient(targets)


@export("nn.nce_loss")
def nce_loss(
    weights,
    biases,
    labels,
    inputs,
    num_sampled,
    num_classes,
    num_true=1,
    sampled_values=None,
    remove_accidental_hits=False,
    name="nce_loss",
) -> Tensor:
    """Return the loss of noise-contrastive estimation: true classes against sampled ones."""
    logits, targets = _sampled_logits(
        weights,
        biases,
        labels,
        inputs,
        num_sampled,
        num_classes,
        num_true,
        sampled_values,
        remove_accidental_hits,
        None,
    )
    losses = nn.sigmoid_cross_entropy_with_logits(labels=targets, logits=logits)
    return ops.reduce_sum(losses, 1)


@export("nn.sampled_softmax_loss")
def sampled_softmax_loss(
    weights,
    biases,
    labels,
    inputs,
    num_sampled,
    num_classes,
    num_true=1,
    sampled_values=None,
    remove_accidental_hits=True,
    seed=None,
    name="sampled_softmax_loss",
) -> Tensor:
    """Return the softmax cross-entropy over the true and sampled classes only: for training."""
    logits, targets = _sampled_logits(
        weights,
        biases,
        labels,
        inputs,
        num_sampled,
        num_classes,
        num_true,
        sampled_values,
        remove_accidental_hits,
        seed,
    )
    return nn.softmax_cross_entropy_with_logits(targets, logits)
