"""`tensorflow.python.util.dispatch`: dispatch of functions by the types of their arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gradtape.api.dispatch import names
from gradtape.api.dispatch.decorators import (
    dispatch_for_api,
    dispatch_for_binary_elementwise_apis,
    dispatch_for_binary_elementwise_assert_apis,
    dispatch_for_unary_elementwise_apis,
    unregister_dispatch_for,
)
from gradtape.api.dispatch.registry import add_api, all_apis, api_of
from gradtape.api.dispatch.signatures import DISPATCHED
from gradtape.api.export import lookup
from gradtape.core.composites import arguments_of

__all__ = [
    "dispatch_for_api",
    "dispatch_for_binary_elementwise_apis",
    "dispatch_for_binary_elementwise_assert_apis",
    "dispatch_for_unary_elementwise_apis",
    "unregister_dispatch_for",
]


class OpDispatcher:
    """The base of what is asked when a function has failed."""

    NOT_SUPPORTED: Any = NotImplemented

    def handle(self, args, kwargs):
        """Return the result of a call; NOT_SUPPORTED, if it is none of these."""
        return self.NOT_SUPPORTED

    def register(self, op) -> None:
        """Have a function ask this dispatcher when it has failed."""
        api_of(op).fallbacks.append(self.handle)


class GlobalOpDispatcher:
    """The base of what is asked when any function has failed, which no function is here."""

    NOT_SUPPORTED = OpDispatcher.NOT_SUPPORTED

    def handle(self, op, args, kwargs):
        """Return the result of a call; NOT_SUPPORTED, if it is none of these."""

    def register(self) -> None:
        """Raise an error that says what there is instead."""
        raise NotImplementedError(
            "gradtape asks no dispatcher for all functions: register an OpDispatcher for each one."
        )


def dispatch_for_types(op, *types):
    """Return a decorator that registers a function for calls that fail with values of types."""

    def decorate(function: Callable) -> Callable:
        def handle(args: tuple, kwargs: dict) -> Any:
            if any(isinstance(value, types) for value in arguments_of(args, kwargs)):
                return function(*args, **kwargs)
            return NotImplemented

        try:
            api_of(op).fallbacks.append(handle)
        except ValueError:  # a function that is not public here
            return function
        return function

    return decorate


def add_dispatch_support(target=None, iterable_parameters=None):
    """Return a function (or a decorator of one) that is dispatched like TensorFlow's own."""
    names_of = () if iterable_parameters is None else iterable_parameters
    if not (isinstance(names_of, (list, tuple)) and all(isinstance(x, str) for x in names_of)):
        raise TypeError("iterable_parameters should be a list or tuple of string.")

    def decorate(function: Callable) -> Callable:
        return add_api(function, names_of)

    return decorate if target is None else decorate(target)


def add_dispatch_list(target):
    """Return a function as it is."""
    return target


add_fallback_dispatch_list = add_dispatch_list


def unary_elementwise_apis() -> tuple:
    """Return the functions of each element."""
    return tuple(map(lookup, names.UNARY))


def binary_elementwise_apis() -> tuple:
    """Return the elementwise functions of two tensors."""
    return tuple(map(lookup, names.BINARY))


def apis_with_type_based_dispatch() -> list:
    """Return the functions for which something was registered."""
    return [api.function for api in all_apis()]


def type_based_dispatch_signatures_for(cls) -> dict:
    """Return, by function, the registered signatures that name a class."""

    def names_class(annotation: Any) -> bool:
        if isinstance(annotation, dict):
            return any(map(names_class, annotation.values()))
        return annotation is cls or any(map(names_class, getattr(annotation, "__args__", ())))

    result: dict[Any, list] = {}
    for api in all_apis():
        signatures = [each.annotations for each, _ in api.targets if names_class(each.annotations)]
        if signatures:
            result[api.function] = signatures
    return result


def register_dispatchable_type(cls):
    """Let functions be dispatched for the sake of a class that is no composite."""
    DISPATCHED.add(cls)
    return cls
