"""Functions as a loaded model has them: concrete ones, and those that choose among them."""

from __future__ import annotations

import inspect
import pprint
from collections.abc import Iterator
from typing import Any

import numpy as np

from gradtape import ops
from gradtape.api.specs import TensorSpec, TypeSpec, tensor_specs
from gradtape.core import nest
from gradtape.core.errors import DataLossError
from gradtape.core.protocols import has_tensor_specs
from gradtape.core.tensor import Tensor
from gradtape.core.tracebacks import filters_tracebacks
from gradtape.engine.variable import Variable
from gradtape.formats.saved_model.schema import Record
from gradtape.saved_model.reading.functions import GraphFunction
from gradtape.saved_model.reading.gradients import CapturedTensor
from gradtape.saved_model.specs import read_structure as decode_structure
from gradtape.saved_model.structures import HandleSpec

_GIVEN = (TensorSpec, HandleSpec)  # what a function gives where its signature has one of these


@filters_tracebacks
class RestoredConcreteFunction:
    """A function of a SavedModel for arguments of given specs, with what it has captured."""

    def __init__(self, function: GraphFunction, proto: Record) -> None:
        self._function = function
        self._signature = decode_structure(proto.canonicalized_input_signature)
        self._outputs = decode_structure(proto.output_signature)
        self.captured_inputs: list = []
        self._keywords: list[str] = []
        self._positional = 0
        if not _is_signature(self._signature):
            raise DataLossError(f"the function {function.name!r} has no signature of arguments")

    @property
    def name(self) -> str:
        return self._function.name

    @property
    def structured_input_signature(self) -> tuple:
        return self._signature

    @property
    def structured_outputs(self) -> Any:
        """The specs of the results."""
        return self._outputs

    @property
    def inputs(self) -> list:
        """The specs of the tensors among the arguments."""
        return [x for x in tensor_specs(self._signature) if isinstance(x, TensorSpec)]

    @property
    def outputs(self) -> list:
        return [x for x in tensor_specs(self._outputs) if isinstance(x, TensorSpec)]

    @property
    def output_shapes(self) -> Any:
        return nest.map_structure(lambda spec: spec.shape, self._outputs)

    @property
    def output_dtypes(self) -> Any:
        return nest.map_structure(lambda spec: spec.dtype, self._outputs)

    @property
    def variables(self) -> tuple:
        """The variables that the function may read or write."""
        return tuple(x for x in self.captured_inputs if isinstance(x, Variable))

    @property
    def trainable_variables(self) -> tuple:
        return tuple(x for x in self.variables if x.trainable)

    def allow_keywords(self, names: list[str], positional: int) -> None:
        """Let the function be called with its tensors by name, as a signature is."""
        if len(names) != len(self.inputs):
            raise DataLossError(f"{self.name!r} has {len(self.inputs)} inputs and other names")
        self._keywords, self._positional = list(names), positional

    def __call__(self, *args, **kwargs):
        if not self._keywords:
            flat = [*args, *[kwargs[name] for name in sorted(kwargs)]]
            return self.call_flat(flat)
        allowed = self._keywords[: self._positional]
        if len(args) > len(allowed):
            raise TypeError(
                f"{self.name} takes {len(allowed)} positional arguments but {len(args)} were "
                f"given; pass the others by name: {', '.join(self._keywords)}"
            )
        given = dict(zip(allowed, args, strict=False))
        repeated = given.keys() & kwargs.keys()
        if repeated:
            raise TypeError(f"{self.name} got two values for {sorted(repeated)[0]!r}")
        given |= kwargs
        missing = [name for name in self._keywords if name not in given]
        if missing:
            raise TypeError(f"{self.name} missing required arguments: {', '.join(missing)}")
        unknown = given.keys() - set(self._keywords)
        if unknown:
            raise TypeError(
                f"{self.name} got unexpected keyword arguments: {', '.join(sorted(unknown))}; it "
                f"has {', '.join(self._keywords)}"
            )
        return self.call_flat([given[name] for name in self._keywords])

    def call_flat(self, values: list) -> Any:
        """Call with the tensors among the arguments, in their order."""
        specs = self.inputs
        if len(values) != len(specs):
            raise TypeError(f"{self.name} takes {len(specs)} tensors, got {len(values)}")
        names = self._keywords or [spec.name or f"{i}" for i, spec in enumerate(specs)]
        tensors = [
            self._checked(value, spec, name)
            for value, spec, name in zip(values, specs, names, strict=True)
        ]
        if any(isinstance(x, CapturedTensor) for x in self.captured_inputs):
            raise ValueError(
                f"{self.name} is a part of another function, whose tensors it uses: call that one"
            )
        results = self._function([*tensors, *self.captured_inputs])
        left: Iterator = iter(results)
        return _filled(self._outputs, left)

    def _checked(self, value, spec: TensorSpec, name: str) -> Tensor:
        tensor = ops.to_tensor(value, None if ops.is_tensor_like(value) else spec.dtype)
        if tensor.dtype is not spec.dtype or not spec.shape.is_compatible_with(tensor.shape):
            raise TypeError(
                f"{self.name}: Binding inputs failed: the argument {name!r} is of "
                f"{tensor.dtype.name} with shape {tensor.shape}, and {spec} was expected"
            )
        return tensor

    def __repr__(self) -> str:
        return f"<ConcreteFunction {self.name} {self._signature}>"


