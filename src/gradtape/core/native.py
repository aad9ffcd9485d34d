"""The switch between the hot core in C and its reference in Python.

A class or function with one of these decorators is the reference. Where the extension is available
(see `backends/native`), its native version replaces it: with exactly the same behavior, and it
delegates rare cases to the reference.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Generator
from types import FunctionType
from typing import Any, TypeVar

from gradtape.backends.native import kernels as native
from gradtape.core.tracebacks import filters_tracebacks

# An extension built from older sources has no core; it is ignored until it is built again.
extension: Any = native.extension if hasattr(native.extension, "connect") else None

Function = TypeVar("Function", bound=Callable[..., Any])
Class = TypeVar("Class", bound=type)

REFERENCES: dict[str, Callable[..., Any]] = {}  # by name, the functions that have a native version


def native_version(function: Function) -> Function:
    """Return the native version of a function, if the extension is available, else the function."""
    REFERENCES[function.__name__] = function
    return function if extension is None else getattr(extension, function.__name__)


def native_storage(storage: str) -> Callable[[Class], Class]:
    """Return a decorator that gives a class a base in C, with its fields and its hottest methods.

    A method of such a class cannot use `super()`.
    """

    def decorate(cls: Class) -> Class:
        if extension is None:
            return cls
        base = getattr(extension, storage)
        own = {*vars(base), *vars(cls).get("__slots__", ()), "__dict__", "__weakref__"}
        own -= {"__doc__", "__module__"}
        body = {name: value for name, value in vars(cls).items() if name not in own}
        body["__slots__"] = ()
        if "__init__" in vars(base):
            body["__init__"] = base.__init__
        bases = tuple(b for b in cls.__bases__ if b is not object)
        return type(cls)(cls.__name__, (base, *bases), body)

    return decorate


def is_deferred(data: Any) -> bool:
    """Return whether a tensor's data is a deferred value (see docs/fusion.md)."""
    return extension is not None and type(data) is extension.Deferred


def materialize(data: Any) -> Any:
    """Compute a deferred value (see docs/fusion.md); return anything else unchanged."""
    return data if extension is None else extension.materialize(data)


def fuses(name: str, elements: int) -> bool:
    """Return whether the op of this name is deferred for this number of float32 elements."""
    return extension is not None and extension.fuses(name, elements)


def wanted_together(run: Callable[..., tuple[Any, ...]]) -> Callable[..., tuple[Any, ...]]:
    """Return `run`; of its results, those that are deferred are computed together."""
    if extension is None:
        return run
    relate = extension.relate

    def call(*arguments: Any) -> tuple[Any, ...]:
        results = run(*arguments)
        relate(results)
        return results

    return call


class _Fusion:
    is_on = native.fuse_from() > 0
    blocks = 0  # of `without_fusion` that are open, in all threads


def fusion_is_on() -> bool:
    """Return whether ops may be deferred: here those on devices ask, which need no extension."""
    return _Fusion.is_on and not _Fusion.blocks


@contextlib.contextmanager
def without_fusion() -> Generator[None, None, None]:
    """Compute every op of the block when it is called: for tools that inspect each result."""
    before = 0 if extension is None else extension.fuse_from(0)
    _Fusion.blocks += 1
    try:
        yield
    finally:
        _Fusion.blocks -= 1
        if extension is not None:
            extension.fuse_from(before)


def connect(**things: Any) -> None:
    """Pass the core in C the Python functions and classes that it uses."""
    if extension is not None:
        for thing in things.values():
            if isinstance(thing, FunctionType):  # the user may have called the core in C
                filters_tracebacks(thing)
        extension.connect(**things)
