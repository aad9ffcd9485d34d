"""Texts as bytes: the elements of tensors of strings."""

from __future__ import annotations

import numpy as np

from gradtape.core.brief import brief


def bytes_array(array: np.ndarray) -> np.ndarray:
    """Return an array of texts as one of bytes, which is what a tensor of strings holds."""
    flat = [as_bytes(item) for item in array.reshape(-1)]
    result = np.empty(len(flat), object)
    result[:] = flat
    return result.reshape(array.shape)


def as_bytes(item: object) -> bytes:
    """Return a text as bytes."""
    if isinstance(item, str):
        return item.encode()
    if isinstance(item, bytes):
        return bytes(item)
    raise ValueError(
        f"Attempt to convert a value ({brief(item)}) with an unsupported type ({type(item)}) to a "
        "Tensor."
    )
