#include "core/walk.h"

#include "core/sums.h"
#include "fusion/compute.h"
#include "fusion/siblings.h"

namespace gradtape::hot {
namespace {

// Below this size a fresh array for a sum costs less than the question whether one is needed.
constexpr npy_intp MIN_IN_PLACE = 4096;

thread_local CurrentEntry* innermost = nullptr;

// Computes the value of a tensor now if it is deferred; the tensor holds the array then.
bool materialize(PyObject* x) {
    PyObject* data = is_exactly_tensor(x) ? tensor(x)->data : nullptr;
    if (!data || !is_deferred(data)) return true;
    PyObject* value = array_of(data);
    if (!value) return false;
    tensor(x)->data = Py_NewRef(value);
    Py_DECREF(data);
    return true;
}

Ref call_rule(PyObject* rule, PyObject* g, const Entry& entry, PyObject* needs_grad) {
    Ref kept(entry.kept_tuple());
    PyObject* function = Py_TYPE(rule) == core.Rule ? core.call.of(rule) : nullptr;
    if (!kept) return Ref();
    if (!function) {
        PyErr_Format(PyExc_TypeError, "%R is no rule", rule);
        return Ref();
    }
    PyObject* arguments[] = {g, kept.get(), entry.result ? entry.result : Py_None,
                             entry.params ? entry.params : Py_None, needs_grad};
    return Ref(call_python(function, arguments, 5, nullptr));
}

}  // namespace

Walk::Walk(Recording* recording, bool consume) : recording_(recording), consume_(consume) {
    current_ = {nullptr, recording, innermost};
    innermost = &current_;
}
Walk::~Walk() { innermost = current_.outer; }

const CurrentEntry* current_entry() {
    for (CurrentEntry* current = innermost; current; current = current->outer)
        if (current->entry) return current;
    return nullptr;
}

bool Walk::prepare() {
    Ref state = current_state();
    if (!state) return false;
    no_listeners_ = state.get() == core.empty_state && tensors_are_ours();
    size_t count = recording_->shapes->count();
    cotangents_.resize(count);
    is_source_.resize(count);
    owned_.resize(count);
    return compute_costly_total();  // what waits for a number would keep arrays through the whole
                                    // walk
}

bool Walk::begin(const std::vector<int>& starts) {
    if (!find_reaching_slots()) return false;
    if (reaches_source_.empty()) return true;
    any_reaches_ = false;
    for (int slot : starts) any_reaches_ |= reaches_source_[slot] != 0;
    return true;
}

bool Walk::start(PyObject* seeds, PyObject* sources) {
    if (!prepare()) return false;
    Ref slots(PySequence_Tuple(sources));
    if (!slots) return false;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(slots.get()); i++) {
        long slot = PyLong_AsLong(PyTuple_GET_ITEM(slots.get(), i));
        if (slot == -1 && PyErr_Occurred()) return false;
        if (!known(slot)) {
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
        if (g != Py_None && !accumulate(slot, Cotangent(Ref::to(g)))) return false;
    }
    return begin(starts);
}

// Works out from which slots a source can be reached; nothing is stored where all can.
bool Walk::find_reaching_slots() {
    bool all = true;
    PyObject *id, *leaf;
    Py_ssize_t position = 0;
    while (all && PyDict_Next(recording_->leaves, &position, &id, &leaf)) {
        long slot = PyTuple_Check(leaf) && PyTuple_GET_SIZE(leaf) == 2
                        ? PyLong_AsLong(PyTuple_GET_ITEM(leaf, 0))
                        : -1;
        if (slot == -1 && PyErr_Occurred()) return false;
        all = known(slot) && is_source_[slot];
    }
    if (all) return true;
    reaches_source_ = is_source_;
    for (const Entry& entry : *recording_->entries) {
        bool leading = false;
        for (int i = 0; i < entry.count; i++)
            leading |= known(entry.slots()[i]) && reaches_source_[entry.slots()[i]];
        if (!leading) continue;
        if (!entry.several) {
            if (known(entry.slot)) reaches_source_[entry.slot] = 1;
            continue;
        }
        PyObject* outs = PyTuple_GET_ITEM(entry.several, 0);
        for (Py_ssize_t i = 0; i < PyList_GET_SIZE(outs); i++) {
            long slot = PyLong_AsLong(PyList_GET_ITEM(outs, i));
            if (slot == -1 && PyErr_Occurred()) return false;
            if (known(slot)) reaches_source_[slot] = 1;
        }
    }
    return true;
}

bool Walk::accumulate(int slot, Cotangent g) {
    if (!cotangents_[slot].empty()) return add_up(slot, std::move(g));
    cotangents_[slot] = std::move(g);
    return true;
}

bool Walk::add_up(int slot, Cotangent g) {
    Cotangent& old = cotangents_[slot];
    auto is_sparse = [](PyObject* x) { return x && Py_TYPE(x) == core.IndexedSlices; };
    if (is_sparse(old.object()) || is_sparse(g.object())) {
        PyObject *a = old.tensor(), *b = g.tensor();
        if (!a || !b) return false;
        PyObject* arguments[] = {a, b};
        Ref total(call_python(core.add_slices, arguments, 2, nullptr));
        if (!total) return false;
        cotangents_[slot] = Cotangent(std::move(total));
        return true;
    }
    if (owned_[slot] && no_listeners_ && (g.is_number() || is_exactly_tensor(g.object()))) {
        PyObject* x = g.tensor();
        if (!x || !tensor(x)->data || !old.object() || !is_tensor(old.object())) return false;
        Ref held = Ref::to(tensor(old.object())->data);
        if (is_pending_op(tensor(x)->data) && is_plain(held.get())) {
            if (update_in_place(ADD, held.get(), tensor(x)->data)) return true;
            if (PyErr_Occurred()) return false;
        }
        if (add_array(held.get(), tensor(x)->data)) return true;
        return static_cast<bool>(Ref(PyNumber_InPlaceAdd(held.get(), tensor(x)->data)));
    }
    Cotangent total;
    if (!(no_listeners_ ? native_sum(old, g, &total) : sum_with_listeners(&old, &g, &total))) {
        if (PyErr_Occurred()) return false;
        PyObject *a = old.tensor(), *b = g.tensor();
        if (!a || !b) return false;
        Ref x = Ref::to(a);  // the sum may run any code
        total = Cotangent(Ref(PyNumber_Add(x.get(), b)));
        if (total.empty()) return false;
    }
    cotangents_[slot] = std::move(total);
    PyObject *sum = cotangents_[slot].object(), *added = g.object();
    // Arrays are added in place from now on: a sum of many that waits would keep them all.
    bool adds_array = added && is_exactly_tensor(added) && !is_pending_op(tensor(added)->data);
    if (sum && adds_array && !materialize(sum)) return false;
    if (sum && is_tensor(sum) && tensor(sum)->data && PyArray_CheckExact(tensor(sum)->data))
        owned_[slot] = PyArray_SIZE(array(tensor(sum)->data)) >= MIN_IN_PLACE;
    return true;
}

bool Walk::run() {
    if (!any_reaches_) return true;  // nothing can arrive; the record stays, for an explanation
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
            if (!kept.several && known(kept.slot) && cotangents_[kept.slot].empty()) continue;
            entry = kept.copy();  // a rule may make the record grow
        }
        current_.entry = &entry;
        bool done = differentiate(entry);
        current_.entry = nullptr;
        if (!done) return false;
    }
    return true;
}

