// The loops of Winograd's convolutions, compiled once for each kind of processor.
#pragma once

#include <cstdint>

#include "simd/instruction_set.h"

namespace gradtape {

// One panel of products that become results: `products` [16 positions, tiles, columns] of tiles
// that lie next to each other in an image.
struct WinogradResults {
    const float* products;
    int64_t position_step, tile_step;  // rows of products are readable to a whole vector
    float* target;                     // of the first tile
    int64_t pixel_step, row_step;
    int64_t tiles, columns;
    bool whole_right, whole_below;  // the last tile, and all of them, have both pixels
};

struct WinogradVectors {
    // G g Gᵀ of the weights g [3, 3]: position p of 16 goes to `to` + p * step, in whole vectors.
    void (*weights)(const float* const* window, int64_t columns, float* to, int64_t step);
    // Bᵀ d B of the pixels d [4, 4] of a tile.
    void (*sources)(const float* const* pixels, int64_t channels, float* to, int64_t step);
    // A d Aᵀ of the pixels d [2, 2] of a tile.
    void (*gradients)(const float* const* pixels, int64_t channels, float* to, int64_t step);
    // Aᵀ m A of the products. Whether all results are finite.
    bool (*results)(const WinogradResults&);
};

DECLARE_LOOPS(WinogradVectors, WINOGRAD_VECTORS, winograd_vectors)

}  // namespace gradtape
