"""The cache key of a call: tensors by shape and dtype, Python values by value, variables and other
objects by identity. Calls with equal keys share a trace."""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from typing import Any

import numpy as np

from gradtape import ops
from gradtape.core import nest
from gradtape.core.dtypes import DType
from gradtape.core.protocols import has_type_spec, is_composite
from gradtape.core.shape import TensorShape
from gradtape.core.tensor import Spec, Tensor
from gradtape.engine.variable import Variable, as_variable
from gradtape.graph.per_replica import PerReplica, Unequal

_BY_VALUE = (str, bytes, complex, DType, TensorShape, type)


def closure_values(function: Any) -> list:
    """Return the values in the closure of a function; None for a name that is not bound yet."""
    values = []
    for cell in getattr(function, "__closure__", None) or ():
        try:
            values.append(cell.cell_contents)
        except ValueError:
            values.append(None)
    return values


class Untraceable(Exception):
    """Raised for an argument that a function cannot be traced with; the text says why."""


class ByIdentity:
    """An object as part of a key: compared by identity, and not kept alive by the key."""

    __slots__ = ("_hash", "_reference")

    def __init__(self, value) -> None:
        self._hash = id(value)
        try:
            self._reference = weakref.ref(value)
        except TypeError:
            self._reference = lambda: value

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other) -> bool:
        if type(other) is not ByIdentity or self._hash != other._hash:
            return False
        mine = self._reference()
        return mine is not None and mine is other._reference()

    @property
    def is_gone(self) -> bool:
        return self._reference() is None

    def __repr__(self) -> str:
        referent = self._reference()
        if referent is None:
            return "object that is gone"
        variable = as_variable(referent)
        if isinstance(variable, Variable):
            return f"variable {variable.name!r}"
        name = getattr(referent, "__name__", None)
        kind = type(referent).__name__
        return f"{kind} object" if name is None else f"{kind} {name}"


def key_of(value: Any, tensors: list) -> Any:
    """Return the key of an argument, and append the tensors in it to the list."""
    kind = type(value)
    if kind is Tensor:
        tensors.append(value)
        data = value._data
        return (Tensor, data.shape, data.dtype)
    if kind is bool or kind is int or value is None:
        return (kind, value)
    if kind is float:
        return (kind, repr(value))  # 0.0 is not -0.0, and nan is nan
    if kind is tuple or kind is list:
        return (kind, *[key_of(each, tensors) for each in value])
    if kind is dict:
        return (kind, tuple(value), *[key_of(value[name], tensors) for name in value])
    if isinstance(value, Tensor):
        tensors.append(value)
        spec = value._spec()
        key = (Tensor, tuple(spec.shape), spec.dtype)
        if not value._is_on_device:
            return key
        return ("on devices" if value._is_spread() else "on a device", key)  # pyright: ignore[reportAttributeAccessIssue] (a subclass that is not Tensor itself)
    if kind is Variable:
        return ByIdentity(value)
    if isinstance(value, (np.ndarray, np.generic)):
        return key_of(ops.to_tensor(value), tensors)
    if isinstance(value, _BY_VALUE):
        return (kind, value)
    if kind is PerReplica:
        return ("per replica", value.count, key_of(value.stack, tensors))
    if kind is Unequal:
        return ("unequal", value._own, *[key_of(part, tensors) for part in value.parts])
    if is_composite(value):
        static = value._static_parts()
        if static is None:
            raise Untraceable(f"an argument is a {kind.__name__}")
        parts = [key_of(part, tensors) for part in value._component_tensors()]
        return ("composite", kind, static, *parts)
    if has_type_spec(value) and not hasattr(value, "_node"):  # a dataset iterates
        raise Untraceable(f"an argument is a {kind.__name__}")
    if nest.is_nested(value):
        names = tuple(value) if isinstance(value, dict) else ()  # of a subclass, too
        return (kind, names, *[key_of(each, tensors) for each in nest.flatten(value)])
    if isinstance(as_variable(value), Variable):
        return ByIdentity(value)
    return ByIdentity(value)


def rebuild(value: Any, tensors: Iterator) -> Any:
    """Return the argument with its tensors, in the order of `key_of`, replaced by others."""
    kind = type(value)
    if isinstance(value, (Tensor, np.ndarray, np.generic)):
        return next(tensors)
    if kind is tuple or kind is list:
        return kind([rebuild(each, tensors) for each in value])
    if kind is dict:
        return {name: rebuild(each, tensors) for name, each in value.items()}
    if kind is PerReplica:
        return value.rebuild(next(tensors))
    if kind is Unequal:
        return value.rebuild([rebuild(part, tensors) for part in value.parts])
    if isinstance(value, _BY_VALUE) or kind is Variable:
        return value
    if is_composite(value):
        return value._with_components([next(tensors) for _ in value._component_tensors()])
    if not nest.is_nested(value):
        return value
    return nest.pack_sequence_as(value, [rebuild(each, tensors) for each in nest.flatten(value)])


def relax_shapes(key: Any) -> Any:
    """Return the key without the sizes of tensors: what TensorFlow relaxes a signature to."""
    if type(key) is not tuple:
        return key
    if key and key[0] is Tensor:
        return (Tensor, len(key[1]), key[2])
    return tuple(map(relax_shapes, key))


def is_keyword(key: Any) -> bool:
    """Return whether a part of a call's key is the (name, key) of a keyword argument."""
    return type(key) is tuple and type(key[0]) is str and key[0] not in ("on a device", "composite")


def describe(key: Any) -> str:
    """Return a description of the argument that a key stands for."""
    if isinstance(key, ByIdentity):
        return repr(key)
    if is_keyword(key):
        return describe(key[1])
    kind, *rest = key
    if kind is Tensor:
        return repr(Spec(*rest))
    if kind in ("on a device", "on devices"):
        return f"{describe(rest[0])} {kind}"
    if kind == "per replica":
        return f"{describe(rest[1])} for {rest[0]} replicas"
    if kind == "composite":
        return f"{rest[0].__name__} of {', '.join(map(describe, rest[2:]))}"
    if kind == "unequal":
        return f"for the replicas, {', '.join(map(describe, rest[1:]))}"
    if kind in (tuple, list):
        text = ", ".join(map(describe, rest))
        return f"({text})" if kind is tuple else f"[{text}]"
    if kind is dict:
        names, *values = rest
        return (
            "{"
            + ", ".join(f"{n!r}: {describe(v)}" for n, v in zip(names, values, strict=True))
            + "}"
        )
    if kind is float:
        return rest[0]
    return ", ".join(r if isinstance(r, str) and kind is not str else repr(r) for r in rest)