bool Walk::differentiate(const Entry& entry) {
    PyObject* prim = entry.prim;
    Cotangent g;
    if (!entry.several) {
        if (!known(entry.slot) || cotangents_[entry.slot].empty()) return true;
        g = take(entry.slot);
        if (g.object() && Py_TYPE(g.object()) == core.IndexedSlices &&
            prim != primitive_of(IDENTITY)) {
            Ref dense(PyObject_CallMethodNoArgs(g.object(), names.to_tensor));
            if (!dense) return false;
            g = Cotangent(std::move(dense));
        }
    } else {
        bool error = false;
        Ref all = result_cotangents(entry, &error);
        if (error) return false;
        if (!all) return true;
        g = Cotangent(std::move(all));
    }
    PyObject* joint = core.joint.of(prim);
    if (joint && joint != Py_None) return apply_joint_rule(entry, joint, &g);
    PyObject* rules = core.vjps.of(prim);
    if (!rules || !PyTuple_Check(rules)) {
        PyErr_Format(PyExc_TypeError, "%R has no reverse rules", prim);
        return false;
    }
    return apply_rules(entry, rules, &g);
}

// The cotangents of an op's several results; nothing where none arrived.
Ref Walk::result_cotangents(const Entry& entry, bool* error) {
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
        if (known(slot) && !cotangents_[slot].empty()) {
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
    Ref all(call_python(core.completed, arguments, 2, nullptr));
    *error = !all;
    return all;
}

bool Walk::apply_joint_rule(const Entry& entry, PyObject* joint, Cotangent* g) {
    Ref needs_grad(PyTuple_New(entry.count));
    if (!needs_grad) return false;
    bool any = false;
    for (int i = 0; i < entry.count; i++) {
        int slot = entry.slots()[i];
        bool needed = known(slot) && reaches_source(slot);
        any |= needed;
        PyTuple_SET_ITEM(needs_grad.get(), i, Py_NewRef(needed ? Py_True : Py_False));
    }
    if (!any) return true;
    Cotangent own[MAX_OPERANDS];
    Notes* notes = notes_of(entry.prim);
    if (!notes) return false;
    if (Py_TYPE(joint) == core.Rule && entry.count <= MAX_OPERANDS &&
        joint_rule(notes, joint, !no_listeners_, g, entry, needs_grad.get(), own)) {
        for (int i = 0; i < entry.count; i++)
            if (PyTuple_GET_ITEM(needs_grad.get(), i) == Py_True && !own[i].empty() &&
                !accumulate(entry.slots()[i], std::move(own[i])))
                return false;
        return true;
    }
    if (PyErr_Occurred()) return false;
    PyObject* object = g->tensor();
    Ref made = object ? call_rule(joint, object, entry, needs_grad.get()) : Ref();
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
        if (PyTuple_GET_ITEM(needs_grad.get(), i) == Py_True && gx != Py_None &&
            !accumulate(entry.slots()[i], Cotangent(Ref::to(gx))))
            return false;
    }
    return true;
}

