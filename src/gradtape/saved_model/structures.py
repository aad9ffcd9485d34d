"""Structures of specs and values, as a SavedModel holds the arguments and results of functions."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable
from typing import Any

import numpy as np

from gradtape.api.specs import TensorSpec
from gradtape.core import nest
from gradtape.core.dtypes import DType
from gradtape.core.shape import TensorShape
from gradtape.core.tensor import Tensor
from gradtape.formats.errors import DecodeError
from gradtape.formats.saved_model import messages
from gradtape.formats.saved_model.schema import Record
from gradtape.formats.tensor_proto import BY_NUMBER, decode_tensor, encode_tensor

# What TensorFlow calls the specs of composites, by number.
_TYPE_SPECS = {
    1: "SparseTensorSpec",
    2: "IndexedSlicesSpec",
    3: "RaggedTensorSpec",
    4: "TensorArraySpec",
    5: "DatasetSpec",
    6: "IteratorSpec",
    7: "OptionalSpec",
    8: "PerReplicaSpec",
    9: "VariableSpec",
}


def decode_dtype(number: int) -> DType:
    """Return the dtype of a number."""
    dtype = BY_NUMBER.get(number)
    if dtype is None:
        raise DecodeError(f"the dtype number {number} is not known here")
    return dtype


def decode_shape(shape: Record | None) -> TensorShape:
    """Return a shape, whose sizes (and rank) may be unknown."""
    if shape is None or shape.unknown_rank:
        return TensorShape(None)
    return TensorShape([None if dim.size < 0 else dim.size for dim in shape.dim])


def encode_shape(shape: TensorShape | tuple | list | None) -> Record:
    """Return a shape as a message."""
    if shape is None or (isinstance(shape, TensorShape) and shape.rank is None):
        return messages.SHAPE(unknown_rank=True)
    sizes = [-1 if size is None else int(size) for size in shape]
    return messages.SHAPE(dim=[messages.DIMENSION(size=size) for size in sizes])


def spec_name(content: Record) -> str:
    """Return what TensorFlow calls the class of a spec."""
    return content.type_spec_class_name or _TYPE_SPECS.get(content.type_spec_class, "TypeSpec")


def _read_type_spec(content: Record) -> Any:
    raise DecodeError(f"no {spec_name(content)} was expected")


def decode_structure(
    value: Record | None, read_spec: Callable[[Record], Any] = _read_type_spec
) -> Any:
    """Return a structure of specs and values; `read_spec` makes those that are not of tensors."""
    if value is None:
        return None
    kind = value.one_of(*messages.STRUCTURE_KINDS)
    if kind is None:
        raise DecodeError("a structure has no value")
    content = getattr(value, kind)
    if kind == "type_spec_value":
        return read_spec(content)
    if kind in _NESTED:
        return _NESTED[kind](content, lambda part: decode_structure(part, read_spec))
    reader = _READERS.get(kind)
    return content if reader is None else reader(content)


class HandleSpec:
    """Stands for a resource or a list of tensors in a structure: it has no dtype here."""


# The dtype numbers of resources and variants.
RESOURCE_NUMBER, _VARIANT_NUMBER = 20, 21


def _read_spec(content: Record) -> TensorSpec | HandleSpec:
    if content.dtype in (RESOURCE_NUMBER, _VARIANT_NUMBER):
        return HandleSpec()
    shape, dtype = decode_shape(content.shape), decode_dtype(content.dtype)
    return TensorSpec(shape, dtype, content.name or None)


def _read_array(content: bytes) -> Tensor:
    return Tensor(decode_tensor(content)[1])


def _read_pairs(content: Record, decode: Callable[[Record], Any]) -> Any:
    names = [pair.key for pair in content.values]
    values = [decode(pair.value) for pair in content.values]
    try:
        made = namedtuple(content.name or "NamedTuple", names)
    except ValueError as error:
        raise DecodeError(f"a named tuple cannot have these names: {error}") from None
    return made(*values)


_READERS = {
    "none_value": lambda content: None,
    "tensor_shape_value": decode_shape,
    "tensor_dtype_value": decode_dtype,
    "tensor_spec_value": _read_spec,
    "bounded_tensor_spec_value": _read_spec,
    "tensor_value": _read_array,
    "numpy_value": lambda content: decode_tensor(content)[1],
}
_NESTED = {
    "list_value": lambda content, decode: [decode(item) for item in content.values],
    "tuple_value": lambda content, decode: tuple([decode(item) for item in content.values]),
    "dict_value": lambda content, decode: {k: decode(v) for k, v in content.fields.items()},
    "named_tuple_value": _read_pairs,
}


def _refuse(value: Any) -> Record:
    raise NotImplementedError(
        f"tf.saved_model.save: {value!r} cannot be written as an argument or result of a "
        "function; tensors, numbers and strings in lists, tuples and dictionaries can."
    )


def encode_structure(value: Any, write_other: Callable[[Any], Record] = _refuse) -> Record:
    """Return a structure of specs and values as a message; `write_other` writes what is neither
    of tensors nor a plain value."""
    make = messages.STRUCTURE

    def encode(part: Any) -> Record:
        return encode_structure(part, write_other)

    match value:
        case None:
            return make(none_value=messages.NONE())
        case bool():
            return make(bool_value=value)
        case int():
            return make(int64_value=value)
        case float():
            return make(float64_value=value)
        case str():
            return make(string_value=value)
        case TensorShape():
            return make(tensor_shape_value=encode_shape(value))
        case DType():
            return make(tensor_dtype_value=value.as_datatype_enum)
        case TensorSpec():
            spec = messages.TENSOR_SPEC(
                name=value.name or "",
                shape=encode_shape(value.shape),
                dtype=value.dtype.as_datatype_enum,
            )
            return make(tensor_spec_value=spec)
        case Tensor():
            return make(tensor_value=encode_tensor(np.asarray(value.numpy())))
        case np.ndarray():
            return make(numpy_value=encode_tensor(value))
        case tuple() if nest.is_namedtuple(value):
            pairs = [
                messages.PAIR(key=name, value=encode(getattr(value, name)))
                for name in getattr(value, "_fields", ())
            ]
            made = messages.NAMED_TUPLE(name=type(value).__name__, values=pairs)
            return make(named_tuple_value=made)
        case tuple():
            items = messages.STRUCTURE_LIST(values=[encode(item) for item in value])
            return make(tuple_value=items)
        case list():
            items = messages.STRUCTURE_LIST(values=[encode(item) for item in value])
            return make(list_value=items)
        case dict() if all(isinstance(key, str) for key in value):
            fields = {key: encode(item) for key, item in value.items()}
            return make(dict_value=messages.STRUCTURE_MAP(fields=fields))
    return write_other(value)
