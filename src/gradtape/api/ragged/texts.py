"""`tf.strings` functions that treat the rows of ragged tensors otherwise than value by value."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradtape import ops
from gradtape.api.ragged.arrays import expand_dims, several
from gradtape.api.ragged.broadcasting import elementwise
from gradtape.api.ragged.partition import RowPartition
from gradtape.api.ragged.reductions import normal_axes
from gradtape.api.ragged.tensor import RaggedTensor
from gradtape.core.convert import static_value
from gradtape.core.tensor import Tensor


def texts_of(tensor: Any) -> np.ndarray:
    """Return the strings of a tensor as an array of objects."""
    return np.asarray(static_value(tensor), object)


def joined(rows: list[list[bytes]], separator: bytes) -> Tensor:
    """Return each row of strings as one."""
    result = np.empty(len(rows), object)
    result[:] = [separator.join(row) for row in rows]
    return Tensor(result)


def ragged_texts(rows: list[list[bytes]], dtype: Any) -> RaggedTensor:
    """Return rows of strings as a ragged tensor."""
    flat = np.empty(sum(map(len, rows)), object)
    flat[:] = [text for row in rows for text in row]
    lengths = [len(row) for row in rows]
    return RaggedTensor._of(Tensor(flat), RowPartition.of_lengths(lengths, dtype))


def join(inputs, separator="", name=None) -> Any:
    """Return strings joined elementwise."""
    from gradtape.api.strings.pieces import join as dense

    return elementwise(lambda *x: dense(list(x), separator), several(inputs), "strings.join")


def reduce_join(inputs, axis=None, keepdims=False, separator="", name=None) -> Any:
    """Return strings joined along axes."""
    from gradtape.api.strings.arguments import bytes_of

    glue, rank = bytes_of(separator, "separator"), len(inputs.shape)
    axes = list(range(rank)) if axis is None else normal_axes(axis, rank)
    result: Any = inputs
    for each in sorted(axes, reverse=True):
        result = _join_axis(result, each, glue)
        if keepdims:
            result = expand_dims(result, each)
    return result


def _join_axis(x: Any, axis: int, glue: Any) -> Any:
    if not isinstance(x, RaggedTensor):
        from gradtape.api.strings.pieces import reduce_join as dense

        return dense(x, axis, False, glue)
    if axis > 1:
        return x.with_values(_join_axis(x.values, axis - 1, glue))
    if isinstance(x.values, RaggedTensor) or x.values.ndim > 1:
        raise ValueError(
            "reduce_join: of a ragged tensor only the innermost axis is joined, or all of a matrix "
            f"of strings; got axis {axis} of shape {x.shape}."
        )
    rows = x.to_list()
    if axis == 0:
        width = max(map(len, rows), default=0)
        rows = [[row[i] for row in rows if i < len(row)] for i in range(width)]
    return joined(rows, glue)


def ngrams(
    data,
    ngram_width,
    separator=" ",
    pad_values=None,
    padding_width=None,
    preserve_short_sequences=False,
    name=None,
) -> Any:
    """Return all runs of strings in each row, each joined to one string."""
    from gradtape.api.strings.splitting import Runs

    runs = Runs(ngram_width, separator, pad_values, padding_width, preserve_short_sequences)
    return _on_rows(data, lambda rows: ragged_texts(list(map(runs, rows)), data._partition.dtype))


def _on_rows(rt: RaggedTensor, function) -> Any:
    """Return a function of the innermost rows, in the dimensions around them."""
    if isinstance(rt.values, RaggedTensor):
        return RaggedTensor._of(_on_rows(rt.values, function), rt._partition)
    if rt.values.ndim > 1:
        inner = rt.values
        outer = ops.reshape(inner, (-1, inner.shape[-1]))
        rows = function(texts_of(outer).tolist())
        for axis in range(inner.ndim - 2, 0, -1):
            count = int(np.prod(inner.shape[:axis]))
            size = inner.shape[axis]
            rows = RaggedTensor._of(rows, RowPartition.of_uniform(count, size, rt._partition.dtype))
        return RaggedTensor._of(rows, rt._partition)
    return function(rt.to_list())


def unicode_encode(
    input, output_encoding, errors="replace", replacement_char=65533, name=None
) -> Any:
    """Return the code points of each innermost row as a string."""
    from gradtape.api.strings.unicode import unicode_encode as dense

    values = input.values
    if isinstance(values, RaggedTensor):
        inner = unicode_encode(values, output_encoding, errors, replacement_char)
        return RaggedTensor._of(inner, input._partition)
    if values.ndim > 1:
        return input.with_values(dense(values, output_encoding, errors, replacement_char))
    result = np.empty(input._partition.nrows, object)
    result[:] = [
        np.asarray(dense(row, output_encoding, errors, replacement_char).numpy(), object).item()
        for row in input
    ]
    return Tensor(result)


def format_text(template, inputs, placeholder="{}", summarize=3, name=None) -> Tensor:
    """Return a template with inputs in the place of its placeholders."""
    given = list(inputs) if isinstance(inputs, (list, tuple)) else [inputs]
    if not (isinstance(template, str) and isinstance(placeholder, str) and placeholder):
        raise TypeError("strings.format: template and placeholder must be strings, not empty.")
    parts = template.split(placeholder)
    if len(parts) != len(given) + 1:
        raise ValueError(
            f"The template expects {len(parts) - 1} tensors, but the inputs only has {len(given)}."
        )
    from gradtape.api.strings.numbers import format_

    texts = [
        str(x.to_list()).encode()
        if isinstance(x, RaggedTensor)
        else np.asarray(format_("{}", [x], "{}", summarize).numpy(), object).item()
        for x in given
    ]
    filled = parts[0].encode()
    for text, part in zip(texts, parts[1:], strict=True):
        filled += text + part.encode()
    return Tensor(np.array(filled, object))
