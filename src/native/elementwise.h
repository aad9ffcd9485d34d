// Elementwise ops for those who compute derivatives.
#pragma once

#include "arrays.h"
#include "vectors.h"

namespace gradtape {

// An op on two arrays of float32 (or deferred ones): a new array, or an op that is put off; null
// without an error where they are of another kind.
PyObject* pairwise(Binary op, PyObject* x, PyObject* y);

}  // namespace gradtape
