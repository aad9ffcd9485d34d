// Forward mode without Python: what `ForwardAccumulator.record` (gradtape/engine/forward.py) does.
#pragma once

#include "core/recording.h"

namespace gradtape::hot {

enum class Moved { done, by_python, failed };

// Computes the tangents of an op's results for the accumulator with this index in the state, and
// marks the results with them. `by_python`: nothing has been done, the accumulator's method is to.
// `failed`: an error is set.
Moved move_tangents(PyObject* accumulator, Py_ssize_t index, PyObject* state, PyObject* prim,
                    Notes* notes, Inputs& inputs, PyObject* params, PyObject* out);

}  // namespace gradtape::hot
