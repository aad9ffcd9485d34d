// Products of float32 and float64 matrices, by the BLAS that NumPy brought with it.
#pragma once

#include <cstdint>

namespace gradtape {

// Finds the routines in a library that NumPy has loaded; false where it has not got them.
bool use_blas(const char* path);
bool has_blas();

// A matrix in memory: `stride` from row to row, or, if transposed, from column to column.
template <class Number>
struct MatrixOf {
    const Number* data;
    int64_t stride;
    bool transposed;
};
using Matrix = MatrixOf<float>;

// Computes result (rows × columns, rows `stride` apart) = x (rows × inner) · y (inner × columns),
// with `accumulate` added to what is there. Rows or columns of the result are divided between the
// threads of our pool and each part is one call of a BLAS that is set to use one thread: its own
// threads would keep the cores busy after the product, while ours wait for them.
template <class Number>
void multiply(Number* result, int64_t stride, MatrixOf<Number> x, MatrixOf<Number> y, int64_t rows,
              int64_t columns, int64_t inner, bool accumulate = false);

// Does the same on the calling thread alone, for kernels that are divided already. Only between
// `OneBlasThread`'s beginning and end.
template <class Number>
void multiply_here(Number* result, int64_t stride, MatrixOf<Number> x, MatrixOf<Number> y,
                   int64_t rows, int64_t columns, int64_t inner, bool accumulate = false);

// Solves a · x = b, where a is triangular and b, which becomes x, has `columns` in rows one after
// the other: on the calling thread, between `OneBlasThread`'s beginning and end. Only the triangle
// is read.
template <class Number>
void solve_triangular(MatrixOf<Number> a, bool lower, Number* b, int64_t size, int64_t columns);

class OneBlasThread {
  public:
    OneBlasThread();
    ~OneBlasThread();
    OneBlasThread(const OneBlasThread&) = delete;
    OneBlasThread& operator=(const OneBlasThread&) = delete;

  private:
    int before_;
};

// Returns about how long a product takes on one core, in nanoseconds.
template <class Number = float>
double product_time(int64_t rows, int64_t columns, int64_t inner) {
    return 5e-3 * sizeof(Number) * static_cast<double>(rows) * static_cast<double>(columns) *
           static_cast<double>(inner);
}

}  // namespace gradtape
