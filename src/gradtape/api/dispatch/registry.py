"""What programs have registered for public functions, and the call of what fits the arguments."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Any

from gradtape import ops
from gradtape.api import nests
from gradtape.api.composites import asks_for_itself, takes_symbols
from gradtape.api.dispatch.signatures import Signature
from gradtape.api.export import PUBLIC, lookup, replace
from gradtape.core.composites import APPLIERS, arguments_of
from gradtape.core.tensor import Tensor

# Of the functions that no model has as an operation, those that take a program's types, too.
_ALSO = frozenset("Assert case cond no_op numpy_function py_function timestamp".split())
_ALSO_IN = frozenset("audio debugging dtypes io ragged".split())


class Api:
    """A public function, and what is registered for it."""

    def __init__(self, function: Callable) -> None:
        self.name = getattr(function, "__name__", "?").rpartition(".")[2]
        self.function = function  # what a registered function calls on tensors
        self.signature = _bare(inspect.signature(function))
        self.iterables: tuple[str, ...] = ()  # parameters that may be given an iterator
        self.targets: list[tuple[Signature, Callable]] = []
        # Functions of (args, kwargs) that are asked after an error; NotImplemented is no answer.
        self.fallbacks: list[Callable] = []

    def dispatch(self, args: tuple, kwargs: dict) -> Any:
        """Return what the registered function returns that fits; NotImplemented if none does."""
        fitting: dict[int, Callable] = {}
        for signature, target in self.targets:
            if signature.fits(args, kwargs):
                fitting[id(target)] = target
        if not fitting:
            return NotImplemented
        if len(fitting) > 1:
            shown = ", ".join(map(repr, fitting.values()))
            raise ValueError(
                "Multiple dispatch targets that were registered with "
                f"tf.experimental.dispatch_for_api ({shown}) match the arguments to {self.name}"
            )
        (target,) = fitting.values()
        return target(*args, **kwargs)

    def with_lists(self, args: tuple, kwargs: dict) -> tuple[tuple, dict]:
        """Return arguments with lists in place of iterators, which can be read only once."""
        names = list(self.signature.parameters)
        given = list(args)
        for name in self.iterables:
            index = names.index(name)
            if index < len(given):
                given[index] = list(given[index])
            elif name in kwargs:
                kwargs = kwargs | {name: list(kwargs[name])}
        return tuple(given), kwargs

    def fall_back(self, function: Callable, args: tuple, kwargs: dict) -> Any:
        """Call the function itself, and if it fails what is registered for that."""
        try:
            return function(*args, **kwargs)
        except (TypeError, ValueError):
            for fallback in self.fallbacks:
                result = fallback(args, kwargs)
                if result is not NotImplemented:
                    return result
            raise

    def add(self, signature: Signature, target: Callable) -> None:
        """Register a function for the arguments that fit a signature."""
        self.targets.append((signature, target))

    def remove(self, target: Callable) -> bool:
        """Forget a function; return whether it was registered."""
        left = [each for each in self.targets if each[1] is not target]
        was_there = len(left) < len(self.targets)
        self.targets = left
        return was_there


# What does the same to each component of a composite.
_EACH_COMPONENT = frozenset("identity stop_gradient".split())
# By the innermost function behind a public name: no face that it is given is that.
_APIS: dict[Callable, Api] = {}


def api_of(function: Any) -> Api:
    """Return what is registered for a public function, which looks at its arguments from now on."""
    return _apis_of([function])[0]


def apis_named(names: Sequence[str]) -> list[Api]:
    """Return what is registered for each of some public functions, of which some are the same."""
    apis = _apis_of([lookup(name) for name in names])
    return list({id(api): api for api in apis}.values())


def _apis_of(functions: list[Any]) -> list[Api]:
    inner = [inspect.unwrap(each) if callable(each) else None for each in functions]
    new = {each for each in inner if isinstance(each, FunctionType)} - _APIS.keys()
    names: dict[Any, list[str]] = {each: [] for each in new}
    for name, value in PUBLIC.items() if new else ():
        if isinstance(value, FunctionType) and inspect.unwrap(value) in names:
            names[inspect.unwrap(value)].append(name)
    faces: dict[Any, Callable] = {}
    for each, public in names.items():
        if any(map(_takes_dispatch, public)) and not _takes_any(each):
            values: Any = [PUBLIC[name] for name in public]  # each alias may have its own face
            api = _APIS[each] = Api(values[0])
            api.iterables = ("inputs",) if "math.add_n" in public else ()
            faces |= {value: face_of(value, api) for value in values}
            api.function = faces[values[0]]
    if faces:
        replace(faces)
    for function, each in zip(functions, inner, strict=True):
        if not isinstance(each, FunctionType) or each not in _APIS:
            raise ValueError(f"{function} does not support dispatch.")
    return [_APIS[each] for each in inner if each is not None]


def all_apis() -> list[Api]:
    """Return all that something was registered for."""
    return list(_APIS.values())


def add_api(function: Callable, iterables: Sequence[str] = ()) -> Callable:
    """Return a program's own function as one that is dispatched like a public one."""
    if _takes_any(function):
        return function
    api = _APIS[inspect.unwrap(function)] = Api(function)
    api.iterables = tuple(iterables)
    api.function = face_of(function, api)
    return api.function


def _bare(signature: inspect.Signature) -> inspect.Signature:
    """Return a signature without annotations, which only gradtape's own functions have."""
    parameters = signature.parameters.values()
    bare = [each.replace(annotation=inspect.Parameter.empty) for each in parameters]
    return signature.replace(parameters=bare, return_annotation=inspect.Signature.empty)


def face_of(function: Any, api: Api) -> Callable:
    """Return a function that first asks what is registered for its arguments."""

    @functools.wraps(function)
    def face(*args, **kwargs):
        for value in args:
            if type(value) is not Tensor:
                break
        else:
            if not kwargs:
                return function(*args)
        if api.iterables:
            args, kwargs = api.with_lists(args, kwargs)
        result = api.dispatch(args, kwargs) if api.targets else NotImplemented
        if result is not NotImplemented:
            return result
        if api.fallbacks:
            return api.fall_back(function, args, kwargs)
        return function(*args, **kwargs)

    return face


def _takes_dispatch(name: str) -> bool:
    return takes_symbols(name) or name in _ALSO or name.partition(".")[0] in _ALSO_IN


def _takes_any(function: Callable) -> bool:
    """Return whether a function has `*args` or `**kwargs`, whose types no signature names."""
    kinds = {each.kind for each in inspect.signature(function).parameters.values()}
    return bool(kinds & {inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD})


# --- where an argument could not be converted ----------------------------------------------------


def apply_to_extension(name: str, op: Callable, args: tuple, kwargs: dict) -> Any:
    """Apply an op to a program's own types, or raise the error of what is no tensor."""
    api = _APIS.get(inspect.unwrap(op))
    if api is not None:
        result = api.dispatch(args, kwargs)
        if result is not NotImplemented:
            return result
    if name in _EACH_COMPONENT:
        return nests.map_structure(lambda x: op(x, **kwargs), args[0], expand_composites=True)
    if not asks_for_itself(op):
        return NotImplemented  # the caller has an error to raise
    for value in arguments_of(args, kwargs):
        if APPLIERS.get(type(value)) is apply_to_extension:
            ops.to_tensor(value)  # raises, unless the class has a conversion
    return op(*map(_converted, args), **{key: _converted(x) for key, x in kwargs.items()})


def _converted(value: Any) -> Any:
    return ops.to_tensor(value) if APPLIERS.get(type(value)) is apply_to_extension else value
