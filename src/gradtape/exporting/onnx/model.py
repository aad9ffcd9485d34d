"""The whole model: inputs, weights, nodes and results, in memory or as a file."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from gradtape.exporting.onnx.builder import Builder, Names, UnknownSize
from gradtape.exporting.onnx.convert import emit
from gradtape.exporting.samples import Samples, trace_stateless
from gradtape.exporting.signature import Signature, make_signature
from gradtape.exporting.sizes import constant, samples_of
from gradtape.formats import onnx as messages
from gradtape.formats.atomic import write_whole

NAME = "tf.export.onnx"
_NEWEST = max(messages.FORMATS)
_ALIGNMENT = 4096  # of tensors in a file of their own: they can be mapped into memory


def onnx(
    function: Any, signature: Any = None, path: Any = None, *, opset: int | None = None
) -> bytes | None:
    """Write a function as an ONNX model; return its bytes, or None where they are in a file.

    `function` is a `tf.function`, a concrete function, a Keras model or any callable; `signature`
    has a `tf.TensorSpec` (or an example, or a nest of them) for each argument, unless the function
    has an input signature. A size of None is open: the model takes every size. Variables become
    weights. Where an op has no form in ONNX, or a size cannot be open, `NotImplementedError` names
    the op and the line, and nothing is written.
    """
    opset = _NEWEST if opset is None else opset
    if opset not in messages.FORMATS:
        raise ValueError(f"{NAME}: opset must be one of {list(messages.FORMATS)}, not {opset!r}.")
    model = build(make_signature(NAME, function, signature), opset)
    if path is None:
        return model.message()
    model.write(os.fspath(path))
    return None


class Model:
    """A converted function: what a file of it has."""

    def __init__(self, name: str, opset: int, inputs: list, outputs: list, nodes: list, weights):
        self.name, self.opset = name, opset
        self.inputs, self.outputs, self.nodes = inputs, outputs, nodes
        self.weights: dict[str, np.ndarray] = weights

    def message(self, external: dict | None = None) -> bytes:
        """Return the encoded model; `external` are the locations of weights outside of it."""
        if external is None and self.size() > messages.MAX_BYTES:
            raise ValueError(
                f"{NAME}: the weights take {self.size()} bytes, more than a message of "
                "protocol buffers can have. Give a path: they are written to a file beside it."
            )
        from gradtape import __version__

        locations = external or {}
        tensors = [messages.tensor(n, x, locations.get(n)) for n, x in self.weights.items()]
        graph = messages.graph(self.name, self.nodes, tensors, self.inputs, self.outputs)
        return messages.model(graph, self.opset, "gradtape", __version__)

    def size(self) -> int:
        return sum(x.nbytes for x in self.weights.values()) + sum(map(len, self.nodes))

    def write(self, path: str) -> None:
        """Write the file as a whole; weights beyond the limit of a message lie beside it."""
        if self.size() <= messages.MAX_BYTES:
            write_whole(path, [self.message()])
            return
        location, offset, locations = f"{os.path.basename(path)}.data", 0, {}
        for name, array in self.weights.items():
            if array.dtype != object and array.nbytes >= _ALIGNMENT:
                locations[name] = messages.External(location, offset)
                offset += -(-array.nbytes // _ALIGNMENT) * _ALIGNMENT
        write_whole(os.path.join(os.path.dirname(path), location), self._pieces(locations))
        write_whole(path, [self.message(locations)])

    def _pieces(self, locations: dict):
        for name in locations:
            array = self.weights[name]
            yield messages.raw(array)
            yield bytes(-array.nbytes % _ALIGNMENT)


def build(signature: Signature, opset: int) -> Model:
    """Trace and convert a function."""
    samples = trace_stateless(NAME, signature)
    graph = samples.graphs[0]
    for value in (*graph.inputs[: samples.routine.arguments], *graph.outputs):
        if value.spec.dtype.kind == "c":
            raise NotImplementedError(
                f"{NAME}: {signature.name} takes or returns complex numbers, which ONNX does not "
                "compute with. Pass real and imaginary parts."
            )
    return _converted(signature, samples, opset)


def _converted(signature: Signature, samples: Samples, opset: int) -> Model:
    routine, graphs = samples.routine, samples.graphs
    names = Names(opset)
    builder = Builder(names)
    given = [names.fresh(name) for name in signature.input_names()]
    infos = [
        messages.value_info(name, spec.dtype.dtype, axes)
        for name, spec, axes in zip(given, signature.leaves, samples.axes, strict=True)
    ]
    for variable in routine.variables:
        name = names.fresh(getattr(variable, "path", None) or variable._name or "variable")
        names.constants[name] = np.asarray(variable.numpy())
        given.append(name)
    try:
        made = emit(builder, graphs, [*given, *[""] * len(routine.feeds)])
    except (NotImplementedError, UnknownSize) as error:
        raise NotImplementedError(f"{NAME}: {error}") from None
    outputs = []
    for index, name in enumerate(made):
        value = graphs[0].outputs[index]
        result = names.fresh(_output_names(samples)[index])
        if name in names.constants:
            names.used[name] = None
        builder.nodes.append(messages.node("Identity", [name], [result], result, {}))
        axes = _output_axes(samples, index)
        outputs.append(messages.value_info(result, value.spec.dtype, axes))
    weights = {name: names.constants[name] for name in names.used}
    return Model(signature.name, opset, infos, outputs, builder.nodes, weights)


def _output_names(samples: Samples) -> list[str]:
    """Return the names of results: the keys of a dict, else numbers."""
    count = samples.routine.results
    packed = samples.pack(list(range(count)))
    if isinstance(packed, dict):
        by_index = {index: str(key) for key, index in packed.items() if isinstance(index, int)}
        return [by_index.get(i, f"output_{i}") for i in range(count)]
    return [f"output_{i}" for i in range(count)]


def _output_axes(samples: Samples, index: int) -> list[int | str]:
    """Return the sizes of a result, with names for those that are open."""
    shapes = zip(*[graph.outputs[index].spec.shape for graph in samples.graphs], strict=True)
    opened = list(dict.fromkeys(n for axes in samples.axes for n in axes if isinstance(n, str)))
    series = {samples_of(i): name for i, name in enumerate(opened)}
    result: list[int | str] = []
    for axis, size in enumerate(shapes):
        fixed = constant(size)
        result.append(series.get(size, f"result_{index}_{axis}") if fixed is None else fixed)
    return result
