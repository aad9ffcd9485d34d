// Sums of cotangents in place.
#pragma once

#include "core/core.h"

namespace gradtape::hot {

// Adds x to total; false, without an error, for what is left to NumPy.
bool add_array(PyObject* total, PyObject* x);

// Returns whether an op is x[i], x[i, j] … with constant indices: then cotangents are added to the
// elements that they belong to, instead of whole arrays that are zero elsewhere. -1 with an error
// set.
int is_constant_index(PyObject* prim, PyObject* params);
// Adds x to total[i], total[i, j] …; false, perhaps with an error set, where that is not possible.
bool add_at_index(PyObject* total, PyObject* params, PyObject* x);

// Sums a cotangent with this data over the axes along which a tensor of this shape was repeated, as
// `ops.sum_to_shape` does. Null, without an error, for what is left to that.
Ref sum_to_shape(PyObject* x, PyObject* data, const npy_intp* shape, int rank);

bool prepare_sums(PyObject* module);

}  // namespace gradtape::hot
