"""Two more hashes of strings that TensorFlow chooses buckets by: SipHash, and MurmurHash64A."""

from __future__ import annotations

from struct import unpack_from

_MASK = (1 << 64) - 1
_MURMUR = 0xC6A4A7935BD1E995
_SEED = 0xDECAFCAFFE  # TensorFlow's


def murmur64(text: bytes) -> int:
    """Return MurmurHash64A with TensorFlow's seed."""
    size = len(text)
    result = (_SEED ^ (size * _MURMUR)) & _MASK
    whole = size // 8
    for word in unpack_from(f"<{whole}Q", text):
        word = (word * _MURMUR) & _MASK
        word = ((word ^ (word >> 47)) * _MURMUR) & _MASK
        result = ((result ^ word) * _MURMUR) & _MASK
    if size % 8:
        rest = int.from_bytes(text[whole * 8 :], "little")
        result = ((result ^ rest) * _MURMUR) & _MASK
    result = ((result ^ (result >> 47)) * _MURMUR) & _MASK
    return result ^ (result >> 47)


def _rotate(x: int, shift: int) -> int:
    """Return 64 bits turned to the left."""
    return ((x << shift) | (x >> (64 - shift))) & _MASK


def _round(a: int, b: int, c: int, d: int) -> tuple[int, int, int, int]:
    a = (a + b) & _MASK
    b = _rotate(b, 13) ^ a
    a = _rotate(a, 32)
    c = (c + d) & _MASK
    d = _rotate(d, 16) ^ c
    a = (a + d) & _MASK
    d = _rotate(d, 21) ^ a
    c = (c + b) & _MASK
    b = _rotate(b, 17) ^ c
    return a, b, _rotate(c, 32), d


def siphash(text: bytes, key: tuple[int, int]) -> int:
    """Return SipHash-2-4 of a string, with a key of two words that others need not know."""
    low, high = (word & _MASK for word in key)
    a, b = low ^ 0x736F6D6570736575, high ^ 0x646F72616E646F6D
    c, d = low ^ 0x6C7967656E657261, high ^ 0x7465646279746573
    size = len(text)
    padded = text + bytes(7 - size % 8) + bytes([size & 0xFF])
    for word in unpack_from(f"<{len(padded) // 8}Q", padded):
        d ^= word
        a, b, c, d = _round(*_round(a, b, c, d))
        a ^= word
    c ^= 0xFF
    for _ in range(4):
        a, b, c, d = _round(a, b, c, d)
    return a ^ b ^ c ^ d
