// matmul: one product, a stack of them, or a stack with one matrix.
#include "blas.h"
#include "kernel.h"
#include "pool.h"

namespace gradtape {
namespace {

// The last two axes of an array as a matrix for BLAS, if it can read them where they lie.
bool as_matrix(PyArrayObject* x, bool transpose, Matrix* matrix, int64_t* rows, int64_t* columns) {
    int rank = PyArray_NDIM(x);
    const npy_intp *shape = PyArray_DIMS(x) + rank - 2, *strides = PyArray_STRIDES(x) + rank - 2;
    constexpr npy_intp ITEM = sizeof(float);
    *rows = shape[transpose ? 1 : 0];
    *columns = shape[transpose ? 0 : 1];
    matrix->data = static_cast<const float*>(PyArray_DATA(x));
    if ((strides[1] == ITEM || shape[1] == 1) && strides[0] % ITEM == 0 &&
        strides[0] >= ITEM * shape[1]) {
        matrix->stride = strides[0] / ITEM;
        matrix->transposed = transpose;
        return true;
    }
    if ((strides[0] == ITEM || shape[0] == 1) && strides[1] % ITEM == 0 &&
        strides[1] >= ITEM * shape[0]) {
        matrix->stride = strides[1] / ITEM;
        matrix->transposed = !transpose;
        return true;
    }
    return false;
}

PyObject* matmul(PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    if (count != 2 || !has_blas() || !is_array(arguments[0], NPY_FLOAT32) ||
        !is_array(arguments[1], NPY_FLOAT32))
        return nullptr;
    PyArrayObject *x = array(arguments[0]), *y = array(arguments[1]);
    int rank = PyArray_NDIM(x), other_rank = PyArray_NDIM(y);
    if (rank < 2 || other_rank < 2 || !PyArray_ISALIGNED(x) || !PyArray_ISALIGNED(y))
        return nullptr;
    bool transpose_x = keyword(arguments, count, names, "transpose_a") == Py_True;
    bool transpose_y = keyword(arguments, count, names, "transpose_b") == Py_True;
    Matrix a, b;
    int64_t rows, inner, inner_y, columns;
    if (!as_matrix(x, transpose_x, &a, &rows, &inner) ||
        !as_matrix(y, transpose_y, &b, &inner_y, &columns) || inner != inner_y)
        return nullptr;
    npy_intp shape[NPY_MAXDIMS];
    int64_t products = 1;
    if (rank > 2) {
        // Stacks: both whole, of the same sizes; or a stack times one matrix, as one tall product.
        if (!PyArray_ISCARRAY_RO(x)) return nullptr;
        for (int i = 0; i < rank - 2; i++) products *= shape[i] = PyArray_DIM(x, i);
        if (other_rank == 2) {
            if (transpose_x) return nullptr;
            rows *= products;
            products = 1;
        } else {
            if (other_rank != rank || !PyArray_ISCARRAY_RO(y)) return nullptr;
            for (int i = 0; i < rank - 2; i++)
                if (PyArray_DIM(y, i) != shape[i]) return nullptr;
        }
    } else if (other_rank > 2) {
        return nullptr;
    }
    shape[rank - 2] = PyArray_DIM(x, rank - (transpose_x ? 1 : 2));
    shape[rank - 1] = columns;
    if (rows * columns * inner == 0 || products == 0) return nullptr;
    PyObject* made = new_array(rank, shape, NPY_FLOAT32);
    if (!made) return nullptr;
    float* result = data(made);
    double each = product_time(rows, columns, inner);
    WithoutLock unlocked(each * static_cast<double>(products));
    if (products == 1) {
        multiply(result, columns, a, b, rows, columns, inner);
        return made;
    }
    OneBlasThread one;
    parallel(workers_for(each * static_cast<double>(products)), [&](int worker, int all) {
        Part part = part_of(products, worker, all);
        for (int64_t i = part.begin; i < part.end; i++) {
            Matrix ai = a, bi = b;
            ai.data += i * rows * inner;
            bi.data += i * inner * columns;
            multiply_here(result + i * rows * columns, columns, ai, bi, rows, columns, inner);
        }
    });
    return made;
}

}  // namespace

const Entry PRODUCTS[] = {{"matmul", matmul}, {nullptr, nullptr}};

}  // namespace gradtape
