"""The dtypes and constants of `tf.experimental.numpy`: NumPy's own, for programs compare them."""

from __future__ import annotations

import numpy as np

from gradtape.api.tf_numpy.promotion import numpy_name
from gradtape.core.dtypes import DType
from gradtape.core.tensor import Tensor

for _name in (
    "bool_ complex64 complex128 float16 float32 float64 inexact int_ int8 int16 int32 int64 "
    "object_ uint8 uint16 uint32 uint64 iinfo issubdtype pi e inf newaxis"
).split():
    numpy_name(_name)(getattr(np, _name))

# NumPy 2 has these under other names only.
numpy_name("complex_")(np.complex128)
numpy_name("float_")(np.float64)
numpy_name("string_")(np.bytes_)
numpy_name("unicode_")(np.str_)

numpy_name("ndarray")(Tensor)


@numpy_name("finfo")
def finfo(dtype):
    """Return the limits of a floating dtype."""
    return np.finfo(dtype.dtype if isinstance(dtype, DType) else np.dtype(dtype))
