"""`tf.experimental.dispatch_for_api` and its relatives."""

from __future__ import annotations

import contextlib
import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any

from gradtape.api.compat.scopes import name_scope
from gradtape.api.dispatch import names
from gradtape.api.dispatch.registry import Api, all_apis, api_of, apis_named
from gradtape.api.dispatch.signatures import Signature, annotations_of, check_of, check_parameters
from gradtape.api.export import export

# The functions that are registered for all elementwise functions, by annotations (and a kind).
_HANDLERS: dict[tuple, Callable] = {}
# And what stands in for each of these functions.
_TARGETS: dict[tuple, list[tuple[Api, Callable]]] = {}
_ASSERT = "assert"


@export("experimental.dispatch_for_api")
def dispatch_for_api(api, *signatures):
    """Return a decorator that registers a function in place of a public one, for some arguments.

    Each signature is a dictionary from parameters to annotations: classes, `List[…]`, `Union[…]`.
    Without any, the annotations of the decorated function say which arguments it is for. A call is
    dispatched if all of them fit, and one of these arguments is a composite or has one.
    """
    target_api = api_of(api)
    checks = [Signature(target_api.signature, each) for each in signatures]

    def decorate(dispatch_target):
        if not callable(dispatch_target):
            raise TypeError(f"Expected dispatch_target to be callable; got {dispatch_target!r}")
        target = _with_name(dispatch_target, target_api.signature)
        check_parameters(target_api.signature, target)
        made = checks or [Signature(target_api.signature, annotations_of(target))]
        for signature in made:
            target_api.add(signature, target)
        return target

    return decorate


@export("experimental.dispatch_for_unary_elementwise_apis")
def dispatch_for_unary_elementwise_apis(x_type):
    """Return a decorator that registers a function for all functions of each element of x.

    It is called with the function and x, if x fits the annotation.
    """
    return _for_all((x_type,), names.UNARY, 1, "A unary elementwise dispatch handler")


@export("experimental.dispatch_for_binary_elementwise_apis")
def dispatch_for_binary_elementwise_apis(x_type, y_type):
    """Return a decorator that registers a function for all elementwise functions of x and y.

    It is called with the function, x and y, if both fit their annotations.
    """
    return _for_all((x_type, y_type), names.BINARY, 2, "A binary elementwise dispatch handler")


@export("experimental.dispatch_for_binary_elementwise_assert_apis")
def dispatch_for_binary_elementwise_assert_apis(x_type, y_type):
    """Return a decorator that registers a function for all assertions that compare x and y.

    It is called with the assertion, x and y, if both fit their annotations.
    """
    what = "A binary elementwise assert dispatch handler"
    return _for_all((x_type, y_type, _ASSERT), names.ASSERTS, 2, what)


@export("experimental.unregister_dispatch_for")
def unregister_dispatch_for(dispatch_target):
    """Forget a function that was registered with one of the decorators."""
    removed = [api.remove(dispatch_target) for api in all_apis()]
    keys = [key for key, handler in _HANDLERS.items() if handler is dispatch_target]
    for key in keys:
        for api, target in _TARGETS.pop(key):
            api.remove(target)
        del _HANDLERS[key]
    if not any(removed) and not keys:
        raise ValueError(
            f"Function {dispatch_target} was not registered using a `@dispatch_for_*` decorator."
        )


def _for_all(key: tuple, public: Sequence[str], count: int, what: str) -> Callable:
    """Return the decorator of a function that stands in for many, of which each has so many
    operands."""
    types = key[:count]
    for each in types:
        check_of(each)  # raises, unless it is an annotation that can be checked

    def decorate(handler):
        if key in _HANDLERS:
            shown = types[0] if count == 1 else f"({', '.join(map(str, types))})"
            raise ValueError(f"{what} ({_HANDLERS[key]}) has already been registered for {shown}.")
        made = []
        for api in apis_named(public):
            operands = list(api.signature.parameters)[:count]
            signature = Signature(api.signature, dict(zip(operands, types, strict=True)))
            target = _elementwise_target(api, operands, handler)
            api.add(signature, target)
            made.append((api, target))
        _HANDLERS[key], _TARGETS[key] = handler, made
        return handler

    return decorate


def _elementwise_target(api: Api, operands: list[str], handler: Callable) -> Callable:
    """Return what stands in for an elementwise function: the handler, called with that function.

    The other arguments of the call are not the handler's: the function that it gets has them.
    """
    parameters = list(api.signature.parameters)
    function = api.function
    with_others = len(parameters) > len(operands) + 1 or "name" not in parameters

    def target(*args, **kwargs):
        bound = api.signature.bind(*args, **kwargs).arguments
        name = bound.pop("name", None)
        values = [bound.pop(each, None) for each in operands]
        tensor_function: Any = function
        if with_others and bound:
            tensor_function = functools.partial(function, **bound)
        with contextlib.nullcontext() if name is None else name_scope(name):
            return handler(tensor_function, *values)

    target.__name__ = target.__qualname__ = f"elementwise_dispatch_target_for_{api.name}"
    return target


def _with_name(target: Callable, api: inspect.Signature) -> Callable:
    """Return a function that takes a name if the public one does: it opens a scope of it."""
    signature = inspect.signature(target)
    takes_any = any(p.kind is p.VAR_KEYWORD for p in signature.parameters.values())
    if "name" not in api.parameters or "name" in signature.parameters or takes_any:
        return target
    index = list(api.parameters).index("name")

    @functools.wraps(target)
    def named(*args, **kwargs):
        if index < len(args):
            name, args = args[index], (*args[:index], *args[index + 1 :])
        else:
            name = kwargs.pop("name", None)
        with contextlib.nullcontext() if name is None else name_scope(name):
            return target(*args, **kwargs)

    parameters = [*signature.parameters.values(), api.parameters["name"]]
    named.__signature__ = signature.replace(parameters=parameters)  # pyright: ignore[reportAttributeAccessIssue] (inspect reads it)
    return named
