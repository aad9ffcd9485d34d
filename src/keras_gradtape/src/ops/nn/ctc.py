"""Connectionist temporal classification: the loss, and decoding."""

from __future__ import annotations

import numpy as np

from gradtape import ops
from gradtape.api.nn import ctc, ctc_decoders
from gradtape.core.tensor import Tensor
from keras_gradtape.src.conversion import convert_to_tensor
from keras_gradtape.src.promotion import float32_or_more

__all__ = ["ctc_decode", "ctc_loss"]


def ctc_loss(target, output, target_length, output_length, mask_index=0):
    """Return -log of the probability of all paths through `output` (logits) that read as
    `target`."""
    return ctc.ctc_loss(
        convert_to_tensor(target, "int32"),
        float32_or_more(output),
        convert_to_tensor(target_length, "int32"),
        convert_to_tensor(output_length, "int32"),
        logits_time_major=False,
        blank_index=mask_index,
    )


def ctc_decode(
    inputs,
    sequence_lengths,
    strategy="greedy",
    beam_width=100,
    top_paths=1,
    merge_repeated=True,
    mask_index=0,
):
    """Return (the labels read from `inputs`, filled up with -1, and their scores)."""
    x = ops.transpose(float32_or_more(inputs), (1, 0, 2))
    lengths = convert_to_tensor(sequence_lengths, "int32")
    steps, batch, classes = x.shape
    blank = classes - 1 if mask_index is None else mask_index % classes
    if strategy == "greedy":
        paths, scores = ctc_decoders.ctc_greedy_decoder(x, lengths, merge_repeated, blank)
    elif strategy == "beam_search":
        # The search takes the last class as the blank.
        x = ops.concat([x[..., :blank], x[..., blank + 1 :], x[..., blank : blank + 1]], 2)
        paths, scores = ctc_decoders.ctc_beam_search_decoder(x, lengths, beam_width, top_paths)
    else:
        raise ValueError(
            f"Invalid strategy {strategy}. Supported values are 'greedy' and 'beam_search'."
        )
    labels = np.full((len(paths), batch, steps), -1, np.int32)
    for path, rows in zip(labels, paths, strict=True):
        indices = np.asarray(rows.indices)
        path[indices[:, 0], indices[:, 1]] = np.asarray(rows.values)
    if strategy == "beam_search":
        labels[labels >= blank] += 1
    return Tensor(labels), scores
