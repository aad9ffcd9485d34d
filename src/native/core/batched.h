// Ops on the tensors of a `vmap`: what `Batch.process` (gradtape/engine/vmap.py) does.
#pragma once

#include "core/recording.h"

namespace gradtape::hot {

inline bool is_batched(PyObject* x) {
    return core.BatchedTensor && Py_TYPE(x) == core.BatchedTensor;
}

// Applies a primitive by its batching rule, if all that is not a plain tensor belongs to one vmap.
// A new reference, or null: with an error set, or to be left to the interpreter in Python.
PyObject* apply_to_batch(PyObject* prim, Inputs& inputs, PyObject* params, PyObject* state);

}  // namespace gradtape::hot
