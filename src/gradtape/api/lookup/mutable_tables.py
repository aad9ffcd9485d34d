"""`tf.lookup.experimental`: tables that a program changes, and that checkpoints save."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from gradtape import ops
from gradtape.api.export import export
from gradtape.api.lookup.contents import Contents
from gradtape.api.sparse.tensor import SparseTensor
from gradtape.core.convert import static_int
from gradtape.core.dtypes import DType, as_dtype, int64
from gradtape.core.errors import InvalidArgumentError
from gradtape.core.protocols import is_ragged
from gradtape.core.state import get_state, only_outside_of_functions
from gradtape.core.tensor import Spec, Tensor
from gradtape.graph.control.callback import call_in_graph


class TableCall:
    """What is done with a table: a function from tensors to a list of tensors.

    Files that TensorFlow reads say it with an op of its own (`saved_model/writing`).
    """

    def __init__(self, table: MutableTable, kind: str) -> None:
        self.table, self.kind = table, kind

    def __call__(self, *inputs: Tensor) -> list[Tensor]:
        contents = self.table._contents
        arrays = [np.asarray(x.numpy(), x.dtype.dtype) for x in inputs]
        match self.kind:
            case "find":
                self.table._check_keys(arrays[0])
                values = contents.find(*arrays)
                return [Tensor(values if values.ndim or values.dtype == object else values[()])]
            case "insert":
                self.table._check_keys(arrays[0])
                contents.insert(*arrays)
            case "remove":
                self.table._check_keys(arrays[0])
                contents.remove(*arrays)
            case "size":
                return [Tensor(np.int64(len(contents.rows)))]
        return []


class MutableTable:
    """What both tables share. In a function, every call of it sees what the others have done.

    A checkpoint finds the keys and the values as two children.
    """

    name = None

    def __init__(self, contents: Contents, default: Tensor) -> None:
        self._contents = contents
        self._default = default
        restored: dict[int, np.ndarray] = {}
        self._columns = {
            name: _SavedColumn(self, index, restored)
            for index, name in enumerate(("table-keys", "table-values"))
        }

    @property
    def key_dtype(self) -> DType:
        """The dtype of keys."""
        return self._contents.key_dtype

    @property
    def value_dtype(self) -> DType:
        """The dtype of values."""
        return self._contents.value_dtype

    def _do(self, kind: str, inputs: list[Tensor], specs: list[Spec]) -> list[Tensor]:
        """Do something with the table now, or whenever the function that is traced runs."""
        trace = get_state().trace
        call = TableCall(self, kind)
        if trace is None:
            return call(*inputs)
        return call_in_graph(trace, "a table", call, inputs, specs)

    def _keys(self, keys) -> Tensor:
        """Return keys that are asked for, as a tensor."""
        tensor = ops.to_tensor(keys, None if ops.is_tensor_like(keys) else self.key_dtype)
        if tensor.dtype is not self.key_dtype:
            raise TypeError(
                f"Dtype of argument `keys` must be {self.key_dtype!r}, received: {tensor.dtype!r}"
            )
        return tensor

    def _check_keys(self, keys: np.ndarray) -> None:
        """Raise an error for keys that the table cannot have."""

    def size(self, name=None) -> Tensor:
        """Return the number of keys."""
        return self._do("size", [], [Spec((), int64.dtype)])[0]

    def _lookup(self, keys, default: Tensor):
        if is_ragged(keys):
            return keys.with_flat_values(self._lookup(keys.flat_values, default))
        if isinstance(keys, SparseTensor):
            return SparseTensor(keys.indices, self._lookup(keys.values, default), keys.dense_shape)
        tensor = self._keys(keys)
        outer = map(operator.index, self._contents.outer_shape(tensor))
        spec = Spec((*outer, *self._contents.value_shape), self.value_dtype.dtype)
        return self._do("find", [tensor, default], [spec])[0]

    def __getitem__(self, keys):
        return self._lookup(keys, self._default)

    def insert(self, keys, values, name=None) -> None:
        """Give keys values, in place of those they had."""
        self._do("insert", [self._keys(keys), ops.to_tensor(values, self.value_dtype)], [])

    def remove(self, keys, name=None) -> None:
        """Forget keys; those that are not there are no error."""
        self._do("remove", [self._keys(keys)], [])

    def export(self, name=None) -> tuple[Tensor, Tensor]:
        """Return all keys and all values."""
        only_outside_of_functions("all keys of a table are asked for, however many there are")
        keys, values = self._contents.exported()
        return Tensor(keys), Tensor(values)

    def _trackable_children(self) -> dict[str, Any]:
        return self._columns

    def _restore(self, keys: np.ndarray, values: np.ndarray) -> None:
        """Become the table that a checkpoint holds."""
        for role, array, dtype in (
            ("keys", keys, self.key_dtype),
            ("values", values, self.value_dtype),
        ):
            if array.dtype != dtype.dtype:
                raise InvalidArgumentError(
                    f"The {role} of this table are of {dtype.name}, and those in the checkpoint "
                    f"are of {array.dtype.name}."
                )
        self._contents.replace(keys, values)


class _SavedColumn:
    """The keys or the values of a table, as a checkpoint sees them."""

    def __init__(self, table: MutableTable, index: int, restored: dict[int, np.ndarray]) -> None:
        self._table, self._index, self._restored = table, index, restored

    def _checkpoint_state(self) -> np.ndarray:
        return self._table._contents.exported()[self._index]

    def _restore_checkpoint_state(self, state: np.ndarray) -> None:
        self._restored[self._index] = state
        if len(self._restored) == 2:
            keys, values = self._restored.pop(0), self._restored.pop(1)
            self._table._restore(keys, values)


@export("lookup.experimental.MutableHashTable")
class MutableHashTable(MutableTable):
    """A table whose keys and values change; a value can be a vector."""

    def __init__(
        self,
        key_dtype,
        value_dtype,
        default_value,
        name="MutableHashTable",
        checkpoint=True,
        experimental_is_anonymous=False,
    ) -> None:
        kind = as_dtype(value_dtype)
        default = ops.to_tensor(default_value, kind)
        if default.ndim > 1:
            raise InvalidArgumentError(
                f"Default value must be a scalar or a vector, got shape {tuple(default.shape)}"
            )
        contents = Contents(as_dtype(key_dtype), kind, value_shape=tuple(default.shape))
        super().__init__(contents, default)

    def lookup(self, keys, dynamic_default_values=None, name=None):
        """Return the values of keys; the default, or that of its position, where there is none."""
        if dynamic_default_values is None:
            return self._lookup(keys, self._default)
        return self._lookup(keys, ops.to_tensor(dynamic_default_values, self.value_dtype))


@export("lookup.experimental.DenseHashTable")
class DenseHashTable(MutableTable):
    """A table whose keys and values change; keys and values can be vectors.

    `empty_key` and `deleted_key` are no keys of it. `export` returns the keys that are there,
    without the empty buckets that TensorFlow shows.
    """

    def __init__(
        self,
        key_dtype,
        value_dtype,
        default_value,
        empty_key,
        deleted_key,
        initial_num_buckets=None,
        name="MutableDenseHashTable",
        checkpoint=True,
        experimental_is_anonymous=False,
    ) -> None:
        key_kind, kind = as_dtype(key_dtype), as_dtype(value_dtype)
        default = ops.to_tensor(default_value, kind)
        empty, deleted = (ops.to_tensor(key, key_kind) for key in (empty_key, deleted_key))
        if empty.shape != deleted.shape:
            raise InvalidArgumentError(
                "Empty and deleted keys must have same shape, got shapes: "
                f"{list(empty.shape)} and {list(deleted.shape)}"
            )
        contents = Contents(key_kind, kind, tuple(empty.shape), tuple(default.shape))
        self._no_keys = [np.asarray(key.numpy(), key_kind.dtype) for key in (empty, deleted)]
        self._reserved = {
            contents.as_keys(key)[0]: role
            for key, role in zip(self._no_keys, ("empty_key", "deleted_key"), strict=True)
        }
        if len(self._reserved) < 2:
            raise InvalidArgumentError("Empty and deleted keys cannot be equal")
        buckets = 4 if initial_num_buckets is None else static_int(initial_num_buckets)
        if buckets < 4 or buckets & (buckets - 1):
            raise InvalidArgumentError(
                f"Number of buckets must be at least 4 and a power of 2, got: {buckets}"
            )
        super().__init__(contents, default)

    def lookup(self, keys, name=None):
        """Return the values of keys; the default, where there is none."""
        return self._lookup(keys, self._default)

    def _check_keys(self, keys: np.ndarray) -> None:
        self._contents.outer_shape(keys)
        for key in self._contents.as_keys(keys):
            if key in self._reserved:
                raise InvalidArgumentError(
                    f"Using the {self._reserved[key]} as a table key is not allowed"
                )

    def _restore(self, keys: np.ndarray, values: np.ndarray) -> None:
        """Become the table that a checkpoint holds; TensorFlow's has its empty buckets, too."""
        contents = self._contents
        count = int(np.prod(keys.shape[:1], dtype=np.int64))
        expected = [(count, *contents.key_shape), (count, *contents.value_shape)]
        if keys.size != np.prod(expected[0]) or values.size != np.prod(expected[1]):
            raise InvalidArgumentError(
                f"Keys of shape {list(keys.shape)} and values of shape {list(values.shape)} in "
                f"the checkpoint are no table of keys of shape {list(contents.key_shape)} and "
                f"values of shape {list(contents.value_shape)}."
            )
        keys, values = keys.reshape(expected[0]), values.reshape(expected[1])
        kept = np.array([key not in self._reserved for key in contents.as_keys(keys)], bool)
        super()._restore(keys[kept], values[kept])

    def insert_or_assign(self, keys, values, name=None) -> None:
        """Give keys values, in place of those they had."""
        self.insert(keys, values)

    def erase(self, keys, name=None) -> None:
        """Forget keys; those that are not there are no error."""
        self.remove(keys)
