"""Keras's `backend.numpy`: NumPy's functions with Keras's promotion of dtypes."""

from keras_gradtape.src.ops.numpy.creation import *
from keras_gradtape.src.ops.numpy.elementwise import *
from keras_gradtape.src.ops.numpy.picking import *
from keras_gradtape.src.ops.numpy.products import *
from keras_gradtape.src.ops.numpy.reductions import *
from keras_gradtape.src.ops.numpy.shapes import *
