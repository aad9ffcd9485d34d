// The hot core in C: tensors, `bind`, recordings, the backward walk. Each part does what the Python
// module of the same name does (gradtape/core, gradtape/engine: read those first), and hands what
// is rare back to it.
#pragma once

#include "runtime/arrays.h"
#include "runtime/ref.h"

namespace gradtape::hot {

// A slot (`__slots__`) of a class written in Python, read and written at its offset in the object.
// Only for objects whose type is known to be that class.
class Field {
  public:
    bool find(PyTypeObject* type, const char* name);  // false with an error set if there is none
    PyObject*& of(PyObject* object) const {
        return *reinterpret_cast<PyObject**>(reinterpret_cast<char*>(object) + offset_);
    }
    void set(PyObject* object, PyObject* owned) const {
        PyObject* old = of(object);
        of(object) = owned;
        Py_XDECREF(old);
    }

  private:
    Py_ssize_t offset_ = 0;
};

// The classes and functions that Python has registered by `connect` (core.cpp). Null until then.
struct Core {
    PyTypeObject *Tensor, *Variable, *Spec, *Primitive, *Rule, *State, *Recording, *IndexedSlices,
        *Size, *Accumulator, *Batch, *BatchedTensor;
    // gradtape.backends.xla.runtime, where devices are used; JAX's classes of arrays and shardings
    PyTypeObject *DeviceTensor, *DeviceVariable, *DeferredArray, *DeferrableOp, *TypedOp, *Call,
        *Span, *Form, *DeviceArray, *OneDevice;
    PyObject *state_variable, *empty_state, *no_params;
    PyObject *bind, *interpret, *recover, *call_kernel;  // gradtape.core.bind
    PyObject* record_rule;                               // gradtape.ops.rule_programs
    PyObject *user_files, *library_files, *user_frame;   // gradtape.core.source_location
    PyObject* differentiable;                            // the dtypes with derivatives
    PyObject* constant;                                  // convert._scalar
    PyObject* operators;                                 // dunder -> function, of ops.operators
    PyObject* read;                                      // Variable.__tf_tensor__
    PyObject *zeros_like, *batch_elementwise;            // gradtape.ops
    PyObject *backward, *completed, *add_slices, *sum_to_shape, *seed;  // gradtape.engine.backward
    PyObject *device_variable, *host_device;                            // which device is asked for
    PyObject *queue, *queue_limits, *queued_ops, *call_serials, *form_of, *number_beside;
    Field spec_shape, spec_dtype;
    Field tapes, accumulators, depth, trace, token;  // of State
    Field name, kernel, outputs, differentiable_op, vjps, joint, broadcasts, arity, variadic, notes;
    Field structure, jvps, joint_jvp;                       // of Primitive, too: forward mode
    Field call, values, needs_ans;                          // of Rule
    Field variable_data, snapshot, trainable, writer;       // of Variable
    Field accumulator_key, accumulator_leaves;              // of ForwardAccumulator
    Field batch_rule;                                       // of Primitive
    Field batch_active, batch_size;                         // of Batch
    Field interpreter, physical;                            // of BatchedTensor
    Field op_typed, typed_forms, typed_is_small;            // of DeferrableOp and TypedOp
    Field call_typed, call_operands, call_serial;           // of Call
    Field span_waiting, span_nbytes, span_held, span_room;  // of Span
    Field form_shape, form_dtype, form_nbytes;              // of Form
    Field array_call, array_index, array_form, array_shape, array_dtype, array_sharding, array_step,
        array_value, array_copy;  // of DeferredArray
};
extern Core core;

// Names of attributes and methods, made once.
struct Names {
    PyObject *record, *end_path, *spec, *shape, *dtype, *data, *recorded_data, *carry, *key,
        *to_tensor;
    PyObject *op, *exponent, *name;
    PyObject *aval, *sharding, *span, *run_if_full;
};
extern Names names;

// Returns the state of this context (a new reference); null with an error set if there is none.
inline Ref current_state() {
    PyObject* state = nullptr;
    if (!core.state_variable || !core.State ||
        PyContextVar_Get(core.state_variable, nullptr, &state) < 0 || !state ||
        Py_TYPE(state) != core.State || !core.tapes.of(state) ||
        !PyTuple_CheckExact(core.tapes.of(state)) || !core.accumulators.of(state) ||
        !PyTuple_CheckExact(core.accumulators.of(state))) {
        Py_XDECREF(state);
        if (!PyErr_Occurred()) PyErr_SetString(PyExc_RuntimeError, "gradtape has no state here");
        return Ref();
    }
    return Ref(state);
}
// Returns the state that `before.replaced(tapes=..., accumulators=...)` gives.
Ref replaced(PyObject* before, PyObject* tapes, PyObject* accumulators);
inline bool set_state(PyObject* state) {
    return static_cast<bool>(Ref(PyContextVar_Set(core.state_variable, state)));
}
inline bool is_true(PyObject* x) {
    return x == Py_True || (x && x != Py_False && x != Py_None && PyObject_IsTrue(x) == 1);
}

bool add_core(PyObject* module);

}  // namespace gradtape::hot
