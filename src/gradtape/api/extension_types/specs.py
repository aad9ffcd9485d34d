"""`tf.experimental.ExtensionTypeSpec`: what is known of an extension type's value without it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from gradtape.api import nests
from gradtape.api.export import export
from gradtape.api.extension_types.encoders import ExtensionTypeBatchEncoder
from gradtape.api.extension_types.fields import (
    convert_fields,
    is_component,
    leaves,
    rebuilt,
    with_mappings,
)
from gradtape.api.extension_types.immutable import ImmutableDict
from gradtape.api.specs import TypeSpec, map_tensor_specs, spec_of, tensor_specs
from gradtape.core.shape import TensorShape
from gradtape.core.size import is_open

# The attribute that an object has while its constructor may set fields.
CONSTRUCTING = "_tf_extension_type_in_constructor"


def made_of(cls: type, state: Any) -> Any:
    """Return an object with these attributes, without its constructor."""
    value = object.__new__(cls)
    value.__dict__.update(state)
    return value


@export("experimental.ExtensionTypeSpec")
class ExtensionTypeSpec(TypeSpec):
    """The base of the class `Spec` that each extension type has.

    It has the fields of the values: specs where these have tensors, and equal values elsewhere.
    """

    @classmethod
    def _tf_extension_type_fields(cls):
        return cls.value_type._tf_extension_type_fields()  # pyright: ignore[reportAttributeAccessIssue] (a class in subclasses)

    @classmethod
    def _tf_extension_type_has_field(cls, name):
        return any(name == field.name for field in cls._tf_extension_type_fields())

    def _tf_extension_type_convert_fields(self):
        convert_fields(self._tf_extension_type_fields(), self.__dict__, of_spec=True)

    def _field_names(self) -> list[str]:
        return [field.name for field in self._tf_extension_type_fields()]

    def __validate__(self):
        """Raise an error if the fields do not fit together. Subclasses override it."""

    # --- as TypeSpec ------------------------------------------------------------------------------

    def _serialize(self):
        return tuple(
            [(name, with_mappings(self.__dict__[name], dict)) for name in self._field_names()]
        )

    @classmethod
    def _deserialize(cls, serialization):
        return made_of(cls, [(k, with_mappings(v, ImmutableDict)) for k, v in serialization])

    def __reduce__(self):
        # Not by the name of the nested class: that of its values is enough.
        return _restored, (self.value_type, self._serialize())

    @classmethod
    def from_value(cls, value):
        """Return the spec of a value."""

        def described(leaf: Any) -> Any:
            return spec_of(leaf) if is_component(leaf) else leaf

        names = value._type_field_names()
        return made_of(cls, [(name, rebuilt(described, value.__dict__[name])) for name in names])

    def _to_components(self, value):
        return tuple(
            [
                leaf
                for name in self._field_names()
                for leaf in leaves(value.__dict__[name])
                if is_component(leaf)
            ]
        )

    def _from_components(self, components):
        rest = iter(components)

        def filled(leaf: Any) -> Any:
            if isinstance(leaf, TypeSpec):
                return next(rest)
            return _of_numbers(leaf) if isinstance(leaf, TensorShape) else leaf

        state = [(name, rebuilt(filled, self.__dict__[name])) for name in self._field_names()]
        if list(rest):
            raise ValueError(
                "Cannot build an ExtensionType instance from components because more components "
                "are provided than the number expected by the type spec."
            )
        return made_of(self.value_type, state)

    @property
    def _component_specs(self):
        return tuple(
            [
                leaf
                for name in self._field_names()
                for leaf in leaves(self.__dict__[name])
                if isinstance(leaf, TypeSpec)
            ]
        )

    # --- how specs are related --------------------------------------------------------------------

    def _admits(self, other) -> bool:
        return _fit(self._serialize(), other._serialize())

    def is_subtype_of(self, other) -> bool:
        """Return whether every value of this spec is one of the other."""
        if type(self) is not type(other):
            return False
        mine, others = self._serialize(), other._serialize()
        return _combined(_subtype, mine, [others]) is not None

    def most_specific_common_supertype(self, others):
        """Return the narrowest spec that covers this one and the others; None if there is none."""
        if any(type(self) is not type(other) for other in others):
            return None
        state = _combined(_supertype, self._serialize(), [other._serialize() for other in others])
        return None if state is None else self._deserialize(state)

    def _with_tensor_ranks_only(self):
        def relaxed(leaf: Any) -> Any:
            if isinstance(leaf, TypeSpec):
                return leaf._with_tensor_ranks_only()
            if isinstance(leaf, TensorShape) and leaf.rank is not None:
                return TensorShape([None] * leaf.rank)
            return leaf

        return self._mapped(relaxed)

    def _without_tensor_names(self):
        return self._mapped(
            lambda leaf: leaf._without_tensor_names() if isinstance(leaf, TypeSpec) else leaf
        )

    def _map_tensor_specs(self, function):
        return self._mapped(
            lambda leaf: map_tensor_specs(function, leaf) if isinstance(leaf, TypeSpec) else leaf
        )

    def _mapped(self, function: Callable[[Any], Any]) -> Any:
        names = self._field_names()
        return self._deserialize([(name, rebuilt(function, self.__dict__[name])) for name in names])

    # --- as TensorFlow's TraceType ----------------------------------------------------------------

    def flatten(self) -> list:
        return [flat for spec in self._component_specs for flat in tensor_specs(spec)]

    def to_tensors(self, value) -> list:
        return nests.flatten(self._to_components(value), expand_composites=True)

    def from_tensors(self, tensors):
        rest = iter(tensors)
        return self._from_components([_next_value(spec, rest) for spec in self._component_specs])

    @property
    def _flat_tensor_specs(self) -> list:
        return self.flatten()

    def _to_legacy_output_shapes(self):
        try:
            return self.shape  # pyright: ignore[reportAttributeAccessIssue] (a program's class may have it)
        except AttributeError as error:
            raise NotImplementedError(
                "It appears that the Spec of the ExtensionType is missing a shape property. In "
                "order to support tf.Data, it is recommended that you implement a shape property "
                "on the Spec."
            ) from error

    # --- it is not changed ------------------------------------------------------------------------

    def _check_changes(self, name: str) -> None:
        if CONSTRUCTING in self.__dict__ and self._tf_extension_type_has_field(name):
            return
        raise AttributeError(
            f"Cannot mutate attribute `{name}` outside the custom constructor of ExtensionTypeSpec."
        )

    def __setattr__(self, name, value):
        self._check_changes(name)
        self.__dict__[name] = value

    def __delattr__(self, name):
        self._check_changes(name)
        del self.__dict__[name]

    def __repr__(self) -> str:
        shown = ", ".join([f"{name}={value!r}" for name, value in self._serialize()])
        return f"{type(self).__qualname__}({shown})"


class BatchableTypeSpec(TypeSpec):
    """A spec whose values can be batched."""

    __batch_encoder__: Any = None

    def _batch(self, batch_size):
        raise NotImplementedError(f"{type(self).__name__}._batch")

    def _unbatch(self):
        raise NotImplementedError(f"{type(self).__name__}._unbatch")


class BatchableExtensionTypeSpec(ExtensionTypeSpec, BatchableTypeSpec):
    """The base of the class `Spec` of extension types whose values can be batched."""

    __batch_encoder__ = ExtensionTypeBatchEncoder()

    def _batch(self, batch_size):
        return self.__batch_encoder__.batch(self, batch_size)

    def _unbatch(self):
        return self.__batch_encoder__.unbatch(self)


def _restored(value_type: Any, serialization: Any) -> Any:
    return value_type.Spec._deserialize(serialization)


def _of_numbers(shape: TensorShape) -> TensorShape:
    """Return a shape with None for the sizes that only the trace of a function has."""
    if shape.rank is None or not is_open(tuple(shape)):
        return shape
    return TensorShape([size if type(size) is int else None for size in shape])


def _next_value(spec: Any, rest: Iterator[Any]) -> Any:
    return spec.from_tensors(rest) if hasattr(spec, "from_tensors") else next(rest)


# --- serialized specs -----------------------------------------------------------------------------


def _fit(a: Any, b: Any) -> bool:
    """Return whether two serialized specs could describe one value."""
    if isinstance(a, (TypeSpec, TensorShape)):
        return a.is_compatible_with(b)
    if type(a) is not type(b):
        return False
    if isinstance(a, tuple):
        return len(a) == len(b) and all(map(_fit, a, b))
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(_fit(a[key], b[key]) for key in a)
    return a == b


def _combined(function: Callable[[Any, list], Any], mine: Any, others: list) -> Any:
    """Return a serialized spec of what a function makes of corresponding leaves.

    None, if the structures differ or the function returns NotImplemented for a leaf.
    """
    try:
        return _combine(function, mine, others)
    except _Differ:
        return None


class _Differ(Exception):
    pass


def _combine(function: Callable[[Any, list], Any], mine: Any, others: list) -> Any:
    if isinstance(mine, dict):
        if any(not isinstance(each, dict) or each.keys() != mine.keys() for each in others):
            raise _Differ
        return {
            key: _combine(function, item, [each[key] for each in others])
            for key, item in mine.items()
        }
    if type(mine) is tuple:
        if any(type(each) is not tuple or len(each) != len(mine) for each in others):
            raise _Differ
        columns = [list(column) for column in zip(*others, strict=True)]
        columns = columns or [[] for _ in mine]
        pairs = zip(mine, columns, strict=True)
        return tuple([_combine(function, item, column) for item, column in pairs])
    result = function(mine, others)
    if result is NotImplemented:
        raise _Differ
    return result


def _subtype(mine: Any, others: list) -> Any:
    if hasattr(mine, "is_subtype_of"):
        holds = mine.is_subtype_of(others[0])
    else:
        holds = bool(mine == others[0])
    return mine if holds else NotImplemented


def _supertype(mine: Any, others: list) -> Any:
    if hasattr(mine, "most_specific_common_supertype"):
        result = mine.most_specific_common_supertype(others)
        return NotImplemented if result is None else result
    return mine if all(mine == other for other in others) else NotImplemented
