"""Finds Python loops that were unrolled into a graph: lines that recorded one op many times."""

from __future__ import annotations

import os
from collections import Counter
from typing import NamedTuple

from gradtape.core.source_location import line_of
from gradtape.graph.graph import Graph

_MIN_TIMES = 8


class Repetition(NamedTuple):
    """A line of the user's program, and how many times the same op of it is in a graph."""

    line: str
    times: int


def find_repetition(graph: Graph) -> Repetition | None:
    """Return the first line whose op is repeated, or None.

    Ops of gradients have the location of the call of `gradient`, which comes after the loop.
    """
    keys = [
        None if node.location is None else (*node.location, node.prim.name, _specs(node))
        for node in graph.nodes
    ]
    counts = Counter(keys)
    for node, key in zip(graph.nodes, keys, strict=True):
        if key is not None and counts[key] >= _MIN_TIMES:
            line = f"{os.path.basename(node.location[0].co_filename)}:{line_of(node.location)}"
            return Repetition(line, counts[key])
    return None


def _specs(node) -> tuple:
    return tuple([(value.spec.shape, value.spec.dtype) for value in node.outputs])
