// Rows taken from a table, added up by number, and numbers as rows of zeros with a one.
#include <algorithm>
#include <cstring>
#include <vector>

#include "indices.h"
#include "kernel.h"
#include "parts.h"
#include "vectors.h"

namespace gradtape {
namespace {

// Segments of more rows than this are summed in double precision.
constexpr int32_t MANY_ROWS = 24;

bool read_size(PyObject* x, int64_t* value) {
    if (!x || !PyLong_Check(x)) return false;
    *value = PyLong_AsLongLong(x);
    return *value >= 0 && !PyErr_Occurred();
}

int64_t product_of(const npy_intp* shape, int begin, int end) {
    int64_t total = 1;
    for (int i = begin; i < end; i++) total *= shape[i];
    return total;
}

// Any whole array but one of Python objects: rows are copied as bytes.
bool is_whole(PyObject* x) {
    return PyArray_CheckExact(x) && PyArray_ISCARRAY_RO(array(x)) &&
           !PyDataType_REFCHK(PyArray_DESCR(array(x)));
}

double time_of_row(int64_t bytes) { return 0.1 * static_cast<double>(bytes) + 2; }

inline void copy_row(char* to, const char* from, int64_t bytes) {
    if (bytes == 4) std::memcpy(to, from, 4);
    else if (bytes == 8) std::memcpy(to, from, 8);
    else std::memcpy(to, from, static_cast<size_t>(bytes));
}

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
    PyObject* made =
        new_array(rank - 1 + taken_rank, result_shape, PyArray_DESCR(array(x))->type_num);
    if (!made) return nullptr;
    int64_t places = product_of(shape, 0, static_cast<int>(axis)), table = shape[axis];
    int64_t inner = product_of(shape, static_cast<int>(axis) + 1, rank);
    int64_t bytes = inner * PyArray_ITEMSIZE(array(x));
    char *result = data<char>(made), *from = data<char>(x);
    int64_t each = indices.count;
    in_parts(places * each, time_of_row(bytes), 16, [=](int64_t begin, int64_t end) {
        while (begin < end) {
            int64_t place = begin / each, first = begin % each;
            int64_t last = std::min(each, first + end - begin);
            const char* rows = from + place * table * bytes;
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

PyObject* segment_rows(PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    PyObject* x = arguments[0];
    Indices ids;
    if (count != 2 || names || !is_whole(x) || PyArray_NDIM(array(x)) == 0 ||
        !ids.read(arguments[1]) || PyArray_NDIM(array(arguments[1])) != 1 ||
        !ids.lie_in(INT64_MIN, PyArray_DIM(array(x), 0)))
        return nullptr;
    npy_intp shape[NPY_MAXDIMS];
    int rank = PyArray_NDIM(array(x));
    std::copy_n(PyArray_DIMS(array(x)), rank, shape);
    shape[0] = ids.count;
    PyObject* made = new_array(rank, shape, PyArray_DESCR(array(x))->type_num);
    if (!made) return nullptr;
    int64_t bytes = product_of(shape, 1, rank) * PyArray_ITEMSIZE(array(x));
    char *result = data<char>(made), *from = data<char>(x);
    in_parts(ids.count, time_of_row(bytes), 16, [=](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; i++) {
            if (ids[i] >= 0) copy_row(result + i * bytes, from + ids[i] * bytes, bytes);
            else std::memset(result + i * bytes, 0, static_cast<size_t>(bytes));
        }
    });
    return made;
}

// Every thread has its own range of segments, and goes through all the ids for them: rows are added
// in the order that they come in, whatever the number of threads.
PyObject* segment_sum(PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    PyObject* x = arguments[0];
    Indices ids;
    int64_t segments;
    if (count != 2 || !is_plain(x) || PyArray_NDIM(array(x)) == 0 || !ids.read(arguments[1]) ||
        PyArray_NDIM(array(arguments[1])) != 1 || PyArray_DIM(array(x), 0) != ids.count ||
        !read_size(keyword(arguments, count, names, "num"), &segments) || segments == 0 ||
        !ids.lie_in(INT64_MIN, segments))
        return nullptr;
    npy_intp shape[NPY_MAXDIMS];
    int rank = PyArray_NDIM(array(x));
    std::copy_n(PyArray_DIMS(array(x)), rank, shape);
    shape[0] = segments;
    PyObject* made = new_array(rank, shape, NPY_FLOAT32);
    if (!made) return nullptr;
    int64_t columns = product_of(shape, 1, rank);
    const Vectors& v = vectors();
    float *result = data(made), *from = data(x);
    double each = ELEMENT * static_cast<double>(columns);
    double time = each * static_cast<double>(ids.count + segments / 2);
    in_parts(segments, time / static_cast<double>(segments), 1,
             [=, &v](int64_t begin, int64_t end) {
        std::memset(result + begin * columns, 0,
                    static_cast<size_t>((end - begin) * columns) * sizeof(float));
        std::vector<int32_t> rows(static_cast<size_t>(end - begin));
        auto is_here = [=](int64_t id) { return id >= begin && id < end; };
        for (int64_t i = 0; i < ids.count; i++)
            if (is_here(ids[i])) rows[static_cast<size_t>(ids[i] - begin)]++;
        std::vector<int64_t> place(rows.size(), -1);  // of a sum in double precision
        int64_t doubles = 0;
        for (size_t k = 0; k < rows.size(); k++)
            if (rows[k] > MANY_ROWS) place[k] = doubles++;
        std::vector<double> sums(static_cast<size_t>(doubles * columns));
        for (int64_t i = 0; i < ids.count; i++) {
            if (!is_here(ids[i])) continue;
            const float* row = from + i * columns;
            int64_t slot = place[static_cast<size_t>(ids[i] - begin)];
            float* total = result + ids[i] * columns;
            if (slot < 0) v.binary[ADD](total, total, row, columns);
            else v.rows.accumulate(sums.data() + slot * columns, row, columns);
        }
        for (size_t k = 0; k < rows.size(); k++)
            if (place[k] >= 0)
                v.convert[FLOAT_OF_DOUBLE](result + (begin + static_cast<int64_t>(k)) * columns,
                                           sums.data() + place[k] * columns, columns);
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

const Entry INDEXING[] = {{"gather", gather},
                          {"segment_rows", segment_rows},
                          {"segment_sum", segment_sum},
                          {"one_hot", one_hot},
                          {nullptr, nullptr}};

}  // namespace gradtape
