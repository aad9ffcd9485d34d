"""Nodes that call a program's functions: map, filter, flat_map, interleave, scan and others."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from gradtape import ops
from gradtape.api.specs import spec_of
from gradtape.core import dtypes
from gradtape.core.brief import brief
from gradtape.core.errors import InvalidArgumentError
from gradtape.data import structure
from gradtape.data.inference import first_spec, result_spec
from gradtape.data.nodes import (
    END,
    INFINITE,
    UNKNOWN,
    Failure,
    PipelineNode,
    UnaryNode,
    attempts,
    chained,
    drop_first,
    resumed,
)
from gradtape.data.seeding import SeededFunction
from gradtape.data.threads import AUTOTUNE, parallel_map, read_ahead


class Map(UnaryNode):
    """A function of each element."""

    name = "_MapDataset"

    def __init__(self, source: PipelineNode, function: Callable, calls: int | None) -> None:
        super().__init__(source)
        if calls is not None and calls != AUTOTUNE and calls < 1:
            raise InvalidArgumentError(
                f"num_parallel_calls must be greater than zero, got {calls}."
            )
        if calls is not None:
            self.name = "_ParallelMapDataset"
        self.function = SeededFunction(structure.wrap_function(function))
        self.calls = calls
        self._spec = None

    def stream(self, skip=0, rows=False):
        source, function = self.source.stream(skip), self.function.in_this_pass()
        if self.calls is None:
            return map(function, source)
        return parallel_map(function, source, self.calls)

    def spec(self):
        if self._spec is None:
            self._spec = result_spec(self, self.source, self.function)
        return self._spec


def _truth(value, what: str) -> bool:
    tensor = ops.to_tensor(value)
    if tensor.dtype is not dtypes.bool_ or tensor.ndim:
        raise ValueError(
            f"Invalid `{what}`. `{what}` must return a `tf.bool` scalar tensor, but its return "
            f"value is {brief(tensor)}."
        )
    return bool(tensor)


class Filter(UnaryNode):
    """The elements for which a predicate holds."""

    name = "_FilterDataset"

    def __init__(self, source: PipelineNode, predicate: Callable) -> None:
        super().__init__(source)
        self.admits = SeededFunction(
            lambda element: _truth(structure.call(predicate, element), "predicate")
        )

    def stream(self, skip=0, rows=False):
        return drop_first(filter(self.admits.in_this_pass(), self.source.stream()), skip)

    def cardinality(self):
        return UNKNOWN


class TakeWhile(Filter):
    """The elements before the first for which a predicate does not hold."""

    name = "_TakeWhileDataset"

    def stream(self, skip=0, rows=False):
        return drop_first(
            itertools.takewhile(self.admits.in_this_pass(), self.source.stream()), skip
        )


def _node_of(dataset, what: str) -> PipelineNode:
    node = getattr(dataset, "_node", None)
    if not isinstance(node, PipelineNode):
        raise TypeError(
            f"The `{what}` argument must return a `Dataset` object. Got {type(dataset)!r}."
        )
    return node


class FlatMap(UnaryNode):
    """The elements of the datasets that a function returns, one dataset after the other."""

    name = "_FlatMapDataset"

    def __init__(self, source: PipelineNode, function: Callable) -> None:
        super().__init__(source)
        self.function = function
        self._spec = None

    def open_dataset(self, element) -> Iterator:
        return _node_of(structure.call(self.function, element), "map_func").stream()

    def stream(self, skip=0, rows=False):
        streams = map(self.open_dataset, self.source.stream())
        return drop_first(resumed(chained(streams)), skip)

    def cardinality(self):
        return UNKNOWN

    def spec(self):
        if self._spec is None:
            result = result_spec(self, self.source, self._describe)
            self._spec = getattr(result, "element_spec", result)
        return self._spec

    def _describe(self, element):
        """Return the dataset itself as a component, of which the spec is asked."""
        result = structure.call(self.function, element)
        _node_of(result, "map_func")
        return result


class Interleave(FlatMap):
    """As FlatMap, with several datasets open and blocks of elements taken from each in turn."""

    name = "_InterleaveDataset"

    def __init__(self, source, function, cycle: int | None, block: int, parallel: bool) -> None:
        super().__init__(source, function)
        if cycle is None or cycle == AUTOTUNE:
            cycle = os.cpu_count() or 1
        if cycle < 1:
            raise InvalidArgumentError(f"`cycle_length` must be > 0, got {cycle}.")
        if block < 1:
            raise InvalidArgumentError(f"`block_length` must be > 0, got {block}.")
        if parallel:
            self.name = "_ParallelInterleaveDataset"
        self.cycle, self.block, self.parallel = cycle, block, parallel

    def open_dataset(self, element):
        stream = super().open_dataset(element)
        return attempts(read_ahead(stream, self.block) if self.parallel else stream)

    def stream(self, skip=0, rows=False):
        streams = attempts(map(self.open_dataset, self.source.stream()))
        return drop_first(resumed(self._interleave(streams)), skip)

    def _interleave(self, streams):
        """Yield blocks in turn. An error counts as an element if calls are parallel, else it does
        not; one of opening a dataset is then that dataset's only element."""
        open_streams: list[Iterator | None] = []
        exhausted = False
        while True:
            idle = True
            for slot in range(self.cycle):
                if slot == len(open_streams):
                    if exhausted:
                        break
                    open_streams.append(None)
                while open_streams[slot] is None and not exhausted:
                    opened: Any = next(streams, END)
                    if opened is END:
                        exhausted = True
                    elif type(opened) is not Failure:
                        open_streams[slot] = opened
                    elif self.parallel:
                        open_streams[slot] = iter((opened,))
                    else:
                        yield opened
                stream = open_streams[slot]
                if stream is None:
                    continue
                idle = False
                given = 0
                while given < self.block:
                    item = next(stream, END)
                    if item is END:
                        open_streams[slot] = None
                        break
                    given += self.parallel or type(item) is not Failure
                    yield item
            if idle and exhausted:
                return


