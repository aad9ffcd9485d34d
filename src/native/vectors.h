// Loops over runs of float32, compiled once for each kind of processor and chosen at run time.
#pragma once

#include <cstdint>

namespace gradtape {

enum Unary { NEGATIVE, ABS, SQUARE, SQRT, RSQRT, RECIPROCAL, RELU, UNARY_COUNT };
enum Binary { ADD, SUBTRACT, MULTIPLY, DIVIDE, MAXIMUM, MINIMUM, RELU_GRAD, BINARY_COUNT };

struct Vectors {
    const char* name;  // of the instruction set
    int lanes;         // float32 in a register
    void (*unary[UNARY_COUNT])(float* result, const float* x, int64_t count);
    // x and y are runs; or y is one number; or x is.
    void (*binary[BINARY_COUNT])(float* result, const float* x, const float* y, int64_t count);
    void (*with_right[BINARY_COUNT])(float* result, const float* x, float y, int64_t count);
    void (*with_left[BINARY_COUNT])(float* result, float x, const float* y, int64_t count);
};

// The best that this processor has. `GRADTAPE_ISA` names another: avx512, avx2, portable.
const Vectors& vectors();

namespace avx512 { extern const Vectors VECTORS; }
namespace avx2 { extern const Vectors VECTORS; }
namespace portable { extern const Vectors VECTORS; }

}  // namespace gradtape
