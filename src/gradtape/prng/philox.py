"""Philox 4x32-10 and the distributions that read its blocks in order.

A generator is a pair of Python integers: a 64-bit `key` and a 128-bit `counter`. One counter value
gives one block of four 32-bit words. Nothing here keeps state: the same key, counter, shape and
dtype always give the same numbers, whatever the size of the chunks the work is cut into.

The numbers are those of TensorFlow on a CPU, bit for bit. float32 normals need the C library's
`logf` and `sincosf` for that; `log_float32` and `sincos_float32` give the same results for every
input that can occur, from float64 additions and multiplications only, so they do not depend on the
machine. float64 normals use the C library's double functions and are as portable as those.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any

import ml_dtypes
import numpy as np
from numpy.typing import DTypeLike, NDArray

BFLOAT16 = np.dtype(ml_dtypes.bfloat16)

# Blocks worked on at a time: few enough for their temporaries to stay in the cache, enough to make
# up for what each NumPy call costs.
CHUNK = 16384

# A draw of one value owns this many blocks, so that rejection loops never run into the next draw.
BLOCKS_PER_OUTPUT = 256

_LOW_32 = 0xFFFFFFFF
_LOW_64 = 0xFFFFFFFFFFFFFFFF

_MULTIPLIER_0, _MULTIPLIER_1 = 0xD2511F53, 0xCD9E8D57
_KEY_STEP_0, _KEY_STEP_1 = 0x9E3779B9, 0xBB67AE85
_MULTIPLIERS = np.array([[_MULTIPLIER_1], [_MULTIPLIER_0]], np.uint64)
_KEY_STEPS = np.array([[_KEY_STEP_0], [_KEY_STEP_1]], np.uint64)
_ROUNDS = 10
_MASK_32 = np.uint64(_LOW_32)
_SHIFT_32 = np.uint64(32)

# Up to here Python integers are quicker than the hundred NumPy calls of a block.
_FEW_BLOCKS = 16

# `u1` of a Box-Muller pair is never smaller, in any dtype, so that its logarithm is finite.
_SMALLEST_UNIFORM = 1e-7


def philox_block(key: int, counter: int) -> tuple[int, int, int, int]:
    """Return the four words of one block as Python integers: faster for a block or two."""
    key0, key1 = key & _LOW_32, (key >> 32) & _LOW_32
    word0, word1 = counter & _LOW_32, (counter >> 32) & _LOW_32
    word2, word3 = (counter >> 64) & _LOW_32, (counter >> 96) & _LOW_32
    for _ in range(_ROUNDS):
        product0, product1 = _MULTIPLIER_0 * word0, _MULTIPLIER_1 * word2
        word0, word1 = (product1 >> 32) ^ word1 ^ key0, product1 & _LOW_32
        word2, word3 = (product0 >> 32) ^ word3 ^ key1, product0 & _LOW_32
        key0, key1 = (key0 + _KEY_STEP_0) & _LOW_32, (key1 + _KEY_STEP_1) & _LOW_32
    return word0, word1, word2, word3


def philox(key: int, counter: int, offsets: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return the blocks at `counter + offsets` as a (4, n) array: row i holds word i of every
    block."""
    if offsets.size <= _FEW_BLOCKS:
        blocks = [philox_block(key, counter + offset) for offset in offsets.tolist()]
        return np.array(blocks, np.uint64).reshape(-1, 4).T.copy()
    products = np.empty((2, offsets.size), np.uint64)
    low, high = products
    np.add(offsets, np.uint64(counter & _LOW_64), out=low)
    np.less(low, offsets, out=high)
    high += np.uint64((counter >> 64) & _LOW_64)
    # Words 0 and 2 take part in a round in the same way, and so do words 1 and 3.
    words = np.empty((2, 2, offsets.size), np.uint64)
    even, odd = words[:, 0], words[:, 1]
    np.bitwise_and(products, _MASK_32, out=even)
    np.right_shift(products, _SHIFT_32, out=odd)
    keys = np.array([[key & _LOW_32], [(key >> 32) & _LOW_32]], np.uint64)
    for _ in range(_ROUNDS):
        np.multiply(even[::-1], _MULTIPLIERS, out=products)
        np.right_shift(products, _SHIFT_32, out=even)
        even ^= odd
        even ^= keys
        np.bitwise_and(products, _MASK_32, out=odd)
        keys += _KEY_STEPS
        keys &= _MASK_32
    return words.reshape(4, -1)


