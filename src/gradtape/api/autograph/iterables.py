"""What a `for` statement of a graph goes over: the rows of tensors, or a range of numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gradtape import ops
from gradtape.core.state import get_state
from gradtape.core.tensor import Tensor, TensorBase
from gradtape.engine.variable import Variable


class Rows:
    """The rows of tensors of equal length; `pack` makes an element of the loop of a row of each."""

    def __init__(self, leaves: list, pack: Callable[[list], Any] = lambda row: row[0]) -> None:
        self.leaves = leaves
        self.pack = pack
        self.count = min(x.shape[0] for x in leaves)
        self.leaves = [x if x.shape[0] == self.count else x[: self.count] for x in leaves]

    def has(self, index) -> Tensor:
        """Return whether there is a row with an index."""
        return ops.less(index, self.count)

    def row(self, index):
        """Return the element with an index."""
        return self.pack([ops.gather(x, index) for x in self.leaves])

    def rest(self) -> Rows:
        """Return all rows but the first."""
        return Rows([x[1:] for x in self.leaves], self.pack)

    def __iter__(self):
        return (self.pack(list(row)) for row in zip(*self.leaves, strict=True))


class Range:
    """`tf.range` with ends that are known only at run time: it has no shape, and is only for loops.

    The iterations are counted, not the numbers: the limit of a range may be negative or a float.
    """

    def __init__(self, start, limit=None, delta=1) -> None:
        if limit is None:
            start, limit = 0, start
        tensors = [ops.to_tensor(x) for x in (start, limit, delta) if isinstance(x, TensorBase)]
        dtype = max((x.dtype for x in tensors), key=lambda d: (d.is_floating, d.size))
        self._start, self._limit, self._delta = (
            ops.cast(ops.to_tensor(x), dtype) for x in (start, limit, delta)
        )
        self._dtype = dtype

    def _number(self, index) -> Tensor:
        return self._start + ops.cast(index, self._dtype) * self._delta

    def has(self, index) -> Tensor:
        """Return whether the range has a number with an index."""
        number = self._number(index)
        rises = ops.less(number, self._limit)
        return ops.where(ops.greater(self._delta, 0), rises, ops.greater(number, self._limit))

    def row(self, index) -> Tensor:
        """Return the number with an index."""
        return self._number(index)

    def rest(self) -> Range:
        """Return all numbers but the first."""
        return Range(self._start + self._delta, self._limit, self._delta)

    def known(self) -> Rows:
        """Return the numbers as rows: what follows is traced for the ends that they have now."""
        trace: Any = get_state().trace
        ends = ops.stack([self._start, self._limit, self._delta])
        bounds = trace.ask(ends, lambda array: np.asarray(array).tolist())
        return Rows([ops.to_tensor(np.arange(*bounds, dtype=self._dtype.as_numpy_dtype))])

    def _fail(self, *args, **kwargs) -> Any:
        trace: Any = get_state().trace
        trace.fail("the length of a range is the value of a tensor")

    __iter__ = __len__ = __getitem__ = __array__ = _fail  # the function runs eagerly


def as_rows(iterable: Any) -> Rows | Range | None:
    """Return what a loop of the graph goes over, or None where Python's loop is meant."""
    if isinstance(iterable, (Rows, Range)):
        return iterable
    if isinstance(iterable, Variable):
        iterable = iterable.read_value()
    if isinstance(iterable, TensorBase) and iterable.ndim:
        return Rows([iterable])
    return None
