#include "core/rules.h"

#include <utility>

#include "core/programs.h"
#include "errors.h"
#include "kernels/elementwise.h"

namespace gradtape::hot {
namespace {

// Computes one op on single numbers; nothing (Number::none) where that is not computed here.
Number compute_step(const RuleStep& step, const Number* values) {
    Op op = known_op(step.prim.get(), step.notes);  // its kernel may have been replaced
    if (op == NO_OP) return Number();
    const Number& x = values[step.operands[0]];
    if (op == POWER_BY) return compute_power(x, step.exponent);
    return compute(op, x, values[step.operands[step.count - 1]]);
}

// Runs a rule on single numbers, which are the commonest in long chains: nothing is made on the
// way.
bool run_on_numbers(NativeRule* own, const Number& g, const Entry& entry, PyObject* params,
                    Number* result) {
    RuleProgram* program = params ? find_program(own, g.kind, params) : own->on_numbers[g.kind];
    if (!program) return false;
    if (program->steps.empty()) {
        *result = g;
        count_run(own, program);
        return true;
    }
    alignas(Number) unsigned char memory[sizeof(Number) * MAX_VALUES];  // made as they come
    auto* values = reinterpret_cast<Number*>(memory);
    Number* last = values;
    for (int i = 0; i < own->count; i++, last++) {
        int source = own->sources[i];
        PyObject* x = source == RESULT ? entry.result : source >= 0 ? entry.input(source) : nullptr;
        if (source == COTANGENT) *last = g;
        else if (x && is_exactly_tensor(x) && tensor(x)->data) *last = number_in(tensor(x)->data);
        else return false;
        if (last->kind != g.kind) return false;
    }
    for (const Value& constant : program->constants) *last++ = constant.number();
    for (const RuleStep& step : program->steps) {
        *last = compute_step(step, values);
        if (last++->kind == Number::none) return false;
    }
    *result = values[program->results[0]];
    count_run(own, program);
    return true;
}

Value run_op(PyObject* prim, Notes* notes, const Value* const* operands, int count,
             PyObject* params, double exponent) {
    Op op = known_op(prim, notes);
    if (op != NO_OP && count == arity_of(op) && operands[0]->is_number() &&
        operands[count - 1]->is_number()) {
        const Number& x = operands[0]->number();
        Number result;
        if (op == POWER_BY) result = compute_power(x, exponent);
        else if (!params) result = compute(op, x, operands[count - 1]->number());
        if (result.kind != Number::none) return Value(result);
    }
    Ref held[MAX_OPERANDS];
    PyObject* arguments[MAX_OPERANDS];
    for (int i = 0; i < count; i++) {
        held[i] = operands[i]->data();
        if (!(arguments[i] = held[i].get())) return Value();
    }
    Ref made(call_kernel(core.kernel.of(prim), arguments, count, params));
    return made ? value_of_data(made.get()) : Value();
}

// Computes all values of a program; false, perhaps with an error set, if one of them failed.
bool compute_values(const RuleProgram& program, Values& values) {
    for (const Value& constant : program.constants) values.push(constant.share());
    for (const RuleStep& step : program.steps) {
        const Value* operands[MAX_OPERANDS];
        for (int i = 0; i < step.count; i++) operands[i] = &values[step.operands[i]];
        Value made = run_op(step.prim.get(), step.notes, operands, step.count, step.params.get(),
                            step.exponent);
        if (!made.ok()) return false;
        values.push(std::move(made));
    }
    return true;
}

Value fused_value(const RuleProgram& program, Values& values) {
    if (program.fused == NO_OP || values[0].is_number() || values[1].is_number()) return Value();
    Ref g = values[0].data(), ans = values[1].data();
    return Value(Ref(pairwise(program.fused, ans.get(), g.get())));
}

bool give(const Value& value, Cotangent* result) {
    if (!value.ok()) {
        unsuitable_values();
        return false;
    }
    *result = value.is_number() ? Cotangent(value.number())
                                : Cotangent(Ref(new_tensor(value.data().release())));
    return !result->empty();
}

Value value_of(const Cotangent& g) {
    return g.is_number() ? Value(g.number()) : value_of_tensor(g.object());
}

bool add_specs(const NativeRule* own, const Entry& entry, Signature* signature) {
    for (int i = 0; i < own->spec_only_count; i++)
        if (!signature->add_spec(entry.input(own->spec_only[i]))) return false;
    return true;
}

// native_rules(): returns (primitive, input, rule, runs) of each rule that was recorded, for
// certain dtypes and parameters, and how often it ran; forward rules are numbered behind the
// inputs. Those that were deleted are one row, whose rule is None.
PyObject* native_rules(PyObject*, PyObject*) {
    Ref list(PyList_New(0));
    PyObject *name, *prim, *all = all_primitives();
    Py_ssize_t position = 0;
    while (list && all && PyDict_Next(all, &position, &name, &prim)) {
        Notes* notes = notes_of(prim);
        if (!notes) return nullptr;
        if (!notes->rules) continue;
        for (const auto& rule : *notes->rules) {
            if (!rule) continue;
            for (const auto& program : rule->programs) {
                if (program->by_python) continue;
                Ref row(
                    Py_BuildValue("(OiOK)", name, rule->input, program->text.get(), program->runs));
                if (!row || PyList_Append(list.get(), row.get()) < 0) return nullptr;
            }
            if (!rule->runs_of_deleted) continue;
            Ref row(Py_BuildValue("(OiOK)", name, rule->input, Py_None, rule->runs_of_deleted));
            if (!row || PyList_Append(list.get(), row.get()) < 0) return nullptr;
        }
    }
    return list.release();
}

PyMethodDef functions[] = {
    {"native_rules", native_rules, METH_NOARGS,
     "native_rules(): (primitive, input, rule, runs) of the rules that have run without Python"},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

PyObject* Cotangent::tensor() {
    if (is_number()) {
        object_ = Ref(new_tensor(new_number(number_)));
        if (object_) number_.kind = Number::none;
    }
    return object_.get();
}

namespace {

// Runs a rule's program on values; `results` gets one, or of a joint rule one for each input.
bool run_on_values(NativeRule* own, const Cotangent& g, const Entry& entry, PyObject* needs_grad,
                   Cotangent* results) {
    Values values;
    for (int i = 0; i < own->count; i++) {
        int source = own->sources[i];
        values.push(source == COTANGENT
                        ? value_of(g)
                        : value_of_tensor(source == RESULT ? entry.result : entry.input(source)));
        if (!values[i].ok()) return false;
    }
    Signature signature(own, params_of(entry));
    signature.needs_grad = needs_grad;
    for (int i = 0; i < own->count; i++)
        if (!signature.add(values[i].dtype(), values[i].object())) return false;
    if (!add_specs(own, entry, &signature)) return false;
    RuleProgram* program = find_program(own, entry.prim, signature);
    if (!program || (needs_grad && program->results.size() != static_cast<size_t>(entry.count)))
        return false;
    // Its kernels may be Python's, or let other threads run, which use this rule as well.
    program->running++;
    Value fused = fused_value(*program, values);
    bool done = fused.ok() || (!PyErr_Occurred() && compute_values(*program, values));
    // Why a kernel failed, Python's rule says, whose ops explain it. (Memory may be there again.)
    if (!done && !PyErr_ExceptionMatches(PyExc_MemoryError) &&
        !PyErr_ExceptionMatches(PyExc_RecursionError))
        expected_error({PyExc_Exception});
    for (size_t i = 0; done && i < program->results.size(); i++) {
        int index = program->results[i];
        if (index == 0) results[i] = g.share();
        else if (index > 0) done = give(fused.ok() ? fused : values[index], &results[i]);
    }
    program->running--;
    if (done) count_run(own, program);
    return done;
}

// Does the same such that everybody sees the ops.
bool run_on_tensors(NativeRule* own, Cotangent* g, const Entry& entry, PyObject* needs_grad,
                    Cotangent* results) {
    Ref state = current_state();
    if (!state || !tensors_are_ours() || core.trace.of(state.get()) != Py_None) return false;
    PyObject* operands[MAX_OPERANDS];
    Signature signature(own, params_of(entry));
    signature.needs_grad = needs_grad;
    for (int i = 0; i < own->count; i++) {
        int source = own->sources[i];
        PyObject* x = source == COTANGENT ? g->tensor()
                      : source == RESULT  ? entry.result
                                          : entry.input(source);
        if (!x || !is_tensor(x) || !tensor(x)->data) return false;
        if (!signature.add(dtype_of(tensor(x)->data), tensor(x)->data)) return false;
        operands[i] = x;
    }
    if (!add_specs(own, entry, &signature)) return false;
    RuleProgram* program = find_program(own, entry.prim, signature);
    if (!program || (needs_grad && program->results.size() != static_cast<size_t>(entry.count)))
        return false;
    Ref made[MAX_OPERANDS];
    size_t count = program->results.size();
    if (!run_bound(own, program, operands, state.get(), made)) return false;
    for (size_t i = 0; i < count; i++) results[i] = Cotangent(std::move(made[i]));
    return true;
}

}  // namespace

bool native_rule(Notes* notes, int input, PyObject* rule, const Cotangent& g, const Entry& entry,
                 Cotangent* result) {
    NativeRule* own = find_rule(entry.prim, notes, input, rule);
    if (!own || own->needs == Needs::values) return false;
    Number number;
    if (g.is_number() && run_on_numbers(own, g.number(), entry, params_of(entry), &number)) {
        *result = Cotangent(number);
        return true;
    }
    return run_on_values(own, g, entry, nullptr, result);
}

bool rule_with_listeners(Notes* notes, int input, PyObject* rule, Cotangent* g, const Entry& entry,
                         Cotangent* result) {
    NativeRule* own = find_rule(entry.prim, notes, input, rule);
    return own && own->needs != Needs::values && run_on_tensors(own, g, entry, nullptr, result);
}

bool joint_rule(Notes* notes, PyObject* rule, bool has_listeners, Cotangent* g, const Entry& entry,
                PyObject* needs_grad, Cotangent* results) {
    if (notes->arity < 0) return false;
    int behind_forward_rules = 2 * static_cast<int>(notes->arity);
    NativeRule* own = find_rule(entry.prim, notes, behind_forward_rules, rule);
    if (!own || own->needs == Needs::values) return false;
    return has_listeners ? run_on_tensors(own, g, entry, needs_grad, results)
                         : run_on_values(own, *g, entry, needs_grad, results);
}

bool native_sum(const Cotangent& x, const Cotangent& y, Cotangent* result) {
    Value a = value_of(x), b = value_of(y);
    PyObject* prim = primitive_of(ADD);
    if (!prim || !a.ok() || !b.ok() || a.dtype() != b.dtype()) return false;
    const Value* operands[] = {&a, &b};
    return give(run_op(prim, notes_of(prim), operands, 2, nullptr, 0), result);
}

bool sum_with_listeners(Cotangent* x, Cotangent* y, Cotangent* result) {
    PyObject* both[] = {x->tensor(), y->tensor()};
    Ref held[2], state = current_state();
    if (!state || !tensors_are_ours() || core.trace.of(state.get()) != Py_None) return false;
    PyArray_Descr* dtype = nullptr;
    for (int i = 0; i < 2; i++) {
        if (!both[i] || !is_tensor(both[i]) || !tensor(both[i])->data) return false;
        PyArray_Descr* own = dtype_of(tensor(both[i])->data);
        if (!own || (dtype && own != dtype)) return false;
        dtype = own;
        held[i] = Ref::to(both[i]);
    }
    *result = Cotangent(Ref(apply(primitive_of(ADD), both, 2, nullptr, state.get())));
    return !result->empty();
}

void delete_rules(Notes* notes) { delete notes->rules; }

bool prepare_rules(PyObject* module) { return PyModule_AddFunctions(module, functions) == 0; }

}  // namespace gradtape::hot
