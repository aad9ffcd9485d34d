"""What is known of a value without the value: `TensorSpec` and its relatives."""

from __future__ import annotations

import abc

import numpy as np

from gradtape import ops
from gradtape.api import nests
from gradtape.api.export import export
from gradtape.core import nest
from gradtape.core.brief import brief
from gradtape.core.dtypes import as_dtype, float32, int64
from gradtape.core.protocols import has_tensor_specs, has_type_spec
from gradtape.core.shape import TensorShape
from gradtape.core.tensor import Tensor
from gradtape.engine.indexed_slices import IndexedSlices
from gradtape.engine.variable import Variable


@export("TypeSpec")
class TypeSpec:
    """A description of values: what `tf.function` signatures and datasets are written with."""

    # A class of composites of a program's own overrides these, as TensorFlow asks: how a value
    # becomes a structure of tensors and back, and what describes that structure.

    def _serialize(self):
        """Return what the spec's class needs to make the spec again."""
        raise NotImplementedError(f"{type(self).__name__}._serialize")

    def _to_components(self, value):
        """Return the tensors that a value is made of."""
        raise NotImplementedError(f"{type(self).__name__}._to_components")

    def _from_components(self, components):
        """Return a value made of tensors."""
        raise NotImplementedError(f"{type(self).__name__}._from_components")

    @property
    def _component_specs(self):
        raise NotImplementedError(f"{type(self).__name__}._component_specs")

    @classmethod
    def _deserialize(cls, serialization):
        return cls(*serialization)

    def _with_tensor_ranks_only(self):
        return self

    def _without_tensor_names(self):
        return self

    @staticmethod
    def __make_cmp_key(value):
        """Return a key, for comparisons, of what a spec is made of."""
        if isinstance(value, dict):
            pairs = [(key, TypeSpec.__make_cmp_key(value[key])) for key in sorted(value)]
            return (dict, *pairs)
        if isinstance(value, (list, tuple)):
            return (type(value), *(TypeSpec.__make_cmp_key(item) for item in value))
        if isinstance(value, np.ndarray):
            return (np.ndarray, value.shape, TypeSpec.__make_cmp_key(value.tolist()))
        if isinstance(value, TensorShape):
            return (TensorShape, None if value.rank is None else tuple(value.as_list()))
        return value

    @staticmethod
    def __is_compatible(a, b) -> bool:
        """Return whether two serialized specs could describe one value."""
        if isinstance(a, (list, tuple)):
            alike = type(a) is type(b) and len(a) == len(b)
            return alike and all(map(TypeSpec.__is_compatible, a, b))
        if isinstance(a, dict):
            alike = type(a) is type(b) and a.keys() == b.keys()
            return alike and all(TypeSpec.__is_compatible(a[key], b[key]) for key in a)
        if isinstance(a, (TypeSpec, TensorShape)):
            return a.is_compatible_with(b)
        return a == b

    def _parts(self) -> tuple:
        """Return what distinguishes two specs of a class."""
        return TypeSpec.__make_cmp_key(self._serialize())

    @property
    def value_type(self) -> type:
        """The class of the values described."""
        raise NotImplementedError

    def is_compatible_with(self, spec_or_value) -> bool:
        """Return whether a value (or all values of another spec) could be one of these."""
        try:
            other = spec_of(spec_or_value)
        except (TypeError, ValueError):
            return False
        return type(other) is type(self) and self._admits(other)

    def _admits(self, other) -> bool:
        return self._parts() == other._parts()

    def is_subtype_of(self, other) -> bool:
        """Return whether every value of this spec is one of the other."""
        return type(other) is type(self) and self._parts() == other._parts()

    def most_specific_common_supertype(self, others) -> TypeSpec | None:
        """Return the narrowest spec that covers this one and the others; None if there is none."""
        return self if all(self == other for other in others) else None

    def most_specific_compatible_type(self, other) -> TypeSpec:
        """Return the narrowest spec that covers this one and the other."""
        result = self.most_specific_common_supertype([other])
        if result is None:
            raise ValueError(f"No TypeSpec is compatible with both {self} and {other}")
        return result

    def __eq__(self, other) -> bool:
        return type(other) is type(self) and self._parts() == other._parts()

    def __ne__(self, other) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash((type(self), self._parts()))

    def __repr__(self) -> str:
        return f"{type(self).__name__}{self._parts()}"


