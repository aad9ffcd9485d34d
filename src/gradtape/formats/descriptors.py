"""Descriptors of protocol buffers: what fields the messages of a program's own files have.

They come as a FileDescriptorSet, which `protoc --descriptor_set_out` writes. `Pool.of_bytes` reads
one; `local_pool` has the messages that this package defines itself.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gradtape.formats import message_fields, protobuf
from gradtape.formats.errors import DecodeError
from gradtape.formats.messages import Message
from gradtape.formats.saved_model.schema import BOOL, INT, TEXT, Schema

_OPTIONS = Schema("FieldOptions", packed=(2, BOOL))
_FIELD = Schema(
    "FieldDescriptorProto",
    name=(1, TEXT),
    number=(3, INT),
    label=(4, INT),
    type=(5, INT),
    type_name=(6, TEXT),
    default_value=(7, TEXT),
    options=(8, _OPTIONS),
)
_ENUM_VALUE = Schema("EnumValueDescriptorProto", name=(1, TEXT), number=(2, INT))
_ENUM = Schema("EnumDescriptorProto", name=(1, TEXT), value=(2, [_ENUM_VALUE]))
_MESSAGE = Schema("DescriptorProto", name=(1, TEXT), field=(2, [_FIELD]), enum_type=(4, [_ENUM]))
_MESSAGE.add(nested_type=(3, [_MESSAGE]))
_FILE = Schema(
    "FileDescriptorProto",
    name=(1, TEXT),
    package=(2, TEXT),
    message_type=(4, [_MESSAGE]),
    enum_type=(5, [_ENUM]),
    syntax=(12, TEXT),
)
_FILES = Schema("FileDescriptorSet", file=(1, [_FILE]))

_REPEATED = 3


@dataclass(frozen=True)
class Kind:
    """One of protobuf's types of fields: its wire type, its value in bytes, and back."""

    name: str
    wire: int
    shown: str  # as errors name it
    read: Callable[[Any], Any] = bytes
    write: Callable[[Any], bytes] = bytes
    default: Any = b""

    @property
    def is_packable(self) -> bool:
        return self.wire not in (protobuf.BYTES, protobuf.GROUP)


def _varints(name: str, read: Callable[[int], Any], write: Callable[[Any], int], shown="") -> Kind:
    default = False if name == "bool" else 0
    return Kind(
        name,
        protobuf.VARINT,
        shown or name,
        read,
        lambda x: protobuf.varint(write(x)),
        default,
    )


def _signed(bits: int) -> Callable[[int], int]:
    top = 1 << bits - 1
    return lambda x: (x + top & (1 << bits) - 1) - top


def _unsigned(bits: int) -> Callable[[int], int]:
    return lambda x: x & (1 << bits) - 1


def _fixed(name: str, code: str, shown: str, wrap: Callable[[Any], Any]) -> Kind:
    pattern = struct.Struct("<" + code)
    wire = protobuf.FIXED64 if pattern.size == 8 else protobuf.FIXED32
    return Kind(
        name,
        wire,
        shown,
        lambda x: pattern.unpack(x)[0],
        lambda x: pattern.pack(wrap(x)),
        wrap(0),
    )


def _unzigzag(x: int) -> int:
    return x >> 1 ^ -(x & 1)


def _zigzag(x: int) -> int:
    return x << 1 ^ x >> 63


def _single(x: float) -> float:
    """Return a number as struct packs it: one beyond the largest float is infinite."""
    return float(np.float32(x))


# By their numbers in a descriptor.
KINDS = {
    1: _fixed("double", "d", "double", float),
    2: _fixed("float", "f", "float", _single),
    3: _varints("int64", _signed(64), int),
    4: _varints("uint64", int, int),
    5: _varints("int32", _signed(32), _signed(32)),
    6: _fixed("fixed64", "Q", "uint64", _unsigned(64)),
    7: _fixed("fixed32", "I", "uint32", _unsigned(32)),
    8: _varints("bool", bool, int),
    9: Kind("string", protobuf.BYTES, "string"),
    10: Kind("group", protobuf.GROUP, "message"),
    11: Kind("message", protobuf.BYTES, "message"),
    12: Kind("bytes", protobuf.BYTES, "string"),
    13: _varints("uint32", _unsigned(32), _unsigned(32)),
    14: _varints("enum", _signed(32), _signed(32)),
    15: _fixed("sfixed32", "i", "int32", _signed(32)),
    16: _fixed("sfixed64", "q", "int64", _signed(64)),
    17: _varints(
        "sint32",
        lambda x: _unzigzag(_unsigned(32)(x)),
        lambda x: _zigzag(_signed(32)(x)),
        "int32",
    ),
    18: _varints("sint64", _unzigzag, _zigzag, "int64"),
}
_BY_NAME = {kind.name: kind for kind in KINDS.values()}


