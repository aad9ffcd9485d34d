// How the core learns of Python's classes and functions, and the states of contexts.
#include "core/core.h"

#include <structmember.h>

#include <cstddef>
#include <utility>

#include "core/backward.h"
#include "core/bind.h"
#include "core/ops.h"
#include "core/queued.h"
#include "core/recording.h"
#include "core/rules.h"
#include "core/sums.h"
#include "core/tensor.h"
#include "core/transaction.h"

namespace gradtape::hot {

Core core = {};
Names names = {};

bool Field::find(PyTypeObject* type, const char* name) {
    Ref attribute(PyObject_GetAttrString(reinterpret_cast<PyObject*>(type), name));
    if (!attribute) return false;
    if (Py_TYPE(attribute.get()) != &PyMemberDescr_Type) {
        PyErr_Format(PyExc_TypeError, "%R has no slot %s", type, name);
        return false;
    }
    const PyMemberDef* member = reinterpret_cast<PyMemberDescrObject*>(attribute.get())->d_member;
    if (member->type != T_OBJECT_EX) {
        PyErr_Format(PyExc_TypeError, "%s of %R is not a slot for an object", name, type);
        return false;
    }
    offset_ = member->offset;
    return true;
}

namespace {

struct Connection {
    const char* name;
    PyObject** target;
};
template <class Pointer>
PyObject** address_of(Pointer* pointer) {
    return reinterpret_cast<PyObject**>(pointer);
}
const Connection OBJECTS[] = {
    {"state_variable", &core.state_variable},
    {"empty_state", &core.empty_state},
    {"no_params", &core.no_params},
    {"bind", &core.bind},
    {"interpret", &core.interpret},
    {"recover", &core.recover},
    {"call_kernel", &core.call_kernel},
    {"user_files", &core.user_files},
    {"library_files", &core.library_files},
    {"user_frame", &core.user_frame},
    {"differentiable", &core.differentiable},
    {"constant", &core.constant},
    {"operators", &core.operators},
    {"record_rule", &core.record_rule},
    {"read", &core.read},
    {"zeros_like", &core.zeros_like},
    {"batch_elementwise", &core.batch_elementwise},
    {"backward", &core.backward},
    {"completed", &core.completed},
    {"add_slices", &core.add_slices},
    {"sum_to_shape", &core.sum_to_shape},
    {"seed", &core.seed},
    {"device_variable", &core.device_variable},
    {"host_device", &core.host_device},
    {"queue", &core.queue},
    {"queue_limits", &core.queue_limits},
    {"queued_ops", &core.queued_ops},
    {"call_serials", &core.call_serials},
    {"form_of", &core.form_of},
    {"number_beside", &core.number_beside},
};
const Connection TYPES[] = {
    {"Variable", address_of(&core.Variable)},
    {"Primitive", address_of(&core.Primitive)},
    {"Rule", address_of(&core.Rule)},
    {"State", address_of(&core.State)},
    {"Recording", address_of(&core.Recording)},
    {"IndexedSlices", address_of(&core.IndexedSlices)},
    {"Size", address_of(&core.Size)},
    {"Accumulator", address_of(&core.Accumulator)},
    {"Batch", address_of(&core.Batch)},
    {"BatchedTensor", address_of(&core.BatchedTensor)},
    {"DeviceTensor", address_of(&core.DeviceTensor)},
    {"DeviceVariable", address_of(&core.DeviceVariable)},
    {"DeferredArray", address_of(&core.DeferredArray)},
    {"DeferrableOp", address_of(&core.DeferrableOp)},
    {"TypedOp", address_of(&core.TypedOp)},
    {"Call", address_of(&core.Call)},
    {"Span", address_of(&core.Span)},
    {"Form", address_of(&core.Form)},
    {"DeviceArray", address_of(&core.DeviceArray)},
    {"OneDevice", address_of(&core.OneDevice)},
};

struct Slot {
    PyTypeObject** type;
    Field* field;
    const char* name;
};
const Slot SLOTS[] = {
    {&core.State, &core.tapes, "tapes"},
    {&core.State, &core.accumulators, "accumulators"},
    {&core.State, &core.depth, "depth"},
    {&core.State, &core.trace, "trace"},
    {&core.State, &core.token, "token"},
    {&core.Primitive, &core.name, "name"},
    {&core.Primitive, &core.kernel, "kernel"},
    {&core.Primitive, &core.outputs, "outputs"},
    {&core.Primitive, &core.differentiable_op, "differentiable"},
    {&core.Primitive, &core.vjps, "vjps"},
    {&core.Primitive, &core.joint, "joint"},
    {&core.Primitive, &core.broadcasts, "broadcasts"},
    {&core.Primitive, &core.arity, "inputs"},
    {&core.Primitive, &core.variadic, "variadic"},
    {&core.Primitive, &core.notes, "notes"},
    {&core.Primitive, &core.structure, "structure"},
    {&core.Primitive, &core.jvps, "jvps"},
    {&core.Primitive, &core.joint_jvp, "joint_jvp"},
    {&core.Rule, &core.call, "call"},
    {&core.Rule, &core.values, "values"},
    {&core.Rule, &core.needs_ans, "needs_ans"},
    {&core.Variable, &core.variable_data, "_data"},
    {&core.Variable, &core.snapshot, "_snapshot"},
    {&core.Variable, &core.trainable, "_trainable"},
    {&core.Variable, &core.writer, "_writer"},
    {&core.Primitive, &core.batch_rule, "batch"},
    {&core.Batch, &core.batch_active, "active"},
    {&core.Batch, &core.batch_size, "size"},
    {&core.BatchedTensor, &core.interpreter, "_interpreter"},
    {&core.BatchedTensor, &core.physical, "_physical"},
    {&core.Accumulator, &core.accumulator_key, "_key"},
    {&core.Accumulator, &core.accumulator_leaves, "_leaves"},
    {&core.DeferrableOp, &core.op_typed, "typed"},
    {&core.TypedOp, &core.typed_forms, "forms"},
    {&core.TypedOp, &core.typed_is_small, "is_small"},
    {&core.Call, &core.call_typed, "typed"},
    {&core.Call, &core.call_operands, "operands"},
    {&core.Call, &core.call_serial, "serial"},
    {&core.Span, &core.span_waiting, "waiting"},
    {&core.Span, &core.span_nbytes, "nbytes"},
    {&core.Span, &core.span_held, "held"},
    {&core.Span, &core.span_room, "room"},
    {&core.Form, &core.form_shape, "shape"},
    {&core.Form, &core.form_dtype, "dtype"},
    {&core.Form, &core.form_nbytes, "nbytes"},
    {&core.DeferredArray, &core.array_call, "call"},
    {&core.DeferredArray, &core.array_index, "index"},
    {&core.DeferredArray, &core.array_form, "form"},
    {&core.DeferredArray, &core.array_shape, "shape"},
    {&core.DeferredArray, &core.array_dtype, "dtype"},
    {&core.DeferredArray, &core.array_sharding, "sharding"},
    {&core.DeferredArray, &core.array_step, "step"},
    {&core.DeferredArray, &core.array_value, "value"},
    {&core.DeferredArray, &core.array_copy, "copy"},
};

const Connection* find(const Connection* table, size_t count, PyObject* name) {
    for (size_t i = 0; i < count; i++)
        if (PyUnicode_CompareWithASCIIString(name, table[i].name) == 0) return &table[i];
    return nullptr;
}

// connect(**things): takes what the core calls and looks into on Python's side.
PyObject* connect(PyObject*, PyObject* arguments, PyObject* keywords) {
    if (PyTuple_GET_SIZE(arguments)) {
        PyErr_SetString(PyExc_TypeError, "connect takes keywords only");
        return nullptr;
    }
    PyObject *name, *value;
    Py_ssize_t position = 0;
    while (keywords && PyDict_Next(keywords, &position, &name, &value)) {
        const Connection* known = find(OBJECTS, std::size(OBJECTS), name);
        if (!known) {
            known = find(TYPES, std::size(TYPES), name);
            if (!known) return PyErr_Format(PyExc_TypeError, "connect() got unknown name %R", name);
            if (!PyType_Check(value))
                return PyErr_Format(PyExc_TypeError, "%U must be a class, not %R", name, value);
            auto* type = reinterpret_cast<PyTypeObject*>(value);
            if (known->target == address_of(&core.Recording) &&
                !PyType_IsSubtype(type, recording_storage))
                return PyErr_Format(PyExc_TypeError, "%R does not have its storage here", value);
            for (const Slot& slot : SLOTS)
                if (address_of(slot.type) == known->target && !slot.field->find(type, slot.name))
                    return nullptr;
        }
        Py_INCREF(value);
        Py_XSETREF(*known->target, value);
    }
    Py_RETURN_NONE;
}

// Sets the state in which these tapes listen.
bool set_tapes(PyObject* tapes, PyObject* before) {
    Ref state = replaced(before, tapes, core.accumulators.of(before));
    return state && set_state(state.get());
}

// push_tape(tape): makes the tape listen from now on, innermost.
PyObject* push_tape(PyObject*, PyObject* tape) {
    Ref before = current_state();
    if (!before) return nullptr;
    PyObject* old = core.tapes.of(before.get());
    Py_ssize_t count = PyTuple_GET_SIZE(old);
    Ref tapes(PyTuple_New(count + 1));
    if (!tapes) return nullptr;
    for (Py_ssize_t i = 0; i < count; i++)
        PyTuple_SET_ITEM(tapes.get(), i, Py_NewRef(PyTuple_GET_ITEM(old, i)));
    PyTuple_SET_ITEM(tapes.get(), count, Py_NewRef(tape));
    if (!set_tapes(tapes.get(), before.get())) return nullptr;
    Py_RETURN_NONE;
}

// remove_tape(tape): makes the tape listen no more.
PyObject* remove_tape(PyObject*, PyObject* tape) {
    Ref before = current_state();
    if (!before) return nullptr;
    PyObject* old = core.tapes.of(before.get());
    Py_ssize_t count = PyTuple_GET_SIZE(old), left = 0;
    for (Py_ssize_t i = 0; i < count; i++) left += PyTuple_GET_ITEM(old, i) != tape;
    Ref tapes(PyTuple_New(left));
    if (!tapes) return nullptr;
    for (Py_ssize_t i = 0, to = 0; i < count; i++)
        if (PyTuple_GET_ITEM(old, i) != tape)
            PyTuple_SET_ITEM(tapes.get(), to++, Py_NewRef(PyTuple_GET_ITEM(old, i)));
    if (!set_tapes(tapes.get(), before.get())) return nullptr;
    Py_RETURN_NONE;
}

PyMethodDef functions[] = {
    {"connect", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(connect)),
     METH_VARARGS | METH_KEYWORDS,
     "connect(**things): register the classes and functions that the core uses"},
    {"push_tape", push_tape, METH_O, "push_tape(tape): the tape listens from now on, innermost"},
    {"remove_tape", remove_tape, METH_O, "remove_tape(tape): it does not listen any more"},
    {nullptr, nullptr, 0, nullptr}};

bool make_names() {
    const struct {
        PyObject** target;
        const char* text;
    } all[] = {
        {&names.record, "record"},
        {&names.end_path, "end_path"},
        {&names.spec, "_spec"},
        {&names.shape, "shape"},
        {&names.dtype, "dtype"},
        {&names.data, "_data"},
        {&names.recorded_data, "_recorded_data"},
        {&names.carry, "carry"},
        {&names.key, "key"},
        {&names.to_tensor, "__tf_tensor__"},
        {&names.op, "op"},
        {&names.exponent, "exponent"},
        {&names.name, "__name__"},
        {&names.aval, "aval"},
        {&names.sharding, "sharding"},
        {&names.span, "_span"},
        {&names.run_if_full, "run_if_full"},
    };
    for (const auto& name : all)
        if (!(*name.target = PyUnicode_InternFromString(name.text))) return false;
    return true;
}

}  // namespace

