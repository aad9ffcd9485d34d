"""What is in memory: `tape.memory()`, and what fills a device that is out of it, by line."""

from __future__ import annotations

import dataclasses
import gc
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from gradtape.core.brief import in_bytes
from gradtape.core.native import is_deferred
from gradtape.core.tensor import Tensor
from gradtape.engine.indexed_slices import IndexedSlices
from gradtape.engine.recording import Recording
from gradtape.explain.paths import NO_LAYER, RecordedOp, RecordingGraph
from gradtape.explain.source import SourceLocation
from gradtape.explain.tables import Report, Table, tables_of_shares
from gradtape.graph.graph import Graph, Value

_SHOWN = 3  # lines
_WORTH_WORDS = 0.05  # of what is missing: less than this would not help


@dataclasses.dataclass(frozen=True)
class MemoryShare:
    """The part of a line, of a kind of op or of a layer."""

    name: str
    bytes: int
    ops: int
    location: SourceLocation | None = None


@dataclasses.dataclass(frozen=True, repr=False)
class Memory(Report):
    """What a recording keeps. An array that several ops keep is counted once, for the first of
    them.

    `total_bytes` is all of it; `held_anyway_bytes` are arrays of variables and watched tensors,
    which the program has in any case and which are not in the total. A deferred value
    (docs/fusion.md) has no array yet: what counts are the arrays that it will be computed from.
    """

    total_bytes: int
    held_anyway_bytes: int
    ops: int
    by_line: list[MemoryShare]
    by_op: list[MemoryShare]
    by_layer: list[MemoryShare]  # empty where no op ran in a layer
    by_index: list[int]
    device_bytes: int = 0  # of the total, on devices

    def tables(self) -> list[Table]:
        where = f", {in_bytes(self.device_bytes)} of it on a device," if self.device_bytes else ""
        title = (
            f"The tape keeps {in_bytes(self.total_bytes)}{where} for {self.ops} ops "
            f"(and refers to {in_bytes(self.held_anyway_bytes)} of variables and watched tensors)."
        )
        columns = {">kept": lambda share: in_bytes(share.bytes)}
        return tables_of_shares(title, columns, self.by_line, self.by_op, self.by_layer)


def measure(recording: Recording) -> Memory:
    """Count the bytes that a recording keeps alive."""
    graph = RecordingGraph(recording)
    held = [_buffer(array) for x in graph.names.values() for array in _arrays(x._data)]
    own = {id(buffer): buffer.nbytes for buffer in held}
    counted = set(own)
    by_index = []
    on_devices = 0
    for op in graph.ops:
        kept = 0
        for array in _kept_values(op):
            buffer = _buffer(array)
            if id(buffer) not in counted:
                counted.add(id(buffer))
                kept += buffer.nbytes
                on_devices += 0 if isinstance(buffer, (np.ndarray, np.generic)) else buffer.nbytes
        by_index.append(kept)
    lines: dict[tuple, list] = {}
    kinds: dict[str, list] = {}
    layers: dict[str, list] = {}
    for op, kept in zip(graph.ops, by_index, strict=True):
        location = op.location
        for group in (
            lines.setdefault((location.file, location.line), [0, 0, location]),
            kinds.setdefault(op.name, [0, 0, None]),
            layers.setdefault(op.layer, [0, 0, None]),
        ):
            group[0] += kept
            group[1] += 1
    return Memory(
        total_bytes=sum(by_index),
        held_anyway_bytes=sum(own.values()),
        ops=len(graph.ops),
        by_line=_largest_shares([MemoryShare(str(p), kept, n, p) for kept, n, p in lines.values()]),
        by_op=_named_shares(kinds),
        by_layer=_named_shares({layer or NO_LAYER: part for layer, part in layers.items()})
        if any(layers)
        else [],
        by_index=by_index,
        device_bytes=on_devices,
    )


def _named_shares(groups: dict[str, list]) -> list[MemoryShare]:
    return _largest_shares([MemoryShare(name, kept, n) for name, (kept, n, _) in groups.items()])


def _largest_shares(shares: list[MemoryShare]) -> list[MemoryShare]:
    return sorted(shares, key=lambda s: -s.bytes)


def _kept_values(op: RecordedOp) -> Iterator:
    kept, ans = op.entry[3], op.entry[4]
    results = ans if isinstance(ans, tuple) else (ans,)
    for x in (*(kept or ()), *results):
        if isinstance(x, IndexedSlices):
            x = x.values
        if isinstance(x, Tensor) and x._has_value:
            yield from _arrays(x._data)


def _arrays(data) -> list:
    """Return the arrays behind a tensor's value: one, or those of a deferred value."""
    return data.arrays if is_deferred(data) else [data]


def _buffer(array) -> np.ndarray:
    """Return the array that owns the memory of a view."""
    # (One that waits on a device is not asked: that would compute it.)
    while type(array) is np.ndarray and isinstance(array.base, np.ndarray):
        array = array.base
    return array


# --- a device without memory left: this may take its time, but computes nothing ------------------


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
