"""`RaggedTensor`: a tensor whose rows have different lengths."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np

from gradtape import ops
from gradtape.api.export import export
from gradtape.api.ragged import partition as partitions
from gradtape.api.ragged.partition import RowPartition
from gradtape.api.ragged.spec import RaggedTensorSpec
from gradtape.core.brief import brief
from gradtape.core.convert import static_ints, static_value
from gradtape.core.dtypes import DType, as_dtype, int32, int64
from gradtape.core.errors import InvalidArgumentError
from gradtape.core.shape import TensorShape
from gradtape.core.tensor import Tensor

_PRIVATE = object()


def as_values(value: Any) -> Any:
    """Return the values of a ragged tensor to be: a tensor or a ragged tensor."""
    return value if isinstance(value, RaggedTensor) else ops.to_tensor(value)


def row_count(value: Any) -> int:
    """Return the size of the first dimension of a tensor or ragged tensor."""
    if isinstance(value, RaggedTensor):
        return value._partition.nrows
    if not value.ndim:
        raise InvalidArgumentError(
            "RaggedTensor: the values must have at least one dimension, which the rows divide; got "
            f"a scalar: {brief(value)}."
        )
    return value.shape[0]


@export("RaggedTensor")
class RaggedTensor:
    """Rows of different lengths: `values`, and a row partition that divides them into rows.

    The values of a tensor with several ragged dimensions are themselves ragged; `flat_values` are
    the dense ones inside. Derivatives flow through them.
    """

    # NumPy's arrays and scalars leave operators to this class.
    __array_ufunc__ = None

    def __init__(self, values, row_partition, internal=None) -> None:
        if internal is not _PRIVATE:
            raise ValueError(
                "RaggedTensor constructor is private; please use one of the factory methods "
                "instead (e.g., RaggedTensor.from_row_lengths())"
            )
        self._values: Any = values
        self._partition: RowPartition = row_partition

    @classmethod
    def _of(cls, values: Any, partition: RowPartition) -> RaggedTensor:
        """Return values divided into rows, without a check."""
        if isinstance(values, RaggedTensor) and values._partition.dtype is not partition.dtype:
            values = values.with_row_splits_dtype(int64)
            partition = partition.cast(int64)
        return cls(values, partition, _PRIVATE)

    @classmethod
    def _checked(cls, values: Any, partition: RowPartition, validate: bool) -> RaggedTensor:
        if validate and partition.row_splits._has_value:
            last, count = int(partition.splits[-1]), row_count(values)
            if last != count:
                raise InvalidArgumentError(
                    "The row partition does not form a valid RaggedTensor: its rows end at "
                    f"{last}, but there are {count} values. The last row split must be the number "
                    "of values."
                )
        else:
            row_count(values)
        return cls._of(values, partition)

    # --- construction -----------------------------------------------------------------------------

    @classmethod
    def from_row_splits(cls, values, row_splits, name=None, validate=True) -> RaggedTensor:
        """Return rows between `row_splits`: row i is values[splits[i]:splits[i+1]]."""
        values = as_values(values)
        dtype = values._partition.dtype if isinstance(values, RaggedTensor) else None
        dtype = None if ops.is_tensor_like(row_splits) else dtype
        partition = partitions.from_row_splits(row_splits, validate, dtype)
        return cls._checked(values, partition, validate)

    @classmethod
    def from_row_lengths(cls, values, row_lengths, name=None, validate=True) -> RaggedTensor:
        """Return rows of given lengths."""
        partition = partitions.from_row_lengths(row_lengths, validate)
        return cls._checked(as_values(values), partition, validate)

    @classmethod
    def from_row_starts(cls, values, row_starts, name=None, validate=True) -> RaggedTensor:
        """Return rows that begin at given values."""
        values = as_values(values)
        partition = partitions.from_row_starts(row_starts, row_count(values), validate)
        return cls._of(values, partition)

    @classmethod
    def from_row_limits(cls, values, row_limits, name=None, validate=True) -> RaggedTensor:
        """Return rows that end before given values."""
        partition = partitions.from_row_limits(row_limits, validate)
        return cls._checked(as_values(values), partition, validate)

    @classmethod
    def from_value_rowids(
        cls, values, value_rowids, nrows=None, name=None, validate=True
    ) -> RaggedTensor:
        """Return rows, given the row of each value."""
        values = as_values(values)
        partition = partitions.from_value_rowids(value_rowids, nrows, row_count(values), validate)
        return cls._of(values, partition)

    @classmethod
    def from_uniform_row_length(
        cls, values, uniform_row_length, nrows=None, validate=True, name=None
    ) -> RaggedTensor:
        """Return rows that all have one length."""
        values = as_values(values)
        dtype = values._partition.dtype if isinstance(values, RaggedTensor) else int64
        partition = partitions.from_uniform_row_length(
            uniform_row_length, nrows, row_count(values), dtype
        )
        return cls._of(values, partition)

    @classmethod
    def from_nested_row_splits(
        cls, flat_values, nested_row_splits, name=None, validate=True
    ) -> Any:
        """Return values divided by several row splits, the outermost first."""
        result = flat_values
        for splits in reversed(_several(nested_row_splits, "nested_row_splits")):
            result = cls.from_row_splits(result, splits, validate=validate)
        return result

    @classmethod
    def from_nested_row_lengths(
        cls, flat_values, nested_row_lengths, name=None, validate=True
    ) -> Any:
        """Return values divided by several vectors of lengths, the outermost first."""
        result = flat_values
        for lengths in reversed(_several(nested_row_lengths, "nested_row_lengths")):
            result = cls.from_row_lengths(result, lengths, validate=validate)
        return result

    @classmethod
    def from_nested_value_rowids(
        cls, flat_values, nested_value_rowids, nested_nrows=None, name=None, validate=True
    ) -> Any:
        """Return values divided by several vectors of row numbers, the outermost first."""
        rowids = _several(nested_value_rowids, "nested_value_rowids")
        counts = [None] * len(rowids)
        if nested_nrows is not None:
            counts = _several(nested_nrows, "nested_nrows")
            if len(counts) != len(rowids):
                raise ValueError(
                    "Argument `nested_nrows` must have the same length as argument "
                    f"`nested_value_rowids`. Received: {len(counts)} and {len(rowids)}"
                )
        result = flat_values
        for ids, count in zip(reversed(rowids), reversed(counts), strict=True):
            result = cls.from_value_rowids(result, ids, count, validate=validate)
        return result

    @classmethod
    def from_tensor(
        cls, tensor, lengths=None, padding=None, ragged_rank=1, name=None, row_splits_dtype=int64
    ) -> RaggedTensor:
        """Return the rows of a tensor, cut to lengths or without the padding at their ends."""
        from gradtape.api.ragged.conversion import from_tensor

        return from_tensor(tensor, lengths, padding, ragged_rank, as_dtype(row_splits_dtype))

    @classmethod
    def from_sparse(cls, st_input, name=None, row_splits_dtype=int64) -> RaggedTensor:
        """Return the rows of a sparse matrix that has its values at the beginning of each row."""
        from gradtape.api.ragged.conversion import from_sparse

        return from_sparse(st_input, as_dtype(row_splits_dtype))

    # --- parts ------------------------------------------------------------------------------------

    @property
    def values(self) -> Any:
        return self._values

    @property
    def flat_values(self) -> Tensor:
        values = self._values
        while isinstance(values, RaggedTensor):
            values = values._values
        return values

    @property
    def dtype(self) -> DType:
        return self._values.dtype

    @property
    def shape(self) -> TensorShape:
        partition = self._partition
        outer = TensorShape([partition.nrows, partition.uniform])
        return outer.concatenate(self._values.shape[1:])

    def get_shape(self) -> TensorShape:
        return self.shape

    @property
    def ragged_rank(self) -> int:
        return len(self._partitions())

    @property
    def row_splits(self) -> Tensor:
        return self._partition.row_splits

    @property
    def uniform_row_length(self) -> Tensor | None:
        length = self._partition.uniform
        return None if length is None else ops.to_tensor(length, self._partition.dtype)

    @property
    def nested_row_splits(self) -> tuple[Tensor, ...]:
        return tuple(partition.row_splits for partition in self._partitions())

    def _partitions(self) -> list[RowPartition]:
        """Return the row partitions, the outermost first."""
        partitions, here = [], self
        while isinstance(here, RaggedTensor):
            partitions.append(here._partition)
            here = here._values
        return partitions

    def value_rowids(self, name=None) -> Tensor:
        """Return the row of each value."""
        return self._partition.value_rowids(row_count(self._values))

    def nested_value_rowids(self, name=None) -> tuple[Tensor, ...]:
        rowids = [self.value_rowids()]
        if isinstance(self._values, RaggedTensor):
            rowids += self._values.nested_value_rowids()
        return tuple(rowids)

    def nrows(self, out_type=None, name=None) -> Tensor:
        """Return the number of rows."""
        dtype = self._partition.dtype if out_type is None else as_dtype(out_type)
        return ops.to_tensor(self._partition.nrows, dtype)

    def row_starts(self, name=None) -> Tensor:
        return self.row_splits[:-1]

    def row_limits(self, name=None) -> Tensor:
        return self.row_splits[1:]

    def row_lengths(self, axis=1, name=None) -> Any:
        """Return the lengths of the rows along a ragged axis."""
        axis = axis_number("row_lengths", axis, len(self.shape))
        if axis == 0:
            return self.nrows()
        if axis == 1:
            return self._partition.row_lengths()
        if isinstance(self._values, RaggedTensor):
            return self.with_values(self._values.row_lengths(axis - 1))
        size = self._values.shape[axis - 1]
        count = row_count(self._values)
        sizes = np.full((count, *self._values.shape[1 : axis - 1]), size)
        return self.with_values(Tensor(sizes.astype(self._partition.dtype.as_numpy_dtype)))

    def nested_row_lengths(self, name=None) -> tuple[Tensor, ...]:
        return tuple(partition.row_lengths() for partition in self._partitions())

    def bounding_shape(self, axis=None, name=None, out_type=None) -> Tensor:
        """Return the shape of the smallest dense tensor that holds all rows."""
        from gradtape.api.ragged.conversion import bounding_sizes

        dtype = self._partition.dtype if out_type is None else as_dtype(out_type)
        sizes = np.array(bounding_sizes(self), dtype.as_numpy_dtype)
        if axis is None:
            return Tensor(sizes)
        axes = [axis_number("bounding_shape", each, len(sizes)) for each in static_ints(axis)]
        return Tensor(sizes[axes] if np.ndim(static_value(axis)) else sizes[axes[0]])

    # --- other values, other splits ---------------------------------------------------------------

    def with_values(self, new_values) -> RaggedTensor:
        """Return other values in the same rows."""
        new_values = as_values(new_values)
        _check_count(row_count(self._values), new_values)
        return RaggedTensor._of(new_values, self._partition)

    def with_flat_values(self, new_values) -> RaggedTensor:
        """Return other flat values in the same rows."""
        new_values = as_values(new_values)
        _check_count(row_count(self.flat_values), new_values)
        return self._around(new_values)

    def _around(self, flat: Any) -> RaggedTensor:
        result = flat
        for partition in reversed(self._partitions()):
            result = RaggedTensor._of(result, partition)
        return result

    def with_row_splits_dtype(self, dtype) -> RaggedTensor:
        """Return the same rows, with row splits of another dtype."""
        dtype = as_dtype(dtype)
        if dtype not in (int32, int64):
            raise ValueError(
                f"Argument `row_splits` dtype must be int32 or int64. Received {dtype.name}."
            )
        if self._partition.dtype is dtype:
            return self
        values = self._values
        if isinstance(values, RaggedTensor):
            values = values.with_row_splits_dtype(dtype)
        return RaggedTensor._of(values, self._partition.cast(dtype))

    def merge_dims(self, outer_axis, inner_axis) -> Any:
        """Return the dimensions from `outer_axis` to `inner_axis` as one."""
        from gradtape.api.ragged.conversion import merge_dims

        return merge_dims(self, outer_axis, inner_axis)

    # --- conversion -------------------------------------------------------------------------------

    def to_tensor(self, default_value=None, name=None, shape=None) -> Tensor:
        """Return a dense tensor, with the default value (0) after the end of each row."""
        from gradtape.api.ragged.conversion import to_tensor

        return to_tensor(self, default_value, shape)

    def to_sparse(self, name=None) -> Any:
        """Return a sparse tensor of all values."""
        from gradtape.api.ragged.conversion import to_sparse

        return to_sparse(self)

    def numpy(self) -> np.ndarray:
        """Return an array of rows; of equally long ones, an array with one more axis."""
        values, splits = self._values.numpy(), self._partition.splits
        rows = [values[a:b] for a, b in pairwise(splits)]
        if len({len(row) for row in rows}) == 1:
            return np.stack(rows)
        result = np.empty(len(rows), object if rows else values.dtype)
        for i, row in enumerate(rows):
            result[i] = row
        return result

    def to_list(self) -> list:
        """Return nested Python lists."""
        inner = self._values
        inner = inner.to_list() if isinstance(inner, RaggedTensor) else inner.numpy().tolist()
        splits = self._partition.splits.tolist()
        return [inner[a:b] for a, b in pairwise(splits)]

    def consumers(self) -> list:
        return []

    # --- what makes it a composite of tensors -----------------------------------------------------

    @property
    def _type_spec(self) -> RaggedTensorSpec:
        return RaggedTensorSpec(self.shape, self.dtype, self.ragged_rank, self._partition.dtype)

    def _component_tensors(self) -> tuple[Tensor, ...]:
        return (self.flat_values, *self.nested_row_splits)

    def _static_parts(self) -> tuple:
        return tuple(partition.uniform for partition in self._partitions())

    def _with_components(self, components) -> RaggedTensor:
        """Return the ragged tensor of this kind that has these components."""
        result, *splits = components
        for row_splits, old in zip(reversed(splits), reversed(self._partitions()), strict=True):
            result = RaggedTensor._of(result, RowPartition(row_splits, old.uniform))
        return result

    def _differentiable_component(self) -> Tensor:
        return self.flat_values

    def _with_differentiable_component(self, component) -> RaggedTensor:
        return self.with_flat_values(component)

    def __tf_tensor__(self, dtype=None, name=None):
        raise self._not_dense("This function")

    def _not_dense(self, who: str) -> ValueError:
        return ValueError(
            f"Attempt to convert a RaggedTensor of shape {self.shape} to a Tensor: {who} takes no "
            "ragged tensor here. Make it dense with .to_tensor(), or apply the function to its "
            "values with tf.ragged.map_flat_values."
        )

    # --- Python's protocols -----------------------------------------------------------------------

    def __getitem__(self, key) -> Any:
        from gradtape.api.ragged.getitem import getitem

        return getitem(self, key)

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(self._partition.nrows))

    def __bool__(self) -> bool:
        raise TypeError("RaggedTensor may not be used as a boolean.")

    __nonzero__ = __bool__

    def __hash__(self) -> int:
        raise TypeError("RaggedTensor is unhashable.")

    def __repr__(self) -> str:
        if all(part._has_value for part in self._component_tensors()):
            return f"<tf.RaggedTensor {_text(self.numpy())}>"
        return f"tf.RaggedTensor(values={self._values}, row_splits={self.row_splits})"


def _text(x: Any) -> str:
    if not isinstance(x, np.ndarray):
        return str(x)
    if not x.size:
        return str(x.tolist())
    return np.array2string(x, separator=", ", formatter={"all": _text})


def _several(values: Any, name: str) -> list:
    if isinstance(values, (list, tuple)):
        return list(values)
    raise TypeError(f"Argument `{name}` must be a list of Tensors. Received {brief(values)}.")


def axis_number(op: str, axis: Any, rank: int) -> int:
    """Return an axis, counted from the front; `op` is named where it is out of range."""
    (number,) = ops.normalize_axes(op, axis, rank)
    return number


def _check_count(count: int, values: Any) -> None:
    if row_count(values) != count:
        raise ValueError(
            f"Shapes ({count},) and ({row_count(values)},) are incompatible: the row partition "
            f"needs {count} values."
        )
