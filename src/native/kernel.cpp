#include "kernel.h"

#include <structmember.h>

#include <cstddef>
#include <cstring>

#include "fusion/deferred.h"

namespace gradtape {
namespace {

const Entry* const CHAPTERS[] = {PRODUCTS, ELEMENTWISE, REDUCTIONS, ROWS, INDEXING, NORMALIZE, MOMENTS, LAYOUT, RANDOM, CONVOLUTION, POOLING, ATTENTION, RECURRENT};

// The ops that can be put off (fusion/deferred.h); products can, too.
struct Fusable {
    const char* name;
    Instruction instruction;
    const char* parameter = nullptr;  // a number that is the second operand
};
const Fusable FUSABLE[] = {
    {"negative", {false, NEGATIVE}}, {"abs", {false, ABS}}, {"sign", {false, SIGN}},
    {"square", {false, SQUARE}}, {"sqrt", {false, SQRT}}, {"rsqrt", {false, RSQRT}},
    {"reciprocal", {false, RECIPROCAL}}, {"relu", {false, RELU}}, {"exp", {false, EXP}},
    {"expm1", {false, EXPM1}}, {"log", {false, LOG}}, {"log1p", {false, LOG1P}},
    {"sin", {false, SIN}}, {"cos", {false, COS}}, {"tan", {false, TAN}}, {"tanh", {false, TANH}},
    {"sigmoid", {false, SIGMOID}}, {"softplus", {false, SOFTPLUS}}, {"erf", {false, ERF}},
    {"erfc", {false, ERFC}}, {"add", {true, ADD}}, {"subtract", {true, SUBTRACT}},
    {"multiply", {true, MULTIPLY}}, {"divide", {true, DIVIDE}}, {"maximum", {true, MAXIMUM}},
    {"minimum", {true, MINIMUM}}, {"multiply_no_nan", {true, MULTIPLY_NO_NAN}},
    {"divide_no_nan", {true, DIVIDE_NO_NAN}}, {"power", {true, POWER}},
    {"relu_grad", {true, RELU_GRAD}}, {"gelu", {false, GELU}}, {"gelu_grad", {true, GELU_GRAD}},
    {"gelu_tanh", {false, GELU_TANH}}, {"gelu_tanh_grad", {true, GELU_TANH_GRAD}},
    {"power_by", {true, POWER}, "exponent"}, {"elu", {true, ELU}, "alpha"},
    // Only behind others.
    {"softmax", {false, SOFTMAX, Reach::row}},
    {"softmax_grad", {true, SOFTMAX_GRADIENT, Reach::row}},
};
// The reductions that take part in the pass that computes such ops.
struct Reducing {
    const char* name;
    Reduction reduction;
};
const Reducing REDUCING[] = {{"reduce_sum", {SUM, false}},
                             {"reduce_mean", {SUM, true}},
                             {"reduce_max", {LARGEST, false}},
                             {"reduce_min", {LEAST, false}}};

struct Kernel {
    PyObject_HEAD
    vectorcallfunc call;
    Attempt attempt;                // null: NumPy's kernel, which is given arrays
    const Fusable* fusable;         // null: cannot be put off
    const Reducing* reducing;       // null: no reduction
    bool is_product;
    PyObject* fallback;
    PyObject* name;
};

constexpr Py_ssize_t MOST_ARGUMENTS = 16;

// An op whose second operand is a parameter, put off; null, perhaps with an error set, if not.
PyObject* defer_with_parameter(const Fusable& fusable, PyObject* const* arguments, Py_ssize_t count,
                               PyObject* names) {
    PyObject* parameter = keyword(arguments, count, names, fusable.parameter);
    if (count != 1 || !parameter || !(PyFloat_Check(parameter) || PyLong_Check(parameter)))
        return nullptr;
    double number = PyFloat_AsDouble(parameter);
    if (PyErr_Occurred()) return nullptr;
    // The powers that have loops of their own, as in elementwise.cpp.
    const struct {
        double exponent;
        Unary op;
    } short_powers[] = {{2, SQUARE}, {-1, RECIPROCAL}, {0.5, SQRT}, {-0.5, RSQRT}, {3, CUBE}};
    for (const auto& power : short_powers)
        if (fusable.instruction.op == POWER && power.exponent == number)
            return defer({false, static_cast<uint8_t>(power.op)}, arguments, 1);
    return defer_with(fusable.instruction, arguments[0], static_cast<float>(number));
}

// What becomes of a call that need not be computed now, or not alone; null, perhaps with an error
// set, for all others.
PyObject* fused(const Kernel* kernel, PyObject* const* arguments, Py_ssize_t count,
                PyObject* names) {
    if (const Fusable* fusable = kernel->fusable) {
        if (fusable->parameter) return defer_with_parameter(*fusable, arguments, count, names);
        if (names || count != (fusable->instruction.is_binary ? 2 : 1)) return nullptr;
        return defer(fusable->instruction, arguments, count);
    }
    if (kernel->is_product && count == 2) {
        bool transpose_x = keyword(arguments, count, names, "transpose_a") == Py_True;
        bool transpose_y = keyword(arguments, count, names, "transpose_b") == Py_True;
        PyObject* made =
            transpose_x ? nullptr : multiply_pending(arguments[0], arguments[1], transpose_y);
        if (made || PyErr_Occurred()) return made;
        return defer_product(arguments[0], arguments[1], transpose_x, transpose_y);
    }
    if (kernel->reducing && count == 1 && is_pending_op(arguments[0])) {
        PyObject* axis = keyword(arguments, count, names, "axis");
        PyObject* keepdims = keyword(arguments, count, names, "keepdims");
        if (axis && keepdims)
            return reduce_deferred(kernel->reducing->reduction, arguments[0], axis, keepdims);
    }
    return nullptr;
}

PyObject* call_kernel(PyObject* self, PyObject* const* arguments, size_t flags, PyObject* names) {
    auto* kernel = reinterpret_cast<Kernel*>(self);
    Py_ssize_t count = PyVectorcall_NARGS(flags);
    if (kernel->fusable || kernel->reducing || kernel->is_product) {
        PyObject* result = fused(kernel, arguments, count, names);
        if (result || PyErr_Occurred()) return result;
    }
    // Everybody else gets arrays: a copy of the arguments, if one of them was put off.
    PyObject* few[MOST_ARGUMENTS];
    PyObject** settled = nullptr;
    Py_ssize_t all = count + (names ? PyTuple_GET_SIZE(names) : 0);
    for (Py_ssize_t i = 0; i < count; i++) {
        if (!is_deferred(arguments[i])) continue;
        PyObject* whole = array_of(arguments[i]);
        if (!whole) {
            if (settled != few) PyMem_Free(settled);
            return nullptr;
        }
        if (!settled) {
            settled = all <= MOST_ARGUMENTS ? few : PyMem_New(PyObject*, all);
            if (!settled) return PyErr_NoMemory();
            std::memcpy(settled, arguments, sizeof(PyObject*) * all);
            flags &= ~PY_VECTORCALL_ARGUMENTS_OFFSET;
        }
        settled[i] = whole;
    }
    if (settled) arguments = settled;
    PyObject* result = kernel->attempt ? kernel->attempt(arguments, count, names) : nullptr;
    if (!result && !PyErr_Occurred())
        result = PyObject_Vectorcall(kernel->fallback, arguments, flags, names);
    if (settled && settled != few) PyMem_Free(settled);
    return result;
}

int traverse(PyObject* self, visitproc visit, void* arg) {
    Py_VISIT(reinterpret_cast<Kernel*>(self)->fallback);
    Py_VISIT(Py_TYPE(self));
    return 0;
}

void dealloc(PyObject* self) {
    auto* kernel = reinterpret_cast<Kernel*>(self);
    PyTypeObject* type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    Py_XDECREF(kernel->fallback);
    Py_XDECREF(kernel->name);
    type->tp_free(self);
    Py_DECREF(type);
}

PyObject* describe(PyObject* self) {
    return PyUnicode_FromFormat("<native kernel %U>", reinterpret_cast<Kernel*>(self)->name);
}

PyMemberDef members[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(Kernel, call), READONLY, nullptr},
    {"fallback", T_OBJECT, offsetof(Kernel, fallback), READONLY, "the NumPy kernel behind it"},
    {"name", T_OBJECT, offsetof(Kernel, name), READONLY, nullptr},
    {nullptr, 0, 0, 0, nullptr}};

PyType_Slot slots[] = {{Py_tp_call, reinterpret_cast<void*>(PyVectorcall_Call)},
                       {Py_tp_dealloc, reinterpret_cast<void*>(dealloc)},
                       {Py_tp_traverse, reinterpret_cast<void*>(traverse)},
                       {Py_tp_repr, reinterpret_cast<void*>(describe)},
                       {Py_tp_members, members},
                       {0, nullptr}};

PyType_Spec spec = {"gradtape._native.Kernel", sizeof(Kernel), 0,
                    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL |
                        Py_TPFLAGS_DISALLOW_INSTANTIATION,
                    slots};
PyTypeObject* kernel_type = nullptr;

Attempt find(const char* name) {
    for (const Entry* chapter : CHAPTERS)
        for (const Entry* entry = chapter; entry->name; entry++)
            if (std::strcmp(entry->name, name) == 0) return entry->attempt;
    return nullptr;
}

PyObject* make_kernel(PyObject*, PyObject* arguments) {
    PyObject *name, *fallback;
    if (!PyArg_ParseTuple(arguments, "UO:kernel", &name, &fallback)) return nullptr;
    const char* text = PyUnicode_AsUTF8(name);
    if (!text) return nullptr;
    auto* kernel = PyObject_GC_New(Kernel, kernel_type);
    if (!kernel) return nullptr;
    kernel->call = call_kernel;
    kernel->attempt = find(text);
    kernel->fusable = nullptr;
    for (const Fusable& fusable : FUSABLE)
        if (std::strcmp(fusable.name, text) == 0) kernel->fusable = &fusable;
    kernel->reducing = nullptr;
    for (const Reducing& reducing : REDUCING)
        if (std::strcmp(reducing.name, text) == 0) kernel->reducing = &reducing;
    kernel->is_product = std::strcmp(text, "matmul") == 0;
    kernel->fallback = Py_NewRef(fallback);
    kernel->name = Py_NewRef(name);
    PyObject_GC_Track(reinterpret_cast<PyObject*>(kernel));
    return reinterpret_cast<PyObject*>(kernel);
}

PyObject* kernel_names(PyObject*, PyObject*) {
    PyObject* names = PyList_New(0);
    for (const Entry* chapter : CHAPTERS) {
        for (const Entry* entry = chapter; names && entry->name; entry++) {
            PyObject* name = PyUnicode_FromString(entry->name);
            if (!name || PyList_Append(names, name) < 0) Py_CLEAR(names);
            Py_XDECREF(name);
        }
    }
    return names;
}

// Whether calls of this kernel with arrays of this size are put off, or would be.
PyObject* fuses(PyObject*, PyObject* arguments) {
    const char* name;
    Py_ssize_t elements;
    if (!PyArg_ParseTuple(arguments, "sn:fuses", &name, &elements)) return nullptr;
    for (const Fusable& fusable : FUSABLE)
        if (std::strcmp(fusable.name, name) == 0)
            return PyBool_FromLong(fusable.instruction.reach == Reach::element &&
                                   is_large(elements));
    Py_RETURN_FALSE;
}

PyMethodDef functions[] = {
    {"fuses", fuses, METH_VARARGS, "fuses(name, elements): whether such an op is put off"},
    {"kernel", make_kernel, METH_VARARGS, "kernel(name, fallback): the native kernel of a primitive; for others, NumPy's on arrays"},
    {"kernel_names", kernel_names, METH_NOARGS, "the names of the primitives that have one"},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

bool add_kernels(PyObject* module) {
    kernel_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
    return add_deferred(module) && kernel_type && PyModule_AddFunctions(module, functions) == 0;
}

}  // namespace gradtape
