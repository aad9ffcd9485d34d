"""Rows of sparse and ragged tensors and of extension types: datasets slice and batch them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from gradtape.api import nests
from gradtape.api.sparse.tensor import SparseTensor
from gradtape.api.specs import CompositeTensor
from gradtape.core.errors import InvalidArgumentError
from gradtape.core.protocols import is_ragged, is_ragged_spec
from gradtape.core.tensor import Tensor
from gradtape.data import structure


def _sparse(indices: np.ndarray, values: np.ndarray, shape: Sequence[int]) -> SparseTensor:
    return SparseTensor(Tensor(indices), Tensor(values), Tensor(np.array(shape, np.int64)))


class CompositeRows:
    """Stands where a dense component has its array: `len(rows)`, `rows[i:j]`."""

    def __len__(self) -> int:
        raise NotImplementedError

    def __getitem__(self, where: slice) -> Any:
        raise NotImplementedError

    def row(self, index: int) -> Any:
        """Return one row."""
        raise NotImplementedError

    def take(self, where: Any) -> Any:
        """Return the rows that a slice or an array of numbers names."""
        raise NotImplementedError

    def whole(self) -> Any:
        """Return the tensor of all rows."""
        raise NotImplementedError

    @staticmethod
    def joined(pieces: Sequence[Any]) -> Any:
        """Return the tensor of the rows of several pieces."""
        raise NotImplementedError


class SparseRows(CompositeRows):
    """The rows of a sparse tensor."""

    def __init__(self, indices: np.ndarray, values: np.ndarray, shape: tuple[int, ...]) -> None:
        self.indices, self.values, self.shape = indices, values, shape
        # Row i has the values from starts[i] to starts[i + 1].
        self.starts = np.searchsorted(indices[:, 0], np.arange(shape[0] + 1))

    @classmethod
    def of(cls, sparse: SparseTensor) -> SparseRows:
        indices, values, shape = (
            np.asarray(structure.component(part)._data)
            for part in (sparse.indices, sparse.values, sparse.dense_shape)
        )
        if len(shape) < 2:
            raise InvalidArgumentError(
                f"Rank of input SparseTensor should be > 1, but saw rank: {len(shape)}. Make it "
                "dense, with tf.sparse.to_dense."
            )
        wrong = _first_out_of_order(indices)
        if wrong:
            raise InvalidArgumentError(
                f"indices[{wrong}] = {indices[wrong].tolist()} is out of order. Many sparse ops "
                "require sorted indices. Use `tf.sparse.reorder` to create a correctly ordered "
                "copy."
            )
        return cls(indices, values, tuple(shape.tolist()))

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, where: slice) -> SparseRows:
        first, last, _ = where.indices(len(self))
        last = max(first, last)
        kept = slice(self.starts[first], self.starts[last])
        indices = self.indices[kept] - np.eye(1, len(self.shape), dtype=np.int64) * first
        return SparseRows(indices, self.values[kept], (last - first, *self.shape[1:]))

    def row(self, index: int) -> SparseTensor:
        kept = slice(self.starts[index], self.starts[index + 1])
        return _sparse(self.indices[kept, 1:], self.values[kept], self.shape[1:])

    def take(self, where: Any) -> SparseTensor:
        where = _numbers(where, len(self))
        begins = self.starts[where]
        counts = self.starts[where + 1] - begins
        rows = np.repeat(np.arange(len(where)), counts)
        kept = np.arange(len(rows)) + np.repeat(begins - (np.cumsum(counts) - counts), counts)
        indices = np.concatenate([rows[:, None], self.indices[kept, 1:]], 1)
        return _sparse(indices, self.values[kept], (len(where), *self.shape[1:]))

    def whole(self) -> SparseTensor:
        return _sparse(self.indices, self.values, self.shape)

    @staticmethod
    def joined(pieces: Sequence[SparseRows]) -> SparseTensor:
        before = np.cumsum([0, *(len(piece) for piece in pieces)])
        first = np.eye(1, len(pieces[0].shape), dtype=np.int64)
        indices = [piece.indices + first * n for piece, n in zip(pieces, before[:-1], strict=True)]
        shape = np.max([piece.shape[1:] for piece in pieces], axis=0)
        values = np.concatenate([piece.values for piece in pieces])
        return _sparse(np.concatenate(indices), values, (int(before[-1]), *shape.tolist()))


def _numbers(where: Any, count: int) -> np.ndarray:
    return np.arange(*where.indices(count)) if isinstance(where, slice) else np.asarray(where)


class RaggedRows(CompositeRows):
    """The rows of a ragged tensor."""

    def __init__(self, ragged: Any) -> None:
        # Gradients do not flow through a pipeline.
        parts = [structure.component(part) for part in ragged._component_tensors()]
        self.ragged = ragged._with_components(parts)

    @property
    def are_dense(self) -> bool:
        """Whether each row is a tensor; a batch of them is a ragged tensor nevertheless."""
        return self.ragged.ragged_rank == 1

    def __len__(self) -> int:
        return self.ragged.shape[0]

    def __getitem__(self, where: slice) -> RaggedRows:
        return RaggedRows(self.ragged[where])

    def row(self, index: int) -> Any:
        return self.ragged[int(index)]

    def take(self, where: Any) -> Any:
        from gradtape.api.ragged.rows import take_rows

        return take_rows(self.ragged, _numbers(where, len(self)))

    def whole(self) -> Any:
        return self.ragged

    @staticmethod
    def joined(pieces: Sequence[RaggedRows]) -> Any:
        from gradtape.api.ragged.arrays import concat

        return concat([piece.ragged for piece in pieces], 0)


def stack_ragged(rows: Sequence[Any], dtype: Any = None) -> Any:
    """Return tensors of different sizes, or ragged ones, as one with a new first axis."""
    from gradtape.api.ragged.arrays import stack

    result = stack(list(rows))
    return result if dtype is None else result.with_row_splits_dtype(dtype)


def _first_out_of_order(indices: np.ndarray) -> int:
    """Return the first row of indices that does not follow the one before it; 0 if none."""
    steps = np.diff(indices, axis=0)
    if not len(steps):
        return 0
    leading = np.take_along_axis(steps, (steps != 0).argmax(1)[:, None], 1)[:, 0]
    wrong = leading <= 0
    return int(wrong.argmax()) + 1 if wrong.any() else 0


def stack_sparse(rows: Sequence[SparseTensor], index: int) -> SparseTensor:
    """Return sparse tensors as one, with a new first axis; as large as the largest of them."""
    parts = [
        [structure.component(p)._data for p in (x.indices, x.values, x.dense_shape)] for x in rows
    ]
    if len({len(shape) for _, _, shape in parts}) > 1:
        raise InvalidArgumentError(
            f"Cannot batch sparse tensors of different ranks in component {index}. "
            "[Op:IteratorGetNext]"
        )
    indices = [np.insert(indices, 0, row, axis=1) for row, (indices, _, _) in enumerate(parts)]
    shape = np.max([shape for _, _, shape in parts], axis=0)
    values = np.concatenate([values for _, values, _ in parts])
    return _sparse(np.concatenate(indices), values, (len(parts), *shape.tolist()))


def rows_in(leaf: Any) -> Any:
    """Return what holds the rows of a component: its array, or its `CompositeRows`."""
    if isinstance(leaf, SparseTensor):
        return SparseRows.of(leaf)
    if is_ragged(leaf):
        return RaggedRows(leaf)
    if encoder_of(leaf) is not None:
        return ExtensionRows.of(leaf)
    return np.asarray(leaf._data) if leaf._has_value else UnboundRows(leaf)


def encoder_of(leaf: Any) -> Any:
    """Return what encodes an extension type's values for batches; None for other components."""
    if not isinstance(leaf, CompositeTensor):
        return None
    return getattr(type(leaf._type_spec), "__batch_encoder__", None)


