"""The chapters of the table from primitives to TensorFlow's ops."""

from gradtape.saved_model.writing.ops import (
    arrays,
    control,
    elementwise,
    indexing,
    math,
    nn,
    random,
)

__all__ = ["arrays", "control", "elementwise", "indexing", "math", "nn", "random"]
