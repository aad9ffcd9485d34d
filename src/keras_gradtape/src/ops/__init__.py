"""The function modules of the backend: core, image, linalg, math, nn, numpy."""

from keras_gradtape.src.ops import core, image, linalg, math, nn, numpy
from keras_gradtape.src.ops.core import *
