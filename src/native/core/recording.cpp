#include "core/recording.h"

#include <structmember.h>

#include <cstddef>
#include <utility>

namespace gradtape::hot {

PyTypeObject* recording_storage = nullptr;

PyObject* Inputs::tuple() {
    if (!tuple_) {
        tuple_ = Ref(PyTuple_New(count_));
        for (Py_ssize_t i = 0; tuple_ && i < count_; i++)
            PyTuple_SET_ITEM(tuple_.get(), i, Py_NewRef(items_[i]));
    }
    return tuple_.get();
}

namespace {

// The slot of a leaf; -1 if the object is none, -2 with an error set.
Py_ssize_t leaf_slot(Recording* self, PyObject* x) {
    if (PyDict_GET_SIZE(self->leaves) == 0) return -1;
    Ref id(PyLong_FromVoidPtr(x));
    if (!id) return -2;
    PyObject* leaf = PyDict_GetItemWithError(self->leaves, id.get());
    if (!leaf) return PyErr_Occurred() ? -2 : -1;
    if (!PyTuple_Check(leaf) || PyTuple_GET_SIZE(leaf) != 2) {
        PyErr_SetString(PyExc_TypeError, "a leaf is (slot, object)");
        return -2;
    }
    Py_ssize_t slot = PyLong_AsSsize_t(PyTuple_GET_ITEM(leaf, 0));
    return slot < 0 ? -2 : slot;
}

// The user's place that led to an op: (code, offset). See gradtape.core.places.
bool find_place(Recording* self, int skipped, PyObject** code, int* lasti) {
    PyFrameObject* frame = PyEval_GetFrame();
    if (!frame) {
        PyErr_SetString(PyExc_RuntimeError, "an op was recorded where no Python code runs");
        return false;
    }
    Ref held = Ref::to(reinterpret_cast<PyObject*>(frame)), found;
    while (true) {
        PyFrameObject* back = nullptr;
        if (!skipped) {
            found = Ref(reinterpret_cast<PyObject*>(PyFrame_GetCode(frame)));
            if (found.get() == self->user_code) break;
            PyObject* file = reinterpret_cast<PyCodeObject*>(found.get())->co_filename;
            int users = PySet_Contains(core.user_files, file);
            if (users < 0) return false;
            if (users) {
                Py_INCREF(found.get());
                Py_XSETREF(self->user_code, found.get());
                break;
            }
            int ours = PySet_Contains(core.library_files, file);
            if (ours < 0) return false;
            if (ours) back = PyFrame_GetBack(frame);
        } else {
            skipped--;
            back = PyFrame_GetBack(frame);
            if (!back) continue;
        }
        if (!back) {  // a file never met before, or the outermost frame: Python's side decides
            held = Ref(PyObject_CallOneArg(core.user_frame, held.get()));
            if (!held) return false;
            if (!PyFrame_Check(held.get())) {
                PyErr_SetString(PyExc_TypeError, "user_frame gave no frame");
                return false;
            }
            frame = reinterpret_cast<PyFrameObject*>(held.get());
            found = Ref(reinterpret_cast<PyObject*>(PyFrame_GetCode(frame)));
            break;
        }
        frame = back;
        held = Ref(reinterpret_cast<PyObject*>(back));
    }
    *lasti = PyFrame_GetLasti(frame);
    *code = found.release();
    return true;
}

// If values behind the end of a path went into an op, what came out lies behind it, too.
bool carry(Recording* self, Inputs& inputs, PyObject* out) {
    if (!self->lost) return true;
    Ref key(PyObject_GetAttr(self->lost, names.key));
    if (!key) return false;
    bool behind = false;
    for (Py_ssize_t i = 0; i < inputs.count(); i++)
        behind |= has_mark(tensor(inputs[i]), key.get());
    if (!behind) return true;
    PyObject* all = inputs.tuple();
    if (!all) return false;
    PyObject* arguments[] = {self->lost, all, out};
    return static_cast<bool>(Ref(PyObject_VectorcallMethod(names.carry, arguments, 3, nullptr)));
}

bool keep_inputs(Entry* entry, const Plan& plan, Inputs& inputs, bool variadic) {
    if (!plan.any) return true;
    Py_ssize_t count = inputs.count();
    auto how = [&](Py_ssize_t i) { return plan.keep[variadic ? 0 : i]; };
    bool specs = false;
    for (Keep keep : plan.keep) specs |= keep == Keep::spec;
    if (count <= 2 && !specs && !variadic) {
        entry->keeps_inputs = true;
        for (Py_ssize_t i = 0; i < count; i++)
            if (how(i) == Keep::value) entry->kept_inputs[i] = Py_NewRef(inputs[i]);
        return true;
    }
    if (plan.all) {
        entry->kept = Py_XNewRef(inputs.tuple());
        return entry->kept != nullptr;
    }
    entry->kept = PyTuple_New(count);
    for (Py_ssize_t i = 0; entry->kept && i < count; i++) {
        PyObject* kept = how(i) == Keep::value  ? Py_NewRef(inputs[i])
                         : how(i) == Keep::spec ? spec_of(inputs[i])
                                                : Py_NewRef(Py_None);
        if (!kept) return false;
        PyTuple_SET_ITEM(entry->kept, i, kept);
    }
    return entry->kept != nullptr;
}

// Gives each of several results its slot.
bool mark_several(Recording* self, Entry* entry, PyObject* out) {
    Ref results(PySequence_Tuple(out));
    if (!results) return false;
    Py_ssize_t count = PyTuple_GET_SIZE(results.get());
    Ref slots(PyList_New(0)), specs(PyList_New(0));
    if (!slots || !specs) return false;
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject* y = PyTuple_GET_ITEM(results.get(), i);
        if (!is_tensor(y) || !tensor(y)->data) {
            PyErr_Format(PyExc_TypeError, "the result of an op is a tensor, not %R", y);
            return false;
        }
        Ref spec(spec_of(y)), dtype(PyObject_GetAttr(tensor(y)->data, names.dtype));
        if (!spec || !dtype || PyList_Append(specs.get(), spec.get()) < 0) return false;
        int differentiable = PySet_Contains(core.differentiable, dtype.get());
        if (differentiable < 0) return false;
        Py_ssize_t slot = differentiable ? self->shapes->count() : -1;
        if (differentiable && !add_mark(tensor(y), self->key, slot)) return false;
        Ref number(PyLong_FromSsize_t(slot));
        if (!number || PyList_Append(slots.get(), number.get()) < 0) return false;
        if (!self->shapes->add(tensor(y)->data)) return false;
    }
    entry->several = PyTuple_Pack(2, slots.get(), specs.get());
    return entry->several != nullptr;
}

bool are_tensors(Inputs& inputs) {
    for (Py_ssize_t i = 0; i < inputs.count(); i++) {
        if (!is_tensor(inputs[i])) {
            PyErr_Format(PyExc_TypeError, "an op takes tensors, not %R", inputs[i]);
            return false;
        }
    }
    return true;
}

}  // namespace

