"""A `TensorArray` in a loop or branch of a graph: its elements are the rows of one tensor."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np

from gradtape import ops
from gradtape.api.array.tensor_array import TensorArray, static_index
from gradtape.core.dtypes import int32
from gradtape.core.shape import has_all_sizes
from gradtape.core.size import surely_equal
from gradtape.core.state import get_state
from gradtape.core.tensor import Spec, Tensor
from gradtape.graph.tracing import Trace


def _fail(what: str) -> NoReturn:
    """End the trace: the function runs eagerly."""
    trace: Trace = get_state().trace
    trace.fail(what)


class StagedArray(TensorArray):
    """A `TensorArray` whose elements are the first rows of a tensor, so many as its size says.

    `write` returns another array, and leaves this one as it is.
    """

    def __init__(self, like: TensorArray, rows: Tensor, size: Tensor) -> None:
        self.__dict__.update(like.__dict__)
        self._set_size(rows.shape[0])
        self._rows = rows
        self.count = size

    def _changed(self, rows: Tensor, last: Tensor) -> StagedArray:
        """Return the array with other rows, of which `last` was written."""
        size = ops.maximum(self.count, last + 1) if self._dynamic_size else self.count
        return StagedArray(self, rows, size)

    def rows(self) -> Tensor:
        assert self._rows is not None
        return self._rows

    def with_rows(self, rows: Tensor) -> StagedArray:
        return StagedArray(self, rows, self.count)

    def size(self, name=None) -> Tensor:
        return self.count

    def __len__(self) -> int:
        return static_index(self.count)

    # --- writing ---------------------------------------------------------------------------------

    def write(self, index, value, name=None) -> StagedArray:
        value = self._element(value)
        index = ops.reshape(ops.cast(ops.to_tensor(index), "int32"), ())
        rows, row = self._with_room(index), ops.reshape(index, (1,))
        return self._changed(ops.set_rows(rows, row, ops.expand_dims(value, 0)), index)

    def _with_room(self, index: Tensor) -> Tensor:
        """Return the rows with room for one more; a loop has made it before."""
        trace = get_state().trace
        room = self.rows().shape[0]
        if not self._dynamic_size or (trace is not None and trace.outer is not None):
            return self.rows()
        return staged(self, None, int(index) + 1 if index._has_value else room + 1).rows()

    def unstack(self, value, name=None) -> StagedArray:
        value = ops.to_tensor(value, None if ops.is_tensor_like(value) else self._dtype)
        return StagedArray(self, value, ops.to_tensor(value.shape[0], int32))

    def scatter(self, indices, value, name=None) -> StagedArray:
        indices = ops.cast(ops.to_tensor(indices), "int32")
        value = ops.to_tensor(value, None if ops.is_tensor_like(value) else self._dtype)
        return self._changed(ops.set_rows(self.rows(), indices, value), ops.reduce_max(indices))

    def split(self, value, lengths, name=None) -> NoReturn:
        _fail("TensorArray.split in a loop or branch")

    # --- reading ---------------------------------------------------------------------------------

    def read(self, index, name=None) -> Tensor:
        return ops.gather(self.rows(), ops.to_tensor(index))

    def stack(self, name=None) -> Tensor:
        count = static_index(self.count)
        rows = self.rows()
        return rows if surely_equal((count,), rows.shape[:1]) else rows[:count]

    def gather(self, indices, name=None) -> Tensor:
        return ops.gather(self.rows(), ops.to_tensor(indices))

    def concat(self, name=None) -> Tensor:
        every = self.stack()
        return ops.reshape(every, (every.shape[0] * every.shape[1], *every.shape[2:]))

    def close(self, name=None) -> None:
        """Do nothing: the rows are freed when nothing refers to them."""


class ProbedArray(TensorArray):
    """Stands for an array while a loop's body is traced to see what it writes."""

    def __init__(self, like: TensorArray) -> None:
        self.__dict__.update(like.__dict__)
        self.writes = 0

    def write(self, index, value, name=None) -> ProbedArray:
        self._element(value)
        self.writes += 1
        return self

    def scatter(self, indices, value, name=None) -> ProbedArray:
        value = ops.to_tensor(value, None if ops.is_tensor_like(value) else self._dtype)
        self._element(value[0])
        self.writes += value.shape[0]
        return self

    def unstack(self, value, name=None) -> ProbedArray:
        return self.scatter(None, value)

    def _input(self, *shape: int) -> Tensor:
        trace: Any = get_state().trace
        return trace.input(Spec(shape, self._dtype.dtype))

    def size(self, name=None) -> Tensor:
        trace: Any = get_state().trace
        return trace.input(Spec((), np.dtype(np.int32)))

    def read(self, index, name=None) -> Tensor:
        if not has_all_sizes(self._element_shape):
            _fail("a TensorArray is read in a loop before the shape of its elements is known")
        return self._input(*self._element_shape)

    def stack(self, name=None) -> NoReturn:
        _fail("a TensorArray is stacked in the loop that writes to it")

    def concat(self, name=None) -> NoReturn:
        self.stack()

    def gather(self, indices, name=None) -> NoReturn:
        self.stack()


def staged(array: TensorArray, probed: ProbedArray | None, capacity: int) -> StagedArray:
    """Return an array as rows of a tensor with room for so many elements.

    `probed` knows the shape of what will be written.
    """
    if isinstance(array, StagedArray):
        missing = capacity - array.rows().shape[0]
        if missing <= 0:
            return array
        more = ops.zeros((missing, *array.rows().shape[1:]), array.dtype)
        return StagedArray(array, ops.concat([array.rows(), more], 0), array.count)
    if probed is not None:
        array._element_shape = array._element_shape.merge_with(probed._element_shape)
    if not has_all_sizes(array._element_shape):
        _fail("the shape of a TensorArray's elements is not known, or changes")
    if array.room is array._open_size:  # all has to be written
        return StagedArray(array, array.rows(), ops.to_tensor(array.room, int32))
    items = array._all()
    size = len(items)
    rest = (max(capacity - size, 0), *array._element_shape)
    rows = ops.zeros(rest, array.dtype)
    if items:
        rows = ops.concat([ops.stack(items), rows], 0) if rest[0] else ops.stack(items)
    return StagedArray(array, rows, Tensor(np.int32(size)))
