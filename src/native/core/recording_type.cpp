// The class RecordingStorage as Python sees it: its life, fields and methods.
#include "core/recording.h"

#include <structmember.h>

#include <cstddef>
#include <utility>

namespace gradtape::hot {

PyTypeObject* recording_storage = nullptr;

namespace {

bool are_tensors(Inputs& inputs) {
    for (Py_ssize_t i = 0; i < inputs.count(); i++) {
        if (!is_tensor(inputs[i])) {
            PyErr_Format(PyExc_TypeError, "an op takes tensors, not %R", inputs[i]);
            return false;
        }
    }
    return true;
}

// The room of the last recording that was freed, for the next one: most programs make one after
// the other.
std::vector<Entry>* spare_entries = nullptr;
Shapes* spare_shapes = nullptr;
constexpr size_t MAX_SPARE_ENTRIES = 4096;

PyObject* create(PyTypeObject* type, PyObject*, PyObject*) {
    PyObject* made = type->tp_alloc(type, 0);
    if (!made) return nullptr;
    Recording* self = recording(made);
    self->key = PyObject_CallNoArgs(reinterpret_cast<PyObject*>(&PyBaseObject_Type));
    self->leaves = PyDict_New();
    self->entries = spare_entries ? std::exchange(spare_entries, nullptr) : new std::vector<Entry>;
    self->shapes = spare_shapes ? std::exchange(spare_shapes, nullptr) : new Shapes;
    if (!self->key || !self->leaves) Py_CLEAR(made);
    return made;
}

int initialize(PyObject* self, PyObject* arguments, PyObject* keywords) {
    static const char* parameters[] = {"watch_variables", nullptr};
    int watches = 0;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "p:Recording",
                                     const_cast<char**>(parameters), &watches))
        return -1;
    recording(self)->watch_variables = watches != 0;
    return 0;
}

int traverse(PyObject* object, visitproc visit, void* arg) {
    Recording* self = recording(object);
    Py_VISIT(self->key);
    Py_VISIT(self->leaves);
    Py_VISIT(self->lost);
    Py_VISIT(self->user_code);
    Py_VISIT(self->scopes);
    if (self->entries)
        for (const Entry& entry : *self->entries)
            if (int stop = entry.visit(visit, arg)) return stop;
    Py_VISIT(Py_TYPE(object));
    return 0;
}

int clear(PyObject* object) {
    Recording* self = recording(object);
    // Freed entries may run any code, which must find the recording in order.
    if (self->entries) {
        std::vector<Entry> entries;
        entries.swap(*self->entries);
    }
    if (self->leaves) PyDict_Clear(self->leaves);
    Py_CLEAR(self->lost);
    Py_CLEAR(self->user_code);
    Py_CLEAR(self->scopes);
    return 0;
}

void dealloc(PyObject* object) {
    PyTypeObject* type = Py_TYPE(object);
    PyObject_GC_UnTrack(object);
    Recording* self = recording(object);
    if (self->entries) self->entries->clear();
    Py_CLEAR(self->leaves);
    Py_CLEAR(self->lost);
    Py_CLEAR(self->user_code);
    Py_CLEAR(self->scopes);
    Py_CLEAR(self->key);
    if (!spare_entries && self->entries && self->entries->capacity() <= MAX_SPARE_ENTRIES)
        std::swap(spare_entries, self->entries);
    if (!spare_shapes && self->shapes && self->shapes->count() <= int(MAX_SPARE_ENTRIES)) {
        self->shapes->clear();
        std::swap(spare_shapes, self->shapes);
    }
    delete self->entries;
    delete self->shapes;
    type->tp_free(object);
    Py_DECREF(type);
}

PyObject* get_entries(PyObject* self, void*) {
    const std::vector<Entry>& entries = *recording(self)->entries;
    PyObject* list = PyList_New(0);
    for (size_t i = 0; list && i < entries.size(); i++) {
        Ref view(entries[i].view());
        if (!view || PyList_Append(list, view.get()) < 0) Py_CLEAR(list);
    }
    return list;
}

