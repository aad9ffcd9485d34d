// Elementwise loops for the table `Vectors`.
#pragma once

#include "mathematics.h"
#include "vectors.h"

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

#define DEFINE_UNARY(NAME, expression) \
    struct Op_##NAME { ALWAYS_INLINE Floats of(Floats x) { return expression; } };
#define DEFINE_BINARY(NAME, expression) \
    struct Op_##NAME { ALWAYS_INLINE Floats of(Floats x, Floats y) { return expression; } };

DEFINE_UNARY(NEGATIVE, -x)
DEFINE_UNARY(ABS, magnitude(x))
DEFINE_UNARY(SIGN, choose(x > all(0), all(1), choose(x < all(0), all(-1), x * all(0))))
DEFINE_UNARY(SQUARE, x * x)
DEFINE_UNARY(CUBE, x * x * x)
DEFINE_UNARY(SQRT, square_root(x))
DEFINE_UNARY(RSQRT, all(1) / square_root(x))
DEFINE_UNARY(RECIPROCAL, all(1) / x)
DEFINE_UNARY(RELU, largest(x, all(0)))
DEFINE_UNARY(EXP, exp_of(x))
DEFINE_UNARY(EXPM1, expm1_of(x))
DEFINE_UNARY(LOG, log_of(x))
DEFINE_UNARY(LOG1P, log1p_of(x))
DEFINE_UNARY(SIN, turn_of<Turn::sine>(x))
DEFINE_UNARY(COS, turn_of<Turn::cosine>(x))
DEFINE_UNARY(TAN, turn_of<Turn::tangent>(x))
DEFINE_UNARY(TANH, tanh_of(x))
DEFINE_UNARY(SIGMOID, sigmoid_of(x))
DEFINE_UNARY(SOFTPLUS, softplus_of(x))
DEFINE_UNARY(ERF, erf_of(x))
DEFINE_UNARY(ERFC, erfc_of(x))
DEFINE_UNARY(GELU, gelu_of(x))
DEFINE_UNARY(GELU_TANH, gelu_tanh_of(x))

DEFINE_BINARY(ADD, x + y)
DEFINE_BINARY(SUBTRACT, x - y)
DEFINE_BINARY(MULTIPLY, x * y)
DEFINE_BINARY(DIVIDE, x / y)
// 0 where y is 0, whatever x is
DEFINE_BINARY(MULTIPLY_NO_NAN, choose((y == all(0)) & (x * y != x * y), all(0), x * y))
DEFINE_BINARY(DIVIDE_NO_NAN, choose(y == all(0), all(0), x / y))
DEFINE_BINARY(MAXIMUM, largest(x, y))
DEFINE_BINARY(MINIMUM, least(x, y))
DEFINE_BINARY(POWER, power_of(x, y))
// x is what went into relu, y the cotangent
DEFINE_BINARY(RELU_GRAD, y * choose(x > all(0), all(1), all(0)))
DEFINE_BINARY(GELU_GRAD, gelu_slope(x) * y)
DEFINE_BINARY(GELU_TANH_GRAD, gelu_tanh_slope(x) * y)
// x is what the function gave, y the cotangent; as the separate ops of the rules round
DEFINE_BINARY(SIGMOID_GRAD, y * product(x, all(1) - x))
DEFINE_BINARY(TANH_GRAD, y * (all(1) - product(x, x)))
// y is alpha
DEFINE_BINARY(ELU, choose(x < all(0), y * expm1_of(x), x))

#undef DEFINE_UNARY
#undef DEFINE_BINARY

// --- other dtypes: plain loops, which the compiler makes vectors of ------------------------------

#define DEFINE_COMPARISON(NAME, op) \
    struct Op_##NAME { ALWAYS_INLINE bool of(float x, float y) { return x op y; } };
DEFINE_COMPARISON(EQUAL, ==)
DEFINE_COMPARISON(NOT_EQUAL, !=)
DEFINE_COMPARISON(LESS, <)
DEFINE_COMPARISON(LESS_EQUAL, <=)
DEFINE_COMPARISON(GREATER, >)
DEFINE_COMPARISON(GREATER_EQUAL, >=)
#undef DEFINE_COMPARISON

template <class Op>
void compare_loop(bool* result, const float* x, const float* y, int64_t count) {
    for (int64_t i = 0; i < count; i++) result[i] = Op::of(x[i], y[i]);
}
template <class Op>
void compare_right_loop(bool* result, const float* x, float y, int64_t count) {
    for (int64_t i = 0; i < count; i++) result[i] = Op::of(x[i], y);
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

template <class To, class From>
void convert_loop(void* result, const void* x, int64_t count) {
    To* to = static_cast<To*>(result);
    const From* from = static_cast<const From*>(x);
    for (int64_t i = 0; i < count; i++) to[i] = static_cast<To>(from[i]);
}

}  // namespace ISA
}  // namespace gradtape
