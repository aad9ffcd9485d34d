"""From Python and NumPy values to tensors and back, by Keras's rules; `cast`.

These are the calls that Keras makes most often, so what needs no work returns at once.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from keras.src import tree
from keras.src.backend.common.dtypes import result_type
from keras.src.backend.common.keras_tensor import KerasTensor
from keras.src.backend.common.variables import standardize_dtype
from keras.src.backend.common.variables import standardize_shape as keras_standardize_shape
from keras.src.backend.config import floatx

from gradtape import ops
from gradtape.api.sparse.tensor import SparseTensor
from gradtape.core.convert import READERS, has_conversion, is_tensor_like, to_array
from gradtape.core.dtypes import BY_NAME
from gradtape.core.protocols import is_ragged
from gradtape.core.shape import TensorShape
from gradtape.core.size import Size, is_open
from gradtape.core.tensor import Tensor
from gradtape.engine.indexed_slices import IndexedSlices
from gradtape.engine.variable import Variable

SPARSE = frozenset((SparseTensor, IndexedSlices))
_TENSORS = (Tensor, Variable, SparseTensor, IndexedSlices)
_NUMPY_DTYPES = {name: dtype.dtype for name, dtype in BY_NAME.items()}
_INT32_RANGE = range(-(2**31), 2**31)


def numpy_dtype(dtype) -> np.dtype:
    """Return the NumPy dtype that a Keras dtype (a name, or anything Keras accepts for one)
    means."""
    if type(dtype) is str and dtype in _NUMPY_DTYPES:
        return _NUMPY_DTYPES[dtype]
    return _NUMPY_DTYPES[standardize_dtype(dtype)]


def standardize_shape(shape: Any) -> tuple:
    """Return a shape as Keras's layers see it: None for a size that is open (core/size)."""
    if isinstance(shape, TensorShape):
        shape = tuple(shape.as_list())
    if isinstance(shape, (tuple, list)) and is_open(shape):
        shape = tuple([None if type(n) is Size else n for n in shape])
    return keras_standardize_shape(shape)


def convert_to_tensor(x: Any, dtype: Any = None) -> Tensor:
    """Return the dense tensor that a value means, in `dtype` where one is given (values are cast to
    it).

    Rows become dense; a `SparseTensor` is an error, as only some functions (`sparse`) take one.
    """
    kind = type(x)
    if kind is not Tensor:
        reader = READERS.get(kind)
        x = _from_value(x, dtype) if reader is None else reader(x)
    if dtype is None:
        return x
    wanted = numpy_dtype(dtype)
    return x if x._data.dtype == wanted else ops.cast(x, wanted)


def cast(x: Any, dtype: Any) -> Tensor:
    """Return `x` in another dtype."""
    if type(x) is Tensor:
        wanted = numpy_dtype(dtype)
        return x if x._data.dtype == wanted else ops.cast(x, wanted)
    return convert_to_tensor(x, dtype)


def _from_value(x: Any, dtype: Any) -> Tensor:
    if not isinstance(x, np.generic) and isinstance(x, (bool, int, float, complex)):
        return Tensor(_number(x, _number_dtype(x) if dtype is None else numpy_dtype(dtype)))
    if isinstance(x, np.ndarray):
        return Tensor(_array(np.asarray(x), dtype))  # np.asarray: without a subclass's operators
    if isinstance(x, Tensor):  # in a symbolic call, or inside vmap
        return x
    if isinstance(x, (list, tuple)):
        return _from_sequence(x, dtype)
    if type(x) is Size:
        return ops.to_tensor(x)
    if isinstance(x, KerasTensor):
        raise ValueError(
            "A KerasTensor is symbolic: it's a placeholder for a shape and a dtype. It doesn't "
            "have any actual numerical value. You cannot convert it to a tensor. Use a "
            "`keras.layers` layer or a `keras.ops` function on it."
        )
    if is_ragged(x):  # padded, for functions that have no rule for rows (see ragged.py)
        return x.to_tensor()  # pyright: ignore[reportAttributeAccessIssue] (a RaggedTensor)
    if is_tensor_like(x):
        as_tensor = getattr(x, "__tf_tensor__", None)
        tensor = ops.to_tensor(x) if as_tensor is None else as_tensor()
        if isinstance(tensor, Tensor):  # TensorFlow's own tensors have the method too
            return tensor
    if isinstance(x, (str, bytes)):
        return Tensor(to_array(x))
    return Tensor(_array(np.asarray(x), dtype))


