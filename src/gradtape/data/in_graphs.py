"""Datasets in a function being traced: their elements are taken whenever the graph runs."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from gradtape import ops
from gradtape.api.autograph.elements import Elements
from gradtape.core.tensor import Tensor
from gradtape.data import structure, transforms
from gradtape.data.composite_rows import ExtensionRows, UnboundRows
from gradtape.data.nodes import PipelineNode, Table
from gradtape.graph.control.loop import trace_loop


def reduced(trace: Any, dataset: Any, initial_state: Any, step: Callable) -> Any:
    """Return the last state of `state = step(state, element)`, as one loop of the graph.

    For elements of other shapes than those before, another loop goes on.
    """
    state = structure.map_structure(ops.to_tensor, initial_state)
    elements = Elements(dataset)
    specs: Any = elements.next_specs()
    while specs is not None:

        def holds(leaves: list) -> Any:
            return elements.has_next(specs)  # noqa: B023 (called here)

        def body(leaves: list) -> list:
            before = structure.pack(state, leaves)  # noqa: B023 (called here)
            result = step(before, elements.take(specs))  # noqa: B023 (called here)
            after = structure.map_structure(ops.to_tensor, result)
            transforms.check_state(after, before, "reduce_func")
            return structure.flatten(after)

        leaves = trace_loop(trace, holds, body, structure.flatten(state), None)
        state = structure.pack(state, leaves)
        specs = None if elements.has_one_shape else elements.next_specs()
    return state


# --- datasets of tensors of the function ---------------------------------------------------------


def unbound_tensors(node: PipelineNode) -> list[Tensor]:
    """Return the traced tensors that a pipeline takes rows of, each once."""
    tensors: dict[int, Tensor] = {}
    pending = [node]
    while pending:
        each = pending.pop()
        pending += each.inputs
        arrays = list(getattr(each.table, "arrays", ()))
        while arrays:
            rows = arrays.pop(0)
            if isinstance(rows, UnboundRows):
                tensors.setdefault(id(rows.tensor), rows.tensor)
            elif isinstance(rows, ExtensionRows):
                arrays += rows.parts
    return list(tensors.values())


class _Binding:
    """Copies a pipeline, with values in place of the traced tensors."""

    def __init__(self, tensors: Sequence[Tensor], values: Sequence[Tensor]) -> None:
        pairs = zip(tensors, values, strict=True)
        self._arrays = {id(tensor): np.asarray(value._host_data()) for tensor, value in pairs}
        self._copies: dict[int, Any] = {}

    def copy(self, part: Any) -> Any:
        """Return a part of a pipeline with values; itself, if it has nothing to do with them."""
        if isinstance(part, UnboundRows):
            return self._arrays[id(part.tensor)]
        if isinstance(part, ExtensionRows):
            return part.with_parts(self.copy)
        if isinstance(part, (list, tuple)) and type(part) in (list, tuple):
            return type(part)(map(self.copy, part))
        if not isinstance(part, (PipelineNode, Table)):
            return part
        known = self._copies.get(id(part))
        if known is None:
            known = self._copies[id(part)] = copy.copy(part)
            known.__dict__.update({name: self.copy(x) for name, x in vars(part).items()})
        return known


def bound(node: PipelineNode, tensors: Sequence[Tensor], values: Sequence[Tensor]) -> PipelineNode:
    """Return a pipeline with the values that its traced tensors have in a call."""
    return _Binding(tensors, values).copy(node)
