"""`tf.strings`: joining, lengths, parts and letters of strings."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np

from gradtape import ops
from gradtape.api.export import export
from gradtape.api.strings.arguments import (
    UNITS,
    bytes_of,
    check_attribute,
    expect_dtype,
    form,
    map_text,
    map_to_numbers,
    packed,
    text_tensor,
)
from gradtape.backends.broadcasting import broadcast_arrays
from gradtape.core.convert import static_int, static_ints
from gradtape.core.dtypes import int32, int64, string
from gradtape.core.errors import InvalidArgumentError, OutOfRangeError
from gradtape.core.tensor import Tensor


@export("strings.join")
def join(inputs, separator="", name=None) -> Tensor:
    """Return strings joined, element by element; scalars join every element."""
    glue = bytes_of(separator, "separator")
    if isinstance(inputs, (str, bytes)):
        raise TypeError(f"Expected list for 'inputs' argument to 'string_join' Op, not {inputs!r}.")
    tensors = [text_tensor(each, "StringJoin") for each in inputs]
    if not tensors:
        return Tensor(packed([b""], ()))
    shapes = [tuple(t.shape) for t in tensors if t.ndim]
    for shape in shapes:
        if shape != shapes[0]:
            raise InvalidArgumentError(
                f"Input shapes do not match: {list(shapes[0])} vs. {list(shape)} [Op:StringJoin]"
            )

    def compute(*arrays: np.ndarray) -> np.ndarray:
        whole = broadcast_arrays(*arrays)
        columns = [array.ravel().tolist() for array in whole]
        return packed(map(glue.join, zip(*columns, strict=True)), whole[0].shape)

    written = form("StringJoin", separator=glue, N=len(tensors))
    return ops.host_call(compute, tensors, string, shapes[0] if shapes else (), written)


@export("strings.reduce_join")
def reduce_join(inputs, axis=None, keepdims=False, separator="", name=None) -> Tensor:
    """Return the strings along axes joined into one."""
    glue = bytes_of(separator, "separator")
    tensor = text_tensor(inputs, "ReduceJoin")
    rank, shape = tensor.ndim, tuple(tensor.shape)
    given = range(rank) if axis is None else static_ints(axis, "ReduceJoin: axis")
    axes = [_reduced_axis(a, rank) for a in given]
    if axis is None and rank:
        # TensorFlow joins all axes from the last to the first.
        axes = axes[::-1]
    for a in axes:
        if axes.count(a) > 1:
            raise InvalidArgumentError(f"Duplicate reduction dimension {a} [Op:ReduceJoin]")
    kept = [a for a in range(rank) if a not in axes]
    sizes = [shape[a] for a in kept]
    final = [1 if a in axes else n for a, n in enumerate(shape)] if keepdims else sizes

    def compute(texts: np.ndarray) -> np.ndarray:
        # The axis named first is joined first.
        rows = np.transpose(texts, [*kept, *reversed(axes)])
        width = int(np.prod([shape[a] for a in axes], dtype=np.int64))
        rows = rows.reshape(int(np.prod(sizes, dtype=np.int64)), width)
        return packed(map(glue.join, rows.tolist()), final)

    written = form("ReduceJoin", separator=glue, keep_dims=bool(keepdims), axes=tuple(axes))
    return ops.host_call(compute, [tensor], string, final, written)


def _reduced_axis(axis: int, rank: int) -> int:
    if not -rank <= axis < rank:
        raise OutOfRangeError(
            f"Invalid reduction dimension {axis} for input with {rank} dimension(s) [Op:ReduceJoin]"
        )
    return axis % rank


@export("strings.unsorted_segment_join")
def unsorted_segment_join(inputs, segment_ids, num_segments, separator="", name=None) -> Tensor:
    """Return the strings of each segment joined, in their order."""
    op = "UnsortedSegmentJoin"
    glue = bytes_of(separator, "separator")
    tensor = text_tensor(inputs, op)
    ids = expect_dtype(ops.to_tensor(segment_ids), (int32, int64), op)
    count = static_int(num_segments, f"{op}: num_segments")
    if count < 0:
        raise InvalidArgumentError(
            f"Number of segments must be non-negative but got {count} [Op:{op}]"
        )
    if not ids.ndim:
        raise InvalidArgumentError(f"Segment_id cannot have rank 0 [Op:{op}]")
    shape, prefix = tuple(tensor.shape), tuple(ids.shape)
    if shape[: len(prefix)] != prefix:
        raise InvalidArgumentError(
            f"segment_ids of shape {list(prefix)} must begin as the shape of the input, "
            f"{list(shape)} [Op:{op}]"
        )
    rest = shape[len(prefix) :]

    def compute(texts: np.ndarray, segments: np.ndarray) -> np.ndarray:
        width = int(np.prod(rest, dtype=np.int64))
        rows = texts.reshape(segments.size, width).tolist()
        joined = [[[] for _ in range(width)] for _ in range(count)]
        for segment, row in zip(segments.ravel().tolist(), rows, strict=True):
            if not 0 <= segment < count:
                raise InvalidArgumentError(
                    "segment_ids are not allowed to exceed num_segments or to have negative "
                    f"values. [Op:{op}]"
                )
            for pieces, piece in zip(joined[segment], row, strict=True):
                pieces.append(piece)
        return packed((glue.join(p) for part in joined for p in part), (count, *rest))

    written = form(op, separator=glue, count=count)
    return ops.host_call(compute, [tensor, ids], string, (count, *rest), written)


@export("strings.length")
def length(input, unit="BYTE", name=None) -> Tensor:
    """Return the lengths of strings, in bytes or in characters of UTF-8."""
    check_attribute("unit", unit, UNITS, "StringLength")
    measure = len if unit == "BYTE" else _count_characters
    written = form("StringLength", unit=unit)
    return map_to_numbers(measure, text_tensor(input, "StringLength"), int32, written)


_CONTINUATION = bytes(range(0x80, 0xC0))


def _count_characters(text: bytes) -> int:
    """Return the number of bytes that begin a character."""
    return len(text.translate(None, _CONTINUATION))


@export("strings.substr")
def substr(input, pos, len, unit="BYTE", name=None) -> Tensor:
    """Return the part of each string that begins at `pos` (from the end, if negative)."""
    check_attribute("unit", unit, UNITS, "Substr")
    tensor = text_tensor(input, "Substr")
    starts, sizes = (ops.to_tensor(x) for x in (pos, len))
    if starts.dtype is not sizes.dtype and int64 in (starts.dtype, sizes.dtype):
        starts, sizes = ops.cast(starts, int64), ops.cast(sizes, int64)
    for each in (starts, sizes):
        expect_dtype(each, (int32, int64), "Substr")
    if starts.shape != sizes.shape:
        raise InvalidArgumentError(
            "pos and len should have the same shape, got: "
            f"{list(starts.shape)} vs. {list(sizes.shape)} [Op:Substr]"
        )
    try:
        shape = np.broadcast_shapes(tuple(tensor.shape), tuple(starts.shape))
    except ValueError:
        raise InvalidArgumentError(
            f"Incompatible shapes: {list(tensor.shape)} vs. {list(starts.shape)} [Op:Substr]"
        ) from None
    cut: Callable[..., bytes] = _cut_bytes if unit == "BYTE" else _cut_characters

    def compute(*arrays: np.ndarray) -> np.ndarray:
        columns = [array.ravel().tolist() for array in broadcast_arrays(*arrays)]
        return packed(map(cut, *columns, itertools.count()), shape)

    written = form("Substr", unit=unit)
    return ops.host_call(compute, [tensor, starts, sizes], string, shape, written)


def _cut_bytes(text: bytes, start: int, size: int, index: int) -> bytes:
    if not -len(text) <= start <= len(text):
        raise InvalidArgumentError(
            f"pos {start} out of range for string {text!r} at index {index} [Op:Substr]"
        )
    start += len(text) if start < 0 else 0
    return text[start : start + size] if size >= 0 else text[start:]


def _cut_characters(text: bytes, start: int, size: int, index: int) -> bytes:
    # The positions where characters begin, and the end.
    bounds = [i for i, byte in enumerate(text) if byte & 0xC0 != 0x80]
    count = len(bounds)
    bounds.append(len(text))
    # TensorFlow takes a negative size for none, and with a position from the end for an error.
    if not -count <= start <= count or (start < 0 and size < 0):
        raise InvalidArgumentError(
            f"pos {start} out of range for string at index {index} [Op:Substr]"
        )
    start += count if start < 0 else 0
    return text[bounds[start] : bounds[min(start + max(size, 0), count)]]


def _in_letters(change: Callable[[str], str]) -> Callable[[bytes], bytes]:
    """Return a change of text as one of bytes in UTF-8."""
    return lambda text: change(text.decode(errors="replace")).encode()


def _check_encoding(encoding: str, op: str) -> None:
    if encoding not in ("", "utf-8"):
        raise InvalidArgumentError(
            f"only utf-8 or '' (no encoding) is supported, received {encoding} [Op:{op}]"
        )


def _in_case(op: str, of_letters, of_bytes, input, encoding: str) -> Tensor:
    _check_encoding(encoding, op)
    change = _in_letters(of_letters) if encoding else of_bytes
    return map_text(change, text_tensor(input, op), form(op, encoding=encoding))


@export("strings.lower")
def lower(input, encoding="", name=None) -> Tensor:
    """Return strings in small letters: ASCII ones, or all with encoding="utf-8"."""
    return _in_case("StringLower", str.lower, bytes.lower, input, encoding)


@export("strings.upper")
def upper(input, encoding="", name=None) -> Tensor:
    """Return strings in capital letters: ASCII ones, or all with encoding="utf-8"."""
    return _in_case("StringUpper", str.upper, bytes.upper, input, encoding)


@export("strings.strip")
def strip(input, name=None) -> Tensor:
    """Return strings without white space at their ends."""
    return map_text(bytes.strip, text_tensor(input, "StringStrip"), form("StringStrip"))