def _is_signature(value) -> bool:
    return (
        isinstance(value, tuple)
        and len(value) == 2
        and isinstance(value[0], tuple)
        and isinstance(value[1], dict)
    )


def _filled(structure: Any, results: Iterator) -> Any:
    """Return a structure of results in place of specs."""
    flat = nest.flatten(structure)
    try:
        values = [_filled_leaf(x, results) for x in flat]
    except (RuntimeError, StopIteration):
        raise DataLossError("a function gives fewer results than its signature says") from None
    return nest.pack_sequence_as(structure, values)


def _filled_leaf(leaf: Any, results: Iterator) -> Any:
    if isinstance(leaf, _GIVEN):
        return next(results)
    return leaf.from_tensors(results) if has_tensor_specs(leaf) else leaf


@filters_tracebacks
class RestoredFunction:
    """A `tf.function` of a SavedModel: it calls the concrete function that fits the arguments."""

    def __init__(self, name: str, spec: Record, functions: list[RestoredConcreteFunction]) -> None:
        self._name = name
        self.concrete_functions = functions
        arguments = decode_structure(spec.fullargspec) if spec is not None else None
        self._parameters = _signature(arguments)
        given = decode_structure(spec.input_signature) if spec is not None else None
        self.input_signature = given

    @property
    def name(self) -> str:
        return self._name

    @property
    def function_spec(self) -> inspect.Signature:
        """The Python signature of the function that was saved."""
        return self._parameters

    def __call__(self, *args, **kwargs):
        if not self.concrete_functions:
            raise ValueError("Found zero restored functions for caller function.")
        args, kwargs = self._canonical(args, kwargs)
        for converts in (False, True):
            for function in self.concrete_functions:
                values = _matched(function.structured_input_signature, (args, kwargs), converts)
                if values is not None:
                    return function.call_flat(values)
        raise ValueError(self._no_match(args, kwargs))

    def _canonical(self, args: tuple, kwargs: dict) -> tuple[tuple, dict]:
        """Return the arguments as the saved function was traced: positional, if they can be."""
        bound = self._parameters.bind(*args, **kwargs)
        bound.apply_defaults()
        return bound.args, bound.kwargs

    def _no_match(self, args: tuple, kwargs: dict) -> str:
        options = [
            f"Option {index}:\n  {_listed(function.structured_input_signature[0])}\n  Keyword "
            f"arguments: {function.structured_input_signature[1]}"
            for index, function in enumerate(self.concrete_functions, 1)
        ]
        listed = "\n\n".join(options)
        return (
            "Could not find matching concrete function to call loaded from the SavedModel. Got:\n"
            f"  {_listed(args)}\n  Keyword arguments: {kwargs}\n\n Expected these arguments to "
            f"match one of the following {len(options)} option(s):\n\n{listed}"
        )

    def get_concrete_function(self, *args, **kwargs) -> RestoredConcreteFunction:
        """Return the concrete function for arguments, or specs of them."""
        if not args and not kwargs and len(self.concrete_functions) == 1:
            return self.concrete_functions[0]
        args, kwargs = self._canonical(args, kwargs)
        for converts in (False, True):
            for function in self.concrete_functions:
                values = _matched(function.structured_input_signature, (args, kwargs), converts)
                if values is not None:
                    return function
        raise ValueError(self._no_match(args, kwargs))

    def __repr__(self) -> str:
        return f"<tf.function {self._name} of a SavedModel>"


