// Floats of 16 bits from float32 and back; rounding goes to the nearest, and of two to the even
// one.
#pragma once

#include "simd/simd.h"

namespace gradtape {
namespace ISA {

ALWAYS_INLINE uint32_t bits_of(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}
ALWAYS_INLINE float float_of(uint32_t bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

#if LANES > 4
ALWAYS_INLINE void widen_vector(float* result, const uint16_t* x) {
#if LANES == 16
    store(result, _mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(x))));
#else
    store(result, _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(x))));
#endif
}
ALWAYS_INLINE void narrow_vector(uint16_t* result, const float* x) {
    constexpr int NEAREST = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC;
#if LANES == 16
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(result), _mm512_cvtps_ph(load(x), NEAREST));
#else
    _mm_storeu_si128(reinterpret_cast<__m128i*>(result), _mm256_cvtps_ph(load(x), NEAREST));
#endif
}
template <auto convert_vector, class To, class From>
void convert_all(To* result, const From* x, int64_t count) {
    int64_t i = 0;
    for (; i + LANES <= count; i += LANES) convert_vector(result + i, x + i);
    if (i == count) return;
    From rest[LANES] = {};
    To converted[LANES];
    memcpy(rest, x + i, static_cast<size_t>(count - i) * sizeof *x);
    convert_vector(converted, rest);
    memcpy(result + i, converted, static_cast<size_t>(count - i) * sizeof *result);
}
static void floats_of_halves(float* result, const uint16_t* x, int64_t count) {
    convert_all<widen_vector>(result, x, count);
}
static void halves_of_floats(uint16_t* result, const float* x, int64_t count) {
    convert_all<narrow_vector>(result, x, count);
}
#else
ALWAYS_INLINE float float_of_half(uint16_t x) {
    uint32_t sign = static_cast<uint32_t>(x & 0x8000) << 16, magnitude = x & 0x7fff;
    // The exponents differ by 112; a product also makes subnormal numbers normal.
    float finite = float_of(magnitude << 13) * 0x1p112f;
    uint32_t special = 0x7f800000 | magnitude << 13;
    return float_of(sign | (magnitude < 0x7c00 ? bits_of(finite) : special));
}
ALWAYS_INLINE uint16_t half_of_float(float x) {
    uint32_t sign = bits_of(x) >> 16 & 0x8000, magnitude = bits_of(x) & 0x7fffffff;
    uint32_t normal = (magnitude - (112u << 23) + 0xfff + (magnitude >> 13 & 1)) >> 13;
    // The last digit of 0.5 is worth a subnormal half's: the sum is rounded there.
    uint32_t subnormal = bits_of(float_of(magnitude) + 0.5f) - bits_of(0.5f);
    uint32_t special = magnitude > 0x7f800000 ? 0x7e00 : 0x7c00;
    uint32_t bits = magnitude >= 0x47800000 ? special : magnitude < 0x38800000 ? subnormal : normal;
    return static_cast<uint16_t>(sign | bits);
}
static void floats_of_halves(float* result, const uint16_t* x, int64_t count) {
    for (int64_t i = 0; i < count; i++) result[i] = float_of_half(x[i]);
}
static void halves_of_floats(uint16_t* result, const float* x, int64_t count) {
    for (int64_t i = 0; i < count; i++) result[i] = half_of_float(x[i]);
}
#endif

static void floats_of_bfloat16(float* result, const uint16_t* x, int64_t count) {
    for (int64_t i = 0; i < count; i++) result[i] = float_of(static_cast<uint32_t>(x[i]) << 16);
}
static void bfloat16_of_floats(uint16_t* result, const float* x, int64_t count) {
    for (int64_t i = 0; i < count; i++) {
        uint32_t bits = bits_of(x[i]);
        uint32_t rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
        bool is_nan = (bits & 0x7fffffff) > 0x7f800000;
        result[i] = static_cast<uint16_t>(is_nan ? bits >> 16 | 0x40 : rounded);
    }
}

}  // namespace ISA
}  // namespace gradtape
