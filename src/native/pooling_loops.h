// The loops behind the table `PoolingVectors`, for one instruction set: see simd.h.
#pragma once

#include "pooling_vectors.h"
#include "simd.h"

namespace gradtape {
namespace ISA {

inline void pool_largest(float* result, const float* const* places, int64_t count,
                         int64_t channels) {
    each_vector(channels, [=](auto at) {
        Floats most = at.get(places[0]);
        for (int64_t p = 1; p < count; p++) most = largest(most, at.get(places[p]));
        at.put(result, most);
    });
}

inline void pool_sum(float* result, const float* const* places, int64_t count, int64_t channels) {
    each_vector(channels, [=](auto at) {
        Floats sum = at.get(places[0]);
        for (int64_t p = 1; p < count; p++) sum += at.get(places[p]);
        at.put(result, sum);
    });
}

// A share goes where nothing is yet, or is added (to a zero too, which has no sign).
template <bool FRESH, class Place>
ALWAYS_INLINE void pool_share(float* result, Place at, Floats share) {
    at.put(result, (FRESH ? Floats{} : at.get(result)) + share);
}

template <bool FRESH>
void pool_to_first(float* const* results, const float* const* places, const float* y,
                   const float* g, int64_t count, int64_t channels) {
    each_vector(channels, [=](auto at) {
        Floats most = at.get(y), gradient = at.get(g);
        Ints free = ~Ints{};
        for (int64_t p = 0; p < count; p++) {
            Ints hit = (at.get(places[p]) == most) & free;
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
