"""A graph's ops bound one by one: for tapes, accumulators, vmaps and traces that must see each."""

from __future__ import annotations

import linecache
from typing import Any

from gradtape.core.bind import bind
from gradtape.core.errors import OpError
from gradtape.core.places import line_of
from gradtape.core.state import get_state
from gradtape.core.tensor import Tensor
from gradtape.engine.trace.graph import Graph, Node, Value, last_uses


def replay(graph: Graph, tensors, constants: dict[int, Tensor] | None = None) -> list:
    """A graph's ops on tensors, bound one by one, so that every interpreter sees them."""
    known: dict[int, Any] = {} if constants is None else dict(constants)
    known |= {id(v): t for v, t in zip(graph.inputs, tensors, strict=True)}

    def of(value: Value):
        found = known.get(id(value))
        return value.constant if found is None else found

    last = last_uses(graph)
    for index, node in enumerate(graph.nodes):
        inputs = tuple([of(value) for value in node.inputs])
        if node.has_effect:
            run_effect(node, inputs)
            continue
        try:
            out = bind(node.prim, inputs, node.params)
        except OpError as error:
            say_where(error, node.place)
            raise
        outs = (out,) if node.prim.outputs == 1 else out
        for value, tensor in zip(node.outputs, outs, strict=True):
            known[id(value)] = tensor
        for key in last.get(index, ()):
            known.pop(key, None)
    return [of(value) for value in graph.outputs]


def say_where(error: OpError, place) -> None:
    """Add the line of the user's program: the stack shows that of the call only."""
    if place is None or hasattr(error, "__notes__"):
        return
    file, line = place[0].co_filename, line_of(place)
    text = linecache.getline(file, line).strip()
    shown = f'  File "{file}", line {line}, in a tf.function'
    error.add_note(f"{shown}\n    {text}" if text else shown)


def run_effect(node: Node, inputs: tuple) -> None:
    """Do what an effect is for: now, or on every call of the function being traced."""
    trace = get_state().trace
    if trace is not None:
        trace.effect(node.prim, inputs, node.params)
    else:
        node.params["do"](*inputs)
