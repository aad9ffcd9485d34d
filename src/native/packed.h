// Matrices that are multiplied with often, laid out for that.
#pragma once

#include <algorithm>

#include "blas.h"
#include "convolution_vectors.h"
#include "scratch.h"

namespace gradtape {

constexpr int64_t PACKED_PANEL = 16 << 10;  // bytes: they stay in the first cache

// A matrix [rows, columns] in panels of columns, as `pixel_row` reads weights; it is packed once
// and used often.
class Packed {
  public:
    Packed(int64_t rows, int64_t columns)
        : rows_(rows), columns_(columns), loops_(convolution_vectors()), block_(2 * loops_.lanes) {
        // Rows that are used together, of nearly equal numbers.
        int64_t most = PACKED_PANEL / 4 / block_, pieces = (rows + most - 1) / most;
        stretch_ = (rows + pieces - 1) / pieces;
    }

    int64_t size() const { return rounded_up(rows_ * rounded_up(columns_, loops_.lanes), 16); }

    void pack(Matrix m, float* to) {
        packed_ = to;
        int64_t along = m.transposed ? 1 : m.stride, across = m.transposed ? m.stride : 1;
        for (int64_t first = 0; first < columns_; first += block_) {
            int64_t columns = std::min(block_, columns_ - first);
            int64_t width = width_of(first);
            for (int64_t i = 0; i < rows_; i++, to += width) {
                const float* from = m.data + i * along + first * across;
                if (across == 1) std::copy_n(from, columns, to);
                else for (int64_t j = 0; j < columns; j++) to[j] = from[j * across];
                std::fill(to + columns, to + width, 0.0f);
            }
        }
    }

    // target [count, columns] (+)= source [count, rows] · this
    void multiply(const float* source, int64_t source_step, float* target, int64_t target_step,
                  int64_t count, bool accumulate) const {
        multiply(source, source_step, target, target_step, count, accumulate, rows_, columns_);
    }
    // The same with the first rows and columns alone.
    void multiply(const float* source, int64_t source_step, float* target, int64_t target_step,
                  int64_t count, bool accumulate, int64_t rows, int64_t columns) const {
        PixelRow row;
        row.source_step = source_step;
        row.target_step = target_step;
        row.pixels = count;
        row.run_count = 1;
        for (int64_t first = 0; first < columns; first += block_) {
            row.columns = std::min(block_, columns - first);
            int64_t width = row.weights_step = width_of(first);
            for (int64_t begin = 0; begin < rows; begin += stretch_) {
                Run run = {begin, std::min(stretch_, rows - begin)};
                row.runs = &run;
                row.source = source;
                row.weights = packed_ + first * rows_ + begin * width;
                row.target = target + first;
                row.accumulate = accumulate || begin > 0;
                loops_.pixel_row(row, static_cast<int>(width / loops_.lanes));
            }
        }
    }

  private:
    // Of the panel that begins with this column.
    int64_t width_of(int64_t first) const {
        return rounded_up(std::min(block_, columns_ - first), loops_.lanes);
    }

    int64_t rows_, columns_;
    const ConvolutionVectors& loops_;
    int64_t block_, stretch_;
    const float* packed_ = nullptr;
};

}  // namespace gradtape
