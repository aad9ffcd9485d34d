// Products of small float32 matrices, the first of which is read where it lies. A BLAS copies both
// into an order of its own, which takes a good part of the time where they are small.
#pragma once

#include "runtime/blas.h"

namespace gradtape {

// Columns come in multiples of this: so many fill the tiles of every processor.
constexpr int64_t DIRECT_COLUMNS = 32;

// Returns whether a product is one of those. It depends on shapes and layouts alone, never on
// threads.
bool is_direct(const Matrix& x, const Matrix& y, int64_t rows, int64_t columns, int64_t inner);

// The columns of the second matrix in the order of the tiles. The room is kept by the thread, which
// has two: for a product, and for one that goes on with its rows.
class DirectProduct {
  public:
    DirectProduct(Matrix x, Matrix y, int64_t columns, int64_t inner, bool goes_on = false);

    // Computes some rows of the product. Every number is summed in the order of `inner`, so results
    // do not depend on how rows or columns were divided.
    void multiply(float* result, int64_t stride, int64_t begin, int64_t end, bool accumulate) const;

  private:
    void multiply_transposed(float* result, int64_t stride, int64_t begin, int64_t end,
                             bool accumulate) const;

    Matrix x_;
    int64_t columns_, inner_;
    bool is_copied_;
    float *panels_, *rows_;
};

// Rows that meet all columns before the next ones do: best multiplied together.
constexpr int64_t DIRECT_ROWS = 48;

// Does the same as `multiply_here`, for these.
void multiply_directly(float* result, int64_t stride, Matrix x, Matrix y, int64_t rows,
                       int64_t columns, int64_t inner, bool accumulate);

}  // namespace gradtape