bool Walk::apply_rules(const Entry& entry, PyObject* rules, Cotangent* g) {
    PyObject* prim = entry.prim;
    Notes* notes = notes_of(prim);
    if (!notes) return false;
    bool broadcasts = is_true(core.broadcasts.of(prim));
    int count = entry.count;
    if (PyTuple_GET_SIZE(rules) < count) count = static_cast<int>(PyTuple_GET_SIZE(rules));
    for (int i = 0; i < count; i++) {
        int slot = entry.slots()[i];
        PyObject* rule = PyTuple_GET_ITEM(rules, i);
        if (!known(slot) || !reaches_source(slot) || Py_TYPE(rule) != core.Rule) continue;
        int is_index = no_listeners_ ? is_constant_index(prim, entry.params) : 0;
        if (is_index < 0) return false;
        if (is_index && owned_[slot]) {
            if (add_at_index_of(slot, entry.params, g)) continue;
            if (PyErr_Occurred()) return false;
        }
        Cotangent gx;
        bool done = no_listeners_ ? native_rule(notes, i, rule, *g, entry, &gx)
                                  : rule_with_listeners(notes, i, rule, g, entry, &gx);
        if (!done) {
            if (PyErr_Occurred()) return false;
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
        bool is_first = cotangents_[slot].empty();
        if (!accumulate(slot, std::move(gx))) return false;
        if (is_index && is_first) own_if_unshared(slot);
    }
    return true;
}

// Adds the cotangent of a part to an array of our own; false, perhaps with an error set, if it does
// not fit.
bool Walk::add_at_index_of(int slot, PyObject* params, Cotangent* part) {
    PyObject *total = cotangents_[slot].object(), *x = part->object();
    return total && x && is_exactly_tensor(total) && is_exactly_tensor(x) && tensor(total)->data &&
           tensor(x)->data && add_at_index(tensor(total)->data, params, tensor(x)->data);
}

// From now on the cotangent of this slot is added to in place, if nobody else can see it.
void Walk::own_if_unshared(int slot) {
    PyObject* x = cotangents_[slot].object();
    if (!x || !is_exactly_tensor(x) || Py_REFCNT(x) != 1) return;
    PyObject* data = tensor(x)->data;
    owned_[slot] = data && Py_REFCNT(data) == 1 && is_plain(data) && size(data) >= MIN_IN_PLACE &&
                   PyArray_CHKFLAGS(array(data), NPY_ARRAY_OWNDATA);
}

// Sums a cotangent to the shape that the slot has, if it has another.
bool Walk::sum_to_slot(int slot, bool is_requested, Cotangent* g) {
    if (slot >= recording_->shapes->count()) {  // other shapes were set meanwhile
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
    if (is_requested && is_deferred(data.get())) deferred(data.get())->wanted = Wanted::surely;
    const npy_intp* sizes;
    int rank = recording_->shapes->sizes(slot, &sizes);
    Ref sum = rank < 0 ? Ref() : sum_to_shape(x, data.get(), sizes, rank);
    if (!sum && !PyErr_Occurred()) {
        Ref shape(recording_->shapes->tuple(slot));
        if (!shape) return false;
        PyObject* arguments[] = {x, shape.get()};
        sum = Ref(call_python(core.sum_to_shape, arguments, 2, nullptr));
    }
    if (!sum) return false;
    *g = Cotangent(std::move(sum));
    return true;
}

bool Walk::materialize_all() {
    std::vector<PyObject*> values;
    for (const Cotangent& cotangent : cotangents_) {
        PyObject* g = cotangent.object();
        if (g && is_exactly_tensor(g) && tensor(g)->data) values.push_back(tensor(g)->data);
    }
    relate(values);
    for (size_t i = 0; i < cotangents_.size(); i++) {
        PyObject* g = cotangents_[i].object();
        if (g && !materialize(g)) return false;
    }
    return compute_costly_total();
}

PyObject* Walk::cotangents() {
    PyObject* list = PyList_New(static_cast<Py_ssize_t>(cotangents_.size()));
    for (size_t i = 0; list && i < cotangents_.size(); i++) {
        PyObject* g = cotangents_[i].empty() ? Py_None : cotangents_[i].tensor();
        if (!g) Py_CLEAR(list);
        else PyList_SET_ITEM(list, static_cast<Py_ssize_t>(i), Py_NewRef(g));
    }
    return list;
}

}  // namespace gradtape::hot
