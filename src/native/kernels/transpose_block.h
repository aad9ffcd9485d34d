// Small blocks of a matrix, transposed in registers.
#pragma once

#include <cstdint>
#include <cstring>

namespace gradtape {

typedef float Four __attribute__((vector_size(16)));
#if defined(__clang__)
#define MIXED(a, b, i, j, k, l) __builtin_shufflevector(a, b, i, j, k, l)
#else
typedef int32_t FourIndices __attribute__((vector_size(16)));
#define MIXED(a, b, i, j, k, l) __builtin_shuffle(a, b, FourIndices{i, j, k, l})
#endif

// Writes four rows of four numbers as columns.
inline void transpose_4x4(const float* from, int64_t step, float* to, int64_t to_step) {
    Four a, b, c, d;
    std::memcpy(&a, from, sizeof a);
    std::memcpy(&b, from + step, sizeof b);
    std::memcpy(&c, from + 2 * step, sizeof c);
    std::memcpy(&d, from + 3 * step, sizeof d);
    Four low = MIXED(a, b, 0, 4, 1, 5), high = MIXED(a, b, 2, 6, 3, 7);
    Four low_2 = MIXED(c, d, 0, 4, 1, 5), high_2 = MIXED(c, d, 2, 6, 3, 7);
    const Four columns[] = {MIXED(low, low_2, 0, 1, 4, 5), MIXED(low, low_2, 2, 3, 6, 7),
                            MIXED(high, high_2, 0, 1, 4, 5), MIXED(high, high_2, 2, 3, 6, 7)};
    for (int i = 0; i < 4; i++) std::memcpy(to + i * to_step, &columns[i], sizeof(Four));
}
#undef MIXED

}  // namespace gradtape
