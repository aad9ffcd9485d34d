"""`tf.print` and `tf.strings`: strings as far as they serve messages and names."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from gradtape import ops
from gradtape.api.export import export
from gradtape.api.text import printed, tensor_text
from gradtape.core.convert import static_value
from gradtape.core.dtypes import as_dtype, float32
from gradtape.core.errors import InvalidArgumentError
from gradtape.core.tensor import Tensor
from gradtape.engine.trace.effects import on_each_call


@export("print")
@on_each_call
def print_(*inputs, **kwargs) -> None:
    """Write values, tensors by their elements.

    Options are `output_stream` (a text stream, or "file://" and a path to append to; the default
    is the standard error), `summarize` (how many elements at each end of an axis; -1: all),
    `sep`, `end` and `name`.
    """
    stream: Any = kwargs.pop("output_stream", sys.stderr)
    summarize = kwargs.pop("summarize", 3)
    separator = kwargs.pop("sep", " ")
    end = kwargs.pop("end", "\n")
    kwargs.pop("name", None)
    if kwargs:
        raise ValueError(f"Unrecognized keyword arguments for tf.print: {kwargs}")
    summarize = 3 if summarize is None else summarize
    text = separator.join(printed(value, summarize) for value in inputs) + end
    if isinstance(stream, str):
        if not stream.startswith("file://"):
            raise _unknown_stream(stream)
        with open(stream.removeprefix("file://"), "a", encoding="utf-8") as file:
            file.write(text)
    elif hasattr(stream, "write"):
        stream.write(text)
        if hasattr(stream, "flush"):
            stream.flush()
    elif callable(stream):  # a logging function, such as logging.info
        stream(text.removesuffix("\n"))
    else:
        raise _unknown_stream(stream)


def _unknown_stream(stream) -> ValueError:
    return ValueError(
        "Unknown output stream, logging level, or file. It is a stream such as sys.stdout, a "
        f"logging function, or 'file://' and a path; got {stream!r}."
    )


def _strings(values) -> np.ndarray:
    tensor = ops.to_tensor(values)
    if tensor.dtype.name != "string":
        raise InvalidArgumentError(
            f"a string tensor is needed, got one of dtype {tensor.dtype.name}. Use tf.as_string."
        )
    return np.asarray(tensor.numpy(), object)


def _tensor(array) -> Tensor:
    return Tensor(np.asarray(array, object))


def _each(function, array: np.ndarray) -> Tensor:
    """`function` of every string."""
    result = np.empty(array.shape, object)
    flat = result.reshape(-1)
    flat[:] = [function(text) for text in array.reshape(-1)]
    return _tensor(result)


@export("as_string", "strings.as_string")
def as_string(
    input, precision=-1, scientific=False, shortest=False, width=-1, fill="", name=None
) -> Tensor:
    """Numbers written as strings, as C's printf does."""
    tensor = ops.to_tensor(input)
    if tensor.dtype.name == "string":
        return tensor
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
    flags = fill if fill in ("", "0", "+", "-", " ") else ""
    if fill and not flags:
        raise InvalidArgumentError(
            f"as_string: fill is one of '', '0', '+', '-', ' ', not {fill!r}"
        )
    size = str(width) if width > -1 else ""
    digits = f".{precision}" if precision > -1 else ""
    letter = "d" if kind.is_integer else "e" if scientific else "g" if shortest else "f"
    pattern = f"%{flags}{size}{digits}{letter}"

    def written(value) -> bytes:
        if kind.is_bool:
            return b"true" if value else b"false"
        if kind.is_complex:
            return f"({pattern % value.real},{pattern % value.imag})".encode()
        return (pattern % (int(value) if kind.is_integer else float(value))).encode()

    return _each(written, np.asarray(tensor.numpy()))


@export("strings.join")
def join(inputs, separator="", name=None) -> Tensor:
    """Strings joined, element by element; scalars join every element."""
    arrays = [_strings(each) for each in inputs]
    if not arrays:
        return _tensor(b"")
    shapes = {array.shape for array in arrays if array.ndim}
    if len(shapes) > 1:
        listed = " vs. ".join(str(list(s)) for s in sorted(shapes))
        raise InvalidArgumentError(f"strings.join: input shapes do not match: {listed}")
    arrays = np.broadcast_arrays(*arrays)
    glue = separator.encode()
    joined = [glue.join(texts) for texts in zip(*[a.reshape(-1) for a in arrays], strict=True)]
    result = np.empty(arrays[0].shape, object)
    result.reshape(-1)[:] = joined
    return _tensor(result)


