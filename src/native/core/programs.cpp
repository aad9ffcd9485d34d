#include "core/programs.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "errors.h"

namespace gradtape::hot {
namespace {

// --- the signature of a program ------------------------------------------------------------------

// Parameters by which programs can be distinguished.
bool is_comparable(PyObject* x) {
    if (PyTuple_CheckExact(x)) {
        for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(x); i++)
            if (!is_comparable(PyTuple_GET_ITEM(x, i))) return false;
        return true;
    }
    return x == Py_None || PyBool_Check(x) || PyFloat_CheckExact(x) || PyLong_CheckExact(x) ||
           PyUnicode_CheckExact(x) || PyArray_DescrCheck(x);
}

bool is_same(PyObject* x, PyObject* y) {
    if (x == y) return true;
    if (Py_TYPE(x) != Py_TYPE(y)) return false;
    if (PyFloat_CheckExact(x)) {
        double a = PyFloat_AS_DOUBLE(x), b = PyFloat_AS_DOUBLE(y);
        return a == b ? std::signbit(a) == std::signbit(b) : a != a && b != b;
    }
    if (PyLong_CheckExact(x)) return PyObject_RichCompareBool(x, y, Py_EQ) == 1;
    if (PyTuple_CheckExact(x)) {
        bool same = PyTuple_GET_SIZE(x) == PyTuple_GET_SIZE(y);
        for (Py_ssize_t i = 0; same && i < PyTuple_GET_SIZE(x); i++)
            same = is_same(PyTuple_GET_ITEM(x, i), PyTuple_GET_ITEM(y, i));
        return same;
    }
    return PyUnicode_CheckExact(x) && PyUnicode_Compare(x, y) == 0;
}

bool has_params(const RuleProgram& program, PyObject* params) {
    PyObject* own = program.params.get();
    if (!own || !params) return own == params;
    if (PyDict_GET_SIZE(own) != PyDict_GET_SIZE(params)) return false;
    PyObject *name, *value;
    Py_ssize_t position = 0;
    while (PyDict_Next(own, &position, &name, &value)) {
        PyObject* other = PyDict_GetItemWithError(params, name);
        if (!other || !is_same(value, other)) return false;
    }
    return true;
}

bool has_signature(const RuleProgram& program, const Signature& signature) {
    return std::equal(program.dtypes.begin(), program.dtypes.end(), signature.dtypes) &&
           program.sizes.size() == static_cast<size_t>(signature.length) &&
           std::equal(program.sizes.begin(), program.sizes.end(), signature.sizes) &&
           has_params(program, signature.params) &&
           (program.needs_grad && signature.needs_grad
                ? is_same(program.needs_grad.get(), signature.needs_grad)
                : !program.needs_grad && !signature.needs_grad);
}

// Returns the shapes of a signature as tuples, None if it has none; null with an error set.
Ref shapes_of(const Signature& signature) {
    if (!signature.has_shapes) return Ref::to(Py_None);
    Ref shapes(PyTuple_New(signature.count));
    const npy_intp* next = signature.sizes;
    for (int i = 0; shapes && i < signature.count; i++) {
        npy_intp rank = *next++;
        PyObject* shape = PyTuple_New(rank);
        if (!shape) return Ref();
        PyTuple_SET_ITEM(shapes.get(), i, shape);
        for (npy_intp k = 0; k < rank; k++) {
            PyObject* size = PyLong_FromSsize_t(*next++);
            if (!size) return Ref();
            PyTuple_SET_ITEM(shape, k, size);
        }
    }
    return shapes;
}

// --- recording -----------------------------------------------------------------------------------

// Reads what the rule names; false, without an error, if that is more than inputs and result.
bool read_operands(NativeRule* own, PyObject* rule, Py_ssize_t inputs) {
    own->sources[own->count++] = COTANGENT;
    PyObject *values = core.values.of(rule), *input, *aspect;
    if (!values || !PyDict_Check(values) || inputs < 0 || inputs > MAX_OPERANDS - 2) return false;
    bool named[MAX_OPERANDS] = {}, spec_only[MAX_OPERANDS] = {};
    Py_ssize_t position = 0;
    while (PyDict_Next(values, &position, &input, &aspect)) {
        long index = PyLong_Check(input) ? PyLong_AsLong(input) : -1;
        if (index < 0 || index >= inputs || !PyUnicode_Check(aspect)) return false;
        bool is_value = PyUnicode_CompareWithASCIIString(aspect, "value") == 0;
        (is_value ? named : spec_only)[index] = true;
        if (!is_value) own->needs = Needs::shapes;
    }
    for (int i = 0; i < inputs; i++) {
        if (named[i]) own->sources[own->count++] = i;
        if (spec_only[i]) own->spec_only[own->spec_only_count++] = i;
    }
    if (is_true(core.needs_ans.of(rule))) own->sources[own->count++] = RESULT;
    return own->count + own->spec_only_count <= MAX_OPERANDS;
}

bool is_registered(PyObject* prim) {
    PyObject *all = all_primitives(), *name = core.name.of(prim);
    return all && name && PyUnicode_Check(name) && PyDict_GetItemWithError(all, name) == prim;
}

bool read_step(PyObject* given, int values, RuleStep* step) {
    PyObject *prim, *operands, *params;
    if (!PyArg_ParseTuple(given, "OO!O:step", &prim, &PyTuple_Type, &operands, &params))
        return false;
    if (!(step->notes = notes_of(prim))) return false;
    step->prim = Ref::to(prim);
    Py_ssize_t count = PyTuple_GET_SIZE(operands);
    if (count < 1 || count > MAX_OPERANDS) return false;
    step->count = static_cast<int8_t>(count);
    for (int i = 0; i < count; i++) {
        long index = PyLong_AsLong(PyTuple_GET_ITEM(operands, i));
        if (index < 0 || index >= values) return false;
        step->operands[i] = static_cast<int8_t>(index);
    }
    step->exponent = 0;
    if (params == Py_None) return true;
    if (!PyDict_Check(params)) return false;
    step->params = Ref::to(params);
    if (prim == primitive_of(POWER_BY)) {
        PyObject* exponent = PyDict_GetItemWithError(params, names.exponent);
        step->exponent = exponent ? PyFloat_AsDouble(exponent) : 0;
    }
    return !PyErr_Occurred();
}

// Returns the kind of numbers that all of the program's values are, if they are of one.
Number::Kind kind_of(const RuleProgram& program) {
    int type = program.dtypes[0]->type_num;
    if (type != NPY_FLOAT32 && type != NPY_FLOAT64) return Number::none;
    Number::Kind kind = type == NPY_FLOAT32 ? Number::float32 : Number::float64;
    for (PyArray_Descr* dtype : program.dtypes)
        if (dtype->type_num != type) return Number::none;
    for (const Value& constant : program.constants)
        if (constant.number().kind != kind) return Number::none;
    for (const RuleStep& step : program.steps) {
        Op op = step.notes->op;
        bool takes_params = op == POWER_BY;
        if (op == NO_OP || step.count != arity_of(op) || takes_params != bool(step.params))
            return Number::none;
    }
    return kind;
}

Op fused_op(const RuleProgram& program) {
    if (program.dtypes.size() != 2) return NO_OP;
    for (PyArray_Descr* dtype : program.dtypes)
        if (dtype->type_num != NPY_FLOAT32) return NO_OP;
#define FUSED_RULE(NAME, written) \
    if (PyUnicode_CompareWithASCIIString(program.text.get(), written) == 0) return NAME;
#include "ops.def"
    return NO_OP;
}

// Reads what `record_rule` gave; false, perhaps with an error set, if it does not run here.
bool read_program(PyObject* given, int operands, RuleProgram* program) {
    PyObject *steps, *constants, *results, *text;
    if (!PyArg_ParseTuple(given, "O!O!O!U:program", &PyTuple_Type, &steps, &PyTuple_Type,
                          &constants, &PyTuple_Type, &results, &text))
        return false;
    int first = operands + static_cast<int>(PyTuple_GET_SIZE(constants));
    int count = static_cast<int>(PyTuple_GET_SIZE(steps));
    if (first + count > MAX_VALUES) return false;
    for (int i = operands; i < first; i++) {
        program->constants.push_back(value_of_data(PyTuple_GET_ITEM(constants, i - operands)));
        if (!program->constants.back().ok()) return false;
        program->constant_tensors.emplace_back(
            new_tensor(program->constants.back().data().release()));
        if (!program->constant_tensors.back()) return false;
    }
    program->steps.resize(count);
    for (int i = 0; i < count; i++)
        if (!read_step(PyTuple_GET_ITEM(steps, i), first + i, &program->steps[i])) return false;
    // The cotangent (or tangent) itself, or what a step gives.
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(results); i++) {
        long result = PyLong_AsLong(PyTuple_GET_ITEM(results, i));
        bool is_made = result >= first && result < first + count;
        if (!is_made && result != 0 && (result != -1 || !program->needs_grad)) return false;
        program->results.push_back(static_cast<int>(result));
    }
    program->text = Ref::to(text);
    if (program->sizes.empty()) {
        program->kind = kind_of(*program);
        program->fused = fused_op(*program);
    }
    return program->results.size() <= MAX_OPERANDS &&
           (program->needs_grad || program->results.size() == 1);
}

