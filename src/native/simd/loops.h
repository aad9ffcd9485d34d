// Elementwise loops for the table `Vectors`.
#pragma once

#include "simd/half_loops.h"
#include "simd/mathematics.h"
#include "simd/vectors.h"

namespace gradtape {
namespace ISA {

template <class Op>
void unary_loop(float* result, const float* x, int64_t count) {
    each_vector(count, [=](auto at) { at.put(result, Op::of(at.get(x))); });
}
template <class Op>
void binary_loop(float* result, const float* x, const float* y, int64_t count) {
    each_vector(count, [=](auto at) { at.put(result, Op::of(at.get(x), at.get(y))); });
}
template <class Op>
void right_loop(float* result, const float* x, float y, int64_t count) {
    const Floats right = all(y);
    each_vector(count, [=](auto at) { at.put(result, Op::of(at.get(x), right)); });
}
template <class Op>
void left_loop(float* result, float x, const float* y, int64_t count) {
    const Floats left = all(x);
    each_vector(count, [=](auto at) { at.put(result, Op::of(left, at.get(y))); });
}

#define UNARY_PART(NAME, cost, vector, scalar)               \
    struct Op_##NAME {                                       \
        ALWAYS_INLINE Floats of(Floats x) { return vector; } \
    };
#define BINARY_PART(NAME, cost, vector, scalar)                        \
    struct Op_##NAME {                                                 \
        ALWAYS_INLINE Floats of(Floats x, Floats y) { return vector; } \
    };
#define UNARY(NAME, name, ...) UNARY_PART(NAME, __VA_ARGS__)
#define BINARY(NAME, name, ...) BINARY_PART(NAME, __VA_ARGS__)
#define COMPARISON(NAME, name, op, turned)                           \
    struct Op_##NAME {                                               \
        ALWAYS_INLINE Ints of(Floats x, Floats y) { return x op y; } \
    };
#define LOGICAL(NAME, name, arity, expression)                                        \
    struct Op_##NAME {                                                                \
        ALWAYS_INLINE bool of(bool x, [[maybe_unused]] bool y) { return expression; } \
    };
#include "ops.def"

template <class Op>
void compare_loop(bool* result, const float* x, const float* y, int64_t count) {
    each_vector(count, [=](auto at) { at.put(result, Op::of(at.get(x), at.get(y))); });
}
template <class Op>
void compare_right_loop(bool* result, const float* x, float y, int64_t count) {
    const Floats right = all(y);
    each_vector(count, [=](auto at) { at.put(result, Op::of(at.get(x), right)); });
}

template <bool x_is_one, bool y_is_one>
void select_loop(float* result, const bool* condition, const float* x, const float* y,
                 int64_t count) {
    const Floats first = all(*x), second = all(*y);
    each_vector(count, [=](auto at) {
        Floats a = x_is_one ? first : at.get(x), b = y_is_one ? second : at.get(y);
        at.put(result, choose(at.get(condition), a, b));
    });
}

// --- other dtypes: plain loops, which the compiler makes vectors of ------------------------------

template <class Op>
void logical_loop(bool* result, const bool* x, const bool* y, int64_t count) {
    for (int64_t i = 0; i < count; i++) result[i] = Op::of(x[i], y[i]);
}
template <class Op>
void logical_right_loop(bool* result, const bool* x, bool y, int64_t count) {
    for (int64_t i = 0; i < count; i++) result[i] = Op::of(x[i], y);
}

template <class To, class From>
void convert_loop(void* result, const void* x, int64_t count) {
    To* to = static_cast<To*>(result);
    const From* from = static_cast<const From*>(x);
    for (int64_t i = 0; i < count; i++) to[i] = static_cast<To>(from[i]);
}

template <>
void convert_loop<float, Half>(void* result, const void* x, int64_t count) {
    floats_of_halves(static_cast<float*>(result), static_cast<const uint16_t*>(x), count);
}
template <>
void convert_loop<Half, float>(void* result, const void* x, int64_t count) {
    halves_of_floats(static_cast<uint16_t*>(result), static_cast<const float*>(x), count);
}
template <>
void convert_loop<float, Bfloat16>(void* result, const void* x, int64_t count) {
    floats_of_bfloat16(static_cast<float*>(result), static_cast<const uint16_t*>(x), count);
}
template <>
void convert_loop<Bfloat16, float>(void* result, const void* x, int64_t count) {
    bfloat16_of_floats(static_cast<uint16_t*>(result), static_cast<const float*>(x), count);
}

