"""Assignment of a part of a variable's value: rows, elements, slices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gradtape import ops
from gradtape.core.bind import prepared_write
from gradtape.core.native import materialize
from gradtape.core.state import get_state, not_recording
from gradtape.core.tensor import Tensor
from gradtape.engine.assignment import Assignable
from gradtape.engine.indexed_slices import IndexedSlices
from gradtape.engine.transaction import exclusively, rewrite, write_one

if TYPE_CHECKING:
    from gradtape.core.primitive import Primitive
    from gradtape.core.typing import Array, TensorLike


def _check_slices(value: IndexedSlices) -> None:
    if not isinstance(value, IndexedSlices):
        raise TypeError(
            f"Argument `sparse_delta` must be a `tf.IndexedSlices`. Received arg: {value!r}"
        )


def _perform(
    array: np.ndarray, prim: Primitive, operands: list[Any], params: dict[Any, Any]
) -> None:
    prepared_write(prim, array, operands, params).perform()


class PartlyAssignable(Assignable):
    """Methods of a variable that change a part of its value, at the cost of that part."""

    __slots__ = ()
    _tensor_class: type[Tensor]  # of Variable: what the value is read as

    def _change(self, update: ops.Update) -> Any:
        """Change a part of the value: in place, if the array is not shared."""
        is_here = self._tensor_class is Tensor and get_state().trace is None
        if not is_here or not self.shape or any(type(x) is not Tensor for x in update.operands):
            return self._modify("assigned value", update.of)
        if type(self._data) is not np.ndarray:  # deferred by a function
            exclusively((self,), self._materialize)
        operands = [materialize(x._data) for x in update.operands]
        rewrite(self, _perform, update.prim, operands, update.params)
        return self

    def _materialize(self) -> None:
        write_one(self, materialize(self._data))

    def _scatter(self, kind: str, slices: IndexedSlices) -> Any:
        """Apply a scatter op to the rows of IndexedSlices."""
        _check_slices(slices)
        if get_state().tapes:
            self._notify_tapes(slices.values, "a scatter update", adds=True)
        with not_recording():
            shape, values = self._now()._data.shape, self._operand(slices.values)
            op = f"ResourceScatter{kind}"
            return self._change(ops.rows_update(kind, op, shape, slices.indices, values))

    def scatter_add(
        self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None
    ) -> Any:
        """Add rows."""
        return self._scatter("Add", sparse_delta)

    def scatter_sub(
        self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None
    ) -> Any:
        """Subtract rows."""
        return self._scatter("Sub", sparse_delta)

    def scatter_update(
        self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None
    ) -> Any:
        """Replace rows."""
        return self._scatter("Update", sparse_delta)

    def scatter_max(
        self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None
    ) -> Any:
        """Replace rows by the elementwise maximum with these."""
        return self._scatter("Max", sparse_delta)

    def scatter_min(
        self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None
    ) -> Any:
        """Replace rows by the elementwise minimum with these."""
        return self._scatter("Min", sparse_delta)

    def scatter_mul(
        self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None
    ) -> Any:
        """Multiply rows; a repeated index multiplies its row by each."""
        return self._scatter("Mul", sparse_delta)

    def scatter_div(
        self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None
    ) -> Any:
        """Divide rows; a repeated index divides its row by each."""
        return self._scatter("Div", sparse_delta)

    def batch_scatter_update(
        self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None
    ) -> Any:
        """Replace rows within each batch: the first axes of the indices are batch axes."""
        _check_slices(sparse_delta)
        indices = sparse_delta.indices
        grid = np.indices(tuple(indices.shape), indices.dtype.as_numpy_dtype)[:-1]
        return self.scatter_nd_update(ops.stack([*grid, indices], -1), sparse_delta.values)

    def scatter_nd_add(
        self, indices: TensorLike, updates: Tensor | list[float], name: str | None = None
    ) -> Any:
        """Add at indices, as `tf.tensor_scatter_nd_add`."""
        return self._scatter_nd("Add", indices, updates)

    def scatter_nd_sub(
        self, indices: Array | list[Any], updates: Tensor | list[float], name: str | None = None
    ) -> Any:
        """Subtract at indices, as `tf.tensor_scatter_nd_sub`."""
        return self._scatter_nd("Sub", indices, updates)

    def scatter_nd_update(
        self, indices: TensorLike, updates: Tensor | list[float], name: str | None = None
    ) -> Any:
        """Replace at indices, as `tf.tensor_scatter_nd_update`."""
        return self._scatter_nd("Update", indices, updates)

    def scatter_nd_max(
        self, indices: Array | list[Any], updates: Tensor | list[float], name: str | None = None
    ) -> Any:
        """Take the maximum with these values at indices, as `tf.tensor_scatter_nd_max`."""
        return self._scatter_nd("Max", indices, updates)

    def scatter_nd_min(
        self, indices: Array | list[Any], updates: Tensor | list[float], name: str | None = None
    ) -> Any:
        """Take the minimum with these values at indices, as `tf.tensor_scatter_nd_min`."""
        return self._scatter_nd("Min", indices, updates)

    def _scatter_nd(self, kind: str, indices: TensorLike, updates: Tensor | list[float]) -> Any:
        if get_state().tapes:
            self._notify_tapes(updates, "a scatter update", adds=True)
        with not_recording():
            shape, updates = self._now()._data.shape, self._operand(updates)
            op = f"ResourceScatterNd{kind}"
            return self._change(ops.nd_update(kind, op, shape, indices, updates))

    def assign_slice(self, key: int | tuple[Any, ...], value: TensorLike) -> Any:
        """Replace a slice: the implementation of `v[key].assign(value)`."""
        if get_state().tapes:
            self._notify_tapes(value, "[...].assign()", adds=True)
        with not_recording():
            shape = self._now()._data.shape
            return self._change(ops.slice_update(shape, key, self._operand(value)))
