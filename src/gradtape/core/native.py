"""The hot core in C, and its reference in Python: this is the switch between them.

A class or function that carries one of these decorators is the reference. Where the extension is
there (see `gradtape.backends.native`), its twin in C takes its place: the same behaviour, to the
letter, and what is rare it hands back to the reference.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from gradtape.backends import native

# One that was built from older sources has no core; it is left out until it is built again.
extension: Any = native.extension if hasattr(native.extension, "connect") else None

Function = TypeVar("Function", bound=Callable)
Class = TypeVar("Class", bound=type)

REFERENCES: dict[str, Callable] = {}  # by name, the functions that a twin in C stands in for


def compiled(function: Function) -> Function:
    """The function of the same name in the extension, if there is one."""
    REFERENCES[function.__name__] = function
    return function if extension is None else getattr(extension, function.__name__)


def stored(storage: str) -> Callable[[Class], Class]:
    """The class with its fields, and the methods that use them most, in a base written in C.

    A method of such a class cannot say `super()`.
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
    """Whether the value of a tensor is one that was put off (see docs/fusion.md)."""
    return extension is not None and type(data) is extension.Deferred


def settled(data: Any) -> Any:
    """The array of a value that was put off (see docs/fusion.md); anything else as it is."""
    return data if extension is None else extension.settled(data)


def fuses(name: str, elements: int) -> bool:
    """Whether an op of this name, on so many float32 elements, is put off when it is called."""
    return extension is not None and extension.fuses(name, elements)


@contextlib.contextmanager
def one_by_one() -> Iterator[None]:
    """Every op in the block is computed when it is called: for those who look at each of them."""
    if extension is None:
        yield
        return
    before = extension.fuse_from(0)
    try:
        yield
    finally:
        extension.fuse_from(before)


def connect(**things: Any) -> None:
    """Tell the core in C what it calls and looks into on this side."""
    if extension is not None:
        extension.connect(**things)
