"""One stream of random numbers for each output, so that all outputs advance together."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gradtape.prng.philox import (
    BLOCKS_PER_OUTPUT,
    normal_float64,
    philox,
    uniform_float64,
)

Floats = NDArray[np.float64]
Lanes = NDArray[np.int64]

# Outputs worked on together, so that their buffers stay in the cache.
_LANES = 16384


class Streams:
    """One stream of float64 uniforms and normals for each output (lane), starting at its block.

    A block gives two values. They go into one of two buffers, uniforms or normals, and are taken
    last in, first out; both kinds are read from the same sequence of blocks.
    """

    def __init__(self, key: int, counter: int, starts: NDArray[np.uint64]) -> None:
        self._key = key
        self._counter = counter
        self._next_block = starts.copy()
        self._uniforms = np.empty((starts.size, 2))
        self._uniforms_left = np.zeros(starts.size, np.int64)
        self._normals = np.empty((starts.size, 2))
        self._normals_left = np.zeros(starts.size, np.int64)

    def uniform(self, lanes: Lanes) -> Floats:
        return self._take(lanes, self._uniforms, self._uniforms_left, uniform_float64)

    def normal(self, lanes: Lanes) -> Floats:
        return self._take(lanes, self._normals, self._normals_left, normal_float64)

    def _take(
        self,
        lanes: Lanes,
        values: Floats,
        left: Lanes,
        convert: Callable[[NDArray[np.uint64]], Floats],
    ) -> Floats:
        empty = lanes[left[lanes] == 0]
        if empty.size:
            block = philox(self._key, self._counter, self._next_block[empty])
            values[empty] = convert(block).T
            left[empty] = 2
            self._next_block[empty] += np.uint64(1)
        top = left[lanes] - 1
        left[lanes] = top
        return values[lanes, top]


def in_lanes(
    parameters: Sequence[NDArray[Any]],
    samples: int,
    sample: Callable[..., Floats],
) -> Floats:
    """Call `sample(indices, *parameters of each)` for slices of the outputs, parameter-major.

    Returns the values as (samples, parameter sets).
    """
    count = samples * parameters[0].size
    out = np.empty(count)
    with np.errstate(all="ignore"):
        for start in range(0, count, _LANES):
            indices = np.arange(start, min(start + _LANES, count))
            owners = indices // samples
            out[start : start + _LANES] = sample(indices, *(each[owners] for each in parameters))
    return out.reshape(-1, samples).T if count else out.reshape(samples, parameters[0].size)


def rounded(values: Floats, dtype: np.dtype[Any]) -> NDArray[Any]:
    """Cast values to `dtype`; 16-bit floats are rounded to float32 first, as in TensorFlow."""
    return (values.astype(np.float32) if dtype.itemsize == 2 else values).astype(dtype)


def first_blocks(indices: Lanes, stride: int = BLOCKS_PER_OUTPUT) -> NDArray[np.uint64]:
    return indices.astype(np.uint64) * np.uint64(stride)
