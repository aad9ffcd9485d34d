"""The kinds of fields that messages have: how each is read, written, merged and shown."""

from __future__ import annotations

import struct
from collections.abc import Callable
from functools import partial
from typing import Any

from gradtape.formats import protobuf
from gradtape.formats.errors import DecodeError
from gradtape.formats.repeated import (
    Floats,
    Integers,
    MessageMap,
    Messages,
    NumberedTexts,
    Strings,
    checked_int32,
    checked_text,
)


class Field:
    """A field of a message: a descriptor, which reads it as an attribute."""

    has_presence = False
    is_repeated = True
    kind = "message"  # protobuf's name of what it holds
    type_name = ""  # of the message

    def __init__(self, name: str, number: int, empty: Callable[[Any], Any]) -> None:
        self.name, self.number, self._empty = name, number, empty

    def __get__(self, message, owner=None) -> Any:
        if message is None:
            return self
        value = message._values.get(self.name)
        if value is None:
            value = message._values[self.name] = self._empty(message)
        return value

    def __set__(self, message, value) -> None:
        raise AttributeError(
            f'Assignment not allowed to map, or repeated field "{self.name}" in protocol message '
            "object. Use extend, or add."
        )

    def is_present(self, value) -> bool:
        """Return whether a value that may be None is to be written."""
        return value is not None and len(value) > 0

    def assign(self, message, value) -> None:
        """Set the field of a new message."""
        self.__get__(message).extend(value)

    def merge(self, message, value) -> None:
        """Add the value of another message."""
        self.__get__(message).extend(value)

    def encode(self, value, deterministic: bool) -> bytes:
        raise NotImplementedError

    def decode(self, message, wire: int, value) -> bool:
        """Add what was read; False if the field cannot be of this wire type."""
        raise NotImplementedError

    def lines(self, value) -> list[str]:
        """Return the field in text format."""
        raise NotImplementedError


class IntegersField(Field):
    """Integers of 64 bits."""

    kind = "int64"

    def encode(self, value, deterministic):
        return protobuf.data(self.number, protobuf.packed_integers(value._items))

    def decode(self, message, wire, value):
        numbers = self.__get__(message)
        if wire == protobuf.BYTES:
            numbers.take(protobuf.unpack_integers(value))
        elif wire == protobuf.VARINT:
            numbers.append(value - (value >> 63 << 64))
        else:
            return False
        return True

    def lines(self, value):
        return [f"{self.name}: {number}" for number in value]


class FloatsField(Field):
    """Floats of 32 bits."""

    kind = "float"

    def encode(self, value, deterministic):
        return protobuf.data(self.number, value.numpy().astype("<f4", copy=False).tobytes())

    def decode(self, message, wire, value):
        if wire not in (protobuf.BYTES, protobuf.FIXED32):
            return False
        self.__get__(message).take(protobuf.unpack_floats(value))
        return True

    def lines(self, value):
        return [f"{self.name}: {_shortest(number)}" for number in value]


def _shortest(number: float) -> str:
    """Return a number with 6 digits, or with 9 where it takes them to read it back."""
    text = f"{number:.6g}"
    try:
        same = struct.pack("<f", float(text)) == struct.pack("<f", number)
    except OverflowError:  # rounded up, beyond the largest float
        same = False
    return text if same or number != number else f"{number:.9g}"


class _StringsField(Field):
    kind = "bytes"

    def encode(self, value, deterministic):
        return b"".join([protobuf.data(self.number, item) for item in value._items])

    def decode(self, message, wire, value):
        if wire != protobuf.BYTES:
            return False
        self.__get__(message)._items.append(bytes(value))
        return True

    def lines(self, value):
        return [f'{self.name}: "{escaped(item)}"' for item in value]


_ESCAPES = {9: "\\t", 10: "\\n", 13: "\\r", 34: '\\"', 39: "\\'", 92: "\\\\"}


def escaped(data: bytes) -> str:
    """Return bytes as they stand between quotes in text format."""
    return "".join(
        _ESCAPES.get(byte) or (chr(byte) if 32 <= byte < 127 else f"\\{byte:03o}") for byte in data
    )


def _escaped_text(text: str) -> str:
    return "".join(escaped(letter.encode()) if ord(letter) < 128 else letter for letter in text)


def _indented(name: str, lines: list[str]) -> list[str]:
    return [f"{name} {{", *(f"  {line}" for line in lines), "}"]


class _MessagesField(Field):
    def encode(self, value, deterministic):
        return b"".join(
            protobuf.data(self.number, item.SerializeToString(deterministic=deterministic))
            for item in value
        )

    def decode(self, message, wire, value):
        if wire != protobuf.BYTES:
            return False
        self.__get__(message).add()._merge(value)
        return True

    def lines(self, value):
        return [line for item in value for line in _indented(self.name, item._lines())]


