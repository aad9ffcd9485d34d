// Arrays put together: concat and stack, of any plain dtype.
#include <algorithm>
#include <cstring>
#include <vector>

#include "kernel.h"
#include "parts.h"

namespace gradtape {
namespace {

constexpr double BYTE = 0.06;  // nanoseconds

// Pieces that follow each other in every row of the result.
struct Piece {
    const char* data;
    int64_t bytes;
};

bool read_axis(PyObject* const* arguments, Py_ssize_t count, PyObject* names, int limit,
               int* axis) {
    PyObject* given = keyword(arguments, count, names, "axis");
    if (!given || !PyLong_Check(given)) return false;
    long number = PyLong_AsLong(given);
    *axis = static_cast<int>(number);
    return number >= 0 && number < limit;
}

// Whether arrays are whole, of one dtype without objects, and alike but for one axis (or -1).
bool are_alike(PyObject* const* arguments, Py_ssize_t count, int free_axis) {
    for (Py_ssize_t i = 0; i < count; i++) {
        if (!PyArray_CheckExact(arguments[i])) return false;
        PyArrayObject *x = array(arguments[i]), *first = array(arguments[0]);
        if (!PyArray_ISCARRAY_RO(x) || PyArray_DESCR(x) != PyArray_DESCR(first) ||
            PyDataType_REFCHK(PyArray_DESCR(x)) || PyArray_NDIM(x) != PyArray_NDIM(first))
            return false;
        for (int k = 0; k < PyArray_NDIM(x); k++)
            if (k != free_axis && PyArray_DIM(x, k) != PyArray_DIM(first, k)) return false;
    }
    return true;
}

PyObject* joined(PyObject* const* arguments, Py_ssize_t count, int axis, int rank,
                 const npy_intp* shape) {
    int type = PyArray_DESCR(array(arguments[0]))->type_num;
    if (type >= NPY_USERDEF) return nullptr;
    PyObject* made = new_array(rank, shape, type);
    if (!made) return nullptr;
    int64_t rows = 1, row_bytes = 0;
    for (int i = 0; i < axis; i++) rows *= shape[i];
    std::vector<Piece> pieces;
    for (Py_ssize_t i = 0; i < count; i++) {
        int64_t bytes = rows ? PyArray_NBYTES(array(arguments[i])) / rows : 0;
        pieces.push_back({data<char>(arguments[i]), bytes});
        row_bytes += bytes;
    }
    char* result = data<char>(made);
    if (rows == 1) {  // each piece as a whole
        int64_t pieces_count = static_cast<int64_t>(pieces.size());
        std::vector<int64_t> begins(pieces.size());
        for (size_t i = 1; i < pieces.size(); i++) begins[i] = begins[i - 1] + pieces[i - 1].bytes;
        double each = BYTE * static_cast<double>(row_bytes) / static_cast<double>(pieces_count);
        in_parts(pieces_count, each, 1, [&](int64_t begin, int64_t end) {
            for (int64_t i = begin; i < end; i++)
                std::memcpy(result + begins[static_cast<size_t>(i)],
                            pieces[static_cast<size_t>(i)].data,
                            static_cast<size_t>(pieces[static_cast<size_t>(i)].bytes));
        });
        return made;
    }
    in_parts(rows, BYTE * static_cast<double>(row_bytes) + 5, 1, [&](int64_t begin, int64_t end) {
        char* to = result + begin * row_bytes;
        for (int64_t row = begin; row < end; row++) {
            for (const Piece& piece : pieces) {
                std::memcpy(to, piece.data + row * piece.bytes, static_cast<size_t>(piece.bytes));
                to += piece.bytes;
            }
        }
    });
    return made;
}

PyObject* concat(PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    int axis;
    if (count < 2 || !PyArray_CheckExact(arguments[0])) return nullptr;
    int rank = PyArray_NDIM(array(arguments[0]));
    if (!read_axis(arguments, count, names, rank, &axis) || !are_alike(arguments, count, axis))
        return nullptr;
    npy_intp shape[NPY_MAXDIMS];
    std::copy_n(PyArray_DIMS(array(arguments[0])), rank, shape);
    for (Py_ssize_t i = 1; i < count; i++) shape[axis] += PyArray_DIM(array(arguments[i]), axis);
    return joined(arguments, count, axis, rank, shape);
}

PyObject* stack(PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    int axis;
    if (count < 2 || !PyArray_CheckExact(arguments[0])) return nullptr;
    int rank = PyArray_NDIM(array(arguments[0]));
    if (rank == 0 || rank == NPY_MAXDIMS || !read_axis(arguments, count, names, rank + 1, &axis) ||
        !are_alike(arguments, count, -1))
        return nullptr;
    npy_intp shape[NPY_MAXDIMS];
    const npy_intp* given = PyArray_DIMS(array(arguments[0]));
    std::copy_n(given, axis, shape);
    shape[axis] = count;
    std::copy(given + axis, given + rank, shape + axis + 1);
    return joined(arguments, count, axis, rank + 1, shape);
}

}  // namespace

const Entry LAYOUT[] = {{"concat", concat}, {"stack", stack}, {nullptr, nullptr}};

}  // namespace gradtape
