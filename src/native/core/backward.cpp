// The backward walk: one loop over a recording, from its end. See gradtape.engine.backward.
#include <utility>
#include <vector>

#include "core/backward.h"
#include "core/rules.h"
#include "core/sums.h"
#include "fusion/compute.h"

namespace gradtape::hot {
namespace {

// Below this size a fresh array for a sum costs less than the question whether one is needed.
constexpr npy_intp IN_PLACE_FROM = 4096;

// The entries that backward walks are at, innermost first: for those who explain errors.
struct Step {
    const Entry* entry;
    Step* outer;
};
thread_local Step* innermost = nullptr;

class Walk {
  public:
    Walk(Recording* recording, bool consume) : recording_(recording), consume_(consume) {
        step_ = {nullptr, innermost};
        innermost = &step_;
    }
    ~Walk() { innermost = step_.outer; }
    Walk(const Walk&) = delete;
    Walk& operator=(const Walk&) = delete;

    bool start(PyObject* seeds, PyObject* sources);
    bool prepare();
    bool reaches_sources() const { return any_leads_; }
    void add_source(int slot) { is_source_[slot] = 1; }
    bool begin(const std::vector<int>& starts);
    bool give(int slot, Cotangent g);
    PyObject* at(int slot) {  // borrowed; None where nothing arrived
        return found_[slot].empty() ? Py_None : found_[slot].tensor();
    }
    bool run();
    bool settle();
    PyObject* cotangents();

  private:
    bool find_leads();
    bool leads(int slot) const { return leads_.empty() || leads_[slot]; }
    bool known(int slot) const { return slot >= 0 && slot < static_cast<int>(found_.size()); }
    bool add_up(int slot, Cotangent g);
    Cotangent take(int slot) {
        if (is_source_[slot]) return found_[slot].share();
        return std::exchange(found_[slot], Cotangent());
    }
    bool differentiate(const Entry& entry);
    bool by_joint_rule(const Entry& entry, PyObject* joint, PyObject* g);
    bool by_rules(const Entry& entry, PyObject* rules, Cotangent* g);
    bool sum_to_slot(int slot, bool is_asked_for, Cotangent* g);
    bool add_to(int slot, PyObject* params, Cotangent* part);
    void own(int slot);
    Ref of_several(const Entry& entry, bool* error);

    Recording* recording_;
    bool consume_;
    bool quiet_ = false;  // nobody listens: the arithmetic may run here
    std::vector<Cotangent> found_;
    std::vector<char> is_source_, owned_, leads_;
    bool any_leads_ = true;
    Step step_;
};

bool Walk::prepare() {
    Ref state = current_state();
    if (!state) return false;
    quiet_ = state.get() == core.empty_state && tensors_are_ours();
    size_t count = recording_->shapes->count();
    found_.resize(count);
    is_source_.resize(count);
    owned_.resize(count);
    return settle_total();  // what waits for a number would keep arrays through the whole walk
}

// Works out which slots lead to sources, now that those and the seeds are known.
bool Walk::begin(const std::vector<int>& starts) {
    if (!find_leads()) return false;
    if (leads_.empty()) return true;
    any_leads_ = false;
    for (int slot : starts) any_leads_ |= leads_[slot] != 0;
    return true;
}

bool Walk::start(PyObject* seeds, PyObject* sources) {
    if (!prepare()) return false;
    Ref wanted(PySequence_Tuple(sources));
    if (!wanted) return false;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(wanted.get()); i++) {
        long slot = PyLong_AsLong(PyTuple_GET_ITEM(wanted.get(), i));
        if (slot == -1 && PyErr_Occurred()) return false;
        if (!known(static_cast<int>(slot))) {
            PyErr_SetString(PyExc_IndexError, "a source that the recording does not know");
            return false;
        }
        add_source(static_cast<int>(slot));
    }
    Ref given(PySequence_Tuple(seeds));
    if (!given) return false;
    std::vector<int> starts;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(given.get()); i++) {
        int slot;
        PyObject *g, *seed = PyTuple_GET_ITEM(given.get(), i);
        if (!PyTuple_Check(seed)) {
            PyErr_SetString(PyExc_TypeError, "a seed is (slot, cotangent)");
            return false;
        }
        if (!PyArg_ParseTuple(seed, "iO:seed", &slot, &g)) return false;
        if (!known(slot)) {
            PyErr_SetString(PyExc_IndexError, "a seed for what the recording does not know");
            return false;
        }
        starts.push_back(slot);
        if (g != Py_None && !give(slot, Cotangent(Ref::to(g)))) return false;
    }
    return begin(starts);
}

