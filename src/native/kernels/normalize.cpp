// Layer normalization: one visit to each row, forward and back.
#include <algorithm>
#include <vector>

#include "kernels/kernel.h"
#include "runtime/work_split.h"
#include "simd/vectors.h"

namespace gradtape {
namespace {

// Rows whose shares of the scale's and offset's gradients are added one after the other.
constexpr int64_t ROW_BLOCK = 64;
constexpr double FORWARD = 0.4, BACKWARD = 0.8;  // nanoseconds for an element

struct Rows {
    int64_t count = 0, columns = 0;
    float epsilon = 0;
};

bool is_vector(PyObject* x, int64_t columns) {
    return is_plain(x) && PyArray_NDIM(array(x)) == 1 && size(x) == columns;
}

bool read_rows(PyObject* const* arguments, Py_ssize_t count, PyObject* names, Rows* rows) {
    PyObject *x = arguments[0], *epsilon = keyword(arguments, count, names, "epsilon");
    if (count != 3 || !epsilon || !PyFloat_Check(epsilon) || !is_plain(x) ||
        PyArray_NDIM(array(x)) == 0 || size(x) == 0)
        return false;
    rows->columns = PyArray_DIM(array(x), PyArray_NDIM(array(x)) - 1);
    rows->count = size(x) / rows->columns;
    rows->epsilon = static_cast<float>(PyFloat_AS_DOUBLE(epsilon));
    return is_vector(arguments[1], rows->columns);
}

PyObject* layer_normalize(PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    Rows rows;
    if (!read_rows(arguments, count, names, &rows) || !is_vector(arguments[2], rows.columns))
        return nullptr;
    PyObject* made = new_array_like(array(arguments[0]));
    if (!made) return nullptr;
    float *result = data(made), *x = data(arguments[0]);
    float *scale = data(arguments[1]), *offset = data(arguments[2]);
    in_parts(rows.count, FORWARD * static_cast<double>(rows.columns) + 20, 1,
             [=](int64_t begin, int64_t end) {
        for (int64_t row = begin; row < end; row++) {
            int64_t start = row * rows.columns;
            vectors().normalize.row(result + start, x + start, scale, offset, rows.epsilon,
                                    rows.columns);
        }
    });
    return made;
}

PyObject* layer_normalize_grad(PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    Rows rows;
    if (!read_rows(arguments, count, names, &rows) || !is_plain(arguments[2]) ||
        !same_shape(arguments[0], arguments[2]))
        return nullptr;
    PyObject* by_x = new_array_like(array(arguments[0]));
    PyObject* by_scale = new_array_like(array(arguments[1]));
    PyObject* by_offset = new_array_like(array(arguments[1]));
    if (!by_x || !by_scale || !by_offset) {
        Py_XDECREF(by_x);
        Py_XDECREF(by_scale);
        Py_XDECREF(by_offset);
        return nullptr;
    }
    float *result = data(by_x), *x = data(arguments[0]);
    float *scale = data(arguments[1]), *g = data(arguments[2]);
    int64_t blocks = (rows.count + ROW_BLOCK - 1) / ROW_BLOCK, columns = rows.columns;
    std::vector<float> shares(static_cast<size_t>(2 * blocks * columns));
    float *to_scale = shares.data(), *to_offset = to_scale + blocks * columns;
    double each = BACKWARD * static_cast<double>(columns) + 30;
    in_parts(blocks, each * static_cast<double>(std::min(rows.count, ROW_BLOCK)), 1,
             [=](int64_t begin, int64_t end) {
        for (int64_t block = begin; block < end; block++) {
            int64_t last = std::min(rows.count, (block + 1) * ROW_BLOCK);
            for (int64_t row = block * ROW_BLOCK; row < last; row++) {
                int64_t start = row * columns;
                vectors().normalize.gradient_row(result + start, to_scale + block * columns,
                                                 to_offset + block * columns, x + start, scale,
                                                 g + start, rows.epsilon, columns);
            }
        }
    });
    auto* combine = vectors().rows.combine[SUM];
    combine(data(by_scale), to_scale, blocks, columns, columns);
    combine(data(by_offset), to_offset, blocks, columns, columns);
    return Py_BuildValue("(NNN)", by_x, by_scale, by_offset);
}

}  // namespace

const KernelEntry NORMALIZE[] = {{"layer_normalize", layer_normalize},
                                 {"layer_normalize_grad", layer_normalize_grad},
                                 {nullptr, nullptr}};

}  // namespace gradtape
