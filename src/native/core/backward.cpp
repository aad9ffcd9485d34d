// backward() and the fast path of gradient(), as Python calls them.
#include "core/backward.h"

#include "core/walk.h"

namespace gradtape::hot {
namespace {

PyObject* backward(PyObject*, PyObject* const* arguments, Py_ssize_t count, PyObject* keywords) {
    // The last argument may be given by its name, which is the only one that the callers use.
    if (count + (keywords ? PyTuple_GET_SIZE(keywords) : 0) != 4 || count < 3 ||
        !is_recording(arguments[0]))
        return call_python(core.backward, arguments, count, keywords);
    Ref held = Ref::to(arguments[0]);
    int consume = PyObject_IsTrue(arguments[3]);
    if (consume < 0) return nullptr;
    Walk walk(recording(arguments[0]), consume == 1);
    if (!walk.start(arguments[1], arguments[2]) || !walk.run() || !walk.materialize_all())
        return nullptr;
    return walk.cotangents();
}

// Returns whether x is a variable or tensor, of exactly our classes, that holds a real
// floating-point value.
bool is_simple(PyObject* x) {
    PyObject* data = nullptr;
    if (is_exactly_tensor(x)) data = tensor(x)->data;
    else if (core.Variable && Py_TYPE(x) == core.Variable) data = core.variable_data.of(x);
    return data && (number_in(data).kind != Number::none || is_array(data, NPY_FLOAT32) ||
                    is_array(data, NPY_FLOAT64) ||
                    (is_deferred(data) && deferred(data)->dtype() == NPY_FLOAT32));
}

// fast_gradient(recording, target, sources, consume): returns the gradient in the commonest case
// (all is real, known to the recording, and reached); NotImplemented, before anything is done, in
// others.
PyObject* fast_gradient(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
    if (count != 4) {
        PyErr_SetString(PyExc_TypeError, "fast_gradient(recording, target, sources, consume)");
        return nullptr;
    }
    PyObject *target = arguments[1], *sources = arguments[2];
    if (!is_exactly_recording(arguments[0]) || !is_exactly_tensor(target) || !is_simple(target))
        Py_RETURN_NOTIMPLEMENTED;
    Ref held = Ref::to(arguments[0]);
    Recording* self = recording(arguments[0]);
    bool single = !PyList_CheckExact(sources) && !PyTuple_CheckExact(sources);
    Ref all(single ? PyTuple_Pack(1, sources) : PySequence_Tuple(sources));
    if (!all) return nullptr;
    std::vector<int> slots;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(all.get()); i++) {
        PyObject* source = PyTuple_GET_ITEM(all.get(), i);
        if (source == target || !is_simple(source)) Py_RETURN_NOTIMPLEMENTED;
        Py_ssize_t slot = slot_of(self, source);
        if (slot == -2) return nullptr;
        if (slot < 0) Py_RETURN_NOTIMPLEMENTED;
        slots.push_back(static_cast<int>(slot));
    }
    Py_ssize_t start = slot_of(self, target);
    if (start == -2) return nullptr;
    int consume = PyObject_IsTrue(arguments[3]);
    if (start < 0 || consume < 0 || start >= self->shapes->count()) Py_RETURN_NOTIMPLEMENTED;
    Walk walk(self, consume == 1);
    if (!walk.prepare()) return nullptr;
    for (int slot : slots) {
        if (slot >= self->shapes->count()) Py_RETURN_NOTIMPLEMENTED;
        walk.add_source(slot);
    }
    if (!walk.begin({static_cast<int>(start)})) return nullptr;
    if (!walk.reaches_sources()) Py_RETURN_NOTIMPLEMENTED;
    Number one = number_in(tensor(target)->data);
    one.f = 1;
    one.d = 1;
    Ref seed(one.kind == Number::none ? call_python(core.seed, target) : nullptr);
    if (one.kind == Number::none && !seed) return nullptr;
    if (!walk.accumulate(static_cast<int>(start),
                         seed ? Cotangent(std::move(seed)) : Cotangent(one)))
        return nullptr;
    if (!walk.run() || !walk.materialize_all()) return nullptr;
    if (single) return Py_XNewRef(walk.at(slots[0]));
    Ref results(PyList_New(static_cast<Py_ssize_t>(slots.size())));
    if (!results) return nullptr;
    for (size_t i = 0; i < slots.size(); i++) {
        PyObject* g = walk.at(slots[i]);
        if (!g) return nullptr;
        PyList_SET_ITEM(results.get(), static_cast<Py_ssize_t>(i), Py_NewRef(g));
    }
    return PyTuple_CheckExact(sources) ? PyList_AsTuple(results.get()) : results.release();
}

PyObject* differentiated(PyObject*, PyObject*) {
    const CurrentEntry* current = current_entry();
    if (!current) Py_RETURN_NONE;
    Ref entry(current->entry->view());
    return entry ? PyTuple_Pack(2, current->recording, entry.get()) : nullptr;
}

PyMethodDef functions[] = {
    {"backward",
     reinterpret_cast<PyCFunction>(
         reinterpret_cast<void (*)()>(static_cast<_PyCFunctionFastWithKeywords>(backward))),
     METH_FASTCALL | METH_KEYWORDS,
     "backward(recording, seeds, sources, consume)\n--\n\nCotangents by slot."},
    {"fast_gradient", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(fast_gradient)),
     METH_FASTCALL, "fast_gradient(recording, target, sources, consume)"},
    {"differentiated", differentiated, METH_NOARGS,
     "(recording, entry) where a backward pass is now; None where none is running."},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

bool prepare_backward(PyObject* module) { return PyModule_AddFunctions(module, functions) == 0; }

}  // namespace gradtape::hot
