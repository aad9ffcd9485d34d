"""`tf.io.FixedLenFeature` and its relatives: which features of an Example are wanted, and how."""

from __future__ import annotations

import math
from collections import namedtuple
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from gradtape import ops
from gradtape.api.export import export
from gradtape.api.io.ragged_features import RaggedFeature, partition_keys
from gradtape.core.dtypes import DType, as_dtype, float32, int64, string
from gradtape.core.errors import InvalidArgumentError
from gradtape.core.shape import TensorShape
from gradtape.formats.example_columns import BYTES, FLOAT, INT64

_KINDS = {string: BYTES, float32: FLOAT, int64: INT64}


@export("io.VarLenFeature")
class VarLenFeature(namedtuple("VarLenFeature", ["dtype"])):
    """A feature with any number of values, as a SparseTensor."""

    __slots__ = ()


@export("io.FixedLenFeature")
class FixedLenFeature(
    namedtuple("FixedLenFeature", ["shape", "dtype", "default_value"], defaults=[None])
):
    """A feature of one shape. Without `default_value` every Example must have it."""

    __slots__ = ()


@export("io.FixedLenSequenceFeature")
class FixedLenSequenceFeature(
    namedtuple(
        "FixedLenSequenceFeature",
        ["shape", "dtype", "allow_missing", "default_value"],
        defaults=[False, None],
    )
):
    """A sequence of entries of one shape; in a batch, padded to the longest."""

    __slots__ = ()


@export("io.SparseFeature")
class SparseFeature(
    namedtuple(
        "SparseFeature",
        ["index_key", "value_key", "dtype", "size", "already_sorted"],
        defaults=[False],
    )
):
    """A SparseTensor of two features: the indices of values, and the values."""

    __slots__ = ()


# --- what they mean ------------------------------------------------------------------------------


class Column(NamedTuple):
    """One feature that is read: dense if it has a shape, else sparse or ragged."""

    key: str
    dtype: DType
    kind: int  # of its values, as `formats.example_columns` counts them
    shape: tuple[int, ...] | None
    default: Any  # flat values, None if it is required; of a sequence the one value that pads
    is_sequence: bool
    allow_missing: bool
    row_splits: DType | None = None  # the dtype of its rows, if it is ragged

    @property
    def size(self) -> int:
        """The number of values of one entry."""
        return math.prod(self.shape or ())


class Plan:
    """What a dictionary of features asks for."""

    def __init__(self, features: Mapping, allowed: tuple[type, ...], in_sequences: bool) -> None:
        self._in_sequences = in_sequences
        self._columns: dict[str, Column] = {}
        self.composite: dict[str, SparseFeature] = {}
        self.ragged: dict[str, RaggedFeature] = {}
        for key in sorted(features):
            feature = features[key]
            if not isinstance(feature, allowed):
                raise ValueError(
                    f"Unsupported {type(feature).__name__} for feature {key!r}: {feature}."
                )
            self._add(key, feature)
        self.asked = set(features)
        # As TensorFlow returns them: sparse ones first, ragged ones last.
        self.columns = sorted(self._columns.values(), key=_order)
        self.wanted = tuple((column.key.encode(), column.kind) for column in self.columns)

    def _add(self, key: str, feature) -> None:
        if not feature.dtype:
            raise ValueError(f"Missing type for feature {key}. Received feature={feature}.")
        if isinstance(feature, SparseFeature):
            self._add_sparse(key, feature)
        elif isinstance(feature, RaggedFeature):
            self._add_ragged(key, feature)
        elif isinstance(feature, VarLenFeature):
            self._put(key, feature.dtype)
        elif isinstance(feature, FixedLenSequenceFeature):
            if not self._in_sequences and not feature.allow_missing:
                raise ValueError(
                    "Unsupported: FixedLenSequenceFeature requires allow_missing to be True: "
                    f"feature {key!r}."
                )
            shape = _known_shape(key, feature)
            self._put(key, feature.dtype, shape, feature.default_value, True, feature.allow_missing)
        else:
            self._put(key, feature.dtype, _known_shape(key, feature), feature.default_value)

    def _add_sparse(self, key: str, feature: SparseFeature) -> None:
        for name in ("index_key", "value_key", "size"):
            if not getattr(feature, name):
                raise ValueError(f"Missing {name} for SparseFeature {key}: {feature}.")
        for index_key in index_keys(feature):
            self._put(index_key, int64)
        self._put(feature.value_key, feature.dtype)
        self.composite[key] = feature

    def _add_ragged(self, key: str, feature: RaggedFeature) -> None:
        splits = feature.row_splits_dtype
        self._put(values_key(key, feature), feature.dtype, row_splits=splits)
        for partition_key in partition_keys(feature):
            self._put(partition_key, int64, row_splits=splits)
        self.ragged[key] = feature

    def _put(
        self,
        key,
        dtype,
        shape=None,
        default=None,
        is_sequence=False,
        missing=False,
        row_splits: DType | None = None,
    ) -> None:
        dtype = as_dtype(dtype)
        if dtype not in _KINDS:
            raise InvalidArgumentError(
                f"feature {key!r} cannot be of {dtype.name}: Examples hold float32, int64 and "
                "string. Use tf.cast on what was read."
            )
        made = Column(
            key,
            dtype,
            _KINDS[dtype],
            shape,
            _default(default, dtype, shape, is_sequence),
            is_sequence,
            missing,
            row_splits,
        )
        before = self._columns.get(key)
        if before is not None and (before.dtype, before.shape) != (dtype, shape):
            raise ValueError(
                f"Conflicting type {dtype.name} vs {before.dtype.name} for feature {key}."
            )
        if before is not None and before.row_splits is not row_splits:
            raise ValueError(
                f"Feature {key} is ragged with row splits of {_splits_text(row_splits)} in one "
                f"place and of {_splits_text(before.row_splits)} in another: a feature is sparse "
                "or ragged, and all that use it must agree on row_splits_dtype."
            )
        self._columns[key] = made


def _order(column: Column) -> int:
    return 2 if column.row_splits is not None else int(column.shape is not None)


def _splits_text(dtype: DType | None) -> str:
    return "no dtype (not ragged)" if dtype is None else dtype.name


def values_key(key: str, feature: RaggedFeature) -> str:
    """Return the name of the feature that holds the values."""
    return key if feature.value_key is None else feature.value_key


def index_keys(feature: SparseFeature) -> list[str]:
    """Return the names of the features that hold the indices."""
    keys = feature.index_key
    return [keys] if isinstance(keys, str) else list(keys)


def _known_shape(key: str, feature) -> tuple[int, ...]:
    if feature.shape is None:
        raise ValueError(f"Missing shape for {type(feature).__name__} {key}: {feature}.")
    shape = TensorShape(feature.shape)
    if shape.rank and shape[0] is None:
        raise ValueError(
            f"First dimension of shape for feature {key} unknown. Consider using "
            "FixedLenSequenceFeature."
        )
    if not shape.is_fully_defined():
        raise ValueError(
            f"All dimensions of shape for feature {key} need to be known but received {shape}."
        )
    return tuple(size or 0 for size in shape)


def _default(value, dtype: DType, shape, is_sequence: bool) -> np.ndarray | None:
    """Return the values that stand for missing ones."""
    if is_sequence:
        value = (b"" if dtype is string else 0) if value is None else value
        shape = ()
    if value is None:
        return None
    tensor = ops.to_tensor(value, dtype)
    return np.asarray(ops.reshape(tensor, shape)._data).reshape(-1)
