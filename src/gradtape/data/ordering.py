"""Nodes that select and reorder elements: shuffle, repeat, take, skip, shard, concatenate, zip."""

from __future__ import annotations

import itertools
import sys
from functools import partial

from gradtape.api.specs import TypeSpec
from gradtape.core.errors import InvalidArgumentError
from gradtape.data import structure
from gradtape.data.nodes import (
    END,
    INFINITE,
    UNKNOWN,
    Failure,
    PipelineNode,
    Reordering,
    Table,
    UnaryNode,
    attempts,
    drop_first,
    resumed,
    side_by_side,
    without_first,
)
from gradtape.data.seeding import SeedStream, random_words


class Shuffle(Reordering):
    """Random order, with a buffer of elements to choose from."""

    name = "_ShuffleDataset"

    def __init__(self, source: PipelineNode, size: int, seed, fresh: bool) -> None:
        super().__init__(source)
        if size == UNKNOWN:
            size = sys.maxsize
        if size <= 0:
            raise InvalidArgumentError(
                f"buffer_size must be greater than zero or UNKNOWN_CARDINALITY, got {size}."
            )
        self.size = size
        self.seeds = SeedStream(seed, fresh)

    def order(self, skip, rows):
        words = random_words(*self.seeds.next_pair())
        if 0 <= self.cardinality() <= skip:
            # Nothing is left of this pass. The input's own pass counts, as in every other case.
            self.source.stream(skip, rows)
            return iter(())
        source = self.source.stream(0, rows)
        if rows:
            return drop_first(_shuffle(source, self.size, words), skip)
        return drop_first(resumed(_shuffle(attempts(source), self.size, words)), skip)


def _shuffle(source, size: int, words):
    """Shuffle in a ring buffer: positions count up, and are taken modulo `size`."""
    ring: list = []
    start = end = 0
    exhausted = False
    while True:
        while not exhausted and end - start < size:
            item = next(source, END)
            if item is END:
                exhausted = True
            elif type(item) is Failure:
                yield item
            elif end < size:
                ring.append(item)
                end += 1
            else:
                ring[end % size] = item
                end += 1
        if start == end:
            return
        slot = (start + next(words) % (end - start)) % size
        item = ring[slot]
        ring[slot] = ring[start % size]
        ring[start % size] = None
        start += 1
        yield item


class Repeat(Reordering):
    """All elements several times, or (count -1) without end."""

    name = "_RepeatDataset"

    def __init__(self, source: PipelineNode, count: int) -> None:
        super().__init__(source)
        self.count = count

    def order(self, skip, rows):
        passes = self._passes(skip, rows)
        return passes if rows else resumed(passes)

    def _one_pass(self, skip: int, rows: bool):
        stream = self.source.stream(skip, rows)
        return stream if rows else attempts(stream)

    def _passes(self, skip: int, rows: bool):
        length = self.source.cardinality()
        if self.count and length not in (0, INFINITE) and self.source.seed_streams():
            if length == UNKNOWN:
                yield from without_first(self._overlapping_passes(0, rows, sys.maxsize), skip)
            else:
                yield from self._overlapping_passes(skip, rows, length)
            return
        for _ in itertools.count() if self.count < 0 else range(self.count):
            if length != UNKNOWN:
                passed = skip if length == INFINITE else min(skip, length)
                skip -= passed
                yield from self._one_pass(passed, rows)
                if not length:
                    return
                continue
            empty = True
            for item in self._one_pass(0, rows):
                empty = False
                if skip and type(item) is not Failure:
                    skip -= 1
                else:
                    yield item
            if empty and self.count < 0:
                return

    def _overlapping_passes(self, skip: int, rows: bool, length: int):
        """Yield passes over shuffled elements; the next begins before the last element is out.

        TensorFlow computes an element ahead of what is asked for, and with it draws the seeds of
        the next pass: an iterator that begins after a whole number of passes gets those after.
        """
        passed = min(skip, length)
        stream = self._one_pass(passed, rows)
        for slot in itertools.count(1):
            item = next(stream, END)
            if item is END and not passed:
                return
            while item is not END and (following := next(stream, END)) is not END:
                yield item
                item = following
            skip -= passed
            goes_on = slot != self.count
            if goes_on:
                passed = min(skip, length)
                stream = self._one_pass(passed, rows)
            elif slot > 1 and not isinstance(self.source, Shuffle):
                # TensorFlow begins one more pass before it sees that they are done. (It does not
                # where it makes one step of shuffle and repeat; and leaves out a single pass.)
                self.source.stream(0, rows)
            if item is not END:
                yield item
            if not goes_on:
                return

    def cardinality(self):
        length = self.source.cardinality()
        if self.count == 0 or length == 0:
            return 0
        if self.count < 0 or length == INFINITE:
            return INFINITE
        return UNKNOWN if length == UNKNOWN else length * self.count


