"""Tables in a SavedModel: a resource with functions that create and fill it, and its lookups."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape.api.lookup.mutable_tables import DenseHashTable, MutableTable, TableCall
from gradtape.api.lookup.static_tables import StaticHashTable, StaticTable, StaticVocabularyTable
from gradtape.core.dtypes import int64, string
from gradtape.core.shape import TensorShape
from gradtape.formats.saved_model import messages
from gradtape.formats.saved_model.schema import Record
from gradtape.saved_model.structures import RESOURCE_NUMBER, encode_structure
from gradtape.saved_model.writing.builder import Builder, CannotWrite, Library, Ref

Table = StaticTable | MutableTable


def contents(table: Table) -> tuple[np.ndarray, np.ndarray]:
    """Return the keys and values of a table, with their dtypes."""
    if isinstance(table, (StaticHashTable, MutableTable)):
        keys, values = table.export()
        return keys.numpy(), values.numpy()
    if isinstance(table, StaticVocabularyTable) and table.key_dtype is string:
        keys = np.empty(len(table._known), object)
        keys[:] = list(table._known)
        return keys, np.array(list(table._known.values()), np.int64)
    raise CannotWrite(f"a {type(table).__name__} is not written")


def creation(table: Table) -> tuple[str, list[np.ndarray], dict[str, Any]]:
    """Return the op that makes a table: its name, its inputs, and its attributes."""
    keys, values = contents(table)
    kinds: dict[str, Any] = {"key_dtype": keys.dtype, "value_dtype": values.dtype}
    if not isinstance(table, MutableTable):
        return "HashTableV2", [], kinds
    shape = TensorShape(table._contents.value_shape)
    if isinstance(table, DenseHashTable):
        return "MutableDenseHashTableV2", list(table._no_keys), {**kinds, "value_shape": shape}
    if shape.rank:
        return "MutableHashTableOfTensorsV2", [], {**kinds, "value_shape": shape}
    return "MutableHashTableV2", [], kinds


def filling(table: Table) -> str:
    """Return the op that gives a table its contents.

    A DenseHashTable would take imported keys for its buckets.
    """
    return "LookupTableInsertV2" if isinstance(table, MutableTable) else "LookupTableImportV2"


class WrittenTable:
    """The functions of a table: by name, with whether they capture it."""

    def __init__(self, library: Library, table: Table, shared_name: str) -> None:
        keys, values = contents(table)
        kind, reserved, attributes = creation(table)
        create = Builder(library, "create_table")
        handle = create.nodes_of(
            f"{kind}:table_handle",
            *[create.const(key) for key in reserved],
            dtypes=[None],
            shared_name=shared_name,
            **attributes,
        )[0]
        create.is_stateful = True
        create.definition([handle], ["handle"], [create.last_node])
        fill = Builder(library, "fill_table")
        given = fill.argument("table", None)
        parts = [fill.const(keys), fill.const(values)]
        fill.nodes_of(
            f"{filling(table)}:",
            given,
            *parts,
            dtypes=[],
            Tin=keys.dtype,
            Tout=values.dtype,
        )
        node = fill.last_node
        fill.definition([fill.ints(1)], ["done"], [node])
        forget = Builder(library, "destroy_table")
        forget.definition([forget.ints(1)], ["done"], [])
        resource = messages.STRUCTURE(
            tensor_spec_value=messages.TENSOR_SPEC(shape=messages.SHAPE(), dtype=RESOURCE_NUMBER)
        )
        done = messages.STRUCTURE(
            tensor_spec_value=messages.TENSOR_SPEC(shape=messages.SHAPE(), dtype=3)
        )
        self.functions = {
            "_create_resource": (create.name, False, resource),
            "_initialize": (fill.name, True, done),
            "_destroy_resource": (forget.name, False, done),
        }


def concrete(number: int | None, result: Record) -> Record:
    """Return what the file says of a table's function, which may have captured the table."""
    return messages.CONCRETE_FUNCTION(
        bound_inputs=[] if number is None else [number],
        canonicalized_input_signature=encode_structure(((), {})),
        output_signature=result,
    )


def write_lookup(b: Any, table: StaticTable, keys: Ref) -> Ref:
    """Write the lookup of a table."""
    if isinstance(table, StaticVocabularyTable):
        return _vocabulary(b, table, keys)
    assert isinstance(table, StaticHashTable)
    default = b.const(np.asarray(table.default_value.numpy(), table.value_dtype.dtype))
    return b.nodes_of(
        "LookupTableFindV2:values",
        b.resource(table),
        keys,
        default,
        dtypes=[default.dtype],
        Tin=keys.dtype,
        Tout=default.dtype,
    )[0]


def _vocabulary(b: Any, table: StaticVocabularyTable, keys: Ref) -> Ref:
    """Write the ids of words, where others have those of their hashes."""
    wide = np.dtype(int64.as_numpy_dtype)
    known, _ = contents(table)
    index = b.nodes_of(
        "LookupTableFindV2:values",
        b.resource(table),
        keys,
        b.const(-1, wide),
        dtypes=[wide],
        Tin=keys.dtype,
        Tout=wide,
    )[0]
    buckets = b.nodes_of(
        "StringToHashBucketFast:output",
        keys,
        dtypes=[wide],
        num_buckets=int(table._buckets),
    )[0]
    other = b.op("AddV2:z", buckets, b.const(len(known), wide))
    is_known = b.op("GreaterEqual:z", index, b.const(0, wide), dtype=np.dtype(bool))
    return b.op("SelectV2:output", is_known, index, other, dtype=wide, T=wide)


# TensorFlow's ops for what is done with a table that changes, and the names of their results.
_ACTIONS = {
    "find": "LookupTableFindV2:values",
    "insert": "LookupTableInsertV2:",
    "remove": "LookupTableRemoveV2:",
    "size": "LookupTableSizeV2:size",
}


def write_action(b: Any, call: TableCall, inputs: list[Ref]) -> list[Ref]:
    """Write what is done with a table that changes, after all that was done before."""
    table = call.table
    key, value = table.key_dtype.dtype, table.value_dtype.dtype
    attributes = {} if call.kind == "size" else {"Tin": key}
    if call.kind in ("find", "insert"):
        attributes["Tout"] = value
    results = {"find": [value], "size": [np.dtype(np.int64)]}.get(call.kind, [])
    made = b.nodes_of(
        _ACTIONS[call.kind],
        b.resource(table),
        *inputs,
        dtypes=results,
        after=tuple(b.effects[-1:]),
        **attributes,
    )
    b.effects.append(b.last_node)
    b.is_stateful = True
    return made
