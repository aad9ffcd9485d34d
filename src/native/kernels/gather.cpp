// Rows taken from a table, and numbers as rows of zeros with a one.
#include <algorithm>
#include <cstring>

#include "kernels/kernel.h"
#include "kernels/table_rows.h"
#include "runtime/work_split.h"

namespace gradtape {
namespace {

PyObject* gather(PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    PyObject* x = arguments[0];
    Indices indices;
    int64_t axis, batch_dims;
    if (count != 2 || !is_whole(x) || !indices.read(arguments[1]) ||
        !read_size(keyword(arguments, count, names, "axis"), &axis) ||
        !read_size(keyword(arguments, count, names, "batch_dims"), &batch_dims) || batch_dims != 0)
        return nullptr;
    int rank = PyArray_NDIM(array(x)), taken_rank = PyArray_NDIM(array(arguments[1]));
    if (axis >= rank || rank - 1 + taken_rank > NPY_MAXDIMS) return nullptr;
    const npy_intp* shape = PyArray_DIMS(array(x));
    if (!indices.lie_in(0, shape[axis])) return nullptr;
    npy_intp result_shape[NPY_MAXDIMS];
    std::copy_n(shape, axis, result_shape);
    std::copy_n(PyArray_DIMS(array(arguments[1])), taken_rank, result_shape + axis);
    std::copy(shape + axis + 1, shape + rank, result_shape + axis + taken_rank);
    PyObject* made = new_array(rank - 1 + taken_rank, result_shape,
                               PyArray_DESCR(array(x))->type_num);
    if (!made) return nullptr;
    int64_t outer = product_of(shape, 0, static_cast<int>(axis)), table = shape[axis];
    int64_t inner = product_of(shape, static_cast<int>(axis) + 1, rank);
    int64_t bytes = inner * PyArray_ITEMSIZE(array(x));
    char *result = data<char>(made), *from = data<char>(x);
    int64_t each = indices.count;
    in_parts(outer * each, time_of_row(bytes), 16, [=](int64_t begin, int64_t end) {
        while (begin < end) {
            int64_t at = begin / each, first = begin % each;
            int64_t last = std::min(each, first + end - begin);
            const char* rows = from + at * table * bytes;
            char* to = result + begin * bytes;
            for (int64_t i = first; i < last; i++, to += bytes) {
                // Rows lie anywhere: the processor cannot guess the ones to come.
                if (i + 4 < last) __builtin_prefetch(rows + indices[i + 4] * bytes);
                copy_row(to, rows + indices[i] * bytes, bytes);
            }
            begin += last - first;
        }
    });
    return made;
}

PyObject* one_hot(PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    Indices indices;
    int64_t depth;
    PyObject* dtype = keyword(arguments, count, names, "dtype");
    if (count != 1 || !dtype || !PyArray_DescrCheck(dtype) ||
        reinterpret_cast<PyArray_Descr*>(dtype)->type_num != NPY_FLOAT32 ||
        !indices.read(arguments[0]) ||
        !read_size(keyword(arguments, count, names, "depth"), &depth))
        return nullptr;
    int rank = PyArray_NDIM(array(arguments[0]));
    npy_intp shape[NPY_MAXDIMS];
    std::copy_n(PyArray_DIMS(array(arguments[0])), rank, shape);
    if (rank == NPY_MAXDIMS) return nullptr;
    shape[rank] = depth;
    PyObject* made = new_array(rank + 1, shape, NPY_FLOAT32);
    if (!made) return nullptr;
    float* result = data(made);
    in_parts(indices.count, 0.1 * static_cast<double>(depth) + 2, 16,
             [=](int64_t begin, int64_t end) {
        std::memset(result + begin * depth, 0,
                    static_cast<size_t>((end - begin) * depth) * sizeof(float));
        for (int64_t i = begin; i < end; i++)
            if (indices[i] >= 0 && indices[i] < depth) result[i * depth + indices[i]] = 1;
    });
    return made;
}

}  // namespace

const KernelEntry INDEXING[] = {{"gather", gather}, {"one_hot", one_hot}, {nullptr, nullptr}};

}  // namespace gradtape
