"""`tf.shape` of ragged tensors."""

from __future__ import annotations

import operator
from typing import Any

from gradtape import ops
from gradtape.api.ragged.tensor import RaggedTensor
from gradtape.core.dtypes import DType, as_dtype, int32
from gradtape.core.tensor import Tensor


class DynamicRaggedShape:
    """The shape of a ragged tensor: `shape[axis]` is the size of an axis that has one."""

    def __init__(self, tensor: RaggedTensor, dtype: DType) -> None:
        self._tensor = tensor
        self.dtype = dtype

    @property
    def rank(self) -> int:
        return len(self._tensor.shape)

    def __getitem__(self, index) -> Tensor:
        axis = self._axis(index)
        partitions = self._tensor._partitions()
        if axis == 0:
            return self._tensor.nrows(self.dtype)
        if axis > len(partitions):
            size: Any = self._tensor.flat_values.shape[axis - len(partitions)]
        else:
            size = partitions[axis - 1].uniform
        if size is None:
            raise ValueError(
                f"Index {index} is not uniform: rows of axis {axis} of a ragged tensor of shape "
                f"{self._tensor.shape} have lengths of their own. Use row_lengths, or "
                "bounding_shape for the longest."
            )
        return ops.cast(ops.to_tensor(size), self.dtype)

    def _axis(self, index) -> int:
        if isinstance(index, slice):
            raise NotImplementedError(
                "A shape of a ragged tensor is indexed by axis alone, as in tf.shape(x)[0]."
            )
        axis = operator.index(index)
        if not -self.rank <= axis < self.rank:
            raise IndexError(f"Axis {axis} is out of range for a shape of {self.rank} axes.")
        return axis % self.rank

    def __repr__(self) -> str:
        return f"<DynamicRaggedShape {self._tensor.shape}>"


def shape(input, out_type=None, name=None) -> DynamicRaggedShape:
    """Return the shape of a ragged tensor."""
    return DynamicRaggedShape(input, int32 if out_type is None else as_dtype(out_type))