bool is_given(PyObject* value) {
    if (!value) PyErr_SetString(PyExc_AttributeError, "a recording's fields cannot be deleted");
    return value != nullptr;
}

int set_entries(PyObject* self, PyObject* value, void*) {
    if (!is_given(value)) return -1;
    Ref views(PySequence_Tuple(value));
    if (!views) return -1;
    std::vector<Entry> entries(PyTuple_GET_SIZE(views.get()));
    for (size_t i = 0; i < entries.size(); i++)
        if (!entries[i].read(PyTuple_GET_ITEM(views.get(), i))) return -1;
    entries.swap(*recording(self)->entries);
    return 0;
}

PyObject* get_shapes(PyObject* self, void*) {
    const Shapes& shapes = *recording(self)->shapes;
    PyObject* list = PyList_New(shapes.count());
    for (int i = 0; list && i < shapes.count(); i++) {
        PyObject* shape = shapes.tuple(i);
        if (!shape) Py_CLEAR(list);
        else PyList_SET_ITEM(list, i, shape);
    }
    return list;
}

int set_shapes(PyObject* self, PyObject* value, void*) {
    if (!is_given(value)) return -1;
    Ref list(PySequence_Tuple(value));
    if (!list) return -1;
    Shapes shapes;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(list.get()); i++)
        if (!shapes.add_tuple(PyTuple_GET_ITEM(list.get(), i))) return -1;
    *recording(self)->shapes = std::move(shapes);
    return 0;
}

PyObject* get_leaves(PyObject* self, void*) {
    PyObject* leaves = recording(self)->leaves;
    return leaves ? Py_NewRef(leaves) : PyDict_New();
}

int set_leaves(PyObject* object, PyObject* value, void*) {
    if (!is_given(value)) return -1;
    if (!PyDict_Check(value)) {
        PyErr_Format(PyExc_TypeError, "leaves are a dict, not %R", value);
        return -1;
    }
    Py_INCREF(value);
    Py_XSETREF(recording(object)->leaves, value);
    return 0;
}

int set_key(PyObject* self, PyObject* value, void*) {
    if (!is_given(value)) return -1;
    Py_INCREF(value);
    Py_XSETREF(recording(self)->key, value);
    return 0;
}

PyObject* get_key(PyObject* self, void*) { return Py_NewRef(recording(self)->key); }

PyObject* get_lost(PyObject* self, void*) {
    PyObject* lost = recording(self)->lost;
    return Py_NewRef(lost ? lost : Py_None);
}
int set_lost(PyObject* self, PyObject* value, void*) {
    if (!is_given(value)) return -1;
    Py_XSETREF(recording(self)->lost, value == Py_None ? nullptr : Py_NewRef(value));
    return 0;
}

PyObject* get_scopes(PyObject* self, void*) {
    PyObject* scopes = recording(self)->scopes;
    return scopes ? Py_NewRef(scopes) : PyList_New(0);
}
int set_scopes(PyObject* self, PyObject* value, void*) {
    if (!is_given(value)) return -1;
    if (!PyList_Check(value)) {
        PyErr_Format(PyExc_TypeError, "scopes are a list, not %R", value);
        return -1;
    }
    Py_XSETREF(recording(self)->scopes, Py_NewRef(value));
    return 0;
}

PyMemberDef members[] = {
    {"user_code", T_OBJECT, offsetof(Recording, user_code), READONLY, nullptr},
    {"watch_variables", T_BOOL, offsetof(Recording, watch_variables), 0, nullptr},
    {"watches_tensors", T_BOOL, offsetof(Recording, watches_tensors), 0, nullptr},
    {nullptr, 0, 0, 0, nullptr}};

PyObject* py_record(PyObject* self, PyObject* const* arguments, Py_ssize_t count) {
    if (count != 4) {
        PyErr_SetString(PyExc_TypeError, "record(prim, inputs, params, out)");
        return nullptr;
    }
    Notes* notes = notes_of(arguments[0]);
    if (!notes) return nullptr;
    Ref all(PySequence_Tuple(arguments[1]));
    if (!all) return nullptr;
    Inputs inputs(&PyTuple_GET_ITEM(all.get(), 0), PyTuple_GET_SIZE(all.get()), all.get());
    if (!are_tensors(inputs)) return nullptr;
    if (!record(recording(self), arguments[0], notes, inputs, arguments[2], arguments[3], 0))
        return nullptr;
    Py_RETURN_NONE;
}

