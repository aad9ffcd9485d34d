"""Where elements come from: tensors, slices, ranges, generators, random numbers."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np

from gradtape import ops
from gradtape.api.sparse.tensor import SparseTensor
from gradtape.api.specs import CompositeTensor, TensorSpec, TypeSpec, spec_of
from gradtape.core.brief import brief
from gradtape.core.convert import static_value
from gradtape.core.dtypes import as_dtype, int64
from gradtape.core.errors import DTypeError, InvalidArgumentError, ShapeError
from gradtape.core.protocols import is_ragged
from gradtape.core.shape import TensorShape
from gradtape.core.tensor import Tensor
from gradtape.data import structure
from gradtape.data.composite_rows import encoder_of, rows_in
from gradtape.data.nodes import INFINITE, PipelineNode, Table, drop_first
from gradtape.data.seeding import SeedStream, random_words
from gradtape.data.specs import check_batchable, row_spec


class Elements(PipelineNode):
    """A list of elements."""

    name = "_TensorDataset"

    def __init__(self, elements: list, spec=None) -> None:
        self.elements = elements
        self._spec = spec

    def stream(self, skip=0, rows=False):
        return iter(self.elements[skip:] if skip else self.elements)

    def cardinality(self):
        return len(self.elements)

    def spec(self):
        if self._spec is None:
            self._spec = structure.map_structure(spec_of, self.elements[0])
        return self._spec


class Slices(PipelineNode):
    """The rows of tensors along their first axis."""

    name = "_TensorSliceDataset"

    def __init__(self, tensors) -> None:
        tensors = structure.normalize_source(tensors)
        leaves = structure.flatten(tensors)
        if not leaves:
            raise ValueError("Invalid `tensors`. `tensors` should not be empty.")
        for leaf in leaves:
            if isinstance(leaf, CompositeTensor):
                check_batchable(leaf._type_spec)
            is_batchable = is_ragged(leaf) or encoder_of(leaf) is not None
            if not (isinstance(leaf, (Tensor, SparseTensor)) or is_batchable):
                raise TypeError(
                    f"from_tensor_slices: cannot slice a {type(leaf).__name__}: components must be "
                    "tensors."
                )
            if isinstance(leaf, Tensor) and leaf.ndim == 0:
                raise ValueError(
                    "Unbatching a tensor is only supported for rank >= 1, but a component of "
                    f"`tensors` is a scalar: {brief(leaf)}. Use from_tensors for a single element."
                )
        arrays = [rows_in(leaf) for leaf in leaves]
        for array in arrays:
            if len(array) != len(arrays[0]):
                raise ValueError(
                    f"Dimensions {len(arrays[0])} and {len(array)} are not compatible: all "
                    "components of from_tensor_slices must have the same length."
                )
        self.table = Table(tensors, arrays)

    def stream(self, skip=0, rows=False):
        numbers = iter(range(skip, self.table.length))
        return numbers if rows else map(self.table.row, numbers)

    def cardinality(self):
        return self.table.length

    def spec(self):
        return structure.map_structure(lambda x: row_spec(spec_of(x)), self.table.form)


class _Progression(Table):
    """The numbers start, start + step, … without an array that holds them."""

    def __init__(self, start: int, step: int, length: int, dtype: np.dtype) -> None:
        self.start, self.step, self.length, self.dtype = start, step, length, dtype
        self.form = None
        self.arrays = []

    def row(self, index):
        return Tensor(self.dtype.type(self.start + index * self.step))

    def take(self, indices):
        numbers = np.array(indices, np.int64) * self.step + self.start
        return Tensor(numbers.astype(self.dtype))


class Range(PipelineNode):
    """Integers in steps."""

    name = "_RangeDataset"

    def __init__(self, start: int, stop: int | None, step: int, dtype) -> None:
        if step == 0:
            raise InvalidArgumentError("Dataset.range: step must be a non-zero integer.")
        bounds = (start, step) if stop is None else (start, stop, step)
        if any(abs(bound) >= 2**63 for bound in bounds):
            raise ValueError(f"Dataset.range: the bounds must be 64-bit integers, got {bounds}.")
        length = INFINITE if stop is None else max(-((start - stop) // step), 0)
        self.dtype = as_dtype(dtype)
        self.table = _Progression(start, step, length, self.dtype.dtype)

    def stream(self, skip=0, rows=False):
        length = self.table.length
        numbers = itertools.count(skip) if length == INFINITE else iter(range(skip, length))
        return numbers if rows else map(self.table.row, numbers)

    def cardinality(self):
        return self.table.length

    def spec(self):
        return TensorSpec((), self.dtype)


class RandomSource(PipelineNode):
    """Random 32-bit words, as int64."""

    name = "_RandomDataset"

    def __init__(self, seed, fresh: bool) -> None:
        self.seeds = SeedStream(seed, fresh)

    def stream(self, skip=0, rows=False):
        numbers = drop_first(random_words(*self.seeds.next_pair()), skip)
        return (Tensor(np.int64(number)) for number in numbers)

    def cardinality(self):
        return INFINITE

    def spec(self):
        return TensorSpec((), int64)


class GeneratorSource(PipelineNode):
    """What a Python generator yields, checked against a signature."""

    name = "_FlatMapDataset"

    def __init__(self, function: Callable, signature, arguments: tuple) -> None:
        if not callable(function):
            raise TypeError("`generator` must be a Python callable.")
        self.function = function
        self.signature = signature
        self.arguments = [static_value(ops.to_tensor(each)) for each in arguments]

    def stream(self, skip=0, rows=False):
        return drop_first(map(self._check, _iterate(self.function, self.arguments)), skip)

    def _check(self, values):
        try:
            parts = structure.flatten_up_to(self.signature, values)
        except TypeError as error:
            raise DTypeError(
                "`generator` yielded an element that did not match the expected structure. The "
                f"expected structure was {self.signature!r}, but the yielded element was "
                f"{brief(values)}."
            ) from error
        specs = structure.flatten(self.signature)
        flat = [_conforming(part, spec) for part, spec in zip(parts, specs, strict=True)]
        return structure.pack(self.signature, flat)

    def spec(self):
        return self.signature


def _iterate(function, arguments):
    """Return a generator that calls the function when its first element is wanted, not before."""
    yield from function(*arguments)


def _conforming(value, spec):
    """Return a yielded value as the component that the signature promises."""
    if not isinstance(spec, TensorSpec):
        if not (isinstance(spec, TypeSpec) and spec.is_compatible_with(value)):
            raise DTypeError(f"`generator` yielded {brief(value)} where {spec!r} was expected.")
        return structure.component(value)
    if ops.is_tensor_like(value):
        tensor = structure.component(value)
        fits = tensor.dtype is spec.dtype
    else:
        try:
            tensor, fits = ops.to_tensor(value, spec.dtype), True
        except (TypeError, ValueError):
            tensor, fits = None, False
    if not fits:
        raise DTypeError(
            "`generator` yielded an element that could not be converted to the expected type. "
            f"The expected type was {spec.dtype.name}, but the yielded element was {brief(value)}."
        )
    assert isinstance(tensor, Tensor)
    if not spec.shape.is_compatible_with(tensor.shape):
        raise ShapeError(
            f"TypeError: `generator` yielded an element of shape {tensor.shape} where an element "
            f"of shape {spec.shape} was expected."
        )
    return tensor


def generator_signature(output_types, output_shapes, output_signature):
    """Return the signature of `from_generator`, from either form of its arguments."""
    if output_signature is not None:
        if output_types is not None or output_shapes is not None:
            raise TypeError(
                "The `output_signature` argument can not be used together with `output_types` or "
                "`output_shapes`."
            )
        for spec in structure.flatten(output_signature):
            if not isinstance(spec, TypeSpec):
                raise TypeError(
                    "`output_signature` must contain objects that are subclass of `tf.TypeSpec` "
                    f"but found {type(spec)} which is not."
                )
        return output_signature
    if output_types is None:
        raise TypeError("Either `output_types` or `output_signature` must be specified.")
    if output_shapes is None:
        return structure.map_structure(lambda t: TensorSpec(None, t), output_types)
    shapes = structure.flatten_up_to(output_types, _shapes_as_leaves(output_types, output_shapes))
    types = structure.flatten(output_types)
    specs = [TensorSpec(s, t) for s, t in zip(shapes, types, strict=True)]
    return structure.pack(output_types, specs)


def _shapes_as_leaves(types, shapes):
    """Return `shapes` with a TensorShape wherever `types` has a component."""
    if not structure.is_nested(types):
        return TensorShape(shapes)
    if isinstance(types, dict):
        return {key: _shapes_as_leaves(types[key], shapes[key]) for key in types}
    pairs = zip(types, shapes, strict=True)
    return tuple(_shapes_as_leaves(one, other) for one, other in pairs)
