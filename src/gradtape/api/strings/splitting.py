"""`tf.strings`: parts of one string, and runs of strings."""

from __future__ import annotations

import numpy as np

from gradtape import ops
from gradtape.api.export import export
from gradtape.api.strings.arguments import bytes_of, packed, text_tensor
from gradtape.core.convert import static_ints
from gradtape.core.dtypes import string
from gradtape.core.errors import InvalidArgumentError
from gradtape.core.tensor import Tensor


def one_text(value, op: str) -> bytes:
    """Return the value of one string; the parts of several would be a ragged tensor."""
    tensor = text_tensor(value, op)
    if tensor.ndim:
        raise NotImplementedError(
            f"{op}: the parts of several strings (shape {tuple(tensor.shape)}) are a RaggedTensor, "
            "and ragged tensors are not supported. Split one string at a time, for example in "
            "Dataset.map, and batch with Dataset.padded_batch."
        )
    return np.asarray(tensor.numpy(), object).item()


@export("strings.split")
def string_split(input, sep=None, maxsplit=-1, name=None) -> Tensor:
    """Return the parts of a string between separators, or between white space."""
    separator = text_tensor(b"" if sep is None else sep, "StringSplitV2")
    if separator.ndim:
        raise InvalidArgumentError("sep must be a scalar [Op:StringSplitV2]")
    text = one_text(input, "StringSplitV2")
    parts = text.split(one_text(separator, "StringSplitV2") or None, maxsplit)
    return Tensor(packed(parts, len(parts)))


@export("strings.bytes_split")
def bytes_split(input, name=None) -> Tensor:
    """Return the bytes of a string, each as a string."""
    text = one_text(input, "BytesSplit")
    return Tensor(packed([text[i : i + 1] for i in range(len(text))], len(text)))


@export("strings.ngrams")
def ngrams(
    data,
    ngram_width,
    separator=" ",
    pad_values=None,
    padding_width=None,
    preserve_short_sequences=False,
    name=None,
) -> Tensor:
    """Return all runs of `ngram_width` strings along the last axis, each joined to one string.

    With several widths, the runs of one follow those of the other. `pad_values` (left, right) or
    one for both stand before and after each row, `padding_width` times or one less than the width.
    """
    if pad_values is None:
        if padding_width is not None:
            raise ValueError("pad_values must be provided if padding_width is set.")
        left = right = b""
    else:
        left, right = _padding(pad_values)
    if padding_width is not None and padding_width < 1:
        raise ValueError(f"padding_width must be greater than 0. Got {padding_width}")
    widths = static_ints(ngram_width, "ngrams: ngram_width")
    if any(width < 1 for width in widths):
        raise ValueError(f"All ngram_widths must be greater than 0. Got {ngram_width}")
    tensor = text_tensor(data, "StringNGrams")
    if not tensor.ndim:
        raise ValueError("Data must have rank>0")
    glue = bytes_of(separator, "separator")

    def pad_count(width: int) -> int:
        if pad_values is None:
            return 0
        return width - 1 if padding_width is None else min(padding_width, width - 1)

    def runs(row: list[bytes]) -> list[bytes]:
        found = []
        for width in widths:
            pads = pad_count(width)
            padded = [left] * pads + row + [right] * pads
            found += [
                glue.join(padded[i : i + width]) for i in range(max(len(padded) - width + 1, 0))
            ]
        if not found and preserve_short_sequences and row:
            pads = padding_width or 0
            found.append(glue.join([left] * pads + row + [right] * pads))
        return found

    *outer, size = tuple(tensor.shape)
    width = len(runs([b""] * size))  # the same for every row

    def compute(texts: np.ndarray) -> np.ndarray:
        rows = texts.reshape(int(np.prod(outer, dtype=np.int64)), size).tolist()
        return packed([run for row in rows for run in runs(row)], (*outer, width))

    return ops.host_call(compute, [tensor], string, (*outer, width))


def _padding(pad_values) -> tuple[bytes, bytes]:
    pair = pad_values if isinstance(pad_values, (list, tuple)) else (pad_values, pad_values)
    if len(pair) != 2 or not all(isinstance(value, (str, bytes)) for value in pair):
        raise TypeError("pad_values must be a string, tuple of strings, or None.")
    left, right = (bytes_of(value, "pad_values") for value in pair)
    return left, right
