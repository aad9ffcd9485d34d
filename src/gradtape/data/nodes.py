"""What a dataset is made of: nodes, each a step of the pipeline that can be run many times.

`stream(skip)` starts a pass: an iterator of elements, as if the first `skip` had been taken. A
step that need not compute what is skipped passes the number on to its input, so that a pipeline
can be resumed without doing its work again.

`table` is how batches of array rows stay fast. A source that holds arrays has one; steps that only
choose and reorder elements (shuffle, repeat, take…) keep it. Their streams can then be run over row
numbers (`rows=True`), and a batch is cut out of the arrays at once.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np

from gradtape.core.tensor import Tensor
from gradtape.data import structure
from gradtape.data.seeding import SeedStream

INFINITE = -1
UNKNOWN = -2
END = object()


class Node:
    """A step of a pipeline."""

    name = "Dataset"
    inputs: tuple[Node, ...] = ()
    table: Any = None  # a Table, where there is one
    seeds: Any = None  # a SeedStream, where there is one

    def stream(self, skip: int = 0, rows: bool = False) -> Iterator:
        raise NotImplementedError

    def cardinality(self) -> int:
        return UNKNOWN

    def spec(self) -> Any:
        raise NotImplementedError

    def seed_streams(self) -> list[SeedStream]:
        """Those of this step and of all before it, each once."""
        found: dict[int, SeedStream] = {}
        pending: list[Node] = [self]
        seen = set()
        while pending:
            node = pending.pop()
            if id(node) in seen:
                continue
            seen.add(id(node))
            if node.seeds is not None:
                found[id(node)] = node.seeds
            pending.extend(reversed(node.inputs))
        return list(found.values())


class Step(Node):
    """A step with one input whose elements have the same form."""

    def __init__(self, source: Node) -> None:
        self.source = source
        self.inputs = (source,)

    def spec(self):
        return self.source.spec()

    def cardinality(self) -> int:
        return self.source.cardinality()


class Reordering(Step):
    """A step that chooses and orders elements without looking at them."""

    def __init__(self, source: Node) -> None:
        super().__init__(source)
        self.table = source.table

    def order(self, skip: int, rows: bool) -> Iterator:
        raise NotImplementedError

    def stream(self, skip=0, rows=False):
        if self.table is not None and not rows:
            return map(self.table.row, self.order(skip, True))
        return self.order(skip, rows)


class Table:
    """Arrays of one length, whose rows are elements."""

    def __init__(self, form, arrays: list[np.ndarray]) -> None:
        self.form = form
        self.arrays = arrays
        self.length = len(arrays[0])

    def row(self, index: int):
        return structure.pack(self.form, [row_of(array, index) for array in self.arrays])

    def take(self, indices: list[int]):
        """The rows at `indices`, stacked: a view where they follow each other."""
        where: Any = np.array(indices)
        first, count = indices[0], len(indices)
        if indices[-1] - first == count - 1 and bool((np.diff(where) == 1).all()):
            where = slice(first, first + count)
        return structure.pack(self.form, [Tensor(array[where]) for array in self.arrays])


def row_of(array: np.ndarray, index: int) -> Tensor:
    """One row as a tensor."""
    row = array[index]
    if array.dtype == object and array.ndim == 1:
        row = as_object(row)
    return Tensor(row)


def as_object(value: bytes) -> np.ndarray:
    """A string as the array that a string tensor holds."""
    array = np.empty((), object)
    array[()] = value
    return array


def dropped(stream: Iterator, count: int) -> Iterator:
    """The stream without its first elements."""
    return itertools.islice(stream, count, None) if count else stream


def integer(value, what: str) -> int:
    """An argument that is one integer."""
    from gradtape.core.convert import static_value

    found = static_value(value)
    if isinstance(found, bool) or np.ndim(found) or not float(found).is_integer():
        raise TypeError(f"{what} must be an integer, got {value!r}.")
    return int(found)
