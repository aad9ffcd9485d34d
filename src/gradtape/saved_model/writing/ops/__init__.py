"""The chapters of the table from primitives to TensorFlow's ops."""

from gradtape.saved_model.writing.ops import (
    arrays,
    control,
    effects,
    elementwise,
    gradients,
    indexing,
    math,
    nn,
    random,
    strings,
)

__all__ = [
    "arrays",
    "control",
    "effects",
    "elementwise",
    "gradients",
    "indexing",
    "math",
    "nn",
    "random",
    "strings",
]