def _listed(positional: tuple) -> str:
    lines = "\n    * ".join(pprint.pformat(each) for each in positional)
    return f"Positional arguments ({len(positional)} total):\n    * {lines}"


def _signature(full: Any) -> inspect.Signature:
    """Return the signature that a FullArgSpec describes, without the object of a method."""
    kinds = inspect.Parameter
    if full is None:
        return inspect.Signature(
            [kinds("args", kinds.VAR_POSITIONAL), kinds("kwargs", kinds.VAR_KEYWORD)]
        )
    names = list(getattr(full, "args", None) or [])
    defaults = list(getattr(full, "defaults", None) or [])
    values = dict(zip(reversed(names), reversed(defaults), strict=False))
    if names and names[0] == "self":
        names = names[1:]
    parameters = [
        kinds(name, kinds.POSITIONAL_OR_KEYWORD, default=values.get(name, kinds.empty))
        for name in names
    ]
    if getattr(full, "varargs", None):
        parameters.append(kinds(full.varargs, kinds.VAR_POSITIONAL))
    named = getattr(full, "kwonlydefaults", None) or {}
    parameters += [
        kinds(name, kinds.KEYWORD_ONLY, default=named.get(name, kinds.empty))
        for name in getattr(full, "kwonlyargs", None) or []
    ]
    if getattr(full, "varkw", None):
        parameters.append(kinds(full.varkw, kinds.VAR_KEYWORD))
    try:
        return inspect.Signature(parameters)
    except ValueError as error:
        raise DataLossError(f"a function has parameters that no function has: {error}") from None


def _matched(expected: tuple, given: tuple, converts: bool) -> list | None:
    """Return the tensors among arguments that fit a signature, else None."""
    try:
        nest.assert_same_structure(expected, given)
        values = nest.flatten(given)
    except (TypeError, ValueError):
        try:
            values = _flatten_up_to(expected, given)
        except (TypeError, ValueError, KeyError):
            return None
    tensors = []
    for value, wanted in zip(values, nest.flatten(expected), strict=True):
        if isinstance(wanted, TypeSpec) and not isinstance(wanted, TensorSpec):
            if not wanted.is_compatible_with(value):
                return None
            is_spec = isinstance(value, TypeSpec)
            tensors += value.flatten() if is_spec else value._component_tensors()
            continue
        if not isinstance(wanted, TensorSpec):
            if not _same(value, wanted):
                return None
            continue
        if converts and not isinstance(value, (Tensor, TensorSpec)):
            try:
                value = ops.to_tensor(value, None if ops.is_tensor_like(value) else wanted.dtype)
            except (TypeError, ValueError):
                return None
        if not isinstance(value, (Tensor, Variable, TensorSpec)) or value.dtype is not wanted.dtype:
            return None
        if not wanted.shape.is_compatible_with(value.shape):
            return None
        tensors.append(value)
    return tensors


def _flatten_up_to(expected: Any, given: Any) -> list:
    """Return the parts of arguments that stand where a signature has its leaves."""
    if isinstance(expected, dict):
        if not isinstance(given, dict) or given.keys() != expected.keys():
            raise ValueError
        return [x for key in sorted(expected) for x in _flatten_up_to(expected[key], given[key])]
    if isinstance(expected, (list, tuple)):
        if not isinstance(given, (list, tuple)) or len(given) != len(expected):
            raise ValueError
        pairs = zip(expected, given, strict=True)
        return [x for one, other in pairs for x in _flatten_up_to(one, other)]
    return [given]


def _same(a: Any, b: Any) -> bool:
    if isinstance(a, (Tensor, np.ndarray)) or isinstance(b, (Tensor, np.ndarray)):
        return a is b
    return type(a) is type(b) and a == b
