"""What the functions of `tf.strings` share: string tensors, attributes, and work on each string."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from gradtape import ops
from gradtape.core.brief import brief
from gradtape.core.dtypes import DType, string
from gradtape.core.errors import InvalidArgumentError
from gradtape.core.tensor import Tensor
from gradtape.ops.host import HostForm

UNITS = ("BYTE", "UTF8_CHAR")


def text_tensor(value: Any, op: str) -> Tensor:
    """Return the string tensor that an argument is."""
    tensor = ops.to_tensor(value, None if ops.is_tensor_like(value) else string)
    return expect_dtype(tensor, (string,), op)


def expect_dtype(tensor: Tensor, dtypes: tuple[DType, ...], op: str) -> Tensor:
    """Return a tensor that has one of some dtypes; raise the error for any other."""
    if tensor.dtype not in dtypes:
        expected = " or ".join(dtype.name for dtype in dtypes)
        remedy = " Use tf.strings.as_string." if dtypes == (string,) else ""
        raise InvalidArgumentError(
            f"cannot compute {op} as input was expected to be a {expected} tensor but is a "
            f"{tensor.dtype.name} tensor.{remedy} [Op:{op}]"
        )
    return tensor


def check_attribute(name: str, value: Any, allowed: tuple[str, ...], op: str) -> None:
    """Raise an error unless an attribute has one of the values that it may have."""
    if value not in allowed:
        listed = ", ".join(f'"{each}"' for each in allowed)
        raise InvalidArgumentError(
            f"Value for attr '{name}' of {value!r} is not in the list of allowed values: {listed} "
            f"[Op:{op}]"
        )


def bytes_of(value: Any, name: str) -> bytes:
    """Return an argument that is one Python string, as bytes; None is the empty one."""
    if value is None:
        return b""
    if isinstance(value, str):
        return value.encode()
    if isinstance(value, bytes):
        return value
    raise TypeError(f"Expected string for argument '{name}' not {brief(value)}.")


def packed(strings: Iterable[bytes], shape: Any) -> np.ndarray:
    """Return strings as the array of a tensor."""
    items = list(strings)
    return np.fromiter(items, object, len(items)).reshape(shape)


def form(op: str, **attributes: Any) -> HostForm:
    """Return what TensorFlow calls a function: its op and attributes."""
    return HostForm(op, tuple(attributes.items()))


def map_text(change: Callable[[bytes], bytes], tensor: Tensor, written: HostForm) -> Tensor:
    """Return a string tensor with each string changed."""

    def compute(texts: np.ndarray) -> np.ndarray:
        return packed(map(change, texts.ravel().tolist()), texts.shape)

    return ops.host_call(compute, [tensor], string, tensor.shape, written)


def map_to_numbers(
    measure: Callable[[bytes], Any], tensor: Tensor, dtype: DType, written: HostForm
) -> Tensor:
    """Return a tensor of one number for each string."""
    kind = dtype.dtype

    def compute(texts: np.ndarray) -> np.ndarray:
        return np.array(list(map(measure, texts.ravel().tolist())), kind).reshape(texts.shape)

    return ops.host_call(compute, [tensor], dtype, tensor.shape, written)
