// Loops over rows of float32 for the table `Vectors`: sums, extremes, softmax.
//
// The order of summation is fixed. It depends on the length of what is summed and on nothing else:
// not on the number of threads, nor on the width of the vectors.
#pragma once

#include "simd/mathematics.h"
#include "simd/vectors.h"

namespace gradtape {
namespace ISA {

// Numbers that are summed next to each other: number i goes into partial sum i % SUMS.
constexpr int SUMS = 32, VECTORS_OF_SUMS = SUMS / LANES;
// A run is summed in blocks whose sums are added in double precision.
constexpr int64_t SUM_BLOCK = 16 * SUMS;

struct Sums {
    Floats parts[VECTORS_OF_SUMS] = {};

    inline __attribute__((always_inline)) float total() const {
        Floats folded[VECTORS_OF_SUMS];
        for (int i = 0; i < VECTORS_OF_SUMS; i++) folded[i] = parts[i];
        for (int half = VECTORS_OF_SUMS / 2; half; half /= 2)
            for (int i = 0; i < half; i++) folded[i] = folded[i] + folded[i + half];
        return sum_of_lanes(folded[0]);
    }
};

// Returns the sum of term(v, i) over a run that begins at index 0; v holds the numbers from index i
// on. Lanes after the end are not counted. `term` may store what it computes.
template <class Term>
ALWAYS_INLINE double sum_of_terms(const float* x, int64_t count, Term&& term) {
    double total = 0;
    for (int64_t block = 0; block < count; block += SUM_BLOCK) {
        int64_t end = count - block < SUM_BLOCK ? count : block + SUM_BLOCK, i = block;
        Sums sums;
        for (; i + SUMS <= end; i += SUMS)
            for (int k = 0; k < VECTORS_OF_SUMS; k++)
                sums.parts[k] += term(load(x + i + k * LANES), i + k * LANES, int64_t(LANES));
        for (int k = 0; k < VECTORS_OF_SUMS && i < end; k++, i += LANES) {
            int64_t some = end - i < LANES ? end - i : LANES;
            Floats v = some < LANES ? load_some(x + i, some) : load(x + i);
            Floats t = term(v, i, some);
            sums.parts[k] += some < LANES ? choose(first_lanes(some), t, all(0)) : t;
        }
        total += static_cast<double>(sums.total());
    }
    return total;
}

static double sum_run(const float* x, int64_t count) {
    return sum_of_terms(x, count, [](Floats v, int64_t, int64_t) { return v; });
}

template <bool greatest>
ALWAYS_INLINE Floats extreme(Floats x, Floats y) {
    return greatest ? largest(x, y) : least(x, y);
}
template <bool greatest>
static float extreme_run(const float* x, int64_t count) {
    const float nothing = greatest ? -INFINITY : INFINITY;
    Floats a = all(nothing), b = a, c = a, d = a;
    int64_t i = 0;
    for (; i + 4 * LANES <= count; i += 4 * LANES) {
        a = extreme<greatest>(a, load(x + i));
        b = extreme<greatest>(b, load(x + i + LANES));
        c = extreme<greatest>(c, load(x + i + 2 * LANES));
        d = extreme<greatest>(d, load(x + i + 3 * LANES));
    }
    a = extreme<greatest>(a, c);
    b = extreme<greatest>(b, d);
    for (; i + 2 * LANES <= count; i += 2 * LANES) {
        a = extreme<greatest>(a, load(x + i));
        b = extreme<greatest>(b, load(x + i + LANES));
    }
    if (i + LANES <= count) {
        a = extreme<greatest>(a, load(x + i));
        i += LANES;
    }
    if (i < count)
        b = extreme<greatest>(
            b, choose(first_lanes(count - i), load_some(x + i, count - i), all(nothing)));
    a = extreme<greatest>(a, b);
    return greatest ? largest_of_lanes(a) : -largest_of_lanes(-a);
}

// --- several rows into one -----------------------------------------------------------------------

struct RowSum {
    ALWAYS_INLINE Floats of(Floats x, Floats y) { return x + y; }
};
template <bool greatest>
struct RowExtreme {
    ALWAYS_INLINE Floats of(Floats x, Floats y) { return extreme<greatest>(x, y); }
};

// Computes result[j] = x[0][j] ∘ x[1][j] ∘ …: eight rows at a time, in pairs, so that few roundings
// follow each other and the result is seldom read and written.
template <class Op>
static void combine_rows(float* result, const float* x, int64_t rows, int64_t stride,
                         int64_t columns) {
    int64_t row = 0;
    for (; row + 8 <= rows; row += 8) {
        const float* p = x + row * stride;
        each_vector(columns, [=](auto at) {
            auto pair = [=](int64_t k) {
                return Op::of(at.get(p + k * stride), at.get(p + (k + 1) * stride));
            };
            Floats v = Op::of(Op::of(pair(0), pair(2)), Op::of(pair(4), pair(6)));
            at.put(result, row ? Op::of(at.get(result), v) : v);
        });
    }
    if (row == 0) {
        memcpy(result, x, static_cast<size_t>(columns) * sizeof(float));
        row = 1;
    }
    for (; row < rows; row++) {
        const float* p = x + row * stride;
        each_vector(columns, [=](auto at) { at.put(result, Op::of(at.get(result), at.get(p))); });
    }
}

static void accumulate_row(double* sums, const float* x, int64_t columns) {
    for (int64_t j = 0; j < columns; j++) sums[j] += static_cast<double>(x[j]);
}

// --- softmax -------------------------------------------------------------------------------------

ALWAYS_INLINE void store_part(float* p, Floats v, int64_t count) {
    if (count == LANES) store(p, v);
    else store_some(p, v, count);
}

static Softened soften(const float* x, int64_t columns) {
    float most = extreme_run<true>(x, columns);
    const Floats shift = all(most);
    double sum = sum_of_terms(
        x, columns, [=](Floats v, int64_t, int64_t) { return exp_of_nonpositive(v - shift); });
    return {most, static_cast<float>(sum)};
}

// Computes result = exp(x - largest), and returns the sum of that.
ALWAYS_INLINE float exponentials(float* result, const float* x, int64_t columns) {
    const Floats shift = all(extreme_run<true>(x, columns));
    double sum = sum_of_terms(x, columns, [=](Floats v, int64_t i, int64_t some) {
        Floats e = exp_of_nonpositive(v - shift);
        store_part(result + i, e, some);
        return e;
    });
    return static_cast<float>(sum);
}
ALWAYS_INLINE void scale_run(float* x, float factor, int64_t count) {
    each_vector(count, [=](auto at) { at.put(x, at.get(x) * all(factor)); });
}

static void softmax_row(float* result, const float* x, int64_t columns) {
    float sum = exponentials(result, x, columns);
    scale_run(result, 1 / sum, columns);
}

// Computes y (g - Σ g y).
static void softmax_gradient_row(float* result, const float* y, const float* g, int64_t columns) {
    double along = sum_of_terms(y, columns, [=](Floats v, int64_t i, int64_t some) {
        return v * (some < LANES ? load_some(g + i, some) : load(g + i));
    });
    const Floats middle = all(static_cast<float>(along));
    each_vector(columns, [=](auto at) { at.put(result, at.get(y) * (at.get(g) - middle)); });
}

static void label_gradient_row(float* result, const float* x, int64_t columns, int64_t label,
                               float g) {
    float part = 1 / exponentials(result, x, columns);
    float chosen = result[label] * part - 1;
    scale_run(result, part * g, columns);
    result[label] = chosen * g;
}

// Computes the cross entropy of a row. A label of 0 counts for nothing, even where the logarithm is
// -inf.
static float cross_entropy_row(const float* labels, const float* x, int64_t columns) {
    Softened s = soften(x, columns);
    const Floats shift = all(s.largest), log_sum = all(logf(s.sum));
    double sum = sum_of_terms(x, columns, [=](Floats v, int64_t i, int64_t some) {
        Floats label = some < LANES ? load_some(labels + i, some) : load(labels + i);
        return choose(label == all(0), all(0), label * ((v - shift) - log_sum));
    });
    return static_cast<float>(-sum);
}

static void log_softmax_row(float* result, const float* x, int64_t columns) {
    Softened s = soften(x, columns);
    const Floats shift = all(s.largest), log_sum = all(logf(s.sum));
    each_vector(columns, [=](auto at) { at.put(result, (at.get(x) - shift) - log_sum); });
}

constexpr RowLoops ROW_LOOPS = {
    sum_run,
    {extreme_run<true>, extreme_run<false>},
    {combine_rows<RowSum>, combine_rows<RowExtreme<true>>, combine_rows<RowExtreme<false>>},
    accumulate_row,
    soften,
    softmax_row,
    softmax_gradient_row,
    log_softmax_row,
    label_gradient_row,
    cross_entropy_row,
};

}  // namespace ISA
}  // namespace gradtape
