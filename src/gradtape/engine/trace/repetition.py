"""Python loops that are written out in a graph: the line that has left the same op many times."""

from __future__ import annotations

import os
from collections import Counter
from typing import NamedTuple

from gradtape.core.places import line_of
from gradtape.engine.trace.graph import Graph

_OFTEN = 8


class Repetition(NamedTuple):
    """A line of the user's program, and how often the same op of it is in a graph."""

    line: str
    times: int


def repetition(graph: Graph) -> Repetition | None:
    """The first line whose op comes back again and again; None where there is none.

    Ops of gradients stand at the line that asks for them, which comes after those of the loop.
    """
    keys = [
        None if node.place is None else (*node.place, node.prim.name, _specs(node))
        for node in graph.nodes
    ]
    counts = Counter(keys)
    for node, key in zip(graph.nodes, keys, strict=True):
        if key is not None and counts[key] >= _OFTEN:
            line = f"{os.path.basename(node.place[0].co_filename)}:{line_of(node.place)}"
            return Repetition(line, counts[key])
    return None


def _specs(node) -> tuple:
    return tuple([(value.spec.shape, value.spec.dtype) for value in node.outputs])
