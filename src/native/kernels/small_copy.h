// Copies of a few numbers.
#pragma once

#include <cstdint>
#include <cstring>

namespace gradtape {

// Copies a short run of numbers; calls of the library take longer.
inline void copy_short(const float* from, int64_t count, float* to) {
    if (count < 4) {
        for (int64_t i = 0; i < count; i++) to[i] = from[i];
        return;
    }
    for (int64_t i = 0; i + 4 < count; i += 4) std::memcpy(to + i, from + i, 16);
    std::memcpy(to + count - 4, from + count - 4, 16);
}

}  // namespace gradtape
