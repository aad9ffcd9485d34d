"""The names that a statement assigns to, as the state that a graph's branch or loop carries.

Numbers, arrays, tensors and structures of them are carried as tensors. Anything else (None, a
string, a layer) stays what it is, and must be the same on every path.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from malt.operators.variables import Undefined, UndefinedReturnValue

from gradtape import ops
from gradtape.api.array.tensor_array import TensorArray
from gradtape.core import nest
from gradtape.core.tensor import Tensor, TensorBase
from gradtape.engine.variable import Variable

_NUMBERS = (bool, int, float, complex, np.ndarray, np.generic)


def is_undefined(value: Any) -> bool:
    """Return whether a name has no value yet."""
    return isinstance(value, (Undefined, UndefinedReturnValue))


def is_return_value(value: Any) -> bool:
    """Return whether it stands for the result of a function that has not returned yet."""
    return isinstance(value, UndefinedReturnValue)


def is_carried(value: Any) -> bool:
    """Return whether a value, or each value of a structure, can become a tensor of the graph."""
    leaves = nest.flatten(value)
    return len(leaves) > 0 and all(map(_is_tensor_like, leaves))


def _is_tensor_like(leaf: Any) -> bool:
    if isinstance(leaf, Variable):
        return False
    return isinstance(leaf, (TensorBase, *_NUMBERS))


def to_tensors(value: Any) -> list[Tensor]:
    """Return the leaves of a carried value as tensors."""
    return [ops.to_tensor(x) for x in nest.flatten(value)]


def same_structure(a: Any, b: Any) -> bool:
    try:
        nest.assert_same_structure(a, b)
    except (TypeError, ValueError):
        return False
    return True


def is_same(a: Any, b: Any) -> bool:
    """Return whether two values of a name are one Python value."""
    if a is b:
        return True
    simple = (bool, int, float, str, bytes)
    return type(a) is type(b) and isinstance(a, simple) and a == b


def describe(value: Any) -> str:
    """Return what kind of value it is, for messages."""
    if isinstance(value, TensorArray):
        return "a TensorArray"
    return f"a Python {type(value).__name__}"
