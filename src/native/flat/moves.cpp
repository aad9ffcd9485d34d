// How ops that move numbers become views, which cost nothing, or copies.
#include "flat/builder.h"
#include "runtime/parameters.h"

namespace gradtape::flat {
namespace {

bool read_axis(PyObject* given, int limit, int* axis) {
    if (!given || !PyLong_CheckExact(given)) return false;
    long value = PyLong_AsLong(given);
    if (PyErr_Occurred() || value < 0 || value >= limit) return false;
    *axis = static_cast<int>(value);
    return true;
}

bool same(Builder&, Call& call) {
    call.results = {call.operands[0]};
    return true;
}

bool reshape(Builder& b, Call& call) {
    Value made = b[b.contiguous(call.operands[0])];
    if (made.layout.size() != call.specs[0].layout.size()) return false;
    made.layout = call.specs[0].layout;
    made.layout.lay_out(made.item);
    call.results = {b.view(made)};
    return true;
}

bool transpose(Builder& b, Call& call) {
    std::vector<npy_intp> permutation;
    const Value& x = b[call.operands[0]];
    if (!read_tuple(call.parameter("permutation"), &permutation) ||
        static_cast<int>(permutation.size()) != x.layout.rank)
        return false;
    Value made = x;
    for (int i = 0; i < x.layout.rank; i++) {
        npy_intp from = permutation[static_cast<size_t>(i)];
        if (from < 0 || from >= x.layout.rank) return false;
        made.layout.shape[i] = x.layout.shape[from];
        made.layout.strides[i] = x.layout.strides[from];
    }
    call.results = {b.view(made)};
    return true;
}

// The kernel returns a copy of as many numbers at the most, otherwise a view.
constexpr int64_t COPIED = 4096;

bool broadcast_to(Builder& b, Call& call) {
    const Value& x = b[call.operands[0]];
    Value made = x;
    made.layout = call.specs[0].layout;
    int missing = made.layout.rank - x.layout.rank;
    if (missing < 0) return false;
    for (int i = 0; i < made.layout.rank; i++) {
        int own = i - missing;
        bool is_spread = own < 0 || x.layout.shape[own] == 1;
        if (!is_spread && x.layout.shape[own] != made.layout.shape[i]) return false;
        made.layout.strides[i] = is_spread ? 0 : x.layout.strides[own];
    }
    int spread = b.view(made);
    call.results = {made.layout.size() > COPIED ? spread : b.contiguous(spread)};
    return true;
}

// --- parts ---------------------------------------------------------------------------------------

// Makes the value x[index] of x; an index has an entry for each axis: an int, a tuple (start, stop,
// step), or None for a new axis.
bool take(const Value& x, PyObject* index, Value* made) {
    if (!index || !PyTuple_Check(index)) return false;
    *made = x;
    Layout& to = made->layout;
    to.rank = 0;
    int axis = 0;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(index); i++) {
        PyObject* entry = PyTuple_GET_ITEM(index, i);
        if (to.rank == MAX_RANK || (entry != Py_None && axis == x.layout.rank)) return false;
        if (entry == Py_None) {
            to.shape[to.rank] = 1;
            to.strides[to.rank++] = 0;
            continue;
        }
        npy_intp n = x.layout.shape[axis], stride = x.layout.strides[axis];
        if (PyTuple_Check(entry) && PyTuple_GET_SIZE(entry) == 3) {
            Ref slice(PySlice_New(PyTuple_GET_ITEM(entry, 0), PyTuple_GET_ITEM(entry, 1),
                                  PyTuple_GET_ITEM(entry, 2)));
            Py_ssize_t start, stop, step;
            if (!slice || PySlice_Unpack(slice.get(), &start, &stop, &step) < 0) return false;
            to.shape[to.rank] = PySlice_AdjustIndices(n, &start, &stop, step);
            made->offset += to.shape[to.rank] ? start * stride : 0;
            to.strides[to.rank++] = step * stride;
        } else if (PyLong_CheckExact(entry)) {
            Py_ssize_t at = PyLong_AsSsize_t(entry);
            if (at == -1 && PyErr_Occurred()) return false;
            at += at < 0 ? n : 0;
            if (at < 0 || at >= n) return false;
            made->offset += at * stride;
        } else {
            return false;
        }
        axis++;
    }
    for (; axis < x.layout.rank; axis++) {
        if (to.rank == MAX_RANK) return false;
        to.shape[to.rank] = x.layout.shape[axis];
        to.strides[to.rank++] = x.layout.strides[axis];
    }
    return true;
}

bool slice(Builder& b, Call& call) {
    Value made;
    if (!take(b[call.operands[0]], call.parameter("index"), &made)) return false;
    call.results = {b.view(made)};
    return true;
}

bool put_slice(Builder& b, Call& call) {
    int result = b.temporary(call.specs[0]);
    Value part;
    const Value& x = b[call.operands[0]];
    if (!take(b[result], call.parameter("index"), &part) || !part.layout.has_shape(x.layout))
        return false;
    b.parts[b[result].buffer] = {result, call.operands[0], part};
    call.results = {result};
    return true;
}

bool split(Builder& b, Call& call) {
    std::vector<npy_intp> sizes;
    Value part = b[call.operands[0]];
    int axis;
    if (!read_tuple(call.parameter("sizes"), &sizes) ||
        !read_axis(call.parameter("axis"), part.layout.rank, &axis))
        return false;
    for (npy_intp size : sizes) {
        part.layout.shape[axis] = size;
        call.results.push_back(b.view(part));
        part.offset += size * part.layout.strides[axis];
    }
    return true;
}

void remove_axis(Layout* layout, int axis) {
    for (int i = axis; i + 1 < layout->rank; i++) {
        layout->shape[i] = layout->shape[i + 1];
        layout->strides[i] = layout->strides[i + 1];
    }
    layout->rank--;
}

bool unstack(Builder& b, Call& call) {
    Value part = b[call.operands[0]];
    int axis;
    if (!read_axis(call.parameter("axis"), part.layout.rank, &axis)) return false;
    npy_intp count = part.layout.shape[axis], stride = part.layout.strides[axis];
    remove_axis(&part.layout, axis);
    for (npy_intp i = 0; i < count; i++, part.offset += stride)
        call.results.push_back(b.view(part));
    return true;
}

// --- joined --------------------------------------------------------------------------------------

bool concat(Builder& b, Call& call) {
    int result = b.temporary(call.specs[0]), axis;
    Value part = b[result];
    npy_intp whole = 0;
    if (!read_axis(call.parameter("axis"), part.layout.rank, &axis)) return false;
    for (int each : call.operands) {
        const Value& x = b[each];
        if (x.type != part.type || x.layout.rank != part.layout.rank) return false;
        part.layout.shape[axis] = x.layout.shape[axis];
        if (!part.layout.has_shape(x.layout)) return false;
        b.copy(x, part);
        part.offset += x.layout.shape[axis] * part.layout.strides[axis];
        whole += x.layout.shape[axis];
    }
    call.results = {result};
    return whole == b[result].layout.shape[axis];
}

bool stack(Builder& b, Call& call) {
    int result = b.temporary(call.specs[0]), axis;
    Value part = b[result];
    if (!read_axis(call.parameter("axis"), part.layout.rank, &axis) ||
        part.layout.shape[axis] != static_cast<npy_intp>(call.operands.size()))
        return false;
    npy_intp stride = part.layout.strides[axis];
    remove_axis(&part.layout, axis);
    for (int each : call.operands) {
        if (b.type(each) != part.type || !part.layout.has_shape(b[each].layout)) return false;
        b.copy(b[each], part);
        part.offset += stride;
    }
    call.results = {result};
    return true;
}

// Plans y + z, where `part` is the part of z that is not 0.
template <class Number>
void emit_sum(Builder& b, const Part& part, int y, int result) {
    auto step = std::make_unique<AddPartStep<Number>>();
    Value own = part.target;  // its layout is that of the part of y, too
    const Layout* layouts[] = {&b[part.x].layout, &own.layout, &own.layout};
    step->walk.plan(layouts, 3);
    step->walk.lengthen_rows();
    step->size = b[y].layout.size();
    step->x = address_of(b[part.x]);
    step->y = address_of(b[y]);
    step->result = address_of(b[result]);
    step->offset = own.offset;
    double size = static_cast<double>(step->size);
    b.emit(step, {step->x, step->y, step->result}, 10 + size);
}

}  // namespace

