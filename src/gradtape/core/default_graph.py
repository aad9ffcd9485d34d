"""What stands for TensorFlow's graph objects: one for each function being traced."""

from __future__ import annotations

import contextlib
from typing import Any

from gradtape.core.state import get_state

__all__ = ["DefaultGraph", "default_graph", "graph_being_traced"]


class DefaultGraph:
    """The graph that ops belong to: an empty one outside of functions, as in TensorFlow 2."""

    def as_default(self) -> contextlib.AbstractContextManager[DefaultGraph]:
        """Return a context manager that changes nothing."""
        return contextlib.nullcontext(self)

    def get_operations(self) -> list[Any]:
        """Return []: ops are not kept."""
        return []

    def unique_name(self, name: str, mark_as_used: bool = True) -> str:
        """Return the name: names of ops need not differ."""
        return name

    def finalize(self) -> None:
        """Do nothing."""

    def __getattr__(self, name: str):
        raise AttributeError(
            f"get_default_graph().{name}: gradtape runs every op at once and builds no graph "
            "outside of functions. tf.graph.print shows the graph of a tf.function."
        )


_OUTSIDE = DefaultGraph()
# Programs know graphs by their ids, and a trace ends long before its function does. So that no
# later trace has the id of an earlier one, what stands for their graphs is never freed.
_KEPT: list[DefaultGraph] = []


def graph_being_traced() -> DefaultGraph | None:
    """Return what stands for the graph of the function being traced, always the same one."""
    trace: Any = get_state().trace
    if trace is None:
        return None
    if trace.default_graph is None:
        trace.default_graph = DefaultGraph()
        _KEPT.append(trace.default_graph)
    return trace.default_graph


def default_graph() -> DefaultGraph:
    """Return what stands for the graph that ops now belong to."""
    return graph_being_traced() or _OUTSIDE
