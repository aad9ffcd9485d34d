"""Recurrent layers on ragged sequences."""

from __future__ import annotations

import functools

from gradtape import ops
from gradtape.api.export import lookup
from gradtape.api.ragged.tensor import RaggedTensor
from keras_gradtape.src import conversion


def take_sequences(cls: type) -> None:
    """Let a recurrent layer take ragged sequences, as Keras 2's do: each ends with its own row."""
    known_call = cls.call

    @functools.wraps(known_call)
    def call(self, sequences, initial_state=None, mask=None, training=False):
        if type(sequences) is not RaggedTensor:
            return known_call(self, sequences, initial_state, mask, training)
        lengths, padded = sequences.row_lengths(), sequences.to_tensor()
        steps = lookup("sequence_mask")(lengths, lookup("shape")(padded)[1])
        if mask is not None:
            steps = ops.logical_and(steps, conversion.convert_to_tensor(mask))
        results = known_call(self, padded, initial_state, steps, training)
        if not self.return_sequences or getattr(self, "go_backwards", False):
            return results
        # Bidirectional layers may give their two outputs as they are.
        count = 2 if getattr(self, "merge_mode", "concat") is None else 1
        parts = list(results) if isinstance(results, (list, tuple)) else [results]
        parts[:count] = [RaggedTensor.from_tensor(y, lengths) for y in parts[:count]]
        return tuple(parts) if isinstance(results, (list, tuple)) else parts[0]

    cls.call = call
