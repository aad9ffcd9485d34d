"""Python's functions that mean a tensor's op when they are given tensors."""

from __future__ import annotations

import builtins
import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from gradtape import ops
from gradtape.api.autograph.elements import is_dataset, iter_, next_
from gradtape.api.autograph.iterables import Range, Rows, as_rows
from gradtape.core.state import lifted
from gradtape.core.symbolic_tensor import SymbolicTensor


def _is_traced(x: Any) -> bool:
    return isinstance(x, SymbolicTensor)


def _is_unknown(x: Any) -> bool:
    """Return whether a tensor is traced, and not computed from sizes alone (core/size)."""
    return _is_traced(x) and x._sizes() is None


def range_(*args):
    """Return `range`, or a range of the graph if one of its ends is a traced tensor."""
    if not any(map(_is_traced, args)):
        return range(*args)
    if any(map(_is_unknown, args)):
        return Range(*args)
    ends = [x._sizes() if _is_traced(x) else x for x in args]
    start, limit, delta = (0, *ends, 1) if len(ends) == 1 else (*ends, 1)[:3]
    return ops.arange(start, limit, delta, "int32")


def tf_range(original: Callable, *args, **kwargs):
    """Return `tf.range`, or a range of the graph if one of its ends is a traced tensor."""
    ends = (*args, *[kwargs[name] for name in ("start", "limit", "delta") if name in kwargs])
    if not any(map(_is_unknown, ends)) or "dtype" in kwargs or len(args) > 3:
        return original(*args, **kwargs)
    named = {name: x for name, x in kwargs.items() if name != "name"}
    return Range(*args, **named)


def enumerate_(iterable, start=0):
    """Return `enumerate`, whose numbers are tensors where the elements are rows of tensors."""
    if is_dataset(iterable) and hasattr(iterable, "enumerate"):
        with lifted():  # nothing of it is part of the graph
            return iterable.enumerate(start)
    rows = as_rows(iterable)
    if not isinstance(rows, Rows):
        return enumerate(iterable, start)
    numbers = ops.to_tensor(np.arange(start, start + rows.count, dtype=np.int32))
    return Rows([numbers, *rows.leaves], lambda row: (row[0], rows.pack(row[1:])))


def zip_(*iterables, strict=False):
    """Return `zip`, as rows of tensors if all of its arguments are."""
    if iterables and all(is_dataset(x) and hasattr(x, "zip") for x in iterables):
        with lifted():
            return type(iterables[0]).zip(tuple(iterables))
    every = [as_rows(x) for x in iterables]
    if not every or not all(isinstance(rows, Rows) for rows in every):
        return zip(*iterables, strict=strict)
    sizes = [len(rows.leaves) for rows in every]  # pyright: ignore[reportAttributeAccessIssue, reportOptionalMemberAccess] (all are Rows here)

    def pack(row: list) -> tuple:
        rest = iter(row)
        parts = [[next(rest) for _ in builtins.range(size)] for size in sizes]
        return tuple([rows.pack(part) for rows, part in zip(every, parts, strict=True)])  # pyright: ignore[reportAttributeAccessIssue, reportOptionalMemberAccess] (all are Rows here)

    return Rows([x for rows in every for x in rows.leaves], pack)  # pyright: ignore[reportAttributeAccessIssue, reportOptionalMemberAccess] (all are Rows here)


def _cast(kind: type, dtype: str) -> Callable:
    def convert(x=0, *rest):
        return ops.cast(x, dtype) if _is_traced(x) and not rest else kind(x, *rest)

    return convert


def _extreme(original: Callable, op: Callable) -> Callable:
    def call(*args, **kwargs):
        if kwargs or not args:
            return original(*args, **kwargs)
        if len(args) == 1 and _is_traced(args[0]):
            return ops.reduce_max(args[0]) if original is max else ops.reduce_min(args[0])
        if len(args) < 2 or not any(map(_is_traced, args)):
            return original(*args)
        result = args[0]
        for x in args[1:]:
            result = op(result, x)
        return result

    return call


def _all_of(original: Callable, op: Callable) -> Callable:
    def call(iterable):
        return op(iterable) if _is_traced(iterable) else original(iterable)

    return call


def _of_dataset(original: Callable, method: str) -> Callable:
    """Return `map` or `filter`, which is the method of a dataset where it is given one."""

    def call(function, *iterables):
        if len(iterables) == 1 and is_dataset(iterables[0]) and hasattr(iterables[0], method):
            return getattr(iterables[0], method)(function)
        return original(function, *iterables)

    return call


OVERLOADS: dict[Any, Callable] = {
    iter: functools.partial(iter_, iter),
    next: functools.partial(next_, next),
    map: _of_dataset(map, "map"),
    filter: _of_dataset(filter, "filter"),
    range: range_,
    enumerate: enumerate_,
    zip: zip_,
    int: _cast(int, "int32"),
    float: _cast(float, "float32"),
    max: _extreme(max, ops.maximum),
    min: _extreme(min, ops.minimum),
    any: _all_of(any, ops.reduce_any),
    all: _all_of(all, ops.reduce_all),
}
