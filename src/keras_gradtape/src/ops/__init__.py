"""The function modules of the backend: core, image, linalg, math, nn, numpy."""

from keras_gradtape.src.ops import core, image, linalg, math, nn, numpy
from keras_gradtape.src.ops.core import *
from keras_gradtape.src.ragged import functions as ragged

ragged.install(numpy, nn, math)
