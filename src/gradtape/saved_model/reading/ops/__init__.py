"""The chapters of the table of TensorFlow's ops."""

from gradtape.saved_model.reading.ops import (
    arrays,
    control,
    elementwise,
    indexing,
    lists,
    math,
    nn,
    random,
    state,
    strings,
)

__all__ = [
    "arrays",
    "control",
    "elementwise",
    "indexing",
    "lists",
    "math",
    "nn",
    "random",
    "state",
    "strings",
]
