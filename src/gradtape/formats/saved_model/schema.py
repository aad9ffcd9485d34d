"""Messages as tables of fields: read into records, and written from them.

    NODE = Schema("NodeDef", name=(1, TEXT), input=(3, [TEXT]), attr=(5, {TEXT: ATTRIBUTE}))

A kind in brackets is repeated, one in braces is a map from texts. A field that is not there reads
as its default; `has` tells it apart. Fields that a table does not list are skipped.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any, NamedTuple

from gradtape.formats import protobuf
from gradtape.formats.errors import DecodeError

# Messages in messages: structures of arguments are the deepest that are ever written.
_DEEPEST = 100


class Scalar(NamedTuple):
    """A kind of values that is no message."""

    wire: int
    default: Any
    read: Callable[[Any], Any]
    write: Callable[[Any], bytes]


class Record:
    """A message: its fields are attributes."""

    _schema: Schema

    def __init__(self, schema: Schema, **values: Any) -> None:
        self.__dict__.update(values, _schema=schema)

    def __setattr__(self, name: str, value: Any) -> None:
        self.__dict__[name] = value

    def __getattr__(self, name: str) -> Any:
        field = None if name.startswith("_") else self._schema.fields.get(name)
        if field is None:
            raise AttributeError(f"{self._schema.name} has no field {name!r}")
        value = field.default()
        if isinstance(value, (list, dict)):  # what is added to it is there
            self.__dict__[name] = value
        return value

    def has(self, name: str) -> bool:
        """Return whether a field is there."""
        value = self.__dict__.get(name)
        return value is not None and value != [] and value != {}

    def one_of(self, *names: str) -> str | None:
        """Return which of these fields is there."""
        return next((name for name in names if self.has(name)), None)

    def __repr__(self) -> str:
        return f"<{self._schema.name} {[name for name in self._schema.fields if self.has(name)]}>"


class _Field:
    """A field: how it is read into a record, and written."""

    def __init__(self, number: int, kind: Any) -> None:
        self.number = number
        self.is_list, self.is_map = isinstance(kind, list), isinstance(kind, dict)
        if self.is_list:
            kind = kind[0]
        elif self.is_map:
            ((_, kind),) = kind.items()
        self.kind: Scalar | Schema | str = kind

    def default(self) -> Any:
        if self.is_list:
            return []
        if self.is_map:
            return {}
        return self.kind.default if isinstance(self.kind, Scalar) else None

    def decode(self, record: Record, name: str, wire: int, value: Any, depth: int) -> None:
        values = record.__dict__
        if self.is_map:
            key, item = self._entry(value, wire, depth)
            values.setdefault(name, {})[key] = item
        elif not self.is_list:
            values[name] = self._read(wire, value, depth)
        elif (
            isinstance(self.kind, Scalar)
            and wire == protobuf.BYTES
            and self.kind.wire != protobuf.BYTES
        ):
            values.setdefault(name, []).extend(self._packed(self.kind, value))
        else:
            values.setdefault(name, []).append(self._read(wire, value, depth))

    def _read(self, wire: int, value: Any, depth: int) -> Any:
        kind = self.kind
        wanted = kind.wire if isinstance(kind, Scalar) else protobuf.BYTES
        if wire != wanted:
            raise DecodeError(f"field {self.number} has the wire type {wire}, not {wanted}")
        if isinstance(kind, Scalar):
            return kind.read(value)
        assert isinstance(kind, Schema)
        return kind.decode(value, depth + 1)

    def _packed(self, kind: Scalar, value: memoryview) -> list:
        if kind.wire == protobuf.VARINT:
            return [kind.read(int(n) & (2**64 - 1)) for n in protobuf.unpack_integers(value)]
        size = 4 if kind.wire == protobuf.FIXED32 else 8
        if len(value) % size:
            raise DecodeError(f"field {self.number} has {len(value)} bytes of packed numbers")
        return [kind.read(value[at : at + size]) for at in range(0, len(value), size)]

    def _entry(self, value: Any, wire: int, depth: int) -> tuple[str, Any]:
        if wire != protobuf.BYTES:
            raise DecodeError(f"field {self.number} is a map with the wire type {wire}")
        key, item = "", self.kind.default if isinstance(self.kind, Scalar) else None
        for number, inner, part, _ in protobuf.fields(value):
            if number == 1 and inner == protobuf.BYTES:
                key = _text(part)
            elif number == 2:
                item = self._read(inner, part, depth)
        if item is None:
            assert isinstance(self.kind, Schema)
            item = Record(self.kind)
        return key, item

    def encode(self, value: Any) -> bytes:
        if self.is_map:
            entries = (protobuf.data(1, key) + self._tagged(2, value[key]) for key in sorted(value))
            return b"".join(protobuf.data(self.number, entry) for entry in entries)
        if not self.is_list:
            return self._tagged(self.number, value)
        kind = self.kind
        if isinstance(kind, Scalar) and kind.wire != protobuf.BYTES:
            return protobuf.data(self.number, b"".join(map(kind.write, value)))
        return b"".join(self._tagged(self.number, item) for item in value)

    def _tagged(self, number: int, value: Any) -> bytes:
        kind = self.kind
        if isinstance(kind, Scalar) and kind.wire != protobuf.BYTES:
            return protobuf.varint(number << 3 | kind.wire) + kind.write(value)
        if isinstance(kind, Scalar):
            return protobuf.data(number, kind.write(value))
        assert isinstance(kind, Schema)
        return protobuf.data(number, kind.encode(value))


class Schema:
    """A table of the fields of a message."""

    def __init__(self, schema_name: str, **fields: tuple[int, Any]) -> None:
        self.name = schema_name
        self.fields: dict[str, _Field] = {}
        self._by_number: dict[int, str] = {}
        self.add(**fields)

    def add(self, **fields: tuple[int, Any]) -> None:
        """Add fields whose kinds were not defined yet: a message that holds its own kind."""
        for name, (number, kind) in fields.items():
            self.fields[name] = _Field(number, kind)
            self._by_number[number] = name

    def __call__(self, **values: Any) -> Record:
        unknown = values.keys() - self.fields.keys()
        if unknown:
            raise TypeError(f"{self.name} has no fields {sorted(unknown)}")
        return Record(self, **values)

    def decode(self, view: bytes | memoryview, depth: int = 0) -> Record:
        """Return the record that bytes hold."""
        if depth > _DEEPEST:
            raise DecodeError(f"messages are nested more than {_DEEPEST} deep")
        record = Record(self)
        for number, wire, value, _ in protobuf.fields(view):
            name = self._by_number.get(number)
            if name is not None:
                self.fields[name].decode(record, name, wire, value, depth)
        return record

    def encode(self, record: Record) -> bytes:
        """Return a record as bytes."""
        return b"".join(
            field.encode(record.__dict__[name])
            for name, field in self.fields.items()
            if record.has(name)
        )


def _text(value: Any) -> str:
    try:
        return bytes(value).decode()
    except UnicodeDecodeError:
        raise DecodeError(f"{bytes(value)[:40]!r} is not UTF-8") from None


def _signed(value: int) -> int:
    return value - (value >> 63 << 64)


def _zigzag(value: int) -> int:
    return value >> 1 ^ -(value & 1)


INT = Scalar(protobuf.VARINT, 0, _signed, protobuf.varint)
ZIGZAG = Scalar(
    protobuf.VARINT, 0, _zigzag, lambda value: protobuf.varint(value << 1 ^ value >> 63)
)
BOOL = Scalar(protobuf.VARINT, False, bool, lambda value: protobuf.varint(int(value)))
FLOAT = Scalar(
    protobuf.FIXED32,
    0.0,
    lambda value: struct.unpack("<f", value)[0],
    lambda value: struct.pack("<f", value),
)
DOUBLE = Scalar(
    protobuf.FIXED64,
    0.0,
    lambda value: struct.unpack("<d", value)[0],
    lambda value: struct.pack("<d", value),
)
TEXT = Scalar(protobuf.BYTES, "", _text, str.encode)
RAW = Scalar(protobuf.BYTES, b"", bytes, bytes)
