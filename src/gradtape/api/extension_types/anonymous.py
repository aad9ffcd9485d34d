"""Extension types whose classes a program does not have: those of a model that it loads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gradtape.api.extension_types.annotations import PLAIN
from gradtape.api.extension_types.base import ExtensionType
from gradtape.api.extension_types.fields import Field, is_component, is_reserved
from gradtape.api.extension_types.immutable import ImmutableDict
from gradtape.api.extension_types.specs import ExtensionTypeSpec, made_of
from gradtape.api.spec_names import register
from gradtape.api.specs import TypeSpec
from gradtape.core.dtypes import DType
from gradtape.core.shape import TensorShape


def _names(values: Mapping[str, Any]) -> list[str]:
    return [name for name in values if not is_reserved(name)]


def _checked(kind: str, fields: dict[str, Any], of_spec: bool) -> dict[str, Any]:
    for name in fields:
        if is_reserved(name) or (name.startswith("__") and name.endswith("__")):
            raise ValueError(
                f"Reserved field name {name} was encountered when trying to instantiate an {kind}."
            )
    return {name: _converted(value, of_spec) for name, value in fields.items()}


def _converted(value: Any, of_spec: bool) -> Any:
    if isinstance(value, (*PLAIN, DType, TensorShape)):
        return value
    if isinstance(value, tuple):
        return tuple([_converted(item, of_spec) for item in value])
    if isinstance(value, Mapping):
        items = value.items()
        return ImmutableDict({_converted(k, of_spec): _converted(v, of_spec) for k, v in items})
    if isinstance(value, TypeSpec) if of_spec else is_component(value):
        return value
    raise ValueError(
        f"Cannot convert anonymous fields from an unsupported `value` argument: {value!r}."
    )


class AnonymousExtensionType(ExtensionType):
    """A value of a class that is not known here: its fields by name, of any supported kind."""

    _tf_extension_type_do_not_transform_this_class = True

    def __init__(self, **fields):
        vars(self).update(_checked("AnonymousExtensionType", fields, False))

    @classmethod
    def _tf_extension_type_fields(cls):
        return ()

    def _type_field_names(self) -> list[str]:
        return _names(self.__dict__)

    def _tf_extension_type_convert_fields(self):
        values = {name: self.__dict__[name] for name in self._type_field_names()}
        vars(self).update({name: _converted(value, False) for name, value in values.items()})

    def __setattr__(self, name, value):
        raise AttributeError(
            f"Cannot set attribute `{name}`. AnonymousExtensionType instances are immutable."
        )

    def __delattr__(self, name):
        raise AttributeError(
            f"Cannot delete attribute `{name}`. AnonymousExtensionType instances are immutable."
        )

    def __repr__(self):
        shown = [f"{name}={self.__dict__[name]!r}" for name in self._type_field_names()]
        return f"AnonymousExtensionType({', '.join(shown)})"


@register("tf.AnonymousExtensionType.Spec")
class AnonymousExtensionTypeSpec(ExtensionTypeSpec):
    """The spec of a value whose class is not known here."""

    value_type = AnonymousExtensionType  # pyright: ignore[reportAssignmentType, reportIncompatibleMethodOverride] (a class says so, not each object)

    def __init__(self, **fields):
        self.__dict__ |= _checked("AnonymousExtensionTypeSpec", fields, True)

    def _field_names(self) -> list[str]:
        return _names(self.__dict__)

    @classmethod
    def _tf_extension_type_fields(cls):
        return tuple([Field(name, None) for name in _names(cls.__dict__)])

    def __setattr__(self, name, value):
        raise AttributeError(
            f"Cannot set attribute `{name}`. AnonymousExtensionTypeSpec instances are immutable."
        )

    def __delattr__(self, name):
        raise AttributeError(
            f"Cannot delete attribute `{name}`. AnonymousExtensionTypeSpec instances are immutable."
        )


AnonymousExtensionType.Spec = AnonymousExtensionTypeSpec  # pyright: ignore[reportAttributeAccessIssue] (as the metaclass gives one)


def reinterpret(value: Any, new_type: type) -> Any:
    """Return a value's fields as a value of another extension type, whose fields must fit."""
    if not isinstance(value, ExtensionType):
        raise ValueError(
            f"reinterpret expects `value` to be a tf.ExtensionType instance; got {value!r}"
        )
    if not (isinstance(new_type, type) and issubclass(new_type, ExtensionType)):
        raise ValueError(
            f"reinterpret expects `new_type` to be a subclass of tf.ExtensionType; got {new_type!r}"
        )
    made = made_of(new_type, {name: value.__dict__[name] for name in value._type_field_names()})
    made._tf_extension_type_convert_fields()
    made.__validate__()
    return made