// --- sines and cosines of float64 ----------------------------------------------------------------

constexpr int64_t DOUBLE_LANES = LANES / 2;
typedef double LooseDoubles __attribute__((vector_size(LANES * 4), aligned(8), may_alias));

// x = n π/2 + r + rest. π/2 in three parts: n times the first two is exact for |x| up to 2^20.
constexpr double LARGE_DOUBLE_ANGLE = 0x1p20;
constexpr double RIGHT_ANGLE[] = {0x1.921fb544p0, 0x1.0b4611a6p-34, 0x1.3198a2e037073p-69};

struct DoubleAngle {
    Doubles r, rest;
    Longs n;
};
ALWAYS_INLINE DoubleAngle reduced_doubles(Doubles x) {
    const Doubles shift = all_doubles(0x1.8p52);
    Doubles shifted = x * all_doubles(0x1.45f306dc9c883p-1) + shift, n = shifted - shift;  // 2/π
    Doubles first = x - n * all_doubles(RIGHT_ANGLE[0]), second = n * all_doubles(RIGHT_ANGLE[1]);
    // first - second, and what rounding takes off it: either may be the larger one.
    Doubles r = first - second, back = r - first;
    Doubles lost = (first - (r - back)) - (second + back);
    lost = lost - n * all_doubles(RIGHT_ANGLE[2]);
    Doubles joined = r + lost;
    return {joined, (r - joined) + lost, reinterpret_cast<Longs>(shifted)};
}

// Taylor's series up to |r| = π/4: the next terms are below 1e-18.
ALWAYS_INLINE Doubles sine_of_reduced(Doubles r, Doubles rest) {
    static const double S[] = {
        -1.0 / 6,        1.0 / 120,        -1.0 / 5040,         1.0 / 362880,
        -1.0 / 39916800, 1.0 / 6227020800, -1.0 / 1307674368e3, 1.0 / 355687428096e3};
    Doubles square = r * r;
    return r + (r * square * polynomial(square, S) + rest * (1 - 0.5 * square));
}
ALWAYS_INLINE Doubles cosine_of_reduced(Doubles r, Doubles rest) {
    static const double C[] = {1.0 / 24,           -1.0 / 720,      1.0 / 40320,
                               -1.0 / 3628800,     1.0 / 479001600, -1.0 / 87178291200,
                               1.0 / 20922789888e3};
    Doubles square = r * r, half = 0.5 * square, most = 1 - half;
    return most + (((1 - most) - half) + (square * square * polynomial(square, C) - r * rest));
}

template <Trig which>
ALWAYS_INLINE Doubles trig_of_doubles(Doubles x) {
    Doubles size = reinterpret_cast<Doubles>(reinterpret_cast<Longs>(x) & INT64_MAX);
    Longs is_large = ~(size <= LARGE_DOUBLE_ANGLE);  // or no number
    DoubleAngle a = reduced_doubles(is_large ? all_doubles(0) : x);
    Longs odd = -(a.n & 1), n = which == Trig::sine ? a.n : a.n + 1;
    Doubles sine = sine_of_reduced(a.r, a.rest), cosine = cosine_of_reduced(a.r, a.rest);
    Doubles y = which == Trig::sine ? (odd ? cosine : sine) : (odd ? sine : cosine);
    y = reinterpret_cast<Doubles>(reinterpret_cast<Longs>(y) ^ ((n & 2) << 62));
    if (which == Trig::sine) y = size < 0x1p-27 ? x : y;  // and -0 stays so
    if (any(reinterpret_cast<Ints>(is_large)))
        for (int64_t i = 0; i < DOUBLE_LANES; i++)
            if (is_large[i]) y[i] = which == Trig::sine ? sin(x[i]) : cos(x[i]);
    return y;
}

template <Trig which>
void trig_loop(double* result, const double* x, int64_t count) {
    int64_t i = 0;
    for (; i + DOUBLE_LANES <= count; i += DOUBLE_LANES)
        *reinterpret_cast<LooseDoubles*>(result + i) = trig_of_doubles<which>(
            *reinterpret_cast<const LooseDoubles*>(x + i));
    if (i == count) return;
    Doubles last = {};
    memcpy(&last, x + i, static_cast<size_t>(count - i) * sizeof(double));
    last = trig_of_doubles<which>(last);
    memcpy(result + i, &last, static_cast<size_t>(count - i) * sizeof(double));
}

}  // namespace ISA
}  // namespace gradtape
