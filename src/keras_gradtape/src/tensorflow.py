"""Keras's backend for TensorFlow, for the parts of Keras that are written for TensorFlow alone.

It has all functions of the backend; and ragged tensors stay ragged. `gradtape.keras_plug` lists the
parts that import it.
"""

from __future__ import annotations

from gradtape.core.protocols import is_ragged
from keras_gradtape.src import *  # noqa: F403
from keras_gradtape.src import core


def cast(x, dtype):
    """Return `x` in another dtype."""
    if is_ragged(x):
        return x.with_flat_values(core.cast(x.flat_values, dtype))
    return core.cast(x, dtype)
