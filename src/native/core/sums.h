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

bool prepare_sums(PyObject* module);

}  // namespace gradtape::hot
