"""`tf.strings`: numbers written and read, and templates that are filled in."""

from __future__ import annotations

import re

import numpy as np

from gradtape import ops
from gradtape.api.debugging.text import shown_elements, tensor_text
from gradtape.api.export import export
from gradtape.api.strings.arguments import form, map_text, map_to_numbers, packed, text_tensor
from gradtape.core.convert import static_int, static_value
from gradtape.core.dtypes import (
    as_dtype,
    float32,
    float64,
    int32,
    int64,
    string,
    uint32,
    uint64,
)
from gradtape.core.errors import InvalidArgumentError
from gradtape.core.tensor import Tensor
from gradtape.engine.vmap import per_example

_READABLE = (float32, float64, int32, int64, uint32, uint64)
_INTEGER = re.compile(rb"[+-]?[0-9]+")
_DECIMAL = re.compile(rb"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_NAMED = re.compile(rb"[+-]?(?:inf|infinity|nan)", re.IGNORECASE)
_HEXADECIMAL = re.compile(rb"[+-]?0[xX][0-9a-fA-F]+")


@export("as_string", "strings.as_string")
@per_example
def as_string(
    input, precision=-1, scientific=False, shortest=False, width=-1, fill="", name=None
) -> Tensor:
    """Return numbers written as strings, as C's printf does."""
    tensor = ops.to_tensor(input)
    precision = static_int(precision, "as_string: precision")
    width = static_int(width, "as_string: width")
    if max(precision, width) >= 2**31:
        raise InvalidArgumentError(
            f"as_string: precision {precision} and width {width} must be 32-bit integers"
        )
    scientific, shortest = (bool(static_value(flag)) for flag in (scientific, shortest))
    if len(fill) > 1:
        raise InvalidArgumentError(f"as_string: fill must be one character or none, got {fill!r}")
    if scientific and shortest:
        raise InvalidArgumentError("as_string: cannot select both scientific and shortest notation")
    kind = tensor.dtype
    if not (kind.is_floating or kind.is_complex):
        if precision >= 0:
            raise InvalidArgumentError(f"as_string: precision not supported for {kind.name}")
        if scientific or shortest:
            raise InvalidArgumentError(
                f"as_string: scientific and shortest format not supported for {kind.name}"
            )
    if fill not in ("", "0", "+", "-", " "):
        raise InvalidArgumentError(
            f"as_string: fill is one of '', '0', '+', '-', ' ', not {fill!r}"
        )
    written = form(
        "AsString",
        precision=precision,
        scientific=scientific,
        shortest=shortest,
        width=width,
        fill=fill,
    )
    size = str(width) if width > -1 else ""
    if kind is string:
        pattern = f"%{fill if fill == '-' else ''}{size}s".encode()
        return map_text(lambda text: pattern % text, tensor, written) if size else tensor
    digits = f".{precision}" if precision > -1 else ""
    letter = "d" if kind.is_integer else "e" if scientific else "g" if shortest else "f"
    pattern = f"%{fill}{size}{digits}{letter}"

    def as_text(value) -> bytes:
        if kind.is_bool:
            return b"true" if value else b"false"
        if kind.is_complex:
            return f"({pattern % value.real},{pattern % value.imag})".encode()
        return (pattern % (int(value) if kind.is_integer else float(value))).encode()

    def compute(values: np.ndarray) -> np.ndarray:
        return packed(map(as_text, values.ravel()), values.shape)

    return ops.host_call(compute, [tensor], string, tensor.shape, written)


@export("strings.to_number")
def to_number(input, out_type=float32, name=None) -> Tensor:
    """Return the numbers that strings spell."""
    dtype = as_dtype(out_type)
    if dtype not in _READABLE:
        listed = ", ".join(each.name for each in _READABLE)
        raise InvalidArgumentError(
            f"Value for attr 'out_type' of {dtype.name} is not in the list of allowed values: "
            f"{listed} [Op:StringToNumber]"
        )
    read = _integer_reader(dtype) if dtype.is_integer else _real
    written = form("StringToNumber", out_type=dtype)
    return map_to_numbers(read, text_tensor(input, "StringToNumber"), dtype, written)


def _refused(text: bytes) -> Exception:
    return InvalidArgumentError(
        "StringToNumberOp could not correctly convert string: "
        f"{text.decode(errors='replace')} [Op:StringToNumber]"
    )


def _integer_reader(dtype):
    least, most = (int(limit) for limit in (dtype.min, dtype.max))

    def read(text: bytes) -> int:
        digits = text.strip()
        if not _INTEGER.fullmatch(digits) or (not least and digits.startswith(b"-")):
            raise _refused(text)
        number = int(digits)
        if not least <= number <= most:
            raise _refused(text)
        return number

    return read


def _real(text: bytes) -> float:
    digits = text.strip()
    if _DECIMAL.fullmatch(digits) or _NAMED.fullmatch(digits):
        return float(digits)
    if _HEXADECIMAL.fullmatch(digits):
        return float(int(digits, 16))
    raise _refused(text)


@export("strings.format")
def format_(template, inputs, placeholder="{}", summarize=3, name=None) -> Tensor:
    """Return a template with its placeholders replaced by tensors, as `tf.print` writes them."""
    given = list(inputs) if isinstance(inputs, (list, tuple)) else [inputs]
    if not (isinstance(template, str) and isinstance(placeholder, str) and placeholder):
        raise TypeError(
            "strings.format: template and placeholder must be strings (the latter not empty), got "
            f"{template!r} and {placeholder!r}"
        )
    expected = template.count(placeholder)
    if expected != len(given):
        raise ValueError(
            f"The template expects {expected} tensors, but the inputs only has {len(given)}. "
            "Please ensure the number of placeholders in template matches inputs length."
        )
    pieces = template.split(placeholder)
    shown = shown_elements(summarize, "strings.format")

    def compute(*arrays: np.ndarray) -> np.ndarray:
        text = pieces[0]
        for array, piece in zip(arrays, pieces[1:], strict=True):
            is_number = not array.ndim and array.dtype != object
            text += tensor_text(Tensor(array[()] if is_number else array), shown) + piece
        return packed([text.encode()], ())

    written = form("StringFormat", template=template, placeholder=placeholder, summarize=shown)
    return ops.host_call(compute, [ops.to_tensor(x) for x in given], string, (), written)