@export("strings.reduce_join")
def reduce_join(inputs, axis=None, keepdims=False, separator="", name=None) -> Tensor:
    """The strings along axes joined into one."""
    array = _strings(inputs)
    rank = array.ndim
    given = range(rank - 1, -1, -1) if axis is None else np.reshape(static_value(axis), -1)
    axes = [ops.normalize_axis("reduce_join", int(a), rank) for a in given]
    kept = [a for a in range(rank) if a not in axes]
    # The axis named first is joined first.
    moved = np.transpose(array, [*kept, *reversed(axes)])
    rows = moved.reshape(*[array.shape[a] for a in kept], -1)
    glue = separator.encode()
    result = np.empty(rows.shape[:-1], object)
    for place in np.ndindex(*result.shape):
        result[place] = glue.join(rows[place])
    if keepdims:
        result = result.reshape([1 if a in axes else n for a, n in enumerate(array.shape)])
    return _tensor(result)


@export("strings.length")
def length(input, unit="BYTE", name=None) -> Tensor:
    """The lengths of strings, in bytes or in characters of UTF-8."""
    if unit not in ("BYTE", "UTF8_CHAR"):
        raise InvalidArgumentError(f"strings.length: unit is 'BYTE' or 'UTF8_CHAR', not {unit!r}")
    array = _strings(input)
    sizes = [len(s if unit == "BYTE" else s.decode(errors="replace")) for s in array.reshape(-1)]
    return Tensor(np.array(sizes, np.int32).reshape(array.shape)[()])


@export("strings.format")
def format_(template, inputs, placeholder="{}", summarize=3, name=None) -> Tensor:
    """A template with its placeholders replaced by tensors, as `tf.print` writes them."""
    given = list(inputs) if isinstance(inputs, (list, tuple)) else [inputs]
    expected = template.count(placeholder)
    if expected != len(given):
        raise ValueError(
            f"The template expects {expected} tensors, but the inputs only has {len(given)}. "
            "Please ensure the number of placeholders in template matches inputs length."
        )
    pieces = template.split(placeholder)
    text = pieces[0]
    for value, piece in zip(given, pieces[1:], strict=True):
        text += tensor_text(value, summarize) + piece
    return _tensor(text.encode())


def _ascii_only(change):
    """A change of letters that leaves bytes beyond ASCII alone."""
    return lambda text: bytes(change(bytes([b]))[0] if b < 128 else b for b in text)


@export("strings.lower")
def lower(input, encoding="", name=None) -> Tensor:
    """Strings in small letters: ASCII ones, or all with encoding="utf-8"."""
    if encoding:
        return _each(lambda text: text.decode().lower().encode(), _strings(input))
    return _each(_ascii_only(bytes.lower), _strings(input))


@export("strings.upper")
def upper(input, encoding="", name=None) -> Tensor:
    """Strings in capital letters: ASCII ones, or all with encoding="utf-8"."""
    if encoding:
        return _each(lambda text: text.decode().upper().encode(), _strings(input))
    return _each(_ascii_only(bytes.upper), _strings(input))


@export("strings.strip")
def strip(input, name=None) -> Tensor:
    """Strings without white space at their ends."""
    return _each(bytes.strip, _strings(input))


@export("strings.to_number")
def to_number(input, out_type=float32, name=None) -> Tensor:
    """The numbers that strings spell."""
    dtype = as_dtype(out_type)
    array = _strings(input)
    found = []
    for text in array.reshape(-1):
        try:
            found.append(int(text) if dtype.is_integer else float(text))
        except ValueError:
            raise InvalidArgumentError(
                f"strings.to_number: could not correctly convert string: {text.decode()}"
            ) from None
    return Tensor(np.array(found, dtype.as_numpy_dtype).reshape(array.shape)[()])
