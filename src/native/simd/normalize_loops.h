// Rows of layer normalization for the table `Vectors`.
#pragma once

#include "simd/row_loops.h"

namespace gradtape {
namespace ISA {

// What a row's numbers are made standard with: y = (x - mean) factor.
struct Standard {
    Floats mean, factor;
    float factor_alone;
};
ALWAYS_INLINE Standard standard_of(const float* x, int64_t columns, float epsilon) {
    double count = static_cast<double>(columns);
    const Floats mean = all(static_cast<float>(sum_run(x, columns) / count));
    double squares = sum_of_terms(x, columns, [=](Floats v, int64_t, int64_t) {
        Floats distance = v - mean;
        return distance * distance;
    });
    float factor = static_cast<float>(1 / sqrt(squares / count + static_cast<double>(epsilon)));
    return {mean, all(factor), factor};
}

static void normalize_row(float* result, const float* x, const float* scale, const float* offset,
                          float epsilon, int64_t columns) {
    Standard s = standard_of(x, columns, epsilon);
    each_vector(columns, [=](auto at) {
        at.put(result, (at.get(x) - s.mean) * s.factor * at.get(scale) + at.get(offset));
    });
}

static void normalize_gradient_row(float* result, float* by_scale, float* by_offset, const float* x,
                                   const float* scale, const float* g, float epsilon,
                                   int64_t columns) {
    Standard s = standard_of(x, columns, epsilon);
    auto part = [](const float* p, int64_t i, int64_t some) {
        return some < LANES ? load_some(p + i, some) : load(p + i);
    };
    double count = static_cast<double>(columns);
    double sum = sum_of_terms(
        g, columns, [=](Floats v, int64_t i, int64_t some) { return v * part(scale, i, some); });
    double along = sum_of_terms(g, columns, [=](Floats v, int64_t i, int64_t some) {
        return v * part(scale, i, some) * ((part(x, i, some) - s.mean) * s.factor);
    });
    const Floats mean_of_u = all(static_cast<float>(sum / count));
    const Floats mean_along = all(static_cast<float>(along / count));
    each_vector(columns, [=](auto at) {
        Floats y = (at.get(x) - s.mean) * s.factor, v = at.get(g);
        at.put(by_scale, at.get(by_scale) + v * y);
        at.put(by_offset, at.get(by_offset) + v);
        at.put(result, s.factor * ((v * at.get(scale) - mean_of_u) - y * mean_along));
    });
}

constexpr NormalizeLoops NORMALIZE_LOOPS = {normalize_row, normalize_gradient_row};

}  // namespace ISA
}  // namespace gradtape
