"""`tf.strings`: parts of strings, and runs of strings."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from gradtape import ops
from gradtape.api.export import export
from gradtape.api.strings.arguments import bytes_of, packed, text_tensor
from gradtape.core.convert import static_ints
from gradtape.core.dtypes import DType, int64, string
from gradtape.core.errors import InvalidArgumentError
from gradtape.core.tensor import Tensor


def parts_in_rows(
    input: Any, op: str, split: Callable[[bytes], Sequence[list]], kinds: Sequence[DType]
) -> list[Any]:
    """Return the parts of each string of a tensor: ragged, unless it is a single string.

    `split` gives lists of equal lengths, of which there is one result each, of these dtypes.
    """
    tensor = text_tensor(input, op)
    shape = tuple(tensor.shape)
    count = math.prod(shape)

    def compute(texts: Any) -> list[np.ndarray]:
        flat: list[list] = [[] for _ in kinds]
        ends = [0]
        # One after the other: a million lists at once keep the collector busy.
        for text in np.asarray(texts, object).reshape(-1).tolist():
            for all_parts, parts in zip(flat, split(text), strict=True):
                all_parts += parts
            ends.append(len(flat[0]))
        arrays = [
            packed(each, len(each)) if dtype is string else np.array(each, dtype.dtype)
            for each, dtype in zip(flat, kinds, strict=True)
        ]
        return [*arrays, np.array(ends, np.int64)]

    specs = [*[(dtype.dtype, (None,)) for dtype in kinds], (np.int64, (count + 1,))]
    *results, ends = ops.host_arrays(compute, [tensor], specs)
    return [_in_rows(values, ends, shape) for values in results]


def _in_rows(values: Tensor, ends: Tensor, shape: tuple[int, ...]) -> Any:
    if not shape:
        return values
    from gradtape.api.ragged.partition import RowPartition
    from gradtape.api.ragged.tensor import RaggedTensor

    rows = RaggedTensor._of(values, RowPartition(ends))
    for axis in range(len(shape) - 1, 0, -1):
        rows = RaggedTensor._of(
            rows, RowPartition.of_uniform(math.prod(shape[:axis]), shape[axis], int64)
        )
    return rows


@export("strings.split")
def string_split(input, sep=None, maxsplit=-1, name=None) -> Any:
    """Return the parts of each string between separators, or between white space."""
    separator = text_tensor(b"" if sep is None else sep, "StringSplitV2")
    if separator.ndim:
        raise InvalidArgumentError("sep must be a scalar [Op:StringSplitV2]")
    between = np.asarray(separator.numpy(), object).item() or None
    limit = operator.index(maxsplit)
    if not -(2**63) <= limit < 2**63:
        raise ValueError(f"StringSplitV2: maxsplit: {limit} does not fit into 64 bits.")
    return parts_in_rows(input, "StringSplitV2", lambda x: [x.split(between, limit)], [string])[0]


@export("strings.bytes_split")
def bytes_split(input, name=None) -> Any:
    """Return the bytes of each string, each as a string."""

    def split(text: bytes) -> list[list]:
        return [[text[i : i + 1] for i in range(len(text))]]

    return parts_in_rows(input, "BytesSplit", split, [string])[0]


class Runs:
    """A function from a row of strings to its runs of given widths, each joined to one string."""

    def __init__(
        self, ngram_width, separator, pad_values, padding_width, preserve_short_sequences
    ) -> None:
        if pad_values is None:
            if padding_width is not None:
                raise ValueError("pad_values must be provided if padding_width is set.")
            self.left = self.right = b""
        else:
            self.left, self.right = _padding(pad_values)
        if padding_width is not None and padding_width < 1:
            raise ValueError(f"padding_width must be greater than 0. Got {padding_width}")
        self.widths = static_ints(ngram_width, "ngrams: ngram_width")
        if any(width < 1 for width in self.widths):
            raise ValueError(f"All ngram_widths must be greater than 0. Got {ngram_width}")
        self.glue = bytes_of(separator, "separator")
        self.pads = pad_values is not None
        self.padding_width = padding_width
        self.keeps_short = preserve_short_sequences

    def _pad_count(self, width: int) -> int:
        if not self.pads:
            return 0
        return width - 1 if self.padding_width is None else min(self.padding_width, width - 1)

    def __call__(self, row: list[bytes]) -> list[bytes]:
        ngrams = []
        for width in self.widths:
            pads = self._pad_count(width)
            padded = [self.left] * pads + row + [self.right] * pads
            ngrams += [
                self.glue.join(padded[i : i + width])
                for i in range(max(len(padded) - width + 1, 0))
            ]
        if not ngrams and self.keeps_short and row:
            pads = self.padding_width or 0
            ngrams.append(self.glue.join([self.left] * pads + row + [self.right] * pads))
        return ngrams


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
    runs = Runs(ngram_width, separator, pad_values, padding_width, preserve_short_sequences)
    tensor = text_tensor(data, "StringNGrams")
    if not tensor.ndim:
        raise ValueError("Data must have rank>0")
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
