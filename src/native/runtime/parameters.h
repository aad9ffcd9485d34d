// Reads parameters of ops, which Python hands over as objects.
#pragma once

#include <vector>

#include "runtime/arrays.h"

namespace gradtape {

// Reads a tuple of integers, one for each axis. False, with or without an error, for anything else.
inline bool read_tuple(PyObject* given, std::vector<npy_intp>* numbers) {
    if (!given || !PyTuple_Check(given)) return false;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(given); i++) {
        PyObject* item = PyTuple_GET_ITEM(given, i);
        if (!PyLong_CheckExact(item)) return false;
        numbers->push_back(PyLong_AsSsize_t(item));
    }
    return !PyErr_Occurred() && numbers->size() <= NPY_MAXDIMS;
}

}  // namespace gradtape
