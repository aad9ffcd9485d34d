// The inner loops of pooling, compiled once for each kind of processor.
#pragma once

#include <cstdint>

namespace gradtape {

// One window: the pixels at its places, in order (`count` of them, with `channels` each).
struct PoolingVectors {
    void (*largest)(float* result, const float* const* places, int64_t count, int64_t channels);
    void (*sum)(float* result, const float* const* places, int64_t count, int64_t channels);
    // Adds g to the first place whose number is y, or to all; [1]: nothing is in the results yet.
    void (*to_first[2])(float* const* results, const float* const* places, const float* y,
                        const float* g, int64_t count, int64_t channels);
    void (*to_all[2])(float* const* results, const float* g, int64_t count, int64_t channels);
};

// For the instruction set of `vectors()`.
const PoolingVectors& pooling_vectors();

namespace avx512 { extern const PoolingVectors POOLING_VECTORS; }
namespace avx2 { extern const PoolingVectors POOLING_VECTORS; }
namespace portable { extern const PoolingVectors POOLING_VECTORS; }

}  // namespace gradtape
