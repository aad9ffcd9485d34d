// Sums over many rows, result[i][j] = Σ x[row][i] y[row][j]: what all steps of a sequence give to
// a weight. Both matrices are laid out as tiles read them, row by row as they come up, so that
// nothing is left to be copied before the sum.
#pragma once

#include <algorithm>

#include "kernels/small_copy.h"
#include "runtime/scratch.h"
#include "runtime/threads.h"
#include "simd/convolution_vectors.h"

namespace gradtape {

// After every group or panel, so that their rows do not meet in the same sets of the caches.
constexpr int64_t SUMMED_GAP = 16;

// The first matrix: its columns in groups as high as a tile, or one less (so that none is much
// lower than the others).
class SummedLeft {
  public:
    SummedLeft(int64_t rows, int64_t columns) : rows_(rows) {
        int64_t most = convolution_vectors().tallest;
        groups_ = (columns + most - 1) / most;
        high_ = (columns + groups_ - 1) / groups_;
        all_high_ = columns - groups_ * (high_ - 1);
        size_ = rounded_up(rows * columns + groups_ * SUMMED_GAP, 16);
    }

    int64_t size() const { return size_; }
    void set_memory(float* to) { data_ = to; }
    int64_t groups() const { return groups_; }
    Part group(int64_t i) const {
        int64_t begin = i * high_ - (i > all_high_ ? i - all_high_ : 0);
        return {begin, begin + (i < all_high_ ? high_ : high_ - 1)};
    }
    float* at(int64_t i, int64_t row) const {
        Part own = group(i);
        return data_ + own.begin * rows_ + i * SUMMED_GAP + row * (own.end - own.begin);
    }
    // Puts some rows, from `from`, `step` apart: few at a time, which may lie in the same sets of
    // the first cache.
    void put(int64_t row, int64_t count, const float* from, int64_t step) {
        constexpr int64_t FEW = 4;
        for (int64_t begin = 0; begin < count; begin += FEW) {
            int64_t end = std::min(begin + FEW, count);
            for (int64_t i = 0; i < groups_; i++) {
                Part own = group(i);
                int64_t high = own.end - own.begin;
                float* to = at(i, row);
                for (int64_t r = begin; r < end; r++)
                    copy_short(from + r * step + own.begin, high, to + r * high);
            }
        }
    }

  private:
    int64_t rows_, groups_, high_, all_high_, size_;  // all_high_: how many groups are high
    float* data_ = nullptr;
};

// The second one: its columns in panels as wide as a tile.
class SummedRight {
  public:
    SummedRight(int64_t rows, int64_t columns)
        : rows_(rows), columns_(columns), loops_(convolution_vectors()), block_(2 * loops_.lanes),
          panels_((columns + block_ - 1) / block_) {}

    int64_t size() const { return rounded_up(start_of(panels()), 16); }
    void set_memory(float* to) { data_ = to; }
    int64_t panels() const { return panels_; }
    // Puts some rows, from `from`, `step` apart.
    void put(int64_t row, int64_t count, const float* from, int64_t step) {
        for (int64_t panel = 0; panel < panels_; panel++) {
            int64_t first = panel * block_;
            int64_t columns = std::min(block_, columns_ - first), width = width_of(first);
            float* to = data_ + start_of(panel) + row * width;
            for (int64_t r = 0; r < count; r++, to += width) {
                copy_short(from + r * step + first, columns, to);
                for (int64_t j = columns; j < width; j++) to[j] = 0;
            }
        }
    }

    // Computes the columns of the result, `stride` from row to row, that one panel gives.
    void add_up(const SummedLeft& x, int64_t panel, float* result, int64_t stride) const {
        in_pieces(panel, stride, [&](PixelSum& sum, int64_t begin, int vectors) {
            for (int64_t i = 0; i < x.groups(); i++) {
                Part group = x.group(i);
                sum.source = x.at(i, begin);
                sum.source_step = sum.height = group.end - group.begin;
                sum.result = result + group.begin * stride + panel * block_;
                loops_.pixel_sum(sum, vectors);
            }
        });
    }
    // Does the same where x is a column of ones.
    void add_up_rows(int64_t panel, float* result) const {
        static const float one = 1;
        in_pieces(panel, 0, [&](PixelSum& sum, int64_t, int vectors) {
            sum.source = &one;
            sum.source_step = 0;
            sum.height = 1;
            sum.result = result + panel * block_;
            loops_.pixel_sum(sum, vectors);
        });
    }

  private:
    // Rows whose part of a panel stays in the second cache.
    static constexpr int64_t PIECE = 2048;

    int64_t start_of(int64_t panel) const { return panel * (block_ * rows_ + SUMMED_GAP); }
    int64_t width_of(int64_t first) const {
        return rounded_up(std::min(block_, columns_ - first), loops_.lanes);
    }

    template <class Add>
    void in_pieces(int64_t panel, int64_t stride, Add&& add) const {
        int64_t first = panel * block_, width = width_of(first);
        PixelSum sum;
        sum.offsets = nullptr;
        sum.row_step = 0;
        sum.row_count = 1;
        sum.weights_step = width;
        sum.columns = std::min(block_, columns_ - first);
        sum.result_step = stride;
        for (int64_t begin = 0; begin < rows_; begin += PIECE) {
            sum.pixels = std::min(PIECE, rows_ - begin);
            sum.weights = data_ + start_of(panel) + begin * width;
            sum.accumulate = begin > 0;
            add(sum, begin, static_cast<int>(width / loops_.lanes));
        }
    }

    int64_t rows_, columns_;
    const ConvolutionVectors& loops_;
    int64_t block_, panels_;
    float* data_ = nullptr;
};

}  // namespace gradtape
