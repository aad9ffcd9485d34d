// How a native kernel stands in for a NumPy kernel of the same name.
#pragma once

#include "arrays.h"

namespace gradtape {

// A native kernel looks at its arguments (positional, then the values of the keywords `names`, as
// in Python's vectorcall). It returns a new reference; or null with a Python error set; or null
// without one, which means "not mine": then the NumPy kernel is called with the same arguments.
using Attempt = PyObject* (*)(PyObject* const* arguments, Py_ssize_t count, PyObject* names);

struct Entry {
    const char* name;
    Attempt attempt;
};

// Each chapter of kernels is a list of entries, ended by one without a name.
extern const Entry PRODUCTS[];
extern const Entry ELEMENTWISE[];
extern const Entry REDUCTIONS[];
extern const Entry ROWS[];
extern const Entry INDEXING[];
extern const Entry NORMALIZE[];
extern const Entry MOMENTS[];
extern const Entry RANDOM[];
extern const Entry LAYOUT[];
extern const Entry CONVOLUTION[];
extern const Entry POOLING[];
extern const Entry ATTENTION[];
extern const Entry RECURRENT[];

// The keyword argument of this name, borrowed, or null.
inline PyObject* keyword(PyObject* const* arguments, Py_ssize_t count, PyObject* names,
                         const char* name) {
    if (names) {
        for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(names); i++) {
            if (PyUnicode_CompareWithASCIIString(PyTuple_GET_ITEM(names, i), name) == 0)
                return arguments[count + i];
        }
    }
    return nullptr;
}

// Creates the Python type of kernels and adds it, with the function `kernel`, to the module.
bool add_kernels(PyObject* module);

// Adds `product`, for NumPy kernels that multiply matrices on their way.
bool add_products(PyObject* module);

}  // namespace gradtape
