// Ops on tensors on a device that only have to be queued: what `Eager.process` and `Queue.add` do
// (gradtape/backends/xla/runtime/tensor.py and gradtape/backends/xla/runtime/deferral.py).
#pragma once

#include "core/recording.h"

namespace gradtape::hot {

inline bool is_on_device(PyObject* x) {
    return core.DeviceTensor && Py_TYPE(x) == core.DeviceTensor;
}

inline bool is_device_variable(PyObject* x) {
    return core.DeviceVariable && Py_TYPE(x) == core.DeviceVariable;
}

// Returns the dtype of data on a device, borrowed; null without an error if it is not known here.
PyObject* device_dtype(PyObject* data);

// Queues an op that was queued before, with operands of the same forms. A new reference, or null:
// with an error set, or to be left to the interpreter in Python.
PyObject* apply_on_device(PyObject* prim, Inputs& inputs, PyObject* params);

bool prepare_queues(PyObject* module);

}  // namespace gradtape::hot