// By slot, whether a source can be reached from it; empty where all can.
bool Walk::find_leads() {
    bool all = true;
    PyObject *id, *leaf;
    Py_ssize_t position = 0;
    while (all && PyDict_Next(recording_->leaves, &position, &id, &leaf)) {
        long slot = PyTuple_Check(leaf) && PyTuple_GET_SIZE(leaf) == 2
                        ? PyLong_AsLong(PyTuple_GET_ITEM(leaf, 0))
                        : -1;
        if (slot == -1 && PyErr_Occurred()) return false;
        all = known(static_cast<int>(slot)) && is_source_[slot];
    }
    if (all) return true;
    leads_ = is_source_;
    for (const Entry& entry : *recording_->entries) {
        bool leading = false;
        for (int i = 0; i < entry.count; i++)
            leading |= known(entry.slots()[i]) && leads_[entry.slots()[i]];
        if (!leading) continue;
        if (!entry.several) {
            if (known(entry.slot)) leads_[entry.slot] = 1;
            continue;
        }
        PyObject* outs = PyTuple_GET_ITEM(entry.several, 0);
        for (Py_ssize_t i = 0; i < PyList_GET_SIZE(outs); i++) {
            long slot = PyLong_AsLong(PyList_GET_ITEM(outs, i));
            if (slot == -1 && PyErr_Occurred()) return false;
            if (known(static_cast<int>(slot))) leads_[slot] = 1;
        }
    }
    return true;
}

bool Walk::give(int slot, Cotangent g) {
    if (!found_[slot].empty()) return add_up(slot, std::move(g));
    found_[slot] = std::move(g);
    return true;
}

// If the value of a tensor was put off, it is computed now, and the tensor holds the array.
bool settle_value(PyObject* x) {
    PyObject* data = is_exactly_tensor(x) ? tensor(x)->data : nullptr;
    if (!data || !is_deferred(data)) return true;
    PyObject* value = array_of(data);
    if (!value) return false;
    tensor(x)->data = Py_NewRef(value);
    Py_DECREF(data);
    return true;
}

bool Walk::add_up(int slot, Cotangent g) {
    Cotangent& old = found_[slot];
    auto is_sparse = [](PyObject* x) { return x && Py_TYPE(x) == core.IndexedSlices; };
    if (is_sparse(old.object()) || is_sparse(g.object())) {
        PyObject *a = old.tensor(), *b = g.tensor();
        if (!a || !b) return false;
        PyObject* arguments[] = {a, b};
        Ref total(PyObject_Vectorcall(core.add_slices, arguments, 2, nullptr));
        if (!total) return false;
        found_[slot] = Cotangent(std::move(total));
        return true;
    }
    if (owned_[slot] && quiet_ && (g.is_number() || is_exactly_tensor(g.object()))) {
        PyObject* x = g.tensor();
        if (!x || !tensor(x)->data || !old.object() || !is_tensor(old.object())) return false;
        Ref held = Ref::to(tensor(old.object())->data);
        if (is_pending_op(tensor(x)->data) && is_plain(held.get())) {
            if (update_in_place(Binary::ADD, held.get(), tensor(x)->data)) return true;
            if (PyErr_Occurred()) return false;
        }
        if (add_array(held.get(), tensor(x)->data)) return true;
        return static_cast<bool>(Ref(PyNumber_InPlaceAdd(held.get(), tensor(x)->data)));
    }
    Cotangent total;
    if (!quiet_ || !native_sum(old, g, &total)) {
        PyObject *a = old.tensor(), *b = g.tensor();
        if (!a || !b) return false;
        Ref x = Ref::to(a);  // the sum may run any code
        total = Cotangent(Ref(PyNumber_Add(x.get(), b)));
        if (total.empty()) return false;
    }
    found_[slot] = std::move(total);
    PyObject *sum = found_[slot].object(), *added = g.object();
    // Arrays are added in place from now on: a sum of many that waits would keep them all.
    bool adds_array = added && is_exactly_tensor(added) && !is_pending_op(tensor(added)->data);
    if (sum && adds_array && !settle_value(sum)) return false;
    if (sum && is_tensor(sum) && tensor(sum)->data && PyArray_CheckExact(tensor(sum)->data))
        owned_[slot] = PyArray_SIZE(array(tensor(sum)->data)) >= IN_PLACE_FROM;
    return true;
}

