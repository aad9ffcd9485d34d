"""`tf.make_tensor_proto` and `tf.make_ndarray`: tensors as messages."""

from __future__ import annotations

import numpy as np

from gradtape import ops
from gradtape.api.export import export
from gradtape.core.brief import brief
from gradtape.core.convert import static_int
from gradtape.core.dtypes import as_dtype
from gradtape.formats.errors import DecodeError
from gradtape.formats.tensor_message import TensorProto, tensor_message
from gradtape.formats.tensor_proto import decode_tensor

_MAX_BYTES = 1 << 31


@export("make_tensor_proto")
def make_tensor_proto(
    values, dtype=None, shape=None, verify_shape=False, allow_broadcast=False
) -> TensorProto:
    """Return a tensor as a TensorProto, the message that graphs and servers hold tensors in.

    With fewer values than `shape` has elements, the last value stands for the rest. `verify_shape`
    makes another shape of the values an error; `allow_broadcast` allows one value for all.
    """
    if isinstance(values, TensorProto):
        return values
    if values is None:
        raise ValueError("None values not supported.")
    tensor = ops.to_tensor(values, None if dtype is None else as_dtype(dtype))
    array = np.asarray(tensor.numpy(), tensor.dtype.dtype)
    wanted = array.shape if shape is None else tuple([static_int(size) for size in shape])
    is_one = allow_broadcast and not verify_shape and array.shape in ((), (1,))
    if (verify_shape or allow_broadcast) and wanted != array.shape and not is_one:
        raise TypeError(f"Expected Tensor's shape: {wanted}, but got {array.shape}.")
    if array.nbytes >= _MAX_BYTES:
        raise ValueError("Cannot create a tensor proto whose content is larger than 2GB.")
    return tensor_message(array, tensor.dtype, wanted)


@export("make_ndarray")
def make_ndarray(tensor) -> np.ndarray:
    """Return the NumPy array of a TensorProto, of `tf.make_tensor_proto` or of protobuf's class."""
    if not hasattr(tensor, "SerializeToString"):
        raise TypeError(f"tf.make_ndarray: a TensorProto is expected, not {brief(tensor)}.")
    try:
        return decode_tensor(tensor.SerializeToString())[1]
    except DecodeError as error:
        raise TypeError(f"Unsupported tensor type or contents: {error}") from None
