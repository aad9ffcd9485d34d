#include "core/queued.h"

#include <cstdint>

#include "core/bind.h"
#include "errors.h"
#include "fusion/deferred.h"

namespace gradtape::hot {
namespace {

constexpr Py_ssize_t MAX_INPUTS = 16;

// What was found out about two objects, which it keeps alive: the last few, by their addresses.
class Pairs {
  public:
    // Returns what was kept, borrowed; null if there is nothing.
    PyObject* find(PyObject* a, PyObject* b) const {
        const Entry& entry = entries_[index_of(a, b)];
        return entry.a == a && entry.b == b ? entry.value : nullptr;
    }
    void keep(PyObject* a, PyObject* b, PyObject* value) {
        Entry& entry = entries_[index_of(a, b)];
        Ref old[] = {Ref(entry.a), Ref(entry.b), Ref(entry.value)};
        entry = {Py_NewRef(a), Py_NewRef(b), Py_NewRef(value)};
    }

  private:
    struct Entry {
        PyObject *a, *b, *value;
    };
    static size_t index_of(PyObject* a, PyObject* b) {
        uint64_t bits = reinterpret_cast<uintptr_t>(a) * 3 ^ reinterpret_cast<uintptr_t>(b);
        return (bits * 0x9E3779B97F4A7C15ull) >> 55;
    }
    Entry entries_[512] = {};
};
Pairs forms, numbers, equals;

bool is_waiting_array(PyObject* data) { return Py_TYPE(data) == core.DeferredArray; }

// What an op needs to know of an operand.
struct Operand {
    Ref value, form, sharding;
    Py_ssize_t held = 0;
};

// Returns the `Form` of one of JAX's arrays.
Ref form_of(PyObject* array) {
    Ref aval(PyObject_GetAttr(array, names.aval));
    if (!aval) return Ref();
    PyObject* known = forms.find(aval.get(), Py_None);
    if (known) return Ref::to(known);
    Ref form(call_python(core.form_of, aval.get()));
    if (!form || Py_TYPE(form.get()) != core.Form) return Ref();
    forms.keep(aval.get(), Py_None, form.get());
    return form;
}

Py_ssize_t size_of(PyObject* form) {
    PyObject* size = core.form_nbytes.of(form);
    return size ? PyLong_AsSsize_t(size) : -1;
}

// Looks at data on a device. False: it is something else, or there is an error.
bool look(PyObject* data, Operand* operand) {
    if (is_waiting_array(data)) {
        operand->form = Ref::to(core.array_form.of(data));
        operand->sharding = Ref::to(core.array_sharding.of(data));
        PyObject* value = core.array_value.of(data);
        if (!value) return false;
        operand->value = Ref::to(value == Py_None ? data : value);
        if (value == Py_None) return true;
    } else if (core.DeviceArray && Py_TYPE(data) == core.DeviceArray) {
        operand->form = form_of(data);
        if (!operand->form) return false;
        operand->sharding = Ref(PyObject_GetAttr(data, names.sharding));
        if (!operand->sharding) return false;
        operand->value = Ref::to(data);
    } else {
        return false;
    }
    operand->held = size_of(operand->form.get());
    return true;
}

// Returns whether two shardings are the same. False, perhaps with an error set.
bool are_equal(PyObject* a, PyObject* b) {
    if (a == b || equals.find(a, b)) return true;
    if (PyObject_RichCompareBool(a, b, Py_EQ) != 1) return false;
    equals.keep(a, b, Py_True);
    return true;
}

// Looks at a number of the host, which has a copy beside the op's other operands.
bool look_at_number(PyObject* data, PyObject* sharding, Operand* operand) {
    PyObject* known = numbers.find(data, sharding);
    if (known) return look(known, operand);
    PyObject* arguments[] = {data, sharding};
    Ref made(call_python(core.number_beside, arguments, 2, nullptr));
    if (!made || !look(made.get(), operand)) return false;
    numbers.keep(data, sharding, made.get());
    return true;
}

// Looks at all inputs: all on one device. False: they are not, or there is an error.
bool look_at_all(const Inputs& inputs, Operand* operands) {
    PyObject* sharding = nullptr;
    for (Py_ssize_t i = 0; i < inputs.count(); i++) {
        if (!is_on_device(inputs[i])) {
            if (!is_exactly_tensor(inputs[i]) || !is_number(tensor(inputs[i])->data)) return false;
            continue;
        }
        if (!look(tensor(inputs[i])->data, &operands[i])) return false;
        PyObject* where = operands[i].sharding.get();
        if (!sharding) sharding = where;
        if (Py_TYPE(where) != core.OneDevice || !are_equal(sharding, where)) return false;
    }
    for (Py_ssize_t i = 0; sharding && i < inputs.count(); i++)
        if (!operands[i].value && !look_at_number(tensor(inputs[i])->data, sharding, &operands[i]))
            return false;
    return sharding;
}

// Returns the op with these parameters, if it was queued before.
Ref queued_before(PyObject* prim, PyObject* params) {
    Py_ssize_t count = PyDict_GET_SIZE(params), i = 1, position = 0;
    PyObject *name, *value;
    Ref key(PyTuple_New(count + 1));
    if (!key) return Ref();
    PyTuple_SET_ITEM(key.get(), 0, Py_NewRef(prim));
    while (PyDict_Next(params, &position, &name, &value) && i <= count)
        PyTuple_SET_ITEM(key.get(), i++, Py_NewRef(value));
    PyObject* op = PyDict_GetItemWithError(core.queued_ops, key.get());
    return Ref::to(op && Py_TYPE(op) == core.DeferrableOp ? op : nullptr);
}

// Returns the op for operands of these forms, if it is known and has one result.
Ref typed_for(PyObject* op, Operand* operands, Py_ssize_t count) {
    PyObject* known = core.op_typed.of(op);
    if (!known || !PyDict_CheckExact(known)) return Ref();
    Ref key(PyTuple_New(count));
    if (!key) return Ref();
    for (Py_ssize_t i = 0; i < count; i++)
        PyTuple_SET_ITEM(key.get(), i, Py_NewRef(operands[i].form.get()));
    PyObject* typed = PyDict_GetItemWithError(known, key.get());
    if (!typed || Py_TYPE(typed) != core.TypedOp) return Ref();
    PyObject* results = core.typed_forms.of(typed);
    bool is_simple = results && PyList_CheckExact(results) && PyList_GET_SIZE(results) == 1;
    return Ref::to(is_simple ? typed : nullptr);
}

// Returns a new `Call`.
Ref new_call(PyObject* typed, Operand* operands, Py_ssize_t count) {
    Ref all(PyList_New(count)), serial(PyIter_Next(core.call_serials));
    Ref call(core.Call->tp_alloc(core.Call, 0));
    if (!all || !serial || !call) return Ref();
    for (Py_ssize_t i = 0; i < count; i++)
        PyList_SET_ITEM(all.get(), i, operands[i].value.release());
    core.call_typed.of(call.get()) = Py_NewRef(typed);
    core.call_operands.of(call.get()) = all.release();
    core.call_serial.of(call.get()) = serial.release();
    return call;
}

// Returns a new `DeferredArray`, the only result of a call.
Ref new_array(PyObject* call, PyObject* form, PyObject* sharding) {
    Ref made(core.DeferredArray->tp_alloc(core.DeferredArray, 0)), index(PyLong_FromLong(0));
    if (!made || !index) return Ref();
    PyObject* x = made.get();
    core.array_call.of(x) = Py_NewRef(call);
    core.array_index.of(x) = index.release();
    core.array_form.of(x) = Py_NewRef(form);
    core.array_shape.of(x) = Py_NewRef(core.form_shape.of(form));
    core.array_dtype.of(x) = Py_NewRef(core.form_dtype.of(form));
    core.array_sharding.of(x) = Py_NewRef(sharding);
    for (const Field* field : {&core.array_step, &core.array_value, &core.array_copy})
        field->of(x) = Py_NewRef(Py_None);
    return made;
}

bool add_to(const Field& field, PyObject* object, Py_ssize_t amount) {
    Py_ssize_t before = PyLong_AsSsize_t(field.of(object));
    PyObject* sum = before < 0 ? nullptr : PyLong_FromSsize_t(before + amount);
    if (!sum) return false;
    field.set(object, sum);
    return true;
}

// Returns what this thread has queued.
Ref current_span() {
    Ref span(PyObject_GetAttr(core.queue, names.span));
    if (!span) return Ref();
    if (Py_TYPE(span.get()) != core.Span || !PyList_CheckExact(core.span_waiting.of(span.get()))) {
        PyErr_SetString(PyExc_TypeError, "a queue has a span");
        return Ref();
    }
    return span;
}

// Returns whether the only result of an op may wait without a question to the device.
bool may_wait(PyObject* typed, PyObject* form, PyObject* span) {
    if (core.typed_is_small.of(typed) == Py_True) return true;
    Py_ssize_t waiting = PyLong_AsSsize_t(core.span_nbytes.of(span));
    return waiting + size_of(form) <= PyLong_AsSsize_t(core.span_room.of(span));
}

// Puts a result into a queue, which runs if it is full.
bool put_in_queue(const Ref& span, PyObject* made, Py_ssize_t held) {
    if (PyList_Append(core.span_waiting.of(span.get()), made) < 0 ||
        !add_to(core.span_nbytes, span.get(), size_of(core.array_form.of(made))) ||
        !add_to(core.span_held, span.get(), held))
        return false;
    auto limit = [](Py_ssize_t i) {
        return PyLong_AsSsize_t(PyList_GET_ITEM(core.queue_limits, i));
    };
    bool full = PyList_GET_SIZE(core.span_waiting.of(span.get())) >= limit(0) ||
                PyLong_AsSsize_t(core.span_nbytes.of(span.get())) >= limit(1) ||
                PyLong_AsSsize_t(core.span_held.of(span.get())) >= limit(2);
    return !full || Ref(PyObject_CallMethodNoArgs(core.queue, names.run_if_full));
}

// Returns whether ops may be queued in this context.
bool may_queue() {
    if (!core.queue || !core.queued_ops || !core.DeviceArray || !fusion_is_on()) return false;
    PyObject* device = nullptr;
    if (PyContextVar_Get(core.device_variable, nullptr, &device) < 0) return false;
    Ref held(device);
    return device && device != core.host_device;
}

}  // namespace

PyObject* device_dtype(PyObject* data) {
    if (!core.DeferredArray) return nullptr;
    if (is_waiting_array(data)) return core.array_dtype.of(data);
    if (!core.DeviceArray || Py_TYPE(data) != core.DeviceArray) return nullptr;
    Ref aval(PyObject_GetAttr(data, names.aval));
    if (!aval) expected_error({PyExc_AttributeError});
    // Not `form_of`: Python code could be interrupted, and no caller expects that.
    PyObject* form = aval ? forms.find(aval.get(), Py_None) : nullptr;
    return form ? core.form_dtype.of(form) : nullptr;  // forms are kept
}

PyObject* apply_on_device(PyObject* prim, Inputs& inputs, PyObject* params) {
    Py_ssize_t count = inputs.count(), held = 0;
    if (!core.DeviceTensor || count > MAX_INPUTS || !may_queue()) return nullptr;
    Operand operands[MAX_INPUTS];
    Ref op, typed, span, sharding;
    PyObject* form = nullptr;
    if (look_at_all(inputs, operands)) op = queued_before(prim, params);
    if (op) typed = typed_for(op.get(), operands, count);
    if (typed) {
        form = PyList_GET_ITEM(core.typed_forms.of(typed.get()), 0);
        span = current_span();
    }
    if (!span || !may_wait(typed.get(), form, span.get())) {
        // Python's side meets the same error, and explains it. But an interrupt stays one.
        expected_error({PyExc_Exception});
        return nullptr;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        held += operands[i].held;
        if (!sharding) sharding = Ref::to(operands[i].sharding.get());
    }
    Ref call = new_call(typed.get(), operands, count);
    Ref made = call ? new_array(call.get(), form, sharding.get()) : Ref();
    if (!made || !put_in_queue(span, made.get(), held)) return nullptr;
    PyObject* result = core.DeviceTensor->tp_alloc(core.DeviceTensor, 0);
    if (result) tensor(result)->data = made.release();
    return result;
}

}  // namespace gradtape::hot
