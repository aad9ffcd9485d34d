// Sums of cotangents in place.
#pragma once

#include "core/core.h"

namespace gradtape::hot {

// total += x; false, without an error, for what is left to NumPy.
bool add_array(PyObject* total, PyObject* x);

// Whether an op takes a part x[i], x[i, j] …: then the cotangents of parts are added where they
// belong, instead of whole arrays that are zero elsewhere.
bool takes_part(PyObject* prim, PyObject* params);
// total[i] += x, total[i, j] += x …; false, without an error, where that is not possible.
bool add_part(PyObject* total, PyObject* params, PyObject* x);

bool prepare_sums(PyObject* module);

}  // namespace gradtape::hot
