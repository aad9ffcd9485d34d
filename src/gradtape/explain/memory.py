"""`tape.memory()`: what a record keeps alive, by op and by line of the program."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import numpy as np

from gradtape.core.native import is_deferred
from gradtape.core.tensor import Tensor
from gradtape.engine.indexed_slices import IndexedSlices
from gradtape.engine.recording import Recording
from gradtape.explain.paths import Graph, Op
from gradtape.explain.source import Place
from gradtape.explain.tables import in_bytes, shortened, table

_SHOWN = 12


@dataclasses.dataclass(frozen=True)
class Share:
    """The part of a line or of a kind of op."""

    name: str
    bytes: int
    ops: int
    place: Place | None = None


@dataclasses.dataclass(frozen=True)
class Memory:
    """What a record keeps. An array that several ops keep is counted once, for the first of them.

    `total_bytes` is all of it; `held_anyway_bytes` are arrays of variables and watched tensors,
    which the program has in any case and which are not in the total. A value that was put off
    (docs/fusion.md) has no array yet: what counts are the arrays that it will be computed from.
    """

    total_bytes: int
    held_anyway_bytes: int
    ops: int
    by_line: list[Share]
    by_op: list[Share]
    by_index: list[int]

    def __str__(self) -> str:
        lines = [
            [
                in_bytes(s.bytes),
                str(s.ops),
                str(s.place),
                shortened(s.place.text if s.place else ""),
            ]
            for s in self.by_line[:_SHOWN]
        ]
        kinds = [[in_bytes(s.bytes), str(s.ops), s.name] for s in self.by_op[:_SHOWN]]
        title = (
            f"The tape keeps {in_bytes(self.total_bytes)} for {self.ops} ops "
            f"(and refers to {in_bytes(self.held_anyway_bytes)} of variables and watched tensors)."
        )
        more = len(self.by_line) - _SHOWN
        notes = f"and {more} more lines" if more > 0 else ""
        return "\n\n".join(
            [
                table(title, [">kept", ">ops", "line", "code"], lines, notes),
                table("By op", [">kept", ">ops", "op"], kinds),
            ]
        )


def measure(recording: Recording) -> Memory:
    """Count the bytes that a recording keeps alive."""
    graph = Graph(recording)
    held = [_buffer(array) for x in graph.names.values() for array in _arrays(x._data)]
    own = {id(buffer): buffer.nbytes for buffer in held}
    counted = set(own)
    by_index = []
    for op in graph.ops:
        kept = 0
        for array in _kept(op):
            buffer = _buffer(array)
            if id(buffer) not in counted:
                counted.add(id(buffer))
                kept += buffer.nbytes
        by_index.append(kept)
    lines: dict[tuple, list] = {}
    kinds: dict[str, list] = {}
    for op, kept in zip(graph.ops, by_index, strict=True):
        place = op.place
        for group in (lines.setdefault((place.file, place.line), [0, 0, place]),
                      kinds.setdefault(op.name, [0, 0, None])):  # fmt: skip
            group[0] += kept
            group[1] += 1
    return Memory(
        total_bytes=sum(by_index),
        held_anyway_bytes=sum(own.values()),
        ops=len(graph.ops),
        by_line=_largest([Share(str(p), kept, n, p) for kept, n, p in lines.values()]),
        by_op=_largest([Share(name, kept, n) for name, (kept, n, _) in kinds.items()]),
        by_index=by_index,
    )


def _largest(shares: list[Share]) -> list[Share]:
    return sorted(shares, key=lambda s: -s.bytes)


def _kept(op: Op) -> Iterator:
    kept, ans = op.entry[3], op.entry[4]
    results = ans if isinstance(ans, tuple) else (ans,)
    for x in (*(kept or ()), *results):
        if isinstance(x, IndexedSlices):
            x = x.values
        if type(x) is Tensor:
            yield from _arrays(x._data)


def _arrays(data) -> list:
    """The arrays behind a tensor's value: one, or those of a value that was put off."""
    return data.arrays if is_deferred(data) else [data]


def _buffer(array) -> np.ndarray:
    """The array that owns the memory of a view."""
    while isinstance(getattr(array, "base", None), np.ndarray):
        array = array.base
    return array