class UnboundRows:
    """The rows of a tensor of a function being traced: each call of it has others."""

    def __init__(self, tensor: Tensor) -> None:
        self.tensor = tensor

    def __len__(self) -> int:
        return int(self.tensor.shape[0])

    @property
    def dtype(self) -> np.dtype:
        return self.tensor._data.dtype

    def __getitem__(self, index: Any) -> Any:
        return self.tensor.numpy()[index]  # ends the trace


def component_of(rows: Any) -> Any:
    """Return the component that has these rows."""
    return rows.whole() if isinstance(rows, CompositeRows) else Tensor(rows)


class ExtensionRows(CompositeRows):
    """The rows of an extension type's value, as the rows of what its encoder makes of it."""

    def __init__(self, spec: Any, form: Any, parts: list) -> None:
        self.spec = spec  # of all rows together
        self.form = form  # the structure of what the encoder gives
        self.parts = parts

    @classmethod
    def of(cls, value: Any) -> ExtensionRows:
        spec = value._type_spec
        form = encoder_of(value).encode(spec, value, minimum_rank=1)
        parts = [rows_in(each) for each in nests.flatten(form)]
        for part in parts:
            if len(part) != len(parts[0]):
                raise ValueError(
                    f"Dimensions {len(parts[0])} and {len(part)} are not compatible: all tensors "
                    f"of a {type(value).__name__} must have the same number of rows."
                )
        return cls(spec, form, parts)

    def __len__(self) -> int:
        return len(self.parts[0])

    def __getitem__(self, where: slice) -> ExtensionRows:
        return ExtensionRows(self._any_number(), self.form, [part[where] for part in self.parts])

    def row(self, index: int) -> Any:
        from gradtape.data.nodes import row_of

        return self._decoded(self.spec._unbatch(), [row_of(part, index) for part in self.parts])

    def take(self, where: Any) -> Any:
        from gradtape.data.nodes import rows_at

        return self._decoded(self._any_number(), [rows_at(part, where) for part in self.parts])

    def whole(self) -> Any:
        return self._decoded(self.spec, map(component_of, self.parts))

    @staticmethod
    def joined(pieces: Sequence[ExtensionRows]) -> Any:
        from gradtape.data.batching import joined

        first = pieces[0]
        columns = zip(*[piece.parts for piece in pieces], strict=True)
        return first._decoded(first._any_number(), map(joined, columns))

    def _any_number(self) -> Any:
        return self.spec._unbatch()._batch(None)

    def _decoded(self, spec: Any, parts: Iterable[Any]) -> Any:
        made = nests.pack_sequence_as(self.form, list(parts))
        return spec.__batch_encoder__.decode(spec, made)

    def with_parts(self, function: Callable[[Any], Any]) -> ExtensionRows:
        """Return the rows with the function of each part."""
        return ExtensionRows(self.spec, self.form, [function(part) for part in self.parts])


def stack_values(values: Sequence[Any], spec: Any, stack: Callable[[Any], Any]) -> Any:
    """Return values of an extension type as a batch; `stack` makes one component of several.

    `spec`: that of the batch, or None if it has as many values as there are.
    """
    if spec is None:
        spec = values[0]._type_spec._batch(len(values))
    forms = [encoder_of(value).encode(value._type_spec, value) for value in values]
    columns = zip(*[nests.flatten(form) for form in forms], strict=True)
    parts = nests.flatten(spec.__batch_encoder__.encoding_specs(spec))
    # Rows of ragged tensors may be dense ones, of different sizes.
    stacked = [
        stack_ragged(column, part.row_splits_dtype) if is_ragged_spec(part) else stack(column)
        for column, part in zip(columns, parts, strict=True)
    ]
    made = nests.pack_sequence_as(forms[0], stacked)
    return spec.__batch_encoder__.decode(spec, made)
