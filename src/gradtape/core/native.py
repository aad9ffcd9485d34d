"""The hot core in C, and its reference in Python: this is the switch between them.

A class or function that carries one of these decorators is the reference. Where the extension is
there (see `gradtape.backends.native`), its twin in C takes its place: the same behaviour, to the
letter, and what is rare it hands back to the reference.
"""

from __future__ import annotations

from collections.abc import Callable
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


def connect(**things: Any) -> None:
    """Tell the core in C what it calls and looks into on this side."""
    if extension is not None:
        extension.connect(**things)
