// How a native kernel stands in for a NumPy kernel of the same name.
#pragma once

#include "runtime/arrays.h"

namespace gradtape {

// A native kernel looks at its arguments (positional, then the values of the keywords `names`, as
// in Python's vectorcall). It returns a new reference; or null with a Python error set; or null
// without one, which means "not mine": then the NumPy kernel is called with the same arguments.
using Attempt = PyObject* (*)(PyObject* const* arguments, Py_ssize_t count, PyObject* names);

struct KernelEntry {
    const char* name;
    Attempt attempt;
};

// Each chapter of kernels is a list of entries, ended by one without a name.
extern const KernelEntry PRODUCTS[];
extern const KernelEntry ELEMENTWISE[];
extern const KernelEntry REDUCTIONS[];
extern const KernelEntry ROWS[];
extern const KernelEntry INDEXING[];
extern const KernelEntry SEGMENTS[];
extern const KernelEntry ORDER[];
extern const KernelEntry NORMALIZE[];
extern const KernelEntry MOMENTS[];
extern const KernelEntry RANDOM[];
extern const KernelEntry LAYOUT[];
extern const KernelEntry CONVOLUTION[];
extern const KernelEntry POOLING[];
extern const KernelEntry ATTENTION[];
extern const KernelEntry RECURRENT[];

// Returns the keyword argument of this name, borrowed, or null.
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

// Calls what is native of a kernel, which warns of nothing; null without an error if `kernel` is
// another object, or its fallback is to be called.
PyObject* call_native(PyObject* kernel, PyObject* const* arguments, Py_ssize_t count,
                      PyObject* names);

// Adds `product`, for NumPy kernels that multiply matrices on their way.
bool add_products(PyObject* module);

}  // namespace gradtape