Py_ssize_t slot_of(Recording* self, PyObject* x) {
    Py_ssize_t slot = leaf_slot(self, x);
    if (slot != -1 || !is_tensor(x)) return slot;
    return marked_slot(tensor(x), self->key);
}

Py_ssize_t watch(Recording* self, PyObject* x) {
    Py_ssize_t slot = slot_of(self, x);
    if (slot != -1) return slot;
    slot = self->shapes->count();
    Ref data(is_tensor(x) ? Py_XNewRef(tensor(x)->data) : PyObject_GetAttr(x, names.data));
    Ref id(PyLong_FromVoidPtr(x)), leaf(Py_BuildValue("(nO)", slot, x));
    if (!data && !PyErr_Occurred()) PyErr_SetString(PyExc_AttributeError, "_data");
    if (!data || !id || !leaf || !self->shapes->add(data.get())) return -2;
    if (PyDict_SetItem(self->leaves, id.get(), leaf.get()) < 0) return -2;
    if (is_tensor(x)) {
        tensor(x)->watched = true;
        self->watches_tensors = true;
    }
    return slot;
}

bool record(Recording* self, PyObject* prim, Notes* notes, Inputs& inputs, PyObject* params,
            PyObject* out, int skipped) {
    Py_ssize_t count = inputs.count();
    Entry entry;
    std::vector<int> many;
    if (count > 2) many.resize(count, -1);
    unsigned long long mask = 0;
    for (Py_ssize_t i = 0; i < count; i++) {
        Tensor* x = tensor(inputs[i]);
        Py_ssize_t slot = marked_slot(x, self->key);
        if (slot < 0 && self->watches_tensors && x->watched) {
            slot = leaf_slot(self, inputs[i]);
            if (slot == -2) return false;
        }
        if (slot >= 0) {
            (count > 2 ? many[i] : entry.few_slots[i]) = static_cast<int>(slot);
            mask |= 1ull << (i & 63);
        }
    }
    if (!carry(self, inputs, out)) return false;
    if (!mask) return true;
    bool variadic = notes->arity < 0;
    if (!variadic && count != notes->arity) {
        PyErr_Format(PyExc_ValueError, "%R was given %zd inputs", prim, count);
        return false;
    }
    entry.prim = Py_NewRef(prim);
    const Plan* plan = plan_of(prim, notes, variadic ? 1 : mask);
    if (!plan || !keep_inputs(&entry, *plan, inputs, variadic)) return false;
    entry.count = static_cast<int>(count);
    if (count > 2) entry.many_slots = new std::vector<int>(std::move(many));
    PyObject* outputs = core.outputs.of(prim);
    if (outputs && PyLong_CheckExact(outputs) && PyLong_AsLong(outputs) == 1) {
        if (!is_tensor(out)) {
            PyErr_Format(PyExc_TypeError, "the result of an op is a tensor, not %R", out);
            return false;
        }
        entry.slot = self->shapes->count();
        if (!self->shapes->add(tensor(out)->data)) return false;
        if (!add_mark(tensor(out), self->key, entry.slot)) return false;
    } else if (!mark_several(self, &entry, out)) {
        return false;
    }
    if (!find_place(self, skipped, &entry.code, &entry.lasti)) return false;
    entry.params = Py_NewRef(params);
    if (plan->result) entry.result = Py_NewRef(out);
    if (self->entries->capacity() == 0) self->entries->reserve(16);
    self->entries->push_back(std::move(entry));
    return true;
}

