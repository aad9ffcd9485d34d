"""Abstract values: what the look-ahead knows of a value, mainly whether it is a traced tensor."""

from __future__ import annotations

import ast
from abc import ABCMeta
from typing import Any

import numpy as np

from gradtape.core.tensor import Tensor
from gradtape.engine.variable import Variable, as_variable

_MAX_ELEMENTS = 64  # of a Python list that are tracked one by one
_PLAIN_TYPES = (type, ABCMeta)
SIMPLE = (bool, int, float, str, bytes, type(None))


class _Kind:
    def __init__(self, name: str) -> None:
        self._name = name

    def __repr__(self) -> str:
        return self._name


TENSOR = _Kind("a tensor")  # traced: Python cannot get its value
LIKELY = _Kind("perhaps a tensor")  # returned for a tensor by code without source
MADE = _Kind("a tensor that has a value while tracing")  # it is made of Python's values
UNKNOWN = _Kind("anything")  # usually a Python value that is the same on each call
TAPE = _Kind("a tape")


class Known:
    """An object that exists before the function runs."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value


class Items:
    """A list, tuple or dict with known elements; `names` are the keys of a dict."""

    __slots__ = ("names", "values")

    def __init__(self, values: list, names: list | None = None) -> None:
        self.values = values
        self.names = names


class Each:
    """An iterable, with one abstract value for all elements."""

    __slots__ = ("element",)

    def __init__(self, element: Any) -> None:
        self.element = element


class Method:
    """A method of a tensor."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name


class Applied:
    """`functools.partial`: a function with some of its arguments (see calls.py)."""

    __slots__ = ("arguments", "function")

    def __init__(self, function: Any, arguments: Any) -> None:
        self.function = function
        self.arguments = arguments


class Parent:
    """`super()` in a method of a class."""

    __slots__ = ("cls", "instance")

    def __init__(self, cls: type, instance: Any) -> None:
        self.cls = cls
        self.instance = instance


class Local:
    """A function defined inside the function, with the frame of its names."""

    __slots__ = ("frame", "node")

    def __init__(self, node: ast.FunctionDef | ast.Lambda, frame: Any) -> None:
        self.node = node
        self.frame = frame


def of_object(value: Any) -> Any:
    """Return the abstract value of an object of the program inside a trace."""
    if isinstance(value, Tensor):
        # Ops on a tensor with a value run while tracing, and conditions may use it.
        return Known(value) if value._has_value else TENSOR
    return TENSOR if _is_variable(value) else Known(value)


def _is_variable(value: Any) -> bool:
    """Return whether it is a variable (also one of Keras), without running the program's code."""
    if isinstance(value, Variable):
        return True
    return hasattr(type(value), "_gradtape_variable") and isinstance(as_variable(value), Variable)


def of_argument(value: Any) -> Any:
    """Return the abstract value of an argument: arrays and tensors lose their values."""
    if isinstance(value, (Tensor, np.ndarray, np.generic)):
        return TENSOR
    if type(value) in (tuple, list):
        return Items([of_argument(each) for each in value])
    if type(value) is dict:
        return Items([of_argument(each) for each in value.values()], list(value))
    return of_object(value)


def join(a: Any, b: Any) -> Any:
    """Return the join of the abstract values from two branches."""
    if a is b:
        return a
    if a is TENSOR or b is TENSOR:
        return TENSOR
    for kind in (LIKELY, MADE):
        if a is kind or b is kind:
            return kind
    if type(a) is Known and type(b) is Known:
        same = a.value is b.value or (
            type(a.value) in SIMPLE and type(a.value) is type(b.value) and a.value == b.value
        )
        return a if same else UNKNOWN
    if type(a) is Items and type(b) is Items and a.names == b.names:
        if len(a.values) == len(b.values):
            pairs = zip(a.values, b.values, strict=True)
            return Items([join(x, y) for x, y in pairs], a.names)
        return Each(join(element(a), element(b)))
    if type(a) in (Items, Each) and type(b) in (Items, Each):
        return Each(join(element(a), element(b)))
    return UNKNOWN


def is_instance(x: Any, classes: Any) -> Any:
    """Return what `isinstance` says of a tensor: code that takes lists apart asks for them so."""
    kinds = classes.values if type(classes) is Items else [classes]
    known = [each.value for each in kinds if type(each) is Known]
    # Other metaclasses would run code of the program.
    if (
        x is not TENSOR
        or len(known) < len(kinds)
        or any(type(k) not in _PLAIN_TYPES for k in known)
    ):
        return UNKNOWN
    answers = {issubclass(kind, tuple(known)) for kind in (Tensor, Variable)}
    return Known(answers.pop()) if len(answers) == 1 else UNKNOWN


def element(x: Any) -> Any:
    """Return the abstract value of one element of an iterable."""
    if x is TENSOR or x is LIKELY or x is MADE:
        return x
    if type(x) is Each:
        return x.element
    parts = elements(x)
    if not parts:
        return UNKNOWN
    joined = parts[0]
    for part in parts[1:]:
        joined = join(joined, part)
    return joined


def elements(x: Any) -> list | None:
    """Return the elements one by one, if they are known and few."""
    if type(x) is Items:
        return [Known(name) for name in x.names] if x.names is not None else x.values
    if (
        type(x) is Known
        and isinstance(x.value, (list, tuple))
        and len(_plain(x.value)) <= _MAX_ELEMENTS
    ):
        return [of_object(each) for each in _plain(x.value)]
    return None


def _plain(sequence: list | tuple) -> list:
    """Return the elements of a list or tuple, ignoring methods of a subclass."""
    if isinstance(sequence, list):
        return list.__getitem__(sequence, slice(None))
    return list(tuple.__getitem__(sequence, slice(None)))


def has_tensor(x: Any) -> bool:
    """Return whether a traced tensor is in it."""
    if type(x) is Items:
        return any(map(has_tensor, x.values))
    if type(x) is Each:
        return has_tensor(x.element)
    return x is TENSOR


def truth(x: Any) -> bool | None:
    """Return its truth value in a condition, or None if that is not known."""
    if type(x) is Known and type(x.value) in SIMPLE:
        return bool(x.value)
    if type(x) in (Local, Method, Applied):
        return True
    return None
