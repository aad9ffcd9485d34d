"""A part of a function that was traced, recorded again in another place without running Python."""

from __future__ import annotations

from typing import Any

from gradtape.core.state import get_state
from gradtape.core.tensor import Tensor
from gradtape.graph.graph import Graph, Value
from gradtape.graph.replay import replay
from gradtape.graph.tracing import Trace


class RecordedPart:
    """The body of a loop that was traced: the program's Python code has run, and runs only once.

    `inputs` are those that are not captured.
    """

    def __init__(self, part: Trace, inputs: tuple[Value, ...], outputs: tuple[Value, ...]) -> None:
        self._given = inputs
        self._captured = list(part._captured.values())
        self._reads = dict(part.reads)
        self._written = list(part.written.values())
        self._outputs = len(outputs)
        self._nodes = part.nodes
        self._results = (*outputs, *[part.current_value(v) for v in self._written])

    def repeat(self, tensors: list[Tensor]) -> list[Tensor]:
        """Record the part for these inputs, where variables have the values that they have now."""
        inputs = list(self._given)
        tensors = list(tensors)
        for outer, value in self._captured:
            variable = self._reads.get(id(value))
            inputs.append(value)
            tensors.append(outer if variable is None else variable._full_value())
        trace: Any = get_state().trace
        graph = Graph(tuple(inputs), self._nodes, self._results)
        results = replay(graph, tensors, recorder=trace)
        for variable, value in zip(self._written, results[self._outputs :], strict=True):
            trace.write(variable, value)
        return results[: self._outputs]
