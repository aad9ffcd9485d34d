#include "blas.h"

#include "pool.h"

#if defined(__unix__) || defined(__APPLE__)
#include <dlfcn.h>
#endif

namespace gradtape {
namespace {

constexpr int ROW_MAJOR = 101, AS_IT_IS = 111, TRANSPOSED = 112;
// NumPy's wheels bring an OpenBLAS with 64-bit sizes, whose names say so.
using Sgemm = void (*)(int, int, int, int64_t, int64_t, int64_t, float, const float*, int64_t,
                       const float*, int64_t, float, float*, int64_t);
Sgemm sgemm = nullptr;
void (*set_threads)(int) = nullptr;
int (*get_threads)() = nullptr;

}  // namespace

bool use_blas(const char* path) {
#if defined(__unix__) || defined(__APPLE__)
    void* library = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
    if (!library) return false;
    auto* multiply = reinterpret_cast<Sgemm>(dlsym(library, "scipy_cblas_sgemm64_"));
    set_threads = reinterpret_cast<void (*)(int)>(
        dlsym(library, "scipy_openblas_set_num_threads64_"));
    get_threads =
        reinterpret_cast<int (*)()>(dlsym(library, "scipy_openblas_get_num_threads64_"));
    if (multiply && set_threads && get_threads) sgemm = multiply;
#endif
    return sgemm != nullptr;
}

bool has_blas() { return sgemm != nullptr; }

OneBlasThread::OneBlasThread() : before_(get_threads()) {
    if (before_ != 1) set_threads(1);
}
OneBlasThread::~OneBlasThread() {
    if (before_ != 1) set_threads(before_);
}

void multiply_here(float* result, int64_t stride, Matrix x, Matrix y, int64_t rows,
                   int64_t columns, int64_t inner, bool accumulate) {
    sgemm(ROW_MAJOR, x.transposed ? TRANSPOSED : AS_IT_IS, y.transposed ? TRANSPOSED : AS_IT_IS,
          rows, columns, inner, 1, x.data, x.stride, y.data, y.stride, accumulate ? 1 : 0, result,
          stride);
}

void multiply(float* result, int64_t stride, Matrix x, Matrix y, int64_t rows, int64_t columns,
              int64_t inner, bool accumulate) {
    OneBlasThread one;
    int workers = workers_for(product_time(rows, columns, inner));
    if (workers == 1) {
        multiply_here(result, stride, x, y, rows, columns, inner, accumulate);
        return;
    }
    // Parts of few rows waste the kernels of a BLAS, which compute tiles: then columns are divided.
    bool by_rows = rows >= 16 * workers || rows >= columns;
    parallel(workers, [&](int worker, int all) {
        Part part = part_of(by_rows ? rows : columns, worker, all, 16);
        if (part.begin == part.end) return;
        Matrix a = x, b = y;
        int64_t count = part.end - part.begin;
        if (by_rows) {
            a.data += x.transposed ? part.begin : part.begin * x.stride;
            multiply_here(result + part.begin * stride, stride, a, b, count, columns, inner,
                          accumulate);
        } else {
            b.data += y.transposed ? part.begin * y.stride : part.begin;
            multiply_here(result + part.begin, stride, a, b, rows, count, inner, accumulate);
        }
    });
}

}  // namespace gradtape
