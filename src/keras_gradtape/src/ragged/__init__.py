"""Ragged tensors in Keras, as on its TensorFlow backend: rows keep their lengths.

Here are the conversions; `functions.py` has the rules of functions, `recurrent.py` those of
recurrent layers.
"""

from __future__ import annotations

from typing import Any

from gradtape.api.ragged.tensor import RaggedTensor
from keras_gradtape.src import conversion
from keras_gradtape.src.conversion import numpy_dtype


def convert_to_tensor(x: RaggedTensor, dtype=None, ragged=None) -> Any:
    """Return a ragged tensor, in `dtype` where one is given; padded, if `ragged` is False."""
    value = x.to_tensor() if ragged is not None and not ragged else x
    return value if dtype is None else cast(value, dtype)


def cast(x, dtype) -> Any:
    """Return `x` in another dtype."""
    if type(x) is not RaggedTensor:
        return conversion.cast(x, dtype)
    if x.dtype.as_numpy_dtype == numpy_dtype(dtype):
        return x
    return x.with_flat_values(conversion.cast(x.flat_values, dtype))
