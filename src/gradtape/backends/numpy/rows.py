"""Updates of some rows, written into an array, and kernels that write into a copy.

The rows of an array are like those of the updates, in row-major order. An index of -1 is ignored.

A writer does not write: it validates and computes all that it can, and returns a `Write`, which is
one call into C. So a signal, an error or a lack of memory leaves the array unchanged or updated,
never in between.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from operator import setitem
from typing import Any, NamedTuple

import numpy as np

from gradtape.backends.errors import BadValues
from gradtape.backends.native.extension import extension

# Rows with more updates than this are left to `ufunc.at`, which is slow, but one call.
_MAX_ROUNDS = 4


class Write(NamedTuple):
    """A change of `array[key]`, made by calling a function in C with some arguments."""

    array: np.ndarray
    key: Any
    function: Callable
    arguments: tuple

    def perform(self) -> None:
        if self.function(*self.arguments) is False:
            raise RuntimeError(f"{self.function.__name__} did not take an update of rows")

    def undo(self) -> tuple:
        """Return the function, and its arguments, that restores the current values."""
        return (setitem, self.array, self.key, np.array(self.array[self.key]))


def setting(array: np.ndarray, key, values) -> Write:
    """Return the write array[key] = values."""
    return Write(array, key, setitem, (array, key, values))


def _table(x: np.ndarray, indices, updates) -> tuple[np.ndarray, Callable]:
    """Return x as a table of rows like the updates (a view), and a map from indices to a key."""
    outer = x.shape[: x.ndim - updates.ndim + 1]
    if len(outer) == 1:
        return x, _itself
    if x.flags.c_contiguous:
        return x.reshape(math.prod(outer), *x.shape[len(outer) :]), _itself
    return x, lambda unique: np.unravel_index(unique, outer)


def _itself(unique):
    return unique


def _without_none(indices, rows):
    if indices.size and indices.min() < 0:
        kept = indices >= 0
        return indices[kept], rows[kept]
    return indices, rows


def _combined(function: Callable, x, indices, updates) -> Write:
    """Return the write x[indices] = function(x[indices], updates).

    Repeated indices apply in turn.
    """
    table, key_of = _table(x, indices, updates)
    indices, updates = _without_none(indices, updates)
    unique, first, slots = np.unique(indices, return_index=True, return_inverse=True)
    key = key_of(unique)
    values, slots = table[key], slots.reshape(-1)
    if isinstance(function, np.ufunc):
        function(values, updates[first], out=values)  # a copy of the rows, by its key
    else:
        values = function(values, updates[first])
    rest, rounds = np.delete(np.arange(indices.size), first), 1
    while rest.size:
        if rounds == _MAX_ROUNDS and isinstance(function, np.ufunc):
            function.at(values, slots[rest], updates[rest])
            break
        now, first = np.unique(slots[rest], return_index=True)
        values[now] = function(values[now], updates[rest[first]])
        rest = np.delete(rest, first)
        rounds += 1
    return setting(table, key, values)


def _set_rows(x, indices, updates) -> Write:
    table, key_of = _table(x, indices, updates)
    indices, updates = _without_none(indices, updates)
    return setting(table, key_of(indices), updates)


def add_rows(x, indices, updates, subtract) -> Write:
    """Return the write that adds all updates to their rows, or subtracts them."""
    if extension is not None and _is_whole(x, np.float32) and _is_whole(updates, np.float32):
        table, _ = _table(x, indices, updates)
        if _is_whole(indices, np.int64, np.int32) and indices.size and indices.min() >= 0:
            rate = 1.0 if subtract else -1.0
            return Write(table, indices, extension.descend_rows, (table, updates, indices, rate))
    return _combined(np.subtract if subtract else np.add, x, indices, updates)


def _is_whole(x: np.ndarray, *dtypes) -> bool:
    return x.dtype in dtypes and x.flags.carray and x.size > 0


def _extreme_rows(x, indices, updates, largest) -> Write:
    """Return the write of the maximum (or minimum) of each row and all updates for it."""
    return _combined(np.maximum if largest else np.minimum, x, indices, updates)


def _truncated_quotient(x, y):
    """Return x / y rounded toward zero, as integers are divided in C."""
    quotient = x // y
    return quotient + ((quotient < 0) & (quotient * y != x)).astype(x.dtype)


def _scale_rows(x, indices, updates, divide) -> Write:
    function: Callable = np.divide if divide else np.multiply
    if divide and x.dtype.kind in "iu":
        if not updates.all():
            raise BadValues("updates must not contain 0 [Op:ResourceScatterDiv]")
        function = _truncated_quotient
    return _combined(function, x, indices, updates)


WRITERS: dict[str, Callable[..., Write]] = {
    "set_rows": _set_rows,
    "add_rows": add_rows,
    "extreme_rows": _extreme_rows,
    "scale_rows": _scale_rows,
}


def in_a_copy(writer: Callable[..., Write]) -> Callable:
    """Return the kernel that applies a writer to a copy of its first input."""

    def kernel(x, *operands, **params):
        whole = np.array(x, order="C")
        writer(whole, *operands, **params).perform()
        return whole if whole.ndim else whole[()]

    return kernel


def row_number(indices, size, op):
    """Return the indices; raise unless all are in [0, size)."""
    if indices.size and not (indices.min() >= 0 and indices.max() < size):
        position = np.argwhere((indices < 0) | (indices >= size))[0].tolist()
        where = f"[{','.join(map(str, position))}]" if position else ""
        bad = indices[tuple(position)]
        raise BadValues(f"indices{where} = {bad} is not in [0, {size}) [Op:{op}]")
    return indices


KERNELS = {"row_number": row_number} | {name: in_a_copy(writer) for name, writer in WRITERS.items()}
