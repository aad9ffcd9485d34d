#include "core/ops.h"

#include <numpy/ufuncobject.h>

#include <cmath>
#include <cstring>

#include "core/numbers.h"

// Kernels round after every step; so must the same steps here.
#if defined(__clang__)
#pragma clang fp contract(off)
#else
#pragma GCC optimize("fp-contract=off")
#endif

namespace gradtape::hot {
namespace {

const char* const OP_NAMES[OPS] = {
    "add", "subtract", "multiply", "divide", "multiply_no_nan", "relu_grad", "maximum", "minimum",
    "negative", "identity", "abs", "square", "reciprocal", "sqrt", "rsqrt", "relu", "sigmoid",
    "power_by",
    "exp", "expm1", "log", "log1p", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh",
    "tanh"};
PyObject* primitives[OPS];

// NumPy's own loops over float32 and float64, which ufuncs run after a long preparation.
struct Loop {
    PyUFuncGenericFunction function;
    void* data;
};
Loop loops[OPS][2];
Run runs[OPS];  // for float32, instead of NumPy's loops, where the kernels have their own

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
bool compute_number(Op op, Number x, Number y, Number* result) {
    switch (op) {
        case ADD: *result = x + y; return true;
        case SUBTRACT: *result = x - y; return true;
        case MULTIPLY: *result = x * y; return true;
        case DIVIDE: *result = x / y; return true;
        case MULTIPLY_NO_NAN: {
            Number product = x * y;
            *result = product != product && y == 0 ? Number(0) : product;
            return true;
        }
        case RELU_GRAD: *result = y * Number(x > 0); return true;
        case MAXIMUM: *result = x >= y || x != x ? x : y; return true;
        case MINIMUM: *result = x <= y || x != x ? x : y; return true;
        case NEGATIVE: *result = -x; return true;
        case IDENTITY: *result = x; return true;
        case ABS: *result = std::fabs(x); return true;
        case SQUARE: *result = x * x; return true;
        case RECIPROCAL: *result = 1 / x; return true;
        case SQRT: *result = std::sqrt(x); return true;
        case RSQRT: *result = 1 / std::sqrt(x); return true;
        case RELU: *result = x > 0 || x != x ? x : Number(0); return true;
        case SIGMOID: {
            if (run_own(SIGMOID, x, result)) return true;
            Number e;
            if (!run_loop<Number>(EXP, -x, &e)) return false;
            e = 1 + e;
            *result = 1 / e;
            return true;
        }
        default: return op >= FIRST_UFUNC && op < OPS && run_loop(op, x, result);
    }
}

// As `_SHORT_POWERS` of the kernel.
template <class Number>
bool compute_short_power(Number x, double exponent, Number* result) {
    if (exponent == 2) *result = x * x;
    else if (exponent == 3) *result = (x * x) * x;
    else if (exponent == 4) { Number square = x * x; *result = square * square; }
    else if (exponent == -1) *result = 1 / x;
    else if (exponent == -2) { Number square = x * x; *result = 1 / square; }
    else if (exponent == 0.5) *result = std::sqrt(x);
    else if (exponent == -0.5) *result = 1 / std::sqrt(x);
    else return false;
    return true;
}

void notes_dealloc(PyObject* self) {
    auto* notes = reinterpret_cast<Notes*>(self);
    delete notes->plans;
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
    core.notes.set(prim, reinterpret_cast<PyObject*>(notes));
    return notes;
}

// Adds what one rule asks for to a plan.
bool ask(PyObject* rule, Plan* plan) {
    if (is_true(core.needs_ans.of(rule))) plan->result = true;
    PyObject *values = core.values.of(rule), *place, *aspect;
    if (!values || !PyDict_Check(values)) return true;
    Py_ssize_t position = 0;
    while (PyDict_Next(values, &position, &place, &aspect)) {
        Py_ssize_t index = 0;  // "*" of an op with any number of inputs
        if (PyLong_Check(place)) index = PyLong_AsSsize_t(place);
        if (index < 0 || index >= static_cast<Py_ssize_t>(plan->keep.size())) continue;
        bool value = PyUnicode_Check(aspect) &&
                     PyUnicode_CompareWithASCIIString(aspect, "value") == 0;
        if (plan->keep[index] != Keep::value) plan->keep[index] = value ? Keep::value : Keep::spec;
    }
    return true;
}

const Loop NO_LOOP = {nullptr, nullptr};

// The loop of a ufunc for one type, if it has one.
Loop find_loop(PyObject* ufunc, char type) {
    auto* f = reinterpret_cast<PyUFuncObject*>(ufunc);
    if (f->nin != 1 || f->nout != 1 || !f->functions || !f->types) return NO_LOOP;
    for (int i = 0; i < f->ntypes; i++)
        if (f->types[2 * i] == type && f->types[2 * i + 1] == type)
            return {f->functions[i], f->data ? f->data[i] : nullptr};
    return NO_LOOP;
}

// The NumPy kernel behind a native one; null if the kernel is not native.
Ref behind(PyObject* kernel) {
    Ref fallback(PyObject_GetAttrString(kernel, "fallback"));
    if (!fallback) PyErr_Clear();
    return fallback;
}

// use_primitives({name: primitive}): those that the core knows by name.
PyObject* use_primitives(PyObject*, PyObject* table) {
    if (!PyDict_Check(table))
        return PyErr_Format(PyExc_TypeError, "a dict of primitives is wanted, not %R", table);
    Ref numpy(PyImport_ImportModule("numpy"));
    if (!numpy) return nullptr;
    Ref ufunc_type(PyObject_GetAttrString(numpy.get(), "ufunc"));
    if (!ufunc_type) return nullptr;
    for (int op = 0; op < OPS; op++) {
        PyObject* prim = PyDict_GetItemString(table, OP_NAMES[op]);
        if (!prim) return PyErr_Format(PyExc_KeyError, "no primitive %s", OP_NAMES[op]);
        Notes* notes = notes_of(prim);
        if (!notes) return nullptr;
        Py_XSETREF(notes->kernel, Py_NewRef(core.kernel.of(prim)));
        Py_INCREF(prim);
        Py_XSETREF(primitives[op], prim);
        Ref kernel = behind(notes->kernel);
        runs[op] = kernel ? native_run(OP_NAMES[op]) : nullptr;
        if (!kernel) kernel = Ref::to(notes->kernel);
        if (op >= FIRST_UFUNC) {
            auto* ufunc = reinterpret_cast<PyTypeObject*>(ufunc_type.get());
            if (Py_TYPE(kernel.get()) != ufunc) continue;
            loops[op][0] = find_loop(kernel.get(), NPY_FLOAT);
            loops[op][1] = find_loop(kernel.get(), NPY_DOUBLE);
            if (!loops[op][0].function || !loops[op][1].function) continue;
        }
        notes->op = static_cast<Op>(op);
    }
    Py_RETURN_NONE;
}

// compute(name, x, y): for tests, one number as the core computes it; None if it does not.
PyObject* compute_one(PyObject*, PyObject* arguments) {
    const char* name;
    PyObject *x, *y;
    if (!PyArg_ParseTuple(arguments, "sOO:compute", &name, &x, &y)) return nullptr;
    for (int i = 0; i < OPS; i++) {
        if (std::strcmp(name, OP_NAMES[i]) != 0) continue;
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

// Whether the Python code that called us is gradtape's: its warnings are ignored.
bool called_by_gradtape() {
    PyObject* globals = PyEval_GetGlobals();
    if (!globals) return false;
    auto place = (reinterpret_cast<uintptr_t>(globals) >> 5) % OWN;
    if (own_namespaces[place] == globals) return true;
    PyObject* name = PyDict_GetItemWithError(globals, names.name);
    if (!name || !PyUnicode_Check(name)) {
        PyErr_Clear();
        return false;
    }
    const char* text = PyUnicode_AsUTF8(name);
    if (!text || std::strncmp(text, "gradtape.", 9) != 0) {
        PyErr_Clear();
        return false;
    }
    Py_INCREF(globals);
    Py_XSETREF(own_namespaces[place], globals);
    return true;
}

}  // namespace

bool compute(Op op, float x, float y, float* result) { return compute_number(op, x, y, result); }
bool compute(Op op, double x, double y, double* result) { return compute_number(op, x, y, result); }

bool compute_power(float x, double exponent, float* result) {
    // Of the other powers, those of kernels for float32 are not NumPy's.
    return (exponent == 2 || exponent == 3) && compute_short_power(x, exponent, result);
}
bool compute_power(double x, double exponent, double* result) {
    return compute_short_power(x, exponent, result);
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

PyObject* call_kernel(PyObject* kernel, PyObject* const* arguments, Py_ssize_t count,
                      PyObject* params) {
    if (!kernel) {
        PyErr_SetString(PyExc_AttributeError, "kernel");
        return nullptr;
    }
    if (params && PyDict_GET_SIZE(params) == 0) params = nullptr;
    if (called_by_gradtape()) return PyObject_VectorcallDict(kernel, arguments, count, params);
    std::vector<PyObject*> all{kernel};
    all.insert(all.end(), arguments, arguments + count);
    return PyObject_VectorcallDict(core.call_kernel, all.data(), count + 1, params);
}

bool prepare_ops(PyObject* module) {
    notes_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
    return notes_type && PyModule_AddFunctions(module, functions) == 0;
}

}  // namespace gradtape::hot
