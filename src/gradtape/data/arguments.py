"""Reading the arguments of datasets: Python values, or tensors that hold one."""

from __future__ import annotations

import numpy as np

from gradtape.core.brief import brief
from gradtape.core.convert import static_value
from gradtape.data.nodes import INFINITE


def integer(value, what: str) -> int:
    """Return an argument that must be one integer."""
    number = static_value(value, asks=True)
    if isinstance(number, bool) or np.ndim(number) or not float(number).is_integer():
        raise TypeError(f"{what} must be an integer, got {brief(value)}.")
    result = int(number)
    if not -(2**63) <= result < 2**63:
        raise ValueError(f"{what} must be a 64-bit integer, got {brief(value)}.")
    return result


def function(value, what: str):
    """Return an argument that must be a function of elements."""
    if not callable(value):
        raise ValueError(
            f"Argument `{what}` must be a callable. Received {brief(value)} (of type {type(value)})"
        )
    return value


def flag(value) -> bool:
    """Return a boolean argument."""
    return bool(static_value(value))


def path_string(value) -> str:
    """Return an argument that is a path, as Python's text."""
    path = static_value(value)
    return path.decode() if isinstance(path, bytes) else str(path)


def parallel_calls(value) -> int | None:
    """Return `num_parallel_calls`: None for calls in turn."""
    return None if value is None else integer(value, "num_parallel_calls")


def repetitions(count) -> int:
    """Return `count`: INFINITE for None."""
    return INFINITE if count is None else integer(count, "count")
