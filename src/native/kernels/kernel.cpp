#include "kernels/kernel.h"

#include <structmember.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "errors.h"
#include "fusion/deferred.h"
#include "fusion/watch.h"
#include "kernels/halves.h"

namespace gradtape {
namespace {

const KernelEntry* const CHAPTERS[] = {PRODUCTS, ELEMENTWISE, REDUCTIONS, ROWS,      INDEXING,
                                       SEGMENTS, ORDER,       NORMALIZE,  MOMENTS,   LAYOUT,
                                       RANDOM,   CONVOLUTION, POOLING,    ATTENTION, RECURRENT};

// The ops that can be deferred (fusion/deferred.h); products can, too.
struct Fusable {
    const char* name;
    Instruction instruction;
    const char* parameter = nullptr;  // a number that is the second operand, or a dtype
};
const Fusable FUSABLE[] = {
#define UNARY(NAME, name, ...) {#name, on_elements(NAME)},
#define BINARY(NAME, name, ...) {#name, on_elements(NAME)},
#define PARAMETER(NAME, name, parameter) {#name, on_elements(NAME), #parameter},
#define COMPARISON(NAME, name, ...) {#name, on_elements(NAME)},
#define LOGICAL(NAME, name, arity, ...) {#name, {arity, NAME, Reach::element, Kind::logical}},
#include "ops.def"
    {"select", SELECT},
    {"cast", SELECT, "dtype"},  // of bools, to float32
    // Only behind others.
    {"softmax", {1, SOFTMAX, Reach::row}},
    {"softmax_grad", {2, SOFTMAX_GRADIENT, Reach::row}},
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
    Attempt attempt;           // null: NumPy's kernel, which is given arrays
    const Fusable* fusable;    // null: cannot be deferred
    const Reducing* reducing;  // null: no reduction
    bool is_product;
    PyObject* fallback;
    PyObject* in_float32;  // null; or the kernel that the fallback calls, with halves as float32
    PyObject* name;
};

constexpr Py_ssize_t MAX_ARGUMENTS = 16;

// Defers an op whose second operand is a parameter; null, perhaps with an error set, if not.
PyObject* defer_with_parameter(const Fusable& fusable, PyObject* const* arguments, Py_ssize_t count,
                               PyObject* names) {
    PyObject* parameter = keyword(arguments, count, names, fusable.parameter);
    if (count != 1 || !parameter || !(PyFloat_Check(parameter) || PyLong_Check(parameter)))
        return nullptr;
    double number = PyFloat_AsDouble(parameter);
    if (PyErr_Occurred()) return nullptr;
    bool is_power = fusable.instruction.op == POWER;
    if (Op op = is_power ? special_power(number) : NO_OP; op != NO_OP)
        return defer(on_elements(op), arguments, 1);
    return defer_with(fusable.instruction, arguments[0], static_cast<float>(number));
}

// Defers a cast of bools to float32, a choice between two numbers; null if it is another cast, or
// with an error set.
PyObject* defer_cast(PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    PyObject* dtype = keyword(arguments, count, names, "dtype");
    if (count != 1 || !dtype || !PyArray_DescrCheck(dtype) ||
        reinterpret_cast<PyArray_Descr*>(dtype)->type_num != NPY_FLOAT32)
        return nullptr;
    return defer_choice(arguments[0], 1, 0);
}

// Returns what becomes of a call that need not be computed now, or not alone; null, perhaps with an
// error set, for all others.
PyObject* fused(const Kernel* kernel, PyObject* const* arguments, Py_ssize_t count,
                PyObject* names) {
    if (const Fusable* fusable = kernel->fusable) {
        if (fusable->parameter)
            return fusable->instruction.kind == Kind::select
                       ? defer_cast(arguments, count, names)
                       : defer_with_parameter(*fusable, arguments, count, names);
        if (names || count != fusable->instruction.arity) return nullptr;
        return defer(fusable->instruction, arguments, count);
    }
    if (kernel->is_product && count == 2) {
        bool transpose_x = keyword(arguments, count, names, "transpose_a") == Py_True;
        bool transpose_y = keyword(arguments, count, names, "transpose_b") == Py_True;
        PyObject* made = transpose_x ? nullptr
                                     : multiply_pending(arguments[0], arguments[1], transpose_y);
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

// The native kernel; null without an error where it has none for these arguments.
PyObject* attempt(const Kernel* kernel, PyObject* const* arguments, Py_ssize_t count,
                  PyObject* names) {
    if (!kernel->attempt) return nullptr;
    return without_exceptions([&] { return kernel->attempt(arguments, count, names); });
}

// A result in float32, rounded; others are returned as they are. Takes the reference.
PyObject* rounded(PyObject* result, const HalfType& type) {
    PyObject* made = nullptr;
    if (is_array(result, NPY_FLOAT32)) made = narrowed(result, type);
    else if (PyArray_IsScalar(result, Float))
        made = PyObject_CallOneArg(reinterpret_cast<PyObject*>(type.scalar), result);
    else return result;
    Py_DECREF(result);
    return made;
}

// What `backends/precision.py` does for halves, with our own conversions; null without an error for
// all others.
PyObject* through_float32(const Kernel* kernel, PyObject* const* arguments, Py_ssize_t count,
                          PyObject* names) {
    Py_ssize_t all = count + (names ? PyTuple_GET_SIZE(names) : 0);
    if (count == 0 || all > MAX_ARGUMENTS || !PyArray_CheckExact(arguments[0])) return nullptr;
    const HalfType* type = half_type_of(arguments[0]);
    if (!type) return nullptr;
    PyObject* wide[MAX_ARGUMENTS];
    Py_ssize_t made = 0;
    for (; made < all; made++) {
        PyObject* x = arguments[made];
        if (made >= count || half_type_of(x) != type) wide[made] = Py_NewRef(x);
        else if (PyArray_CheckExact(x)) wide[made] = widened(x, *type);
        else wide[made] = new_scalar(static_cast<float>(PyFloat_AsDouble(x)));
        if (!wide[made]) break;
    }
    PyObject* result = nullptr;
    if (made == all) {
        result = attempt(kernel, wide, count, names);
        if (!result && !PyErr_Occurred())
            result = call_python(kernel->in_float32, wide, static_cast<size_t>(count), names);
    }
    for (Py_ssize_t i = 0; i < made; i++) Py_DECREF(wide[i]);
    if (!result || !PyTuple_CheckExact(result)) return result ? rounded(result, *type) : nullptr;
    PyObject* results = PyTuple_New(PyTuple_GET_SIZE(result));
    for (Py_ssize_t i = 0; results && i < PyTuple_GET_SIZE(result); i++) {
        PyObject* one = rounded(Py_NewRef(PyTuple_GET_ITEM(result, i)), *type);
        if (one) PyTuple_SET_ITEM(results, i, one);
        else Py_CLEAR(results);
    }
    Py_DECREF(result);
    return results;
}

PyObject* vectorcall(PyObject* self, PyObject* const* arguments, size_t flags, PyObject* names) {
    auto* kernel = reinterpret_cast<Kernel*>(self);
    Py_ssize_t count = PyVectorcall_NARGS(flags);
    if (kernel->fusable || kernel->reducing || kernel->is_product) {
        PyObject* result = without_exceptions(
            [&] { return fused(kernel, arguments, count, names); });
        if (result || PyErr_Occurred()) return result;
    }
    // Everybody else gets arrays: a copy of the arguments, if one of them is deferred.
    PyObject* few[MAX_ARGUMENTS];
    PyObject** materialized = nullptr;
    Py_ssize_t all = count + (names ? PyTuple_GET_SIZE(names) : 0);
    for (Py_ssize_t i = 0; i < count; i++) {
        if (!is_deferred(arguments[i])) continue;
        PyObject* whole = array_of(arguments[i]);
        if (!whole) {
            if (materialized != few) PyMem_Free(materialized);
            return nullptr;
        }
        if (!materialized) {
            materialized = all <= MAX_ARGUMENTS ? few : PyMem_New(PyObject*, all);
            if (!materialized) return PyErr_NoMemory();
            std::copy_n(arguments, all, materialized);
            flags &= ~PY_VECTORCALL_ARGUMENTS_OFFSET;
        }
        materialized[i] = whole;
    }
    if (materialized) arguments = materialized;
    PyObject* result = attempt(kernel, arguments, count, names);
    if (!result && kernel->in_float32 && !PyErr_Occurred())
        result = through_float32(kernel, arguments, count, names);
    if (!result && !PyErr_Occurred())
        result = call_python(kernel->fallback, arguments, flags, names);
    if (materialized && materialized != few) PyMem_Free(materialized);
    return result;
}

int traverse(PyObject* self, visitproc visit, void* arg) {
    Py_VISIT(reinterpret_cast<Kernel*>(self)->fallback);
    Py_VISIT(reinterpret_cast<Kernel*>(self)->in_float32);
    Py_VISIT(Py_TYPE(self));
    return 0;
}

void dealloc(PyObject* self) {
    auto* kernel = reinterpret_cast<Kernel*>(self);
    PyTypeObject* type = Py_TYPE(self);
    PyObject_GC_UnTrack(self);
    Py_XDECREF(kernel->fallback);
    Py_XDECREF(kernel->in_float32);
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
    for (const KernelEntry* chapter : CHAPTERS)
        for (const KernelEntry* entry = chapter; entry->name; entry++)
            if (std::strcmp(entry->name, name) == 0) return entry->attempt;
    return nullptr;
}

PyObject* make_kernel(PyObject*, PyObject* arguments) {
    PyObject *name, *fallback;
    if (!PyArg_ParseTuple(arguments, "UO:kernel", &name, &fallback)) return nullptr;
    const char* text = PyUnicode_AsUTF8(name);
    if (!text) return nullptr;
    PyObject* inner = nullptr;
    if (PyObject_HasAttrString(fallback, "in_float32")) {
        inner = PyObject_GetAttrString(fallback, "in_float32");
        if (!inner) return nullptr;
    }
    auto* kernel = PyObject_GC_New(Kernel, kernel_type);
    if (!kernel) {
        Py_XDECREF(inner);
        return nullptr;
    }
    kernel->call = vectorcall;
    kernel->attempt = find(text);
    kernel->fusable = nullptr;
    for (const Fusable& fusable : FUSABLE)
        if (std::strcmp(fusable.name, text) == 0) kernel->fusable = &fusable;
    kernel->reducing = nullptr;
    for (const Reducing& reducing : REDUCING)
        if (std::strcmp(reducing.name, text) == 0) kernel->reducing = &reducing;
    kernel->is_product = std::strcmp(text, "matmul") == 0;
    kernel->fallback = Py_NewRef(fallback);
    kernel->in_float32 = inner;
    kernel->name = Py_NewRef(name);
    PyObject_GC_Track(reinterpret_cast<PyObject*>(kernel));
    return reinterpret_cast<PyObject*>(kernel);
}

PyObject* kernel_names(PyObject*, PyObject*) {
    PyObject* names = PyList_New(0);
    for (const KernelEntry* chapter : CHAPTERS) {
        for (const KernelEntry* entry = chapter; names && entry->name; entry++) {
            PyObject* name = PyUnicode_FromString(entry->name);
            if (!name || PyList_Append(names, name) < 0) Py_CLEAR(names);
            Py_XDECREF(name);
        }
    }
    return names;
}

// Returns whether calls of this kernel with arrays of this size are deferred, or would be.
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
    {"fuses", fuses, METH_VARARGS, "fuses(name, elements): whether such an op is deferred"},
    {"kernel", make_kernel, METH_VARARGS,
     "kernel(name, fallback): the native kernel of a primitive; for others, NumPy's on arrays"},
    {"kernel_names", kernel_names, METH_NOARGS, "the names of the primitives that have one"},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

PyObject* call_native(PyObject* self, PyObject* const* arguments, Py_ssize_t count,
                      PyObject* names) {
    if (Py_TYPE(self) != kernel_type) return nullptr;
    auto* kernel = reinterpret_cast<Kernel*>(self);
    for (Py_ssize_t i = 0; i < count; i++)
        if (is_deferred(arguments[i])) return nullptr;
    if (kernel->fusable || kernel->is_product) {
        PyObject* result = without_exceptions(
            [&] { return fused(kernel, arguments, count, names); });
        if (result || PyErr_Occurred()) return result;
    }
    return attempt(kernel, arguments, count, names);
}

bool add_kernels(PyObject* module) {
    kernel_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
    return add_deferred(module) && add_watch(module) && add_halves(module) && kernel_type &&
           PyModule_AddFunctions(module, functions) == 0;
}

}  // namespace gradtape