def _number_dtype(x) -> np.dtype:
    if isinstance(x, bool):
        return _NUMPY_DTYPES["bool"]
    if isinstance(x, int):
        return _NUMPY_DTYPES["int32" if x in _INT32_RANGE else "int64"]
    return _NUMPY_DTYPES[floatx() if isinstance(x, float) else "complex64"]


def _number(x, dtype: np.dtype):
    try:
        return dtype.type(x)
    except (OverflowError, ValueError, TypeError):  # out of range, nan to int, complex to real
        return np.asarray(x).astype(dtype)[()]


def _array(x: np.ndarray, dtype):
    """Return a copy: what the program does to its array later does not change the tensor."""
    if x.dtype.kind in "USO":
        return to_array(x)
    if dtype is not None:
        wanted = numpy_dtype(dtype)
        if wanted.kind != "O":
            return x.astype(wanted)[()]
    if x.dtype.byteorder not in "=|<" or x.dtype not in _KNOWN:
        return to_array(x)
    return x.copy()[()]


_KNOWN = frozenset(_NUMPY_DTYPES.values())


def _from_sequence(x, dtype):
    leaves = tree.flatten(x)
    if is_open(leaves) and all(type(leaf) in (int, Size) for leaf in leaves):
        return ops.to_tensor(x)
    if any(is_tensor_like(leaf) for leaf in leaves):
        if dtype is None:
            dtype = result_type(*[getattr(leaf, "dtype", type(leaf)) for leaf in leaves])
        return _stack_nested(x, dtype)
    if dtype is None and leaves and all(type(leaf) in (bool, int, float) for leaf in leaves):
        array = np.array(x)
        if array.dtype.kind == "f":
            return Tensor(array.astype(numpy_dtype(floatx())))
        if (
            array.dtype.kind == "i"
            and int(array.min()) in _INT32_RANGE
            and (int(array.max()) in _INT32_RANGE)
        ):
            return Tensor(array.astype(np.int32))
        return Tensor(array)
    if not leaves:
        return Tensor(np.array(x, numpy_dtype(floatx() if dtype is None else dtype)))
    return Tensor(_array(np.array(x), dtype))


def _stack_nested(x, dtype):
    """Stack a nested list of tensors with ops, so that tapes record it."""
    if isinstance(x, (list, tuple)):
        return ops.stack([_stack_nested(item, dtype) for item in x])
    return convert_to_tensor(x, dtype)


def convert_to_numpy(x):
    """Return the value as a NumPy array of its own."""
    if type(x) is Tensor:
        return np.array(x._data)
    if isinstance(x, (list, tuple)) and any(is_tensor_like(leaf) for leaf in tree.flatten(x)):
        return np.array(tree.map_structure(convert_to_numpy, x))
    return np.array(convert_to_tensor(x) if is_tensor_like(x) else x)


def is_tensor(x) -> bool:
    """Return whether a value is a tensor (of any kind) or variable of gradtape; arrays are not.

    A value that a program has registered a conversion for goes from layer to layer as it is, as it
    does in Keras 2: the layers of TensorFlow Probability pass on distributions.
    """
    return isinstance(x, _TENSORS) or is_ragged(x) or has_conversion(x)


def shape(x) -> tuple:
    """Return the shape as a plain tuple."""
    if type(x) is Tensor:
        return x._data.shape
    if not hasattr(x, "shape"):
        x = convert_to_tensor(x)
    return tuple(x.shape)
