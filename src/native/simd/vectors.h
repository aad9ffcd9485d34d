// Loops over runs of float32, compiled once for each kind of processor and chosen at run time.
#pragma once

#include <cstdint>

#include "op_table.h"
#include "simd/instruction_set.h"

namespace gradtape {

// Floats of 16 bits: IEEE's, and the upper half of a float32.
struct Half {
    uint16_t bits;
};
struct Bfloat16 {
    uint16_t bits;
};

// Dtypes between which numbers are converted.
// clang-format off
#define CONVERSIONS(ITEM)                  \
    ITEM(FLOAT_OF_BOOL, float, bool)       \
    ITEM(FLOAT_OF_BYTE, float, uint8_t)    \
    ITEM(FLOAT_OF_INT, float, int32_t)     \
    ITEM(FLOAT_OF_LONG, float, int64_t)    \
    ITEM(FLOAT_OF_DOUBLE, float, double)   \
    ITEM(DOUBLE_OF_FLOAT, double, float)   \
    ITEM(FLOAT_OF_HALF, float, Half)       \
    ITEM(HALF_OF_FLOAT, Half, float)       \
    ITEM(FLOAT_OF_BFLOAT16, float, Bfloat16) \
    ITEM(BFLOAT16_OF_FLOAT, Bfloat16, float)
// clang-format on

#define FIRST_AND_COMMA(name, to, from) name,
enum Conversion { CONVERSIONS(FIRST_AND_COMMA) CONVERSION_COUNT };
#undef FIRST_AND_COMMA

// What softmax needs of a row: its largest number, and the sum of exp(x - largest).
struct Softened {
    float largest, sum;
};
// How rows (or runs) are combined into one.
enum Combination { SUM, LARGEST, LEAST, COMBINATION_COUNT };

struct RowLoops {
    double (*sum)(const float* x, int64_t count);
    float (*extreme[2])(const float* x, int64_t count);  // the largest, the least
    // result[j] = x[0][j] + x[1][j] + … of rows that lie `stride` apart, or their extreme.
    void (*combine[COMBINATION_COUNT])(float* result, const float* x, int64_t rows, int64_t stride,
                                       int64_t columns);
    void (*accumulate)(double* sums, const float* x, int64_t columns);  // sums += x
    Softened (*soften)(const float* x, int64_t columns);
    void (*softmax)(float* result, const float* x, int64_t columns);
    void (*softmax_gradient)(float* result, const float* y, const float* g, int64_t columns);
    void (*log_softmax)(float* result, const float* x, int64_t columns);
    // g (softmax(x) - 1 at the label)
    void (*label_gradient)(float* result, const float* x, int64_t columns, int64_t label, float g);
    // -Σ labels log softmax(x)
    float (*cross_entropy)(const float* labels, const float* x, int64_t columns);
};

struct NormalizeLoops {
    // result = (x - mean) / sqrt(variance + epsilon) scale + offset
    void (*row)(float* result, const float* x, const float* scale, const float* offset,
                float epsilon, int64_t columns);
    // The cotangent of x, given that of the result; those of scale and offset are added to.
    void (*gradient_row)(float* result, float* by_scale, float* by_offset, const float* x,
                         const float* scale, const float* g, float epsilon, int64_t columns);
};

// Of some numbers: their mean, and the sum of the squares of their distances from it.
struct Moments {
    double mean, squares;
};
// Of a row: Σ u and Σ u (x - mean), where u is the cotangent times the scale, if that is a run.
struct RowGradient {
    double sum, along;
};
struct MomentLoops {
    Moments (*row)(const float* x, int64_t columns);
    void (*columns)(float* means, float* squares, const float* x, int64_t rows, int64_t stride,
                    int64_t columns);
    // (x - mean) factor scale + offset: `rescale[m][s][o]`, each a run (1) or one number (0).
    void (*rescale[2][2][2])(float* result, const float* x, const float* mean, const float* factor,
                             const float* scale, const float* offset, int64_t columns);
    // The cotangent of x; those of scale and offset are added to where the scale is a run (1).
    RowGradient (*gradient_row[2])(float* result, float* by_scale, float* by_offset, const float* x,
                                   float mean, float factor, const float* scale, const float* g,
                                   int64_t columns);
    void (*gradient_rows)(float* result, float* sums, float* along, const float* x,
                          const float* mean, const float* slope, const float* g, int64_t rows,
                          int64_t columns);
};

// Steps of optimizers, written into the runs of the variables. `squares` are those of the gradient,
// or null where they are simply its squares; `highest` is AMSGrad's, or null.
struct UpdateLoops {
    void (*descend)(float* value, const float* gradient, float rate, int64_t count);
    void (*momentum)(float* value, float* moving, const float* gradient, float rate, float decay,
                     bool nesterov, int64_t count);
    void (*adam)(float* value, float* first, float* second, const float* gradient, float rate,
                 float part_1, float part_2, float epsilon, float* highest, const float* squares,
                 int64_t count);
    void (*rmsprop)(float* value, float* second, const float* gradient, float rate, float rho,
                    float rest, float epsilon, const float* squares, int64_t count);
    void (*adagrad)(float* value, float* total, const float* gradient, float rate, float epsilon,
                    const float* squares, int64_t count);
};

struct Vectors {
    const char* name;  // of the instruction set
    int lanes;         // float32 in a register
    // By Op: null where the op has another number of operands, or no vector form.
    void (*unary[OPS])(float* result, const float* x, int64_t count);
    // x and y are runs; or y is one number; or x is.
    void (*binary[OPS])(float* result, const float* x, const float* y, int64_t count);
    void (*with_right[OPS])(float* result, const float* x, float y, int64_t count);
    void (*with_left[OPS])(float* result, float x, const float* y, int64_t count);
    void (*compare[COMPARISONS])(bool* result, const float* x, const float* y, int64_t count);
    void (*compare_right[COMPARISONS])(bool* result, const float* x, float y, int64_t count);
    void (*logical[LOGICALS])(bool* result, const bool* x, const bool* y, int64_t count);
    // y is one number; for ops of one operand it is any.
    void (*logical_right[LOGICALS])(bool* result, const bool* x, bool y, int64_t count);
    // condition ? x : y, where either may be one number: `select[x is one][y is one]`.
    void (*select[2][2])(float* result, const bool* condition, const float* x, const float* y,
                         int64_t count);
    void (*convert[CONVERSION_COUNT])(void* result, const void* x, int64_t count);
    // Of float64, at most a unit in the last place off.
    void (*sines)(double* result, const double* x, int64_t count);
    void (*cosines)(double* result, const double* x, int64_t count);
    RowLoops rows;
    NormalizeLoops normalize;
    MomentLoops moments;
    UpdateLoops updates;
};

// The best that this processor has. `GRADTAPE_ISA` names another: avx512, avx2, portable.
DECLARE_LOOPS(Vectors, VECTORS, vectors)

}  // namespace gradtape
