"""Keras's `backend.image`: colors, resizing, filters, geometric transforms."""

from keras_gradtape.src.ops.image.colors import *
from keras_gradtape.src.ops.image.filters import *
from keras_gradtape.src.ops.image.resizing import *
from keras_gradtape.src.ops.image.sampling import *

RESIZE_INTERPOLATIONS = ("bilinear", "nearest", "lanczos3", "lanczos5", "bicubic")
AFFINE_TRANSFORM_INTERPOLATIONS = {"nearest": 0, "bilinear": 1}
AFFINE_TRANSFORM_FILL_MODES = {"constant", "nearest", "wrap", "mirror", "reflect"}
MAP_COORDINATES_FILL_MODES = AFFINE_TRANSFORM_FILL_MODES
SCALE_AND_TRANSLATE_METHODS = {
    "linear",
    "bilinear",
    "trilinear",
    "cubic",
    "bicubic",
    "tricubic",
    "lanczos3",
    "lanczos5",
}
