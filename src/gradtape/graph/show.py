"""Prints a graph as text: one line for each op, with its output specs and source location."""

from __future__ import annotations

import os

from gradtape.core.source_location import line_of
from gradtape.graph.graph import Graph, Node, Value
from gradtape.graph.passes import optimize_for_execution
from gradtape.graph.routine import Routine

_MAX_VALUE_LENGTH = 24


def routine_text(name: str, routine: Routine, *, optimized: bool = True) -> str:
    """Return a traced function as text: inputs, ops, results and assignments."""
    graph = optimize_for_execution(routine.graph) if optimized else routine.graph
    labels: dict[int, str] = {}
    shown = []
    for position, value in enumerate(graph.inputs):
        if position < routine.arguments:
            label = f"x{position}"
            shown.append(f"{label}: {value.spec!r}")
        elif position < routine.arguments + len(routine.variables):
            variable = routine.variables[position - routine.arguments]
            label = _unique(variable._name, labels)
            shown.append(f"variable {label}: {value.spec!r}")
        else:
            label = f"draw{position - routine.arguments - len(routine.variables)}"
            shown.append(f"{label}: {value.spec!r}")
        labels[id(value)] = label
    lines = [f"{name}({', '.join(shown)})", *_body(graph, labels)]
    results = [_label(value, labels) for value in graph.outputs[: routine.results]]
    lines.append(f"  return {', '.join(results)}" if results else "  return")
    for variable, value in zip(routine.written, graph.outputs[routine.results :], strict=True):
        lines.append(f"  {variable._name} <- {_label(value, labels)}")
    return "\n".join(lines)


def graph_text(graph: Graph) -> str:
    """Return a graph as text."""
    labels = {id(value): f"x{i}" for i, value in enumerate(graph.inputs)}
    shown = ", ".join(f"x{i}: {value.spec!r}" for i, value in enumerate(graph.inputs))
    lines = [f"graph({shown})", *_body(graph, labels)]
    lines.append(f"  return {', '.join([_label(value, labels) for value in graph.outputs])}")
    return "\n".join(lines)


def _body(graph: Graph, labels: dict[int, str]) -> list[str]:
    rows = []
    for node in graph.nodes:
        for value in node.outputs:
            labels[id(value)] = f"%{len(labels) - len(graph.inputs)}"
        arguments = [_label(value, labels) for value in node.inputs]
        arguments += [f"{key}={_parameter(value)}" for key, value in node.params.items()]
        call = f"{node.prim.name}({', '.join(arguments)})"
        if node.outputs:
            call = f"{', '.join(labels[id(v)] for v in node.outputs)} = {call}"
        rows.append((call, ", ".join(repr(v.spec) for v in node.outputs), _location(node)))
    widths = [max((len(row[i]) for row in rows), default=0) for i in (0, 1)]
    return [
        f"  {call:{min(widths[0], 60)}}  {specs:{min(widths[1], 24)}}  {location}".rstrip()
        for call, specs, location in rows
    ]


def _label(value: Value, labels: dict[int, str]) -> str:
    known = labels.get(id(value))
    if known is not None:
        return known
    assert value.constant is not None
    data = value.constant._data
    text = repr(data.item()) if data.size == 1 and not data.dtype.hasobject else ""
    return text if 0 < len(text) <= _MAX_VALUE_LENGTH else f"constant {value.spec!r}"


def _parameter(value) -> str:
    if isinstance(value, Graph):
        return f"<graph of {len(value.nodes)} ops>"
    text = str(value)
    return text if len(text) <= _MAX_VALUE_LENGTH * 2 else f"<{type(value).__name__}>"


def _unique(name: str, labels: dict[int, str]) -> str:
    taken = set(labels.values())
    candidate, count = name, 1
    while candidate in taken:
        candidate, count = f"{name}_{count}", count + 1
    return candidate


def _location(node: Node) -> str:
    if node.location is None:
        return ""
    return f"# {os.path.basename(node.location[0].co_filename)}:{line_of(node.location)}"