bool end_path(Recording* self, PyObject* prim, Inputs& inputs, PyObject* out) {
    bool known = self->lost != nullptr;
    for (Py_ssize_t i = 0; !known && i < inputs.count(); i++) {
        Py_ssize_t slot = slot_of(self, inputs[i]);
        if (slot == -2) return false;
        known = slot >= 0;
    }
    if (!known) return true;
    PyObject* all = inputs.tuple();
    if (!all) return false;
    PyObject* arguments[] = {reinterpret_cast<PyObject*>(self), names.op, prim, all, out};
    return static_cast<bool>(Ref(PyObject_VectorcallMethod(names.end_path, arguments, 5, nullptr)));
}

namespace {

// The room of the last recording that was freed, for the next one: most programs make one after
// the other.
std::vector<Entry>* spare_entries = nullptr;
Shapes* spare_shapes = nullptr;
constexpr size_t LARGEST_SPARE = 4096;

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
    if (self->leaves) {
        Ref leaves(std::exchange(self->leaves, PyDict_New()));
        if (!self->leaves) PyErr_Clear();
    }
    Py_CLEAR(self->lost);
    Py_CLEAR(self->user_code);
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
    Py_CLEAR(self->key);
    if (!spare_entries && self->entries && self->entries->capacity() <= LARGEST_SPARE)
        std::swap(spare_entries, self->entries);
    if (!spare_shapes && self->shapes && self->shapes->count() <= int(LARGEST_SPARE)) {
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

PyMethodDef methods[] = {
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
