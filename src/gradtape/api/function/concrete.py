"""`ConcreteFunction`: a `tf.function` for arguments of given specs."""

from __future__ import annotations

import contextlib
from typing import Any

import numpy as np

from gradtape import ops
from gradtape.api.export import export
from gradtape.api.function.arguments import cast_to_spec, flatten_like
from gradtape.api.function.entries import graph_of_all_sizes, public_spec
from gradtape.api.function.function_type import UNKNOWN, FunctionType, function_type
from gradtape.api.function.open_calls import ExampleSpec, NoExample
from gradtape.api.specs import CompositeTensor, TensorSpec, TypeSpec, spec_of, tensor_specs
from gradtape.core import nest
from gradtape.core.protocols import has_tensor_specs, is_composite
from gradtape.core.shape import TensorShape, has_all_sizes
from gradtape.core.tensor import Spec, Tensor
from gradtape.engine.variable import Variable

_GRAPH_ATTRIBUTES = (
    "captured_inputs",
    "graph",
    "inputs",
    "outputs",
    "output_dtypes",
    "output_shapes",
    "structured_outputs",
    "trainable_variables",
    "variables",
)


@export("types.experimental.ConcreteFunction")
class ConcreteFunction:
    """A `tf.function` for arguments of given specs; other arguments are fixed."""

    def __init__(self, function, bound) -> None:
        self._function = function
        self._bound = bound
        self._specs = {
            name: nest.map_structure(_as_spec, value) for name, value in bound.arguments.items()
        }
        self._latest_entry: Any = None
        self._note()
        leaves = tensor_specs(list(self._specs.values()))
        # Traced now, with its open sizes; on the first call, if it depends on these.
        if all(s.shape.rank is not None for s in leaves if isinstance(s, TensorSpec)):
            with contextlib.suppress(NoExample):
                examples = {n: nest.map_structure(_example, s) for n, s in self._specs.items()}
                self._latest_entry = self._entry(examples)

    def _note(self) -> None:
        """Let the function know of open sizes: a model is saved for them, not for examples."""
        leaves = [s for s in tensor_specs(list(self._specs.values())) if isinstance(s, TensorSpec)]
        if all(has_all_sizes(spec.shape) for spec in leaves):
            return
        bound = type(self._bound)(self._bound.signature, dict(self._specs))
        bound.apply_defaults()
        asked = self._function._cache.asked
        if (bound.args, bound.kwargs) not in asked:
            asked.append((bound.args, bound.kwargs))

    def _entry(self, arguments: dict):
        bound = type(self._bound)(self._bound.signature, arguments)
        return self._function._entry(bound.args, bound.kwargs)[0]

    @property
    def name(self) -> str:
        return self._function.name

    @property
    def structured_input_signature(self) -> tuple:
        named = {
            name: nest.map_structure(lambda s, n=name: _named(s, n), spec)
            for name, spec in self._specs.items()
        }
        return tuple(named.values()), {}

    def _graph_entry(self, what: str):
        """Return the entry with the graph, or raise an error that says why there is none."""
        entry = self._latest_entry
        if entry is None:
            raise AttributeError(
                f"ConcreteFunction.{what}: the function is traced for each shape that it is called "
                "with, and has not been called yet."
            )
        if entry.routine is None:
            raise AttributeError(
                f"ConcreteFunction.{what}: there is no graph, the function runs eagerly: "
                f"{entry.reason}"
            )
        return entry

    @property
    def structured_outputs(self):
        """The specs of the results."""
        return self._graph_entry("structured_outputs").structured_outputs()

    @property
    def graph(self):
        """The graph of gradtape's primitives; `print` shows it."""
        return self._graph_entry("graph").routine.graph

    @property
    def variables(self) -> tuple:
        """The variables that the function reads or writes."""
        routine = self._graph_entry("variables").routine
        seen = {id(v): v for v in (*routine.variables, *routine.written)}
        return tuple(seen.values())

    @property
    def trainable_variables(self) -> tuple:
        return tuple(v for v in self.variables if v.trainable)

    @property
    def captured_inputs(self) -> list:
        """The variables, which the function needs besides its arguments."""
        return list(self._graph_entry("captured_inputs").routine.variables)

    @property
    def inputs(self) -> list:
        """The specs of the tensors among the arguments."""
        routine = self._graph_entry("inputs").routine
        graph = graph_of_all_sizes(routine)
        return [public_spec(v.spec) for v in graph.inputs[: routine.arguments]]

    @property
    def outputs(self) -> list:
        """The specs of the tensors among the results."""
        routine = self._graph_entry("outputs").routine
        return [public_spec(v.spec) for v in graph_of_all_sizes(routine).outputs[: routine.results]]

    @property
    def output_shapes(self):
        """The shapes of the results; unknown for None."""
        return nest.map_structure(
            lambda s: getattr(s, "shape", TensorShape(None)), self.structured_outputs
        )

    @property
    def output_dtypes(self):
        """The dtypes of the results."""
        return nest.map_structure(lambda s: getattr(s, "dtype", None), self.structured_outputs)

    def __getattr__(self, name: str):
        if name in _GRAPH_ATTRIBUTES:
            self._graph_entry(name)  # raises, and says why there is no graph
        raise AttributeError(f"'ConcreteFunction' object has no attribute {name!r}")

    def _open_parameters(self) -> list[str]:
        """Return the parameters that a call must give."""
        return [
            name
            for name, spec in self._specs.items()
            if any(isinstance(s, TypeSpec) for s in nest.flatten(spec))
        ]

    def __call__(self, *args, **kwargs):
        open_names = self._open_parameters()
        names = list(self._specs) if len(args) > len(open_names) else open_names
        args = self._gathered(args, names)
        if len(args) > len(names):
            raise TypeError(
                f"{self.name}({', '.join(open_names)}) takes {len(open_names)} positional "
                f"arguments, got {len(args)}."
            )
        given = dict(zip(names, args, strict=False)) | kwargs
        unknown = given.keys() - self._specs.keys()
        if unknown:
            raise TypeError(f"{self.name} got unexpected keyword arguments: {sorted(unknown)}")
        arguments = {}
        for name, spec in self._specs.items():
            if name not in open_names:
                if name in given and not _same(given[name], spec):
                    raise TypeError(
                        "Binding inputs to tf.function failed due to `Can not cast "
                        f"{given[name]!r} to Literal[{spec!r}]`: the concrete function was "
                        "made for this value."
                    )
                arguments[name] = self._bound.arguments[name]
            elif name not in given:
                raise TypeError(f"{self.name} missing required arguments: {name}.")
            else:
                arguments[name] = self._check(name, given[name], spec)
        bound = type(self._bound)(self._bound.signature, arguments)
        entry, tensors, args, kwargs = self._function._entry(bound.args, bound.kwargs)
        self._latest_entry = entry
        return entry.call(self._function, tensors, args, kwargs)

    def _gathered(self, args: tuple, names: list[str]) -> tuple:
        """Return positional arguments with those of a parameter `*args` as one of them."""
        for i, name in enumerate(names):
            parameter = self._bound.signature.parameters.get(name)
            if parameter is not None and parameter.kind is parameter.VAR_POSITIONAL:
                return (*args[:i], args[i:])
        return args

    def _check(self, name: str, value, spec):
        def check_leaf(each, wanted):
            if is_composite(each) and isinstance(wanted, TypeSpec):
                return cast_to_spec(each, wanted)
            dtype = getattr(wanted, "dtype", None) if isinstance(wanted, TypeSpec) else None
            if dtype is None:
                return each
            tensor = ops.to_tensor(each, None if ops.is_tensor_like(each) else dtype)
            if tensor.dtype is not dtype:
                raise ops.InvalidArgumentError(
                    f"cannot compute {self.name} as input {name!r} was expected to be a "
                    f"{dtype.name} tensor but is a {tensor.dtype.name} tensor"
                )
            return each if isinstance(each, Variable) else tensor

        if not nest.is_nested(spec):
            return check_leaf(value, spec)
        flat = [
            check_leaf(v, s)
            for v, s in zip(flatten_like(value, spec), nest.flatten(spec), strict=True)
        ]
        return nest.pack_sequence_as(spec, flat)

    @property
    def function_type(self) -> FunctionType:
        """The types of the parameters and results, and of the variables that are used."""
        bound = type(self._bound)(self._bound.signature, dict(self._specs))
        bound.apply_defaults()
        entry = self._latest_entry
        if entry is None or entry.routine is None:
            return function_type(bound.signature, bound.arguments, UNKNOWN, ())
        output = entry.structured_outputs()
        return function_type(bound.signature, bound.arguments, output, self.variables)

    @property
    def inference_fn(self) -> ConcreteFunction:
        """What computes the results: this function, which has no other part here."""
        return self

    def __repr__(self) -> str:
        return f"<ConcreteFunction {self.function_type} at {hex(id(self))}>"

    def __str__(self) -> str:
        return f"ConcreteFunction {self.pretty_printed_signature()}"

    def pretty_printed_signature(self, verbose=True) -> str:
        return self.function_type.described(verbose)


