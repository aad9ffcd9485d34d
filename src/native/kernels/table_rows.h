// Rows of tables, for the kernels that take or combine them by number.
#pragma once

#include <cstring>

#include "kernels/indices.h"
#include "runtime/arrays.h"

namespace gradtape {

inline bool read_size(PyObject* x, int64_t* value) {
    if (!x || !PyLong_Check(x)) return false;
    *value = PyLong_AsLongLong(x);
    return *value >= 0 && !PyErr_Occurred();
}

inline int64_t product_of(const npy_intp* shape, int begin, int end) {
    int64_t total = 1;
    for (int i = begin; i < end; i++) total *= shape[i];
    return total;
}

// Any whole array but one of Python objects: rows are copied as bytes.
inline bool is_whole(PyObject* x) {
    return PyArray_CheckExact(x) && PyArray_ISCARRAY_RO(array(x)) &&
           !PyDataType_REFCHK(PyArray_DESCR(array(x)));
}

inline double time_of_row(int64_t bytes) { return 0.1 * static_cast<double>(bytes) + 2; }

inline void copy_row(char* to, const char* from, int64_t bytes) {
    if (bytes == 4) std::memcpy(to, from, 4);
    else if (bytes == 8) std::memcpy(to, from, 8);
    else std::memcpy(to, from, static_cast<size_t>(bytes));
}

}  // namespace gradtape
