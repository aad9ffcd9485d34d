"""What fills a device's memory when a step does not fit: values, their lines, and what would help.

Asked only when there is no memory left, so that it may take its time; but it computes nothing.
"""

from __future__ import annotations

import gc
from collections.abc import Iterable
from typing import Any

from gradtape.core.brief import in_bytes
from gradtape.engine.recording import Recording
from gradtape.explain.memory import measure
from gradtape.explain.source import SourceLocation
from gradtape.graph.graph import Graph, Value

_SHOWN = 3  # lines
_WORTH_WORDS = 0.05  # of what is missing: less than this would not help


def words_of_tapes(missing: int) -> str:
    """Say what tapes keep on devices for gradients; nothing if that is little."""
    lines: dict[str, int] = {}
    for each in gc.get_objects():
        if issubclass(type(each), Recording):
            memory = measure(each)
            for share in memory.by_line if memory.device_bytes else ():
                lines[share.name] = lines.get(share.name, 0) + share.bytes
    total = sum(lines.values())
    if total < missing * _WORTH_WORDS or not total:
        return ""
    return (
        f" Tapes keep {in_bytes(total)} for gradients, most of it for {_listed(lines)}. "
        f"tf.recompute_grad around what these lines compute saves up to {in_bytes(total)}, half "
        f"the batch about {in_bytes(total // 2)}."
    )


def words_of_graph(graph: Graph) -> str:
    """Say which values of a compiled function are in memory when there are most of them."""
    held = _held_at_peak(graph)
    makers = {id(y): node for node in graph.nodes for y in node.outputs}
    lines: dict[str, int] = {}
    for value in held:
        node = makers[id(value)]
        line = str(SourceLocation(*node.location[:2])) if node.location else node.prim.name
        lines[line] = lines.get(line, 0) + value.spec.nbytes
    total = sum(lines.values())
    if not total:
        return ""
    largest = max(held, key=lambda value: value.spec.nbytes)
    return (
        f" At its fullest it holds up to {in_bytes(total)} between its ops, most of it for "
        f"{_listed(lines)}; the largest value is {largest.spec!r}, of "
        f"{makers[id(largest)].prim.name}. Half the batch takes about {in_bytes(total // 2)} less; "
        "tf.recompute_grad around what these lines compute saves what only gradients need."
    )


def _listed(lines: dict[str, int]) -> str:
    ordered = sorted(lines.items(), key=lambda item: -item[1])
    return "; ".join(f"{line}, {in_bytes(size)}" for line, size in ordered[:_SHOWN])


def _held_at_peak(graph: Graph) -> list[Value]:
    """Return the values that ops have made and that later ones read, where these take most."""
    roots: dict[int, Value] = {}

    def root(value: Value) -> Value:
        return roots.get(id(value), value)

    last: dict[int, int] = {}
    made: dict[int, tuple[int, Value]] = {}
    for position, node in enumerate(graph.nodes):
        for value in node.inputs:
            last[id(root(value))] = position
        for y in node.outputs:
            if node.prim.family == "view":
                roots[id(y)] = root(node.inputs[0])
            else:
                made[id(y)] = (position, y)
                last[id(y)] = position
    for value in graph.outputs:
        last[id(root(value))] = len(graph.nodes)
    best, most = 0, -1
    for position, now in enumerate(_sizes(graph, made, last)):
        if now > most:
            best, most = position, now
    return [y for key, (start, y) in made.items() if start <= best <= last[key]]


def _sizes(graph: Graph, made: dict[int, tuple[int, Value]], last: dict[int, int]) -> Iterable[Any]:
    changes = [0] * (len(graph.nodes) + 2)
    for key, (start, value) in made.items():
        changes[start] += value.spec.nbytes
        changes[last[key] + 1] -= value.spec.nbytes
    now = 0
    for change in changes:
        now += change
        yield now
