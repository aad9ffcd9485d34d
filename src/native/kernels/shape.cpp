// Arrays put together, or into zeros, or in order: what moves numbers and computes nothing.
#include <algorithm>
#include <cstring>
#include <vector>

#include "kernels/kernel.h"
#include "kernels/walk.h"
#include "runtime/parameters.h"

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

// Returns whether arrays are whole, of one dtype without objects, and alike but for one axis (or
// -1).
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

// --- zeros with something in one slice -----------------------------------------------------------

// Where x goes in an array of this shape: all of the first axes (`slice(None)`), then an index for
// each of the next ones, then all of the rest. So every row has one stretch.
struct Stretches {
    int64_t rows = 1, row = 1, length = 1, offset = 0;  // in elements; `offset` in each row

    bool read(PyArrayObject* x, const std::vector<npy_intp>& shape, PyObject* index) {
        if (!index || !PyTuple_Check(index)) return false;
        int rank = static_cast<int>(shape.size()), axis = 0, own = 0;
        auto count = static_cast<int>(PyTuple_GET_SIZE(index)), whole = 0;
        while (whole < count && is_whole(PyTuple_GET_ITEM(index, whole))) whole++;
        if (whole == count || count > rank || rank - (count - whole) != PyArray_NDIM(x))
            return false;
        for (; axis < rank; axis++) {
            if (axis >= whole && axis < count) {
                PyObject* number = PyTuple_GET_ITEM(index, axis);
                if (!PyLong_Check(number)) return false;
                npy_intp at = PyLong_AsSsize_t(number);
                if (at == -1 && PyErr_Occurred()) return false;
                at += at < 0 ? shape[axis] : 0;
                if (at < 0 || at >= shape[axis]) return false;
                offset = offset * shape[axis] + at;
            } else if (PyArray_DIM(x, own++) != shape[axis]) {
                return false;
            }
            (axis < whole ? rows : row) *= shape[axis];
            if (axis >= count) length *= shape[axis];
        }
        offset *= length;
        return true;
    }

  private:
    static bool is_whole(PyObject* entry) {
        if (!PyTuple_Check(entry)) return false;
        for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(entry); i++)
            if (PyTuple_GET_ITEM(entry, i) != Py_None) return false;
        return true;
    }
};

PyObject* put_slice(PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    std::vector<npy_intp> shape;
    Stretches to;
    if (count != 1 || !are_alike(arguments, 1, -1) ||
        !read_tuple(keyword(arguments, count, names, "shape"), &shape) ||
        !to.read(array(arguments[0]), shape, keyword(arguments, count, names, "index")))
        return nullptr;
    int type = PyArray_DESCR(array(arguments[0]))->type_num;
    if (type >= NPY_USERDEF) return nullptr;
    PyObject* made = new_array(static_cast<int>(shape.size()), shape.data(), type);
    if (!made || size(made) == 0) return made;
    char* result = data<char>(made);
    const char* from = data<char>(arguments[0]);
    int64_t item = PyArray_ITEMSIZE(array(made));
    int64_t row = to.row * item, offset = to.offset * item, length = to.length * item;
    in_parts(PyArray_NBYTES(array(made)), BYTE, 4096, [=](int64_t begin, int64_t end) {
        for (int64_t at = begin / row; at * row < end; at++) {
            int64_t start = std::max(begin, at * row), stop = std::min(end, (at + 1) * row);
            int64_t own = at * row + offset, first = std::clamp(own, start, stop);
            int64_t last = std::clamp(own + length, start, stop);
            std::memset(result + start, 0, static_cast<size_t>(first - start));
            std::memcpy(result + first, from + at * length + (first - own),
                        static_cast<size_t>(last - first));
            std::memset(result + last, 0, static_cast<size_t>(stop - last));
        }
    });
    return made;
}

// --- copies in order -----------------------------------------------------------------------------

// Returns whether NumPy can give an array another shape without a copy: axes that are joined, or
// divided anew, must follow each other in memory.
bool fits_where_it_lies(PyArrayObject* x, const std::vector<npy_intp>& shape) {
    std::vector<npy_intp> lengths, strides;
    for (int i = 0; i < PyArray_NDIM(x); i++) {
        if (PyArray_DIM(x, i) == 1) continue;
        lengths.push_back(PyArray_DIM(x, i));
        strides.push_back(PyArray_STRIDE(x, i));
    }
    size_t own = 0, other = 0;
    while (own < lengths.size() && other < shape.size()) {
        npy_intp here = lengths[own], there = shape[other];
        size_t first = own;
        while (here != there) {
            if (here < there) here *= lengths[++own];
            else there *= shape[++other];
        }
        for (size_t i = first; i < own; i++)
            if (strides[i] != strides[i + 1] * lengths[i + 1]) return false;
        own++;
        other++;
    }
    return true;
}

PyObject* reshape(PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    PyObject* x = arguments[0];
    if (count != 1 || !is_array(x, NPY_FLOAT32) || PyArray_IS_C_CONTIGUOUS(array(x)) ||
        size(x) == 0)
        return nullptr;
    std::vector<npy_intp> shape;
    if (!read_tuple(keyword(arguments, count, names, "shape"), &shape)) return nullptr;
    int64_t numbers = 1;
    for (npy_intp n : shape) numbers *= n;
    if (numbers != size(x) || shape.empty() || fits_where_it_lies(array(x), shape)) return nullptr;
    Spread operands[1];
    BroadcastLoop<1> walk;
    if (!operands[0].read(x, NPY_FLOAT32) || !walk.plan(operands)) return nullptr;
    PyObject* made = new_array(static_cast<int>(shape.size()), shape.data(), NPY_FLOAT32);
    if (!made) return nullptr;
    float* result = data(made);
    walk.run(operands, 2 * ELEMENT, [=, &walk](int64_t offset, char** at, int64_t n) {
        const float* from = reinterpret_cast<const float*>(at[0]);
        if (walk.is_run[0]) std::copy_n(from, n, result + offset);
        else std::fill_n(result + offset, n, *from);
    });
    return made;
}

}  // namespace

const KernelEntry LAYOUT[] = {{"concat", concat},
                              {"stack", stack},
                              {"put_slice", put_slice},
                              {"reshape", reshape},
                              {nullptr, nullptr}};

}  // namespace gradtape
