// The loops behind the table `PoolingVectors`, for one instruction set: see simd.h.
#pragma once

#include "simd/pooling_vectors.h"
#include "simd/simd.h"

namespace gradtape {
namespace ISA {

inline void pool_largest(float* result, const float* const* taps, int64_t count, int64_t channels) {
    each_vector(channels, [=](auto at) {
        Floats most = at.get(taps[0]);
        for (int64_t p = 1; p < count; p++) most = largest(most, at.get(taps[p]));
        at.put(result, most);
    });
}

inline void pool_sum(float* result, const float* const* taps, int64_t count, int64_t channels) {
    each_vector(channels, [=](auto at) {
        Floats sum = at.get(taps[0]);
        for (int64_t p = 1; p < count; p++) sum += at.get(taps[p]);
        at.put(result, sum);
    });
}

// Puts a share where nothing is yet, or adds it (to a zero too, which has no sign).
template <bool FRESH, class Tap>
ALWAYS_INLINE void pool_share(float* result, Tap at, Floats share) {
    at.put(result, (FRESH ? Floats{} : at.get(result)) + share);
}

template <bool FRESH>
void pool_to_first(float* const* results, const float* const* taps, const float* y, const float* g,
                   int64_t count, int64_t channels) {
    each_vector(channels, [=](auto at) {
        Floats most = at.get(y), gradient = at.get(g);
        Ints free = ~Ints{};
        for (int64_t p = 0; p < count; p++) {
            Ints hit = (at.get(taps[p]) == most) & free;
            free &= ~hit;
            pool_share<FRESH>(results[p], at, choose(hit, gradient, Floats{}));
        }
    });
}

template <bool FRESH>
void pool_to_all(float* const* results, const float* g, int64_t count, int64_t channels) {
    each_vector(channels, [=](auto at) {
        Floats gradient = at.get(g);
        for (int64_t p = 0; p < count; p++) pool_share<FRESH>(results[p], at, gradient);
    });
}

extern const PoolingVectors POOLING_VECTORS = {
    pool_largest,
    pool_sum,
    {pool_to_first<false>, pool_to_first<true>},
    {pool_to_all<false>, pool_to_all<true>},
};

}  // namespace ISA
}  // namespace gradtape
