"""Nodes that group elements and split them: batch, padded_batch, unbatch, rebatch."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from functools import partial

import numpy as np

from gradtape import ops
from gradtape.api.sparse.tensor import SparseTensor
from gradtape.api.specs import TensorSpec, tensor_specs
from gradtape.core.brief import brief
from gradtape.core.convert import is_tensor_like, static_value
from gradtape.core.dtypes import string
from gradtape.core.errors import DataLossError, InvalidArgumentError
from gradtape.core.protocols import is_ragged
from gradtape.core.shape import TensorShape, has_all_sizes
from gradtape.core.tensor import Tensor
from gradtape.data import composite_rows, structure
from gradtape.data.composite_rows import (
    CompositeRows,
    ExtensionRows,
    RaggedRows,
    component_of,
    rows_in,
    stack_values,
)
from gradtape.data.nodes import (
    END,
    UNKNOWN,
    Failure,
    PipelineNode,
    UnaryNode,
    attempts,
    chained,
    drop_first,
    resumed,
    row_of,
)
from gradtape.data.specs import batched_spec, row_spec


def stack_elements(elements: list, ragged: frozenset = frozenset(), spec: Callable = lambda: None):
    """Return elements as one, with a new first axis; `ragged`: which components may differ in
    size; `spec`: a function that returns the spec of the result."""
    first = elements[0]
    if type(first) is Tensor and not ragged:
        return stack_column(elements, 0)
    columns = list(zip(*map(structure.flatten, elements), strict=True))
    specs: list = [None] * len(columns)
    if any(composite_rows.encoder_of(column[0]) is not None for column in columns):
        specs = structure.flatten(spec()) if spec() is not None else specs
    flat = [
        composite_rows.stack_ragged(column) if i in ragged else stack_column(column, i, specs[i])
        for i, column in enumerate(columns)
    ]
    return structure.pack(first, flat)


def _ragged_components(node: PipelineNode) -> frozenset:
    """Return which components of elements are rows of a ragged tensor, though each is dense."""
    while isinstance(node, UnaryNode) and type(node).spec is UnaryNode.spec:
        node = node.source
    arrays = getattr(node.table, "arrays", ())
    return frozenset(
        i for i, each in enumerate(arrays) if isinstance(each, RaggedRows) and each.are_dense
    )


def stack_column(column, index: int, spec=None):
    """Return one component of several elements as that of their batch, of this spec."""
    if column[0] is None:
        return None
    if any(is_ragged(item) for item in column):
        return composite_rows.stack_ragged(column)
    if all(isinstance(item, SparseTensor) for item in column):
        return composite_rows.stack_sparse(column, index)
    if composite_rows.encoder_of(column[0]) is not None:
        return stack_values(column, spec, partial(stack_column, index=index))
    if not all(isinstance(item, Tensor) for item in column):
        raise TypeError(
            f"Batching of values of type {type(column[0]).__name__} is not supported. Batch "
            "their elements instead, for instance with flat_map(lambda window: window.batch(n))."
        )
    arrays = [np.asarray(item._data) for item in column]
    first = arrays[0]
    for number, array in enumerate(arrays):
        if array.shape != first.shape:
            raise InvalidArgumentError(
                f"Cannot batch tensors with different shapes in component {index}. First element "
                f"had shape {list(first.shape)} and element {number} had shape "
                f"{list(array.shape)}. Use padded_batch, or make the shapes equal in map. "
                "[Op:IteratorGetNext]"
            )
        if array.dtype != first.dtype:
            raise InvalidArgumentError(
                f"Cannot batch tensors of different dtypes in component {index}: "
                f"{column[0].dtype.name} and {column[number].dtype.name}. [Op:IteratorGetNext]"
            )
    return Tensor(np.stack(arrays))


def check_size(size: int, what: str = "batch_size") -> int:
    if size < 1:
        raise InvalidArgumentError(f"{what} must be greater than zero, got {size}.")
    return size


def chunks(stream, size: int, drop: bool, whole: bool = False):
    """Return lists of `size` items; the last may be shorter, unless that is to be dropped.

    An error takes the place of a list: with what was read before it, or, with `whole`, with all
    that the list would have."""
    return resumed(_chunks(attempts(stream) if whole else stream, size, drop, whole))


def _chunks(stream, size: int, drop: bool, whole: bool):
    while True:
        items, failure = [], None
        try:
            items = list(itertools.islice(stream, size))
            if whole:
                failure = next((item for item in items if type(item) is Failure), None)
        except Exception as error:  # any of the program, raised by `resumed`
            failure = Failure(error)
        if failure is not None:
            yield failure
            continue
        if not items or (drop and len(items) < size):
            return
        yield items


def _is_extension(rows) -> bool:
    return isinstance(rows, ExtensionRows)


def _batch_count(length: int, size: int, drop: bool) -> int:
    if length < 0:
        return length
    return length // size if drop else -(-length // size)


class Batch(UnaryNode):
    """Elements in batches."""

    name = "_BatchDataset"

    def __init__(self, source: PipelineNode, size: int, drop: bool) -> None:
        super().__init__(source)
        self.size = check_size(size)
        self.drop = drop

    def stream(self, skip=0, rows=False):
        table = self.source.table
        if table is not None and not any(map(_is_extension, table.arrays)):
            numbers = self.source.stream(skip * self.size, rows=True)
            return map(table.take, chunks(numbers, self.size, self.drop))
        # TensorFlow computes `map` and `batch` as one step, which an error costs a whole batch.
        whole = self.source.name in ("_MapDataset", "_ParallelMapDataset")
        groups = chunks(self.source.stream(skip * self.size), self.size, self.drop, whole)
        ragged = _ragged_components(self.source)
        return map(partial(stack_elements, ragged=ragged, spec=self.spec), groups)

    def cardinality(self):
        return _batch_count(self.source.cardinality(), self.size, self.drop)

    def spec(self):
        size = self.size if self.drop else None
        return structure.map_structure(lambda s: batched_spec(s, size), self.source.spec())


class PaddedBatch(Batch):
    """Elements of different shapes in batches, padded at their ends."""

    name = "_PaddedBatchDataset"

    def __init__(self, source, size, shapes, values, drop) -> None:
        super().__init__(source, size, drop)
        self.shapes, self.values = shapes, values
        self._arguments: tuple[list, list] | None = None

    def stream(self, skip=0, rows=False):
        groups = chunks(self.source.stream(skip * self.size), self.size, self.drop)
        return map(self._padded, groups)

    def _padded(self, elements: list):
        first = elements[0]
        if self._arguments is None:
            self._arguments = (
                padded_shapes(self.shapes, first),
                _padding_values(self.values, first),
            )
        columns = zip(*map(structure.flatten, elements), strict=True)
        flat = [_pad(*parts) for parts in zip(columns, *self._arguments, strict=True)]
        return structure.pack(first, flat)

    def spec(self):
        source = self.source.spec()
        size = self.size if self.drop else None
        shapes = padded_shapes(self.shapes, source)
        flat = [
            TensorSpec(
                TensorShape([size]).concatenate(
                    TensorShape([None] * len(spec.shape)) if shape is None else shape
                ),
                spec.dtype,
            )
            for spec, shape in zip(structure.flatten(source), shapes, strict=True)
        ]
        return structure.pack(source, flat)


def padded_shapes(shapes, element) -> list[TensorShape | None]:
    """Return, for each component, the shape to pad to; None: the largest of the batch in every
    axis."""
    for leaf in structure.flatten(element):
        if not hasattr(leaf, "dtype"):  # a dataset, say: of a window
            raise _no_tensor(leaf)
    count = len(structure.flatten(element))
    if shapes is None:
        return [None] * count
    if not structure.is_nested(element):
        return [_as_shape(shapes)]
    return [
        _as_shape(part)
        for part in structure.flatten_up_to(element, _lists_to_tuples(shapes, element))
    ]


def _lists_to_tuples(shapes, element):
    """Return shapes with lists as tuples where the element is a tuple."""
    if isinstance(element, tuple) and isinstance(shapes, list):
        shapes = tuple(shapes)
    return shapes


def _as_shape(value) -> TensorShape:
    if is_tensor_like(value):
        value = static_value(value).tolist()
    if isinstance(value, TensorShape):
        return value
    if value is None:
        return TensorShape(None)
    sizes = list(value) if isinstance(value, (list, tuple, np.ndarray)) else [value]
    return TensorShape([None if size is None or size == -1 else int(size) for size in sizes])


def _padding_values(values, element) -> list:
    leaves = structure.flatten(element)
    if values is None or not structure.is_nested(values):
        parts = [values] * len(leaves)
    else:
        parts = structure.flatten_up_to(element, values)
    return [_padding(value, leaf) for value, leaf in zip(parts, leaves, strict=True)]


def _padding(value, leaf):
    """Return the scalar that fills up a component."""
    if value is None:
        return b"" if leaf.dtype is string else 0
    tensor = ops.to_tensor(value, None if is_tensor_like(value) else leaf.dtype)
    if tensor.dtype is not leaf.dtype:
        raise TypeError(
            f"Mismatched type between padding value {brief(value)} and input dataset's component "
            f"of type {leaf.dtype.name}: {tensor.dtype.name}."
        )
    if tensor.ndim:
        raise ValueError(f"Padding value should be a scalar, but got {brief(value)}.")
    return tensor.numpy()


def _no_tensor(component) -> TypeError:
    return TypeError(
        "`padded_batch` is only supported for datasets that produce tensor elements, but a "
        f"component is a {type(component).__name__}. Use batch, which needs no padding for it; "
        "for a dataset, flat_map(lambda window: window.padded_batch(n))."
    )


def _pad(column, shape: TensorShape | None, value):
    if not all(isinstance(item, Tensor) for item in column):
        raise _no_tensor(column[0])
    arrays = [np.asarray(item._data) for item in column]
    rank = arrays[0].ndim
    largest = [max(array.shape[axis] for array in arrays) for axis in range(rank)]
    if shape is not None and shape.rank is not None:
        if len(shape) != rank:
            raise ValueError(
                f"The padded shape {shape} is not compatible with the shape {column[0].shape} of "
                "the corresponding input component."
            )
        sizes = [size if size is not None else most for size, most in zip(shape, largest)]  # noqa: B905
    else:
        sizes = largest
    if any(most > size for most, size in zip(largest, sizes, strict=True)):
        raise DataLossError(
            f"Attempted to pad to a smaller size than the input element: to {sizes}, where the "
            f"batch needs {largest}. [Op:IteratorGetNext]"
        )
    out = np.full((len(arrays), *sizes), value, arrays[0].dtype)
    for row, array in zip(out, arrays, strict=True) if rank else ():
        row[tuple(map(slice, array.shape))] = array
    if not rank:
        out[:] = [array[()] for array in arrays]
    return Tensor(out)


class Unbatch(UnaryNode):
    """The rows of each element."""

    name = "_UnbatchDataset"

    def stream(self, skip=0, rows=False):
        return drop_first(resumed(chained(map(rows_of, self.source.stream()))), skip)

    def cardinality(self):
        length = self.source.cardinality()
        if length <= 0:
            return length
        size = tensor_specs(structure.flatten(self.source.spec())[:1])[0].shape[:1]
        return length * size[0] if size and has_all_sizes(size) else UNKNOWN

    def spec(self):
        return structure.map_structure(row_spec, self.source.spec())


def _shape(leaf) -> TensorShape:
    if composite_rows.encoder_of(leaf) is not None:
        return TensorShape([len(rows_in(leaf))])
    return leaf.shape


def _length(element) -> int:
    shapes = [_shape(leaf) for leaf in structure.flatten(element) if leaf is not None]
    for shape in shapes:
        if not shape.rank:
            raise ValueError("Cannot unbatch an input with scalar components.")
        if shape[0] != shapes[0][0]:
            raise InvalidArgumentError(
                "Input tensors must have the same size in the first dimension, got "
                f"{shapes[0][0]} and {shape[0]}. [Op:IteratorGetNext]"
            )
    return shapes[0][0]


def rows_of(element):
    """Yield the rows of one element, each an element."""
    length = _length(element)
    leaves = structure.flatten(element)
    arrays = [None if leaf is None else rows_in(leaf) for leaf in leaves]
    for index in range(length):
        flat = [None if array is None else row_of(array, index) for array in arrays]
        yield structure.pack(element, flat)


class Rebatch(UnaryNode):
    """Batches of other sizes."""

    name = "_RebatchDataset"

    def __init__(self, source: PipelineNode, sizes: list[int], drop: bool) -> None:
        super().__init__(source)
        self.sizes = [check_size(size) for size in sizes]
        self.drop = drop

    def stream(self, skip=0, rows=False):
        return drop_first(resumed(self._slide(attempts(self.source.stream()))), skip)

    def _slide(self, source):
        held: list = []  # elements whose rows are still to be given out
        available = 0
        for size in itertools.cycle(self.sizes):
            while available < size:
                element = next(source, END)
                if element is END:
                    break
                if type(element) is Failure:  # as of a batch, it costs what was read before it
                    yield element
                    held, available = [], 0
                    continue
                available += _length(element)
                held.append(element)
            if not available or (available < size and self.drop):
                return
            count = min(size, available)
            batch, held = _front(held, count)
            available -= count
            yield batch

    def cardinality(self):
        batches = Unbatch(self.source).cardinality()
        if batches < 0 or len(self.sizes) > 1:
            return batches if batches < 0 else UNKNOWN
        return _batch_count(batches, self.sizes[0], self.drop)

    def spec(self):
        size = self.sizes[0] if self.drop and len(self.sizes) == 1 else None
        return structure.map_structure(
            lambda spec: batched_spec(row_spec(spec), size), self.source.spec()
        )


def _front(held: list, count: int):
    """Return the first rows of some elements as one, and what is left of them."""
    form = held[0]
    taken: list[list] = []
    while count:
        element = held.pop(0)
        length = _length(element)
        parts = [rows_in(leaf) for leaf in structure.flatten(element)]
        taken.append([part[:count] for part in parts])
        if length > count:
            rest = [component_of(part[count:]) for part in parts]
            held.insert(0, structure.pack(element, rest))
        count -= min(count, length)
    columns = zip(*taken, strict=True)
    return structure.pack(form, [joined(column) for column in columns]), held


def joined(column):
    """Return the component that has the rows of several, one after the other."""
    if len(column) == 1:
        return component_of(column[0])
    if isinstance(column[0], CompositeRows):
        return column[0].joined(column)
    return Tensor(np.concatenate(column))