@export("__internal__.CompositeTensor")
class CompositeTensor(abc.ABC):
    """A value made of tensors: its `_type_spec` takes it apart and puts it together."""

    @property
    @abc.abstractmethod
    def _type_spec(self) -> TypeSpec:
        """The spec of the value."""

    def _convert_variables_to_tensors(self):
        """Return the value; a class whose components may be variables says how they are read."""
        return self

    # As `core.protocols.Composite`.

    def _component_tensors(self) -> tuple:
        parts = self._type_spec._to_components(self)
        return tuple(nests.flatten(parts, expand_composites=True))

    def _with_components(self, components):
        spec = self._type_spec
        parts = spec._to_components(self)
        return spec._from_components(
            nests.pack_sequence_as(parts, list(components), expand_composites=True)
        )

    def _static_parts(self) -> tuple | None:
        try:
            parts = self._component_tensors()
        except NotImplementedError:  # the class has a spec that only describes
            return None
        return (self._type_spec,) if all(isinstance(x, Tensor) for x in parts) else None

    def _differentiable_component(self) -> None:
        return None

    def _with_differentiable_component(self, component):
        raise AssertionError("it has no such component")


class DenseSpec(TypeSpec):
    """A spec with a shape and a dtype."""

    def __init__(self, shape=None, dtype=float32) -> None:
        self._shape = TensorShape(shape)
        self._dtype = as_dtype(dtype)

    @property
    def shape(self) -> TensorShape:
        """Return the shape."""
        return self._shape

    @property
    def dtype(self):
        """Return the dtype."""
        return self._dtype

    def _parts(self) -> tuple:
        return self._shape, self._dtype

    def _admits(self, other) -> bool:
        return self._dtype is other._dtype and self._shape.is_compatible_with(other._shape)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._shape!r}, {self._dtype!r})"


def _covers(wide: TensorShape, narrow: TensorShape) -> bool:
    """Return whether all shapes that `narrow` allows are allowed by `wide`."""
    if wide.rank is None:
        return True
    if narrow.rank != wide.rank:
        return False
    return all(w is None or w == n for w, n in zip(wide, narrow, strict=True))


@export("TensorSpec")
class TensorSpec(DenseSpec):
    """A tensor's shape (sizes may be None), dtype and, for people, name."""

    def __init__(self, shape, dtype=float32, name=None) -> None:
        super().__init__(shape, dtype)
        self._name = name

    @property
    def name(self):
        """Return the name; None if there is none."""
        return self._name

    @property
    def value_type(self) -> type:
        return Tensor

    def _parts(self) -> tuple:
        return self._shape, self._dtype, self._name

    def _with_tensor_ranks_only(self):
        rank = self._shape.rank
        return TensorSpec(None if rank is None else [None] * rank, self._dtype, self._name)

    def _without_tensor_names(self):
        return TensorSpec(self._shape, self._dtype)

    def _batch(self, batch_size):
        return TensorSpec(TensorShape([batch_size]).concatenate(self._shape), self._dtype)

    def _unbatch(self):
        return TensorSpec(self._shape[1:], self._dtype)

    @classmethod
    def from_spec(cls, spec, name=None) -> TensorSpec:
        """Return the spec with another name."""
        return cls(spec.shape, spec.dtype, name or getattr(spec, "name", None))

    @classmethod
    def from_tensor(cls, tensor, name=None) -> TensorSpec:
        """Return the spec of a tensor."""
        return cls(tensor.shape, tensor.dtype, name)

    def is_subtype_of(self, other) -> bool:
        """Return whether all that fits this spec fits another one."""
        return (
            type(other) is type(self)
            and self._dtype is other._dtype
            and self._name == other._name
            and _covers(other._shape, self._shape)
        )

    def most_specific_common_supertype(self, others) -> TensorSpec | None:
        """Return the narrowest spec that this one and others fit; None if there is none."""
        shape = self._shape
        for other in others:
            if type(other) is not type(self) or other._dtype is not self._dtype:
                return None
            if self._name != other._name:
                return None
            shape = shape.most_specific_compatible_shape(other._shape)
        return type(self)(shape, self._dtype, self._name)

    def cast(self, value, cast_context=None) -> Tensor:
        """Return a value as a tensor of this spec."""
        tensor = ops.to_tensor(value, None if ops.is_tensor_like(value) else self._dtype)
        if not self._admits(spec_of(tensor)):
            raise TypeError(f"Can not cast {spec_of(tensor)} to {self}")
        return tensor

    def flatten(self) -> list:
        return [self]

    def to_tensors(self, value) -> list:
        return [self.cast(value)]

    def from_tensors(self, tensors):
        return next(iter(tensors))

    def __repr__(self) -> str:
        kind = type(self).__name__
        return f"{kind}(shape={self._shape}, dtype={self._dtype!r}, name={self._name!r})"