class Take(Reordering):
    """The first elements; all for a count of -1."""

    name = "_TakeDataset"

    def __init__(self, source: PipelineNode, count: int) -> None:
        super().__init__(source)
        self.count = count

    def order(self, skip, rows):
        if self.count < 0:
            return self.source.stream(skip, rows)
        skip = min(skip, self.count)
        stream, count = self.source.stream(skip, rows), self.count - skip
        return itertools.islice(stream, count) if rows else resumed(_first(stream, count))

    def cardinality(self):
        length = self.source.cardinality()
        if self.count < 0:
            return length
        if length == INFINITE:
            return self.count
        return UNKNOWN if length == UNKNOWN else min(length, self.count)


def _first(stream, count: int):
    """Yield `count` elements, with the errors before and between them."""
    if not count:
        return
    for item in attempts(stream):
        yield item
        if type(item) is not Failure:
            count -= 1
            if not count:
                return


class Skip(Reordering):
    """All but the first elements; none for a count of -1."""

    name = "_SkipDataset"

    def __init__(self, source: PipelineNode, count: int) -> None:
        super().__init__(source)
        self.count = count

    def order(self, skip, rows):
        if self.count < 0:
            return iter(())
        return self.source.stream(skip + self.count, rows)

    def cardinality(self):
        length = self.source.cardinality()
        if self.count < 0:
            return 0
        return length if length < 0 else max(0, length - self.count)


class Shard(Reordering):
    """Every n-th element."""

    name = "_ShardDataset"

    def __init__(self, source: PipelineNode, count: int, index: int) -> None:
        super().__init__(source)
        if count < 1:
            raise InvalidArgumentError(
                f"Number of shards must be greater than zero (currently num_shards = {count})."
            )
        if not 0 <= index < count:
            raise InvalidArgumentError(
                f"Index must be between 0 and {count - 1} (currently index = {index})."
            )
        self.count, self.index = count, index

    def order(self, skip, rows):
        # Those before the first are read, too: an error among them is none of the elements.
        stream = self.source.stream(skip * self.count, rows)
        return stream if self.count == 1 else resumed(_every(stream, self.count, self.index))

    def cardinality(self):
        length = self.source.cardinality()
        return length if length < 0 else len(range(self.index, length, self.count))


def _every(stream, count: int, first: int):
    """Yield each `count`-th element, from the number `first` on, and all errors."""
    passed = -1 - first
    for item in attempts(stream):
        if type(item) is Failure:
            yield item
            continue
        passed += 1
        if not passed % count:
            yield item


class Concatenate(PipelineNode):
    """The elements of one dataset, then those of another."""

    name = "_ConcatenateDataset"

    def __init__(self, first: PipelineNode, second: PipelineNode) -> None:
        self.inputs = (first, second)

    def stream(self, skip=0, rows=False):
        first, second = self.inputs
        length = first.cardinality()
        if length >= 0:
            return _chain(first.stream(min(skip, length)), second, max(0, skip - length))
        return drop_first(_chain(first.stream(), second, 0), skip)

    def cardinality(self):
        lengths = [node.cardinality() for node in self.inputs]
        if INFINITE in lengths:
            return INFINITE
        return UNKNOWN if UNKNOWN in lengths else sum(lengths)

    def spec(self):
        return structure.map_structure(_common, *(node.spec() for node in self.inputs))


def _chain(first, second: PipelineNode, skip: int):
    """Chain two passes; the second begins when the first is over."""

    def both():
        yield from attempts(first)
        yield from attempts(second.stream(skip))

    return resumed(both())


def _common(one: TypeSpec, other: TypeSpec):
    spec = one.most_specific_common_supertype([other])
    if spec is None:
        raise TypeError(
            f"Incompatible dataset elements: {one} and {other} have different types or dtypes."
        )
    return spec