def chunks(
    key: int, counter: int, blocks: int, stride: int = 1
) -> Iterator[tuple[slice, NDArray[np.uint64]]]:
    """Yield every `stride`-th block from `counter` on: (range of block numbers, words)."""
    for start in range(0, blocks, CHUNK):
        stop = min(start + CHUNK, blocks)
        offsets = np.arange(start, stop, dtype=np.uint64)
        if stride != 1:
            offsets *= np.uint64(stride)
        yield slice(start, stop), philox(key, counter, offsets)


def fill(
    key: int,
    counter: int,
    shape: Sequence[int],
    dtype: DTypeLike,
    per_block: int,
    convert: Callable[[NDArray[np.uint64]], NDArray[Any]],
) -> NDArray[Any]:
    """Fill an array from consecutive blocks; `convert` makes (per_block, n) values of n blocks."""
    count = math.prod(shape)
    blocks = -(-count // per_block)
    out = np.empty((blocks, per_block), dtype)
    for where, words in chunks(key, counter, blocks):
        out[where] = convert(words).T
    return out.reshape(-1)[:count].reshape(shape)


def words(key: int, counter: int, count: int) -> NDArray[np.uint32]:
    """Return the first `count` 32-bit words from `counter` on."""
    return fill(key, counter, (count,), np.uint32, 4, lambda block: block)


# --- uniform numbers ---------------------------------------------------------------------------


def uniform_float32(words: NDArray[np.uint64]) -> NDArray[np.float32]:
    """Return the low 23 bits of each word as a multiple of 2**-23."""
    bits = words.astype(np.uint32)
    bits &= np.uint32(0x7FFFFF)
    values = bits.view(np.int32).astype(np.float32)
    values *= np.float32(2.0**-23)
    return values


def uniform_float64(words: NDArray[np.uint64]) -> NDArray[np.float64]:
    """Return 52 bits of each pair of rows as a multiple of 2**-52, the high part first."""
    bits = words[0::2] & np.uint64(0xFFFFF)
    bits <<= _SHIFT_32
    bits |= words[1::2]
    values = bits.view(np.int64).astype(np.float64)
    values *= 2.0**-52
    return values


def _uniform_narrow(words: NDArray[np.uint64], mantissa_bits: int) -> NDArray[np.float32]:
    bits = (words & np.uint64((1 << mantissa_bits) - 1)).astype(np.float32)
    bits *= np.float32(2.0**-mantissa_bits)
    return bits


_UNIFORM: dict[np.dtype[Any], tuple[int, Callable[[NDArray[np.uint64]], NDArray[Any]]]] = {
    np.dtype(np.float16): (4, lambda words: _uniform_narrow(words, 10)),
    BFLOAT16: (4, lambda words: _uniform_narrow(words, 7)),
    np.dtype(np.float32): (4, uniform_float32),
    np.dtype(np.float64): (2, uniform_float64),
}


def _floating(table: dict[np.dtype[Any], Any], dtype: DTypeLike, kernel: str) -> Any:
    try:
        return table[np.dtype(dtype)]
    except KeyError:
        raise TypeError(
            f"{kernel}: dtype must be float16, bfloat16, float32 or float64, got {np.dtype(dtype)}"
        ) from None


def uniform(key: int, counter: int, shape: Sequence[int], dtype: DTypeLike) -> NDArray[Any]:
    """Draw floats in [0, 1)."""
    per_block, convert = _floating(_UNIFORM, dtype, "uniform")
    return fill(key, counter, shape, dtype, per_block, convert)


def _join_words(words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Join each pair of rows to 64-bit integers; the first row is the low part."""
    values = words[1::2] << _SHIFT_32
    values |= words[0::2]
    return values


def uniform_full_int(
    key: int, counter: int, shape: Sequence[int], dtype: DTypeLike
) -> NDArray[Any]:
    """Draw integers over the whole range of int32, uint32, int64 or uint64."""
    dtype = np.dtype(dtype)
    if dtype in (np.int32, np.uint32):
        return fill(key, counter, shape, np.uint32, 4, lambda block: block).view(dtype)
    if dtype in (np.int64, np.uint64):
        return fill(key, counter, shape, np.uint64, 2, _join_words).view(dtype)
    raise TypeError(f"uniform_full_int: dtype must be int32, uint32, int64 or uint64, got {dtype}")


def uniform_int(
    key: int, counter: int, shape: Sequence[int], low: int, high: int, dtype: DTypeLike
) -> NDArray[Any]:
    """Draw integers in [low, high), as word modulo (high - low): int32 or int64."""
    dtype = np.dtype(dtype)
    if dtype not in (np.int32, np.int64):
        raise TypeError(f"uniform_int: dtype must be int32 or int64, got {dtype}")
    if low >= high:
        raise ValueError(f"uniform_int: need minval < maxval, got {low} >= {high}")
    unsigned = np.dtype(f"uint{8 * dtype.itemsize}")
    values = uniform_full_int(key, counter, shape, unsigned)
    values %= unsigned.type(high - low)
    values += unsigned.type(low % (1 << 8 * dtype.itemsize))
    return values.view(dtype)


# --- float32 logarithm, sine and cosine, rounded as the C library rounds them ---------------------

_LOG_INVERSE = """
    0x1.661ec79f8f3bep+0 0x1.571ed4aaf883dp+0 0x1.49539f0f010bp+0 0x1.3c995b0b80385p+0
    0x1.30d190c8864a5p+0 0x1.25e227b0b8eap+0 0x1.1bb4a4a1a343fp+0 0x1.12358f08ae5bap+0
    0x1.0953f419900a7p+0 0x1p+0 0x1.e608cfd9a47acp-1 0x1.ca4b31f026aap-1 0x1.b2036576afce6p-1
    0x1.9c2d163a1aa2dp-1 0x1.886e6037841edp-1 0x1.767dcf5534862p-1
""".split()
_LOG_VALUE = """
    -0x1.57bf7808caadep-2 -0x1.2bef0a7c06ddbp-2 -0x1.01eae7f513a67p-2 -0x1.b31d8a68224e9p-3
    -0x1.6574f0ac07758p-3 -0x1.1aa2bc79c81p-3 -0x1.a4e76ce8c0e5ep-4 -0x1.1973c5a611cccp-4
    -0x1.252f438e10c1ep-5 0x0p+0 0x1.aa5aa5df25984p-5 0x1.c5e53aa362eb4p-4 0x1.526e57720db08p-3
    0x1.bc2860d22477p-3 0x1.1058bc8a07ee1p-2 0x1.4043057b6ee09p-2
""".split()
_LOG_A0, _LOG_A1, _LOG_A2 = map(
    float.fromhex, ["-0x1.00ea348b88334p-2", "0x1.5575b0be00b6ap-2", "-0x1.ffffef20a4123p-2"]
)
_LN_2 = float.fromhex("0x1.62e42fefa39efp-1")
_LOG_BASE = np.int32(0x3F330000)
# One table row for each sixteenth of an octave, from 2**-25 up to 2, replaces "exponent times ln 2
# plus entry" by a look-up of the same float64 sum.
_LOG_OCTAVES = range(-25, 1)
_LOG_FIRST = np.int32(16 * _LOG_OCTAVES[0])
_LOG_INVERSES = np.tile([float.fromhex(text) for text in _LOG_INVERSE], len(_LOG_OCTAVES))
_LOG_VALUES = np.array(
    [float.fromhex(text) + k * _LN_2 for k in _LOG_OCTAVES for text in _LOG_VALUE]
)

_SIN_1, _SIN_2, _SIN_3 = map(
    float.fromhex, ["-0x1.555545995a603p-3", "0x1.1107605230bc4p-7", "-0x1.994eb3774cf24p-13"]
)
_COS_1, _COS_2, _COS_3, _COS_4 = map(
    float.fromhex,
    [
        "-0x1.ffffffd0c621cp-2",
        "0x1.55553e1068f19p-5",
        "-0x1.6c087e89a359dp-10",
        "0x1.99343027bf8c3p-16",
    ],
)


def log_float32(x: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return `logf(x)` for 2**-24 <= x <= 1 (a contiguous array)."""
    step = x.view(np.int32) - _LOG_BASE
    octave = step & np.int32(-0x800000)
    step >>= np.int32(19)
    step -= _LOG_FIRST
    np.subtract(x.view(np.int32), octave, out=octave)
    r = octave.view(np.float32).astype(np.float64)
    r *= _LOG_INVERSES.take(step)
    r -= 1.0
    r2 = r * r
    y = r * _LOG_A1
    y += _LOG_A2
    y += r2 * _LOG_A0
    y *= r2
    r += _LOG_VALUES.take(step)
    y += r
    return y.astype(np.float32)


def sincos_float32(v: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return `sinf(v)` and `cosf(v)` for 0 <= v <= 2 pi (a contiguous array)."""
    x = v.astype(np.float64)
    quarter = x * (2.0 / math.pi)
    np.rint(quarter, out=quarter)
    x -= quarter * (math.pi / 2.0)
    x2 = x * x

    tail = x2 * _SIN_3
    tail += _SIN_2
    x3 = x * x2
    x += x3 * _SIN_1
    x3 *= x2
    x3 *= tail
    x += x3
    sine = x.astype(np.float32).view(np.int32)

    x4 = x2 * x2
    np.multiply(x2, _COS_4, out=tail)
    tail += _COS_3
    cosine64 = x2 * _COS_1
    cosine64 += 1.0
    cosine64 += x4 * _COS_2
    x4 *= x2
    x4 *= tail
    cosine64 += x4
    cosine = cosine64.astype(np.float32).view(np.int32)

    # Exchange the two where the number of quarter turns is odd, then set signs: all in the bits.
    turns = quarter.astype(np.int32)
    exchange = sine ^ cosine
    exchange &= -(turns & np.int32(1))
    sine ^= exchange
    cosine ^= exchange
    sine ^= (turns & np.int32(2)) << np.int32(30)
    turns += np.int32(1)
    turns &= np.int32(2)
    turns <<= np.int32(30)
    cosine ^= turns
    return sine.view(np.float32), cosine.view(np.float32)


# --- float64 functions of the C library ----------------------------------------------------------


@cache
def c_library(name: str) -> Callable[..., Any]:
    """Return NumPy's float64 function `name` if it rounds like the C library's, else the latter.

    NumPy has versions of these functions for some processors which differ in the last place once
    in a thousand values. Trying many values decides; the slow way then goes through `math`.
    """
    vector, scalar = getattr(np, name), getattr(math, "pow" if name == "power" else name)
    fraction = np.arange(1.0, 40000.0) / 40000.0
    probes = {
        "log": (fraction,),
        "log1p": (-fraction,),
        "sin": (2.0 * math.pi * fraction,),
        "cos": (2.0 * math.pi * fraction,),
        "power": (fraction, 1.0 / fraction[::-1]),
    }[name]
    through_python = np.frompyfunc(scalar, len(probes), 1)
    if np.array_equal(vector(*probes), through_python(*probes).astype(np.float64)):
        return vector
    return lambda *arrays: through_python(*arrays).astype(np.float64)


# --- normal numbers ------------------------------------------------------------------------------


def normal_float32(words: NDArray[np.uint64]) -> NDArray[np.float32]:
    """Make four normals of the four words of each block, by Box and Muller: (4, n) of (4, n)."""
    radius = uniform_float32(words[0::2])
    np.maximum(radius, np.float32(_SMALLEST_UNIFORM), out=radius)
    radius = log_float32(radius)
    radius *= np.float32(-2.0)
    np.sqrt(radius, out=radius)
    bits = words[1::2].astype(np.uint32)
    bits &= np.uint32(0x7FFFFF)
    angle = bits.view(np.int32).astype(np.float64)
    angle *= 2.0 * math.pi * 2.0**-23
    sine, cosine = sincos_float32(angle.astype(np.float32))
    normals = np.empty(words.shape, np.float32)
    np.multiply(sine, radius, out=normals[0::2])
    np.multiply(cosine, radius, out=normals[1::2])
    return normals


def normal_float64(words: NDArray[np.uint64]) -> NDArray[np.float64]:
    """Make two normals from the four words of each block: (2, n) from (4, n)."""
    radius, angle = uniform_float64(words)
    np.maximum(radius, _SMALLEST_UNIFORM, out=radius)
    radius = np.sqrt(-2.0 * c_library("log")(radius))
    angle *= 2.0 * math.pi
    return np.stack([c_library("sin")(angle) * radius, c_library("cos")(angle) * radius])


_NORMAL: dict[np.dtype[Any], tuple[int, Callable[[NDArray[np.uint64]], NDArray[Any]]]] = {
    np.dtype(np.float16): (4, normal_float32),
    BFLOAT16: (4, normal_float32),
    np.dtype(np.float32): (4, normal_float32),
    np.dtype(np.float64): (2, normal_float64),
}


def normal(key: int, counter: int, shape: Sequence[int], dtype: DTypeLike) -> NDArray[Any]:
    """Draw standard normal numbers."""
    per_block, convert = _floating(_NORMAL, dtype, "normal")
    return fill(key, counter, shape, dtype, per_block, convert)


def truncated_normal(
    key: int, counter: int, shape: Sequence[int], dtype: DTypeLike
) -> NDArray[Any]:
    """Draw standard normal numbers; those outside (-2, 2) are drawn again.

    Each group of outputs (as many as a block gives) has a range of blocks of its own, in which it
    reads on until it is full.
    """
    size, convert = _floating(_NORMAL, dtype, "truncated_normal")
    count = math.prod(shape)
    groups = -(-count // size)
    stride = BLOCKS_PER_OUTPUT // 4 * size
    out = np.empty((groups, size), dtype)
    for where, block in chunks(key, counter, groups, stride):
        values = convert(block)
        out[where] = values.T
        short = np.flatnonzero((np.abs(values) >= 2.0).any(axis=0))
        if short.size:
            starts = (short + where.start).astype(np.uint64) * np.uint64(stride)
            out[short + where.start] = _read_on(key, counter, starts, values[:, short], convert)
    return out.reshape(-1)[:count].reshape(shape)


def _read_on(
    key: int,
    counter: int,
    starts: NDArray[np.uint64],
    values: NDArray[Any],
    convert: Callable[[NDArray[np.uint64]], NDArray[Any]],
) -> NDArray[Any]:
    """Fill groups (n, size) with values in (-2, 2): from `values` (size, n), then more blocks."""
    size = values.shape[0]
    out = np.empty((starts.size, size), values.dtype)
    filled = np.zeros(starts.size, np.int64)
    groups = np.arange(starts.size)
    attempt = 0
    while True:
        accepted = np.abs(values) < 2.0
        positions = filled[groups] + np.cumsum(accepted, axis=0) - 1
        accepted &= positions < size
        _, columns = np.nonzero(accepted)
        out[groups[columns], positions[accepted]] = values[accepted]
        filled[groups] += accepted.sum(axis=0)
        groups = groups[filled[groups] < size]
        if not groups.size:
            return out
        attempt += 1
        values = convert(philox(key, counter, starts[groups] + np.uint64(attempt)))
