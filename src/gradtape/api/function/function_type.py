"""`FunctionType`: what the arguments and results of a traced function are, as text and by name."""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Iterator
from typing import Any

from gradtape.api.specs import TensorSpec
from gradtape.core.dtypes import from_numpy
from gradtape.core.protocols import has_tensor_specs
from gradtape.core.tensor import Tensor
from gradtape.graph.signature import describe, is_keyword, key_of


class _Unknown:
    def __repr__(self) -> str:
        return "<unknown>"


UNKNOWN = _Unknown()  # what a function returns that has not been traced
_LITERALS = (bool, int, float, complex, str, bytes, type(None))


class Parameter(inspect.Parameter):
    """A parameter of a traced function, with the type of its values."""

    def __init__(self, name: str, kind: Any, type_constraint: Any) -> None:
        super().__init__(name, kind)
        self._type = type_constraint

    @property
    def optional(self) -> bool:
        return False

    @property
    def type_constraint(self) -> Any:
        """The spec of the tensors, or the value."""
        return self._type

    def __str__(self) -> str:
        return f"{self.name}: {type_text(self._type)}"

    def __repr__(self) -> str:
        return (
            f"Parameter(name={self.name}, kind={self.kind.name}, optional=False, "
            f"type_constraint={type_text(self._type)})"
        )


class FunctionType(inspect.Signature):
    """The parameters of a traced function, its results, and the variables that it uses."""

    def __init__(self, parameters: list[Parameter], output: Any, captures: dict) -> None:
        super().__init__(parameters)
        self._output = output
        self._captures = captures

    @property
    def output(self) -> Any:
        return self._output

    @property
    def captures(self) -> dict:
        """The specs of the variables, by their ids."""
        return self._captures

    def __str__(self) -> str:
        return f"{super().__str__()} -> {type_text(self._output)}"

    def __repr__(self) -> str:
        return str(self)

    def described(self, verbose: bool = True) -> str:
        """Return the type in lines, as `print` shows it."""
        if not verbose:
            return str(self)
        lines = ["Input Parameters:"]
        lines += [
            f"  {each.name} ({each.kind.name}): {type_text(each.type_constraint)}"
            for each in self.parameters.values()
            if isinstance(each, Parameter)
        ]
        lines += ["Output Type:", f"  {type_text(self._output)}", "Captures:"]
        lines += [f"  {number}: {spec}" for number, spec in self._captures.items()] or ["  None"]
        return "\n".join(lines)


def function_type(
    signature: inspect.Signature, arguments: dict[str, Any], output: Any, variables: Any
) -> FunctionType:
    """Return the type of a function for specs and values by parameter."""
    parameters = [
        Parameter(name, kind, value) for name, kind, value in _expanded(signature, arguments)
    ]
    captures = {id(v): TensorSpec(v.shape, v.dtype, v.name.split(":")[0]) for v in variables}
    return FunctionType(parameters, output, captures)


def _expanded(
    signature: inspect.Signature, arguments: dict[str, Any]
) -> Iterator[tuple[str, Any, Any]]:
    """Yield the name, the kind and the value of each argument, also of `*args` and `**kwargs`."""
    kinds = inspect.Parameter
    has_rest = any(p.kind is kinds.VAR_POSITIONAL for p in signature.parameters.values())
    for name, parameter in signature.parameters.items():
        if name not in arguments:
            continue
        value, kind = arguments[name], parameter.kind
        if kind is kinds.VAR_POSITIONAL:
            yield from [(f"{name}_{i}", kinds.POSITIONAL_ONLY, x) for i, x in enumerate(value)]
        elif kind is kinds.VAR_KEYWORD:
            yield from [(key, kinds.KEYWORD_ONLY, x) for key, x in value.items()]
        else:
            is_fixed = has_rest and kind is kinds.POSITIONAL_OR_KEYWORD
            yield name, kinds.POSITIONAL_ONLY if is_fixed else kind, value


def type_text(value: Any) -> str:
    """Return the text of a type: a spec, a literal value, or a structure of them."""
    kind = type(value)
    if kind is list or kind is tuple:
        return f"{kind.__name__.capitalize()}[{', '.join(map(type_text, value))}]"
    if kind is dict:
        return f"Dict[{', '.join(f'[{k!r}, {type_text(v)}]' for k, v in value.items())}]"
    if kind not in _LITERALS:
        return repr(value)
    return f"Literal[{value!r}]"


def argument_names(signature: inspect.Signature, args: tuple, kwargs: dict) -> list[str]:
    """Return the names of the tensors in a call, in their order: those of the parameters."""
    used: Counter[str] = Counter()
    names = []
    for name, _, value in _expanded(signature, signature.bind(*args, **kwargs).arguments):
        tensors: list = []
        key_of(value, tensors)
        for _ in tensors:
            names.append(f"{name}_{used[name]}" if used[name] else name)
            used[name] += 1
    return names


def type_of_key(signature: inspect.Signature, key: tuple, entry: Any) -> FunctionType:
    """Return the type of a function that was traced for a call with this key."""
    named = {each[0]: _shown(each[1]) for each in key if is_keyword(each)}
    given = [_shown(each) for each in key if not is_keyword(each)]
    arguments = signature.bind(*given, **named).arguments
    routine = entry.routine
    variables = {id(v): v for v in (*routine.variables, *routine.written)}.values()
    return function_type(signature, arguments, entry.structured_outputs(), variables)


def _shown(key: Any) -> Any:
    try:
        return spec_of_key(key)
    except NoSpec:
        return _Described(describe(key))


class _Described(str):
    """The text of an argument that has no spec."""

    __slots__ = ()
    __repr__ = str.__str__


class NoSpec(Exception):
    """Raised for an argument that has no spec: an object, a variable."""


def call_of_key(key: Any) -> tuple[tuple, dict]:
    """Return the arguments that the key of a call stands for, as specs and values."""
    named = {each[0]: spec_of_key(each[1]) for each in key if is_keyword(each)}
    return tuple([spec_of_key(each) for each in key if not is_keyword(each)]), named


def spec_of_key(key: Any) -> Any:
    """Return what a part of a key stands for: the spec of a tensor, or a value."""
    if not isinstance(key, tuple) or not key:
        raise NoSpec
    kind = key[0]
    if kind is Tensor:
        return TensorSpec(key[1], from_numpy(key[2]))
    if kind is float:
        return float(key[1])
    if kind in (tuple, list):
        return kind([spec_of_key(each) for each in key[1:]])
    if kind is dict:
        return dict(zip(key[1], [spec_of_key(each) for each in key[2:]], strict=True))
    if kind in (bool, int, str, type(None)):
        return key[1]
    if kind == "composite" and key[2] and has_tensor_specs(key[2][0]):
        parts = iter([spec_of_key(each) for each in key[3:]])
        return key[2][0]._map_tensor_specs(lambda spec: next(parts))
    raise NoSpec
