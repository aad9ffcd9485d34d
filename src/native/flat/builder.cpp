#include "flat/builder.h"

#include <cstring>

#include "fusion/deferred.h"

namespace gradtape::flat {
namespace {

constexpr int64_t MAX_NUMBERS = 1 << 15;

npy_intp item_of(int type) {
    switch (type) {
        case NPY_BOOL: return 1;
        case NPY_INT32:
        case NPY_FLOAT32: return 4;
        default: return 8;
    }
}

Lower find(const Lowering* chapter, const std::string& name) {
    for (; chapter->name; chapter++)
        if (name == chapter->name) return chapter->lower;
    return nullptr;
}

bool can_be(const Spec& spec) {
    if (!is_number_type(spec.type)) return false;
    int64_t size = spec.layout.size();
    return size > 0 && size <= max_numbers();
}

}  // namespace

int64_t max_numbers() {
    // What would be deferred is computed in one pass with what follows it.
    return is_large(MAX_NUMBERS) ? 1 : MAX_NUMBERS;
}

int Builder::whole(const Spec& spec, Kind kind) {
    Value value;
    value.layout = spec.layout;
    value.type = spec.type;
    value.item = item_of(spec.type);
    value.layout.lay_out(value.item);
    value.buffer = static_cast<int>(buffers.size());
    buffers.push_back({kind, value.layout.size() * value.item, Ref(), nullptr, {}});
    return view(value);
}

int Builder::view(const Value& value) {
    values.push_back(value);
    return static_cast<int>(values.size()) - 1;
}

int Builder::temporary(const Layout& shape, int type) {
    Spec spec;
    spec.layout = shape;
    spec.type = type;
    return temporary(spec);
}

int Builder::constant(PyObject* data) {
    if (is_deferred(data) && !(data = array_of(data))) return -1;
    Spec spec;
    bool is_array = PyArray_CheckExact(data) && PyArray_NDIM(array(data)) > 0;
    if (is_array) {
        spec.type = PyArray_DESCR(array(data))->type_num;
        spec.layout.rank = PyArray_NDIM(array(data));
        if (spec.layout.rank > MAX_RANK || !PyArray_ISALIGNED(array(data)) ||
            !PyArray_ISNOTSWAPPED(array(data)))
            return -1;
        std::copy_n(PyArray_DIMS(array(data)), spec.layout.rank, spec.layout.shape);
    } else if (PyArray_CheckScalar(data)) {
        Ref dtype(PyArray_CheckExact(data)
                      ? Py_NewRef(reinterpret_cast<PyObject*>(PyArray_DESCR(array(data))))
                      : reinterpret_cast<PyObject*>(PyArray_DescrFromScalar(data)));
        if (!dtype) return -1;
        spec.type = reinterpret_cast<PyArray_Descr*>(dtype.get())->type_num;
    } else {
        return -1;
    }
    if (!is_number_type(spec.type)) return -1;
    int value = whole(spec, Kind::constant);
    Buffer& buffer = buffers.back();
    if (is_array) {
        buffer.held = Ref::to(data);
        buffer.data = static_cast<char*>(PyArray_DATA(array(data)));
        std::copy_n(PyArray_STRIDES(array(data)), spec.layout.rank, values.back().layout.strides);
    } else {
        if (PyArray_CheckExact(data))
            std::memcpy(buffer.number, PyArray_DATA(array(data)),
                        static_cast<size_t>(buffer.bytes));
        else PyArray_ScalarAsCtype(data, buffer.number);
        buffer.data = buffer.number;
    }
    return value;
}

int Builder::number(int type, double given) {
    Spec spec;
    spec.type = type;
    int value = whole(spec, Kind::constant);
    Buffer& buffer = buffers.back();
    buffer.data = buffer.number;
    switch (type) {
        case NPY_BOOL: *reinterpret_cast<bool*>(buffer.number) = given != 0; break;
        case NPY_INT32: *reinterpret_cast<int32_t*>(buffer.number) = int32_t(given); break;
        case NPY_INT64: *reinterpret_cast<int64_t*>(buffer.number) = int64_t(given); break;
        case NPY_FLOAT32: *reinterpret_cast<float*>(buffer.number) = float(given); break;
        default: *reinterpret_cast<double*>(buffer.number) = given;
    }
    return value;
}

bool Builder::loop(Loop given, std::initializer_list<int> operands, int result) {
    if (!given || operands.size() + 1 > MAX_WALKED) return false;
    std::vector<int> all(operands);
    bool are_in_order = true, is_decided = false;
    for (int x : all) {
        const Layout& layout = (*this)[x].layout;
        are_in_order &= layout.is_in_c_order();
        is_decided |= layout.has_shape((*this)[result].layout) && layout.decides_for_c_order();
    }
    if (!are_in_order) {
        if (!given.is_exact || !is_decided) return false;
        given = with_strides(given, (*this)[result].item);
        if (!given) return false;
    }
    all.push_back(result);
    int count = static_cast<int>(all.size());
    auto step = std::make_unique<LoopStep>();
    for (int attempt = 0;; attempt++) {
        const Layout* layouts[MAX_WALKED];
        for (int k = 0; k < count; k++) layouts[k] = &(*this)[all[k]].layout;
        step->walk = Walk();
        if (!step->walk.plan(layouts, count)) return false;
        bool are_runs = true;
        const Walk& walk = step->walk;
        for (int k = 0; k < count && walk.axes; k++) {
            npy_intp along = walk.steps[walk.axes - 1][k];
            are_runs &= along == 0 || along == (*this)[all[k]].item;
        }
        if (are_runs || !given.needs_runs) break;
        if (attempt || !given.is_exact) return false;
        for (int k = 0; k + 1 < count; k++) all[k] = contiguous(all[k]);
    }
    step->loop = suited(given, (*this)[result].item, &step->walk);
    for (int k = 0; k < count; k++) {
        step->addresses[k] = address_of((*this)[all[k]]);
        step->buffers.push_back(step->addresses[k].buffer);
    }
    double size = static_cast<double>((*this)[result].layout.size());
    emit(step, {}, 10 + size * given.cost);
    return true;
}

void Builder::copy(const Value& from, const Value& to) {
    auto step = std::make_unique<CopyStep>();
    const Layout* layouts[] = {&from.layout, &to.layout};
    step->walk.plan(layouts, 2);
    step->walk.lengthen_rows();
    step->item = from.item;
    const Walk& walk = step->walk;
    step->is_run = walk.axes == 0 || (walk.axes == 1 && walk.steps[0][0] == from.item &&
                                      walk.steps[0][1] == from.item);
    step->from = address_of(from);
    step->to = address_of(to);
    double bytes = static_cast<double>(to.layout.size() * to.item);
    emit(step, {step->from, step->to}, 5 + 0.2 * bytes);
}

void Builder::zeros(int value) {
    auto step = std::make_unique<ZerosStep>();
    step->to = address_of((*this)[value]);
    step->bytes = (*this)[value].layout.size() * (*this)[value].item;
    emit(step, {step->to}, 5 + 0.05 * static_cast<double>(step->bytes));
}

void Builder::materialize(int value) {
    auto it = parts.find((*this)[value].buffer);
    if (it == parts.end()) return;
    Part part = it->second;
    parts.erase(it);
    if (part.target.layout.size() != (*this)[part.value].layout.size()) zeros(part.value);
    copy((*this)[part.x], part.target);
}

int Builder::contiguous(int value) {
    if ((*this)[value].is_contiguous()) return value;
    int made = temporary((*this)[value].layout, type(value));
    copy((*this)[value], (*this)[made]);
    return made;
}

bool Builder::add(Call* call) {
    if (add_part(*this, *call)) return true;
    for (int x : call->operands) materialize(x);
    size_t before[] = {buffers.size(), values.size(), steps.size()};
    bool done = !call->operands.empty();
    for (const Spec& spec : call->specs) done &= can_be(spec);
    if (done) {
        Lower lower = find(MOVES, call->name);
        if (!lower) lower = find(REDUCTIONS, call->name);
        if (!lower) lower = find(PRODUCTS, call->name);
        done = (lower ? lower : lower_elementwise)(*this, *call);
    }
    done = done && !PyErr_Occurred() && call->results.size() == call->specs.size();
    for (size_t i = 0; done && i < call->results.size(); i++)
        done = (*this)[call->results[i]].layout.has_shape(call->specs[i].layout) &&
               type(call->results[i]) == call->specs[i].type;
    if (done) return true;
    parts.erase(parts.lower_bound(static_cast<int>(before[0])), parts.end());
    buffers.resize(before[0]);
    values.resize(before[1]);
    steps.resize(before[2]);
    return false;
}

}  // namespace gradtape::flat
