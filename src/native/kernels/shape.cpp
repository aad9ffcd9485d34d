// Arrays put together, or into zeros, or in order, and views: what moves numbers and computes
// nothing.
#include <algorithm>
#include <cstring>
#include <vector>

#include "kernels/kernel.h"
#include "kernels/walk.h"
#include "runtime/parameters.h"
#include "runtime/ref.h"

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

// --- views ---------------------------------------------------------------------------------------

// Returns a view of an array, whose numbers are its own; null with an error set.
PyObject* view_of(PyArrayObject* x, int rank, const npy_intp* shape, const npy_intp* strides,
                  char* start, bool is_writeable) {
    PyArray_Descr* dtype = PyArray_DESCR(x);
    Py_INCREF(dtype);
    int flags = is_writeable ? PyArray_FLAGS(x) : PyArray_FLAGS(x) & ~NPY_ARRAY_WRITEABLE;
    PyObject* made = PyArray_NewFromDescr(&PyArray_Type, dtype, rank, shape, strides, start, flags,
                                          nullptr);
    if (!made) return nullptr;
    Py_INCREF(x);
    if (PyArray_SetBaseObject(array(made), reinterpret_cast<PyObject*>(x)) == 0) return made;
    Py_DECREF(made);
    return nullptr;
}

// What an index (ops/slicing.py) takes of an array.
struct PartOf {
    int rank = 0;
    npy_intp shape[NPY_MAXDIMS], strides[NPY_MAXDIMS], offset = 0;

    // False, without an error, for what NumPy is to explain.
    bool read(PyArrayObject* x, PyObject* index) {
        if (!index || !PyTuple_Check(index)) return false;
        int axis = 0;
        for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(index); i++) {
            PyObject* entry = PyTuple_GET_ITEM(index, i);
            if (entry != Py_None && axis == PyArray_NDIM(x)) return false;
            if (entry == Py_None ? !add(1, 0) : !read_entry(x, axis++, entry)) return false;
        }
        for (; axis < PyArray_NDIM(x); axis++)
            if (!add(PyArray_DIM(x, axis), PyArray_STRIDE(x, axis))) return false;
        return true;
    }

  private:
    static bool read_number(PyObject* x, npy_intp* number) {
        int is_too_large = 1;
        if (PyLong_CheckExact(x)) *number = PyLong_AsLongLongAndOverflow(x, &is_too_large);
        return !is_too_large;
    }
    bool add(npy_intp length, npy_intp stride) {
        if (rank == NPY_MAXDIMS) return false;
        shape[rank] = length;
        strides[rank++] = stride;
        return true;
    }
    bool read_entry(PyArrayObject* x, int axis, PyObject* entry) {
        npy_intp size = PyArray_DIM(x, axis), stride = PyArray_STRIDE(x, axis);
        npy_intp at;
        if (read_number(entry, &at)) {
            if (at < -size || at >= size) return false;
            offset += (at < 0 ? at + size : at) * stride;
            return true;
        }
        if (!PyTuple_CheckExact(entry) || PyTuple_GET_SIZE(entry) != 3) return false;
        npy_intp bounds[] = {0, PY_SSIZE_T_MAX, 1};
        for (int k : {2, 0, 1}) {
            PyObject* bound = PyTuple_GET_ITEM(entry, k);
            if (bound == Py_None) {
                if (k < 2 && bounds[2] < 0) bounds[k] = k ? PY_SSIZE_T_MIN : PY_SSIZE_T_MAX;
                continue;
            }
            if (!read_number(bound, &bounds[k])) return false;
        }
        if (bounds[2] == 0 || bounds[2] == PY_SSIZE_T_MIN) return false;
        npy_intp length = PySlice_AdjustIndices(size, &bounds[0], &bounds[1], bounds[2]);
        if (length > 0) offset += bounds[0] * stride;
        return add(length, stride * bounds[2]);
    }
};

