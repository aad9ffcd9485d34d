// The inner loops of pooling, compiled once for each kind of processor.
#pragma once

#include <cstdint>

#include "simd/instruction_set.h"

namespace gradtape {

// One window: the pixels at its taps, in order (`count` of them, with `channels` each).
struct PoolingVectors {
    void (*largest)(float* result, const float* const* taps, int64_t count, int64_t channels);
    void (*sum)(float* result, const float* const* taps, int64_t count, int64_t channels);
    // Adds g to the first tap whose number is y, or to all; [1]: nothing is in the results yet.
    void (*to_first[2])(float* const* results, const float* const* taps, const float* y,
                        const float* g, int64_t count, int64_t channels);
    void (*to_all[2])(float* const* results, const float* g, int64_t count, int64_t channels);
};

DECLARE_LOOPS(PoolingVectors, POOLING_VECTORS, pooling_vectors)

}  // namespace gradtape
