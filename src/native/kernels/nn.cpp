// Softmax and the cross-entropies: one visit to each row, which stays in the cache.
#include <cmath>

#include "kernels/indices.h"
#include "kernels/kernel.h"
#include "runtime/work_split.h"
#include "simd/vectors.h"

namespace gradtape {
namespace {

constexpr double EXPONENTIAL = 0.6;  // nanoseconds for an element

struct Rows {
    int64_t count = 0, columns = 0;
};

// Reads a whole array as rows of its last axis, if there is anything in it.
bool as_rows(PyObject* x, Rows* rows) {
    if (!is_plain(x) || PyArray_NDIM(array(x)) == 0 || size(x) == 0) return false;
    rows->columns = PyArray_DIM(array(x), PyArray_NDIM(array(x)) - 1);
    rows->count = size(x) / rows->columns;
    return true;
}

template <class Work>  // work(row)
void for_rows(const Rows& rows, double each, Work&& work) {
    double time = each * static_cast<double>(rows.columns) + 30;
    in_parts(rows.count, time, 1, [&](int64_t begin, int64_t end) {
        for (int64_t row = begin; row < end; row++) work(row);
    });
}

PyObject* new_losses(PyObject* logits) {
    return new_array(PyArray_NDIM(array(logits)) - 1, PyArray_DIMS(array(logits)), NPY_FLOAT32);
}

template <bool logarithm>
PyObject* softmax(PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    PyObject* x = arguments[0];
    Rows rows;
    if (count != 1 || names || !as_rows(x, &rows)) return nullptr;
    PyObject* made = new_array_like(array(x));
    if (!made) return nullptr;
    auto* row_loop = logarithm ? vectors().rows.log_softmax : vectors().rows.softmax;
    float *result = data(made), *from = data(x);
    for_rows(rows, EXPONENTIAL, [=](int64_t row) {
        int64_t start = row * rows.columns;
        row_loop(result + start, from + start, rows.columns);
    });
    return made;
}

PyObject* softmax_grad(PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    PyObject *y = arguments[0], *g = arguments[1];
    Rows rows;
    if (count != 2 || names || !as_rows(y, &rows) || !is_plain(g) || !same_shape(y, g))
        return nullptr;
    PyObject* made = new_array_like(array(y));
    if (!made) return nullptr;
    auto* row_loop = vectors().rows.softmax_gradient;
    float *result = data(made), *weights = data(y), *slope = data(g);
    for_rows(rows, 2 * ELEMENT, [=](int64_t row) {
        int64_t start = row * rows.columns;
        row_loop(result + start, weights + start, slope + start, rows.columns);
    });
    return made;
}

PyObject* softmax_cross_entropy(PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    Rows rows;
    if (count != 2 || names || !as_rows(arguments[1], &rows) || !is_plain(arguments[0]) ||
        !same_shape(arguments[0], arguments[1]) || PyArray_NDIM(array(arguments[1])) < 2)
        return nullptr;
    PyObject* made = new_losses(arguments[1]);
    if (!made) return nullptr;
    float *result = data(made), *labels = data(arguments[0]), *logits = data(arguments[1]);
    auto* row_loop = vectors().rows.cross_entropy;
    for_rows(rows, EXPONENTIAL, [=](int64_t row) {
        int64_t start = row * rows.columns;
        result[row] = row_loop(labels + start, logits + start, rows.columns);
    });
    return made;
}

// Reads labels. False where they are of another kind, or one is out of range: that is for NumPy's
// kernel to say.
bool read_labels(PyObject* x, const Rows& rows, Indices* labels) {
    return labels->read(x) && labels->count == rows.count && labels->lie_in(0, rows.columns);
}

PyObject* sparse_softmax_cross_entropy(PyObject* const* arguments, Py_ssize_t count,
                                       PyObject* names) {
    Rows rows;
    Indices labels;
    if (count != 2 || names || !as_rows(arguments[1], &rows) ||
        !read_labels(arguments[0], rows, &labels))
        return nullptr;
    PyObject* made = new_losses(arguments[1]);
    if (!made) return nullptr;
    float *result = data(made), *logits = data(arguments[1]);
    auto* soften = vectors().rows.soften;
    for_rows(rows, EXPONENTIAL, [=](int64_t row) {
        const float* x = logits + row * rows.columns;
        Softened s = soften(x, rows.columns);
        result[row] = std::log(s.sum) - (x[labels[row]] - s.largest);
    });
    return made;
}

// Reads one number for each row: an array, or one that is spread over all of them.
bool read_factors(PyObject* x, const Rows& rows, const float** factors, int64_t* step) {
    if (!is_array(x, NPY_FLOAT32) || size(x) != rows.count || PyArray_NDIM(array(x)) == 0 ||
        !PyArray_ISALIGNED(array(x)))
        return false;
    bool is_one = true;
    for (int i = 0; i < PyArray_NDIM(array(x)); i++)
        is_one &= PyArray_STRIDE(array(x), i) == 0 || PyArray_DIM(array(x), i) == 1;
    *factors = data(x);
    *step = is_one ? 0 : 1;
    return is_one || is_plain(x);
}

PyObject* sparse_softmax_cross_entropy_grad(PyObject* const* arguments, Py_ssize_t count,
                                            PyObject* names) {
    Rows rows;
    Indices labels;
    const float* factors;
    int64_t step;
    if (count != 3 || names || !as_rows(arguments[1], &rows) ||
        !read_labels(arguments[0], rows, &labels) ||
        !read_factors(arguments[2], rows, &factors, &step))
        return nullptr;
    PyObject* made = new_array_like(array(arguments[1]));
    if (!made) return nullptr;
    float *result = data(made), *logits = data(arguments[1]);
    auto* row_loop = vectors().rows.label_gradient;
    for_rows(rows, EXPONENTIAL, [=](int64_t row) {
        int64_t start = row * rows.columns;
        row_loop(result + start, logits + start, rows.columns, labels[row], factors[row * step]);
    });
    return made;
}

}  // namespace

const KernelEntry ROWS[] = {
    {"softmax", softmax<false>},
    {"softmax_grad", softmax_grad},
    {"log_softmax", softmax<true>},
    {"softmax_cross_entropy", softmax_cross_entropy},
    {"sparse_softmax_cross_entropy", sparse_softmax_cross_entropy},
    {"sparse_softmax_cross_entropy_grad", sparse_softmax_cross_entropy_grad},
    {nullptr, nullptr}};

}  // namespace gradtape
