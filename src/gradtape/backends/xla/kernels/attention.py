"""Scaled dot-product attention, for [batch, time, heads, depth]. XLA decides what is in memory."""

from __future__ import annotations

import jax
import jax.numpy as jnp

from gradtape.backends.constants import MASKED_FROM


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


# --- in programs for GPUs ------------------------------------------------------------------------


def fused_attention(q, k, v, scale, causal, by_head, has_vjp):
    """Compute attention by cuDNN's kernel, or op by op if that does not support the inputs.

    With `has_vjp`, also return the function from a cotangent to those of q, k, v, which uses the
    residuals of the kernel.
    """

    def fused(q, k, v):
        return jax.nn.dot_product_attention(
            q, k, v, scale=scale, is_causal=causal, implementation="cudnn"
        )

    def composed(q, k, v):
        wide_q, wide_k, wide_v = (x.astype(jnp.float32) for x in (q, k, v))
        result, _ = attention(wide_q, wide_k, wide_v, jnp.float32(0), scale, causal)
        return result.astype(q.dtype)

    def attend(kernel):
        def run(*xs):
            # Heads before time, as programs write it, or after, as the kernel takes it.
            xs = [x.swapaxes(1, 2) for x in xs] if by_head else xs
            y = kernel(*xs)
            return y.swapaxes(1, 2) if by_head else y

        return jax.vjp(run, q, k, v) if has_vjp else (run(q, k, v), None)

    try:
        return attend(fused)
    except (NotImplementedError, RuntimeError, ValueError):
        return attend(composed)


def fused_attention_vjp(vjp, g):
    return vjp(g)


KERNELS = {"attention": attention, "attention_grad": attention_grad}
