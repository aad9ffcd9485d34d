"""Scaled dot-product attention, for [batch, time, heads, depth]. XLA chooses what is in memory."""

from __future__ import annotations

import jax
import jax.numpy as jnp

from gradtape.backends.numpy.attention import MASKED_FROM


def attention(q, k, v, bias, scale, causal):
    scores = jnp.einsum("bthd,bshd->bhts", q, k) * jnp.asarray(scale, q.dtype)
    scores = jnp.where(bias > MASKED_FROM, scores + bias, bias)
    if causal:
        scores = jnp.where(jnp.tri(q.shape[1], k.shape[1], dtype=bool), scores, -jnp.inf)
    result = jnp.einsum("bhts,bshd->bthd", jax.nn.softmax(scores, -1), v)
    return result, jax.nn.logsumexp(scores, -1)


def attention_grad(q, k, v, bias, result, logs, g, scale, causal):
    def attend(q, k, v):
        return attention(q, k, v, bias, scale, causal)[0]

    return jax.vjp(attend, q, k, v)[1](g)


KERNELS = {"attention": attention, "attention_grad": attention_grad}