class Zip(PipelineNode):
    """Elements of several datasets side by side, as long as all have some."""

    name = "_ZipDataset"

    def __init__(self, form, inputs: list[PipelineNode]) -> None:
        self.form = form
        self.inputs = tuple(inputs)
        self.table = self._concat_tables()

    def _concat_tables(self) -> Table | None:
        """Return one table of several sources that are arrays in their own order."""
        from gradtape.data.sources import Slices

        if not all(isinstance(node, Slices) for node in self.inputs):
            return None
        tables = [node.table for node in self.inputs if node.table is not None]
        length = min(table.length for table in tables)
        arrays = [array[:length] for table in tables for array in table.arrays]
        return Table(structure.pack(self.form, [table.form for table in tables]), arrays)

    def stream(self, skip=0, rows=False):
        if rows and self.table is not None:
            return iter(range(skip, self.table.length))
        streams = [attempts(node.stream(skip)) for node in self.inputs]
        flat = map(_all_right, side_by_side(streams))
        if type(self.form) is tuple and not any(map(structure.is_nested, self.form)):
            return flat
        return map(partial(structure.pack, self.form), flat)

    def cardinality(self):
        lengths = [node.cardinality() for node in self.inputs]
        if UNKNOWN in lengths:
            return UNKNOWN
        known = [length for length in lengths if length != INFINITE]
        return min(known) if known else INFINITE

    def spec(self):
        return structure.pack(self.form, [node.spec() for node in self.inputs])


def _all_right(parts: tuple) -> tuple:
    """Return elements side by side; raise the first error among them, when all have advanced."""
    for part in parts:
        if type(part) is Failure:
            raise part.error
    return parts


class Choose(PipelineNode):
    """Elements of several datasets, in the order that a dataset of numbers says."""

    name = "_DirectedInterleaveDataset"

    def __init__(
        self, choices: PipelineNode, inputs: list[PipelineNode], stop_on_empty: bool
    ) -> None:
        self.choices = choices
        self.datasets = inputs
        self.inputs = (choices, *inputs)
        self.stop_on_empty = stop_on_empty

    def stream(self, skip=0, rows=False):
        streams = [attempts(node.stream()) for node in self.datasets]
        return drop_first(resumed(self._choose(attempts(self.choices.stream()), streams)), skip)

    def _choose(self, choices, streams):
        live = len(streams)
        for choice in choices:
            if type(choice) is Failure:
                yield choice
                continue
            index = int(choice)
            if not 0 <= index < len(streams):
                yield Failure(
                    InvalidArgumentError(f"Selector index out of range: {index} >= {len(streams)}")
                )
                continue
            if streams[index] is None:
                continue
            item = next(streams[index], END)
            if item is END:
                if self.stop_on_empty:
                    return
                streams[index] = None
                live -= 1
                if not live:
                    return
                continue
            yield item

    def cardinality(self):
        lengths = [node.cardinality() for node in self.inputs]
        return INFINITE if all(length == INFINITE for length in lengths) else UNKNOWN

    def spec(self):
        specs = [node.spec() for node in self.datasets]
        result = specs[0]
        for other in specs[1:]:
            result = structure.map_structure(_common, result, other)
        return result


class KnownCardinality(UnaryNode):
    """Promises a length, and holds the input to it."""

    name = "_AssertCardinalityDataset"

    def __init__(self, source: PipelineNode, count: int) -> None:
        super().__init__(source)
        self.count = count

    def stream(self, skip=0, rows=False):
        return resumed(self._count_elements(attempts(self.source.stream(skip)), skip))

    def _count_elements(self, stream, count):
        from gradtape.core.errors import FailedPreconditionError

        for item in stream:
            if type(item) is Failure:
                yield item
                continue
            count += 1
            if 0 <= self.count < count:
                raise FailedPreconditionError(
                    f"Input dataset was expected to contain {self.count} elements but contained "
                    f"at least {count} elements."
                )
            yield item
        if self.count in (INFINITE,) or count < self.count:
            wanted = "an infinite number of" if self.count == INFINITE else self.count
            raise FailedPreconditionError(
                f"Input dataset was expected to contain {wanted} elements but contained only "
                f"{count} elements."
            )

    def cardinality(self):
        return self.count
