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

// The same for bytes, however many.
inline void copy_bytes(const char* from, int64_t count, char* to) {
    if (count == 8) {
        std::memcpy(to, from, 8);
    } else if (count == 4) {
        std::memcpy(to, from, 4);
    } else if (count < 16 || count > 256) {
        std::memcpy(to, from, static_cast<size_t>(count));
    } else {
        for (int64_t i = 0; i + 16 < count; i += 16) std::memcpy(to + i, from + i, 16);
        std::memcpy(to + count - 16, from + count - 16, 16);
    }
}

}  // namespace gradtape
