// How a tape records ops: slots of values, and what is kept of them for the reverse rules.
#include "core/recording.h"

#include <utility>

namespace gradtape::hot {

PyObject* Inputs::tuple() {
    if (!tuple_) {
        tuple_ = Ref(PyTuple_New(count_));
        for (Py_ssize_t i = 0; tuple_ && i < count_; i++)
            PyTuple_SET_ITEM(tuple_.get(), i, Py_NewRef(items_[i]));
    }
    return tuple_.get();
}

namespace {

// Returns the slot of a leaf; -1 if the object is none, -2 with an error set.
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

// Finds the user's code that led to an op: (code, offset). See gradtape.core.source_location.
bool find_user_code(Recording* self, int skipped, PyObject** code, int* lasti) {
    PyFrameObject* frame = PyEval_GetFrame();
    if (!frame) {
        PyErr_SetString(PyExc_RuntimeError, "an op was recorded where no Python code runs");
        return false;
    }
    Ref held = Ref::to(reinterpret_cast<PyObject*>(frame)), running;
    while (true) {
        PyFrameObject* back = nullptr;
        if (!skipped) {
            running = Ref(reinterpret_cast<PyObject*>(PyFrame_GetCode(frame)));
            if (running.get() == self->user_code) break;
            PyObject* file = reinterpret_cast<PyCodeObject*>(running.get())->co_filename;
            int users = PySet_Contains(core.user_files, file);
            if (users < 0) return false;
            if (users) {
                Py_INCREF(running.get());
                Py_XSETREF(self->user_code, running.get());
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
            held = Ref(call_python(core.user_frame, held.get()));
            if (!held) return false;
            if (!PyFrame_Check(held.get())) {
                PyErr_SetString(PyExc_TypeError, "user_frame gave no frame");
                return false;
            }
            frame = reinterpret_cast<PyFrameObject*>(held.get());
            running = Ref(reinterpret_cast<PyObject*>(PyFrame_GetCode(frame)));
            break;
        }
        frame = back;
        held = Ref(reinterpret_cast<PyObject*>(back));
    }
    *lasti = PyFrame_GetLasti(frame);
    *code = running.release();
    return true;
}

// Carries marks on: if values behind the end of a path went into an op, what came out lies behind
// it, too.
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
    return static_cast<bool>(Ref(call_method(names.carry, arguments, 3, nullptr)));
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
    Ref data(is_tensor(x) ? Py_XNewRef(tensor(x)->data) : PyObject_GetAttr(x, names.recorded_data));
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
    if (!find_user_code(self, skipped, &entry.code, &entry.lasti)) return false;
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
    return static_cast<bool>(Ref(call_method(names.end_path, arguments, 5, nullptr)));
}

}  // namespace gradtape::hot
