"""A function traced for several sizes of its open axes, and the traces seen as one graph.

A graph has shapes of integers. So a function with open axes (None in its signature) is traced once
for each of a few sizes, and the traces are walked in parallel: `Op` is an op in all of them. An
integer that is the same everywhere is a constant; of another one sizes.py finds the expression.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from gradtape.api.function.function import Function
from gradtape.api.specs import TensorSpec
from gradtape.core import nest
from gradtape.core.errors import OpError
from gradtape.core.source_location import line_of
from gradtape.core.tensor import Spec, Tensor
from gradtape.exporting.signature import Signature
from gradtape.exporting.sizes import SAMPLES, Series, constant, samples_of
from gradtape.graph.graph import Graph, Node, Value
from gradtape.graph.passes.common_subexpressions import eliminate_common_subexpressions
from gradtape.graph.passes.custom_gradients import remove_custom_gradients
from gradtape.graph.passes.dead_code import eliminate_dead_code
from gradtape.graph.passes.scans import prune_scans
from gradtape.graph.routine import CannotTrace, Routine


class Samples(NamedTuple):
    """The traces of a function: its graphs, and what is the same in all of them."""

    graphs: list[Graph]
    routine: Routine
    pack: Callable[[list], Any]
    axes: list[tuple[str | int, ...]]  # of each argument: sizes, and names of open axes


def trace_stateless(caller: str, signature: Signature) -> Samples:
    """Trace a function as below; raise if it is none of its arguments and weights alone."""
    try:
        samples = trace_samples(signature)
    except CannotTrace as reason:
        raise NotImplementedError(
            f"{caller}: {signature.name} cannot be exported, because Python needs the value of a "
            f"tensor: {reason.failure}"
        ) from None
    routine, graph = samples.routine, samples.graphs[0]
    used = {id(value) for value in graph.used()}
    values = graph.inputs[routine.arguments :]
    read = {id(v) for v, value in zip(routine.variables, values, strict=False) if id(value) in used}
    # What no result depends on, as the seed of a layer that is not training, can stay as it is.
    state = [v._name for v in routine.written if id(v) in read]
    if state:
        raise NotImplementedError(
            f"{caller}: {signature.name} computes with variables that it assigns to "
            f"({', '.join(state)}), and an exported model has no state. Export a function that "
            "takes their values as arguments, and returns the new ones."
        )
    if any(id(value) in used for value in values[len(routine.variables) :]):
        raise NotImplementedError(
            f"{caller}: {signature.name} draws random numbers on each call. Export it as it is "
            "used for inference (training=False), or pass the numbers as an argument."
        )
    return samples


def trace_samples(signature: Signature) -> Samples:
    """Trace a function for several sizes of its open axes.

    Axes that are open may differ from each other, unless the function needs them to be equal: then
    the first ones are, and if need be all with the same index.
    """
    error: Exception | None = None
    for name_of in (_separate, _same_batch, _same_index):
        axes = [_axes(spec, i, name_of) for i, spec in enumerate(signature.leaves)]
        try:
            return _traced(signature, axes)
        except (ValueError, OpError) as failed:
            error = error or failed
            if all(isinstance(size, int) for shape in axes for size in shape):
                raise
    assert error is not None
    raise error


def _separate(argument: int, axis: int) -> str:
    return f"size_{argument}_{axis}"


def _same_batch(argument: int, axis: int) -> str:
    return "batch" if axis == 0 else f"size_{argument}_{axis}"


def _same_index(argument: int, axis: int) -> str:
    return "batch" if axis == 0 else f"size_{axis}"


def _axes(spec: TensorSpec, argument: int, name_of) -> tuple[str | int, ...]:
    return tuple([name_of(argument, k) if n is None else n for k, n in enumerate(spec.shape)])


def _traced(signature: Signature, axes: list) -> Samples:
    names = list(dict.fromkeys(n for shape in axes for n in shape if isinstance(n, str)))
    series = {name: samples_of(index) for index, name in enumerate(names)}
    graphs, routine, pack = [], None, None
    for index in range(len(SAMPLES) if names else 1):
        shapes = [
            tuple([series[n][index] if isinstance(n, str) else n for n in shape]) for shape in axes
        ]
        routine, pack = _trace(signature, shapes)
        graphs.append(simplified(routine.graph, len(routine.written)))
    assert routine is not None
    assert pack is not None
    return Samples(graphs, routine, pack, axes)


def _trace(signature: Signature, shapes: list[tuple[int, ...]]):
    tensors = [
        Tensor(Spec(shape, spec.dtype.dtype))
        for shape, spec in zip(shapes, signature.leaves, strict=True)
    ]
    args = tuple(nest.pack_sequence_as(list(signature.specs), tensors))
    function = Function(signature.function, autograph=signature.autograph)
    target, reason = function._function_to_trace(args, {})
    if reason is not None:
        raise CannotTrace(reason)
    created: list = []
    traced = function._trace_once(target, tensors, args, {}, None, created)
    if created:  # the first call made variables: as it is on every later call
        traced = function._trace_once(target, tensors, args, {}, None, [])
    return traced[1:]


def simplified(graph: Graph, dropped: int = 0) -> Graph:
    """Return a graph without what only derivatives need, and without its last outputs.

    Constants are not folded: how they were computed tells what depends on a size.
    """
    kept = graph.outputs[: len(graph.outputs) - dropped]
    graph = remove_custom_gradients(Graph(graph.inputs, graph.nodes, kept))
    return eliminate_dead_code(eliminate_common_subexpressions(prune_scans(graph)))


class Op:
    """One op in all traces: its specs and parameters as series."""

    def __init__(self, nodes: Sequence[Node]) -> None:
        self.nodes = nodes
        self.name = nodes[0].prim.name
        self.inputs = list(zip(*[node.inputs for node in nodes], strict=True))
        self.outputs = list(zip(*[node.outputs for node in nodes], strict=True))
        self.needed = [True] * len(self.outputs)  # whether an op or the result uses an output

    def __getitem__(self, parameter: str) -> Any:
        """Return a parameter that is the same in all traces."""
        first, *others = [node.params[parameter] for node in self.nodes]
        if any(other != first for other in others):
            raise NotImplementedError(
                f"{self}: its {parameter} depends on an open size of the signature ({first} and "
                f"{others[-1]} in two traces), which ONNX cannot express. Give that size in the "
                "signature."
            )
        return first

    def __contains__(self, parameter: str) -> bool:
        return parameter in self.nodes[0].params

    def series(self, parameter: str) -> Any:
        """Return a parameter (an integer, or nested tuples of them) with series as integers."""
        return zipped([node.params[parameter] for node in self.nodes])

    def shape(self, index: int) -> list[Series]:
        """Return the sizes of an input."""
        return shape_of(self.inputs[index])

    def fixed_shape(self, index: int, axes: slice = slice(None)) -> list[int]:
        """Return the sizes of an input, along some axes, where it has no open ones."""
        sizes = [constant(size) for size in self.shape(index)[axes]]
        if None in sizes:
            raise NotImplementedError(
                f"{self}: input {index} has an open size, and its sizes have to be known when the "
                "model is exported. Give them in the signature."
            )
        return [size for size in sizes if size is not None]

    def rank(self, index: int = 0) -> int:
        return len(self.inputs[index][0].spec.shape)

    def dtype(self, index: int = 0) -> np.dtype:
        return self.inputs[index][0].spec.dtype

    def result(self, index: int = 0) -> np.dtype:
        return self.outputs[index][0].spec.dtype

    def graphs(self, parameter: str) -> list[list[Graph]]:
        """Return the graphs of a parameter, each in all traces."""
        branches = [node.params[parameter] for node in self.nodes]
        branches = [each if isinstance(each, tuple) else (each,) for each in branches]
        return [[simplified(graph) for graph in same] for same in zip(*branches, strict=True)]

    def __str__(self) -> str:
        """Return the op with its place in the user's program."""
        location = self.nodes[0].location
        if location is None:
            return f"op {self.name}"
        file = os.path.basename(location[0].co_filename)
        return f"op {self.name} ({file}, line {line_of(location)})"


