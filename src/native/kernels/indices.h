// Integers of 32 or 64 bits that number classes, rows or segments.
#pragma once

#include "runtime/arrays.h"

namespace gradtape {

struct Indices {
    const int32_t* narrow = nullptr;
    const int64_t* wide = nullptr;
    int64_t count = 0;

    // Reads a whole array of them, with at least one axis.
    bool read(PyObject* x) {
        if (is_plain(x, NPY_INT32)) narrow = data<int32_t>(x);
        else if (is_plain(x, NPY_INT64)) wide = data<int64_t>(x);
        else return false;
        count = size(x);
        return PyArray_NDIM(array(x)) > 0;
    }
    int64_t operator[](int64_t i) const { return wide ? wide[i] : narrow[i]; }
    // Returns whether all are at least `low` and less than `high`.
    bool lie_in(int64_t low, int64_t high) const {
        bool good = true;
        for (int64_t i = 0; i < count; i++) good &= (*this)[i] >= low && (*this)[i] < high;
        return good;
    }
};

}  // namespace gradtape