bool Walk::run() {
    if (!any_leads_) return true;  // nothing can arrive; the record stays, for an explanation
    for (size_t index = recording_->entries->size(); index; index--) {
        std::vector<Entry>& entries = *recording_->entries;
        if (entries.empty()) break;
        Entry entry;
        if (consume_) {
            entry = std::move(entries.back());
            entries.pop_back();
        } else {
            if (index > entries.size()) break;
            const Entry& kept = entries[index - 1];
            if (!kept.several && known(kept.slot) && found_[kept.slot].empty()) continue;
            entry = kept.copy();  // a rule may make the record grow
        }
        step_.entry = &entry;
        bool done = differentiate(entry);
        step_.entry = nullptr;
        if (!done) return false;
    }
    return true;
}

bool Walk::differentiate(const Entry& entry) {
    PyObject* prim = entry.prim;
    Cotangent g;
    if (!entry.several) {
        if (!known(entry.slot) || found_[entry.slot].empty()) return true;
        g = take(entry.slot);
        if (g.object() && Py_TYPE(g.object()) == core.IndexedSlices &&
            prim != primitive_of(IDENTITY)) {
            Ref dense(PyObject_CallMethodNoArgs(g.object(), names.to_tensor));
            if (!dense) return false;
            g = Cotangent(std::move(dense));
        }
    } else {
        bool error = false;
        Ref all = of_several(entry, &error);
        if (error) return false;
        if (!all) return true;
        g = Cotangent(std::move(all));
    }
    PyObject* joint = core.joint.of(prim);
    if (joint && joint != Py_None) {
        PyObject* object = g.tensor();
        return object && by_joint_rule(entry, joint, object);
    }
    PyObject* rules = core.vjps.of(prim);
    if (!rules || !PyTuple_Check(rules)) {
        PyErr_Format(PyExc_TypeError, "%R has no reverse rules", prim);
        return false;
    }
    return by_rules(entry, rules, &g);
}

// The cotangents of an op's several results; nothing where none arrived.
Ref Walk::of_several(const Entry& entry, bool* error) {
    *error = true;
    PyObject* slots = PyTuple_GET_ITEM(entry.several, 0);
    Py_ssize_t count = PyList_GET_SIZE(slots);
    Ref arrived(PyList_New(count));
    if (!arrived) return Ref();
    bool any = false;
    for (Py_ssize_t i = 0; i < count; i++) {
        long slot = PyLong_AsLong(PyList_GET_ITEM(slots, i));
        if (slot == -1 && PyErr_Occurred()) return Ref();
        PyObject* object = Py_None;
        Cotangent g;
        if (known(static_cast<int>(slot)) && !found_[slot].empty()) {
            g = take(static_cast<int>(slot));
            object = g.tensor();
            if (!object) return Ref();
            any = true;
        }
        PyList_SET_ITEM(arrived.get(), i, Py_NewRef(object));
    }
    *error = false;
    if (!any) return Ref();
    PyObject* arguments[] = {arrived.get(), PyTuple_GET_ITEM(entry.several, 1)};
    Ref all(PyObject_Vectorcall(core.completed, arguments, 2, nullptr));
    *error = !all;
    return all;
}

Ref call_rule(PyObject* rule, PyObject* g, const Entry& entry, PyObject* wanted) {
    Ref kept(entry.kept_tuple());
    PyObject* function = Py_TYPE(rule) == core.Rule ? core.call.of(rule) : nullptr;
    if (!kept) return Ref();
    if (!function) {
        PyErr_Format(PyExc_TypeError, "%R is no rule", rule);
        return Ref();
    }
    PyObject* arguments[] = {g, kept.get(), entry.result ? entry.result : Py_None,
                             entry.params ? entry.params : Py_None, wanted};
    return Ref(PyObject_Vectorcall(function, arguments, 5, nullptr));
}

