// Entries of a record, and the shapes of its values.
#include "core/recording.h"

namespace gradtape::hot {

// An entry without a primitive has nothing to release: it was never filled, or moved from.
void Entry::release() {
    Py_XDECREF(prim);
    Py_XDECREF(params);
    Py_XDECREF(code);
    Py_XDECREF(several);
    Py_XDECREF(kept);
    Py_XDECREF(kept_inputs[0]);
    Py_XDECREF(kept_inputs[1]);
    Py_XDECREF(result);
    delete many_slots;
}

Entry Entry::copy() const {
    Entry other;
    other.prim = Py_XNewRef(prim);
    other.params = Py_XNewRef(params);
    other.code = Py_XNewRef(code);
    other.lasti = lasti;
    other.count = count;
    other.few_slots[0] = few_slots[0];
    other.few_slots[1] = few_slots[1];
    if (many_slots) other.many_slots = new std::vector<int>(*many_slots);
    other.slot = slot;
    other.several = Py_XNewRef(several);
    other.kept = Py_XNewRef(kept);
    other.kept_inputs[0] = Py_XNewRef(kept_inputs[0]);
    other.kept_inputs[1] = Py_XNewRef(kept_inputs[1]);
    other.keeps_inputs = keeps_inputs;
    other.result = Py_XNewRef(result);
    return other;
}

int Entry::visit(visitproc visit, void* arg) const {
    Py_VISIT(prim);
    Py_VISIT(params);
    Py_VISIT(code);
    Py_VISIT(several);
    Py_VISIT(kept);
    Py_VISIT(kept_inputs[0]);
    Py_VISIT(kept_inputs[1]);
    Py_VISIT(result);
    return 0;
}

PyObject* Entry::kept_tuple() const {
    if (!keeps_inputs) return Py_NewRef(kept ? kept : Py_None);
    PyObject* tuple = PyTuple_New(count);
    for (int i = 0; tuple && i < count; i++)
        PyTuple_SET_ITEM(tuple, i, Py_NewRef(kept_inputs[i] ? kept_inputs[i] : Py_None));
    return tuple;
}

PyObject* Entry::input(int i) const {
    if (keeps_inputs) return i < 2 ? kept_inputs[i] : nullptr;
    return kept && PyTuple_CheckExact(kept) && i < PyTuple_GET_SIZE(kept)
               ? PyTuple_GET_ITEM(kept, i)
               : nullptr;
}

PyObject* Entry::view() const {
    Ref inputs(PyList_New(count));
    if (!inputs) return nullptr;
    for (int i = 0; i < count; i++) {
        PyObject* number = PyLong_FromLong(slots()[i]);
        if (!number) return nullptr;
        PyList_SET_ITEM(inputs.get(), i, number);
    }
    Ref output(several ? Py_NewRef(several) : PyLong_FromLong(slot));
    Ref keeps(kept_tuple());
    if (!output || !keeps) return nullptr;
    return Py_BuildValue("(OOOOOOOi)", prim, inputs.get(), output.get(), keeps.get(),
                         result ? result : Py_None, params ? params : Py_None,
                         code ? code : Py_None, lasti);
}

bool Entry::read(PyObject* view) {
    PyObject *new_prim, *inputs, *output, *keeps, *answer, *parameters, *location;
    int offset;
    if (!PyTuple_Check(view)) {
        PyErr_Format(PyExc_TypeError, "an entry is a tuple, not %R", view);
        return false;
    }
    if (!PyArg_ParseTuple(view, "OO!OOOOOi:entry", &new_prim, &PyList_Type, &inputs, &output,
                          &keeps, &answer, &parameters, &location, &offset))
        return false;
    if (!notes_of(new_prim)) return false;
    Entry entry;
    entry.prim = Py_NewRef(new_prim);
    entry.count = static_cast<int>(PyList_GET_SIZE(inputs));
    std::vector<int> numbers;
    numbers.reserve(static_cast<size_t>(entry.count));
    for (int i = 0; i < entry.count; i++)
        numbers.push_back(static_cast<int>(PyLong_AsLong(PyList_GET_ITEM(inputs, i))));
    if (PyErr_Occurred()) return false;
    if (entry.count > 2) entry.many_slots = new std::vector<int>(numbers);
    else
        for (int i = 0; i < entry.count; i++) entry.few_slots[i] = numbers[i];
    if (PyLong_Check(output)) {
        entry.slot = static_cast<int>(PyLong_AsLong(output));
    } else if (PyTuple_Check(output) && PyTuple_GET_SIZE(output) == 2 &&
               PyList_Check(PyTuple_GET_ITEM(output, 0))) {
        entry.several = Py_NewRef(output);
    } else {
        PyErr_Format(PyExc_TypeError, "slots of results cannot be %R", output);
    }
    if (PyErr_Occurred()) return false;
    auto owned = [](PyObject* x) { return x == Py_None ? nullptr : Py_NewRef(x); };
    entry.kept = owned(keeps);
    entry.result = owned(answer);
    entry.params = owned(parameters);
    entry.code = owned(location);
    entry.lasti = offset;
    *this = std::move(entry);
    return true;
}

bool Shapes::add(PyObject* data) {
    if (data && PyArray_CheckExact(data)) {
        const npy_intp* sizes = PyArray_DIMS(array(data));
        sizes_.insert(sizes_.end(), sizes, sizes + PyArray_NDIM(array(data)));
        ends_.push_back(static_cast<int64_t>(sizes_.size()));
        return true;
    }
    if (data && is_deferred(data)) {
        const Deferred* d = deferred(data);
        sizes_.insert(sizes_.end(), d->shape, d->shape + d->rank);
        ends_.push_back(static_cast<int64_t>(sizes_.size()));
        return true;
    }
    if (data && is_number(data)) {
        ends_.push_back(static_cast<int64_t>(sizes_.size()));
        return true;
    }
    if (!data) {
        PyErr_SetString(PyExc_AttributeError, "_data");
        return false;
    }
    Ref shape(PyObject_GetAttr(data, names.shape));
    return shape && add_tuple(shape.get());
}

bool Shapes::add_tuple(PyObject* shape) {
    Ref sizes(PySequence_Tuple(shape));
    if (!sizes) return false;
    std::vector<npy_intp> numbers;
    bool is_open = false;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(sizes.get()); i++) {
        if (Py_TYPE(PyTuple_GET_ITEM(sizes.get(), i)) == core.Size) {
            numbers.push_back(-1);
            is_open = true;
            continue;
        }
        npy_intp size = PyNumber_AsSsize_t(PyTuple_GET_ITEM(sizes.get(), i), PyExc_OverflowError);
        if (size == -1 && PyErr_Occurred()) return false;
        numbers.push_back(size);
    }
    if (is_open) open_.emplace(count(), std::move(sizes));
    sizes_.insert(sizes_.end(), numbers.begin(), numbers.end());
    ends_.push_back(static_cast<int64_t>(sizes_.size()));
    return true;
}