bool has_user_dtype(const RuleProgram& program) {
    for (PyArray_Descr* dtype : program.dtypes)
        if (PyTypeNum_ISUSERDEF(dtype->type_num)) return true;
    return false;
}

// Makes room for one more program: deletes the one whose last use is longest ago. False if all of
// them are running.
bool make_room(NativeRule* own) {
    auto& programs = own->programs;
    if (programs.size() < MAX_PROGRAMS) return true;
    auto oldest = programs.end();
    for (auto each = programs.begin(); each != programs.end(); ++each)
        if (!(*each)->running &&
            (oldest == programs.end() || (*each)->last_use < (*oldest)->last_use))
            oldest = each;
    if (oldest == programs.end()) return false;
    for (RuleProgram*& known : own->on_numbers)
        if (known == oldest->get()) known = nullptr;
    own->runs_of_deleted += (*oldest)->runs;
    programs.erase(oldest);
    return true;
}

// Notes that Python runs a rule for this signature. For others it may be a straight line: along
// another axis, or with a constant that is small enough.
void leave_to_python(NativeRule* own, RuleProgram program) {
    if (PyErr_Occurred()) return;
    if (++own->failures > MAX_FAILURES && !own->has_program_of_shapes) {
        own->needs = Needs::values;
        return;
    }
    if (!make_room(own)) return;
    program.by_python = true;
    program.kind = Number::none;
    own->programs.push_back(std::make_unique<RuleProgram>(std::move(program)));
}

