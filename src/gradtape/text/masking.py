"""Masked language models: which items are hidden from the model, and what it sees instead."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import gradtape as tf
from gradtape import ops
from gradtape.core.dtypes import int64
from gradtape.text.rows import last_axis, two_axes


class RandomItemSelector:
    """Selects items of each row at random.

    `selection_rate` of the items that may be selected are, rounded up, and at most
    `max_selections_per_batch`; never those in `unselectable_ids`. (TensorFlow Text's `shuffle_fn`
    is left out: the choice depends on `tf.random.set_seed`.)
    """

    def __init__(
        self, max_selections_per_batch, selection_rate, unselectable_ids=None, shuffle_fn=None
    ) -> None:
        if shuffle_fn is not None:
            raise NotImplementedError("RandomItemSelector: shuffle_fn is not supported; leave it.")
        self._most = int(max_selections_per_batch)
        self._rate = float(selection_rate)
        self._never = list(unselectable_ids or [])

    @property
    def max_selections_per_batch(self) -> int:
        return self._most

    @property
    def selection_rate(self) -> float:
        return self._rate

    @property
    def unselectable_ids(self) -> list:
        return self._never

    def get_selectable(self, input_ids, axis=1) -> Any:
        """Return which items may be selected."""
        last_axis(axis, "RandomItemSelector.get_selectable")
        rows = two_axes(input_ids, "input_ids")
        free = ops.ones_like(rows.values, dtype="bool")
        for item in self._never:
            free = ops.logical_and(free, ops.not_equal(rows.values, ops.cast(item, rows.dtype)))
        return rows.with_values(free)

    def get_selection_mask(self, input_ids, axis=1) -> Any:
        """Return which items are selected."""
        free = self.get_selectable(input_ids, axis)
        order = tf.random.uniform(tf.shape(free.values))
        inputs = [free.values, free.row_splits, order]
        return free.with_values(
            ops.host_call(self._select, inputs, tf.bool, tuple(free.values.shape))
        )

    def _select(self, free: np.ndarray, splits: np.ndarray, order: np.ndarray) -> np.ndarray:
        selected = np.zeros(free.shape, bool)
        for start, end in zip(splits[:-1].tolist(), splits[1:].tolist(), strict=True):
            candidates = start + np.flatnonzero(free[start:end])
            count = min(self._most, math.ceil(np.float32(len(candidates)) * np.float32(self._rate)))
            selected[candidates[np.argsort(order[candidates])[:count]]] = True
        return selected


class MaskValuesChooser:
    """Chooses what takes the place of selected items: the mask, a random item, or themselves."""

    def __init__(self, vocab_size, mask_token, mask_token_rate=0.8, random_token_rate=0.1) -> None:
        if mask_token_rate is None:
            raise ValueError("MaskValuesChooser: mask_token_rate must not be None.")
        if random_token_rate is None:
            raise ValueError("MaskValuesChooser: random_token_rate must not be None.")
        self._vocab_size = int(vocab_size)
        self._mask_token = int(mask_token)
        self._mask_rate = float(mask_token_rate)
        self._random_rate = float(random_token_rate)

    @property
    def mask_token(self) -> int:
        return self._mask_token

    @property
    def vocab_size(self) -> int:
        return self._vocab_size

    @property
    def random_token_rate(self) -> float:
        return self._random_rate

    def get_mask_values(self, masked_lm_ids) -> Any:
        """Return what stands in the place of each item."""
        rows = two_axes(masked_lm_ids, "masked_lm_ids")
        items = rows.values
        chance = tf.random.uniform(tf.shape(items))
        others = tf.random.uniform(tf.shape(items), 0, self._vocab_size, tf.int64)
        result = ops.where(
            chance < self._mask_rate + self._random_rate, ops.cast(others, items.dtype), items
        )
        mask = ops.cast(ops.to_tensor(self._mask_token), items.dtype)
        return rows.with_values(ops.where(chance < self._mask_rate, mask, result))


def mask_language_model(
    input_ids, item_selector, mask_values_chooser, axis=1
) -> tuple[Any, Any, Any]:
    """Return the items with some of them replaced, where in their rows these stand, and which they
    were."""
    last_axis(axis, "mask_language_model")
    rows = two_axes(input_ids, "input_ids")
    selected = item_selector.get_selection_mask(rows, axis)
    items = tf.ragged.boolean_mask(rows, selected)
    positions = tf.ragged.boolean_mask(
        tf.ragged.range(ops.cast(rows.row_lengths(), int64)), selected
    )
    chosen = mask_values_chooser.get_mask_values(items)
    replaced = tf.tensor_scatter_nd_update(
        rows.values, tf.where(selected.values), ops.cast(chosen.values, rows.dtype)
    )
    return rows.with_values(replaced), positions, items