// Texts are objects, and single ones are left to NumPy.
bool has_numbers(PyObject* x) {
    return PyArray_CheckExact(x) && !PyDataType_REFCHK(PyArray_DESCR(array(x)));
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

// Puts x where the index says; null, perhaps with an error set, where NumPy is to do it.
PyObject* put_anywhere(PyObject* x, const std::vector<npy_intp>& shape, PyObject* index) {
    bool is_single = PyArray_IsScalar(x, Number);
    if (!is_single && !has_numbers(x)) return nullptr;
    PyArray_Descr* dtype = is_single ? PyArray_DescrFromScalar(x) : PyArray_DESCR(array(x));
    if (!is_single) Py_INCREF(dtype);
    Ref made(PyArray_Zeros(static_cast<int>(shape.size()), shape.data(), dtype, 0));
    if (!made) return nullptr;
    PyArrayObject* whole = array(made.get());
    PartOf part;
    if (!part.read(whole, index)) return nullptr;
    char* start = PyArray_BYTES(whole) + part.offset;
    if (is_single)
        return part.rank || PyArray_SETITEM(whole, start, x) < 0 ? nullptr : made.release();
    Ref view(view_of(whole, part.rank, part.shape, part.strides, start, true));
    if (!view || !PyArray_SAMESHAPE(array(view.get()), array(x)) ||
        PyArray_CopyInto(array(view.get()), array(x)) < 0)
        return nullptr;
    return made.release();
}

PyObject* put_slice(PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    std::vector<npy_intp> shape;
    Stretches to;
    PyObject* index = keyword(arguments, count, names, "index");
    if (count != 1 || !read_tuple(keyword(arguments, count, names, "shape"), &shape))
        return nullptr;
    if (!are_alike(arguments, 1, -1) || !to.read(array(arguments[0]), shape, index))
        return PyErr_Occurred() ? nullptr : put_anywhere(arguments[0], shape, index);
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
    std::vector<npy_intp> shape;
    if (count != 1 || !PyArray_CheckExact(x) || size(x) == 0 ||
        !read_tuple(keyword(arguments, count, names, "shape"), &shape))
        return nullptr;
    int64_t numbers = 1;
    for (npy_intp n : shape) numbers *= n < 0 ? 0 : n;
    if (numbers != size(x) || shape.empty()) return nullptr;
    if (PyArray_IS_C_CONTIGUOUS(array(x)) || fits_where_it_lies(array(x), shape)) {
        PyArray_Dims dims = {shape.data(), static_cast<int>(shape.size())};
        return PyArray_Newshape(array(x), &dims, NPY_CORDER);
    }
    if (!is_array(x, NPY_FLOAT32)) return nullptr;
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

PyObject* slice(PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    PyArrayObject* x = array(arguments[0]);
    PartOf part;
    if (count != 1 || !has_numbers(arguments[0]) ||
        !part.read(x, keyword(arguments, count, names, "index")))
        return nullptr;
    char* start = PyArray_BYTES(x) + part.offset;
    return part.rank ? view_of(x, part.rank, part.shape, part.strides, start, true)
                     : PyArray_ToScalar(start, x);
}

PyObject* transpose(PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    std::vector<npy_intp> order;
    if (count != 1 || !PyArray_CheckExact(arguments[0]) ||
        !read_tuple(keyword(arguments, count, names, "permutation"), &order))
        return nullptr;
    PyArray_Dims dims = {order.data(), static_cast<int>(order.size())};
    return PyArray_Transpose(array(arguments[0]), &dims);
}

// A copy where that is cheaper for those who read it than a view, as NumPy's kernel makes it.
PyObject* broadcast_to(PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    constexpr int64_t MAX_COPIED = 4096;
    PyObject* x = arguments[0];
    std::vector<npy_intp> shape;
    if (count != 1 || !read_tuple(keyword(arguments, count, names, "shape"), &shape) ||
        shape.empty())
        return nullptr;
    int rank = static_cast<int>(shape.size());
    int64_t numbers = 1;
    for (npy_intp n : shape)
        if (n < 0 || __builtin_mul_overflow(numbers, n, &numbers)) return nullptr;
    Ref held(PyArray_IsScalar(x, Number) ? PyArray_FromScalar(x, nullptr) : Py_NewRef(x));
    if (!(x = held.get())) return nullptr;
    if (!has_numbers(x) || PyArray_NDIM(array(x)) > rank) return nullptr;
    npy_intp strides[NPY_MAXDIMS] = {};
    int extra = rank - PyArray_NDIM(array(x));
    for (int i = extra; i < rank; i++) {
        npy_intp own = PyArray_DIM(array(x), i - extra);
        if (own != shape[i] && own != 1) return nullptr;
        strides[i] = own == 1 ? 0 : PyArray_STRIDE(array(x), i - extra);
    }
    PyObject* view = view_of(array(x), rank, shape.data(), strides, PyArray_BYTES(array(x)), false);
    if (!view || numbers > MAX_COPIED) return view;
    PyObject* made = PyArray_NewCopy(array(view), NPY_CORDER);
    Py_DECREF(view);
    return made;
}

}  // namespace

const KernelEntry LAYOUT[] = {{"concat", concat},
                              {"stack", stack},
                              {"put_slice", put_slice},
                              {"reshape", reshape},
                              {"slice", slice},
                              {"transpose", transpose},
                              {"broadcast_to", broadcast_to},
                              {nullptr, nullptr}};

}  // namespace gradtape
