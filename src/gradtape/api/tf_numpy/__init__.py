"""`tf.experimental.numpy`: NumPy's functions with TensorFlow's parameters and promotion of dtypes.

What the functions compute stands in `api/numpy_names`, where Keras takes it from too. Here is what
TensorFlow adds: operands of different dtypes get NumPy's common one, Python floats are float64
(unless float32 is preferred), integers become floats where a function needs them.
"""

from gradtape.api.tf_numpy import (
    behavior,
    creation,
    elementwise,
    logic,
    picking,
    products,
    random,
    reductions,
    shapes,
    types,
)
