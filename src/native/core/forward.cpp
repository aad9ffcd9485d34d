#include "core/forward.h"

#include <utility>

#include "core/programs.h"

namespace gradtape::hot {
namespace {

// With more inputs than this (of `stack`, say), Python computes the tangent.
constexpr Py_ssize_t MAX_INPUTS = 32;

// An op that has run, the tangents of its inputs (null: none), and the state in which those of its
// results are computed: only what is outside of the accumulator listens.
struct Linearized {
    PyObject* prim;
    Notes* notes;
    Inputs& inputs;
    PyObject *params, *out;
    PyObject* const* tangents;
    PyObject* state;
};

// The tangents of an op's inputs: references, because their marks may be replaced meanwhile.
class Tangents {
  public:
    Tangents() = default;
    Tangents(const Tangents&) = delete;
    Tangents& operator=(const Tangents&) = delete;
    ~Tangents() {
        while (count_) Py_XDECREF(items_[--count_]);
    }
    void push(PyObject* borrowed) { items_[count_++] = Py_XNewRef(borrowed); }
    PyObject* const* items() const { return items_; }

  private:
    PyObject* items_[MAX_INPUTS];
    Py_ssize_t count_ = 0;
};

// Returns the tangent of a tensor, borrowed; null, perhaps with an error set, if it has none.
PyObject* tangent_of(PyObject* key, PyObject* leaves, PyObject* x) {
    PyObject* tangent = marked_tangent(tensor(x), key);
    if (tangent || PyDict_GET_SIZE(leaves) == 0) return tangent;
    Ref id(PyLong_FromVoidPtr(x));
    PyObject* leaf = id ? PyDict_GetItemWithError(leaves, id.get()) : nullptr;
    if (!leaf || !PyTuple_Check(leaf) || PyTuple_GET_SIZE(leaf) != 2) return nullptr;
    return PyTuple_GET_ITEM(leaf, 0);
}

bool is_word(PyObject* x, const char* word) {
    return x && PyUnicode_Check(x) && PyUnicode_CompareWithASCIIString(x, word) == 0;
}

Ref sum(Ref x, Ref y, PyObject* state) {
    if (!x || !y) return Ref();
    PyObject* both[] = {x.get(), y.get()};
    return Ref(apply(primitive_of(ADD), both, 2, nullptr, state));
}

Ref apply_to_tangents(const Linearized& op) {
    PyObject* moved[MAX_INPUTS];
    Ref zeros[MAX_INPUTS];
    Py_ssize_t count = op.inputs.count();
    for (Py_ssize_t i = 0; i < count; i++) {
        if (!op.tangents[i]) zeros[i] = Ref(call_python(core.zeros_like, op.inputs[i]));
        moved[i] = op.tangents[i] ? op.tangents[i] : zeros[i].get();
        if (!moved[i]) return Ref();
    }
    return Ref(apply(op.prim, moved, count, op.params, op.state));
}

Ref apply_to_each_tangent(const Linearized& op) {
    PyObject* moved[MAX_INPUTS];
    Py_ssize_t count = op.inputs.count();
    for (Py_ssize_t i = 0; i < count; i++) moved[i] = op.inputs[i];
    Ref total;
    for (Py_ssize_t i = 0; i < count; i++) {
        if (!op.tangents[i]) continue;
        moved[i] = op.tangents[i];
        Ref term(apply(op.prim, moved, count, op.params, op.state));
        moved[i] = op.inputs[i];
        bool is_first = !total;
        total = is_first ? std::move(term) : sum(std::move(total), std::move(term), op.state);
        if (!total) return Ref();
    }
    return total;
}

// Broadcasts a tangent to the shape of the result.
Ref as_large_as(Ref tangent, PyObject* out, PyObject* state) {
    PyObject *x = tensor(tangent.get())->data, *y = tensor(out)->data;
    if (PyArray_CheckExact(x) && PyArray_CheckExact(y)) {
        if (PyArray_SAMESHAPE(array(x), array(y))) return tangent;
    } else if (is_number(x) && is_number(y)) {
        return tangent;
    }
    Ref small(PyObject_GetAttr(x, names.shape)), large(PyObject_GetAttr(y, names.shape));
    int same = small && large ? PyObject_RichCompareBool(small.get(), large.get(), Py_EQ) : -1;
    if (same) return same < 0 ? Ref() : std::move(tangent);
    Ref params(Py_BuildValue("{OO}", names.shape, large.get()));
    PyObject* prim = PyDict_GetItemString(all_primitives(), "broadcast_to");
    PyObject* inputs[] = {tangent.get()};
    return params ? Ref(apply(prim, inputs, 1, params.get(), state)) : Ref();
}

// A rule for the tangent of one input, ready to run.
struct Prepared {
    NativeRule* rule;
    RuleProgram* program;
    PyObject* operands[MAX_OPERANDS];
};

// False, perhaps with an error set, if Python is to run the rule.
bool prepare(const Linearized& op, int input, PyObject* rule, Prepared* prepared) {
    int index = static_cast<int>(op.notes->arity) + input;
    NativeRule* own = find_rule(op.prim, op.notes, index, rule);
    if (!own || own->needs == Needs::values) return false;
    Signature signature(own, PyDict_GET_SIZE(op.params) ? op.params : nullptr);
    for (int i = 0; i < own->count; i++) {
        int source = own->sources[i];
        PyObject* x = source == COTANGENT ? op.tangents[input]
                      : source == RESULT  ? op.out
                                          : op.inputs[source];
        if (!is_tensor(x) || !tensor(x)->data) return false;
        if (!signature.add(dtype_of(tensor(x)->data), tensor(x)->data)) return false;
        prepared->operands[i] = x;
    }
    for (int i = 0; i < own->spec_only_count; i++)
        if (!signature.add_spec(op.inputs[own->spec_only[i]])) return false;
    prepared->rule = own;
    prepared->program = find_program(own, op.prim, signature);
    return prepared->program != nullptr;
}

Moved apply_forward_rules(const Linearized& op, PyObject* rules, Ref* moved) {
    Py_ssize_t count = op.inputs.count();
    if (count != PyTuple_GET_SIZE(rules) || count > MAX_OPERANDS) return Moved::by_python;
    Prepared prepared[MAX_OPERANDS];
    int ready = 0;
    bool straight = true;
    for (int i = 0; straight && i < count; i++) {
        PyObject* rule = PyTuple_GET_ITEM(rules, i);
        if (!op.tangents[i] || Py_TYPE(rule) != core.Rule) continue;
        straight = prepare(op, i, rule, &prepared[ready]);
        if (straight) prepared[ready++].program->running++;  // it is not deleted meanwhile
    }
    Ref total;
    bool failed = !straight && PyErr_Occurred();
    for (int i = 0; i < ready; i++) {
        prepared[i].program->running--;
        if (failed || !straight) continue;
        Ref term;
        run_bound(prepared[i].rule, prepared[i].program, prepared[i].operands, op.state, &term);
        total = i ? sum(std::move(total), std::move(term), op.state) : std::move(term);
        failed = !total;
    }
    if (total && is_true(core.broadcasts.of(op.prim))) {
        total = as_large_as(std::move(total), op.out, op.state);
        failed = !total;
    }
    *moved = std::move(total);
    return failed ? Moved::failed : straight ? Moved::done : Moved::by_python;
}

// Computes the tangents of the results: one tensor, or a tuple of them; nothing if they are zero.
Moved compute_tangents(const Linearized& op, Ref* moved) {
    PyObject *structure = core.structure.of(op.prim), *rules = core.jvps.of(op.prim);
    if (is_word(structure, "linear")) *moved = apply_to_tangents(op);
    else if (is_word(structure, "multilinear")) *moved = apply_to_each_tangent(op);
    else if (core.joint_jvp.of(op.prim) != Py_None || !rules || !PyTuple_Check(rules))
        return Moved::by_python;
    else return apply_forward_rules(op, rules, moved);
    return *moved ? Moved::done : Moved::failed;
}

bool attach(PyObject* key, PyObject* result, PyObject* tangent) {
    PyObject* data = tensor(result)->data;
    PyArray_Descr* dtype = dtype_of(data);
    Ref own(dtype ? Py_NewRef(reinterpret_cast<PyObject*>(dtype))
                  : PyObject_GetAttr(data, names.dtype));
    int differentiable = own ? PySet_Contains(core.differentiable, own.get()) : -1;
    return differentiable > 0 ? add_tangent(tensor(result), key, tangent) : differentiable == 0;
}

bool attach_all(PyObject* key, PyObject* out, PyObject* moved) {
    if (is_tensor(out)) return attach(key, out, moved);
    Ref results(PySequence_Tuple(out)), tangents(PySequence_Tuple(moved));
    if (!results || !tangents) return false;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(results.get()); i++)
        if (!attach(key, PyTuple_GET_ITEM(results.get(), i), PyTuple_GET_ITEM(tangents.get(), i)))
            return false;
    return true;
}

// The context has another state as long as this lives, unless that is null.
class Within {
  public:
    Within(PyObject* before, PyObject* state)
        : before_(before), is_set_(state && set_state(state)) {
        failed = state && !is_set_;
    }
    Within(const Within&) = delete;
    Within& operator=(const Within&) = delete;
    // Returns to the state before; false with an error set. An error that was set stays set.
    bool leave() {
        if (!is_set_) return !failed;
        PyObject *type, *value, *traceback;
        PyErr_Fetch(&type, &value, &traceback);
        // If a device was first used meanwhile, with the depth that this needs.
        Ref state = replaced_if_shallow();
        bool done = state && set_state(state.get());
        if (type) PyErr_Restore(type, value, traceback);
        return done && !type;
    }

