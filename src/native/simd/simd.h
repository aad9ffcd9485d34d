// Vectors of LANES float32 for the instruction set that the including file is compiled for. It is
// included once in each of vectors_*.cpp, so everything here is in the namespace ISA. No C++
// standard header may be included after the instruction set is chosen: its inline functions would
// be compiled for it, and the linker might take that copy for every processor.
#pragma once

#include <math.h>
#include <stdint.h>
#include <string.h>

#if !defined(ISA) || !defined(LANES)
#error "define ISA (a namespace) and LANES before including simd.h"
#endif
#if LANES > 4
#include <immintrin.h>
#endif

#define ALWAYS_INLINE static inline __attribute__((always_inline))

namespace gradtape {
namespace ISA {

typedef float Floats __attribute__((vector_size(LANES * 4)));
typedef int32_t Ints __attribute__((vector_size(LANES * 4)));
typedef float LooseFloats __attribute__((vector_size(LANES * 4), aligned(4), may_alias));
typedef int32_t LooseInts __attribute__((vector_size(LANES * 4), aligned(4), may_alias));
// Half as many numbers of twice the width, and the halves of a vector that they are made of.
typedef double Doubles __attribute__((vector_size(LANES * 4)));
typedef int64_t Longs __attribute__((vector_size(LANES * 4)));
typedef float HalfFloats __attribute__((vector_size(LANES * 2)));
typedef int8_t Bytes __attribute__((vector_size(LANES)));

ALWAYS_INLINE Floats load(const float* p) { return *reinterpret_cast<const LooseFloats*>(p); }
ALWAYS_INLINE void store(float* p, Floats v) { *reinterpret_cast<LooseFloats*>(p) = v; }
ALWAYS_INLINE Ints load_ints(const int32_t* p) { return *reinterpret_cast<const LooseInts*>(p); }
ALWAYS_INLINE void store_ints(int32_t* p, Ints v) { *reinterpret_cast<LooseInts*>(p) = v; }
ALWAYS_INLINE Floats all(float x) { return x - Floats{}; }
ALWAYS_INLINE Doubles all_doubles(double x) { return x - Doubles{}; }
ALWAYS_INLINE Floats choose(Ints mask, Floats a, Floats b) { return mask ? a : b; }
ALWAYS_INLINE Ints bits(Floats x) { return reinterpret_cast<Ints>(x); }
ALWAYS_INLINE Floats from_bits(Ints x) { return reinterpret_cast<Floats>(x); }

ALWAYS_INLINE Floats magnitude(Floats x) { return from_bits(bits(x) & 0x7fffffff); }
ALWAYS_INLINE Ints sign_bit(Floats x) { return bits(x) & INT32_MIN; }
ALWAYS_INLINE Floats with_sign(Floats x, Ints sign) { return from_bits(bits(x) | sign); }

// --- parts of a vector, for the end of a run -----------------------------------------------------

// Sets all bits in the first `count` lanes.
ALWAYS_INLINE Ints first_lanes(int64_t count) {
    static const int32_t ONES_THEN_ZEROS[2 * LANES] = {
#if LANES == 16
        -1, -1, -1, -1, -1, -1, -1, -1,
#endif
#if LANES >= 8
        -1, -1, -1, -1,
#endif
        -1, -1, -1, -1};
    return load_ints(ONES_THEN_ZEROS + LANES - count);
}

// Loads the first `count` (less than LANES) of a run, zeros after them. Nothing after them is read.
ALWAYS_INLINE Floats load_some(const float* p, int64_t count) {
#if LANES == 16
    return _mm512_maskz_loadu_ps(static_cast<__mmask16>((1u << count) - 1), p);
#elif LANES == 8
    return _mm256_maskload_ps(p, reinterpret_cast<__m256i>(first_lanes(count)));
#else
    Floats v = {};
    for (int64_t i = 0; i < count; i++) v[i] = p[i];
    return v;
#endif
}
ALWAYS_INLINE void store_some(float* p, Floats v, int64_t count) {
#if LANES == 16
    _mm512_mask_storeu_ps(p, static_cast<__mmask16>((1u << count) - 1), v);
#elif LANES == 8
    _mm256_maskstore_ps(p, reinterpret_cast<__m256i>(first_lanes(count)), v);
#else
    for (int64_t i = 0; i < count; i++) p[i] = v[i];
#endif
}

// Sets all bits in the lanes of the first `count` flags that are true. (GCC 12 converts vectors of
// bytes one by one.)
ALWAYS_INLINE Ints wide_mask(const bool* p, int64_t count) {
    Bytes flags = {};
    memcpy(&flags, p, static_cast<size_t>(count));
#if LANES == 16
    return -reinterpret_cast<Ints>(_mm512_cvtepi8_epi32(reinterpret_cast<__m128i>(flags)));
#elif LANES == 8
    int64_t eight;
    memcpy(&eight, &flags, sizeof eight);
    return -reinterpret_cast<Ints>(_mm256_cvtepi8_epi32(_mm_cvtsi64_si128(eight)));
#else
    return -__builtin_convertvector(flags, Ints);
#endif
}

// Writes whether all bits of a lane are set, as the flags of the first `count` lanes.
ALWAYS_INLINE void store_mask(bool* p, Ints mask, int64_t count) {
#if LANES == 16
    Bytes flags = -reinterpret_cast<Bytes>(_mm512_cvtepi32_epi8(reinterpret_cast<__m512i>(mask)));
#elif LANES == 8
    __m256i wide = reinterpret_cast<__m256i>(mask);
    __m128i shorts = _mm_packs_epi32(_mm256_castsi256_si128(wide),
                                     _mm256_extracti128_si256(wide, 1));
    int64_t flags = _mm_cvtsi128_si64(_mm_packs_epi16(shorts, shorts)) & 0x0101010101010101;
#else
    Bytes flags = -__builtin_convertvector(mask, Bytes);
#endif
    memcpy(p, &flags, static_cast<size_t>(count));
}

// Where a loop is: at a whole vector, or at the rest of a run.
struct Whole {
    int64_t i;
    inline __attribute__((always_inline)) Floats get(const float* p) const { return load(p + i); }
    inline __attribute__((always_inline)) Ints get(const bool* p) const {
        return wide_mask(p + i, LANES);
    }
    inline __attribute__((always_inline)) void put(float* p, Floats v) const { store(p + i, v); }
    inline __attribute__((always_inline)) void put(bool* p, Ints mask) const {
        store_mask(p + i, mask, LANES);
    }
};
struct Rest {
    int64_t i, count;
    inline __attribute__((always_inline)) Floats get(const float* p) const {
        return load_some(p + i, count);
    }
    inline __attribute__((always_inline)) Ints get(const bool* p) const {
        return wide_mask(p + i, count);
    }
    inline __attribute__((always_inline)) void put(float* p, Floats v) const {
        store_some(p + i, v, count);
    }
    inline __attribute__((always_inline)) void put(bool* p, Ints mask) const {
        store_mask(p + i, mask, count);
    }
};
// Calls step(position) for every vector of a run: the same computation everywhere, at its end too.
template <class Step>
ALWAYS_INLINE void each_vector(int64_t count, Step&& step) {
    int64_t i = 0;
    for (; i + LANES <= count; i += LANES) step(Whole{i});
    if (i < count) step(Rest{i, count - i});
}

// --- doubles, where float32 is not enough -------------------------------------

struct TwoDoubles {
    Doubles low, high;
};
ALWAYS_INLINE TwoDoubles widened(Floats x) {
#if LANES == 16
    return {_mm512_cvtps_pd(_mm512_castps512_ps256(x)),
            _mm512_cvtps_pd(_mm512_extractf32x8_ps(x, 1))};
#elif LANES == 8
    return {_mm256_cvtps_pd(_mm256_castps256_ps128(x)),
            _mm256_cvtps_pd(_mm256_extractf128_ps(x, 1))};
#else
    HalfFloats halves[2];
    memcpy(halves, &x, sizeof x);
    return {__builtin_convertvector(halves[0], Doubles),
            __builtin_convertvector(halves[1], Doubles)};
#endif
}
ALWAYS_INLINE Floats narrowed(TwoDoubles x) {
#if LANES == 16
    return _mm512_insertf32x8(_mm512_castps256_ps512(_mm512_cvtpd_ps(x.low)),
                              _mm512_cvtpd_ps(x.high), 1);
#elif LANES == 8
    return _mm256_set_m128(_mm256_cvtpd_ps(x.high), _mm256_cvtpd_ps(x.low));
#else
    HalfFloats halves[2] = {__builtin_convertvector(x.low, HalfFloats),
                            __builtin_convertvector(x.high, HalfFloats)};
    Floats v;
    memcpy(&v, halves, sizeof v);
    return v;
#endif
}

// --- arithmetic ----------------------------------------------------------------------------------

// Multiplies: the compiler may not join this product with a sum that it goes into (which would
// round once instead of twice): the result is that of separate ops.
ALWAYS_INLINE Floats product(Floats x, Floats y) {
    Floats z = x * y;
#if defined(__AVX512F__)
    asm("" : "+v"(z));
#elif defined(__x86_64__)
    asm("" : "+x"(z));
#elif defined(__aarch64__)
    asm("" : "+w"(z));
#endif
    return z;
}
ALWAYS_INLINE Floats square_root(Floats x) {
#if LANES == 16
    return _mm512_sqrt_ps(x);
#elif LANES == 8
    return _mm256_sqrt_ps(x);
#else
    Floats y;
    for (int i = 0; i < LANES; i++) y[i] = __builtin_sqrtf(x[i]);
    return y;
#endif
}
// Returns the larger (or the smaller), as NumPy and TensorFlow: nan if either is.
ALWAYS_INLINE Floats largest(Floats x, Floats y) { return choose((x > y) | (x != x), x, y); }
ALWAYS_INLINE Floats least(Floats x, Floats y) { return choose((x < y) | (x != x), x, y); }
// Returns x between two bounds; nan stays.
ALWAYS_INLINE Floats within(Floats x, float low, float high) {
    x = choose(x < all(low), all(low), x);
    return choose(x > all(high), all(high), x);
}
// Returns the nearest integer, for |x| < 2^22.
ALWAYS_INLINE Floats rounded(Floats x) {
    const Floats shift = all(0x1.8p23f);
    return (x + shift) - shift;
}
ALWAYS_INLINE Floats to_floats(Ints x) { return __builtin_convertvector(x, Floats); }
ALWAYS_INLINE Ints to_ints(Floats x) { return __builtin_convertvector(x, Ints); }

// Returns 2 to an integer power between -126 and 127.
ALWAYS_INLINE Floats power_of_two(Ints n) { return from_bits((n + 127) << 23); }

ALWAYS_INLINE float sum_of_lanes(Floats x) {
    float held[LANES];
    store(held, x);
    for (int half = LANES / 2; half; half /= 2)
        for (int i = 0; i < half; i++) held[i] += held[i + half];
    return held[0];
}
ALWAYS_INLINE float largest_of_lanes(Floats x) {
    float held[LANES];
    store(held, x);
    for (int half = LANES / 2; half; half /= 2)
        for (int i = 0; i < half; i++)
            held[i] = held[i] > held[i + half] || held[i] != held[i] ? held[i] : held[i + half];
    return held[0];
}

}  // namespace ISA
}  // namespace gradtape