class VariableSpec(DenseSpec):
    """A variable's shape and dtype, and whether it is trainable."""

    def __init__(self, shape, dtype=float32, trainable=True, alias_id=None) -> None:
        super().__init__(shape, dtype)
        self.trainable = trainable
        self.alias_id = alias_id

    @property
    def value_type(self) -> type:
        return Variable

    def _parts(self) -> tuple:
        return self._shape, self._dtype, self.trainable, self.alias_id

    def __repr__(self) -> str:
        return (
            f"VariableSpec(shape={self._shape}, dtype={self._dtype!r}, "
            f"trainable={self.trainable!r}, alias_id={self.alias_id!r})"
        )


@export("IndexedSlicesSpec")
class IndexedSlicesSpec(DenseSpec):
    """The shape and dtype of `IndexedSlices`, and the dtypes of their parts."""

    def __init__(
        self,
        shape=None,
        dtype=float32,
        indices_dtype=int64,
        dense_shape_dtype=None,
        indices_shape=None,
    ) -> None:
        super().__init__(shape, dtype)
        self._indices_dtype = as_dtype(indices_dtype)
        self._dense_shape_dtype = None if dense_shape_dtype is None else as_dtype(dense_shape_dtype)
        self._indices_shape = TensorShape(indices_shape).with_rank(1)

    @property
    def value_type(self) -> type:
        return IndexedSlices

    def _parts(self) -> tuple:
        return (
            self._shape,
            self._dtype,
            self._indices_dtype,
            self._dense_shape_dtype,
            self._indices_shape,
        )


@export("NoneTensorSpec")
class NoneTensorSpec(TypeSpec):
    """The spec of None."""

    @property
    def value_type(self) -> type:
        return type(None)

    @classmethod
    def from_value(cls, value) -> NoneTensorSpec:
        return cls()

    def most_specific_compatible_shape(self, other) -> NoneTensorSpec:
        if type(other) is not type(self):
            raise ValueError(f"No `TypeSpec` is compatible with both {self} and {other}.")
        return self

    def _parts(self) -> tuple:
        return ()

    def __repr__(self) -> str:
        return "NoneTensorSpec()"


def spec_of(value) -> TypeSpec:
    """Return the spec of one value; of a spec, itself."""
    if isinstance(value, TypeSpec):
        return value
    if value is None:
        return NoneTensorSpec()
    if isinstance(value, Variable):
        return VariableSpec(value.shape, value.dtype, value.trainable)
    if isinstance(value, IndexedSlices):
        dense = value.dense_shape
        return IndexedSlicesSpec(
            value.shape,
            value.dtype,
            value.indices.dtype,
            None if dense is None else dense.dtype,
            value.indices.shape,
        )
    if has_type_spec(value):
        return value._type_spec
    try:
        tensor = ops.to_tensor(value)
    except (TypeError, ValueError) as error:
        raise TypeError(
            f"Could not build a TypeSpec for {brief(value)} of type {type(value).__name__}"
        ) from error
    return TensorSpec(tensor.shape, tensor.dtype)


def specs_of(structure):
    """Return the specs of a structure's leaves, in its shape."""
    return nest.map_structure(spec_of, structure)


def tensor_specs(structure) -> list:
    """Return the specs in a structure, with those of their tensors for extension types."""
    flat = nest.flatten(structure)
    return [s for spec in flat for s in (spec.flatten() if has_tensor_specs(spec) else [spec])]


def map_tensor_specs(function, structure):
    """Return a structure like one of specs, with the function of those of tensors, also where they
    are parts of those of extension types."""

    def mapped(spec):
        if has_tensor_specs(spec):
            return spec._map_tensor_specs(function)
        return function(spec) if isinstance(spec, TensorSpec) else spec

    return nest.map_structure(mapped, structure)
