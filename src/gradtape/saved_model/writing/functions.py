"""A traced function as a FunctionDef: its arguments, what it captures, what it assigns."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape.api.specs import TensorSpec, tensor_specs
from gradtape.formats.saved_model import messages
from gradtape.formats.saved_model.schema import Record
from gradtape.saved_model.specs import encode_structure
from gradtape.saved_model.writing import ops as chapters
from gradtape.saved_model.writing.builder import RESOURCE, Builder, FunctionName, Library, Ref
from gradtape.saved_model.writing.lowering import lower
from gradtape.saved_model.writing.ops.random import DRAWN
from gradtape.saved_model.writing.traces import TracedCall

assert chapters  # importing them fills the tables


class WrittenFunction:
    """A function in the library, and the objects that it has captured."""

    def __init__(self, name: str, captured: list, call: TracedCall, definition: Record) -> None:
        self.name = name
        self.captured = captured
        self.call = call
        self.definition = definition

    def proto(self, numbers: dict[int, int]) -> Record:
        """Return what the file says of it; `numbers` has the objects' numbers by id."""
        return messages.CONCRETE_FUNCTION(
            bound_inputs=[numbers[id(each)] for each in self.captured],
            canonicalized_input_signature=encode_structure((self.call.args, self.call.kwargs)),
            output_signature=encode_structure(self.call.outputs),
        )


class FunctionBuilder(Builder):
    """The graph of a function that is called from outside: it captures variables and tables."""

    def __init__(self, library: Library, name: str) -> None:
        super().__init__(library, name)
        self.captured: dict[int, tuple[Any, Ref]] = {}
        self._touched: dict[int, list[str]] = {}  # nodes that read or write a variable so far
        self._reads: dict[str, Any] = {}  # variables by the results that are their values

    def resource(self, thing: Any) -> Ref:
        """Return a variable or table as an input of the function."""
        if id(thing) not in self.captured:
            self.captured[id(thing)] = (thing, self.argument("captured", None))
        return self.captured[id(thing)][1]

    def read(self, variable: Any, after: tuple[str, ...] = ()) -> Ref:
        """Return the value of a variable."""
        kind = np.dtype(variable.dtype.as_numpy_dtype)
        made = self.nodes_of(
            "ReadVariableOp:value",
            self.resource(variable),
            dtypes=[kind],
            dtype=kind,
            after=after,
        )[0]
        self._touched.setdefault(id(variable), []).append(self.last_node)
        self._reads[made.name] = variable
        self.is_stateful = True
        return made

    def variable_of(self, ref: Ref) -> Any:
        """Return the variable whose value this is, if any."""
        return self._reads.get(ref.name)

    def assign(self, variable: Any, value: Ref) -> str:
        """Assign to a variable, after all that has read it; return the node."""
        before = tuple(self._touched.get(id(variable), ()))
        self.nodes_of(
            "AssignVariableOp:",
            self.resource(variable),
            value,
            dtypes=[],
            after=before,
            dtype=value.dtype,
        )
        self._touched[id(variable)] = [self.last_node]
        self.is_stateful = True
        return self.last_node


def write_function(library: Library, name: str, call: TracedCall) -> WrittenFunction:
    """Add a traced function to the library."""
    b = FunctionBuilder(library, name)
    first, second = call.routines
    arguments = [
        b.argument(spec.name or "x", value.spec.dtype)
        for spec, value in zip(call.specs, first.graph.inputs, strict=False)
    ]
    for variable in (*first.variables, *first.written):
        b.resource(variable)
    values = [b.read(variable) for variable in first.variables]
    drawn = [DRAWN] * len(first.feeds)
    outputs = lower(b, first.graph, second.graph, [*arguments, *values, *drawn])
    results = [b.op("Identity:output", ref) for ref in outputs[: first.results]]
    writes = zip(first.written, outputs[first.results :], strict=True)
    controls = [b.assign(variable, value) for variable, value in writes]
    names = [f"result_{index}" for index in range(len(results))]
    definition = b.definition(results, names, controls)
    return WrittenFunction(b.name, [x for x, _ in b.captured.values()], call, definition)


def write_signature(library: Library, key: str, inner: WrittenFunction) -> tuple[Record, Record]:
    """Add a function that takes tensors by name, and gives them by name.

    Return what the file says of it as an object, and as a concrete function (without what it has
    captured).
    """
    b = Builder(library, f"signature_wrapper_{key}")
    specs = inner.call.specs
    by_name = sorted((spec.name, index) for index, spec in enumerate(specs))
    given: dict[int, Ref] = {}
    for name, index in by_name:
        given[index] = b.argument(str(name), np.dtype(specs[index].dtype.as_numpy_dtype))
    held = [b.argument("captured", None) for _ in inner.captured]
    outputs = named_outputs(inner.call.outputs)
    flat = tensor_specs(inner.call.outputs)
    kinds = [np.dtype(spec.dtype.as_numpy_dtype) for spec in flat]
    inputs = [*[given[index] for index in range(len(specs))], *held]
    made = b.nodes_of(
        "StatefulPartitionedCall:output",
        *inputs,
        dtypes=kinds,
        Tin=[ref.dtype if ref.dtype is not None else RESOURCE for ref in inputs],
        Tout=kinds,
        f=FunctionName(inner.name),
    )
    call_node = b.last_node
    b.is_stateful = True
    by_spec = {id(spec): ref for spec, ref in zip(flat, made, strict=True)}
    keys = sorted(outputs)
    results = [b.op("Identity:output", by_spec[id(outputs[key])]) for key in keys]
    b.definition(results, keys, [call_node] if inner.definition.control_ret else [])
    bare = messages.BARE_FUNCTION(
        concrete_function_name=b.name,
        argument_keywords=[name for name, _ in by_name],
        # TensorFlow takes one argument by position, too: it can mean nothing else.
        allowed_positional_arguments=int(len(by_name) == 1),
    )
    specs_by_name = {specs[index].name: specs[index] for _, index in by_name}
    concrete = messages.CONCRETE_FUNCTION(
        canonicalized_input_signature=encode_structure(((), specs_by_name)),
        output_signature=encode_structure(
            {key: TensorSpec(outputs[key].shape, outputs[key].dtype, key) for key in keys}
        ),
    )
    return bare, concrete


def named_outputs(outputs: Any) -> dict[str, Any]:
    """Return the results of a signature by name."""
    if isinstance(outputs, dict) and all(isinstance(x, TensorSpec) for x in outputs.values()):
        return outputs
    return {f"output_{index}": spec for index, spec in enumerate(tensor_specs(outputs))}