@dataclass
class FieldType:
    """A field of a message."""

    name: str
    number: int
    kind: Kind
    is_repeated: bool = False
    is_packed: bool = False
    type_name: str = ""  # of the message or enumeration
    default: Any = None

    def __post_init__(self) -> None:
        if self.default is None:
            self.default = self.kind.default


@dataclass
class MessageType:
    """A message: its fields by name and by number."""

    name: str
    is_proto3: bool = False
    fields: dict[str, FieldType] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.by_number = {each.number: each for each in self.fields.values()}


@dataclass
class Pool:
    """Messages and enumerations by their full names."""

    messages: dict[str, MessageType] = field(default_factory=dict)
    enums: dict[str, dict[str, int]] = field(default_factory=dict)

    @classmethod
    def of_bytes(cls, content: bytes) -> Pool:
        """Return the messages of a serialized FileDescriptorSet."""
        pool = cls()
        files = _FILES.decode(content).file
        pending: list[tuple[str, Any, bool]] = []
        for file in files:
            for enum in file.enum_type:
                pool._add_enum(file.package, enum)
            is_proto3 = file.syntax == "proto3"
            pending += [(file.package, message, is_proto3) for message in file.message_type]
        described = []
        while pending:
            scope, message, is_proto3 = pending.pop()
            name = f"{scope}.{message.name}" if scope else message.name
            described.append((name, message, is_proto3))
            for enum in message.enum_type:
                pool._add_enum(name, enum)
            pending += [(name, inner, is_proto3) for inner in message.nested_type]
        names = {name for name, _, _ in described}
        for name, message, is_proto3 in described:
            fields = {f.name: pool._field(f, name, names, is_proto3) for f in message.field}
            pool.messages[name] = MessageType(name, is_proto3, fields)
        return pool

    def _add_enum(self, scope: str, enum: Any) -> None:
        name = f"{scope}.{enum.name}" if scope else enum.name
        self.enums[name] = {value.name: value.number for value in enum.value}

    def _field(self, proto: Any, scope: str, names: set[str], is_proto3: bool) -> FieldType:
        kind = KINDS.get(proto.type)
        if kind is None:
            raise DecodeError(f"the field {proto.name!r} of {scope} has the type {proto.type}")
        type_name = self._resolved(proto.type_name, scope, names)
        is_repeated = proto.label == _REPEATED
        packed = is_proto3
        if proto.has("options") and proto.options.has("packed"):
            packed = proto.options.packed
        default = None
        if proto.default_value:
            default = self._default(kind, proto.default_value, type_name)
        elif kind.name == "enum":
            default = next(iter(self.enums.get(type_name, {}).values()), 0)
        return FieldType(
            proto.name,
            proto.number,
            kind,
            is_repeated,
            is_repeated and packed and kind.is_packable,
            type_name,
            default,
        )

    def _resolved(self, type_name: str, scope: str, names: set[str]) -> str:
        """Return the full name of a type that is named in a message, as C++ finds it."""
        if type_name.startswith("."):
            return type_name[1:]
        while type_name:
            full = f"{scope}.{type_name}" if scope else type_name
            if full in names or full in self.enums:
                return full
            if not scope:
                break
            scope = scope.rpartition(".")[0]
        return type_name

    def _default(self, kind: Kind, text: str, type_name: str) -> Any:
        if kind.wire == protobuf.BYTES:
            return text.encode()
        if kind.name == "enum":
            return self.enums.get(type_name, {}).get(text, 0)
        try:
            if kind.name == "bool":
                return text == "true"
            return float(text) if kind.name in ("double", "float") else int(text)
        except ValueError:
            raise DecodeError(f"{text!r} is no default of a field of {kind.name}") from None


def local_pool() -> Pool:
    """Return the messages of this package, which TensorFlow calls local."""
    # Lazily: its classes are made when it is imported.
    from gradtape.formats import cluster, examples

    pool = Pool()
    for module in (examples, cluster):
        for value in vars(module).values():
            if isinstance(value, type) and issubclass(value, Message) and value is not Message:
                described = value.DESCRIPTOR
                pool.messages[described.full_name] = MessageType(
                    described.full_name,
                    True,
                    {each.name: _of_own(each) for each in described.fields},
                )
    return pool


def _of_own(own: message_fields.Field) -> FieldType:
    kind = _BY_NAME[own.kind]
    is_packed = own.is_repeated and kind.is_packable
    return FieldType(own.name, own.number, kind, own.is_repeated, is_packed, own.type_name)
