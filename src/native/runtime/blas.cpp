#include "runtime/blas.h"

#include "kernels/conv/direct.h"
#include "runtime/few_products.h"
#include "runtime/threads.h"

#if defined(__unix__) || defined(__APPLE__)
#include <dlfcn.h>
#endif

namespace gradtape {
namespace {

constexpr int ROW_MAJOR = 101, AS_IT_IS = 111, TRANSPOSED = 112;
constexpr int UPPER = 121, LOWER = 122, NOT_UNIT = 131, FROM_LEFT = 141;
// NumPy's wheels bring an OpenBLAS with 64-bit sizes, whose names say so.
template <class Number>
using Gemm = void (*)(int, int, int, int64_t, int64_t, int64_t, Number, const Number*, int64_t,
                      const Number*, int64_t, Number, Number*, int64_t);
template <class Number>
Gemm<Number> gemm = nullptr;
template <class Number>
using Gemv = void (*)(int, int, int64_t, int64_t, Number, const Number*, int64_t, const Number*,
                      int64_t, Number, Number*, int64_t);
template <class Number>
Gemv<Number> gemv = nullptr;
template <class Number>
using Trsm = void (*)(int, int, int, int, int, int64_t, int64_t, Number, const Number*, int64_t,
                      Number*, int64_t);
template <class Number>
Trsm<Number> trsm = nullptr;
void (*set_threads)(int) = nullptr;
int (*get_threads)() = nullptr;

}  // namespace

bool use_blas(const char* path) {
#if defined(__unix__) || defined(__APPLE__)
    void* library = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
    if (!library) return false;
    auto float_gemm = reinterpret_cast<Gemm<float>>(dlsym(library, "scipy_cblas_sgemm64_"));
    auto double_gemm = reinterpret_cast<Gemm<double>>(dlsym(library, "scipy_cblas_dgemm64_"));
    auto float_gemv = reinterpret_cast<Gemv<float>>(dlsym(library, "scipy_cblas_sgemv64_"));
    auto double_gemv = reinterpret_cast<Gemv<double>>(dlsym(library, "scipy_cblas_dgemv64_"));
    auto float_trsm = reinterpret_cast<Trsm<float>>(dlsym(library, "scipy_cblas_strsm64_"));
    auto double_trsm = reinterpret_cast<Trsm<double>>(dlsym(library, "scipy_cblas_dtrsm64_"));
    set_threads = reinterpret_cast<void (*)(int)>(
        dlsym(library, "scipy_openblas_set_num_threads64_"));
    get_threads = reinterpret_cast<int (*)()>(dlsym(library, "scipy_openblas_get_num_threads64_"));
    if (float_gemm && double_gemm && float_gemv && double_gemv && float_trsm && double_trsm &&
        set_threads && get_threads) {
        trsm<float> = float_trsm;
        trsm<double> = double_trsm;
        gemm<float> = float_gemm;
        gemm<double> = double_gemm;
        gemv<float> = float_gemv;
        gemv<double> = double_gemv;
    }
#endif
    return has_blas();
}

bool has_blas() { return gemm<float> != nullptr; }

template <class Number>
void solve_triangular(MatrixOf<Number> a, bool lower, Number* b, int64_t size, int64_t columns) {
    // Of a transposed matrix, the library is told which triangle lies in memory.
    trsm<Number>(ROW_MAJOR, FROM_LEFT, lower != a.transposed ? LOWER : UPPER,
                 a.transposed ? TRANSPOSED : AS_IT_IS, NOT_UNIT, size, columns, 1, a.data, a.stride,
                 b, columns);
}
template void solve_triangular(MatrixOf<float>, bool, float*, int64_t, int64_t);
template void solve_triangular(MatrixOf<double>, bool, double*, int64_t, int64_t);

OneBlasThread::OneBlasThread() : before_(get_threads()) {
    if (before_ != 1) set_threads(1);
}
OneBlasThread::~OneBlasThread() {
    if (before_ != 1) set_threads(before_);
}

namespace {

// Multiplies a matrix by a vector, whose numbers are `step` apart.
template <class Number>
void add_vector(Number* result, int64_t stride, MatrixOf<Number> x, int64_t rows, int64_t inner,
                const Number* vector, int64_t step, bool accumulate) {
    // Not left to the library, some versions of which multiply what lies there by zero.
    if (!accumulate)
        for (int64_t i = 0; i < rows; i++) result[i * stride] = 0;
    gemv<Number>(ROW_MAJOR, x.transposed ? TRANSPOSED : AS_IT_IS, x.transposed ? inner : rows,
                 x.transposed ? rows : inner, 1, x.data, x.stride, vector, step, 1, result, stride);
}

template <class Number>
void multiply_part(bool direct, Number* result, int64_t stride, MatrixOf<Number> x,
                   MatrixOf<Number> y, int64_t rows, int64_t columns, int64_t inner,
                   bool accumulate) {
    if constexpr (sizeof(Number) == sizeof(float)) {
        if (direct) {
            multiply_directly(result, stride, x, y, rows, columns, inner, accumulate);
            return;
        }
    }
    if (is_few(rows, columns, inner)) {
        with_constant(inner, [&](auto constant) {
            multiply_few<constant>(result, stride, x, y, rows, columns, accumulate);
        });
        return;
    }
    // With a vector there is nothing to gain by the copies that a product of matrices begins with.
    if (columns == 1) {
        add_vector(result, stride, x, rows, inner, y.data, y.transposed ? 1 : y.stride, accumulate);
        return;
    }
    if (rows == 1) {
        MatrixOf<Number> flipped = y;
        flipped.transposed = !y.transposed;
        add_vector(result, 1, flipped, columns, inner, x.data, x.transposed ? x.stride : 1,
                   accumulate);
        return;
    }
    gemm<Number>(ROW_MAJOR, x.transposed ? TRANSPOSED : AS_IT_IS,
                 y.transposed ? TRANSPOSED : AS_IT_IS, rows, columns, inner, 1, x.data, x.stride,
                 y.data, y.stride, accumulate ? 1 : 0, result, stride);
}

// A BLAS computes tiles, and those at the end of a matrix may be rounded otherwise than those
// inside: where a product is divided can show in its bits. Large ones of many rows are divided
// between two tiles, and into parts too large for the kernels that a BLAS keeps for small products;
// all others are divided as their shape says, whatever the number of threads.
constexpr int64_t TILE_ROWS = 12, MANY_ROWS = 96, FEW_COLUMNS = 32;
constexpr double LARGE = 1.1e6, WORTH_TWO = 1.5e5, WORTH_FOUR = 4e6;  // rows · columns · inner

struct Division {
    bool by_rows;
    int64_t parts, grain;
};
Division division_of(int64_t rows, int64_t columns, int64_t inner, int workers) {
    double volume = static_cast<double>(rows) * static_cast<double>(columns) *
                    static_cast<double>(inner);
    if (columns > 1 && rows >= MANY_ROWS && volume >= 2 * LARGE) {
        auto most = static_cast<int64_t>(volume / LARGE);
        int64_t grain = rows < 16 * TILE_ROWS ? TILE_ROWS : 2 * TILE_ROWS;
        return {true, workers < most ? workers : most, grain};
    }
    int64_t longer = rows > columns ? rows : columns;
    int64_t parts = volume < WORTH_TWO || longer < FEW_COLUMNS        ? 1
                    : volume < WORTH_FOUR || longer < 4 * FEW_COLUMNS ? 2
                                                                      : 4;
    return {rows > columns, parts, 16};
}

}  // namespace

template <class Number>
void multiply_here(Number* result, int64_t stride, MatrixOf<Number> x, MatrixOf<Number> y,
                   int64_t rows, int64_t columns, int64_t inner, bool accumulate) {
    bool direct = false;
    if constexpr (sizeof(Number) == sizeof(float)) direct = is_direct(x, y, rows, columns, inner);
    multiply_part(direct, result, stride, x, y, rows, columns, inner, accumulate);
}

template <class Number>
void multiply(Number* result, int64_t stride, MatrixOf<Number> x, MatrixOf<Number> y, int64_t rows,
              int64_t columns, int64_t inner, bool accumulate) {
    OneBlasThread one;
    int workers = workers_for(product_time<Number>(rows, columns, inner));
    bool direct = false;
    if constexpr (sizeof(Number) == sizeof(float)) direct = is_direct(x, y, rows, columns, inner);
    Division d = direct ? Division{rows >= columns, workers, DIRECT_COLUMNS}
                        : division_of(rows, columns, inner, workers);
    auto compute = [&](int64_t number) {
        Part part = part_of(d.by_rows ? rows : columns, static_cast<int>(number),
                            static_cast<int>(d.parts), d.grain);
        if (part.begin == part.end) return;
        MatrixOf<Number> a = x, b = y;
        int64_t count = part.end - part.begin;
        if (d.by_rows) {
            a.data += x.transposed ? part.begin : part.begin * x.stride;
            multiply_part(direct, result + part.begin * stride, stride, a, b, count, columns, inner,
                          accumulate);
        } else {
            b.data += y.transposed ? part.begin * y.stride : part.begin;
            multiply_part(direct, result + part.begin, stride, a, b, rows, count, inner,
                          accumulate);
        }
    };
    if (workers > d.parts) workers = static_cast<int>(d.parts);
    parallel(workers, [&](int worker, int all) {
        Part own = part_of(d.parts, worker, all);
        for (int64_t number = own.begin; number < own.end; number++) compute(number);
    });
}

template void multiply_here(float*, int64_t, MatrixOf<float>, MatrixOf<float>, int64_t, int64_t,
                            int64_t, bool);
template void multiply(float*, int64_t, MatrixOf<float>, MatrixOf<float>, int64_t, int64_t, int64_t,
                       bool);
template void multiply_here(double*, int64_t, MatrixOf<double>, MatrixOf<double>, int64_t, int64_t,
                            int64_t, bool);
template void multiply(double*, int64_t, MatrixOf<double>, MatrixOf<double>, int64_t, int64_t,
                       int64_t, bool);

}  // namespace gradtape
