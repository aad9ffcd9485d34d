"""Strings that stand for ones that are not known yet: those of records not yet read.

A dataset asks what its elements look like by calling the program's functions on such strings. What
parses them gives zeros, with as many values as the string says where the number is not known.
"""

from __future__ import annotations

import numpy as np

from gradtape.api.io.features import Column

# By how many values they are to have. They are known by identity, so each is an object of its own;
# and they have different numbers of words, since functions of strings may count those.
STAND_INS = {2: bytes(bytearray(b"  ")), 3: bytes(bytearray(b"a b"))}


def unknown_count(serialized: list[bytes]) -> int | None:
    """Return how many values unknown strings are to have; None for strings that are known."""
    first = serialized[0] if serialized else None
    return next((count for count, text in STAND_INS.items() if first is text), None)


def _zeros(column: Column, count: int) -> np.ndarray:
    values = np.zeros(count, column.dtype.as_numpy_dtype)
    if values.dtype == object:
        values[:] = b""
    return values


def unknown_columns(columns: list[Column], examples: int, count: int) -> list[tuple]:
    """Return columns as `example_columns` does, of as many Examples."""
    results = []
    for column in columns:
        each = column.size if column.shape is not None else 1
        each *= count if column.shape is None or column.is_sequence else 1
        counts = np.full(examples, each, np.int64)
        results.append((_zeros(column, each * examples), counts))
    return results


def unknown_sequences(columns: list[Column], examples: int, count: int) -> list[tuple]:
    """Return columns of sequences as `sequence_columns` does."""
    results = []
    for column in columns:
        each = count if column.shape is None else column.size
        steps = count * examples
        counts, rows = np.full(steps, each, np.int64), np.full(examples, count, np.int64)
        results.append((_zeros(column, each * steps), counts, rows))
    return results
