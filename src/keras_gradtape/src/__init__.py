"""What Keras looks up in a backend.

Keras releases with the flat layout star-import the functions and modules by name; later ones take
`ops`, `random` and `rnn` as modules. Both find what they want here, except that `rnn`, which is a
function to the former and a module to the latter, is the function.
"""

from types import FunctionType

from gradtape.core.tracebacks import filters_tracebacks
from keras_gradtape.src import distribution_lib, ops, random, tensorboard
from keras_gradtape.src.conversion import standardize_shape
from keras_gradtape.src.layer import name_scope
from keras_gradtape.src.ops import core, image, linalg, math, nn, numpy
from keras_gradtape.src.ops.core import (
    cast,
    compute_output_spec,
    cond,
    convert_to_numpy,
    convert_to_tensor,
    device_scope,
    is_tensor,
    random_seed_dtype,
    scatter,
    shape,
    stop_gradient,
    vectorized_map,
)
from keras_gradtape.src.rnn import (
    bidirectional_gru,
    bidirectional_lstm,
    cudnn_ok,
    gru,
    lstm,
    rnn,
)
from keras_gradtape.src.variable import Variable

SUPPORTS_SPARSE_TENSORS = True
SUPPORTS_RAGGED_TENSORS = True
SUPPORTS_COMPLEX_DTYPES = True
SUPPORTS_GRADIENT = True
# Which tapes listen is kept for each thread by itself.
IS_THREAD_SAFE = True

# What Keras's functions call: the frames of the backend end there.
for _module in (core, image, linalg, math, nn, numpy, random):
    for _value in list(vars(_module).values()):
        if isinstance(_value, FunctionType) and _value.__module__.startswith("keras_gradtape."):
            filters_tracebacks(_value)
