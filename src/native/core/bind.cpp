#include "core/bind.h"

#include <vector>

#include "core/batched.h"
#include "core/forward.h"
#include "core/queued.h"

namespace gradtape::hot {
namespace {

// Shows an op to every interpreter that listens.
bool notify(PyObject* state, PyObject* prim, Notes* notes, Inputs& inputs, PyObject* params,
            PyObject* out, int skipped) {
    bool differentiable = is_true(core.differentiable_op.of(prim));
    PyObject* tapes = core.tapes.of(state);
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tapes); i++) {
        PyObject* tape = PyTuple_GET_ITEM(tapes, i);
        if (is_exactly_recording(tape)) {
            bool done = differentiable
                            ? record(recording(tape), prim, notes, inputs, params, out, skipped)
                            : end_path(recording(tape), prim, inputs, out);
            if (!done) return false;
            continue;
        }
        PyObject* all = inputs.tuple();
        if (!all) return false;
        PyObject* to_record[] = {tape, prim, all, params, out};
        PyObject* to_end[] = {tape, names.op, prim, all, out};
        Ref done(differentiable ? call_method(names.record, to_record, 5, nullptr)
                                : call_method(names.end_path, to_end, 5, nullptr));
        if (!done) return false;
    }
    PyObject* accumulators = core.accumulators.of(state);
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(accumulators); i++) {
        PyObject* accumulator = PyTuple_GET_ITEM(accumulators, i);
        Moved moved = move_tangents(accumulator, i, state, prim, notes, inputs, params, out);
        if (moved == Moved::failed) return false;
        if (moved == Moved::done) continue;
        PyObject* all = inputs.tuple();
        if (!all) return false;
        PyObject* arguments[] = {accumulator, prim, all, params, out};
        if (!Ref(call_method(names.record, arguments, 5, nullptr))) return false;
    }
    return true;
}

// Recovers from a kernel that failed: Python's side computes again, or says what is wrong, "while
// handling" the error.
PyObject* recover(PyObject* prim, Inputs& inputs, PyObject* params) {
    if (!PyErr_ExceptionMatches(PyExc_Exception)) return nullptr;
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    PyErr_NormalizeException(&type, &value, &traceback);
    if (traceback && value) PyException_SetTraceback(value, traceback);
    Ref held_type(type), error(value), held_traceback(traceback);
    PyObject* all = inputs.tuple();
    if (!all) return nullptr;
    Ref handled(PyErr_GetHandledException());
    PyErr_SetHandledException(error.get());
    PyObject* arguments[] = {prim, all, params, error.get()};
    PyObject* data = call_python(core.recover, arguments, 4, nullptr);
    PyErr_SetHandledException(handled.get());
    return data;
}

bool has_one_output(PyObject* prim) {
    PyObject* outputs = core.outputs.of(prim);
    return outputs && PyLong_CheckExact(outputs) && PyLong_AsLong(outputs) == 1;
}

// Returns the results of a kernel as tensors; takes the reference.
PyObject* wrapped(PyObject* prim, PyObject* data) {
    if (!data || has_one_output(prim)) return new_tensor(data);
    Ref held(data), all(PySequence_Tuple(data));
    if (!all) return nullptr;
    Py_ssize_t count = PyTuple_GET_SIZE(all.get());
    Ref results(PyTuple_New(count));
    for (Py_ssize_t i = 0; results && i < count; i++) {
        PyObject* result = new_tensor(Py_NewRef(PyTuple_GET_ITEM(all.get(), i)));
        if (!result) return nullptr;
        PyTuple_SET_ITEM(results.get(), i, result);
    }
    return results.release();
}

PyObject* run(PyObject* prim, Notes* notes, Inputs& inputs, PyObject* params) {
    Py_ssize_t count = inputs.count();
    Op op = known_op(prim, notes);
    if (op != NO_OP && count == arity_of(op) && PyDict_GET_SIZE(params) == 0) {
        Number x = number_in(tensor(inputs[0])->data);
        if (x.kind != Number::none) {
            Number y = count == 2 ? number_in(tensor(inputs[1])->data) : x;
            Number result = compute(op, x, y);
            if (result.kind != Number::none) return new_tensor(new_number(result));
        }
    }
    constexpr Py_ssize_t FEW = 8;
    PyObject* few[FEW];
    std::vector<PyObject*> many;
    PyObject** data = few;
    if (count > FEW) {
        many.resize(count);
        data = many.data();
    }
    for (Py_ssize_t i = 0; i < count; i++) data[i] = tensor(inputs[i])->data;
    PyObject* made = call_kernel(core.kernel.of(prim), data, count, params);
    return wrapped(prim, made ? made : recover(prim, inputs, params));
}

PyObject* notified(PyObject* out, PyObject* state, PyObject* prim, Notes* notes, Inputs& inputs,
                   PyObject* params, int skipped) {
    if (out && state != core.empty_state &&
        !notify(state, prim, notes, inputs, params, out, skipped))
        Py_CLEAR(out);
    return out;
}

