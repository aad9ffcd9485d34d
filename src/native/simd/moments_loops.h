// Means and variances of rows and columns, and (x - mean) factor scale + offset, for `Vectors`.
#pragma once

#include "simd/row_loops.h"

namespace gradtape {
namespace ISA {

static Moments row_moments(const float* x, int64_t columns) {
    double mean = sum_run(x, columns) / static_cast<double>(columns);
    const Floats middle = all(static_cast<float>(mean));
    double squares = sum_of_terms(x, columns, [=](Floats v, int64_t, int64_t) {
        Floats distance = v - middle;
        return distance * distance;
    });
    return {mean, squares};
}

// Computes the moments of each column of some rows, which stay in the cache for the second visit.
static void column_moments(float* means, float* squares, const float* x, int64_t rows,
                           int64_t stride, int64_t columns) {
    combine_rows<RowSum>(means, x, rows, stride, columns);
    const Floats count = all(static_cast<float>(rows));
    each_vector(columns, [=](auto at) {
        const Floats mean = at.get(means) / count;
        auto square = [=](int64_t row) {
            Floats distance = at.get(x + row * stride) - mean;
            return distance * distance;
        };
        Floats even = {}, odd = {};
        int64_t row = 0;
        for (; row + 2 <= rows; row += 2) {
            even += square(row);
            odd += square(row + 1);
        }
        if (row < rows) even += square(row);
        at.put(means, mean);
        at.put(squares, even + odd);
    });
}

// An operand of a row: a run, or one number for all of it.
template <bool is_run>
struct RowOperand {
    const float* run;
    Floats number;
    explicit RowOperand(const float* p) : run(p), number(all(*p)) {}
    template <class Position>
    inline __attribute__((always_inline)) Floats get(Position at) const {
        return is_run ? at.get(run) : number;
    }
};

template <bool stats, bool scales, bool offsets>
static void rescale_row(float* result, const float* x, const float* mean, const float* factor,
                        const float* scale, const float* offset, int64_t columns) {
    const RowOperand<stats> m(mean), f(factor);
    const RowOperand<scales> s(scale);
    const RowOperand<offsets> o(offset);
    each_vector(columns, [=](auto at) {
        at.put(result, (at.get(x) - m.get(at)) * f.get(at) * s.get(at) + o.get(at));
    });
}

ALWAYS_INLINE Floats part_of_run(const float* p, int64_t i, int64_t some) {
    return some < LANES ? load_some(p + i, some) : load(p + i);
}

// Takes one mean and factor for the row, and a scale: its size, or its only number.
template <bool scales>
static RowGradient rescale_gradient_row(float* result, float* by_scale, float* by_offset,
                                        const float* x, float mean, float factor,
                                        const float* scale, const float* g, int64_t columns) {
    const Floats m = all(mean), f = all(factor), c = all(scales ? factor : factor * *scale);
    double sum = sum_of_terms(g, columns, [=](Floats v, int64_t i, int64_t some) {
        Floats u = v;
        if (scales) {
            u = v * part_of_run(scale, i, some);
            Floats y = (part_of_run(x, i, some) - m) * f;
            store_part(by_scale + i, part_of_run(by_scale, i, some) + v * y, some);
            store_part(by_offset + i, part_of_run(by_offset, i, some) + v, some);
        }
        store_part(result + i, u * c, some);
        return u;
    });
    double along = sum_of_terms(g, columns, [=](Floats v, int64_t i, int64_t some) {
        Floats u = scales ? v * part_of_run(scale, i, some) : v;
        return u * (part_of_run(x, i, some) - m);
    });
    return {sum, along};
}

// Means and slopes (factor · scale) by column: sums of g and of g (x - mean) over some rows.
static void rescale_gradient_rows(float* result, float* sums, float* along, const float* x,
                                  const float* mean, const float* slope, const float* g,
                                  int64_t rows, int64_t columns) {
    for (int64_t row = 0; row < rows; row += 2) {
        int64_t start = row * columns;
        bool has_two = row + 1 < rows;
        each_vector(columns, [=](auto at) {
            const Floats m = at.get(mean), c = at.get(slope);
            Floats v = at.get(g + start);
            Floats total = v, total_along = v * (at.get(x + start) - m);
            at.put(result + start, v * c);
            if (has_two) {
                Floats w = at.get(g + start + columns);
                total += w;
                total_along += w * (at.get(x + start + columns) - m);
                at.put(result + start + columns, w * c);
            }
            at.put(sums, row ? at.get(sums) + total : total);
            at.put(along, row ? at.get(along) + total_along : total_along);
        });
    }
}

constexpr MomentLoops MOMENT_LOOPS = {
    row_moments,
    column_moments,
    {{{rescale_row<false, false, false>, rescale_row<false, false, true>},
      {rescale_row<false, true, false>, rescale_row<false, true, true>}},
     {{rescale_row<true, false, false>, rescale_row<true, false, true>},
      {rescale_row<true, true, false>, rescale_row<true, true, true>}}},
    {rescale_gradient_row<false>, rescale_gradient_row<true>},
    rescale_gradient_rows,
};

}  // namespace ISA
}  // namespace gradtape
