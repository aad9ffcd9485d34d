"""The nodes of a dataset: each is a stage of the pipeline, which can be run many times.

`stream(skip)` starts a pass: an iterator of elements that begins after the first `skip`. A node
that need not compute what is skipped passes the number on to its input, so that a pipeline can be
resumed without repeating its work.

`table` is how batches of array rows stay fast. A source that holds arrays has one; nodes that only
choose and reorder elements (shuffle, repeat, take…) keep it. Their streams can then be run over row
numbers (`rows=True`), and a batch is cut out of the arrays at once.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from gradtape.core.tensor import Tensor
from gradtape.data import structure
from gradtape.data.composite_rows import CompositeRows
from gradtape.data.seeding import SeedStream

INFINITE = -1
UNKNOWN = -2
END = object()


class PipelineNode:
    """A stage of a pipeline."""

    name = "Dataset"
    inputs: tuple[PipelineNode, ...] = ()
    table: Any = None  # a Table, where there is one
    seeds: Any = None  # a SeedStream, where there is one

    def stream(self, skip: int = 0, rows: bool = False) -> Iterator:
        raise NotImplementedError

    def cardinality(self) -> int:
        return UNKNOWN

    def spec(self) -> Any:
        raise NotImplementedError

    def seed_streams(self) -> list[SeedStream]:
        """Return the seed streams of this node and of all before it, each once."""
        streams: dict[int, SeedStream] = {}
        pending: list[PipelineNode] = [self]
        seen = set()
        while pending:
            node = pending.pop()
            if id(node) in seen:
                continue
            seen.add(id(node))
            if node.seeds is not None:
                streams[id(node)] = node.seeds
            pending.extend(reversed(node.inputs))
        return list(streams.values())


class UnaryNode(PipelineNode):
    """A node with one input. Unless overridden, its elements have the same spec and number."""

    def __init__(self, source: PipelineNode) -> None:
        self.source = source
        self.inputs = (source,)

    def spec(self):
        return self.source.spec()

    def cardinality(self) -> int:
        return self.source.cardinality()


class Reordering(UnaryNode):
    """A node that selects and reorders elements without looking at them."""

    def __init__(self, source: PipelineNode) -> None:
        super().__init__(source)
        self.table = source.table

    def order(self, skip: int, rows: bool) -> Iterator:
        raise NotImplementedError

    def stream(self, skip=0, rows=False):
        if self.table is not None and not rows:
            return map(self.table.row, self.order(skip, True))
        return self.order(skip, rows)


class Table:
    """Arrays (or `CompositeRows`) of one length, whose rows are elements."""

    def __init__(self, form, arrays: list) -> None:
        self.form = form
        self.arrays = arrays
        self.length = len(arrays[0])

    def row(self, index: int):
        return structure.pack(self.form, [row_of(array, index) for array in self.arrays])

    def take(self, indices: list[int]):
        """Return the rows at `indices`, stacked: a view where they are contiguous."""
        rows: Any = np.array(indices)
        first, count = indices[0], len(indices)
        if indices[-1] - first == count - 1 and bool((np.diff(rows) == 1).all()):
            rows = slice(first, first + count)
        return structure.pack(self.form, [rows_at(array, rows) for array in self.arrays])


def rows_at(array, rows):
    """Return the rows that a slice or an array of numbers names, as a component."""
    return array.take(rows) if isinstance(array, CompositeRows) else Tensor(array[rows])


def row_of(array, index: int):
    """Return one row as a tensor."""
    if isinstance(array, CompositeRows):
        return array.row(index)
    row = array[index]
    if array.dtype == object and array.ndim == 1:
        row = as_object(row)
    return Tensor(row)


def as_object(value: bytes) -> np.ndarray:
    """Return a string as the array that a string tensor holds."""
    array = np.empty((), object)
    array[()] = value
    return array


def side_by_side(streams: list) -> Iterator[tuple]:
    """Zip streams. When one has ended, those after it are asked for an element, too: a cache is
    complete only when it was read to its end."""
    ended: list[int] = []

    def note(number: int) -> Iterator:
        ended.append(number)
        return iter(())

    def ask() -> Iterator:
        for stream in streams[ended[0] + 1 :]:
            next(stream, None)
        return iter(())

    marked = [itertools.chain(x, _later(note, i)) for i, x in enumerate(streams)]
    return itertools.chain(zip(*marked, strict=False), _later(ask))


def _later(function: Callable, *args) -> Iterator:
    """Return what an iterator that a function returns has; the function is called when asked."""
    yield from function(*args)


# --- after an error ------------------------------------------------------------------------------
# A pass goes on after the error of an element, so that `ignore_errors` loses only that element. A
# generator that raises is over: in it, an error is a `Failure`, and is raised outside.


class Failure:
    """The error in place of an element."""

    __slots__ = ("error",)

    def __init__(self, error: Exception) -> None:
        before = error.__traceback__
        # Without the frame that caught it: that of a generator, which holds this failure.
        self.error = error.with_traceback(before and before.tb_next)


def attempts(stream: Iterator) -> Iterator:
    """Yield the elements of a stream, and a `Failure` where it raises an error."""
    while True:
        try:
            yield from stream
            return
        except Exception as error:  # any of the program, raised by `resumed`
            failure = Failure(error)
        yield failure


def resumed(generator: Iterator) -> Iterator:
    """Return what a generator yields; raise its failures without an end to it."""
    return map(raised, generator)


def raised(item):
    """Return an item; raise the error if it is a failure."""
    if type(item) is Failure:
        try:
            raise item.error
        finally:
            del item  # the error's traceback has this frame: no cycle
    return item


def chained(streams: Iterator):
    """Yield the elements of streams one after the other, and all errors."""
    for stream in attempts(streams):
        if type(stream) is Failure:
            yield stream
        else:
            yield from attempts(stream)


def drop_first(stream: Iterator, count: int) -> Iterator:
    """Return the stream without its first `count` elements."""
    return resumed(without_first(stream, count)) if count else stream


def without_first(stream: Iterator, count: int):
    """Yield what is in a stream after its first `count` elements, and all failures."""
    for item in attempts(stream):
        if count and type(item) is not Failure:
            count -= 1
        else:
            yield item