class Scan(UnaryNode):
    """A function of a state and each element, which returns a new state and an element."""

    name = "_ScanDataset"

    def __init__(self, source: PipelineNode, state, function: Callable) -> None:
        super().__init__(source)
        self.state = structure.normalize(state)
        self.function = SeededFunction(function)
        self._spec = None

    def _step(self, state, element, function):
        result = structure.call_inside(function, state, element)
        if not (isinstance(result, (tuple, list)) and len(result) == 2):
            raise TypeError(
                "Invalid `scan_func`. `scan_func` should return a pair consisting of new state "
                f"and the output value but its return type is {type(result)}."
            )
        return checked_state(result[0], state, "scan_func"), structure.normalize(result[1])

    def stream(self, skip=0, rows=False):
        state = self.state
        function = self.function.in_this_pass()

        def next_output(element):
            nonlocal state
            state, output = self._step(state, element, function)
            return output

        return drop_first(map(next_output, self.source.stream()), skip)

    def spec(self):
        if self._spec is None:
            self._spec = result_spec(
                self, self.source, lambda x: self._step(self.state, x, self.function)[1]
            )
        return self._spec


def checked_state(new, old, what: str):
    """Return a new state, which must have the form and the dtypes of the one before."""
    new = structure.normalize(new)
    check_state(new, old, what)
    return new


def check_state(new, old, what: str) -> None:
    """Raise if a new state has not the form and the dtypes of the one before."""
    try:
        parts = structure.flatten_up_to(old, new)
    except TypeError as error:
        raise TypeError(
            f"The element types for the new state must match the initial state. `{what}` "
            f"returned {new!r} for {old!r}."
        ) from error
    for one, other in zip(structure.flatten(old), parts, strict=True):
        if getattr(one, "dtype", None) is not getattr(other, "dtype", None):
            raise TypeError(
                "The element types for the new state must match the initial state. Expected "
                f"{getattr(one, 'dtype', one)!r}, `{what}` returned "
                f"{getattr(other, 'dtype', other)!r}."
            )