Ref replaced(PyObject* before, PyObject* tapes, PyObject* accumulators) {
    PyObject* depth = core.depth.of(before);
    PyObject* least = core.depth.of(core.empty_state);
    int deeper = PyObject_RichCompareBool(depth, least, Py_GT);
    if (deeper < 0) return Ref();
    if (!deeper) depth = least;
    if (!PyTuple_GET_SIZE(tapes) && !PyTuple_GET_SIZE(accumulators) && !deeper)
        return Ref::to(core.empty_state);
    Ref state(core.State->tp_alloc(core.State, 0));
    if (!state) return Ref();
    core.tapes.of(state.get()) = Py_NewRef(tapes);
    core.accumulators.of(state.get()) = Py_NewRef(accumulators);
    core.depth.of(state.get()) = Py_NewRef(depth);
    core.trace.of(state.get()) = Py_NewRef(core.trace.of(before));
    core.token.of(state.get()) = PyObject_CallNoArgs(
        reinterpret_cast<PyObject*>(&PyBaseObject_Type));
    return core.token.of(state.get()) ? std::move(state) : Ref();
}

bool add_core(PyObject* module) {
    return make_names() && PyModule_AddFunctions(module, functions) == 0 && prepare_ops(module) &&
           prepare_tensors(module) && prepare_recordings(module) && prepare_operators(module) &&
           prepare_bind(module) && prepare_rules(module) && prepare_backward(module) &&
           prepare_sums(module) && prepare_transactions(module) && prepare_queues(module);
}

}  // namespace gradtape::hot
