"""`tf.strings.unicode_*`: code points, encodings and scripts."""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from gradtape import ops
from gradtape.api.export import export
from gradtape.api.strings.arguments import (
    check_attribute,
    expect_dtype,
    form,
    map_text,
    packed,
    text_tensor,
)
from gradtape.api.strings.scripts import script_table
from gradtape.api.strings.splitting import parts_in_rows
from gradtape.core.convert import static_int
from gradtape.core.dtypes import int32, int64, string
from gradtape.core.errors import InvalidArgumentError
from gradtape.core.tensor import Tensor

_OUTPUT_ENCODINGS = {"UTF-8": "utf-8", "UTF-16-BE": "utf-16-be", "UTF-32-BE": "utf-32-be"}
_ERRORS = ("strict", "replace", "ignore")
# Encodings whose byte order is that of the mark in front of the text, if there is one.
_MARKS = {
    "utf-16": {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"},
    "utf-32": {codecs.BOM_UTF32_LE: "utf-32-le", codecs.BOM_UTF32_BE: "utf-32-be"},
}
_UNKNOWN = 0xFFFD
_LAST = 0x10FFFF


class _Policy(NamedTuple):
    """What becomes of bytes and code points that stand for no character."""

    errors: str
    replacement: int
    control_characters: bool = False  # whether they count as such, too


def _policy(op: str, errors, replacement_char, control_characters=False) -> _Policy:
    check_attribute("errors", errors, _ERRORS, op)
    replacement = static_int(replacement_char, "replacement_char")
    if not 0 <= replacement <= _LAST:
        raise InvalidArgumentError(f"replacement_char out of unicode codepoint range [Op:{op}]")
    return _Policy(errors, replacement, bool(control_characters))


def _codec(encoding, op: str) -> str:
    try:
        codec = codecs.lookup(encoding)
        if codec._is_text_encoding:  # and no transformation of bytes, such as base 64
            return codec.name
    except LookupError:
        pass
    raise InvalidArgumentError(
        f"Could not create converter for input encoding: {encoding} [Op:{op}]"
    )


def _malformed(op: str) -> Exception:
    return InvalidArgumentError(f"Invalid formatting on input string [Op:{op}]")


def _byte_order(text: bytes, codec: str) -> tuple[str, int]:
    """Return the encoding with its byte order, and the length of the mark that tells it."""
    for mark, ordered in _MARKS.get(codec, {}).items():
        if text.startswith(mark):
            return ordered, len(mark)
    # Python reads text without a mark in the byte order of the machine; the standard says big.
    return (f"{codec}-be" if codec in _MARKS else codec), 0


def _characters(text: bytes, codec: str, policy: _Policy, op: str) -> Iterator[tuple[int, int]]:
    """Return the code points of a string, each with the offset of its first byte.

    A byte order mark belongs to the first of them.
    """
    codec, start = _byte_order(text, codec)
    at = start
    while at < len(text):
        try:
            good, bad_start, bad_end = text[at:].decode(codec), len(text), len(text)
        except UnicodeDecodeError as error:
            if policy.errors == "strict":
                raise _malformed(op) from None
            bad_start, bad_end = at + error.start, at + error.end
            good = text[at:bad_start].decode(codec)
        for letter in good:
            code = ord(letter)
            offset = 0 if at == start else at
            if not policy.control_characters or code > 0x1F:
                yield code, offset
            elif policy.errors == "strict":
                raise _malformed(op)
            elif policy.errors == "replace":
                yield policy.replacement, offset
            at += len(letter.encode(codec))
        if bad_end > bad_start and policy.errors == "replace":
            yield policy.replacement, 0 if bad_start == start else bad_start
        at = bad_end


def _encode(codes, codec: str) -> bytes:
    letters = [chr(c) if not 0xD800 <= c <= 0xDFFF else chr(_UNKNOWN) for c in codes]
    return "".join(letters).encode(codec)


@export("strings.unicode_transcode")
def unicode_transcode(
    input,
    input_encoding,
    output_encoding,
    errors="replace",
    replacement_char=65533,
    replace_control_characters=False,
    name=None,
) -> Tensor:
    """Return strings in another encoding of Unicode."""
    op = "UnicodeTranscode"
    check_attribute("output_encoding", output_encoding, tuple(_OUTPUT_ENCODINGS), op)
    policy = _policy(op, errors, replacement_char, replace_control_characters)
    source, target = _codec(input_encoding, op), _OUTPUT_ENCODINGS[output_encoding]

    def change(text: bytes) -> bytes:
        return _encode((code for code, _ in _characters(text, source, policy, op)), target)

    written = form(
        op,
        input_encoding=input_encoding,
        output_encoding=output_encoding,
        errors=errors,
        replacement_char=static_int(replacement_char),
        replace_control_characters=bool(replace_control_characters),
    )
    return map_text(change, text_tensor(input, op), written)


@export("strings.unicode_encode")
def unicode_encode(
    input, output_encoding, errors="replace", replacement_char=65533, name=None
) -> Tensor:
    """Return the strings that the code points along the last axis spell."""
    op = "UnicodeEncode"
    check_attribute("output_encoding", output_encoding, tuple(_OUTPUT_ENCODINGS), op)
    policy = _policy(op, errors, replacement_char)
    tensor = expect_dtype(ops.to_tensor(input), (int32,), op)
    if not tensor.ndim:
        raise ValueError("input_tensor's rank must be at least 1.")
    shape = tuple(tensor.shape)[:-1]

    def points(row: list[int]) -> Iterator[int]:
        for code in row:
            if 0 <= code <= _LAST and not 0xD800 <= code <= 0xDFFF:
                yield code
            elif policy.errors == "strict":
                raise InvalidArgumentError(
                    f"Code point is out of range for Unicode, or is a surrogate. [Op:{op}]"
                )
            elif policy.errors == "replace":
                yield policy.replacement

    def compute(codes: np.ndarray) -> np.ndarray:
        rows = codes.reshape(int(np.prod(shape, dtype=np.int64)), codes.shape[-1]).tolist()
        codec = _OUTPUT_ENCODINGS[output_encoding]
        return packed((_encode(points(row), codec) for row in rows), shape)

    return ops.host_call(compute, [tensor], string, shape)


@export("strings.unicode_script")
def unicode_script(input, name=None) -> Tensor:
    """Return ICU's number for the script of each code point; -1 for what is none."""
    tensor = ops.to_tensor(input, None if ops.is_tensor_like(input) else int32)
    expect_dtype(tensor, (int32,), "UnicodeScript")

    def compute(codes: np.ndarray) -> np.ndarray:
        valid = (codes >= 0) & (codes <= _LAST)
        return np.where(valid, script_table()[np.where(valid, codes, 0)], np.int32(-1))

    return ops.host_call(compute, [tensor], int32, tensor.shape, form("UnicodeScript"))


def _decoder(encoding, policy: _Policy, op: str) -> Callable[[bytes], list[list]]:
    """Return a function from a string to its code points and their offsets."""
    codec = _codec(encoding, op)

    def decode(text: bytes) -> list[list]:
        characters = list(_characters(text, codec, policy, op))
        return [[code for code, _ in characters], [at for _, at in characters]]

    return decode


@export("strings.unicode_decode")
def unicode_decode(
    input,
    input_encoding,
    errors="replace",
    replacement_char=65533,
    replace_control_characters=False,
    name=None,
) -> Any:
    """Return the code points of each string."""
    return unicode_decode_with_offsets(
        input, input_encoding, errors, replacement_char, replace_control_characters
    )[0]


@export("strings.unicode_decode_with_offsets")
def unicode_decode_with_offsets(
    input,
    input_encoding,
    errors="replace",
    replacement_char=65533,
    replace_control_characters=False,
    name=None,
) -> tuple[Any, Any]:
    """Return the code points of each string, and where in it they begin."""
    op = "UnicodeDecodeWithOffsets"
    policy = _policy(op, errors, replacement_char, replace_control_characters)
    decode = _decoder(input_encoding, policy, op)
    codes, offsets = parts_in_rows(input, op, decode, [int32, int64])
    return codes, offsets


@export("strings.unicode_split")
def unicode_split(
    input, input_encoding, errors="replace", replacement_char=65533, name=None
) -> Any:
    """Return the characters of each string."""
    return unicode_split_with_offsets(input, input_encoding, errors, replacement_char)[0]


@export("strings.unicode_split_with_offsets")
def unicode_split_with_offsets(
    input, input_encoding, errors="replace", replacement_char=65533, name=None
) -> tuple[Any, Any]:
    """Return the characters of each string, and where in it they begin."""
    op = "UnicodeEncode"
    check_attribute("output_encoding", input_encoding, tuple(_OUTPUT_ENCODINGS), op)
    policy = _policy(op, errors, replacement_char)
    decode, codec = _decoder(input_encoding, policy, op), _OUTPUT_ENCODINGS[input_encoding]

    def split(text: bytes) -> list[list]:
        codes, offsets = decode(text)
        return [[_encode([code], codec) for code in codes], offsets]

    letters, offsets = parts_in_rows(input, op, split, [string, int64])
    return letters, offsets
