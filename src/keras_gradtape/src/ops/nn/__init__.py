"""Keras's `backend.nn`: activations, convolution, pooling, losses, normalization, attention."""

from keras_gradtape.src.ops.nn.activations import *
from keras_gradtape.src.ops.nn.attention import *
from keras_gradtape.src.ops.nn.blocks import *
from keras_gradtape.src.ops.nn.convolution import *
from keras_gradtape.src.ops.nn.ctc import *
from keras_gradtape.src.ops.nn.losses import *
from keras_gradtape.src.ops.nn.normalization import *
from keras_gradtape.src.ops.nn.pooling import *
