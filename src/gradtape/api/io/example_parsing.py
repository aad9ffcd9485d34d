"""`tf.io.parse_example` and its relatives: from serialized Examples to tensors."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

import numpy as np

from gradtape import ops
from gradtape.api.export import export
from gradtape.api.io.example_layout import Batch, Layout, Single
from gradtape.api.io.features import (
    FixedLenFeature,
    FixedLenSequenceFeature,
    Plan,
    SparseFeature,
    VarLenFeature,
    index_keys,
    values_key,
)
from gradtape.api.io.ragged_features import RaggedFeature, divided
from gradtape.api.io.unknown_strings import unknown_columns, unknown_count, unknown_sequences
from gradtape.api.sparse.construction import reorder
from gradtape.api.sparse.tensor import SparseTensor
from gradtape.core.brief import brief
from gradtape.core.dtypes import string
from gradtape.core.errors import InvalidArgumentError, ShapeError
from gradtape.core.state import only_outside_of_functions
from gradtape.formats.example_columns import (
    BadExample,
    WrongKind,
    example_columns,
    sequence_columns,
)

_OF_EXAMPLES = (
    VarLenFeature,
    SparseFeature,
    FixedLenFeature,
    FixedLenSequenceFeature,
    RaggedFeature,
)
_OF_CONTEXTS = (VarLenFeature, FixedLenFeature, RaggedFeature)
_OF_SEQUENCES = (VarLenFeature, FixedLenSequenceFeature, RaggedFeature)

# Programs pass the same dictionary for every Example: its plan is made once.
_KEPT_PLANS = 32
_plans: OrderedDict[tuple, tuple[Mapping, list, Plan]] = OrderedDict()


def _plan(features: Mapping | None, allowed: tuple[type, ...], in_sequences: bool = False) -> Plan:
    features = {} if features is None else features
    if not isinstance(features, Mapping):
        raise TypeError(
            "features must be a dict from names to tf.io.FixedLenFeature, VarLenFeature and the "
            f"like, got {brief(features)}."
        )
    name = (id(features), allowed)
    kept = _plans.get(name)
    if kept is not None:
        same, values, plan = kept
        pairs = zip(values, features.values(), strict=False)
        if same is features and len(values) == len(features) and all(a is b for a, b in pairs):
            return plan
    plan = Plan(features, allowed, in_sequences)
    _plans[name] = (features, list(features.values()), plan)
    if len(_plans) > _KEPT_PLANS:
        _plans.popitem(last=False)
    return plan


def _strings(value, op: str) -> np.ndarray:
    only_outside_of_functions(f"tf.io.{op} reads the bytes of strings")
    tensor = ops.to_tensor(value, None if ops.is_tensor_like(value) else string)
    if tensor.dtype is not string:
        raise TypeError(f"{op}: serialized must be strings, got a tensor of {tensor.dtype.name}.")
    return np.asarray(tensor._data)


def _names(example_names) -> list[str]:
    if example_names is None:
        return []
    names = np.asarray(ops.to_tensor(example_names)._data).reshape(-1)
    return [name.decode(errors="replace") for name in names]


def _read(read, layout: Layout, *arguments) -> Any:
    """Return columns of the Examples; errors name the feature and the Example."""
    try:
        return read(layout.serialized, *arguments)
    except WrongKind as error:
        raise InvalidArgumentError(
            f"{layout.where(error.index, error.key)}Data types don't match. Data type: "
            f"{error.stored} but expected type: {error.wanted}"
        ) from None
    except BadExample as error:
        raise InvalidArgumentError(
            f"{layout.where(error.index)}Could not parse example input: {error}"
        ) from None


def _tensors(layout: Layout, plan: Plan, columns: list, is_known: bool) -> dict:
    """Return the tensors that were asked for: some are made of several features."""
    raw, tensors = {}, {}
    for column, values in zip(plan.columns, columns, strict=True):
        if column.row_splits is None:
            tensors[column.key] = layout.feature(column, *values)
        else:
            raw[column.key] = values
            tensors[column.key] = None  # it keeps its place among the results
    for key, feature in plan.composite.items():
        ids = [tensors[index_key] for index_key in index_keys(feature)]
        sizes = feature.size if isinstance(feature.size, (list, tuple)) else [feature.size]
        tensors[key] = _merged(ids, tensors[feature.value_key], sizes, feature.already_sorted)
    for key, feature in plan.ragged.items():
        column = raw.__getitem__ if is_known else None
        values, counts = raw[values_key(key, feature)]
        rows, counts = divided(feature, values, counts, column)
        tensors[key] = layout.ragged_feature(rows, counts, feature.row_splits_dtype)
    return {key: value for key, value in tensors.items() if key in plan.asked}


def _ragged_sequences(layout: Layout, plan: Plan, raw: dict, is_known: bool) -> dict:
    tensors = {}
    for key, feature in plan.ragged.items():
        values, counts, steps = raw[values_key(key, feature)]

        def column(name, steps=steps):
            numbers, groups, other_steps = raw[name]
            if not np.array_equal(np.maximum(steps, 0), np.maximum(other_steps, 0)):
                raise InvalidArgumentError(
                    f"RaggedFeature: the feature list {name!r} must have as many steps as the "
                    "one whose values it divides into rows"
                )
            return numbers, groups

        rows, counts = divided(feature, values, counts, column if is_known else None)
        tensors[key] = layout.ragged_sequence(rows, counts, steps, feature.row_splits_dtype)
    return tensors


def _merged(ids: list[SparseTensor], values: SparseTensor, sizes, is_sorted: bool) -> SparseTensor:
    before = ids[0].indices._host_data()[:, :-1]
    columns = [np.asarray(each.values._data)[:, None] for each in ids]
    if len({len(column) for column in columns} | {values.values.shape[0]}) > 1:
        raise ShapeError("SparseFeature: there must be an index for each value")
    indices = np.concatenate([before, *columns], axis=1)
    shape = [*ids[0].dense_shape._host_data()[:-1].tolist(), *map(int, sizes)]
    merged = SparseTensor(indices, values.values, np.array(shape, np.int64))
    return merged if is_sorted else reorder(merged)


def _parse(layout: Layout, plan: Plan) -> dict:
    count = unknown_count(layout.serialized)
    if count is None:
        columns = _read(example_columns, layout, plan.wanted)
    else:
        columns = unknown_columns(plan.columns, len(layout.serialized), count)
    return _tensors(layout, plan, columns, count is None)


@export("io.parse_example")
def parse_example(serialized, features: Mapping[str, Any], example_names=None, name=None) -> dict:
    """Return the features of serialized Examples: a vector of them, or a single one."""
    if not features:
        raise ValueError("Argument `features` cannot be None.")
    plan = _plan(features, _OF_EXAMPLES)
    array = _strings(serialized, "parse_example")
    if array.ndim == 0:
        return _parse(Single(array, _names(example_names)), plan)
    if array.ndim != 1:
        raise ShapeError(
            f"Expected serialized to be a scalar or vector, got shape {list(array.shape)}"
        )
    return _parse(Batch(array, _names(example_names)), plan)


@export("io.parse_single_example")
def parse_single_example(
    serialized, features: Mapping[str, Any], example_names=None, name=None
) -> dict:
    """Return the features of one serialized Example."""
    if not features:
        raise ValueError("Invalid argument: features cannot be None.")
    plan = _plan(features, _OF_EXAMPLES)
    array = _scalar(serialized, "parse_single_example")
    return _parse(Single(array, _names(example_names)), plan)


def _scalar(serialized, op: str) -> np.ndarray:
    array = _strings(serialized, op)
    if array.ndim:
        raise ValueError(f"Input serialized must be a scalar, got shape {list(array.shape)}")
    return array


def _plans_of_sequences(context_features, sequence_features) -> tuple[Plan, Plan]:
    if not (context_features or sequence_features):
        raise ValueError(
            "Both `context_features` and `sequence_features` argument are None, but at least one "
            "should have values."
        )
    return (
        _plan(context_features, _OF_CONTEXTS),
        _plan(sequence_features, _OF_SEQUENCES, in_sequences=True),
    )


def _parse_sequences(layout: Layout, context: Plan, sequences: Plan) -> tuple[dict, dict, dict]:
    count, examples = unknown_count(layout.serialized), len(layout.serialized)
    if count is None:
        columns, lists = _read(sequence_columns, layout, context.wanted, sequences.wanted)
    else:
        columns = unknown_columns(context.columns, examples, count)
        lists = unknown_sequences(sequences.columns, examples, count)
    tensors = _tensors(layout, context, columns, count is None)
    steps, lengths, raw = {}, {}, {}
    for column, values in zip(sequences.columns, lists, strict=True):
        if column.row_splits is not None:
            raw[column.key] = values
            continue
        steps[column.key] = layout.sequence(column, *values)
        if column.shape is not None:
            lengths[column.key] = layout.lengths(values[2])
    return tensors, steps | _ragged_sequences(layout, sequences, raw, count is None), lengths


@export("io.parse_sequence_example")
def parse_sequence_example(
    serialized, context_features=None, sequence_features=None, example_names=None, name=None
) -> tuple[dict, dict, dict]:
    """Return context, sequences and lengths of sequences, of a vector of SequenceExamples."""
    plans = _plans_of_sequences(context_features, sequence_features)
    array = _strings(serialized, "parse_sequence_example")
    if array.ndim > 1:
        raise ShapeError(
            f"Expected serialized to be a scalar or vector, got shape {list(array.shape)}"
        )
    layout = Batch if array.ndim else Single
    return _parse_sequences(layout(array, _names(example_names)), *plans)


@export("io.parse_single_sequence_example")
def parse_single_sequence_example(
    serialized, context_features=None, sequence_features=None, example_name=None, name=None
) -> tuple[dict, dict]:
    """Return context and sequences of one SequenceExample."""
    plans = _plans_of_sequences(context_features, sequence_features)
    array = _scalar(serialized, "parse_single_sequence_example")
    return _parse_sequences(Single(array, _names(example_name)), *plans)[:2]