RuleProgram* record_program(NativeRule* own, PyObject* prim, const Signature& signature) {
    PyObject *name, *value, *params = signature.params;
    Py_ssize_t position = 0;
    while (params && PyDict_Next(params, &position, &name, &value))
        if (!is_comparable(value)) return nullptr;
    own->clock++;
    bool is_full = own->programs.size() >= MAX_PROGRAMS;
    if (is_full && own->clock < own->next_time) return nullptr;
    own->next_time = own->clock + USES_BETWEEN_RECORDINGS;
    RuleProgram program;
    program.held = Ref(PyTuple_New(signature.count));
    if (!program.held) return nullptr;
    for (int i = 0; i < signature.count; i++) {
        PyArray_Descr* dtype = signature.dtypes[i];
        program.dtypes.push_back(dtype);
        PyTuple_SET_ITEM(program.held.get(), i, Py_NewRef(reinterpret_cast<PyObject*>(dtype)));
    }
    program.sizes.assign(signature.sizes, signature.sizes + signature.length);
    if (!own->takes_user_dtypes && has_user_dtype(program)) return nullptr;
    program.params = params ? Ref(PyDict_Copy(params)) : Ref();
    program.needs_grad = Ref::to(signature.needs_grad);
    Ref shapes = shapes_of(signature);
    if ((params && !program.params) || !shapes) return nullptr;
    PyObject* arguments[] = {prim,
                             own->rule.get(),
                             program.held.get(),
                             params ? params : core.no_params,
                             shapes.get(),
                             signature.needs_grad ? signature.needs_grad : Py_None};
    Ref given(call_python(core.record_rule, arguments, 6, nullptr));
    if (!given) {
        // The rule itself meets the same error, if it is one, and says what is wrong.
        if (!PyErr_ExceptionMatches(PyExc_MemoryError)) expected_error({PyExc_Exception});
        return nullptr;
    }
    if (!PyTuple_Check(given.get()) || !read_program(given.get(), own->count, &program)) {
        // Those dtypes take casts that a program cannot have; the others go on without Python.
        if (has_user_dtype(program)) own->takes_user_dtypes = false;
        else if (!signature.has_shapes) own->needs = Needs::shapes;
        else leave_to_python(own, std::move(program));
        return nullptr;
    }
    if (!make_room(own)) return nullptr;
    own->programs.push_back(std::make_unique<RuleProgram>(std::move(program)));
    RuleProgram* made = own->programs.back().get();
    own->has_program_of_shapes |= signature.has_shapes;
    if (!params && made->kind != Number::none) own->on_numbers[made->kind] = made;
    return made;
}

}  // namespace

