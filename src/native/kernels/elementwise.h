// Elementwise ops for those who compute derivatives.
#pragma once

#include "op_table.h"
#include "runtime/arrays.h"

namespace gradtape {

// Computes an op on two arrays of float32 (or deferred ones): a new array, or a deferred op; null
// without an error where they are of another kind.
PyObject* pairwise(Op op, PyObject* x, PyObject* y);

// About how long an element takes on one core, in nanoseconds: the memory's time, if not the op's.
double time_of(Op op);

// The same ops on float16 or bfloat16: a new array, or null without an error.
PyObject* of_halves(Op op, PyObject* x);
PyObject* of_halves(Op op, PyObject* x, PyObject* y);
PyObject* compare_halves(Comparison op, PyObject* x, PyObject* y);

// The same on small arrays of float64 and of integers.
PyObject* of_small(Op op, PyObject* x);
PyObject* of_small(Op op, PyObject* x, PyObject* y);
PyObject* compare_small(Comparison op, PyObject* x, PyObject* y);
PyObject* select_small(PyObject* condition, PyObject* x, PyObject* y);

}  // namespace gradtape
