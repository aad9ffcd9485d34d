"""Binds the arguments of a call to the parameters of a function, and casts them to its specs."""

from __future__ import annotations

import inspect
from typing import Any

from gradtape import ops
from gradtape.api.specs import TypeSpec, spec_of
from gradtape.core import nest
from gradtape.core.tensor import Tensor
from gradtape.engine.variable import Variable
from gradtape.graph.signature import closure_values


class Parameters:
    """The parameters of a Python function. They do not keep the function alive."""

    __slots__ = ("_defaults", "_keyword_defaults", "signature")

    def __init__(self, function) -> None:
        try:
            self.signature = inspect.signature(function)
        except (TypeError, ValueError):  # a function of C without a signature
            self.signature = inspect.signature(lambda *args, **kwargs: None)
        parameters = self.signature.parameters.values()
        positional = (
            inspect.Parameter.POSITIONAL_ONLY,
            inspect.Parameter.POSITIONAL_OR_KEYWORD,
        )
        self._defaults = [p.default for p in parameters if p.kind in positional]
        self._keyword_defaults = {p.name: p.default for p in parameters if p.kind is p.KEYWORD_ONLY}

    @property
    def names(self) -> list[str]:
        return list(self.signature.parameters)

    def bind(self, args: tuple, kwargs: dict) -> inspect.BoundArguments:
        """Bind the arguments of a call, or raise TensorFlow's error."""
        try:
            return self.signature.bind(*args, **kwargs)
        except TypeError as error:
            raise _binding_error(error, args, kwargs, ", ".join(self.names)) from None

    def in_order(self, args: tuple, kwargs: dict) -> tuple[tuple, dict]:
        """Return the arguments by position as far as possible, with defaults filled in."""
        if not kwargs:
            rest = self._defaults[len(args) :]
            by_keyword = self._keyword_defaults
            if not rest and not by_keyword:
                return args, kwargs
            if not any(d is inspect.Parameter.empty for d in (*rest, *by_keyword.values())):
                return (*args, *rest), by_keyword
        bound = self.bind(args, kwargs)
        bound.apply_defaults()
        return bound.args, bound.kwargs

    def cast(self, args: tuple, kwargs: dict, specs: tuple) -> tuple[tuple, dict]:
        """Return the arguments, cast to the specs of an input signature."""
        try:
            bound = self.signature.bind(*args, **kwargs)
            left = iter(specs)
            for name, value in list(bound.arguments.items()):
                if self.signature.parameters[name].kind is inspect.Parameter.VAR_POSITIONAL:
                    pairs = zip(value, left, strict=False)
                    given = tuple([cast_to_spec(each, spec) for each, spec in pairs])
                    bound.arguments[name] = (*given, *value[len(given) :])
                else:
                    bound.arguments[name] = cast_to_spec(value, next(left, None))
        except TypeError as error:
            padded = [*specs, *[None] * len(self.names)]
            shown = ", ".join(
                name if spec is None else f"{name}: {spec}"
                for name, spec in zip(self.names, padded, strict=False)
            )
            raise _binding_error(error, args, kwargs, shown) from None
        return bound.args, bound.kwargs


def _binding_error(error: TypeError, args: tuple, kwargs: dict, signature: str) -> TypeError:
    return TypeError(
        f"Binding inputs to tf.function failed due to `{error}`. Received args: {args} and "
        f"kwargs: {kwargs} for signature: ({signature})."
    )


def cast_to_spec(value, spec) -> Any:
    """Return a value (or structure) as the spec (or structure of specs) demands, or raise."""
    if not isinstance(spec, TypeSpec):
        if not nest.is_nested(spec):
            return value
        pairs = zip(flatten_like(value, spec), nest.flatten(spec), strict=True)
        return nest.pack_sequence_as(spec, [cast_to_spec(v, s) for v, s in pairs])
    if isinstance(value, Variable):
        value = ops.to_tensor(value)
    cast = getattr(spec, "cast", None)
    if cast is not None:
        return cast(value)
    if not spec.is_compatible_with(value):
        raise TypeError(f"Can not cast {spec_of(value)} to {spec}")
    return value


def flatten_like(value, structure) -> list:
    """Return the leaves of a value, which must have the given structure."""
    try:
        nest.assert_same_structure(structure, value)
    except ValueError as error:
        raise TypeError(str(error)) from None
    return nest.flatten(value)


def captures_traced_tensors(function) -> bool:
    """Return whether the closure of a function holds tensors of an enclosing trace."""
    for held in closure_values(function):
        leaves = nest.flatten(held) if type(held) in (list, tuple, dict) else [held]
        if any(isinstance(x, Tensor) and not x._has_value for x in leaves):
            return True
    return False
