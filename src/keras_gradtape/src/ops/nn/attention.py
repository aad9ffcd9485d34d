"""Dot-product attention."""

from __future__ import annotations

import math

import ml_dtypes
import numpy as np

from gradtape import ops
from gradtape.core.dtypes import DType, float32
from gradtape.core.tensor import Tensor
from keras_gradtape.src.conversion import convert_to_tensor
from keras_gradtape.src.promotion import all_common

__all__ = ["dot_product_attention"]


def dot_product_attention(
    query,
    key,
    value,
    bias=None,
    mask=None,
    scale=None,
    is_causal=False,
    flash_attention=None,
    attn_logits_soft_cap=None,
):
    """Return softmax(query keyᵀ · scale + bias) value, for [batch, time, heads, depth].

    There may be fewer heads of keys and values than of queries, each shared by several of those.
    """
    if flash_attention:
        raise ValueError("Flash attention is not supported in gradtape backend.")
    query, key, value = all_common([query, key, value])
    if not query.ndim == key.ndim == value.ndim == 4:
        raise ValueError(
            "`dot_product_attention` only supports 4D inputs. Received: "
            f"query.shape={tuple(query.shape)}, key.shape={tuple(key.shape)}, "
            f"value.shape={tuple(value.shape)}."
        )
    dtype = query.dtype
    batch, length, heads, depth = query.shape
    shared = key.shape[2]
    if heads % shared:
        raise ValueError(
            f"The number of query heads, {heads}, must be a multiple of that of the keys, {shared}."
        )
    if heads == shared:
        if mask is not None and is_causal:  # a query that sees nothing has equal weights for all
            mask = ops.logical_and(convert_to_tensor(mask, "bool"), _past(length, key.shape[1]))
        bias = _bias(bias, mask, float32 if dtype.size < 4 else dtype)
        return ops.attention(query, key, value, bias, scale, is_causal and mask is None)
    query = ops.reshape(query, (batch, length, shared, heads // shared, depth))
    logits = ops.einsum("btkgh,bskh->bkgts", query, key)
    # Sums of products and the softmax are in float32 at least.
    logits = ops.cast(logits, "float32") if dtype.size < 4 else logits
    logits = ops.reshape(logits, (batch, heads, length, key.shape[1]))
    logits = logits * (1 / math.sqrt(depth) if scale is None else scale)
    if bias is not None:
        logits = logits + convert_to_tensor(bias, logits.dtype)
    logits = _mask(logits, mask, is_causal)
    weights = ops.cast(ops.softmax(logits), dtype)
    weights = ops.reshape(weights, (batch, shared, heads // shared, length, -1))
    result = ops.einsum("bkgts,bskh->btkgh", weights, value)
    return ops.reshape(result, (batch, length, heads, value.shape[3]))


def _past(queries: int, keys: int):
    """Return which keys come no later than a query."""
    return Tensor(np.tri(queries, keys, dtype=bool))


def _lowest(dtype: DType):
    """Return a number so low that nothing is attended to where it is the logit."""
    return ops.to_tensor(-0.7 * float(ml_dtypes.finfo(dtype.as_numpy_dtype).max), dtype)


def _bias(bias, mask, dtype: DType):
    """Return the term added to the logits: the bias, and a low number where the mask is false."""
    if bias is not None:
        bias = convert_to_tensor(bias, dtype)
    if mask is None:
        return bias
    bias = ops.to_tensor(0, dtype) if bias is None else bias
    return ops.where(convert_to_tensor(mask, "bool"), bias, _lowest(dtype))


def _mask(logits, mask, is_causal: bool):
    """Return logits with a very low number where the mask excludes attention."""
    if mask is None and not is_causal:
        return logits
    lowest = _lowest(logits.dtype)
    if mask is not None:
        logits = ops.where(convert_to_tensor(mask, "bool"), logits, lowest)
    if is_causal:
        logits = ops.where(_past(*logits.shape[-2:]), logits, lowest)
    return logits
