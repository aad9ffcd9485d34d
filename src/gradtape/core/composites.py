"""Dispatch of ops to values that are composed of tensors, such as sparse and ragged ones.

An op is written for tensors, and raises an error where an argument cannot be converted to one. Only
then is it asked whether the argument is of a class that has a way to apply ops to its values: the
dispatch costs nothing where all arguments are tensors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

# For each class, function(name of the op, op, positional arguments, keyword arguments).
APPLIERS: dict[type, Callable[..., Any]] = {}
# Those of them that stand for tensors of which only shape and dtype are known: every function of
# tensors takes them.
SYMBOLIC: set[type] = set()


def apply_to_composites(
    name: str, op: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """Apply an op to arguments one of which is a composite; NotImplemented, if none is."""
    for value in arguments_of(args, kwargs):
        applier = APPLIERS.get(type(value))
        if applier is not None:
            return applier(name, op, args, kwargs)
    return NotImplemented


def has_symbols(args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Return whether one of the arguments of a call is symbolic."""
    return any(type(value) in SYMBOLIC for value in arguments_of(args, kwargs))


def arguments_of(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Iterator[Any]:
    """Yield the arguments, and the items of those that are lists."""
    for value in (*args, *kwargs.values()):
        yield value
        if isinstance(value, (list, tuple)):
            yield from value
