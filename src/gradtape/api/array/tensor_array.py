"""`tf.TensorArray`: a list of tensors that is written once or more and read, with gradients."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from gradtape import ops
from gradtape.api.export import export
from gradtape.api.specs import TypeSpec
from gradtape.core.convert import static_int, static_ints
from gradtape.core.dtypes import as_dtype, float32, int32
from gradtape.core.errors import InvalidArgumentError, OutOfRangeError, ResourceExhaustedError
from gradtape.core.shape import TensorShape, has_all_sizes
from gradtape.core.size import Size
from gradtape.core.state import get_state, inside, only_outside_of_functions
from gradtape.core.tensor import Tensor

# Stands where a value was, until it was read from an array that forgets what it gives.
_CLEARED = object()


def static_index(value: Any) -> int:
    """Return an index or a size as an int; a traced one is that of this call (see Trace.ask)."""
    if isinstance(value, Tensor) and not value._has_value:
        size = value._sizes()
        if type(size) is Size:
            return size  # pyright: ignore[reportReturnType] (it computes as an integer does)
        trace = get_state().trace
        if trace is not None and not value._is_batched:
            return trace.ask(value, int)
    return static_int(value)


def _unwritten(count: Any) -> list:
    try:
        return [None] * count
    except (MemoryError, OverflowError):  # raised again, in words
        raise ResourceExhaustedError(
            f"TensorArray: there is no memory for {count} elements: give a smaller size, or write "
            "to a smaller index."
        ) from None


def _unknown(index) -> Tensor | None:
    """Return an index as a tensor if it is known only at run time, else None."""
    if isinstance(index, (int, np.integer, np.ndarray)):
        return None
    tensor = ops.to_tensor(index)
    return None if tensor._has_value else tensor


@export("TensorArray")
class TensorArray:
    """Tensors by number. `write` gives the array back: `array = array.write(i, x)`.

    Elements never written read as zeros. A tape sees the tensors that went in: gradients flow from
    what is read to what was written.
    """

    def __init__(
        self,
        dtype,
        size=None,
        dynamic_size=None,
        clear_after_read=None,
        tensor_array_name=None,
        handle=None,
        flow=None,
        infer_shape=True,
        element_shape=None,
        colocate_with_first_write_call=True,
        name=None,
    ) -> None:
        if size is None:
            raise ValueError(
                "Size must be declared for TensorArrays when eager execution is enabled."
            )
        self._dtype = as_dtype(dtype)
        self._items: list = []
        self._open_size: Any = None  # an open size (core/size): then there are rows, no items
        self._set_size(static_index(size))
        self._rows: Tensor | None = None  # all elements, once an index was not known
        self._dynamic_size = bool(dynamic_size)
        self._clear_after_read = clear_after_read is None or bool(clear_after_read)
        self._infer_shape = bool(infer_shape)
        self._element_shape = TensorShape(element_shape)

    def _set_size(self, size: Any) -> None:
        """Have so many elements, which were not written."""
        self._open_size = size if type(size) is Size else None
        self._items = [] if type(size) is Size else _unwritten(size)

    # --- description -----------------------------------------------------------------------------

    @property
    def dtype(self):
        """Return the dtype of the elements."""
        return self._dtype

    @property
    def room(self) -> int:
        """The number of elements, which may be an open size."""
        return len(self._items) if self._open_size is None else self._open_size

    @property
    def dynamic_size(self) -> bool:
        """Return whether writing behind the end makes it longer."""
        return self._dynamic_size

    @property
    def element_shape(self) -> TensorShape:
        """Return the shape of the elements, as far as it is known."""
        return self._element_shape

    @property
    def flow(self) -> Tensor:
        return Tensor(np.int32(0))

    @property
    def handle(self):
        return None

    @property
    def _type_spec(self) -> TensorArraySpec:
        return TensorArraySpec(
            self._element_shape, self._dtype, self._dynamic_size, self._infer_shape
        )

    def size(self, name=None) -> Tensor:
        """Return the number of elements."""
        return ops.to_tensor(self.room, int32)

    def __len__(self) -> int:
        return self.room

    # --- writing ---------------------------------------------------------------------------------

    def write(self, index, value, name=None) -> TensorArray:
        """Write a tensor at an index; the array grows to hold it, if it has a dynamic size."""
        array = self._to_write()
        position = _unknown(index)
        if position is None:
            array._write(static_int(index), value)
        else:
            value = array._element(value)
            positions = ops.reshape(position, (1, 1))
            array._write_rows(positions, ops.expand_dims(value, 0))
        return array

    def _to_write(self) -> TensorArray:
        """Return the array to write to: a copy in a branch or loop body being traced.

        What is written there must be seen through what the body returns alone.
        """
        trace = get_state().trace
        return self if trace is None or trace.outer is None else self._copy()

    def _copy(self) -> TensorArray:
        array = copy.copy(self)
        array._items = list(self._items)
        return array

    def _write(self, index: int, value) -> None:
        if index < 0:
            raise OutOfRangeError(f"Writing to negative indices (index {index}) is not allowed.")
        size = self.room
        if index >= size:
            if not self._dynamic_size:
                raise OutOfRangeError(
                    f"Tried to write to index {index} but array is not resizeable and size is: "
                    f"{size}. Make it larger, or pass dynamic_size=True."
                )
            self._items.extend(_unwritten(index + 1 - size))
        value = self._element(value)
        if self._rows is None and self._open_size is None:
            self._items[index] = value
        else:
            self._write_rows(ops.to_tensor([[index]]), ops.expand_dims(value, 0))

    def _element(self, value) -> Tensor:
        """Return a value to be written as a tensor, checked; its shape is that of the elements."""
        shape = self._element_shape
        is_plain = type(value) is Tensor and value.dtype is self._dtype
        if is_plain and not shape.unknown_rank and shape._dims == value._data.shape:
            return value
        if not ops.is_tensor_like(value):
            value = ops.to_tensor(value, self._dtype)
        value = ops.to_tensor(value)
        if value.dtype is not self._dtype:
            raise InvalidArgumentError(
                f"TensorArray dtype is {self._dtype.name} but Op is trying to write dtype "
                f"{value.dtype.name}. Use tf.cast(value, tf.{self._dtype.name})."
            )
        if not self._element_shape.is_compatible_with(value.shape):
            raise ValueError(
                f"Incompatible shape for value ({value.shape}), expected ({self._element_shape})"
            )
        if self._infer_shape:
            self._element_shape = self._element_shape.merge_with(value.shape)
        return value

    def _write_rows(self, positions: Tensor, values: Tensor) -> None:
        """Write values at positions that are known only at run time."""
        if self._dynamic_size:
            only_outside_of_functions("a TensorArray grows to an index known only at run time")
            raise NotImplementedError(
                "TensorArray: an array with dynamic_size=True cannot be written at an index that "
                "differs between the examples of a vmap. Pass the size that all of them need."
            )
        self._rows = ops.tensor_scatter_nd_update(self.rows(), positions, values)
        self._set_size(self.room)

    def rows(self) -> Tensor:
        """Return all elements as one tensor, with zeros for those not written or cleared."""
        size, known = self.room, 0 if self._rows is None else self._rows.shape[0]
        if self._rows is None and self._open_size is not None:
            return ops.zeros((size, *self._zeros(0).shape), self._dtype)
        if self._rows is None:
            items = [
                self._zeros(i) if x is None or x is _CLEARED else x
                for i, x in enumerate(self._items)
            ]
            shape = self._element_shape
            rest = tuple(shape) if has_all_sizes(shape) else ()
            return ops.stack(items) if items else ops.zeros((0, *rest), self._dtype)
        if known < size:  # it has grown
            more = ops.zeros((size - known, *self._rows.shape[1:]), self._dtype)
            return ops.concat([self._rows, more], 0)
        return self._rows

    def with_rows(self, rows: Tensor) -> TensorArray:
        """Return an array like this with these elements."""
        array = self._copy()
        array._rows = rows
        array._set_size(rows.shape[0])
        array._element_shape = array._element_shape.merge_with(rows.shape[1:])
        return array

    def with_element_shape(self, shape: TensorShape) -> TensorArray:
        """Return an array with the same content, whose elements have this shape."""
        array = self._copy()
        array._element_shape = shape
        return array

    def unstack(self, value, name=None) -> TensorArray:
        """Write the rows of a tensor at the indices from 0 on."""
        value = ops.to_tensor(value, None if ops.is_tensor_like(value) else self._dtype)
        if value.ndim == 0:
            raise ValueError(
                "TensorArray.unstack: a scalar has no rows; its rank must be 1 or more"
            )
        if type(value.shape[0]) is Size and type(self) is TensorArray:
            self._element(ops.zeros(value.shape[1:], value.dtype))
            return self.with_rows(value)
        rows = ops.unstack(value)
        array = self._to_write()
        if len(rows) > len(self._items) and not self._dynamic_size:
            raise ValueError(
                f"Cannot unstack {len(rows)} tensors into a TensorArray of static size "
                f"{len(self._items)}. Pass size={len(rows)} or dynamic_size=True."
            )
        array._items, array._rows = [None] * len(rows), None
        if array._open_size is None and type(array) is TensorArray:
            for row in rows[:1]:  # the others are alike
                array._element(row)
            array._items = list(rows)
            return array
        for index, row in enumerate(rows):
            array._write(index, row)
        return array

    def scatter(self, indices, value, name=None) -> TensorArray:
        """Write the rows of a tensor at the given indices."""
        value = ops.to_tensor(value, None if ops.is_tensor_like(value) else self._dtype)
        array, unknown = self._to_write(), _unknown(indices)
        if unknown is not None and value.ndim and value.shape[:1] == unknown.shape:
            for row in ops.unstack(value)[:1]:
                array._element(row)
            array._write_rows(ops.expand_dims(unknown, 1), value)
            return array
        positions = static_ints(indices)
        if value.ndim == 0 or value.shape[0] != len(positions):
            raise ValueError(
                f"TensorArray.scatter: {len(positions)} indices for a value of shape "
                f"{value.shape}: "
                "it needs a row for each"
            )
        for index, row in zip(positions, ops.unstack(value), strict=True):
            array._write(index, row)
        return array

    def split(self, value, lengths, name=None) -> TensorArray:
        """Put pieces of a tensor, of these lengths along axis 0, at the indices from 0 on."""
        value = ops.to_tensor(value, None if ops.is_tensor_like(value) else self._dtype)
        sizes = static_ints(lengths)
        if value.ndim == 0 or sum(sizes) != value.shape[0]:
            raise InvalidArgumentError(
                "Expected sum of lengths to be equal to values.shape[0], but sum of lengths is "
                f"{sum(sizes)} and value's shape is: {list(value.shape)} "
            )
        if len(sizes) != len(self._items) and not self._dynamic_size:
            raise InvalidArgumentError(
                f"TensorArray's size is not equal to the size of lengths ({len(self._items)} vs. "
                f"{len(sizes)}), and the TensorArray is not marked as dynamically resizeable."
            )
        array = self._to_write()
        array._infer_shape = array._infer_shape and len(set(sizes)) <= 1
        array._items, array._rows = [None] * len(sizes), None
        for index, piece in enumerate(ops.split(value, sizes, 0)):
            array._write(index, piece)
        return array

    # --- reading ---------------------------------------------------------------------------------

    def read(self, index, name=None) -> Tensor:
        """Return the tensor at an index, and drop it unless `clear_after_read` is False.

        Inside of functions nothing is dropped, as in TensorFlow.
        """
        position = _unknown(index)
        if position is not None:
            return ops.gather(self.rows(), position)
        return self._read(static_int(index), self._clear_after_read and not inside.get())

    def _read(self, index: int, clear: bool) -> Tensor:
        if not 0 <= index < self.room:
            if index < 0:
                raise OutOfRangeError(
                    f"Reading from negative indices (index {index}) is not allowed."
                )
            raise OutOfRangeError(
                f"Tried to read from index {index} but array size is: {len(self._items)} "
            )
        if self._rows is not None or self._open_size is not None:
            return self.rows()[index]
        value = self._items[index]
        if value is _CLEARED:
            raise InvalidArgumentError(
                f"Could not read index {index} twice because it was cleared after a previous read "
                "(perhaps try setting clear_after_read = false?)"
            )
        if value is None:
            return self._zeros(index)
        if clear:
            self._items[index] = _CLEARED
        return value

    def _zeros(self, index: int) -> Tensor:
        """Return the value of an element that was never written."""
        if not has_all_sizes(self._element_shape):
            raise InvalidArgumentError(
                f"Could not read index {index}: it was never written, and the shape of the "
                "elements is not known. Write to it, or pass element_shape."
            )
        return ops.zeros(tuple(self._element_shape), self._dtype)

    def _all(self) -> list:
        return [self._read(i, False) for i in range(len(self._items))]

    def stack(self, name=None) -> Tensor:
        """Return all tensors, stacked along a new axis 0."""
        if self._rows is not None or self._open_size is not None:
            return self.rows()
        if not self._items:
            shape = self._element_shape
            rest = () if shape.rank is None else tuple(n or 0 for n in shape)
            return ops.zeros((0, *rest), self._dtype)
        return ops.stack(self._all())

    def gather(self, indices, name=None) -> Tensor:
        """Return the tensors at these indices, stacked."""
        unknown = _unknown(indices)
        if unknown is not None:
            return ops.gather(self.rows(), unknown)
        positions = static_ints(indices)
        if not positions:
            shape = self._element_shape
            rest = () if shape.rank is None else tuple(n or 0 for n in shape)
            return ops.zeros((0, *rest), self._dtype)
        return ops.stack([self._read(i, False) for i in positions])

    def concat(self, name=None) -> Tensor:
        """Return all tensors, joined along their axis 0."""
        items = self._all()
        if not items:
            return ops.zeros((0,), self._dtype)
        return ops.concat(items, 0)

    # --- the rest --------------------------------------------------------------------------------

    def identity(self) -> TensorArray:
        """Return an array with the same content."""
        return self

    def grad(self, source, flow=None, name=None):
        raise NotImplementedError(
            "TensorArray.grad is not supported when executing eagerly; eager's gradient "
            "implementation does not use/need this function to compute gradients of operations "
            "that use TensorArrays."
        )

    def close(self, name=None) -> None:
        """Forget all tensors."""
        self._items.clear()


@export("TensorArraySpec")
class TensorArraySpec(TypeSpec):
    """The shape and dtype of a `TensorArray`'s elements."""

    def __init__(
        self, element_shape=None, dtype=float32, dynamic_size=False, infer_shape=True
    ) -> None:
        self._element_shape = TensorShape(element_shape)
        self._dtype = as_dtype(dtype)
        self._dynamic_size = dynamic_size
        self._infer_shape = infer_shape

    @property
    def value_type(self) -> type:
        return TensorArray

    @classmethod
    def from_value(cls, value: TensorArray) -> TensorArraySpec:
        return value._type_spec

    def _parts(self) -> tuple:
        return self._element_shape, self._dtype, self._dynamic_size, self._infer_shape

    def _admits(self, other) -> bool:
        return (
            self._dtype is other._dtype
            and self._dynamic_size == other._dynamic_size
            and self._element_shape.is_compatible_with(other._element_shape)
        )