PyObject* bound(PyObject* prim, Inputs& inputs, bool plain, PyObject* params, PyObject* state,
                int skipped) {
    Notes* notes = notes_of(prim);
    if (!notes) return nullptr;
    PyObject* out;
    if (!plain && is_true(core.depth.of(state))) {
        out = apply_to_batch(prim, inputs, params, state);
        if (!out && !PyErr_Occurred()) out = apply_on_device(prim, inputs, params);
        if (!out) {
            if (PyErr_Occurred()) return nullptr;
            PyObject* to_interpret[] = {prim, inputs.tuple(), params};
            if (!to_interpret[1]) return nullptr;
            out = call_python(core.interpret, to_interpret, 3, nullptr);
        }
    } else {
        out = run(prim, notes, inputs, params);
    }
    return notified(out, state, prim, notes, inputs, params, skipped);
}

// bind(prim, inputs, params): see gradtape.core.bind.
PyObject* bind(PyObject*, PyObject* const* arguments, Py_ssize_t given, PyObject* keywords) {
    auto reference = [&] { return call_python(core.bind, arguments, given, keywords); };
    if (keywords || given < 2 || given > 3 || Py_TYPE(arguments[0]) != core.Primitive ||
        !PyTuple_CheckExact(arguments[1]) || !tensors_are_ours())
        return reference();
    PyObject *prim = arguments[0], *all = arguments[1];
    PyObject* params = given == 3 ? arguments[2] : core.no_params;
    Py_ssize_t count = PyTuple_GET_SIZE(all);
    if (!PyDict_CheckExact(params) || count == 0) return reference();
    bool plain = true;
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject* x = PyTuple_GET_ITEM(all, i);
        if (!is_tensor(x) || !tensor(x)->data) return reference();
        plain &= is_exactly_tensor(x);
    }
    Ref state = current_state();
    if (!state) return nullptr;
    Inputs inputs(&PyTuple_GET_ITEM(all, 0), count, all);
    return bound(prim, inputs, plain, params, state.get(), 1);
}

// Makes the marks that a variable's value needs. Returns whether that can be done here.
bool mark_read(PyObject* variable, PyObject* state, PyObject* value, bool* done) {
    *done = false;
    PyObject* tapes = core.tapes.of(state);
    if (PyTuple_GET_SIZE(core.accumulators.of(state))) return true;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tapes); i++) {
        PyObject* tape = PyTuple_GET_ITEM(tapes, i);
        if (!is_exactly_recording(tape) || recording(tape)->lost) return true;
    }
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tapes); i++) {
        Recording* tape = recording(PyTuple_GET_ITEM(tapes, i));
        Py_ssize_t slot = tape->watch_variables && is_true(core.trainable.of(variable))
                              ? watch(tape, variable)
                              : slot_of(tape, variable);
        if (slot == -2) return false;
        if (slot >= 0 && !add_mark(tensor(value), tape->key, slot)) return false;
    }
    *done = true;
    return true;
}

PyMethodDef functions[] = {{"bind",
                            reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(
                                static_cast<_PyCFunctionFastWithKeywords>(bind))),
                            METH_FASTCALL | METH_KEYWORDS,
                            "bind(prim, inputs, params={})\n--\n\nApply `prim` to tensors."},
                           {nullptr, nullptr, 0, nullptr}};

}  // namespace

PyObject* apply(PyObject* prim, PyObject* const* items, Py_ssize_t count, PyObject* params,
                PyObject* state) {
    bool plain = true;
    for (Py_ssize_t i = 0; i < count; i++) plain &= is_exactly_tensor(items[i]);
    Inputs inputs(items, count);
    return bound(prim, inputs, plain, params ? params : core.no_params, state, 0);
}

PyObject* read_variable(PyObject* variable, PyObject* state) {
    PyObject *data = core.variable_data.of(variable), *snapshot = core.snapshot.of(variable);
    if (!data || !snapshot) return call_python(core.read, variable);
    if (PyTuple_CheckExact(snapshot) && PyTuple_GET_SIZE(snapshot) == 2 &&
        PyTuple_GET_ITEM(snapshot, 0) == core.token.of(state)) {
        PyObject* value = PyTuple_GET_ITEM(snapshot, 1);
        bool ours = is_exactly_tensor(value) || is_on_device(value);
        if (ours && tensor(value)->data == data) return Py_NewRef(value);
    }
    if (core.trace.of(state) != Py_None) return call_python(core.read, variable);
    Number number = number_in(data);
    bool real = number.kind != Number::none || is_array(data, NPY_FLOAT32) ||
                is_array(data, NPY_FLOAT64);
    if (!real || !tensors_are_ours()) return call_python(core.read, variable);
    Ref value(new_tensor(Py_NewRef(data)));
    bool done = false;
    if (!value || !mark_read(variable, state, value.get(), &done)) return nullptr;
    if (!done) return call_python(core.read, variable);
    PyObject* taken = PyTuple_Pack(2, core.token.of(state), value.get());
    if (!taken) return nullptr;
    core.snapshot.set(variable, taken);
    return value.release();
}

bool prepare_bind(PyObject* module) { return PyModule_AddFunctions(module, functions) == 0; }

}  // namespace gradtape::hot
