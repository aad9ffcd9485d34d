// The inner loops of attention, compiled once for each kind of processor.
#pragma once

#include <cstdint>

#include "simd/instruction_set.h"

namespace gradtape {

// A bias at most this low stands for "nothing to attend to": it replaces the score.
constexpr float MASKED_FROM = -1e38f;

// One row of scores: a query's with `count` keys. `bias` may be null.
struct AttentionVectors {
    // scores = exp(scale * scores + bias - their largest). The sum of those, and the largest.
    float (*weigh)(float* scores, const float* bias, float scale, int64_t count, float* largest);
    // scores = exp(scale * scores + bias - shift)
    void (*weigh_again)(float* scores, const float* bias, float scale, float shift, int64_t count);
    // result = weights * (result - mean) * scale, 0 where masked
    void (*score_gradient)(float* result, const float* weights, const float* bias, float mean,
                           float scale, int64_t count);
    float (*dot)(const float* x, const float* y, int64_t count);
    void (*scale)(float* x, float factor, int64_t count);
};

DECLARE_LOOPS(AttentionVectors, ATTENTION_VECTORS, attention_vectors)

}  // namespace gradtape
