"""What a Python function refers to, by its code, its closure and its object."""

from __future__ import annotations

import functools
import types
from collections.abc import Iterator
from typing import Any

from gradtape.engine.variable import Variable, as_variable

_MAX_DEPTH = 4  # of functions that refer to functions


def refers_to_variables(function: Any) -> bool:
    """Return whether a function, or one that it refers to, can reach a variable by name.

    Objects that have variables (modules, layers, optimizers) count; what it gets as arguments does
    not.
    """
    return any(_has_variables(value) for value in _references(function, _MAX_DEPTH, set()))


def _has_variables(value: Any) -> bool:
    if isinstance(value, (list, tuple, set)):
        return any(_has_variables(each) for each in value)
    if isinstance(value, dict):
        return any(_has_variables(each) for each in value.values())
    return isinstance(as_variable(value), Variable) or hasattr(type(value), "variables")


def _references(function: Any, depth: int, seen: set[int]) -> Iterator[Any]:
    """Yield the values that a function refers to."""
    while isinstance(function, (functools.partial, types.MethodType)):
        if isinstance(function, functools.partial):
            yield from (*function.args, *function.keywords.values())
            function = function.func
        else:
            yield function.__self__
            yield from getattr(function.__self__, "__dict__", {}).values()
            function = function.__func__
    if not isinstance(function, types.FunctionType) or id(function) in seen:
        return
    seen.add(id(function))
    cells = [cell for cell in function.__closure__ or () if _is_bound(cell)]
    referred = [cell.cell_contents for cell in cells]
    referred += [function.__globals__.get(name) for name in names_in(function.__code__)]
    for value in referred:
        yield value
        if depth and callable(value):
            yield from _references(value, depth - 1, seen)


def _is_bound(cell: types.CellType) -> bool:
    try:
        cell.cell_contents  # noqa: B018 (raises if it is not)
    except ValueError:
        return False
    return True


def names_in(code: types.CodeType) -> set[str]:
    """Return the names in a code object and in the functions defined in it."""
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            names |= names_in(constant)
    return names
