"""Slices, in the three forms that XLA fuses with their neighbors: slice, reverse, pad.

An index has one entry for each axis read (an int, or a tuple (start, stop, step)), None for each
new axis, and perhaps an ellipsis.
"""

from __future__ import annotations

from typing import NamedTuple

import jax.numpy as jnp
from jax import lax


class Region(NamedTuple):
    """The part of an array that an index selects: its position, and the shape of the result."""

    starts: tuple[int, ...]
    counts: tuple[int, ...]
    steps: tuple[int, ...]  # positive: axes read backwards are in `reversed`
    reversed: tuple[int, ...]
    shape: tuple[int, ...]


def region(shape: tuple[int, ...], index: tuple) -> Region:
    """Resolve an index for an array of a shape."""
    named = sum(entry is not None and entry is not Ellipsis for entry in index)
    entries = list(index) if Ellipsis in index else [*index, Ellipsis]
    position = entries.index(Ellipsis)
    entries[position : position + 1] = [(None, None, None)] * (len(shape) - named)
    starts, counts, steps, backwards, result = [], [], [], [], []
    for entry in entries:
        if entry is None:
            result.append(1)
            continue
        axis = len(starts)
        if type(entry) is tuple:
            positions = range(*slice(*entry).indices(shape[axis]))
            result.append(len(positions))
        else:
            if not -shape[axis] <= int(entry) < shape[axis]:
                raise IndexError(f"index {entry} of an axis of size {shape[axis]}")
            position = int(entry) % shape[axis]
            positions = range(position, position + 1)
        if positions.step < 0:
            backwards.append(axis)
            positions = positions[::-1]
        starts.append(positions.start if len(positions) else 0)
        counts.append(len(positions))
        steps.append(positions.step)
    return Region(tuple(starts), tuple(counts), tuple(steps), tuple(backwards), tuple(result))


def take_slice(x, index):
    part = region(x.shape, index)
    limits = [
        start + (count - 1) * step + 1 if count else start
        for start, count, step in zip(part.starts, part.counts, part.steps, strict=True)
    ]
    y = lax.slice(x, part.starts, limits, part.steps)
    return jnp.reshape(lax.rev(y, part.reversed) if part.reversed else y, part.shape)


def _placed(x, part: Region):
    """Reshape the result of an index to the order of the axes it was read from."""
    x = jnp.reshape(x, part.counts)
    return lax.rev(x, part.reversed) if part.reversed else x


def _spread(x, shape, part: Region):
    """Return zeros of `shape` with x in the region."""
    padding = [
        (start, size - start - ((count - 1) * step + 1 if count else 0), step - 1 if count else 0)
        for start, count, step, size in zip(
            part.starts, part.counts, part.steps, shape, strict=True
        )
    ]
    return lax.pad(_placed(x, part), jnp.zeros((), x.dtype), padding)


def put_slice(x, shape, index):
    part = region(shape, index)
    return _spread(jnp.broadcast_to(x, part.shape), shape, part)


def update_slice(x, value, index):
    part = region(x.shape, index)
    value = jnp.broadcast_to(value, part.shape)
    if all(step == 1 for step in part.steps):
        return lax.dynamic_update_slice(x, _placed(value, part), part.starts)
    inside = _spread(jnp.ones(part.shape, bool), x.shape, part)
    return jnp.where(inside, _spread(value, x.shape, part), x)


KERNELS = {
    "slice": take_slice,
    "put_slice": put_slice,
    "update_slice": update_slice,
}
