"""Columns of serialized Examples: the values of chosen features, for many Examples at once.

A column is (values, counts): all values one after the other, and how many each Example has; -1
where it has none. A column of sequences is (values, counts, rows): the counts are of each step, and
`rows` says how many steps each Example has. `src/native/formats/examples.cpp` does the same, and
leaves to this file what is unusual or damaged.
"""

from __future__ import annotations

import numpy as np

from gradtape.backends.native.extension import extension
from gradtape.formats import protobuf
from gradtape.formats.errors import DecodeError

BYTES, FLOAT, INT64 = 1, 2, 3
NAMES = {BYTES: "string", FLOAT: "float", INT64: "int64"}
_DTYPES = {BYTES: object, FLOAT: np.float32, INT64: np.int64}
Wanted = tuple[tuple[bytes, int], ...]  # (key, kind) of each column


class WrongKind(ValueError):
    """A feature has values of another kind than the one that is asked for."""

    def __init__(self, key: bytes, index: int, stored: int, wanted: int) -> None:
        self.key, self.index = key.decode(errors="replace"), index
        self.stored, self.wanted = NAMES[stored], NAMES[wanted]
        super().__init__(key)


class BadExample(ValueError):
    """An Example cannot be read."""

    def __init__(self, index: int, reason: str) -> None:
        self.index = index
        super().__init__(reason)


def example_columns(serialized: list[bytes], wanted: Wanted) -> list[tuple]:
    """Return a column of each feature that is wanted."""
    if extension is not None:
        columns = extension.example_columns(serialized, wanted)
        if columns is not None:
            return columns
    return sequence_columns_in_python(serialized, wanted, ())[0]


def sequence_columns(
    serialized: list[bytes], context: Wanted, lists: Wanted
) -> tuple[list[tuple], list[tuple]]:
    """Return columns of the context of SequenceExamples, and columns of their sequences."""
    if extension is not None:
        columns = extension.sequence_columns(serialized, context, lists)
        if columns is not None:
            return columns
    return sequence_columns_in_python(serialized, context, lists)


def sequence_columns_in_python(serialized, context: Wanted, lists: Wanted):
    """Return the same, read field by field. An Example is a context without sequences."""
    values_by_column: list[list] = [[] for _ in context]
    steps: list[list] = [[] for _ in lists]
    for index, message in enumerate(serialized):
        try:
            maps: tuple[dict, dict] = ({}, {})
            for field, wire, value, _ in protobuf.fields(message):
                if field in (1, 2) and wire == protobuf.BYTES and (field == 1 or lists):
                    _read_map(value, maps[field - 1])
            for column, (key, kind) in zip(values_by_column, context, strict=True):
                column.append(_feature(maps[0].get(key, ()), key, kind, index))
            for column, (key, kind) in zip(steps, lists, strict=True):
                parts = maps[1].get(key)
                column.append(None if parts is None else _steps(parts, key, kind, index))
        except DecodeError as error:
            raise BadExample(index, str(error)) from None
    columns = [
        _column(values, kind) for values, (_, kind) in zip(values_by_column, context, strict=True)
    ]
    sequences = []
    for values, (_, kind) in zip(steps, lists, strict=True):
        rows = np.array([-1 if each is None else len(each) for each in values], np.int64)
        flat = [step for each in values if each is not None for step in each]
        sequences.append((*_column(flat, kind), rows))
    return columns, sequences


def _read_map(view: memoryview, entries: dict[bytes, list[memoryview]]) -> None:
    """Read entries of (key, value); of equal keys the last one counts."""
    for field, wire, entry, _ in protobuf.fields(view):
        if field != 1 or wire != protobuf.BYTES:
            continue
        key, parts = protobuf.map_entry(entry)
        entries[key] = parts


def _steps(parts: list[memoryview], key: bytes, kind: int, index: int) -> list:
    steps = []
    for part in parts:
        for field, wire, feature, _ in protobuf.fields(part):
            if field == 1 and wire == protobuf.BYTES:
                steps.append(_feature([feature], key, kind, index))
    return steps


def _feature(parts, key: bytes, kind: int, index: int):
    """Return the values of a feature; None if it has none of any kind."""
    lists: list[tuple[int, memoryview]] = []
    for part in parts:
        for field, wire, value, _ in protobuf.fields(part):
            if field in NAMES and wire == protobuf.BYTES:
                lists.append((field, value))
    if not lists:
        return None
    last = lists[-1][0]  # of several kinds the last one counts
    if last != kind:
        raise WrongKind(key, index, last, kind)
    pieces = []
    for field, view in reversed(lists):
        if field != kind:
            break
        pieces.insert(0, _values(view, kind))
    return np.concatenate(pieces)


def _values(view: memoryview, kind: int) -> np.ndarray:
    pieces = []
    for field, wire, value, _ in protobuf.fields(view):
        if field != 1:
            continue
        if kind == BYTES and wire == protobuf.BYTES:
            pieces.append([bytes(value)])
        elif kind == INT64 and wire == protobuf.BYTES:
            pieces.append(protobuf.unpack_integers(value))
        elif kind == INT64 and wire == protobuf.VARINT:
            pieces.append(np.array([value], np.uint64).view(np.int64))
        elif kind == FLOAT and wire in (protobuf.BYTES, protobuf.FIXED32):
            pieces.append(protobuf.unpack_floats(value))
    return _joined(pieces, kind)


def _joined(pieces: list, kind: int) -> np.ndarray:
    if kind != BYTES:
        return np.concatenate([np.empty(0, _DTYPES[kind]), *pieces])
    items = [item for piece in pieces for item in piece]
    made = np.empty(len(items), object)
    made[:] = items
    return made


def _column(values: list, kind: int) -> tuple[np.ndarray, np.ndarray]:
    counts = np.array([-1 if each is None else len(each) for each in values], np.int64)
    return _joined([each for each in values if each is not None], kind), counts
