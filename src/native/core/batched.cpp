#include "core/batched.h"

#include <algorithm>

#include "core/bind.h"

namespace gradtape::hot {
namespace {

constexpr Py_ssize_t MAX_INPUTS = 32;

// Returns the number of axes; -1 if that is not known here.
Py_ssize_t rank_of(PyObject* data) {
    if (PyArray_CheckExact(data)) return PyArray_NDIM(array(data));
    if (is_number(data)) return 0;
    if (Py_TYPE(data) != core.Spec || !PyTuple_CheckExact(core.spec_shape.of(data))) return -1;
    return PyTuple_GET_SIZE(core.spec_shape.of(data));
}

// Returns the vmap that all inputs but the plain ones belong to, borrowed; null if there is none.
PyObject* only_batch(const Inputs& inputs) {
    PyObject* batch = nullptr;
    for (Py_ssize_t i = 0; i < inputs.count(); i++) {
        if (is_exactly_tensor(inputs[i])) continue;
        if (!is_batched(inputs[i])) return nullptr;
        PyObject* own = core.interpreter.of(inputs[i]);
        if (!own || (batch && own != batch)) return nullptr;
        batch = own;
    }
    return batch && Py_TYPE(batch) == core.Batch ? batch : nullptr;
}

// Returns whether stacks broadcast as their examples do, as they are.
bool are_aligned(const Inputs& inputs, PyObject* const* physical) {
    Py_ssize_t rank = 0;
    for (Py_ssize_t i = 0; i < inputs.count(); i++) {
        Py_ssize_t own = rank_of(tensor(physical[i])->data);
        if (own < 0) return false;
        rank = std::max(rank, own - is_batched(inputs[i]));
    }
    for (Py_ssize_t i = 0; i < inputs.count(); i++)
        if (is_batched(inputs[i]) && rank_of(tensor(physical[i])->data) - 1 != rank) return false;
    return true;
}

// Calls the batching rule: rule(prim, size, batched, inputs, params).
Ref call_rule(PyObject* prim, PyObject* batch, const Inputs& inputs, PyObject* const* physical,
              PyObject* params) {
    Py_ssize_t count = inputs.count();
    Ref flags(PyTuple_New(count)), stacks(PyTuple_New(count));
    if (!flags || !stacks) return Ref();
    for (Py_ssize_t i = 0; i < count; i++) {
        PyTuple_SET_ITEM(flags.get(), i, PyBool_FromLong(is_batched(inputs[i])));
        PyTuple_SET_ITEM(stacks.get(), i, Py_NewRef(physical[i]));
    }
    PyObject* arguments[] = {prim, core.batch_size.of(batch), flags.get(), stacks.get(), params};
    return Ref(call_python(core.batch_rule.of(prim), arguments, 5, nullptr));
}

// Returns the spec of one example of a stack.
Ref example_spec(PyObject* stack) {
    Ref spec(spec_of(stack));
    if (!spec || Py_TYPE(spec.get()) != core.Spec) return spec;
    PyObject* shape = core.spec_shape.of(spec.get());
    if (!PyTuple_CheckExact(shape)) {
        PyErr_SetString(PyExc_TypeError, "the shape of a stack is a tuple");
        return Ref();
    }
    Ref own(core.Spec->tp_alloc(core.Spec, 0)), rest(PyTuple_GetSlice(shape, 1, PY_SSIZE_T_MAX));
    if (!own || !rest) return Ref();
    core.spec_shape.of(own.get()) = rest.release();
    core.spec_dtype.of(own.get()) = Py_NewRef(core.spec_dtype.of(spec.get()));
    return own;
}

// Returns a stack as one example of it: a new `BatchedTensor`.
PyObject* wrapped(PyObject* stack, PyObject* batch) {
    if (!is_tensor(stack)) {
        PyErr_Format(PyExc_TypeError, "a batching rule gives tensors, not %R", stack);
        return nullptr;
    }
    Ref spec = example_spec(stack);
    PyObject* made = spec ? core.BatchedTensor->tp_alloc(core.BatchedTensor, 0) : nullptr;
    if (!made) return nullptr;
    tensor(made)->data = spec.release();
    core.interpreter.of(made) = Py_NewRef(batch);
    core.physical.of(made) = Py_NewRef(stack);
    return made;
}

}  // namespace

PyObject* apply_to_batch(PyObject* prim, Inputs& inputs, PyObject* params, PyObject* state) {
    Py_ssize_t count = inputs.count();
    Ref batch = Ref::to(count <= MAX_INPUTS ? only_batch(inputs) : nullptr);
    PyObject* rule = core.batch_rule.of(prim);
    if (!batch || core.trace.of(state) != Py_None || core.batch_active.of(batch.get()) != Py_True ||
        !rule || !PyFunction_Check(rule))
        return nullptr;
    PyObject* physical[MAX_INPUTS];
    for (Py_ssize_t i = 0; i < count; i++) {
        physical[i] = is_batched(inputs[i]) ? core.physical.of(inputs[i]) : inputs[i];
        if (!physical[i] || !is_tensor(physical[i]) || !tensor(physical[i])->data) return nullptr;
    }
    Ref out;
    if (rule == core.batch_elementwise && are_aligned(inputs, physical))
        out = Ref(apply(prim, physical, count, params, state));
    else out = call_rule(prim, batch.get(), inputs, physical, params);
    if (!out || is_tensor(out.get())) return out ? wrapped(out.get(), batch.get()) : nullptr;
    Ref stacks(PySequence_Tuple(out.get()));
    Ref results(stacks ? PyTuple_New(PyTuple_GET_SIZE(stacks.get())) : nullptr);
    for (Py_ssize_t i = 0; results && i < PyTuple_GET_SIZE(stacks.get()); i++) {
        PyObject* made = wrapped(PyTuple_GET_ITEM(stacks.get(), i), batch.get());
        if (!made) return nullptr;
        PyTuple_SET_ITEM(results.get(), i, made);
    }
    return results.release();
}

}  // namespace gradtape::hot
