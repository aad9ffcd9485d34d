"""Ops of TensorFlow on resources: variables and tables."""

from __future__ import annotations

import math

import numpy as np

from gradtape import ops
from gradtape.api.export import lookup
from gradtape.api.lookup.contents import Contents
from gradtape.api.lookup.mutable_tables import DenseHashTable, MutableHashTable, MutableTable
from gradtape.core.dtypes import int32, int64, string
from gradtape.core.errors import DataLossError, InvalidArgumentError
from gradtape.core.tensor import Tensor
from gradtape.engine.variable import Variable
from gradtape.saved_model.reading.table import op

_MAX_VALUES = 1 << 20  # in one value of a table

# --- variables -----------------------------------------------------------------------------------


def _variable(value) -> Variable:
    if not isinstance(value, Variable):
        raise DataLossError(f"a variable is expected, and {type(value).__name__} is given")
    return value


@op("ReadVariableOp")
def read_variable(resource, *, dtype=None):
    return _variable(resource).read_value()


@op("AssignVariableOp")
def assign(resource, value, *, validate_shape=False):
    _variable(resource).assign(value)
    return ()


@op("AssignAddVariableOp")
def assign_add(resource, value):
    _variable(resource).assign_add(value)
    return ()


@op("AssignSubVariableOp")
def assign_sub(resource, value):
    _variable(resource).assign_sub(value)
    return ()


@op("VarIsInitializedOp")
def is_initialized(resource):
    return Tensor(np.bool_(True))


@op("VariableShape")
def variable_shape(resource, *, out_type=int32):
    return lookup("shape")(_variable(resource), out_type)


@op("ResourceGather")
def resource_gather(resource, indices, *, batch_dims=0, validate_indices=True):
    return lookup("gather")(_variable(resource), indices, axis=batch_dims, batch_dims=batch_dims)


@op("ResourceGatherNd")
def resource_gather_nd(resource, indices):
    return lookup("gather_nd")(_variable(resource), indices)


def _slices(updates, indices):
    return lookup("IndexedSlices")(updates, indices)


@op("ResourceScatterAdd")
def scatter_add(resource, indices, updates):
    _variable(resource).scatter_add(_slices(updates, indices))
    return ()


@op("ResourceScatterSub")
def scatter_sub(resource, indices, updates):
    _variable(resource).scatter_sub(_slices(updates, indices))
    return ()


@op("ResourceScatterUpdate")
def scatter_update(resource, indices, updates):
    _variable(resource).scatter_update(_slices(updates, indices))
    return ()


# --- tables --------------------------------------------------------------------------------------


class Table:
    """A table of a SavedModel, which its own functions fill."""

    def __init__(self, key_dtype, value_dtype) -> None:
        self._contents = Contents(key_dtype, value_dtype)
        self.default_value: Tensor | None = None

    def find(self, keys: Tensor, default: Tensor) -> Tensor:
        """Return the values of keys; where there is none, the default."""
        contents = self._contents
        if keys.dtype is not contents.key_dtype:
            raise InvalidArgumentError(
                f"the table has keys of {contents.key_dtype.name}, not of {keys.dtype.name}"
            )
        return ops.host_call(contents.find, [keys, default], contents.value_dtype, keys.shape)

    def fill(self, keys: Tensor, values: Tensor) -> None:
        """Give the table its contents, in place of what it had."""
        fresh = Contents(self._contents.key_dtype, self._contents.value_dtype)
        fresh.insert(keys.numpy(), values.numpy())
        self._contents = fresh

    def size(self) -> Tensor:
        return ops.to_tensor(len(self._contents.rows), int64)

    def export(self) -> tuple[Tensor, Tensor]:
        keys, values = self._contents.exported()
        return Tensor(keys), Tensor(values)


def _table(value) -> Table | MutableTable:
    if not isinstance(value, (Table, MutableTable)):
        raise DataLossError(f"a table is expected, and {type(value).__name__} is given")
    return value


def _mutable(value) -> MutableTable:
    if not isinstance(value, MutableTable):
        raise DataLossError(f"a table that can change is expected, not {type(value).__name__}")
    return value


@op("HashTableV2", "AnonymousHashTable")
def hash_table(*, key_dtype, value_dtype):
    return Table(key_dtype, value_dtype)


@op(
    "MutableHashTableV2",
    "MutableHashTableOfTensorsV2",
    "AnonymousMutableHashTable",
    "AnonymousMutableHashTableOfTensors",
)
def mutable_hash_table(*, key_dtype, value_dtype, value_shape=()):
    # Each lookup says what is not found; a value of this kind tells the shape of others.
    return MutableHashTable(key_dtype, value_dtype, _blank(value_dtype, value_shape))


@op("MutableDenseHashTableV2", "AnonymousMutableDenseHashTable")
def dense_hash_table(empty_key, deleted_key, *, key_dtype, value_dtype, value_shape=()):
    blank = _blank(value_dtype, value_shape)
    return DenseHashTable(key_dtype, value_dtype, blank, empty_key, deleted_key)


def _blank(dtype, shape) -> Tensor:
    sizes = tuple([size or 0 for size in shape])
    if math.prod(sizes) > _MAX_VALUES:
        raise DataLossError(f"a table has values of the shape {sizes}, which no file holds")
    return lookup("fill")(sizes, "" if dtype is string else ops.to_tensor(0, dtype))


@op("LookupTableFindV2")
def table_find(table, keys, default):
    table = _table(table)
    return (
        table._lookup(keys, default)
        if isinstance(table, MutableTable)
        else table.find(keys, default)
    )


@op("LookupTableImportV2", "InitializeTableV2")
def table_import(table, keys, values):
    table = _table(table)
    if isinstance(table, MutableTable):
        table._restore(keys.numpy(), values.numpy())
    else:
        table.fill(keys, values)
    return ()


@op("LookupTableInsertV2")
def table_insert(table, keys, values):
    _mutable(table).insert(keys, values)
    return ()


@op("LookupTableRemoveV2")
def table_remove(table, keys):
    _mutable(table).remove(keys)
    return ()


@op("LookupTableSizeV2")
def table_size(table):
    return _table(table).size()


@op("LookupTableExportV2", outputs="keys values")
def table_export(table):
    return _table(table).export()


@op("InitializeTableFromTextFileV2")
def table_from_file(
    table, filename, *, key_index, value_index, vocab_size=-1, delimiter=b"\t", offset=0, library
):
    """Fill a table from an asset; no other file is read."""
    path = filename.numpy().decode()
    if path not in library.assets:
        raise DataLossError(f"the table is to be filled from {path!r}, which is no asset")
    filled = _table(table)
    if not isinstance(filled, Table):
        raise DataLossError("a table that can change is to be filled from a file")
    contents = filled._contents
    initializer = lookup("lookup.TextFileInitializer")(
        path,
        contents.key_dtype,
        key_index,
        contents.value_dtype,
        value_index,
        vocab_size=None if vocab_size < 0 else vocab_size,
        delimiter=delimiter.decode(),
        value_index_offset=offset,
    )
    keys, values = initializer.pairs()
    filled.fill(Tensor(keys), Tensor(values))
    return ()