class GroupByWindow(UnaryNode):
    """Gathers elements by a key; a function makes a dataset of each full window."""

    name = "_GroupByWindowDataset"

    def __init__(self, source, key: Callable, reduce: Callable, size: Callable) -> None:
        super().__init__(source)
        self.key, self.reduce, self.size = key, reduce, size
        self._spec = None

    def stream(self, skip=0, rows=False):
        sizes: dict[int, int] = {}
        keyed = map(partial(self._with_key, sizes), self.source.stream())
        return drop_first(resumed(self._group(attempts(keyed), sizes)), skip)

    def _with_key(self, sizes: dict[int, int], element) -> tuple[int, Any]:
        key = int(ops.to_tensor(structure.call(self.key, element)))
        if key not in sizes:  # once in a pass, as in TensorFlow
            size = int(ops.to_tensor(structure.call(self.size, ops.to_tensor(np.int64(key)))))
            if size <= 0:
                raise InvalidArgumentError(
                    f"Window size must be greater than zero, but got {size}."
                )
            sizes[key] = size
        return key, element

    def _group(self, source, sizes: dict[int, int]):
        groups: dict[int, list] = {}
        for item in source:
            if type(item) is Failure:
                yield item
                continue
            key, element = item
            groups.setdefault(key, []).append(element)
            if len(groups[key]) == sizes[key]:
                yield from chained(map(self._reduce, (key,), (groups.pop(key),)))
        for key in sorted(groups):
            yield from chained(map(self._reduce, (key,), (groups.pop(key),)))

    def _reduce(self, key: int, window: list):
        from gradtape.data.dataset import Dataset
        from gradtape.data.sources import Elements

        key_tensor, dataset = ops.to_tensor(np.int64(key)), Dataset(Elements(window))
        made = structure.call_inside(self.reduce, key_tensor, dataset)
        return _node_of(made, "reduce_func").stream()

    def cardinality(self):
        return INFINITE if self.source.cardinality() == INFINITE else UNKNOWN

    def spec(self):
        if self._spec is None:
            self._spec = first_spec(self, known=False)
        return self._spec


class GroupByReducer(UnaryNode):
    """Folds the elements of each key into one."""

    name = "_GroupByReducerDataset"

    def __init__(self, source, key: Callable, reducer) -> None:
        super().__init__(source)
        self.key, self.reducer = key, reducer

    def stream(self, skip=0, rows=False):
        return drop_first(resumed(self._reduce(self.source.stream())), skip)

    def _reduce(self, source):
        states: dict[int, object] = {}
        for item in attempts(map(partial(self._fold, states), source)):
            if type(item) is Failure:
                yield item
        finish = structure.wrap_function(self.reducer.finalize_func)
        yield from attempts(map(finish, [states[number] for number in sorted(states)]))

    def _fold(self, states: dict[int, object], element) -> None:
        key = ops.to_tensor(structure.call(self.key, element))
        number = int(key)
        if number not in states:
            states[number] = structure.normalize(structure.call(self.reducer.init_func, key))
        state = structure.call_inside(self.reducer.reduce_func, states[number], element)
        states[number] = structure.normalize(state)

    def cardinality(self):
        return UNKNOWN

    def spec(self):
        return structure.map_structure(spec_of, next(self.stream()))


class Unique(UnaryNode):
    """Each value once, where it comes first."""

    name = "_UniqueDataset"

    def stream(self, skip=0, rows=False):
        seen = set()

        def is_new(element) -> bool:
            data = np.asarray(element._data)
            key = data[()] if data.dtype == object and not data.ndim else data.tobytes()
            if key in seen:
                return False
            seen.add(key)
            return True

        return drop_first(filter(is_new, self.source.stream()), skip)

    def cardinality(self):
        length = self.source.cardinality()
        return UNKNOWN if length else 0


# Of the program's text rather than its data: TensorFlow raises them when it makes the graph.
_MISTAKES = (NameError, AttributeError)


class IgnoreErrors(UnaryNode):
    """Leaves out the elements whose computation fails."""

    name = "_IgnoreErrorsDataset"

    def __init__(self, source: PipelineNode, log: bool) -> None:
        super().__init__(source)
        self.log = log

    def stream(self, skip=0, rows=False):
        return drop_first(resumed(self._working(attempts(self.source.stream()))), skip)

    def _working(self, source):
        for item in source:
            if type(item) is not Failure or isinstance(item.error, _MISTAKES):
                yield item
            elif self.log:
                import logging

                logging.getLogger("gradtape").warning("Error ignored: %s", item.error)

    def cardinality(self):
        length = self.source.cardinality()
        return length if length in (0, INFINITE) else UNKNOWN
