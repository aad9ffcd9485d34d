#include "core/ops.h"

#include <numpy/ufuncobject.h>

#include <cmath>
#include <cstring>

#include "core/rules.h"
#include "errors.h"
#include "kernels/kernel.h"
#include "simd/vectors.h"

// Kernels round after every step; so must the same steps here.
#if defined(__clang__)
#pragma clang fp contract(off)
#else
#pragma GCC optimize("fp-contract=off")
#endif

namespace gradtape::hot {
namespace {

PyObject* primitives[OPS];
PyObject* registry = nullptr;

// How single numbers are computed, by op: the last column of ops.def.
enum Form : char { BY_KERNEL, BY_EXPRESSION, BY_LOOP };
constexpr Form FORMS[OPS] = {
#define IS(expression) BY_EXPRESSION
#define LOOP BY_LOOP
#define LOOP_OF(OTHER, argument, expression) BY_EXPRESSION
#define SPECIAL_POWERS BY_EXPRESSION
#define KERNEL BY_KERNEL
#define UNARY(NAME, name, cost, vector, scalar) scalar,
#define BINARY(NAME, name, cost, vector, scalar) scalar,
#define UNARY_PART(NAME, cost, vector, scalar) scalar,
#define BINARY_PART(NAME, cost, vector, scalar) scalar,
#define SCALAR(NAME, name, scalar) scalar,
#include "ops.def"
#undef IS
#undef LOOP
#undef LOOP_OF
#undef SPECIAL_POWERS
#undef KERNEL
};

// NumPy's own loops over float32 and float64, which ufuncs run after a long preparation.
struct Loop {
    PyUFuncGenericFunction function;
    void* data;
};
Loop loops[OPS][2];
// For float32, instead of NumPy's loops, where the kernels have their own: over a run of one.
void (*runs[OPS])(float* result, const float* x, int64_t count);

bool run_own(Op op, float x, float* result) {
    if (!runs[op]) return false;
    runs[op](result, &x, 1);
    return true;
}
bool run_own(Op, double, double*) { return false; }

template <class Number>
bool run_loop(Op op, Number x, Number* result) {
    if (run_own(op, x, result)) return true;
    const Loop& loop = loops[op][sizeof(Number) == sizeof(double)];
    if (!loop.function) return false;
    char* arguments[] = {reinterpret_cast<char*>(&x), reinterpret_cast<char*>(result)};
    const npy_intp count = 1, strides[] = {sizeof(Number), sizeof(Number)};
    loop.function(arguments, &count, strides, loop.data);
    return true;
}

template <class Number>
[[gnu::always_inline]] inline bool compute_number(Op op, Number x, Number y, Number* result) {
    switch (op) {
#define IS(expression)      \
    *result = (expression); \
    return true;
#define LOOP return run_loop(op, x, result);
#define LOOP_OF(OTHER, argument, expression)                      \
    {                                                             \
        if (run_own(op, x, result)) return true;                  \
        Number e;                                                 \
        if (!run_loop<Number>(OTHER, argument, &e)) return false; \
        *result = (expression);                                   \
        return true;                                              \
    }
#define SPECIAL_POWERS return false;
#define KERNEL return false;
#define UNARY_PART(NAME, cost, vector, scalar) \
    case NAME: scalar
#define BINARY_PART(NAME, cost, vector, scalar) \
    case NAME: scalar
#define UNARY(NAME, name, ...) UNARY_PART(NAME, __VA_ARGS__)
#define BINARY(NAME, name, ...) BINARY_PART(NAME, __VA_ARGS__)
#define SCALAR(NAME, name, scalar) \
    case NAME: scalar
#include "ops.def"
#undef IS
#undef LOOP
#undef LOOP_OF
#undef SPECIAL_POWERS
#undef KERNEL
        default: return false;
    }
}

void notes_dealloc(PyObject* self) {
    auto* notes = reinterpret_cast<Notes*>(self);
    delete notes->plans;
    delete_rules(notes);
    Py_XDECREF(notes->kernel);
    PyTypeObject* type = Py_TYPE(self);
    type->tp_free(self);
    Py_DECREF(type);
}

PyType_Slot slots[] = {{Py_tp_dealloc, reinterpret_cast<void*>(notes_dealloc)}, {0, nullptr}};
PyType_Spec spec = {"gradtape._native.Notes", sizeof(Notes), 0,
                    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
PyTypeObject* notes_type = nullptr;

Notes* make_notes(PyObject* prim) {
    PyObject* inputs = core.arity.of(prim);
    if (!inputs || !PyTuple_Check(inputs)) {
        PyErr_SetString(PyExc_TypeError, "a primitive without the names of its inputs");
        return nullptr;
    }
    auto* notes = PyObject_New(Notes, notes_type);
    if (!notes) return nullptr;
    notes->op = NO_OP;
    notes->kernel = nullptr;
    notes->arity = is_true(core.variadic.of(prim)) ? -1 : PyTuple_GET_SIZE(inputs);
    notes->plans = new std::deque<Plan>;
    notes->rules = nullptr;
    core.notes.set(prim, reinterpret_cast<PyObject*>(notes));
    return notes;
}

// Adds what one rule asks for to a plan.
bool ask(PyObject* rule, Plan* plan) {
    if (is_true(core.needs_ans.of(rule))) plan->result = true;
    PyObject *values = core.values.of(rule), *key, *aspect;
    if (!values || !PyDict_Check(values)) return true;
    Py_ssize_t position = 0;
    while (PyDict_Next(values, &position, &key, &aspect)) {
        Py_ssize_t index = 0;  // "*" of an op with any number of inputs
        if (PyLong_Check(key)) index = PyLong_AsSsize_t(key);
        if (index < 0 || index >= static_cast<Py_ssize_t>(plan->keep.size())) continue;
        bool value = PyUnicode_Check(aspect) &&
                     PyUnicode_CompareWithASCIIString(aspect, "value") == 0;
        if (plan->keep[index] != Keep::value) plan->keep[index] = value ? Keep::value : Keep::spec;
    }
    return true;
}

const Loop NO_LOOP = {nullptr, nullptr};

// Returns the loop of a ufunc for one type, if it has one.
Loop find_loop(PyObject* ufunc, char type) {
    auto* f = reinterpret_cast<PyUFuncObject*>(ufunc);
    if (f->nin != 1 || f->nout != 1 || !f->functions || !f->types) return NO_LOOP;
    for (int i = 0; i < f->ntypes; i++)
        if (f->types[2 * i] == type && f->types[2 * i + 1] == type)
            return {f->functions[i], f->data ? f->data[i] : nullptr};
    return NO_LOOP;
}

// Returns the NumPy kernel behind a native one, or a kernel that is not native itself; null with an
// error.
Ref behind(PyObject* kernel, bool* is_native) {
    Ref fallback(PyObject_GetAttrString(kernel, "fallback"));
    *is_native = static_cast<bool>(fallback);
    if (!fallback && expected_error({PyExc_AttributeError})) return Ref::to(kernel);
    return fallback;
}

// use_primitives({name: primitive}): takes those that the core knows by name.
PyObject* use_primitives(PyObject*, PyObject* table) {
    if (!PyDict_Check(table))
        return PyErr_Format(PyExc_TypeError, "a dict of primitives is wanted, not %R", table);
    Ref numpy(PyImport_ImportModule("numpy"));
    if (!numpy) return nullptr;
    Ref ufunc_type(PyObject_GetAttrString(numpy.get(), "ufunc"));
    if (!ufunc_type) return nullptr;
    for (int op = 0; op < OPS; op++) {
        if (!OP_NAMES[op]) continue;
        PyObject* prim = PyDict_GetItemString(table, OP_NAMES[op]);
        if (!prim)
            return PyErr_Format(PyExc_ImportError,
                                "src/native/ops.def has a row for %s, but no primitive has that "
                                "name: correct the row, or define it in ops/, and run `make setup` "
                                "(GRADTAPE_NATIVE=0 runs without the extension)",
                                OP_NAMES[op]);
        Notes* notes = notes_of(prim);
        if (!notes) return nullptr;
        Py_XSETREF(notes->kernel, Py_NewRef(core.kernel.of(prim)));
        Py_INCREF(prim);
        Py_XSETREF(primitives[op], prim);
        bool is_native;
        Ref kernel = behind(notes->kernel, &is_native);
        if (!kernel) return nullptr;
        runs[op] = is_native ? vectors().unary[op] : nullptr;
        if (FORMS[op] == BY_KERNEL) continue;
        if (FORMS[op] == BY_LOOP) {
            auto* ufunc = reinterpret_cast<PyTypeObject*>(ufunc_type.get());
            if (Py_TYPE(kernel.get()) != ufunc) continue;
            loops[op][0] = find_loop(kernel.get(), NPY_FLOAT);
            loops[op][1] = find_loop(kernel.get(), NPY_DOUBLE);
            if (!loops[op][0].function || !loops[op][1].function) continue;
        }
        notes->op = static_cast<Op>(op);
    }
    Py_INCREF(table);
    Py_XSETREF(registry, table);
    Py_RETURN_NONE;
}

// compute(name, x, y): for tests, returns one number as the core computes it; None if it does not.
PyObject* compute_one(PyObject*, PyObject* arguments) {
    const char* name;
    PyObject *x, *y;
    if (!PyArg_ParseTuple(arguments, "sOO:compute", &name, &x, &y)) return nullptr;
    for (int i = 0; i < OPS; i++) {
        if (!OP_NAMES[i] || std::strcmp(name, OP_NAMES[i]) != 0) continue;
        Op op = static_cast<Op>(i);
        if (PyArray_IsScalar(x, Float) && (op == POWER_BY || PyArray_IsScalar(y, Float))) {
            float a = PyArrayScalar_VAL(x, Float), result;
            bool done = op == POWER_BY ? compute_power(a, PyFloat_AsDouble(y), &result)
                                       : compute(op, a, PyArrayScalar_VAL(y, Float), &result);
            if (PyErr_Occurred()) return nullptr;
            if (done) return new_scalar(result);
        } else if (PyArray_IsScalar(x, Double) && (op == POWER_BY || PyArray_IsScalar(y, Double))) {
            double a = PyArrayScalar_VAL(x, Double), result;
            bool done = op == POWER_BY ? compute_power(a, PyFloat_AsDouble(y), &result)
                                       : compute(op, a, PyArrayScalar_VAL(y, Double), &result);
            if (PyErr_Occurred()) return nullptr;
            if (done) {
                PyObject* number = PyArrayScalar_New(Double);
                if (number) PyArrayScalar_ASSIGN(number, Double, result);
                return number;
            }
        }
    }
    Py_RETURN_NONE;
}

PyObject* computed_names(PyObject*, PyObject*) {
    PyObject* names = PyList_New(0);
    for (int op = 0; names && op < OPS; op++) {
        if (!OP_NAMES[op] || FORMS[op] == BY_KERNEL) continue;
        Ref name(PyUnicode_FromString(OP_NAMES[op]));
        if (!name || PyList_Append(names, name.get()) < 0) Py_CLEAR(names);
    }
    return names;
}

PyMethodDef functions[] = {
    {"use_primitives", use_primitives, METH_O, "use_primitives({name: primitive})"},
    {"compute", compute_one, METH_VARARGS, "compute(name, x, y): as kernels do, for one number"},
    {"computed_names", computed_names, METH_NOARGS, "the primitives that `compute` knows"},
    {nullptr, nullptr, 0, nullptr}};

// Namespaces of gradtape's own modules, which live as long as the process.
constexpr int OWN = 64;
PyObject* own_namespaces[OWN];

// Returns whether the Python code that called us is gradtape's: its warnings are ignored. False,
// perhaps with an error set, if not.
bool called_by_gradtape() {
    PyObject* globals = PyEval_GetGlobals();
    if (!globals) return false;
    auto key = (reinterpret_cast<uintptr_t>(globals) >> 5) % OWN;
    if (own_namespaces[key] == globals) return true;
    PyObject* name = PyDict_GetItemWithError(globals, names.name);
    if (!name || !PyUnicode_Check(name)) return false;
    // Text that is not UTF-8 is not our name.
    const char* text = PyUnicode_AsUTF8(name);
    if (!text) expected_error({PyExc_UnicodeError});
    if (!text || std::strncmp(text, "gradtape.", 9) != 0) return false;
    Py_INCREF(globals);
    Py_XSETREF(own_namespaces[key], globals);
    return true;
}

}  // namespace

[[gnu::noinline]] bool compute(Op op, float x, float y, float* result) {
    return compute_number(op, x, y, result);
}
[[gnu::noinline]] bool compute(Op op, double x, double y, double* result) {
    return compute_number(op, x, y, result);
}

bool compute_power(float x, double exponent, float* result) {
    return compute(special_power(exponent), x, x, result);
}
bool compute_power(double x, double exponent, double* result) {
#define SPECIAL_POWER_FLOAT64(power, FIRST, SECOND) \
    if (exponent == (power))                        \
        return compute(FIRST, x, x, result) && compute(SECOND, *result, *result, result);
#include "ops.def"
    return compute(special_power(exponent), x, x, result);
}

Notes* notes_of(PyObject* prim) {
    if (Py_TYPE(prim) != core.Primitive) {
        PyErr_Format(PyExc_TypeError, "a primitive is wanted, not %R", prim);
        return nullptr;
    }
    PyObject* notes = core.notes.of(prim);
    if (notes && Py_TYPE(notes) == notes_type) return reinterpret_cast<Notes*>(notes);
    return make_notes(prim);
}

const Plan* plan_of(PyObject* prim, Notes* notes, unsigned long long mask) {
    for (const Plan& plan : *notes->plans)
        if (plan.mask == mask) return &plan;
    Plan plan{mask, false, false, true, {}};
    plan.keep.resize(notes->arity < 0 ? 1 : notes->arity, Keep::nothing);
    PyObject* joint = core.joint.of(prim);
    if (joint && Py_TYPE(joint) == core.Rule && !ask(joint, &plan)) return nullptr;
    PyObject* rules = core.vjps.of(prim);
    if (rules && PyTuple_Check(rules)) {
        for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(rules) && i < 64; i++) {
            PyObject* rule = PyTuple_GET_ITEM(rules, i);
            if (mask >> i & 1 && Py_TYPE(rule) == core.Rule && !ask(rule, &plan)) return nullptr;
        }
    }
    for (Keep keep : plan.keep) {
        plan.any |= keep != Keep::nothing;
        plan.all &= keep == Keep::value;
    }
    plan.all &= plan.any;
    notes->plans->push_back(plan);
    return &notes->plans->back();
}

PyObject* primitive_of(Op op) { return primitives[op]; }
PyObject* all_primitives() { return registry; }

PyObject* call_kernel(PyObject* kernel, PyObject* const* arguments, Py_ssize_t count,
                      PyObject* params) {
    if (!kernel) {
        PyErr_SetString(PyExc_AttributeError, "kernel");
        return nullptr;
    }
    if (params && PyDict_GET_SIZE(params) == 0) params = nullptr;
    if (!params) {
        PyObject* made = call_native(kernel, arguments, count, nullptr);
        if (made || PyErr_Occurred()) return made;
    }
    if (called_by_gradtape()) return call_with_dict(kernel, arguments, count, params);
    if (PyErr_Occurred()) return nullptr;
    std::vector<PyObject*> all{kernel};
    all.insert(all.end(), arguments, arguments + count);
    return call_with_dict(core.call_kernel, all.data(), count + 1, params);
}

bool prepare_ops(PyObject* module) {
    notes_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
    return notes_type && PyModule_AddFunctions(module, functions) == 0;
}

}  // namespace gradtape::hot