def shape_of(value: Sequence[Value]) -> list[Series]:
    """Return the sizes of a value in all traces."""
    return list(zip(*[each.spec.shape for each in value], strict=True))


def zipped(values: Sequence[Any]) -> Any:
    """Return nested tuples of integers with series as integers; anything else must be equal."""
    first = values[0]
    if type(first) is tuple and all(type(v) is tuple and len(v) == len(first) for v in values):
        return tuple([zipped(each) for each in zip(*values, strict=True)])
    if all(v is None for v in values):
        return None
    return tuple(values)


def ops_of(graphs: Sequence[Graph]) -> list[Op]:
    """Return the ops of a graph in all traces; raise where the traces differ in more than sizes."""
    ops: list[Op] = []
    known: dict[int, tuple] = {}
    for each in zip(*[graph.inputs for graph in graphs], strict=True):
        known.update((id(value), ("input", id(each[0]))) for value in each)
    lengths = {len(graph.nodes) for graph in graphs}
    for nodes in zip(*[graph.nodes for graph in graphs], strict=False):
        op_names = {node.prim.name for node in nodes}
        sources = {
            tuple([known.get(id(value), "constant") for value in node.inputs]) for node in nodes
        }
        counts = {(len(node.inputs), len(node.outputs)) for node in nodes}
        if len(op_names) > 1 or len(sources) > 1 or len(counts) > 1:
            raise _different(Op([nodes[0]]))
        for each in zip(*[node.outputs for node in nodes], strict=True):
            known.update((id(value), ("result", id(each[0]))) for value in each)
        ops.append(Op(nodes))
    if len(lengths) > 1:
        raise _different(ops[-1])
    return ops


def _different(op: Op) -> NotImplementedError:
    return NotImplementedError(
        f"{op}: which ops follow depends on an open size of the signature, as in a Python loop "
        "over a tensor's rows. Give that size in the signature, or write the loop with tf.scan or "
        "tf.while_loop."
    )
