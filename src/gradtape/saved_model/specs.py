"""`tf.__internal__.saved_model`: structures with specs of a library's classes, as messages."""

from __future__ import annotations

import warnings
from typing import Any

from gradtape.api import nests
from gradtape.api.spec_names import TYPE_SPEC_TO_NAME, get_name, lookup
from gradtape.api.specs import TypeSpec
from gradtape.core.protocols import has_tensor_specs
from gradtape.formats.saved_model import messages
from gradtape.formats.saved_model.schema import Record
from gradtape.saved_model import structures

# The numbers of specs that are known by the name of their class, and of those of extension types.
_REGISTERED, _EXTENSION = 12, 13


class NotEncodableError(ValueError):
    """A value has no place in a message."""


def encode_structure(nested_structure: Any) -> Record:
    """Return a structure of specs and values as a message; classes of specs by their names."""
    return structures.encode_structure(nested_structure, _write_spec)


def decode_proto(proto: Record) -> Any:
    """Return the structure that a message holds; the classes of its specs must be registered."""
    if not isinstance(proto, Record):
        raise TypeError(f"decode_proto takes a message, got {proto!r}. encode_structure makes one.")
    return structures.decode_structure(proto, _read_spec)


def read_structure(proto: Record | None) -> Any:
    """Return the structure of a function's arguments or results in a file; None for none."""
    return structures.decode_structure(proto, _read_spec)


def _write_spec(value: Any) -> Record:
    if not isinstance(value, TypeSpec) or type(value) not in TYPE_SPEC_TO_NAME:
        raise NotEncodableError(f"No encoder for object {value!s} of type {type(value)}.")
    components = nests.flatten(value._component_specs, expand_composites=True)
    content = messages.TYPE_SPEC(
        type_spec_class=_EXTENSION if has_tensor_specs(value) else _REGISTERED,
        type_state=encode_structure(value._serialize()),
        type_spec_class_name=get_name(type(value)),
        num_flat_components=len(components),
    )
    return messages.STRUCTURE(type_spec_value=content)


def _read_spec(content: Record) -> Any:
    name = content.type_spec_class_name
    if content.type_spec_class not in (_REGISTERED, _EXTENSION):
        raise NotImplementedError(
            f"tf.saved_model.load: a function takes or returns a {structures.spec_name(content)}; "
            "only tensors and extension types, in lists, tuples and dictionaries, are read. Export "
            "the model with a function of tensors."
        )
    try:
        made: Any = lookup(name)
    except ValueError as error:
        if content.type_spec_class == _EXTENSION:
            from gradtape.api.extension_types.anonymous import AnonymousExtensionTypeSpec

            warnings.warn(
                f"The type '{name}' has not been registered. Falling back to using "
                "AnonymousExtensionTypeSpec instead.",
                stacklevel=2,
            )
            return AnonymousExtensionTypeSpec._deserialize(decode_proto(content.type_state))
        raise ValueError(
            f"The type '{name}' has not been registered. Import the module that registers it."
        ) from error
    return made._deserialize(decode_proto(content.type_state))
