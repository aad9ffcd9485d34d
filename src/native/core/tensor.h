// Where a tensor's value and marks are kept: the C base of the class `Tensor`.
#pragma once

#include "core/core.h"
#include "fusion/deferred.h"

namespace gradtape::hot {

struct Tensor {
    PyObject_HEAD
    PyObject* data;
    // The newest mark lies in the tensor itself; `marks` is the chain of older ones (null: none).
    // Python's side sees one chain of tuples (key, slot, next).
    PyObject* key;
    Py_ssize_t slot;
    PyObject* marks;
    PyObject* origin;
    PyObject* dict;
    PyObject* weak;
    bool watched;  // some recording may have it among its leaves
};

extern PyTypeObject* tensor_storage;

inline bool is_exactly_tensor(PyObject* x) { return Py_TYPE(x) == core.Tensor; }
inline bool is_tensor(PyObject* x) {
    return is_exactly_tensor(x) || PyObject_TypeCheck(x, tensor_storage);
}
// Returns whether data is a NumPy scalar; the commonest are recognized first.
inline bool is_number(PyObject* data) {
    return Py_TYPE(data) == &PyFloatArrType_Type || Py_TYPE(data) == &PyDoubleArrType_Type ||
           PyArray_IsScalar(data, Generic);
}
inline Tensor* tensor(PyObject* x) { return reinterpret_cast<Tensor*>(x); }

// Returns whether making a tensor means what it does here: nobody put another `__init__` in place.
bool tensors_are_ours();

// Returns a new tensor that holds `data`, whose reference it takes; null stays null.
PyObject* new_tensor(PyObject* data);
// Returns NumPy scalars; those of freed tensors are used again.
PyObject* new_number(float value);
PyObject* new_number(double value);

// Returns the slot that a mark with this key has given the tensor; -1 if there is none.
Py_ssize_t marked_slot(Tensor* x, PyObject* key);
// Returns whether there is a mark with this key (of whatever kind).
bool has_mark(Tensor* x, PyObject* key);
bool add_mark(Tensor* x, PyObject* key, Py_ssize_t slot);
// Returns the tangent that a mark with this key has given the tensor, borrowed, or null; and gives
// it one.
PyObject* marked_tangent(Tensor* x, PyObject* key);
bool add_tangent(Tensor* x, PyObject* key, PyObject* tangent);

// Reads the shape of a tensor's data: an array, a number, or a `Spec` without open sizes. Returns
// the rank, at most NPY_MAXDIMS; -1 for all else.
int read_shape(PyObject* data, npy_intp* sizes);

// Returns a new reference to the `Spec` of a tensor.
PyObject* spec_of(PyObject* x);

bool prepare_tensors(PyObject* module);

}  // namespace gradtape::hot
