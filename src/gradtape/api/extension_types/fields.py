"""The fields of an extension type: what they may be given, and what becomes of it."""

from __future__ import annotations

import typing
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from gradtape import ops
from gradtape.api.extension_types import annotations
from gradtape.api.extension_types.immutable import ImmutableDict
from gradtape.api.specs import TypeSpec
from gradtape.core.dtypes import DType, as_dtype
from gradtape.core.protocols import has_type_spec
from gradtape.core.shape import TensorShape
from gradtape.core.tensor import Tensor

# No field can have these names: they mean something to values or to their specs.
_RESERVED = frozenset(
    """
    self Spec _type_spec _shape_invariant_to_type_spec _consumers value_type is_compatible_with
    most_specific_compatible_type _with_tensor_ranks_only _to_components _from_components
    _component_specs _to_tensor_list _from_tensor_list _from_compatible_tensor_list
    _flat_tensor_specs _serialize _deserialize _to_legacy_output_types _to_legacy_output_shapes
    _to_legacy_output_classes _keras_mask
    """.split()
)
_PRIVATE = "_tf_extension_type"  # what the names of private attributes begin with


class _NoDefault:
    def __repr__(self) -> str:
        return "ExtensionTypeField.NO_DEFAULT"


NO_DEFAULT: Any = _NoDefault()


def is_reserved(name: str) -> bool:
    """Return whether no field can have a name."""
    return name in _RESERVED or name.lower().startswith(_PRIVATE)


class Field(NamedTuple):
    """A field of an extension type."""

    name: str
    value_type: Any
    default: Any = NO_DEFAULT
    NO_DEFAULT = NO_DEFAULT  # libraries look for it here

    @classmethod
    def of(cls, name: str, value_type: Any, default: Any) -> Field:
        """Return a field; raise a TypeError if its annotation or default does not fit."""
        try:
            annotations.check(value_type)
        except TypeError as error:
            raise TypeError(f"In field {name!r}: {error}") from error
        if default is not NO_DEFAULT:
            default = _Conversion(is_default=True)(default, value_type, f"default value for {name}")
        return cls(name, value_type, default)


# --- what fields hold ----------------------------------------------------------------------------


def leaves(value: Any) -> Iterator[Any]:
    """Yield what a field's tuples and mappings hold; mappings in the order of their keys."""
    if isinstance(value, ImmutableDict):
        for key in sorted(value):
            yield from leaves(value[key])
    elif type(value) is tuple:  # a TensorShape is one value
        for item in value:
            yield from leaves(item)
    else:
        yield value


def rebuilt(function: Callable[[Any], Any], value: Any) -> Any:
    """Return a field's value with the function of each leaf, called in the order of `leaves`."""
    if isinstance(value, ImmutableDict):
        made = {key: rebuilt(function, value[key]) for key in sorted(value)}
        return ImmutableDict({key: made[key] for key in value})
    if type(value) is tuple:
        return tuple([rebuilt(function, item) for item in value])
    return function(value)


def with_mappings(value: Any, kind: type) -> Any:
    """Return a value with its mappings as those of another class."""
    if isinstance(value, dict):
        return kind({key: with_mappings(item, kind) for key, item in value.items()})
    if type(value) is tuple:
        return tuple([with_mappings(item, kind) for item in value])
    return value


def is_component(value: Any) -> bool:
    """Return whether a leaf of a field is a tensor, or made of tensors."""
    return isinstance(value, Tensor) or has_type_spec(value)


# --- conversion ----------------------------------------------------------------------------------


def convert_fields(fields: Sequence[Field], values: dict[str, Any], of_spec: bool = False) -> None:
    """Check and convert what each field was given, in place.

    `of_spec`: the values are those of a spec, which has specs where a value has tensors.
    """
    given = {name: value for name, value in values.items() if not is_reserved(name)}
    extra = given.keys() - {field.name for field in fields}
    if extra:
        raise ValueError(f"Got unexpected fields: {extra}")
    missing = {field.name for field in fields} - given.keys()
    if missing:
        raise ValueError(f"Missing required fields: {missing}")
    convert = _Conversion(of_spec)
    converted = {f.name: convert(given[f.name], f.value_type, f.name) for f in fields}
    values.clear()  # from here on, in the order of the declaration
    values.update(converted)


