"""Random numbers: TensorFlow's, from Philox 4x32-10, as the NumPy backend's.

A state is three 64-bit integers: both halves of the counter, and the key. Uniform numbers and
integers are the same bits as NumPy's; normal ones differ in the last places, as the logarithms and
sines of devices do.
"""

from __future__ import annotations

import math

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from gradtape.backends.broadcasting import broadcast_shapes
from gradtape.backends.xla.kernels.host import on_host

_MULTIPLIER_0, _MULTIPLIER_1 = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
_KEY_STEP_0, _KEY_STEP_1 = 0x9E3779B9, 0xBB67AE85
_LOW_32 = np.uint64(0xFFFFFFFF)
_SHIFT_32 = np.uint64(32)
_ROUNDS = 10
_SCRAMBLE_KEY = 0x02461E293EC8F720
# A draw of one value reserves this many blocks, so that rejection loops never reach the next draw.
_BLOCKS_PER_OUTPUT = 256
# `u1` of a Box-Muller pair is never smaller, in any dtype, so that its logarithm is finite.
_SMALLEST_UNIFORM = 1e-7


def _philox(key, low, high):
    """Return the four words of the blocks with these counters: uint64 arrays of 32-bit values."""
    word0, word1 = low & _LOW_32, low >> _SHIFT_32
    word2, word3 = high & _LOW_32, high >> _SHIFT_32
    key0, key1 = key & _LOW_32, key >> _SHIFT_32
    for i in range(_ROUNDS):
        step0, step1 = np.uint64(i * _KEY_STEP_0), np.uint64(i * _KEY_STEP_1)
        product0, product1 = _MULTIPLIER_0 * word0, _MULTIPLIER_1 * word2
        word0, word1, word2, word3 = (
            (product1 >> _SHIFT_32) ^ word1 ^ ((key0 + step0) & _LOW_32),
            product1 & _LOW_32,
            (product0 >> _SHIFT_32) ^ word3 ^ ((key1 + step1) & _LOW_32),
            product0 & _LOW_32,
        )
    return word0, word1, word2, word3


def _blocks(state, offsets):
    """Return the words of the blocks at the state's counter + offsets."""
    words = lax.bitcast_convert_type(state.astype(jnp.int64), jnp.uint64)
    low = words[0] + offsets
    high = words[1] + (low < offsets).astype(jnp.uint64)
    return _philox(words[2], low, high)


