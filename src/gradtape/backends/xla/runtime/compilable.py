"""What XLA can compile of a graph, and what only the host can do."""

from __future__ import annotations

from gradtape.core.primitive import Primitive
from gradtape.graph.control.callback import CALLBACK, CALLBACK_VJP, UNBOX
from gradtape.graph.control.effects import EFFECT
from gradtape.graph.control.loop import LOOP, LOOP_VJP
from gradtape.graph.control.loop_backward import backward_step
from gradtape.graph.control.run import RUN
from gradtape.graph.graph import Graph, Node, Value
from gradtape.ops.host import HOST_CALL

_LARGEST_HISTORY = 2**30  # bytes that a loop may keep for its gradient: its limit is a bound only
_NO_EFFECTS: frozenset[Primitive] = frozenset()
# In a loop or branch, a program calls Python functions. Elsewhere they run between two programs.
_INSIDE = frozenset({EFFECT, CALLBACK})
_ON_MESHES = frozenset({EFFECT})
_UNKNOWN_LENGTH = (
    "it differentiates a loop of unknown length (pass maximum_iterations, or see tf.scan for one "
    "that is known)"
)
_TEXT = "it computes with strings"


def obstacle(graph: Graph, on_mesh: bool = False) -> str | None:
    """Return why a graph cannot be one program, or None."""
    if _has_object((*graph.inputs, *graph.outputs)):
        return _TEXT
    return _first(graph, _ON_MESHES if on_mesh else _NO_EFFECTS, on_mesh)


def node_obstacle(node: Node) -> str | None:
    """Return why an op of a function cannot be a part of a program, or None."""
    return _of_node(node, _NO_EFFECTS, False)


def _first(graph: Graph, effects: frozenset[Primitive], on_mesh: bool) -> str | None:
    reasons = (_of_node(node, effects, on_mesh) for node in graph.nodes)
    return next((reason for reason in reasons if reason is not None), None)


def _of_node(node: Node, effects: frozenset[Primitive], on_mesh: bool) -> str | None:
    prim = node.prim
    if prim is CALLBACK and (prim not in effects or not _gives_numbers(node)):
        return "it calls a Python function"
    if node.has_effect and prim not in effects:
        return "it prints, checks or writes something on each call"
    if prim is CALLBACK_VJP:
        return "it differentiates a Python function"
    if prim is RUN or not _has_room(node):
        return _UNKNOWN_LENGTH
    if prim is HOST_CALL:
        return "it computes with text or tables, which only the host can"
    if _has_object(_exchanged(node, CALLBACK in effects)):
        loops = [each for graph in _graphs(node) for each in graph.nodes if each.prim is LOOP]
        return _UNKNOWN_LENGTH if loops else _TEXT
    inner = _ON_MESHES if on_mesh else _INSIDE
    for graph in _graphs(node):
        reason = _first(graph, inner, on_mesh)
        if reason is not None:
            return reason
    if prim is LOOP and node.params["condition"].has_effects:
        return "the condition of a loop calls a Python function"
    return None


def _gives_numbers(node: Node) -> bool:
    specs = node.params["callback"].specs
    return specs is not None and not any(spec.dtype.hasobject for spec in specs)


def _exchanged(node: Node, calls: bool) -> tuple[Value, ...]:
    """Return the inputs and outputs of an op that are arrays.

    Not the history of a loop, nor, where a program `calls` it, all that a Python function gave.
    """
    if node.prim is LOOP:
        return (*node.inputs, *node.outputs[: node.params["count"]])
    if node.prim is LOOP_VJP:
        history = len(node.params["body"].inputs)
        return (*node.inputs[:history], *node.inputs[history + 1 :], *node.outputs)
    if calls and node.prim is CALLBACK:
        return node.inputs
    if calls and node.prim is UNBOX:
        return (*node.inputs[1:], *node.outputs)
    return (*node.inputs, *node.outputs)


def _graphs(node: Node) -> list[Graph]:
    """Return the graphs that an op runs."""
    if node.prim is not LOOP_VJP:
        return node.graphs
    params = node.params
    return [backward_step(params["body"], params["count"], params["which"], params["rows"])[1]]


def _has_room(node: Node) -> bool:
    """Return whether a loop that is differentiated has a limit, and what it keeps is not large."""
    params = node.params
    if node.prim is LOOP_VJP:
        return params["limit"] is not None
    if node.prim is not LOOP or not params.get("keeps"):
        return True
    kept = [value.spec for value in params["body"].outputs[params["count"] :]]
    size = sum(spec.nbytes for spec in kept if not spec.dtype.hasobject)
    return params["limit"] is not None and params["limit"] * size <= _LARGEST_HISTORY


def _has_object(values: tuple[Value, ...]) -> bool:
    return any(value.spec.dtype.hasobject for value in values)