class _Conversion:
    """Converts a value to what an annotation says, or raises a TypeError that names where it is."""

    def __init__(self, of_spec: bool = False, is_default: bool = False) -> None:
        self.of_spec, self.is_default = of_spec, is_default

    def __call__(self, value: Any, wanted: Any, path: str) -> Any:
        if wanted is Tensor:
            return self._tensor(value, path)
        if annotations.is_composite_class(wanted):
            return self._composite(value, wanted, path)
        if wanted is TensorShape:
            return _named(TensorShape, value, path, "tf.TensorShape")
        if wanted is DType:
            return _named(as_dtype, value, path, "tf.DType")
        if wanted is None or wanted in annotations.PLAIN:
            wanted = type(None) if wanted is None else wanted
            if not isinstance(value, wanted):
                raise _unexpected(path, repr(wanted.__name__), value)
            return value
        if annotations.is_tuple(wanted):
            return self._tuple(value, wanted, path)
        if annotations.is_mapping(wanted):
            return self._mapping(value, wanted, path)
        if annotations.is_union(wanted):
            return self._union(value, wanted, path)
        raise TypeError(f"{path}: Unsupported type annotation {wanted!r}")

    def _tensor(self, value: Any, path: str) -> Any:
        if self.of_spec:
            if not (isinstance(value, TypeSpec) and value.value_type is Tensor):
                raise _unexpected(path, "a TensorSpec", value)
            return value
        if isinstance(value, Tensor) or self.is_default:  # a default is converted for each value
            return value
        try:
            return ops.to_tensor(value)
        except (TypeError, ValueError) as error:
            raise _unexpected(path, "a Tensor", value) from error

    def _composite(self, value: Any, wanted: type, path: str) -> Any:
        if self.of_spec:
            if not (isinstance(value, TypeSpec) and issubclass(value.value_type, wanted)):
                raise _unexpected(path, f"a TypeSpec for {wanted.__name__!r}", value)
        elif not isinstance(value, wanted):
            raise _unexpected(path, repr(wanted.__name__), value)
        return value

    def _tuple(self, value: Any, wanted: Any, path: str) -> tuple:
        if not isinstance(value, Sequence):
            raise _unexpected(path, "tuple", value)
        kinds = typing.get_args(wanted)
        if len(kinds) == 2 and kinds[1] is Ellipsis:
            kinds = kinds[:1] * len(value)
        if len(value) != len(kinds):
            raise TypeError(
                f"{path}: expected tuple with length {len(kinds)}, got {type(value).__name__!r})"
            )
        pairs = zip(value, kinds, strict=True)
        return tuple([self(item, kind, f"{path}[{i}]") for i, (item, kind) in enumerate(pairs)])

    def _mapping(self, value: Any, wanted: Any, path: str) -> ImmutableDict:
        if not isinstance(value, Mapping):
            raise _unexpected(path, "mapping", value)
        of_keys, of_values = typing.get_args(wanted)
        return ImmutableDict(
            {
                self(key, of_keys, f"{path}[<key>]"): self(item, of_values, f"{path}[{key!r}]")
                for key, item in value.items()
            }
        )

    def _union(self, value: Any, wanted: Any, path: str) -> Any:
        for kind in typing.get_args(wanted):
            try:
                return self(value, kind, path)
            except TypeError:
                continue
        raise _unexpected(path, repr(wanted), value)


def _named(convert: Callable[[Any], Any], value: Any, path: str, expected: str) -> Any:
    try:
        return convert(value)
    except TypeError as error:
        raise _unexpected(path, repr(expected), value) from error


def _unexpected(path: str, expected: str, value: Any) -> TypeError:
    return TypeError(f"{path}: expected {expected}, got {type(value).__name__!r}")
