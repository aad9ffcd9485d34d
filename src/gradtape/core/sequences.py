"""What Python has for arrays: nested sequences (lists, deques), and texts, which become bytes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from gradtape.backends.constants import MAX_AXES
from gradtape.core.brief import brief

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
