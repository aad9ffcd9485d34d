"""Datasets in a function being traced: their elements are taken whenever the graph runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gradtape import ops
from gradtape.api.autograph.elements import Elements
from gradtape.data import structure, transforms
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
