"""Python objects as values of a graph, which only the ops that know of them take."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape.core.tensor import Spec

OBJECT = Spec((), np.dtype(object))


def boxed(value: Any) -> np.ndarray:
    """Return a Python object as the array of a tensor."""
    box = np.empty((), object)
    box[()] = value
    return box


def unboxed(array: Any) -> Any:
    """Return the Python object of such an array."""
    return np.asarray(array).item()
