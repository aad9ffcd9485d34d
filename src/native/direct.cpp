#include "direct.h"

#include <algorithm>
#include <vector>

#include "convolution_vectors.h"
#include "short.h"
#include "turn.h"

namespace gradtape {
namespace {

// All that is read often should stay in the second cache (numbers), and the second matrix has whole
// vectors in its rows.
constexpr int64_t MOST_NUMBERS = 1 << 16, MOST_INNER = 512, FEWEST_ROWS = 12;
constexpr int64_t ROW_BLOCK = 48;  // rows that meet all columns before the next ones do

// The columns of the second matrix that are used together.
int64_t block_columns() { return 2 * convolution_vectors().lanes; }

// A panel of the result, for x in rows: each is a run.
void multiply_rows(float* result, int64_t stride, const Matrix& x, const float* panel,
                   int64_t rows, int64_t inner, bool accumulate) {
    const ConvolutionVectors& loops = convolution_vectors();
    Run run = {0, inner};
    PixelRow row;
    row.source = x.data;
    row.source_step = x.stride;
    row.runs = &run;
    row.run_count = 1;
    row.weights = panel;
    row.weights_step = row.columns = block_columns();
    row.target = result;
    row.target_step = stride;
    row.pixels = rows;
    row.accumulate = accumulate;
    loops.pixel_row(row, 2);
}

// The same for x in columns.
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
    sum.weights_step = sum.columns = block_columns();
    sum.result = result;
    sum.result_step = stride;
    sum.height = rows;
    sum.accumulate = accumulate;
    loops.pixel_sum(sum, 2);
}

// y in panels of `block` columns, each of them row after row without gaps (which would meet in the
// same places of the first cache).
void pack(const Matrix& y, int64_t columns, int64_t inner, int64_t block, float* to) {
    if (!y.transposed) {
        for (int64_t k = 0; k < inner; k++)
            for (int64_t first = 0; first < columns; first += block)
                copy_short(y.data + k * y.stride + first, block, to + first * inner + k * block);
        return;
    }
    for (int64_t j = 0; j < columns; j += 4) {
        const float* from = y.data + j * y.stride;
        float* panel = to + j / block * block * inner + j % block;
        int64_t k = 0;
        for (; k + 4 <= inner; k += 4) turn(from + k, y.stride, panel + k * block, block);
        for (; k < inner; k++)
            for (int64_t i = 0; i < 4; i++) panel[k * block + i] = from[i * y.stride + k];
    }
}

}  // namespace

bool is_direct(const Matrix& x, const Matrix& y, int64_t rows, int64_t columns, int64_t inner) {
    // With narrower vectors, ours are no quicker than a BLAS.
    return convolution_vectors().lanes >= 8 && rows >= FEWEST_ROWS && inner <= MOST_INNER &&
           columns % DIRECT_COLUMNS == 0 && inner * columns <= MOST_NUMBERS &&
           rows * inner <= (x.transposed ? MOST_NUMBERS / 2 : MOST_NUMBERS) &&
           !(x.transposed && y.transposed);
}

void multiply_directly(float* result, int64_t stride, Matrix x, Matrix y, int64_t rows,
                       int64_t columns, int64_t inner, bool accumulate) {
    int64_t block = block_columns();
    thread_local std::vector<float> room;
    auto needed = static_cast<size_t>(inner * (columns + (x.transposed ? ROW_BLOCK : 0)));
    if (room.size() < needed) room.resize(needed);
    pack(y, columns, inner, block, room.data());
    for (int64_t begin = 0; begin < rows; begin += ROW_BLOCK) {
        int64_t count = std::min(ROW_BLOCK, rows - begin);
        Matrix some = x;
        some.data += x.transposed ? begin : begin * x.stride;
        if (x.transposed) {
            float* copied = room.data() + inner * columns;
            for (int64_t k = 0; k < inner; k++)
                std::copy_n(some.data + k * x.stride, count, copied + k * count);
            some = {copied, count, true};
        }
        for (int64_t first = 0; first < columns; first += block)
            (x.transposed ? multiply_columns : multiply_rows)(
                result + begin * stride + first, stride, some, room.data() + first * inner, count,
                inner, accumulate);
    }
}

}  // namespace gradtape
