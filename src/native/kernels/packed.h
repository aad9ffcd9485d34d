// Matrices that are multiplied with often, laid out for that.
#pragma once

#include <algorithm>

#include "kernels/small_copy.h"
#include "kernels/transpose_block.h"
#include "runtime/blas.h"
#include "runtime/scratch.h"
#include "runtime/threads.h"
#include "simd/convolution_vectors.h"

namespace gradtape {

// Bytes of a panel that are used together. Tiles read them from the second cache; shorter ones
// would fit the first, but sums would go to memory and back more often.
constexpr int64_t PACKED_PANEL = 32 << 10;

// A matrix [rows, columns] in panels of columns, as `pixel_row` reads weights; it is packed once
// and used often. Every number of a product is summed in the order of the rows, wherever it is
// divided.
class Packed {
  public:
    Packed(int64_t rows, int64_t columns)
        : rows_(rows), columns_(columns), loops_(convolution_vectors()), block_(2 * loops_.lanes) {}

    int64_t size() const { return rounded_up(rows_ * rounded_up(columns_, loops_.lanes), 16); }
    int64_t panels() const { return (columns_ + block_ - 1) / block_; }

    void pack(Matrix m, float* to) {
        set_memory(to);
        pack(m, {0, rows_}, {0, panels()});
    }
    // Does the same in parts: first its memory, then some rows (all of m) of some panels.
    void set_memory(float* to) { packed_ = to; }
    void pack(Matrix m, Part rows, Part panels) {
        for (int64_t panel = panels.begin; panel < panels.end; panel++) {
            int64_t first = panel * block_, width = width_of(first);
            int64_t columns = std::min(block_, columns_ - first), count = rows.end - rows.begin;
            float* to = packed_ + first * rows_ + rows.begin * width;
            if (m.transposed) {
                pack_transposed(m.data + first * m.stride, m.stride, count, columns, to, width);
            } else {
                for (int64_t i = 0; i < count; i++)
                    copy_short(m.data + i * m.stride + first, columns, to + i * width);
            }
            for (int64_t i = 0; i < count && columns < width; i++)
                std::fill(to + i * width + columns, to + (i + 1) * width, 0.0f);
        }
    }

    // Computes target [count, columns] (+)= source [count, rows] · this
    void multiply(const float* source, int64_t source_step, float* target, int64_t target_step,
                  int64_t count, bool accumulate) const {
        multiply(source, source_step, target, target_step, count, accumulate, rows_, columns_);
    }
    // Does the same with the first rows and columns alone.
    void multiply(const float* source, int64_t source_step, float* target, int64_t target_step,
                  int64_t count, bool accumulate, int64_t rows, int64_t columns) const {
        multiply(source, source_step, target, target_step, count, accumulate, Part{0, rows},
                 columns);
    }
    // Does the same with some rows, which `source` begins with, and the first columns.
    void multiply(const float* source, int64_t source_step, float* target, int64_t target_step,
                  int64_t count, bool accumulate, Part rows, int64_t columns) const {
        PixelRow row;
        row.source_step = source_step;
        row.target_step = target_step;
        row.pixels = count;
        row.run_count = 1;
        int64_t all = rows.end - rows.begin, most = PACKED_PANEL / 4 / block_;
        int64_t pieces = (all + most - 1) / most;  // of nearly equal sizes
        for (int64_t first = 0; first < columns; first += block_) {
            row.columns = std::min(block_, columns - first);
            int64_t width = row.weights_step = width_of(first);
            for (int64_t i = 0; i < pieces; i++) {
                int64_t begin = all * i / pieces;
                Run run = {begin, all * (i + 1) / pieces - begin};
                row.runs = &run;
                row.source = source;
                row.weights = packed_ + first * rows_ + (rows.begin + begin) * width;
                row.target = target + first;
                row.accumulate = accumulate || i > 0;
                loops_.pixel_row(row, static_cast<int>(width / loops_.lanes));
            }
        }
    }

  private:
    // Returns the width of the panel that begins with this column.
    int64_t width_of(int64_t first) const {
        return rounded_up(std::min(block_, columns_ - first), loops_.lanes);
    }

    // Columns that lie as rows, `stride` apart.
    static void pack_transposed(const float* from, int64_t stride, int64_t count, int64_t columns,
                                float* to, int64_t width) {
        int64_t j = 0;
        for (; j + 4 <= columns; j += 4, from += 4 * stride) {
            int64_t i = 0;
            for (; i + 4 <= count; i += 4)
                transpose_4x4(from + i, stride, to + i * width + j, width);
            for (; i < count; i++)
                for (int64_t k = 0; k < 4; k++) to[i * width + j + k] = from[k * stride + i];
        }
        for (; j < columns; j++, from += stride)
            for (int64_t i = 0; i < count; i++) to[i * width + j] = from[i];
    }

    int64_t rows_, columns_;
    const ConvolutionVectors& loops_;
    int64_t block_;
    float* packed_ = nullptr;
};

}  // namespace gradtape
