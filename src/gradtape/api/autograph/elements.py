"""Elements of datasets in a graph: a `for` statement over a dataset, and `next` of an iterator.

Python reads the elements when the graph runs. The elements of one loop of the graph have the same
shapes: where they change (in the last, smaller batch), another loop goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from gradtape import ops
from gradtape.core import nest
from gradtape.core.errors import OutOfRangeError
from gradtape.core.shape import has_all_sizes
from gradtape.core.state import get_state, lifted
from gradtape.core.tensor import Spec, Tensor
from gradtape.graph.control.callback import call_in_graph
from gradtape.graph.obstacles import TAKES_ELEMENTS, Obstacle
from gradtape.ops.host import OBJECT, boxed, unboxed

_BOOL = Spec((), np.dtype(bool))


def is_dataset(x: Any) -> bool:
    """Return whether it is a dataset, or an iterator over one."""
    return type(x).__module__.startswith("gradtape.data") and hasattr(x, "element_spec")


class Pass:
    """One pass over a dataset; it can look at the next element before it is taken."""

    def __init__(self, iterator: Iterator) -> None:
        self._iterator = iterator
        self._next: list = []  # the next element's tensors, if it was looked at

    def peek(self) -> list[Tensor] | None:
        """Return the tensors of the next element, None at the end."""
        if not self._next:
            element = next(self._iterator, None)
            if element is None:
                return None
            self._next.append([ops.to_tensor(x) for x in nest.flatten(element)])
        return self._next[0]

    def take(self) -> list[Tensor]:
        """Return the tensors of the next element."""
        tensors = self.peek()
        if tensors is None:
            raise OutOfRangeError("End of sequence")
        self._next.clear()
        return tensors


class Elements:
    """The elements of a dataset in the function being traced."""

    def __init__(self, dataset: Any) -> None:
        trace: Any = get_state().trace
        with lifted():  # it may take an element to know
            self._spec = dataset.element_spec
        leaves = nest.flatten(self._spec)
        if any(type(spec).__name__ != "TensorSpec" for spec in leaves):
            trace.fail("a loop goes over a dataset of tensors that are not dense", Obstacle.OTHER)
        kept = Pass(dataset) if hasattr(dataset, "__next__") else None
        inputs = dataset._unbound() if kept is None else []

        def start(*values: Tensor) -> list[Tensor]:
            passed = Pass(iter(dataset._bound(inputs, values))) if kept is None else kept
            return [Tensor(boxed(passed))]

        (self._pass,) = call_in_graph(trace, "a dataset", start, inputs, [OBJECT])
        self._known = None
        if all(has_all_sizes(spec.shape) for spec in leaves):
            self._known = [Spec(tuple(spec.shape), spec.dtype.dtype) for spec in leaves]

    @property
    def has_one_shape(self) -> bool:
        """Whether all elements have the shapes that the dataset's spec says."""
        return self._known is not None

    def next_specs(self) -> Any:
        """Return the specs of the next element's tensors, None at the end; ask for them if need be.

        What follows is traced for them.
        """
        if self._known is not None:
            return self._known
        trace: Any = get_state().trace

        def look(x: Tensor) -> list[Tensor]:
            tensors = unboxed(x._data).peek()
            return [Tensor(boxed(None if tensors is None else [y._spec() for y in tensors]))]

        (specs,) = call_in_graph(trace, "a dataset", look, [self._pass], [OBJECT])
        return trace.ask(specs, unboxed)

    def has_next(self, specs: list[Spec]) -> Tensor:
        """Return whether there is another element with these specs."""
        trace: Any = get_state().trace

        def look(x: Tensor) -> list[Tensor]:
            tensors = unboxed(x._data).peek()
            same = tensors is not None and [y._spec() for y in tensors] == specs
            return [Tensor(np.bool_(same))]

        return call_in_graph(trace, "a dataset", look, [self._pass], [_BOOL])[0]

    def take(self, specs: list[Spec]) -> Any:
        """Return the next element, which has these specs."""
        trace: Any = get_state().trace

        def take(x: Tensor) -> list[Tensor]:
            return unboxed(x._data).take()

        tensors = call_in_graph(trace, "a dataset", take, [self._pass], specs)
        return nest.pack_sequence_as(self._spec, tensors)


class GraphIterator:
    """An iterator over a dataset that each call of the graph makes anew."""

    def __init__(self, dataset: Any) -> None:
        self.elements = Elements(dataset)

    def get_next(self) -> Any:
        """Return the next element."""
        specs = self.elements.next_specs()
        if specs is None:
            raise OutOfRangeError("End of sequence")
        return self.elements.take(specs)

    __next__ = get_next

    def __iter__(self) -> GraphIterator:
        # Code that is not converted would go on forever: a graph's iterator has no last element.
        trace: Any = get_state().trace
        trace.fail(TAKES_ELEMENTS, Obstacle.OTHER)
        return self


def iter_(original: Callable, iterable, *sentinel):
    """Return `iter`; of a dataset, an iterator of the graph."""
    if sentinel or get_state().trace is None or not _is_whole_dataset(iterable):
        return original(iterable, *sentinel)
    return GraphIterator(iterable)


def _is_whole_dataset(x: Any) -> bool:
    return is_dataset(x) and not hasattr(x, "__next__")


def next_(original: Callable, iterator, *default):
    """Return `next`; of an iterator over a dataset, what each call of the graph takes from it."""
    if default or get_state().trace is None or not is_dataset(iterator):
        return original(iterator, *default)
    return GraphIterator(iterator).get_next()
