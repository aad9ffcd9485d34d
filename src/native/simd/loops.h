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

}  // namespace ISA
}  // namespace gradtape
