// CRC-32C by the processor's instruction where it has one, else by tables, eight bytes at a time.
#include "formats/crc32c.h"

#include <array>
#include <cstring>

namespace gradtape {
namespace {

using Tables = std::array<std::array<uint32_t, 256>, 8>;

// tables[k][b]: the effect of the byte b on an empty register, with k zero bytes after it.
constexpr Tables make_tables() {
    Tables tables{};
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint32_t value = byte;
        for (int bit = 0; bit < 8; bit++) value = (value >> 1) ^ (value & 1 ? 0x82F63B78u : 0);
        tables[0][byte] = value;
    }
    for (size_t k = 1; k < 8; k++)
        for (size_t byte = 0; byte < 256; byte++) {
            uint32_t before = tables[k - 1][byte];
            tables[k][byte] = tables[0][before & 0xFF] ^ (before >> 8);
        }
    return tables;
}

constexpr Tables TABLES = make_tables();

uint64_t load(const uint8_t* data) {
    uint64_t word = 0;
    for (size_t i = 0; i < 8; i++) word |= static_cast<uint64_t>(data[i]) << (8 * i);
    return word;
}

uint32_t by_tables(uint32_t crc, const uint8_t* data, size_t size) {
    for (; size >= 8; data += 8, size -= 8) {
        uint64_t word = load(data) ^ crc;
        crc = 0;
        for (size_t i = 0; i < 8; i++) crc ^= TABLES[7 - i][(word >> (8 * i)) & 0xFF];
    }
    for (; size; data++, size--) crc = TABLES[0][(crc ^ *data) & 0xFF] ^ (crc >> 8);
    return crc;
}

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) uint32_t by_instruction(uint32_t crc, const uint8_t* data,
                                                          size_t size) {
    uint64_t wide = crc;
    for (; size >= 8; data += 8, size -= 8) {
        uint64_t word;
        std::memcpy(&word, data, 8);
        wide = __builtin_ia32_crc32di(wide, word);
    }
    crc = static_cast<uint32_t>(wide);
    for (; size; data++, size--) crc = __builtin_ia32_crc32qi(crc, *data);
    return crc;
}

using Update = uint32_t (*)(uint32_t, const uint8_t*, size_t);
const Update update = __builtin_cpu_supports("sse4.2") ? by_instruction : by_tables;
#else
constexpr auto update = by_tables;
#endif

}  // namespace

uint32_t crc32c(const uint8_t* data, size_t size) { return ~update(~0u, data, size); }

}  // namespace gradtape