bool Shapes::is_shape_of(int slot, PyObject* data, bool* same) const {
    const npy_intp* own = sizes_.data() + start(slot);
    int64_t rank = ends_[slot] - start(slot);
    if (!open_.count(slot) && (PyArray_CheckExact(data) || is_deferred(data))) {
        bool waits = is_deferred(data);
        const npy_intp* sizes = waits ? deferred(data)->shape : PyArray_DIMS(array(data));
        *same = rank == (waits ? deferred(data)->rank : PyArray_NDIM(array(data)));
        for (int64_t i = 0; *same && i < rank; i++) *same = own[i] == sizes[i];
        return true;
    }
    if (is_number(data)) {
        *same = rank == 0;
        return true;
    }
    Ref shape(PyObject_GetAttr(data, names.shape)), mine(tuple(slot));
    if (!shape || !mine) return false;
    bool differs = PyTuple_Check(shape.get()) && PyTuple_GET_SIZE(shape.get()) != rank;
    if (differs || open_.count(slot)) {  // `sum_to_shape` compares open sizes
        *same = false;
        return true;
    }
    int equal = PyObject_RichCompareBool(shape.get(), mine.get(), Py_EQ);
    *same = equal == 1;
    return equal >= 0;
}

PyObject* Shapes::tuple(int slot) const {
    auto open = open_.find(slot);
    if (open != open_.end()) return Py_NewRef(open->second.get());
    int64_t begin = start(slot), rank = ends_[slot] - begin;
    PyObject* made = PyTuple_New(rank);
    for (int64_t i = 0; made && i < rank; i++) {
        PyObject* size = PyLong_FromSsize_t(sizes_[begin + i]);
        if (!size) Py_CLEAR(made);
        else PyTuple_SET_ITEM(made, i, size);
    }
    return made;
}

}  // namespace gradtape::hot
