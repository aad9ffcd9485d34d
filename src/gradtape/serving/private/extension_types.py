"""`tensorflow.python.framework`: extension types, their fields, the gradients of composites."""

from __future__ import annotations

from gradtape.api.extension_types import annotations, fields
from gradtape.api.extension_types.anonymous import (
    AnonymousExtensionType,
    AnonymousExtensionTypeSpec,
    reinterpret,
)
from gradtape.api.extension_types.base import (
    BatchableExtensionType,
    ExtensionType,
    ExtensionTypeMetaclass,
    as_dict,
)
from gradtape.api.extension_types.encoders import ExtensionTypeBatchEncoder, TypeSpecBatchEncoder
from gradtape.api.extension_types.immutable import ImmutableDict
from gradtape.api.extension_types.specs import (
    BatchableExtensionTypeSpec,
    BatchableTypeSpec,
    ExtensionTypeSpec,
)

__all__ = [
    "AnonymousExtensionType",
    "AnonymousExtensionTypeSpec",
    "BatchableExtensionType",
    "BatchableExtensionTypeSpec",
    "BatchableTypeSpec",
    "ExtensionType",
    "ExtensionTypeBatchEncoder",
    "ExtensionTypeMetaclass",
    "ExtensionTypeSpec",
    "ImmutableDict",
    "TypeSpecBatchEncoder",
    "as_dict",
    "reinterpret",
]

RESERVED_FIELD_NAMES = sorted(fields._RESERVED)


class ExtensionTypeField(fields.Field):
    """A field of an extension type: its annotation and default are checked."""

    def __new__(cls, name, value_type, default=fields.NO_DEFAULT):
        return fields.Field.of(name, value_type, default)

    @staticmethod
    def is_reserved_name(name) -> bool:
        """Return whether no field can have a name."""
        return fields.is_reserved(name)


def validate_field_value_type(
    value_type, in_mapping_key=False, allow_forward_references=False
) -> None:
    """Raise a TypeError unless a field can have this annotation."""
    if not allow_forward_references and annotations.is_forward_reference(value_type):
        raise TypeError(f"Unresolved forward reference {value_type!r}")
    annotations.check(value_type, in_mapping_key)


def convert_fields(fields_of_type, field_values) -> None:
    """Check and convert what each field of a value was given, in place."""
    fields.convert_fields(fields_of_type, field_values)


def convert_fields_for_spec(fields_of_type, field_values) -> None:
    """Check and convert what each field of a spec was given, in place."""
    fields.convert_fields(fields_of_type, field_values, of_spec=True)


def is_packed(value) -> bool:
    """Return False: values have their fields, never one handle to all of them."""
    if not isinstance(value, ExtensionType):
        raise ValueError(
            "Expected `value` to be an object of type ExtensionType,"
            f"got an instance of {type(value)}."
        )
    return False


# --- composite_tensor_gradient --------------------------------------------------------------------


class CompositeTensorGradient:
    """The base of what says which part of a composite derivatives flow through."""

    def get_gradient_components(self, value):
        """Return the part of a value that is differentiated."""
        raise NotImplementedError(f"{type(self).__name__}.get_gradient_components()")

    def replace_gradient_components(self, value, component_grads):
        """Return the gradient of a value, from that of the part."""
        raise NotImplementedError(f"{type(self).__name__}.replace_gradient_components()")


class WithValuesCompositeTensorGradient(CompositeTensorGradient):
    """For composites with `values`, and `with_values` to replace them."""

    def get_gradient_components(self, value):
        """Return the values."""
        return value.values

    def replace_gradient_components(self, value, component_grads):
        """Return the composite with the gradients as its values."""
        return value.with_values(component_grads)
