// Floats of 16 bits (float16, bfloat16), which are computed in float32 and rounded.
#pragma once

#include "runtime/arrays.h"
#include "simd/vectors.h"

namespace gradtape {

struct HalfType {
    int number;  // NumPy's, of the dtype; -1 where it is not known
    Conversion widen, narrow;
    PyTypeObject* scalar;
};

// The type of an array or scalar of such floats, or null.
const HalfType* half_type_of(PyObject* x);
// The type whose number this is, or null.
const HalfType* half_type(int number);

// Floats are converted in blocks that stay in the first cache.
constexpr int64_t HALF_BLOCK = 1024;

// Whole arrays of the same shape, of float32 and of halves. New references, or null with an error.
PyObject* widened(PyObject* x, const HalfType& type);
PyObject* narrowed(PyObject* x, const HalfType& type);

// Adds `use_bfloat16`, which tells the module that dtype.
bool add_halves(PyObject* module);

}  // namespace gradtape
