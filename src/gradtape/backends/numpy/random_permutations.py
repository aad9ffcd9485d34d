"""Permutations: shuffled row indices, and the images of single indices."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gradtape.prng.philox import words


def shuffle(key: int, counter: int, count: int) -> NDArray[np.int64]:
    """Return row indices after swapping row i with row i + word modulo (count - i), for each i.

    Swaps are followed backwards instead of made: the row that swap i brings to position i is the
    one an earlier swap m left in position `partner[i]`, that is the row in position m before swap
    m, and so on. Chains of such m are shortened by doubling.
    """
    if count <= 1:
        return np.arange(count)
    steps = np.arange(count - 1)
    partner = steps + words(key, counter, count - 1) % (count - steps)
    # Sorting (partner, step) packed in one integer is faster than a stable argsort.
    order = np.sort((partner << 32) | steps)
    position, step = order >> 32, order & 0xFFFFFFFF
    same_place = np.empty(count - 1, bool)
    same_place[0] = False
    np.equal(position[1:], position[:-1], out=same_place[1:])

    moved = np.flatnonzero(position != step)
    last = np.ones(moved.size, bool)
    np.not_equal(position[moved[1:]], position[moved[:-1]], out=last[:-1])
    before = np.arange(count)
    before[position[moved[last]]] = step[moved[last]]
    while True:
        further = before[before]
        if np.array_equal(further, before):
            break
        before = further

    rows = np.empty(count, np.int64)
    rows[step] = np.where(same_place, before[np.roll(step, 1)], position)
    rows[-1] = before[-1]
    return rows


# Below this, most of the 2**16 values of the smallest cipher are out of range.
_SMALL_RANGE = 4096


def index_shuffle(index: NDArray[Any], seed: Sequence[int], max_index: int) -> NDArray[np.uint64]:
    """Return the images of indices under a seeded permutation of 0 .. max_index.

    `seed` is three words. A four-round Simon cipher on an even number of bits, at least 16, that
    holds max_index is repeated until the result is in range.
    """
    if max_index == 0:
        return np.zeros(index.shape, np.uint64)
    width = (max(16, (max_index - 1).bit_length()) + 1) // 2
    mask = (1 << width) - 1
    keys = _round_keys(seed, width)
    if max_index < _SMALL_RANGE:
        every = np.arange(1 << 2 * width, dtype=np.uint64)
        image = _encrypt(every, keys, width)
        # Follow the cipher from value to value until in range, doubling the stride each time.
        walk = np.where(every <= max_index, every, image)
        for _ in range(2 * width):
            walk = walk[walk]
        return walk[image[index.astype(np.uint64) & every[-1]]]
    value = index.astype(np.uint64).reshape(-1) & np.uint64(mask << width | mask)
    active = np.arange(value.size)
    while active.size:
        value[active] = _encrypt(value[active], keys, width)
        active = active[value[active] > max_index]
    return value.reshape(index.shape)


def _rotate(x: Any, by: int, width: int) -> Any:
    by %= width
    return ((x << by) | (x >> (width - by))) & ((1 << width) - 1)


def _round_keys(seed: Sequence[int], width: int) -> list[int]:
    mask = (1 << width) - 1
    keys = [word & mask for word in seed]
    turned = _rotate(keys[2], width - 3, width)
    turned ^= _rotate(turned, width - 1, width)
    return [*keys, (0xFFFFFFFC & mask) ^ 1 ^ keys[0] ^ turned]


def _encrypt(value: NDArray[np.uint64], keys: list[int], width: int) -> NDArray[np.uint64]:
    def mix(x: NDArray[np.uint64]) -> NDArray[np.uint64]:
        return (_rotate(x, 1, width) & _rotate(x, 8, width)) ^ _rotate(x, 2, width)

    left, right = value >> np.uint64(width), value & np.uint64((1 << width) - 1)
    for first, second in (keys[:2], keys[2:]):
        left = left ^ mix(right) ^ np.uint64(first)
        right = right ^ mix(left) ^ np.uint64(second)
    return (left << np.uint64(width)) | right
