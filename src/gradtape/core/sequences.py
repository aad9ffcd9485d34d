"""What Python has for arrays: nested sequences (lists, deques), and texts, which become bytes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

import numpy as np

from gradtape.backends.constants import MAX_AXES
from gradtape.core.brief import brief

_NUMBERS = (int, float, complex, np.generic)
_COMPLEX = (complex, np.complexfloating)
_LISTS, _PLAIN_NUMBERS = {list, tuple}, {float, int}
_INT32, _INT64 = np.iinfo(np.int32), np.iinfo(np.int64)

_OF_SEQUENCES = ("__getitem__", "__len__")

# The items of bytes are integers, too; but no shape is meant by them.
TEXT = (str, bytes, bytearray, memoryview)


def is_sequence(kind: type) -> bool:
    """Return whether values of a type are sequences, but neither lists nor tuples: a deque."""
    return (
        hasattr(kind, "__getitem__")
        and hasattr(kind, "__len__")
        and not hasattr(kind, "__array__")  # arrays and NumPy's numbers: most that come here
        and not issubclass(kind, (list, tuple, *TEXT, Mapping))
        and not hasattr(kind, "__array_interface__")
        and not hasattr(kind, "__dlpack__")
        and not hasattr(kind, "__tf_tensor__")
        # Not of its class's class: an enumeration is a sequence of its members, which are none.
        and all(any(name in vars(each) for each in kind.__mro__) for name in _OF_SEQUENCES)
    )


def as_lists(value: Any, depth: int = 0) -> Any:
    """Return nested sequences of any kind as lists."""
    if not isinstance(value, (list, tuple)) and not is_sequence(type(value)):
        return value
    check_depth(depth)
    return [as_lists(item, depth + 1) for item in value]


def leaves_of(value: Any, depth: int = 0) -> Iterator[Any]:
    if isinstance(value, (list, tuple)):
        check_depth(depth)
        for item in value:
            yield from leaves_of(item, depth + 1)
    else:
        yield value


def scalar_types(leaves: list[Any]) -> dict[type, Any]:
    """Return the types of numbers in a list, in order, each with one: an array has its scalars'."""
    types = dict(zip(map(type, leaves), leaves, strict=True))
    if all(issubclass(kind, _NUMBERS) for kind in types):
        return types
    items = [leaf if isinstance(leaf, _NUMBERS) else np.asarray(leaf) for leaf in leaves]
    return {x.dtype.type if isinstance(x, np.ndarray) else type(x): x for x in items}


def with_list_dtype(array: np.ndarray, leaves: list[Any], types: dict[type, Any]) -> np.ndarray:
    """Give the array of a list the dtype that TensorFlow infers, by its first number.

    A float decides alone, and Python's are float32. Among integers, of whatever dtype, one float
    makes float32; else they are int32, or int64 if one needs it. Complex numbers are complex128.
    Those after real ones and the dtypes of ml_dtypes, which TensorFlow refuses, are joined as in
    NumPy.
    """
    if not array.size:
        return array.astype(np.float32)
    first = next(iter(types))
    if first in (bool, np.bool_):
        return array
    if array.dtype.kind not in "iuf":
        return array.astype(np.complex128) if issubclass(first, _COMPLEX) else array
    if issubclass(first, np.floating):
        return array.astype(first)
    if first is float or any(issubclass(kind, (float, np.floating)) for kind in types):
        return array.astype(np.float32)
    if array.dtype.kind == "f":  # what NumPy makes of int64 and uint64
        numbers = [int(x) for leaf in leaves for x in np.ravel(np.asarray(leaf, object))]
        if max(numbers) > _INT64.max:
            raise ValueError(
                f"Can't convert Python integer {max(numbers)} to a Tensor: with {min(numbers)}, no "
                "integer dtype can hold it."
            )
        array = np.array(numbers, np.int64).reshape(array.shape)
    low, high = array.min(), array.max()
    if low >= _INT32.min and high <= _INT32.max:
        return array.astype(np.int32)
    return array.astype(np.int64) if high <= _INT64.max else array


def array_of_plain_numbers(value: Any, dtype: np.dtype | None) -> np.ndarray | None:
    """Return the array of a list that holds nothing but Python's floats and integers.

    Most lists are such, and types are compared without a Python call for each. None, where a closer
    look is needed: at other things, at numbers that do not fit, at rows of different lengths.
    """
    leaves, kinds = value, set(map(type, value))
    for _ in range(3):  # what is nested deeper takes the general way
        if not kinds or not kinds <= _LISTS:
            break
        leaves = list(chain.from_iterable(leaves))
        kinds = set(map(type, leaves))
    if not kinds or not kinds <= _PLAIN_NUMBERS:
        return None
    default, takers = (np.float32, "f") if float in kinds else (np.int32, "iuf")
    wanted = np.dtype(default) if dtype is None else dtype
    if wanted.kind not in takers:
        return None
    try:
        array = np.array(value, None if wanted.kind == "f" else wanted)
    except (ValueError, OverflowError):
        return None
    if wanted.kind != "f":
        return array
    return array.astype(wanted) if array.dtype.kind in "if" else None


def rectangular(value: list[Any], dtype: type | None = None) -> np.ndarray:
    """Return the array of a (nested) list; raise where its rows have different lengths."""
    try:
        array = np.array(value, dtype)
        if dtype is object and any(isinstance(item, (list, tuple)) for item in array.reshape(-1)):
            raise ValueError
        return array
    except ValueError:
        raise ValueError(
            "Can't convert non-rectangular Python sequence to Tensor: its rows have different "
            "lengths. Pad them to one length."
        ) from None


def check_depth(depth: int) -> None:
    """Raise where a list is nested deeper than an array can have axes (as one inside itself)."""
    if depth >= MAX_AXES:
        raise ValueError(
            f"Can't convert Python sequence to Tensor: it is nested more than {MAX_AXES} deep, "
            "which is the most axes that a tensor can have."
        )


def bytes_array(array: np.ndarray) -> np.ndarray:
    """Return an array of texts as one of bytes, which is what a tensor of strings holds."""
    flat = [as_bytes(item) for item in array.reshape(-1)]
    result = np.empty(len(flat), object)
    result[:] = flat
    return result.reshape(array.shape)


def as_bytes(item: object) -> bytes:
    """Return a text as bytes."""
    if isinstance(item, str):
        return item.encode()
    if isinstance(item, bytes):
        return bytes(item)
    raise ValueError(
        f"Attempt to convert a value ({brief(item)}) with an unsupported type ({type(item)}) to a "
        "Tensor."
    )
