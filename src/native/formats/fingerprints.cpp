// FarmHash's 64-bit fingerprint of bytes, as gradtape/api/strings/farmhash.py computes it.
#include <cstring>
#include <utility>

#include "formats/formats.h"

namespace gradtape {
namespace {

constexpr uint64_t K0 = 0xC3A5C85C97CB3127, K1 = 0xB492B66FBE98F273, K2 = 0x9AE16A3B2F90404F;
constexpr uint64_t SEED = 81;

uint64_t rotated(uint64_t x, int shift) { return x >> shift | x << (64 - shift); }
uint64_t shift_mix(uint64_t x) { return x ^ (x >> 47); }

uint64_t word(const uint8_t* text) {
    uint64_t result = 0;
    for (int i = 0; i < 8; i++) result |= uint64_t(text[i]) << (8 * i);
    return result;
}
uint64_t half_word(const uint8_t* text) {
    uint64_t result = 0;
    for (int i = 0; i < 4; i++) result |= uint64_t(text[i]) << (8 * i);
    return result;
}

uint64_t mix(uint64_t u, uint64_t v, uint64_t multiplier) {
    uint64_t a = shift_mix((u ^ v) * multiplier);
    return shift_mix((v ^ a) * multiplier) * multiplier;
}

uint64_t up_to_16(const uint8_t* text, uint64_t size) {
    uint64_t multiplier = K2 + size * 2;
    if (size >= 8) {
        uint64_t a = word(text) + K2, b = word(text + size - 8);
        return mix(rotated(b, 37) * multiplier + a, (rotated(a, 25) + b) * multiplier, multiplier);
    }
    if (size >= 4)
        return mix(size + (half_word(text) << 3), half_word(text + size - 4), multiplier);
    if (size == 0) return K2;
    uint64_t y = text[0] + (uint64_t(text[size >> 1]) << 8);
    uint64_t z = size + (uint64_t(text[size - 1]) << 2);
    return shift_mix(y * K2 ^ z * K0) * K2;
}

uint64_t up_to_64(const uint8_t* text, uint64_t size) {
    uint64_t multiplier = K2 + size * 2;
    uint64_t a = word(text) * (size <= 32 ? K1 : K2), b = word(text + 8);
    uint64_t c = word(text + size - 8) * multiplier, d = word(text + size - 16) * K2;
    uint64_t y = rotated(a + b, 43) + rotated(c, 30) + d;
    uint64_t z = mix(y, a + rotated(b + K2, 18) + c, multiplier);
    if (size <= 32) return z;
    uint64_t e = word(text + 16) * multiplier, f = word(text + 24);
    uint64_t g = (y + word(text + size - 32)) * multiplier;
    uint64_t h = (z + word(text + size - 24)) * multiplier;
    return mix(rotated(e + f, 43) + rotated(g, 30) + h, e + rotated(f + a, 18) + g, multiplier);
}

struct Pair {
    uint64_t first = 0, second = 0;
};

// A quick hash of 32 bytes and two words.
Pair weak_pair(const uint8_t* text, uint64_t a, uint64_t b) {
    uint64_t x = word(text + 8), y = word(text + 16), z = word(text + 24);
    a += word(text);
    b = rotated(b + a + z, 21);
    uint64_t c = a;
    a += x + y;
    return {a + z, b + rotated(a, 44) + c};
}

// Mixes 64 bytes at a time into seven words, and the last 64 bytes once more.
uint64_t of_long(const uint8_t* text, uint64_t size) {
    uint64_t y = SEED * K1 + 113, z = shift_mix(y * K2 + 113) * K2, x = SEED * K2 + word(text);
    Pair v, w;
    for (const uint8_t *at = text, *end = text + (size - 1) / 64 * 64; at < end; at += 64) {
        x = rotated(x + y + v.first + word(at + 8), 37) * K1;
        y = rotated(y + v.second + word(at + 48), 42) * K1;
        x ^= w.second;
        y += v.first + word(at + 40);
        z = rotated(z + w.first, 33) * K1;
        v = weak_pair(at, v.second * K1, x + w.first);
        w = weak_pair(at + 32, z + w.second, y + word(at + 16));
        std::swap(z, x);
    }
    uint64_t multiplier = K1 + ((z & 0xFF) << 1);
    const uint8_t* at = text + size - 64;
    w.first += (size - 1) & 63;
    v.first += w.first;
    w.first += v.first;
    x = rotated(x + y + v.first + word(at + 8), 37) * multiplier;
    y = rotated(y + v.second + word(at + 48), 42) * multiplier;
    x ^= w.second * 9;
    y += v.first * 9 + word(at + 40);
    z = rotated(z + w.first, 33) * multiplier;
    v = weak_pair(at, v.second * multiplier, x + w.first);
    w = weak_pair(at + 32, z + w.second, y + word(at + 16));
    std::swap(z, x);
    uint64_t first = mix(v.first, w.first, multiplier) + shift_mix(y) * K0 + z;
    return mix(first, mix(v.second, w.second, multiplier) + x, multiplier);
}

PyObject* fingerprint64(PyObject*, PyObject* text) {
    char* start;
    Py_ssize_t size;
    if (PyBytes_AsStringAndSize(text, &start, &size) < 0) return nullptr;
    const auto* bytes = reinterpret_cast<const uint8_t*>(start);
    auto count = static_cast<uint64_t>(size);
    uint64_t hash = count <= 16   ? up_to_16(bytes, count)
                    : count <= 64 ? up_to_64(bytes, count)
                                  : of_long(bytes, count);
    return PyLong_FromUnsignedLongLong(hash);
}

PyMethodDef functions[] = {
    {"fingerprint64", fingerprint64, METH_O, "fingerprint64(text): FarmHash's number of bytes"},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

bool add_fingerprints(PyObject* module) { return PyModule_AddFunctions(module, functions) == 0; }

}  // namespace gradtape
