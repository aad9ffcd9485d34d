"""FarmHash's 64-bit fingerprint of a string, by which TensorFlow chooses buckets."""

from __future__ import annotations

from struct import unpack_from

from gradtape.backends.native.extension import extension

_MASK = (1 << 64) - 1
_K0 = 0xC3A5C85C97CB3127
_K1 = 0xB492B66FBE98F273
_K2 = 0x9AE16A3B2F90404F
_SEED = 81


def _rotate(x: int, shift: int) -> int:
    """Return 64 bits turned to the right."""
    return ((x >> shift) | (x << (64 - shift))) & _MASK


def _shift_mix(x: int) -> int:
    return x ^ (x >> 47)


def _word(text: bytes, at: int) -> int:
    return unpack_from("<Q", text, at)[0]


def _half_word(text: bytes, at: int) -> int:
    return unpack_from("<I", text, at)[0]


def _mix(u: int, v: int, multiplier: int) -> int:
    """Return a hash of two words."""
    a = ((u ^ v) * multiplier) & _MASK
    b = ((v ^ _shift_mix(a)) * multiplier) & _MASK
    return (_shift_mix(b) * multiplier) & _MASK


def fingerprint64_in_python(text: bytes) -> int:
    """Return the fingerprint: the same on every machine, for ever."""
    size = len(text)
    if size <= 16:
        return _up_to_16(text, size)
    if size <= 64:
        return _up_to_64(text, size)
    return _long(text, size)


fingerprint64 = fingerprint64_in_python if extension is None else extension.fingerprint64


def concatenated_fingerprints(first: int, second: int) -> int:
    """Return the fingerprint of two fingerprints."""
    factor = 0xC6A4A7935BD1E995
    result = first ^ factor
    result ^= (_shift_mix((second * factor) & _MASK) * factor) & _MASK
    result = (result * factor) & _MASK
    return _shift_mix((_shift_mix(result) * factor) & _MASK)


def _up_to_16(text: bytes, size: int) -> int:
    if size >= 8:
        multiplier = _K2 + size * 2
        a = _word(text, 0) + _K2
        b = _word(text, size - 8)
        c = _rotate(b, 37) * multiplier + a
        d = (_rotate(a & _MASK, 25) + b) * multiplier
        return _mix(c & _MASK, d & _MASK, multiplier)
    if size >= 4:
        multiplier = _K2 + size * 2
        start = _half_word(text, 0)
        return _mix(size + (start << 3), _half_word(text, size - 4), multiplier)
    if size > 0:
        y = text[0] + (text[size >> 1] << 8)
        z = size + (text[size - 1] << 2)
        return (_shift_mix((y * _K2 ^ z * _K0) & _MASK) * _K2) & _MASK
    return _K2


def _up_to_64(text: bytes, size: int) -> int:
    multiplier = _K2 + size * 2
    a = (_word(text, 0) * (_K1 if size <= 32 else _K2)) & _MASK
    b = _word(text, 8)
    c = (_word(text, size - 8) * multiplier) & _MASK
    d = (_word(text, size - 16) * _K2) & _MASK
    y = (_rotate((a + b) & _MASK, 43) + _rotate(c, 30) + d) & _MASK
    z = _mix(y, (a + _rotate((b + _K2) & _MASK, 18) + c) & _MASK, multiplier)
    if size <= 32:
        return z
    e = (_word(text, 16) * multiplier) & _MASK
    f = _word(text, 24)
    g = ((y + _word(text, size - 32)) * multiplier) & _MASK
    h = ((z + _word(text, size - 24)) * multiplier) & _MASK
    return _mix(
        (_rotate((e + f) & _MASK, 43) + _rotate(g, 30) + h) & _MASK,
        (e + _rotate((f + a) & _MASK, 18) + g) & _MASK,
        multiplier,
    )


def _weak_pair(text: bytes, at: int, a: int, b: int) -> tuple[int, int]:
    """Return a quick hash of 32 bytes and two words, as two words."""
    w, x, y, z = unpack_from("<4Q", text, at)
    a = (a + w) & _MASK
    b = _rotate((b + a + z) & _MASK, 21)
    c = a
    a = (a + x + y) & _MASK
    b = (b + _rotate(a, 44)) & _MASK
    return (a + z) & _MASK, (b + c) & _MASK


def _long(text: bytes, size: int) -> int:
    """Mix 64 bytes at a time into seven words, and the last 64 bytes once more."""
    x = _SEED
    y = (_SEED * _K1 + 113) & _MASK
    z = (_shift_mix((y * _K2 + 113) & _MASK) * _K2) & _MASK
    v = w = (0, 0)
    x = (x * _K2 + _word(text, 0)) & _MASK
    last_block = (size - 1) // 64 * 64
    for at in range(0, last_block, 64):
        x = (_rotate((x + y + v[0] + _word(text, at + 8)) & _MASK, 37) * _K1) & _MASK
        y = (_rotate((y + v[1] + _word(text, at + 48)) & _MASK, 42) * _K1) & _MASK
        x ^= w[1]
        y = (y + v[0] + _word(text, at + 40)) & _MASK
        z = (_rotate((z + w[0]) & _MASK, 33) * _K1) & _MASK
        v = _weak_pair(text, at, (v[1] * _K1) & _MASK, (x + w[0]) & _MASK)
        w = _weak_pair(text, at + 32, (z + w[1]) & _MASK, (y + _word(text, at + 16)) & _MASK)
        z, x = x, z
    multiplier = _K1 + ((z & 0xFF) << 1)
    at = size - 64
    w = ((w[0] + ((size - 1) & 63)) & _MASK, w[1])
    v = ((v[0] + w[0]) & _MASK, v[1])
    w = ((w[0] + v[0]) & _MASK, w[1])
    x = (_rotate((x + y + v[0] + _word(text, at + 8)) & _MASK, 37) * multiplier) & _MASK
    y = (_rotate((y + v[1] + _word(text, at + 48)) & _MASK, 42) * multiplier) & _MASK
    x ^= w[1] * 9 & _MASK
    y = (y + v[0] * 9 + _word(text, at + 40)) & _MASK
    z = (_rotate((z + w[0]) & _MASK, 33) * multiplier) & _MASK
    v = _weak_pair(text, at, (v[1] * multiplier) & _MASK, (x + w[0]) & _MASK)
    w = _weak_pair(text, at + 32, (z + w[1]) & _MASK, (y + _word(text, at + 16)) & _MASK)
    z, x = x, z
    first = _mix(v[0], w[0], multiplier) + _shift_mix(y) * _K0 + z
    return _mix(first & _MASK, (_mix(v[1], w[1], multiplier) + x) & _MASK, multiplier)