def _example(spec: Any) -> Any:
    """Return a tensor without value to trace with in place of a spec."""
    if isinstance(spec, TensorSpec) or has_tensor_specs(spec):
        parts = spec.flatten()
        if not all(isinstance(part, TensorSpec) for part in parts):
            raise NoExample(f"no tensors stand for a {spec}")
        return spec.from_tensors(iter(map(_example_tensor, parts)))
    if isinstance(spec, TypeSpec):
        raise NoExample(f"no tensors stand for a {spec}")
    return spec


def _example_tensor(spec: TensorSpec) -> Tensor:
    is_known = has_all_sizes(spec.shape)
    kind = Spec if is_known else ExampleSpec
    return Tensor(kind(tuple(spec.shape), spec.dtype.dtype))


def _as_spec(value):
    if isinstance(value, TypeSpec):
        return value
    if isinstance(value, (Tensor, Variable, np.ndarray, np.generic)):
        return spec_of(value)
    return value._type_spec if isinstance(value, CompositeTensor) else value


def _named(spec, name: str):
    if isinstance(spec, TensorSpec) and spec.name is None:
        return TensorSpec(spec.shape, spec.dtype, name)
    return spec


def _same(a, b) -> bool:
    try:
        return bool(a is b or a == b)
    except (TypeError, ValueError):
        return False
