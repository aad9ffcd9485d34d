"""Objects whose protocols lie, fail or give something unexpected."""

from __future__ import annotations

import numpy as np


class OddError(Exception):
    """What an argument itself raises: it may pass through a call."""


class RaisingArray:
    def __array__(self, dtype=None, copy=None):
        raise OddError("no array")


class TextArray:
    def __array__(self, dtype=None, copy=None):
        return np.array(["text"])


class NoArray:
    def __array__(self, dtype=None, copy=None):
        return "no array"


class OtherArray:
    """An array protocol that ignores the dtype asked for."""

    def __array__(self, dtype=None, copy=None):
        return np.ones((2, 3), np.int8)


class RaisingIndex:
    def __index__(self):
        raise OddError("no index")


class Index:
    def __init__(self, number: int) -> None:
        self.number = number

    def __index__(self):
        return self.number


class RaisingFloat:
    def __float__(self):
        raise OddError("no number")


class LyingLength:
    """A sequence that has fewer items than it says."""

    def __len__(self):
        return 3

    def __getitem__(self, i):
        if i > 0:
            raise IndexError(i)
        return 1.0


class NegativeLength:
    def __len__(self):
        return -1  # noqa: PLE0303


class RaisingIterator:
    def __iter__(self):
        yield 1.0
        raise OddError("no more")


class RaisingEquality:
    def __eq__(self, other):
        raise OddError("cannot compare")

    __hash__ = None  # unhashable


class RaisingText:
    def __repr__(self):
        raise OddError("no text")


class RaisingAttributes:
    def __getattr__(self, name):
        raise OddError(name)


class EveryAttribute:
    """Has whatever is asked for, like a mock."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return EveryAttribute()

    def __call__(self, *arguments, **names):
        return EveryAttribute()


class Text(str):
    pass


class Whole(int):
    pass


class Listed(list):
    pass


def itself() -> list:
    """A list that contains itself."""
    made: list = []
    made.append(made)
    return made


def deep(depth: int) -> list:
    made: list = [1.0]
    for _ in range(depth):
        made = [made]
    return made


def raising(*arguments, **names):
    raise OddError("called")


def raise_memory_error():
    raise MemoryError
