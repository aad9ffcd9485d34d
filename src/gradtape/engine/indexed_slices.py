"""`IndexedSlices`: a sparse gradient, stored as the rows that are not zero."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from gradtape import ops
from gradtape.core.shape import TensorShape

if TYPE_CHECKING:
    from gradtape.core.dtypes import DType
    from gradtape.core.tensor import Tensor


class IndexedSlices:
    """Rows `values` at `indices` of a tensor of shape `dense_shape`; repeated indices add up."""

    def __init__(
        self,
        values: Tensor | list[Any],
        indices: Tensor | list[int],
        dense_shape: Sequence[int] | Tensor | None = None,
    ) -> None:
        self._values = ops.to_tensor(values)
        self._indices = ops.to_tensor(indices)
        self._dense_shape = dense_shape

    @property
    def values(self) -> Tensor:
        """Return the rows."""
        return self._values

    @property
    def indices(self) -> Tensor:
        """Return the indices of the rows."""
        return self._indices

    @property
    def dense_shape(self) -> Tensor | None:
        """Return the shape of the whole tensor, as a tensor; None if unknown."""
        shape = self._dense_shape
        return None if shape is None else ops.to_tensor(shape)

    @property
    def shape(self) -> TensorShape:
        """Return the shape of the whole tensor."""
        if self._dense_shape is None:
            return TensorShape(None)
        return TensorShape(ops.static_shape(self._dense_shape))

    @property
    def dtype(self) -> DType:
        """Return the type of the values."""
        return self._values.dtype

    @property
    def device(self) -> str:
        """Return the name of the device that holds the values."""
        return self._values.device

    @property
    def name(self) -> str:
        """Return "IndexedSlices"."""
        return "IndexedSlices"

    def _component_tensors(self) -> tuple[Tensor, ...]:
        """Return the rows, the indices and, if it is known, the shape."""
        shape = self.dense_shape
        parts = (self._values, self._indices)
        return parts if shape is None else (*parts, shape)

    def _with_components(self, components: Sequence[Any]) -> IndexedSlices:
        """Return other rows at other indices."""
        return IndexedSlices(*components)

    def _static_parts(self) -> None:
        """Return None: a function cannot have one as a traced argument."""

    def _differentiable_component(self) -> None:
        """Return None: it is itself a gradient."""

    def _with_differentiable_component(self, component: Tensor) -> IndexedSlices:
        """Return other rows at the same indices."""
        return IndexedSlices(component, self._indices, self._dense_shape)

    def __tf_tensor__(self, dtype: DType | None = None, name: str | None = None) -> Tensor:
        """Return the dense tensor."""
        if self._dense_shape is None:
            raise ValueError(
                "Tensor conversion requested for IndexedSlices without dense_shape: the number of "
                "rows is not known."
            )
        if dtype is not None and dtype is not self.dtype:
            raise ValueError(
                f"Tensor conversion requested dtype {dtype.name} for IndexedSlices with dtype "
                f"{self.dtype.name}"
            )
        rows = ops.static_shape(self._dense_shape)[0]
        return ops.unsorted_segment_sum(self._values, self._indices, rows)

    def __neg__(self) -> IndexedSlices:
        return IndexedSlices(-self._values, self._indices, self._dense_shape)

    def scaled(self, factor: Any) -> IndexedSlices:
        """Return the same rows, multiplied by a number."""
        return IndexedSlices(self._values * factor, self._indices, self._dense_shape)

    def __str__(self) -> str:
        shape = "" if self._dense_shape is None else f", dense_shape={self.dense_shape!s}"
        return f"IndexedSlices(indices={self._indices!s}, values={self._values!s}{shape})"

    __repr__ = __str__


def add(a: IndexedSlices | Tensor, b: IndexedSlices | Tensor) -> IndexedSlices | Tensor:
    """Return the sum of two gradients: sparse if both are."""
    if isinstance(a, IndexedSlices) and isinstance(b, IndexedSlices):
        indices = [a.indices, b.indices]
        if a.indices.dtype is not b.indices.dtype:
            indices = [ops.cast(i, "int64") for i in indices]
        return IndexedSlices(
            ops.concat([a.values, b.values], 0), ops.concat(indices, 0), a._dense_shape
        )
    return ops.add(a, b)


ops.set_sparse_rows(IndexedSlices)
