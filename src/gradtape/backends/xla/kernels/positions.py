"""Ops that read or write at a position in an array, which is an argument of their program.

In a graph, `x[3:8]` is a slice that XLA fuses with its neighbors (see `slicing`). A single op would
be recompiled for every position that a program reads: `for row in x` has as many as x has rows. So
it is compiled for the sizes only, and the position is passed when it runs.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

import jax.numpy as jnp
import numpy as np
from jax import lax

from gradtape.backends.xla.kernels.slicing import Region, region

_KEPT = 4096  # cached positions: loops of a program use the same ones again


class Positioned(NamedTuple):
    """An op in two parts.

    `parted` takes the shape of the first input and the parameters; it returns what a program is
    compiled for, as parameters of `kernel`, and the position, as a vector of integers.
    `kernel` takes the position as a vector, then the inputs.
    """

    parted: Callable[[tuple[int, ...], dict[str, Any]], tuple[dict[str, Any], np.ndarray]]
    kernel: Callable[..., Any]


def _position(starts: tuple[int, ...]) -> np.ndarray:
    small = all(start < 2**31 for start in starts)
    return np.array(starts, np.int32 if small else np.int64)


@lru_cache(_KEPT)
def _part(shape: tuple[int, ...], index: tuple) -> tuple[Region, np.ndarray]:
    """Return the form of a region, with starts of 0, and the position where it really starts."""
    part = region(shape, index)
    return part._replace(starts=(0,) * len(shape)), _position(part.starts)


def _extents(part: Region) -> tuple[int, ...]:
    """Return the number of elements that a region spans along each axis."""
    return tuple(
        (count - 1) * step + 1 if count else 0
        for count, step in zip(part.counts, part.steps, strict=True)
    )


def _parted_slice(shape, params):
    form, position = _part(shape, params["index"])
    return {"form": form}, position


def _take(position, x, form: Region):
    extents = _extents(form)
    y = lax.dynamic_slice(x, list(position), extents)
    if extents != form.counts:
        y = lax.slice(y, form.starts, extents, form.steps)
    return jnp.reshape(lax.rev(y, form.reversed) if form.reversed else y, form.shape)


def _scattered(x, form: Region):
    """Reshape the result of an index to the axes it was read from, with gaps between its steps."""
    x = jnp.reshape(jnp.broadcast_to(x, form.shape), form.counts)
    x = lax.rev(x, form.reversed) if form.reversed else x
    gaps = [(0, 0, step - 1 if n else 0) for n, step in zip(form.counts, form.steps, strict=True)]
    return lax.pad(x, jnp.zeros((), x.dtype), gaps)


def _parted_put(shape, params):
    whole = tuple(params["shape"])
    form, position = _part(whole, params["index"])
    return {"form": form, "shape": whole}, position


def _put(position, x, form: Region, shape):
    return lax.dynamic_update_slice(jnp.zeros(shape, x.dtype), _scattered(x, form), list(position))


def _update(position, x, value, form: Region):
    value = _scattered(value, form)
    extents = _extents(form)
    if extents != form.counts:
        there = lax.dynamic_slice(x, list(position), extents)
        value = jnp.where(_scattered(jnp.ones((), bool), form), value, there)
    return lax.dynamic_update_slice(x, value, list(position))


def _parted_roll(shape, params):
    size = shape[params["axis"]]
    return {"axis": params["axis"]}, _position((params["shift"] % size if size else 0,))


def _roll(position, x, axis):
    return jnp.roll(x, position[0], axis)


POSITIONED = {
    "slice": Positioned(_parted_slice, _take),
    "put_slice": Positioned(_parted_put, _put),
    "update_slice": Positioned(_parted_slice, _update),
    "roll": Positioned(_parted_roll, _roll),
}
