// NumPy arrays as the kernels see them. Every file that uses NumPy's C API includes this one.
#pragma once

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#define NPY_TARGET_VERSION NPY_2_0_API_VERSION
#define PY_ARRAY_UNIQUE_SYMBOL gradtape_numpy_api
#ifndef GRADTAPE_IMPORTS_NUMPY
#define NO_IMPORT_ARRAY
#endif
#include <numpy/arrayobject.h>
#include <numpy/arrayscalars.h>

#include <cstdint>

#include "runtime/calls.h"

namespace gradtape {

// Returns a new, uninitialized array in C order. Its memory starts at a cache line, which wide
// vectors want, and comes from a store of freed blocks: a training step asks for the same sizes
// again.
PyObject* new_array(int rank, const npy_intp* shape, int type);
inline PyObject* new_array_like(PyArrayObject* x, int type = NPY_FLOAT32) {
    return new_array(PyArray_NDIM(x), PyArray_DIMS(x), type);
}
// Sets up the memory store; to be called once. False with a Python error set if it failed.
bool prepare_memory();

inline bool is_array(PyObject* x, int type) {
    return PyArray_CheckExact(x) &&
           PyArray_DESCR(reinterpret_cast<PyArrayObject*>(x))->type_num == type &&
           PyArray_ISNOTSWAPPED(reinterpret_cast<PyArrayObject*>(x));
}
inline PyArrayObject* array(PyObject* x) { return reinterpret_cast<PyArrayObject*>(x); }

// Returns whether x is a whole array in C order: `data()` may be walked from its beginning to its
// end.
inline bool is_plain(PyObject* x, int type = NPY_FLOAT32) {
    return is_array(x, type) && PyArray_ISCARRAY_RO(array(x));
}
template <class Number = float>
inline Number* data(PyObject* x) {
    return static_cast<Number*>(PyArray_DATA(array(x)));
}
inline int64_t size(PyObject* x) { return PyArray_SIZE(array(x)); }
inline bool same_shape(PyObject* x, PyObject* y) { return PyArray_SAMESHAPE(array(x), array(y)); }

// Returns a NumPy scalar, the form of a value of rank 0.
inline PyObject* new_scalar(float value) {
    PyObject* scalar = PyArrayScalar_New(Float);
    if (scalar) PyArrayScalar_ASSIGN(scalar, Float, value);
    return scalar;
}

// Set, under Python's lock, while kernels must not give it up (core/transaction.cpp).
inline bool keeps_lock = false;

// Lets other Python threads run while a long kernel works.
class WithoutLock {
  public:
    explicit WithoutLock(double nanoseconds) {
        if (nanoseconds > 50e3 && !keeps_lock) state_ = PyEval_SaveThread();
    }
    ~WithoutLock() {
        if (state_) take_back(state_);
    }
    WithoutLock(const WithoutLock&) = delete;
    WithoutLock& operator=(const WithoutLock&) = delete;

  private:
    PyThreadState* state_ = nullptr;
};

}  // namespace gradtape
