"""Binds a graph's ops one by one: for tapes, accumulators, vmaps and traces that must see each."""

from __future__ import annotations

import linecache
from collections.abc import Callable
from typing import Any

from gradtape.core.bind import bind
from gradtape.core.errors import OpError
from gradtape.core.source_location import line_of
from gradtape.core.state import get_state
from gradtape.core.tensor import Tensor
from gradtape.engine.vmap import for_each_example
from gradtape.graph.graph import (
    Graph,
    Node,
    Value,
    last_uses,
)
from gradtape.graph.open_sizes import has_open_sizes

# By the names of primitives with graphs as parameters: run those op by op. Their derivatives run
# them a second time, which must not be where they have effects, such as taking the next element.
OP_BY_OP: dict[str, Callable[..., Any]] = {}


def replay(
    graph: Graph, tensors, constants: dict[int, Tensor] | None = None, recorder: Any = None
) -> list:
    """Bind a graph's ops on tensors one by one, so that every interpreter sees them.

    What `recorder`, a trace, records of them is located where the graph's ops are.
    """
    environment: dict[int, Any] = {} if constants is None else dict(constants)
    environment |= {id(v): t for v, t in zip(graph.inputs, tensors, strict=True)}

    def read(value: Value):
        tensor = environment.get(id(value))
        return value.constant if tensor is None else tensor

    last = last_uses(graph)
    recorded = 0 if recorder is None else len(recorder.nodes)
    for index, node in enumerate(graph.nodes):
        if recorder is not None:
            recorded = _locate(recorder, recorded, graph.nodes[index - 1])
        inputs = tuple([read(value) for value in node.inputs])
        if node.has_effect and not node.outputs:
            run_effect(node, inputs)
            continue
        try:
            out = _bind_again(node, inputs)
        except OpError as error:
            add_location_note(error, node.location)
            raise
        outs = (out,) if node.prim.outputs == 1 else out
        for value, tensor in zip(node.outputs, outs, strict=True):
            environment[id(value)] = tensor
        for key in last.get(index, ()):
            environment.pop(key, None)
    if recorder is not None and graph.nodes:
        _locate(recorder, recorded, graph.nodes[-1])
    return [read(value) for value in graph.outputs]


def _locate(trace: Any, start: int, origin: Node) -> int:
    """Give nodes of a trace the location of the node that they were made of; return their end."""
    for node in trace.nodes[start:]:
        node.location = origin.location
    return len(trace.nodes)


def _bind_again(node: Node, inputs: tuple) -> Any:
    state = get_state()
    trace = state.trace
    if trace is None and (state.tapes or state.accumulators) and _acts_op_by_op(node, inputs):
        return OP_BY_OP[node.prim.name](*inputs, **node.params)
    if node.has_effect and trace is not None and not any(x._is_batched for x in inputs):
        # Also where all inputs have values: it happens when the function runs, not now.
        return trace.process(node.prim, inputs, node.params)
    if trace is not None and has_open_sizes(node) and all(x._has_value for x in inputs):
        if not inputs:
            return trace.process(node.prim, inputs, node.params)
        inputs = tuple(map(trace.lift, inputs))
    return bind(node.prim, inputs, node.params)


def _acts_op_by_op(node: Node, inputs: tuple) -> bool:
    return node.prim.name in OP_BY_OP and node.acts and not any(x._is_batched for x in inputs)


def add_location_note(error: OpError, location) -> None:
    """Add the line of the user's program to an error: the stack shows only the call."""
    if location is None or hasattr(error, "__notes__"):
        return
    file, line = location[0].co_filename, line_of(location)
    text = linecache.getline(file, line).strip()
    shown = f'  File "{file}", line {line}, in a tf.function'
    error.add_note(f"{shown}\n    {text}" if text else shown)


def run_effect(node: Node, inputs: tuple) -> None:
    """Run an effect now, or record it in the function being traced; in vmap, for each example."""
    trace = get_state().trace
    do, inputs = for_each_example(node.params["do"], inputs)
    if trace is not None:
        trace.effect(node.prim, inputs, {**node.params, "do": do})
    else:
        do(*inputs)