bool add_part(Builder& b, Call& call) {
    if (call.name != OP_NAMES[ADD] || call.operands.size() != 2 || call.specs.size() != 1)
        return false;
    int type = call.specs[0].type, y = -1;
    const Part* part = nullptr;
    for (int k = 1; k >= 0 && !part; k--) {
        auto it = b.parts.find(b[call.operands[k]].buffer);
        if (it == b.parts.end() || it->second.value != call.operands[k]) continue;
        part = &it->second;
        y = call.operands[1 - k];
    }
    if (!part || (type != NPY_FLOAT32 && type != NPY_FLOAT64) || b.type(y) != type ||
        b.type(part->value) != type || y == part->value || !b[y].is_contiguous() ||
        !b[y].layout.has_shape(call.specs[0].layout) ||
        !b[part->value].layout.has_shape(call.specs[0].layout))
        return false;
    b.materialize(y);
    int result = b.temporary(call.specs[0]);
    call.results = {result};
    if (type == NPY_FLOAT32) emit_sum<float>(b, *part, y, result);
    else emit_sum<double>(b, *part, y, result);
    return true;
}

const Lowering MOVES[] = {{"stop_gradient", same},  {"reshape", reshape},
                          {"transpose", transpose}, {"broadcast_to", broadcast_to},
                          {"slice", slice},         {"put_slice", put_slice},
                          {"split", split},         {"unstack", unstack},
                          {"concat", concat},       {"stack", stack},
                          {nullptr, nullptr}};

}  // namespace gradtape::flat