class _MessageField(Field):
    """One message, which may be there or not."""

    has_presence = True
    is_repeated = False

    def __init__(self, name: str, number: int, message_class) -> None:
        super().__init__(name, number, self._detached)
        self._class = message_class
        self.type_name = message_class.DESCRIPTOR.full_name

    def _detached(self, message):
        made = self._class()
        made._parent = (message, self)
        return made

    def __get__(self, message, owner=None) -> Any:
        if message is None:
            return self
        value = message._values.get(self.name)
        return self._detached(message) if value is None else value

    def __set__(self, message, value) -> None:
        raise AttributeError(
            f'Assignment not allowed to message field "{self.name}" in protocol message object. '
            "Use CopyFrom."
        )

    def is_present(self, value):
        return value is not None

    def assign(self, message, value):
        made = self._class()
        made._assign(value)
        message._put(self, made)

    def merge(self, message, value):
        self.__get__(message).MergeFrom(value)

    def encode(self, value, deterministic):
        return protobuf.data(self.number, value.SerializeToString(deterministic=deterministic))

    def decode(self, message, wire, value):
        if wire != protobuf.BYTES:
            return False
        inner = self.__get__(message)
        inner._merge(value)
        inner._touch()
        return True

    def lines(self, value):
        return _indented(self.name, value._lines())


class _MapField(Field):
    """A map from names to messages: on the wire, a message of key and value for each."""

    def assign(self, message, value):
        made = self.__get__(message)
        for key in value:
            made[key]._assign(value[key])
        message._touch()

    def merge(self, message, value):
        self.__get__(message).MergeFrom(value)

    def encode(self, value, deterministic):
        keys = sorted(value) if deterministic else list(value)
        return b"".join(
            protobuf.data(
                self.number,
                protobuf.data(1, key)
                + protobuf.data(2, value[key].SerializeToString(deterministic=deterministic)),
            )
            for key in keys
        )

    def decode(self, message, wire, value):
        if wire != protobuf.BYTES:
            return False
        key, parts = protobuf.map_entry(value)
        entry = self.__get__(message)[_utf8(key)]
        entry.Clear()  # of equal keys the last one counts
        for part in parts:
            entry._merge(part)
        return True

    def lines(self, value):
        lines = []
        for key in sorted(value):
            inner = [f'key: "{escaped(key.encode())}"', *_indented("value", value[key]._lines())]
            lines += _indented(self.name, inner)
        return lines


def _wrapped(value: int) -> int:
    """Return the 32 bits that count of a number on the wire, with their sign."""
    return (value + 2**31 & 0xFFFFFFFF) - 2**31


def _utf8(value) -> str:
    try:
        return bytes(value).decode()
    except UnicodeDecodeError:
        raise DecodeError(f"{bytes(value)[:40]!r} is not UTF-8") from None


class NumberField(Field):
    """One integer of 32 bits; 0 is not written."""

    is_repeated = False
    kind = "int32"
    default: Any = 0
    wire = protobuf.VARINT
    decoded: Callable[[Any], Any] = staticmethod(_wrapped)

    def __get__(self, message, owner=None) -> Any:
        return self if message is None else message._values.get(self.name, self.default)

    def __set__(self, message, value) -> None:
        message._put(self, checked_int32(value))

    def is_present(self, value):
        return bool(value)

    def assign(self, message, value):
        self.__set__(message, value)

    merge = assign

    def encode(self, value, deterministic):
        return protobuf.integer(self.number, value)

    def decode(self, message, wire, value):
        if wire != self.wire:
            return False
        message._values[self.name] = self.decoded(value)
        return True

    def lines(self, value):
        return [f"{self.name}: {value}"]


class TextField(NumberField):
    """One text; an empty one is not written."""

    kind = "string"
    default = ""
    wire = protobuf.BYTES
    decoded = staticmethod(_utf8)

    def __set__(self, message, value) -> None:
        message._put(self, checked_text(value))

    def encode(self, value, deterministic):
        return protobuf.data(self.number, value)

    def lines(self, value):
        return [f'{self.name}: "{_escaped_text(value)}"']


class _NumberedTextsField(Field):
    """A map from integers of 32 bits to texts."""

    def assign(self, message, value):
        self.__get__(message).update(value)

    def merge(self, message, value):
        self.__get__(message).update(value)

    def encode(self, value, deterministic):
        keys = sorted(value) if deterministic else list(value)
        return b"".join(
            protobuf.data(self.number, protobuf.integer(1, key) + protobuf.data(2, value[key]))
            for key in keys
        )

    def decode(self, message, wire, value):
        if wire != protobuf.BYTES:
            return False
        key, text = 0, ""
        for number, inner_wire, part, _ in protobuf.fields(value):
            if inner_wire == protobuf.VARINT and number == 1:
                key = _wrapped(part)
            elif inner_wire == protobuf.BYTES and number == 2:
                text = _utf8(part)
        self.__get__(message)[key] = text
        return True

    def lines(self, value):
        return [
            line
            for key in sorted(value)
            for line in _indented(
                self.name, [f"key: {key}", f'value: "{_escaped_text(value[key])}"']
            )
        ]


def integers(name: str, number: int) -> Field:
    return IntegersField(name, number, Integers)


def floats(name: str, number: int) -> Field:
    return FloatsField(name, number, Floats)


def strings(name: str, number: int) -> Field:
    return _StringsField(name, number, Strings)


def number(name: str, field_number: int) -> Field:
    return NumberField(name, field_number, int)


def text(name: str, number: int) -> Field:
    return TextField(name, number, str)


def numbered_texts(name: str, number: int) -> Field:
    return _NumberedTextsField(name, number, NumberedTexts)


def message(name: str, number: int, message_class) -> Field:
    return _MessageField(name, number, message_class)


def messages(name: str, number: int, message_class) -> Field:
    return _MessagesField(name, number, partial(Messages, message_class=message_class))


def message_map(name: str, number: int, message_class) -> Field:
    return _MapField(name, number, partial(MessageMap, message_class=message_class))
