"""Protobuf's text format, read into the bytes of a message whose descriptor is known."""

from __future__ import annotations

import re
from typing import Any

from gradtape.formats import protobuf
from gradtape.formats.descriptors import FieldType, MessageType, Pool
from gradtape.formats.errors import DecodeError

_DEEPEST = 100
_TOKEN = re.compile(
    rb"""(?:\s|\#[^\n]*)*(?:
    (?P<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')
    |(?P<number>0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[fF]?)
    |(?P<word>[A-Za-z_]\w*)
    |(?P<sign>[][{}<>:;,-])
    |(?P<end>\Z))""",
    re.VERBOSE | re.DOTALL,
)
_ESCAPE = re.compile(rb"\\(?:[xX]([0-9a-fA-F]{1,2})|([0-7]{1,3})|(.))", re.DOTALL)
_NAMED_ESCAPES = {
    b"a": b"\a",
    b"b": b"\b",
    b"f": b"\f",
    b"n": b"\n",
    b"r": b"\r",
    b"t": b"\t",
    b"v": b"\v",
    b"\\": b"\\",
    b"'": b"'",
    b'"': b'"',
    b"?": b"?",
}
_TRUTHS = {b"true": True, b"t": True, b"True": True, b"1": True}
_TRUTHS |= {b"false": False, b"f": False, b"False": False, b"0": False}
_CLOSING = {b"{": b"}", b"<": b">"}
_BITS = {"int32": 32, "sint32": 32, "sfixed32": 32, "enum": 32, "uint32": 32, "fixed32": 32}


def encode_text(text: bytes, message: MessageType, pool: Pool) -> bytes:
    """Return the bytes of the message that a text describes."""
    return _Reader(text, pool).message(message, b"", 0)


class _Reader:
    """The words of a text, one after the other."""

    def __init__(self, text: bytes, pool: Pool) -> None:
        self._text, self._pool, self._at = text, pool, 0
        self._kind, self._word = "", b""
        self._advance()

    def _advance(self) -> bytes:
        last = self._word
        match = _TOKEN.match(self._text, self._at)
        if match is None:
            raise DecodeError(f"{self._text[self._at : self._at + 20]!r} is no part of a message")
        self._at = match.end()
        self._kind = match.lastgroup or ""
        self._word = match[self._kind]
        return last

    def _take(self, *words: bytes) -> bool:
        if self._kind == "sign" and self._word in words:
            self._advance()
            return True
        return False

    def message(self, message: MessageType, closing: bytes, depth: int) -> bytes:
        """Return the fields up to the end of a message."""
        if depth > _DEEPEST:
            raise DecodeError(f"messages are nested more than {_DEEPEST} deep")
        parts: list[bytes] = []
        seen: set[str] = set()
        while not (self._take(closing) if closing else self._kind == "end"):
            if self._kind != "word":
                raise DecodeError(f"expected the name of a field, got {self._word!r}")
            name = self._advance().decode()
            field = message.fields.get(name)
            if field is None:
                raise DecodeError(f"{message.name} has no field {name!r}")
            if name in seen and not field.is_repeated:
                raise DecodeError(f"the field {name!r} is given twice")
            seen.add(name)
            parts += self._field(field, depth)
            self._take(b",", b";")
        return b"".join(parts)

    def _field(self, field: FieldType, depth: int) -> list[bytes]:
        has_colon = self._take(b":")
        if field.is_repeated and self._take(b"["):
            parts: list[bytes] = []
            while not self._take(b"]"):
                parts.append(self._value(field, depth, has_colon))
                if not self._take(b","):
                    if not self._take(b"]"):
                        raise DecodeError(f"the list of {field.name!r} does not end")
                    break
            return parts
        return [self._value(field, depth, has_colon)]

    def _value(self, field: FieldType, depth: int, has_colon: bool) -> bytes:
        if field.kind.name in ("message", "group"):
            if self._word not in _CLOSING:
                raise DecodeError(f"the message {field.name!r} does not begin with a brace")
            inner = self._pool.messages.get(field.type_name)
            if inner is None:
                raise DecodeError(f"there is no message {field.type_name}")
            content = self.message(inner, _CLOSING[self._advance()], depth + 1)
        elif not has_colon:
            raise DecodeError(f"there is no colon after {field.name!r}")
        elif field.kind.wire == protobuf.BYTES:
            content = self._string(field)
        else:
            content = field.kind.write(self._scalar(field))
        return tagged(field, content)

    def _string(self, field: FieldType) -> bytes:
        if self._kind != "text":
            raise DecodeError(f"the field {field.name!r} wants a text, got {self._word!r}")
        parts = []
        while self._kind == "text":
            parts.append(_ESCAPE.sub(_unescaped, self._advance()[1:-1]))
        return b"".join(parts)

    def _scalar(self, field: FieldType) -> Any:
        kind = field.kind.name
        sign = -1 if self._take(b"-") else 1
        word = self._advance()
        if kind == "bool" and sign == 1 and word in _TRUTHS:
            return _TRUTHS[word]
        if kind == "enum" and sign == 1:
            named = self._pool.enums.get(field.type_name, {}).get(word.decode())
            if named is not None:
                return named
        try:
            if kind in ("float", "double"):
                return sign * float(word.lower().removesuffix(b"f") if word[:1] != b"i" else word)
            number = sign * _integer(word)
        except ValueError:
            raise DecodeError(f"{word!r} is no value of {field.name!r}") from None
        bits = _BITS.get(kind, 64)
        lowest = 0 if kind.startswith(("u", "f")) else -(1 << bits - 1)
        if kind == "bool" or not lowest <= number < lowest + (1 << bits):
            raise DecodeError(f"{number} is no value of {field.name!r}")
        return number


def _integer(word: bytes) -> int:
    if word[:2] in (b"0x", b"0X"):
        return int(word, 16)
    return int(word, 8 if word[:1] == b"0" and len(word) > 1 else 10)


def _unescaped(match: re.Match[bytes]) -> bytes:
    digits, base = (match[1], 16) if match[1] is not None else (match[2], 8)
    if digits is not None:
        return bytes([int(digits, base) & 0xFF])
    plain = _NAMED_ESCAPES.get(match[3])
    if plain is None:
        raise DecodeError(f"{match[0]!r} is no escape")
    return plain


def tagged(field: FieldType, content: bytes) -> bytes:
    """Return a value of a field with what stands around it on the wire."""
    start = protobuf.varint(field.number << 3 | field.kind.wire)
    if field.kind.wire == protobuf.GROUP:
        return start + content + protobuf.varint(field.number << 3 | protobuf.GROUP_END)
    if field.kind.wire == protobuf.BYTES:
        return start + protobuf.varint(len(content)) + content
    return start + content
