"""Finds ops of a graph that repeat with a period, such as those of a loop that is written out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

from gradtape.graph.graph import Graph, Node

MIN_TIMES = 16
_MIN_PERIOD = 2
_MAX_ALIKE = 32  # nodes of an iteration that look the same
_LITERALS = (bool, int, float, str, bytes, type(None))


def find_runs(graph: Graph) -> Iterator[tuple[int, int, int]]:
    """Yield (period, first node, iterations) of all runs of nodes with a period, short ones first.

    Nodes in the same place of two iterations apply the same primitive to values of the same shapes;
    whose values they are is not compared.
    """
    numbers: dict[Any, int] = {}
    keys = np.array([numbers.setdefault(_key(node), len(numbers)) for node in graph.nodes])
    for period in _distances(keys):
        if period < _MIN_PERIOD:
            continue
        is_same = np.concatenate([[False], keys[:-period] == keys[period:], [False]])
        starts, ends = np.flatnonzero(is_same[1:] != is_same[:-1]).reshape(-1, 2).T
        for start, length in zip(starts.tolist(), (ends - starts).tolist(), strict=True):
            times = length // period + 1
            if times >= MIN_TIMES:
                yield period, start, times


def _key(node: Node) -> Any:
    """Return what nodes in the same place of two iterations have in common."""
    if node.acts:
        return object()
    params = [
        (name, _identity(value)) for name, value in node.params.items() if not varies(node, name)
    ]
    specs = [repr(value.spec) for value in (*node.inputs, *node.outputs)]
    return (node.prim, tuple(params), tuple(specs))


def varies(node: Node, name: str) -> bool:
    """Return whether a parameter may differ between iterations: the index of a slice."""
    return name == "index" and node.prim.name in ("slice", "put_slice")


def _identity(parameter: Any) -> Any:
    items = parameter if type(parameter) is tuple else (parameter,)
    if all(type(each) in _LITERALS for each in items):
        return repr(parameter)
    return id(parameter)


def _distances(keys: np.ndarray) -> list[int]:
    """Return the distances at which ops are met again often, the smallest first."""
    last: dict[int, list[int]] = {}
    distances: Counter[int] = Counter()
    for index, key in enumerate(keys.tolist()):
        before = last.setdefault(key, [])
        distances.update([index - each for each in before])
        before.append(index)
        del before[:-_MAX_ALIKE]
    return sorted([d for d, count in distances.items() if count >= MIN_TIMES - 1])