PyObject* py_slot_of(PyObject* self, PyObject* x) {
    Py_ssize_t slot = slot_of(recording(self), x);
    if (slot == -2) return nullptr;
    if (slot < 0) Py_RETURN_NONE;
    return PyLong_FromSsize_t(slot);
}

PyObject* py_watch(PyObject* self, PyObject* x) {
    Py_ssize_t slot = watch(recording(self), x);
    return slot < 0 ? nullptr : PyLong_FromSsize_t(slot);
}

// Notes that what is recorded from now on is inside a scope. A scope in which nothing was recorded
// is forgotten.
PyObject* py_enter_scope(PyObject* object, PyObject* path) {
    Recording* self = recording(object);
    if (!self->scopes && !(self->scopes = PyList_New(0))) return nullptr;
    PyObject* scopes = self->scopes;
    int slot = self->shapes->count();
    Ref event(Py_BuildValue("(iO)", slot, path));
    if (!event) return nullptr;
    Py_ssize_t count = PyList_GET_SIZE(scopes);
    PyObject* last = count ? PyList_GET_ITEM(scopes, count - 1) : nullptr;
    bool replaces = last && PyTuple_Check(last) && PyTuple_GET_SIZE(last) == 2 &&
                    PyLong_AsLong(PyTuple_GET_ITEM(last, 0)) == slot;
    if (PyErr_Occurred()) return nullptr;
    int failed = replaces ? PyList_SetItem(scopes, count - 1, event.release())
                          : PyList_Append(scopes, event.get());
    if (failed < 0) return nullptr;
    Py_RETURN_NONE;
}

PyMethodDef methods[] = {
    {"enter_scope", py_enter_scope, METH_O,
     "Note that what is recorded from now on is inside a scope, given by its path."},
    {"record", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(py_record)),
     METH_FASTCALL, "Append the op if one of its inputs is known here."},
    {"slot_of", py_slot_of, METH_O,
     "The slot of a tensor or variable, or None where this recording does not know it."},
    {"watch", py_watch, METH_O, "Make a tensor or variable known, if it is not; its slot."},
    {nullptr, nullptr, 0, nullptr}};

PyGetSetDef accessors[] = {{"entries", get_entries, set_entries, nullptr, nullptr},
                           {"shapes", get_shapes, set_shapes, nullptr, nullptr},
                           {"leaves", get_leaves, set_leaves, nullptr, nullptr},
                           {"key", get_key, set_key, nullptr, nullptr},
                           {"lost", get_lost, set_lost, nullptr, nullptr},
                           {"scopes", get_scopes, set_scopes, nullptr, nullptr},
                           {nullptr, nullptr, nullptr, nullptr, nullptr}};

PyType_Slot slots[] = {{Py_tp_new, reinterpret_cast<void*>(create)},
                       {Py_tp_init, reinterpret_cast<void*>(initialize)},
                       {Py_tp_dealloc, reinterpret_cast<void*>(dealloc)},
                       {Py_tp_traverse, reinterpret_cast<void*>(traverse)},
                       {Py_tp_clear, reinterpret_cast<void*>(clear)},
                       {Py_tp_members, members},
                       {Py_tp_getset, accessors},
                       {Py_tp_methods, methods},
                       {0, nullptr}};

PyType_Spec spec = {"gradtape._native.RecordingStorage", sizeof(Recording), 0,
                    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_BASETYPE, slots};

}  // namespace

bool prepare_recordings(PyObject* module) {
    PyObject* type = PyType_FromSpec(&spec);
    recording_storage = reinterpret_cast<PyTypeObject*>(type);
    return type && PyModule_AddObjectRef(module, "RecordingStorage", type) == 0;
}

}  // namespace gradtape::hot
