"""Trimmers: segments of a sequence cut so that together they fit into a length."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gradtape import ops
from gradtape.api.ragged.picking import boolean_mask
from gradtape.core.dtypes import int64
from gradtape.text.rows import last_axis, two_axes


class Trimmer:
    """Cuts segments: each is a ragged tensor [batch, (items)], and keeps the first of its items."""

    def __init__(self, max_seq_length, axis=-1) -> None:
        last_axis(axis, type(self).__name__)
        self._limit = max_seq_length

    def generate_mask(self, segments) -> list[Any]:
        """Return which items of each segment are kept."""
        rows = [two_axes(segment, "A segment to trim") for segment in segments]
        limit = ops.cast(ops.to_tensor(self._limit), int64)
        splits = [ops.cast(each.row_splits, int64) for each in rows]
        specs = [(np.bool_, tuple(each.values.shape)) for each in rows]
        masks = ops.host_arrays(self._masks, [limit, *splits], specs)
        return [each.with_values(mask) for each, mask in zip(rows, masks, strict=True)]

    def trim(self, segments) -> list[Any]:
        """Return the segments with the items that are kept."""
        rows = [two_axes(segment, "A segment to trim") for segment in segments]
        masks = self.generate_mask(rows)
        return [boolean_mask(each, mask) for each, mask in zip(rows, masks, strict=True)]

    def _masks(self, limit: np.ndarray, *splits: np.ndarray) -> list[np.ndarray]:
        lengths = np.stack([np.diff(each) for each in splits], -1)
        kept = self._allocate(np.broadcast_to(limit, lengths.shape[:1]), lengths)
        masks = []
        for i, ends in enumerate(splits):
            positions = np.arange(ends[-1]) - np.repeat(ends[:-1], lengths[:, i])
            masks.append(positions < np.repeat(kept[:, i], lengths[:, i]))
        return masks

    def _allocate(self, limit: np.ndarray, lengths: np.ndarray) -> np.ndarray:
        """Return how many items each segment keeps, for [batch, segments] of their lengths."""
        raise NotImplementedError


class WaterfallTrimmer(Trimmer):
    """Gives the length to the segments in order: the first ones are cut last."""

    def _allocate(self, limit: np.ndarray, lengths: np.ndarray) -> np.ndarray:
        before = np.cumsum(lengths, -1) - lengths
        return np.clip(limit[:, None] - before, 0, lengths)


class RoundRobinTrimmer(Trimmer):
    """Gives the length to the segments in turns, one item each, from the first one on."""

    def _allocate(self, limit: np.ndarray, lengths: np.ndarray) -> np.ndarray:
        rows = zip(limit.tolist(), lengths.tolist(), strict=True)
        return np.array([_dealt(total, row) for total, row in rows]).reshape(lengths.shape)


def _dealt(total: int, lengths: Sequence[int]) -> list[int]:
    """Return what each segment gets of a total that is dealt in turns."""
    dealt = [0] * len(lengths)
    while total > 0 and (wanting := [i for i, n in enumerate(lengths) if dealt[i] < n]):
        # As many turns at once as fill the shortest; in the last one, what is left.
        turns = min(total // len(wanting), *(lengths[i] - dealt[i] for i in wanting))
        for i in wanting if turns else wanting[:total]:
            dealt[i] += turns or 1
            total -= turns or 1
    return dealt
