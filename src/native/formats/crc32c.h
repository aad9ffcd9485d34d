// CRC-32C (Castagnoli), the checksum of record files.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gradtape {

uint32_t crc32c(const uint8_t* data, size_t size);

// Returns the checksum as files store it: turned, and with a constant added.
inline uint32_t masked_crc32c(const uint8_t* data, size_t size) {
    uint32_t crc = crc32c(data, size);
    return ((crc >> 15) | (crc << 17)) + 0xA282EAD8u;
}

}  // namespace gradtape