Signature::Signature(const NativeRule* rule, PyObject* params)
    : params(params), has_shapes(rule->needs == Needs::shapes) {}

bool Signature::add(PyArray_Descr* dtype, PyObject* data) {
    if (!dtype) return false;
    dtypes[count++] = dtype;
    if (!has_shapes) return true;
    npy_intp shape[NPY_MAXDIMS];
    int rank = data ? read_shape(data, shape) : 0;
    if (rank < 0 || length + 1 + rank > MAX_SIZES) return false;
    sizes[length++] = rank;
    std::copy_n(shape, rank, sizes + length);
    length += rank;
    return true;
}

bool Signature::add_spec(PyObject* kept) {
    if (kept && is_tensor(kept)) kept = tensor(kept)->data;
    return kept && add(dtype_of(kept), kept);
}

NativeRule* make_rule(PyObject* prim, Notes* notes, int input, PyObject* rule) {
    if (!core.record_rule || !is_registered(prim)) return nullptr;
    if (!notes->rules) notes->rules = new std::vector<std::unique_ptr<NativeRule>>;
    auto& rules = *notes->rules;  // by input; behind them, those that stood in for one of them
    for (const auto& known : rules)
        if (known && known->rule.get() == rule) return known.get();
    auto own = std::make_unique<NativeRule>();
    own->rule = Ref::to(rule);
    own->input = input;
    if (!read_operands(own.get(), rule, notes->arity)) own->needs = Needs::values;
    if (PyErr_Occurred()) return nullptr;
    if (rules.size() <= static_cast<size_t>(input)) rules.resize(input + 1);
    auto& slot = rules[input] ? rules.emplace_back() : rules[input];
    slot = std::move(own);
    return slot.get();
}

RuleProgram* find_program(NativeRule* rule, Number::Kind kind, PyObject* params) {
    for (const auto& program : rule->programs)
        if (program->kind == kind && has_params(*program, params)) return program.get();
    return nullptr;
}

RuleProgram* find_program(NativeRule* rule, PyObject* prim, const Signature& signature) {
    for (const auto& program : rule->programs) {
        if (!has_signature(*program, signature)) continue;
        if (!program->by_python) return program.get();
        program->last_use = ++rule->clock;
        return nullptr;
    }
    return record_program(rule, prim, signature);
}

bool run_bound(NativeRule* rule, RuleProgram* program, PyObject* const* operands, PyObject* state,
               Ref* results) {
    count_run(rule, program);
    PyObject* values[MAX_VALUES];
    Ref made[MAX_VALUES];  // the results among them
    int count = rule->count, all = 0;
    std::copy(operands, operands + count, values);
    for (const Ref& constant : program->constant_tensors) values[count++] = constant.get();
    program->running++;  // its ops may run any code, which uses this rule as well
    bool failed = false;
    for (const RuleStep& step : program->steps) {
        if (failed) break;
        PyObject* inputs[MAX_OPERANDS];
        for (int i = 0; i < step.count; i++) inputs[i] = values[step.operands[i]];
        made[all] = Ref(apply(step.prim.get(), inputs, step.count, step.params.get(), state));
        failed = !(values[count++] = made[all++].get());
    }
    for (size_t i = 0; !failed && i < program->results.size(); i++)
        if (program->results[i] >= 0) results[i] = Ref::to(values[program->results[i]]);
    program->running--;
    return !failed;
}

}  // namespace gradtape::hot
