#include "kernels/conv/direct.h"

#include <algorithm>
#include <vector>

#include "kernels/small_copy.h"
#include "kernels/transpose_block.h"
#include "simd/convolution_vectors.h"

namespace gradtape {
namespace {

// All that is read often should stay in the second cache (numbers), and the second matrix has whole
// vectors in its rows.
constexpr int64_t MAX_NUMBERS = 1 << 16, MAX_INNER = 512, MIN_ROWS = 12;
constexpr int64_t FAR = 32;  // numbers from run to run, or a multiple of it
// Of a transposed matrix, what is packed at a time (numbers), and the rows that lie next to each
// other then: one tile, or two.
constexpr int64_t MAX_PACKED = 36 << 10, GROUP = 12;
// Lines between the groups, which would otherwise meet in the same sets of the first cache.
constexpr int64_t PADDING = 4;

// Returns how many columns of the second matrix are used together.
int64_t tile_columns() { return 2 * convolution_vectors().lanes; }

// Computes a panel of the result, for x in rows: each is a run.
void multiply_rows(float* result, int64_t stride, const Matrix& x, const float* panel, int64_t rows,
                   int64_t inner, bool accumulate) {
    const ConvolutionVectors& loops = convolution_vectors();
    Run run = {0, inner};
    PixelRow row;
    row.source = x.data;
    row.source_step = x.stride;
    row.runs = &run;
    row.run_count = 1;
    row.weights = panel;
    row.weights_step = row.columns = tile_columns();
    row.target = result;
    row.target_step = stride;
    row.pixels = rows;
    row.accumulate = accumulate;
    loops.pixel_row(row, 2);
}

// Does the same for x in columns.
void multiply_columns(float* result, int64_t stride, const Matrix& x, const float* panel,
                      int64_t rows, int64_t inner, bool accumulate) {
    const ConvolutionVectors& loops = convolution_vectors();
    PixelSum sum;
    sum.source = x.data;
    sum.source_step = x.stride;
    sum.offsets = nullptr;
    sum.row_step = 0;
    sum.row_count = 1;
    sum.pixels = inner;
    sum.weights = panel;
    sum.weights_step = sum.columns = tile_columns();
    sum.result = result;
    sum.result_step = stride;
    sum.height = rows;
    sum.accumulate = accumulate;
    loops.pixel_sum(sum, 2);
}

// Asks for numbers that are needed next, while others are multiplied. Runs that follow each other
// may go beyond the end: in a stack, that is the next matrix, and to ask for what is not there does
// no harm.
class Ahead {
  public:
    // All of it in so many goes.
    Ahead(const float* from, int64_t count, int64_t times)
        : at_(from), end_(from + count), step_((count / LINE + times - 1) / times * LINE) {}
    void fetch_some() {
        const float* end = std::min(end_, at_ + step_);
        for (; at_ < end; at_ += LINE) __builtin_prefetch(at_, 0, 2);
    }