bool Walk::by_joint_rule(const Entry& entry, PyObject* joint, PyObject* g) {
    Ref wanted(PyTuple_New(entry.count));
    if (!wanted) return false;
    bool any = false;
    for (int i = 0; i < entry.count; i++) {
        int slot = entry.slots()[i];
        bool wants = known(slot) && leads(slot);
        any |= wants;
        PyTuple_SET_ITEM(wanted.get(), i, Py_NewRef(wants ? Py_True : Py_False));
    }
    if (!any) return true;
    Ref made = call_rule(joint, g, entry, wanted.get());
    if (!made) return false;
    Ref all(PySequence_Tuple(made.get()));
    if (!all) return false;
    if (PyTuple_GET_SIZE(all.get()) != entry.count) {
        PyErr_Format(PyExc_ValueError, "%R: a rule gave %zd cotangents for %d inputs", entry.prim,
                     PyTuple_GET_SIZE(all.get()), entry.count);
        return false;
    }
    for (int i = 0; i < entry.count; i++) {
        PyObject* gx = PyTuple_GET_ITEM(all.get(), i);
        if (PyTuple_GET_ITEM(wanted.get(), i) == Py_True && gx != Py_None &&
            !give(entry.slots()[i], Cotangent(Ref::to(gx))))
            return false;
    }
    return true;
}

bool Walk::by_rules(const Entry& entry, PyObject* rules, Cotangent* g) {
    PyObject* prim = entry.prim;
    Notes* notes = notes_of(prim);
    if (!notes) return false;
    bool broadcasts = is_true(core.broadcasts.of(prim));
    int count = entry.count;
    if (PyTuple_GET_SIZE(rules) < count) count = static_cast<int>(PyTuple_GET_SIZE(rules));
    for (int i = 0; i < count; i++) {
        int slot = entry.slots()[i];
        PyObject* rule = PyTuple_GET_ITEM(rules, i);
        if (!known(slot) || !leads(slot) || Py_TYPE(rule) != core.Rule) continue;
        bool of_part = quiet_ && takes_part(prim, entry.params);
        if (of_part && owned_[slot] && add_to(slot, entry.params, g)) continue;
        Cotangent gx;
        if (!quiet_ || notes->op == NO_OP || !native_rule(notes->op, i, *g, entry, &gx)) {
            PyObject* object = g->tensor();
            if (!object) return false;
            Ref made = call_rule(rule, object, entry, Py_None);
            if (!made) return false;
            gx = Cotangent(std::move(made));
        }
        if (broadcasts) {
            // What the other input gets as it is, and is asked for, is computed with the sum.
            int other = count == 2 ? entry.slots()[1 - i] : -1;
            if (!sum_to_slot(slot, known(other) && is_source_[other], &gx)) return false;
        }
        bool is_first = found_[slot].empty();
        if (!give(slot, std::move(gx))) return false;
        if (of_part && is_first) own(slot);
    }
    return true;
}

// Adds the cotangent of a part to an array of our own; false, without an error, if it does not fit.
bool Walk::add_to(int slot, PyObject* params, Cotangent* part) {
    PyObject *total = found_[slot].object(), *x = part->object();
    return total && x && is_exactly_tensor(total) && is_exactly_tensor(x) && tensor(total)->data &&
           tensor(x)->data && add_part(tensor(total)->data, params, tensor(x)->data);
}

// From now on the cotangent of this slot is added to in place, if nobody else can see it.
void Walk::own(int slot) {
    PyObject* x = found_[slot].object();
    if (!x || !is_exactly_tensor(x) || Py_REFCNT(x) != 1) return;
    PyObject* data = tensor(x)->data;
    owned_[slot] = data && Py_REFCNT(data) == 1 && is_plain(data) && size(data) >= IN_PLACE_FROM &&
                   PyArray_CHKFLAGS(array(data), NPY_ARRAY_OWNDATA);
}

