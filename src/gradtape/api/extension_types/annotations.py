"""What the annotation of a field, or of a parameter, means."""

from __future__ import annotations

import collections.abc
import inspect
import sys
import types
import typing
from typing import Any

from gradtape.core.dtypes import DType
from gradtape.core.protocols import gives_type_specs
from gradtape.core.shape import TensorShape
from gradtape.core.tensor import Tensor

# Values of these are static: they are part of a value's spec.
PLAIN = (int, float, str, bytes, bool, type(None))


def is_union(annotation: Any) -> bool:
    """Return whether an annotation is `Union[…]`, `Optional[…]` or `X | Y`."""
    return typing.get_origin(annotation) in (typing.Union, types.UnionType)


def is_tuple(annotation: Any) -> bool:
    """Return whether an annotation is `Tuple[…]`."""
    return typing.get_origin(annotation) is tuple


def is_list(annotation: Any) -> bool:
    """Return whether an annotation is `List[…]`."""
    return typing.get_origin(annotation) is list


def is_mapping(annotation: Any) -> bool:
    """Return whether an annotation is `Mapping[…]`."""
    return typing.get_origin(annotation) is collections.abc.Mapping


def is_forward_reference(annotation: Any) -> bool:
    """Return whether an annotation is the name of a class that is not defined yet."""
    return isinstance(annotation, (str, typing.ForwardRef))


def is_composite_class(annotation: Any) -> bool:
    """Return whether an annotation is a class of values that are made of tensors."""
    return isinstance(annotation, type) and gives_type_specs(annotation)


def own_annotations(cls: type) -> dict[str, Any]:
    """Return the annotations in the body of a class; names that are not defined stay names."""
    try:
        return inspect.get_annotations(cls)
    except NameError:  # from Python 3.14 on, they are computed when they are asked for
        library: Any = sys.modules.get("annotationlib") or __import__("annotationlib")
        return library.get_annotations(cls, format=library.Format.FORWARDREF)


def type_hints(cls: type) -> tuple[dict[str, Any], bool]:
    """Return the annotations of a class and its bases; and whether all their names are defined."""
    try:
        return typing.get_type_hints(cls), True
    except (NameError, AttributeError):
        hints: dict[str, Any] = {}
        for base in reversed(cls.__mro__):
            if base is not object:
                hints.update(own_annotations(base))
        return hints, False


def check(annotation: Any, in_key: bool = False) -> None:
    """Raise a TypeError unless a field can have this annotation."""
    if is_forward_reference(annotation):
        return
    if annotation is None or annotation in PLAIN or annotation is DType:
        return
    if annotation in (Tensor, TensorShape) or is_composite_class(annotation):
        if in_key:
            raise TypeError(
                f"Mapping had a key {annotation.__name__!r} with type {type(annotation).__name__!r}"
            )
        return
    arguments = typing.get_args(annotation)
    if is_tuple(annotation) or is_union(annotation):
        if is_tuple(annotation) and len(arguments) == 2 and arguments[1] is Ellipsis:
            arguments = arguments[:1]
        for each in arguments:
            check(each, in_key)
    elif is_mapping(annotation) and len(arguments) == 2:
        check(arguments[0], True)
        check(arguments[1], in_key)
    elif isinstance(annotation, type) and not arguments:
        raise TypeError(f"Unsupported type annotation {annotation.__name__!r}")
    else:
        raise TypeError(f"Unsupported type annotation {annotation!r}")
