// Winograd's F(2×2, 3×3): results of windows of 3 × 3 pixels come in tiles of 2 × 2. Sixteen
// numbers of each channel, made of the 4 × 4 sources that a tile meets, are multiplied with sixteen
// made of the window, where the windows themselves take 36 products.
#pragma once

#include <algorithm>

#include "kernels/conv/conv.h"
#include "runtime/threads.h"
#include "simd/winograd_vectors.h"

namespace gradtape {

constexpr int POSITIONS = 16;

// The pixels of an image.
struct Plane {
    int64_t rows, columns, channels;
    int64_t size() const { return rows * columns * channels; }
};

// Some tiles of 2 × 2 pixels that lie next to each other, from `tile` of all tiles on.
struct TileRun {
    int64_t image, row, column;  // the first pixel
    int64_t tile, count;
};

// The tiles that cover the planes of all images, one after another.
class Tiles {
  public:
    Tiles(int64_t images, const Plane& plane)
        : images_(images), down_((plane.rows + 1) / 2), across_((plane.columns + 1) / 2) {}

    int64_t total() const { return images_ * down_ * across_; }

    template <class Work>
    void each_run(Part some, Work&& work) const {
        for (int64_t tile = some.begin; tile < some.end;) {
            int64_t row = tile / across_, column = tile % across_;
            int64_t count = std::min(across_ - column, some.end - tile);
            work(TileRun{row / down_, 2 * (row % down_), 2 * column, tile, count});
            tile += count;
        }
    }

  private:
    int64_t images_, down_, across_;
};

// Finds where SIDE × SIDE pixels from this one on lie: at `zeros` outside of the image.
template <int SIDE>
void reach(const float* image, const Plane& plane, int64_t row, int64_t column, const float* zeros,
           const float** pixels) {
    for (int i = 0; i < SIDE; i++) {
        bool inside = row + i >= 0 && row + i < plane.rows;
        const float* from = image + ((row + i) * plane.columns + column) * plane.channels;
        for (int j = 0; j < SIDE; j++) {
            bool is_pixel = inside && column + j >= 0 && column + j < plane.columns;
            pixels[i * SIDE + j] = is_pixel ? from + j * plane.channels : zeros;
        }
    }
}

}  // namespace gradtape