    bool failed;

  private:
    Ref replaced_if_shallow() const {
        int shallow = PyObject_RichCompareBool(core.depth.of(before_),
                                               core.depth.of(core.empty_state), Py_LT);
        if (shallow < 0) return Ref();
        return shallow ? replaced(before_, core.tapes.of(before_), core.accumulators.of(before_))
                       : Ref::to(before_);
    }
    PyObject* before_;
    bool is_set_;
};

}  // namespace

Moved move_tangents(PyObject* accumulator, Py_ssize_t index, PyObject* state, PyObject* prim,
                    Notes* notes, Inputs& inputs, PyObject* params, PyObject* out) {
    Py_ssize_t count = inputs.count();
    if (Py_TYPE(accumulator) != core.Accumulator || core.trace.of(state) != Py_None ||
        count > MAX_INPUTS || !tensors_are_ours())
        return Moved::by_python;
    Ref key = Ref::to(core.accumulator_key.of(accumulator));
    PyObject* leaves = core.accumulator_leaves.of(accumulator);
    if (!key || !leaves || !PyDict_CheckExact(leaves)) return Moved::by_python;
    Tangents tangents;
    bool any = false, plain = is_exactly_tensor(out) || !is_tensor(out);
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject* t = tangent_of(key.get(), leaves, inputs[i]);
        if (!t && PyErr_Occurred()) return Moved::failed;
        if (t && (!is_tensor(t) || !tensor(t)->data)) return Moved::by_python;
        tangents.push(t);
        any |= t != nullptr;
        plain &= is_exactly_tensor(inputs[i]) && (!t || is_exactly_tensor(t));
    }
    if (!any || !is_true(core.differentiable_op.of(prim))) return Moved::done;
    Ref outer_accumulators(PyTuple_GetSlice(core.accumulators.of(state), 0, index));
    if (!outer_accumulators) return Moved::failed;
    Ref outer = replaced(state, core.tapes.of(state), outer_accumulators.get());
    if (!outer) return Moved::failed;
    bool has_no_listeners = plain && outer.get() == core.empty_state;
    Within within(state, has_no_listeners ? nullptr : outer.get());
    if (within.failed) return Moved::failed;
    Ref moved;
    Moved how = compute_tangents({prim, notes, inputs, params, out, tangents.items(), outer.get()},
                                 &moved);
    if (!within.leave()) return Moved::failed;
    if (how != Moved::done || !moved) return how;
    return attach_all(key.get(), out, moved.get()) ? Moved::done : Moved::failed;
}

}  // namespace gradtape::hot
