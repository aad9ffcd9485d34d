// The loops behind the table `Vectors`, for one instruction set: see simd.h.
#pragma once

#include "simd.h"
#include "vectors.h"

namespace gradtape {
namespace ISA {

template <class Op>
void unary_loop(float* result, const float* x, int64_t count) {
    int64_t i = 0;
    for (; i + 2 * LANES <= count; i += 2 * LANES) {
        Floats a = Op::of(load(x + i)), b = Op::of(load(x + i + LANES));
        store(result + i, a);
        store(result + i + LANES, b);
    }
    for (; i + LANES <= count; i += LANES) store(result + i, Op::of(load(x + i)));
    if (i < count) store_some(result + i, Op::of(load_some(x + i, count - i)), count - i);
}

template <class Op>
void binary_loop(float* result, const float* x, const float* y, int64_t count) {
    int64_t i = 0;
    for (; i + 2 * LANES <= count; i += 2 * LANES) {
        Floats a = Op::of(load(x + i), load(y + i));
        Floats b = Op::of(load(x + i + LANES), load(y + i + LANES));
        store(result + i, a);
        store(result + i + LANES, b);
    }
    for (; i + LANES <= count; i += LANES) store(result + i, Op::of(load(x + i), load(y + i)));
    if (i < count) {
        int64_t rest = count - i;
        store_some(result + i, Op::of(load_some(x + i, rest), load_some(y + i, rest)), rest);
    }
}

template <class Op>
void right_loop(float* result, const float* x, float y, int64_t count) {
    const Floats right = all(y);
    int64_t i = 0;
    for (; i + LANES <= count; i += LANES) store(result + i, Op::of(load(x + i), right));
    if (i < count) store_some(result + i, Op::of(load_some(x + i, count - i), right), count - i);
}

template <class Op>
void left_loop(float* result, float x, const float* y, int64_t count) {
    const Floats left = all(x);
    int64_t i = 0;
    for (; i + LANES <= count; i += LANES) store(result + i, Op::of(left, load(y + i)));
    if (i < count) store_some(result + i, Op::of(left, load_some(y + i, count - i)), count - i);
}

#define UNARY(Name, expression) \
    struct Name { ALWAYS_INLINE Floats of(Floats x) { return expression; } };
#define BINARY(Name, expression) \
    struct Name { ALWAYS_INLINE Floats of(Floats x, Floats y) { return expression; } };

UNARY(Negative, -x)
UNARY(Abs, from_bits(bits(x) & 0x7fffffff))
UNARY(Square, x * x)
UNARY(Sqrt, square_root(x))
UNARY(Rsqrt, all(1) / square_root(x))
UNARY(Reciprocal, all(1) / x)
UNARY(Relu, largest(x, all(0)))
BINARY(Add, x + y)
BINARY(Subtract, x - y)
BINARY(Multiply, x * y)
BINARY(Divide, x / y)
BINARY(Maximum, largest(x, y))
BINARY(Minimum, least(x, y))
BINARY(ReluGrad, choose(x > all(0), y, all(0)))  // x is what went into relu, y the cotangent

#undef UNARY
#undef BINARY

#define ALL_UNARY(loop) \
    {loop<Negative>, loop<Abs>, loop<Square>, loop<Sqrt>, loop<Rsqrt>, loop<Reciprocal>, loop<Relu>}
#define ALL_BINARY(loop)                                                                   \
    {loop<Add>, loop<Subtract>, loop<Multiply>, loop<Divide>, loop<Maximum>, loop<Minimum>, \
     loop<ReluGrad>}

#define TEXT_OF(x) #x
#define NAME_OF(x) TEXT_OF(x)
extern const Vectors VECTORS = {NAME_OF(ISA),           LANES,
                                ALL_UNARY(unary_loop),  ALL_BINARY(binary_loop),
                                ALL_BINARY(right_loop), ALL_BINARY(left_loop)};

}  // namespace ISA
}  // namespace gradtape