  private:
    static constexpr int64_t LINE = 16;
    const float *at_, *end_;
    int64_t step_;
};

// Copies short runs: a call of memcpy for each takes longer than the copy.
template <int FOURS>
inline void copy_fours(const float* from, float* to) {
    Four v[FOURS];
    for (int i = 0; i < FOURS; i++) std::memcpy(&v[i], from + 4 * i, sizeof(Four));
    for (int i = 0; i < FOURS; i++) std::memcpy(to + 4 * i, &v[i], sizeof(Four));
}

// Packs y in panels of `block` columns, each of them row after row without gaps (which would meet
// in the same sets of the first cache).
void pack(const Matrix& y, int64_t columns, int64_t inner, int64_t block, float* to) {
    if (!y.transposed) {
        for (int64_t k = 0; k < inner; k++) {
            const float* ahead = y.data + std::min(k + 8, inner - 1) * y.stride;
            for (int64_t j = 0; j < columns && y.stride > columns; j += 16)
                __builtin_prefetch(ahead + j);
            for (int64_t first = 0; first < columns; first += block)
                copy_short(y.data + k * y.stride + first, block, to + first * inner + k * block);
        }
        return;
    }
    for (int64_t j = 0; j < columns; j += 4) {
        const float* from = y.data + j * y.stride;
        // Rows that are far apart are no stream that a processor would foresee.
        for (int64_t i = 8; i < 12 && y.stride > inner && j + i < columns; i++)
            for (int64_t k = 0; k < inner; k += 16) __builtin_prefetch(from + i * y.stride + k);
        float* panel = to + j / block * block * inner + j % block;
        int64_t k = 0;
        for (; k + 4 <= inner; k += 4) transpose_4x4(from + k, y.stride, panel + k * block, block);
        for (; k < inner; k++)
            for (int64_t i = 0; i < 4; i++) panel[k * block + i] = from[i * y.stride + k];
    }
}

}  // namespace

bool is_direct(const Matrix& x, const Matrix& y, int64_t rows, int64_t columns, int64_t inner) {
    // With narrower vectors, ours are no faster than a BLAS.
    return convolution_vectors().lanes >= 8 && rows >= MIN_ROWS && inner <= MAX_INNER &&
           columns % DIRECT_COLUMNS == 0 && inner * columns <= MAX_NUMBERS &&
           rows * inner <= (x.transposed && inner > 256 ? MAX_NUMBERS / 2 : MAX_NUMBERS) &&
           !(x.transposed && y.transposed);
}

DirectProduct::DirectProduct(Matrix x, Matrix y, int64_t columns, int64_t inner, bool goes_on)
    : x_(x), columns_(columns), inner_(inner) {
    thread_local std::vector<float> rooms[2];
    std::vector<float>& room = rooms[goes_on];
    // Rows that are far from each other meet in the same sets of the first cache.
    is_copied_ = !x.transposed && x.stride > inner && x.stride % FAR == 0 && columns > 2 * FAR;
    int64_t copied = is_copied_ ? DIRECT_ROWS * inner : x.transposed ? MAX_PACKED : 0;
    auto needed = static_cast<size_t>(inner * columns + copied);
    if (room.size() < needed) room.resize(needed);
    panels_ = room.data();
    rows_ = panels_ + inner * columns;
    pack(y, columns, inner, tile_columns(), panels_);
}

void DirectProduct::multiply(float* result, int64_t stride, int64_t begin, int64_t end,
                             bool accumulate) const {
    if (x_.transposed) {
        multiply_transposed(result, stride, begin, end, accumulate);
        return;
    }
    int64_t block = tile_columns();
    for (; begin < end; begin += DIRECT_ROWS, result += DIRECT_ROWS * stride) {
        int64_t count = std::min(DIRECT_ROWS, end - begin);
        Matrix some = {x_.data + begin * x_.stride, x_.stride, false};
        if (is_copied_) {
            for (int64_t i = 0; i < count; i++)
                copy_short(some.data + i * x_.stride, inner_, rows_ + i * inner_);
            some = {rows_, inner_, false};
        }
        Ahead ahead(x_.data + (begin + count) * x_.stride, x_.stride == inner_ ? count * inner_ : 0,
                    columns_ / block);
        for (int64_t first = 0; first < columns_; first += block) {
            ahead.fetch_some();
            multiply_rows(result + first, stride, some, panels_ + first * inner_, count, inner_,
                          accumulate);
        }
    }
}

// The first matrix is read once, line after line, and put into the order of the tiles: so many
// lines at a time as there is room for. Sums go on where they stopped, which changes no bits.
void DirectProduct::multiply_transposed(float* result, int64_t stride, int64_t begin, int64_t end,
                                        bool accumulate) const {
    int64_t block = tile_columns(), rows = end - begin, groups = (rows + GROUP - 1) / GROUP;
    int64_t most = std::max(int64_t(1), MAX_PACKED / (groups * GROUP) - PADDING);
    int64_t pieces = (inner_ + most - 1) / most;
    for (int64_t piece = 0; piece < pieces; piece++) {
        int64_t first_line = inner_ * piece / pieces;
        int64_t lines = inner_ * (piece + 1) / pieces - first_line;
        int64_t step = lines + PADDING;  // from group to group, by the row
        for (int64_t k = 0; k < lines; k++) {
            const float* line = x_.data + (first_line + k) * x_.stride + begin;
            float* to = rows_ + k * GROUP;
            int64_t row = 0;
            for (; row + GROUP <= rows; row += GROUP)
                copy_fours<GROUP / 4>(line + row, to + row * step);
            copy_short(line + row, rows - row, to + row * step);
        }
        Ahead ahead(x_.data + (first_line + lines) * x_.stride,
                    x_.stride == rows ? lines * rows : 0, groups * columns_ / block);
        for (int64_t row = 0; row < rows; row += GROUP)
            for (int64_t first = 0; first < columns_; first += block) {
                ahead.fetch_some();
                multiply_columns(result + row * stride + first, stride,
                                 {rows_ + row * step, GROUP, true},
                                 panels_ + first * inner_ + first_line * block,
                                 std::min(GROUP, rows - row), lines, accumulate || piece > 0);
            }
    }
}

void multiply_directly(float* result, int64_t stride, Matrix x, Matrix y, int64_t rows,
                       int64_t columns, int64_t inner, bool accumulate) {
    DirectProduct(x, y, columns, inner).multiply(result, stride, 0, rows, accumulate);
}

}  // namespace gradtape