def _filled(state, shape, dtype, per_block: int, convert):
    """Return an array of consecutive blocks' values: `convert` makes `per_block` rows of words."""
    count = math.prod(shape)
    offsets = lax.iota(jnp.uint64, -(-count // per_block))
    values = jnp.stack(convert(_blocks(state, offsets)), -1)
    return values.reshape(-1)[:count].reshape(shape).astype(dtype)


def seed_state(seed):
    """Return the state for a seed of two integers, scrambled."""
    low, high = lax.bitcast_convert_type(seed.astype(jnp.int64), jnp.uint64)
    word0, word1, word2, word3 = _philox(np.uint64(_SCRAMBLE_KEY), low, high)
    high, key = word3 << _SHIFT_32 | word2, word1 << _SHIFT_32 | word0
    return lax.bitcast_convert_type(jnp.stack([jnp.zeros_like(high), high, key]), jnp.int64)


# --- uniform numbers and integers ----------------------------------------------------------------


def _low_bits(word, count: int):
    """Return the low bits of words as a multiple of 2**-count."""
    bits = (word & np.uint64((1 << count) - 1)).astype(jnp.int32)
    return bits.astype(jnp.float32) * np.float32(2.0**-count)


def _uniform_of_bits(count: int):
    return lambda words: [_low_bits(word, count) for word in words]


def _uniform_float64(words):
    """Return 52 bits of each pair of words as a multiple of 2**-52; the first is the high part."""
    pairs = (words[0:2], words[2:4])
    bits = [((high & np.uint64(0xFFFFF)) << _SHIFT_32) | low for high, low in pairs]
    return [b.astype(jnp.int64).astype(jnp.float64) * 2.0**-52 for b in bits]


_UNIFORM = {
    "float16": (4, _uniform_of_bits(10)),
    "bfloat16": (4, _uniform_of_bits(7)),
    "float32": (4, _uniform_of_bits(23)),
    "float64": (2, _uniform_float64),
}


def _uniform(state, shape, dtype):
    return _filled(state, shape, dtype, *_UNIFORM[dtype.name])


def _integers(state, shape, dtype):
    """Return integers over the whole range of int32, uint32, int64 or uint64."""
    if dtype.itemsize == 4:
        return _filled(state, shape, jnp.uint32, 4, lambda words: words).astype(dtype)

    def joined(words):
        return [words[1] << _SHIFT_32 | words[0], words[3] << _SHIFT_32 | words[2]]

    return _filled(state, shape, jnp.uint64, 2, joined).astype(dtype)


def random_integers(state, low, high, shape, dtype):
    """Return integers in [low, high), as word modulo (high - low): int32 or int64."""
    unsigned = np.dtype(f"uint{8 * dtype.itemsize}")
    low, high = low.astype(dtype).astype(unsigned), high.astype(dtype).astype(unsigned)
    return (_integers(state, shape, unsigned) % (high - low) + low).astype(dtype)


# --- normal numbers ------------------------------------------------------------------------------


def _normals(radii, angles):
    """Return pairs of normals by the Box-Muller method, in the order of their words."""
    result = []
    for u, angle in zip(radii, angles, strict=True):
        radius = jnp.sqrt(-2 * jnp.log(jnp.maximum(u, _SMALLEST_UNIFORM)))
        result += [jnp.sin(angle) * radius, jnp.cos(angle) * radius]
    return result


def _normal_float32(words):
    angles = []
    for word in words[1::2]:
        bits = (word & np.uint64(0x7FFFFF)).astype(jnp.float64)
        angles.append((bits * (2 * math.pi * 2.0**-23)).astype(jnp.float32))
    return _normals([_low_bits(word, 23) for word in words[0::2]], angles)


def _normal_float64(words):
    u, v = _uniform_float64(words)
    return _normals([u], [v * (2 * math.pi)])


def _normal_kind(dtype):
    return (2, _normal_float64) if dtype.itemsize == 8 else (4, _normal_float32)


def _normal(state, shape, dtype):
    return _filled(state, shape, dtype, *_normal_kind(dtype))


def _truncated_normal(state, shape, dtype):
    """Draw standard normal numbers, with those outside (-2, 2) drawn again.

    Each group of outputs (as many as a block gives) has its own range of blocks, which it reads
    until the group is full.
    """
    size, convert = _normal_kind(dtype)
    count = math.prod(shape)
    groups = -(-count // size)
    starts = lax.iota(jnp.uint64, groups) * np.uint64(_BLOCKS_PER_OUTPUT // 4 * size)
    wide = jnp.float64 if dtype.itemsize == 8 else jnp.float32

    def is_short(carry):
        _, filled, _ = carry
        return jnp.any(filled < size)

    def read_on(carry):
        attempt, filled, out = carry
        for value in convert(_blocks(state, starts + attempt)):
            accepted = jnp.abs(value) < 2
            out = [jnp.where(accepted & (filled == i), value, old) for i, old in enumerate(out)]
            filled = filled + accepted.astype(jnp.int32)
        return attempt + np.uint64(1), filled, out

    start = (
        jnp.zeros((), jnp.uint64),
        jnp.zeros(groups, jnp.int32),
        [jnp.zeros(groups, wide)] * size,
    )
    _, _, out = lax.while_loop(is_short, read_on, start)
    return jnp.stack(out, -1).reshape(-1)[:count].reshape(shape).astype(dtype)


_NUMBERS = {
    "uniform": _uniform,
    "normal": _normal,
    "truncated_normal": _truncated_normal,
    "integers": _integers,
}


def random_numbers(state, kind, shape, dtype):
    return _NUMBERS[kind](state, shape, dtype)


# --- choices -------------------------------------------------------------------------------------


def random_categorical(state, logits, samples, dtype):
    """Draw class indices (rows, samples) for unnormalized log-probabilities (rows, classes).

    Entries that are not finite are never drawn; a row without finite entries gives `classes`.
    """
    weights = logits.astype(jnp.float64)
    finite = jnp.isfinite(weights)
    largest = jnp.max(weights, 1, keepdims=True, where=finite, initial=-jnp.inf)
    weights = jnp.where(finite, jnp.exp(jnp.where(finite, weights - largest, 0)), 0)
    sums = jnp.cumsum(weights, 1)
    targets = _uniform(state, (logits.shape[0], samples), np.dtype(np.float64)) * sums[:, -1:]
    labels = jax.vmap(lambda row, target: jnp.searchsorted(row, target, "right"))(sums, targets)
    return labels.astype(dtype)


def random_permutation(state, count):
    """Swap row i with row i + word modulo (count - i), for each i in turn.

    Swaps are followed backwards instead of made, as in the NumPy kernel: the row that swap i brings
    to position i is the one that an earlier swap left in that swap's position, and so on.
    """
    if count <= 1:
        return jnp.arange(count)
    steps = jnp.arange(count - 1)
    words = _filled(state, (count - 1,), jnp.uint32, 4, lambda words: words).astype(jnp.int64)
    partners = steps + words % (count - steps)
    # Which swap was the last to put a row (not its own) into each position.
    last = jnp.full(count, -1).at[partners].max(jnp.where(partners == steps, -1, steps))
    before = jnp.where(last >= 0, last, jnp.arange(count))
    for _ in range(count.bit_length()):  # chains are shortened by doubling
        before = before[before]
    order = jnp.sort((partners << 32) | steps)
    position, step = order >> 32, order & 0xFFFFFFFF
    is_repeated = jnp.concatenate([jnp.zeros(1, bool), position[1:] == position[:-1]])
    taken = jnp.where(is_repeated, before[jnp.roll(step, 1)], position)
    return jnp.append(jnp.zeros(count - 1, jnp.int64).at[step].set(taken), before[-1])


# --- the others ----------------------------------------------------------------------------------

_REJECTS = "it draws again until a number is accepted, in TensorFlow's order"


def _samples_like(position: int):
    """Return the spec function of results with `samples` rows of the shape of that input."""

    def result(*arrays, samples, dtype=None):
        like = arrays[position]
        return jax.ShapeDtypeStruct((samples, *like.shape), dtype or like.dtype)

    return result


def _samples_of_all(state, *arrays, samples, dtype=None):
    shape = broadcast_shapes(*[x.shape for x in arrays])
    return jax.ShapeDtypeStruct((samples, *shape), dtype or arrays[0].dtype)


def _candidates(state, true_classes, sampled, **params):
    return (
        jax.ShapeDtypeStruct((sampled,), jnp.int64),
        jax.ShapeDtypeStruct(true_classes.shape, jnp.float32),
        jax.ShapeDtypeStruct((sampled,), jnp.float32),
    )


KERNELS = {
    "seed_state": seed_state,
    "random_numbers": random_numbers,
    "random_integers": random_integers,
    "random_permutation": random_permutation,
    "random_categorical": random_categorical,
    "random_gamma": on_host("random_gamma", _REJECTS, _samples_like(1)),
    "random_poisson": on_host("random_poisson", _REJECTS, _samples_like(1)),
    "random_binomial": on_host("random_binomial", _REJECTS, _samples_of_all),
    "random_bounded_normal": on_host("random_bounded_normal", _REJECTS, _samples_of_all),
    "random_candidates": on_host("random_candidates", _REJECTS, _candidates),
    "index_shuffle": on_host(
        "index_shuffle",
        "it walks a cipher until the value is in range",
        lambda index, seed, max_index: jax.ShapeDtypeStruct(
            broadcast_shapes(index.shape, max_index.shape, seed.shape[:-1]), index.dtype
        ),
    ),
}