// Sums a cotangent to the shape that the slot has, if it has another.
bool Walk::sum_to_slot(int slot, bool is_asked_for, Cotangent* g) {
    if (slot >= recording_->shapes->count()) {  // somebody has set other shapes meanwhile
        PyErr_SetString(PyExc_RuntimeError, "the record was changed while it was differentiated");
        return false;
    }
    if (g->is_number() && recording_->shapes->is_scalar(slot)) return true;
    PyObject* x = g->tensor();
    if (!x) return false;
    Ref data(is_tensor(x) ? Py_XNewRef(tensor(x)->data) : PyObject_GetAttr(x, names.data));
    if (!data) {
        if (!PyErr_Occurred()) PyErr_SetString(PyExc_AttributeError, "_data");
        return false;
    }
    bool same;
    if (!recording_->shapes->is_shape_of(slot, data.get(), &same)) return false;
    if (same) return true;
    if (is_asked_for && is_deferred(data.get())) deferred(data.get())->wanted = Wanted::surely;
    Ref shape(recording_->shapes->tuple(slot));
    if (!shape) return false;
    PyObject* arguments[] = {x, shape.get()};
    Ref sum(PyObject_Vectorcall(core.sum_to_shape, arguments, 2, nullptr));
    if (!sum) return false;
    *g = Cotangent(std::move(sum));
    return true;
}

// What a backward pass gives is computed when it ends, as far as it was put off.
bool Walk::settle() {
    for (size_t i = 0; i < found_.size(); i++) {
        PyObject* g = found_[i].object();
        if (g && !settle_value(g)) return false;
    }
    return settle_total();
}

PyObject* Walk::cotangents() {
    PyObject* list = PyList_New(static_cast<Py_ssize_t>(found_.size()));
    for (size_t i = 0; list && i < found_.size(); i++) {
        PyObject* g = found_[i].empty() ? Py_None : found_[i].tensor();
        if (!g) Py_CLEAR(list);
        else PyList_SET_ITEM(list, static_cast<Py_ssize_t>(i), Py_NewRef(g));
    }
    return list;
}

PyObject* backward(PyObject*, PyObject* const* arguments, Py_ssize_t count, PyObject* keywords) {
    // The last argument may be given by its name, which is the only one that the callers use.
    if (count + (keywords ? PyTuple_GET_SIZE(keywords) : 0) != 4 || count < 3 ||
        !is_recording(arguments[0]))
        return PyObject_Vectorcall(core.backward, arguments, count, keywords);
    Ref held = Ref::to(arguments[0]);
    int consume = PyObject_IsTrue(arguments[3]);
    if (consume < 0) return nullptr;
    Walk walk(recording(arguments[0]), consume == 1);
    if (!walk.start(arguments[1], arguments[2]) || !walk.run() || !walk.settle())
        return nullptr;
    return walk.cotangents();
}

// A real floating-point value that a variable or tensor of exactly our classes holds.
bool is_simple(PyObject* x) {
    PyObject* data = nullptr;
    if (is_exactly_tensor(x)) data = tensor(x)->data;
    else if (core.Variable && Py_TYPE(x) == core.Variable) data = core.variable_data.of(x);
    return data && (number_in(data).kind != Number::none || is_array(data, NPY_FLOAT32) ||
                    is_array(data, NPY_FLOAT64) || is_deferred(data));
}

// quick_gradient(recording, target, sources, consume): the gradient in the commonest case (all is
// real, known to the recording, and reached); NotImplemented, before anything is done, in others.
PyObject* quick_gradient(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
    if (count != 4) {
        PyErr_SetString(PyExc_TypeError, "quick_gradient(recording, target, sources, consume)");
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
    Ref seed(one.kind == Number::none ? PyObject_CallOneArg(core.seed, target) : nullptr);
    if (one.kind == Number::none && !seed) return nullptr;
    if (!walk.give(static_cast<int>(start), seed ? Cotangent(std::move(seed)) : Cotangent(one)))
        return nullptr;
    if (!walk.run() || !walk.settle()) return nullptr;
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
    for (Step* step = innermost; step; step = step->outer)
        if (step->entry) return step->entry->view();
    Py_RETURN_NONE;
}

PyMethodDef functions[] = {
    {"backward",
     reinterpret_cast<PyCFunction>(
         reinterpret_cast<void (*)()>(static_cast<_PyCFunctionFastWithKeywords>(backward))),
     METH_FASTCALL | METH_KEYWORDS,
     "backward(recording, seeds, sources, consume)\n--\n\nCotangents by slot."},
    {"quick_gradient",
     reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(quick_gradient)), METH_FASTCALL,
     "quick_gradient(recording, target, sources, consume)"},
    {"differentiated", differentiated, METH_NOARGS,
     "The entry of the record that a backward pass is at now; None where none is running."},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

bool prepare_backward(PyObject* module) { return PyModule_AddFunctions(module, functions) == 0; }

}  // namespace gradtape::hot
