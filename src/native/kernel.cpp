#include "kernel.h"

#include <structmember.h>

#include <cstddef>
#include <cstring>

namespace gradtape {
namespace {

const Entry* const CHAPTERS[] = {PRODUCTS, ELEMENTWISE};

struct Kernel {
    PyObject_HEAD
    vectorcallfunc call;
    Attempt attempt;
    PyObject* fallback;
    PyObject* name;
};

PyObject* call_kernel(PyObject* self, PyObject* const* arguments, size_t flags, PyObject* names) {
    auto* kernel = reinterpret_cast<Kernel*>(self);
    PyObject* result = kernel->attempt(arguments, PyVectorcall_NARGS(flags), names);
    if (result || PyErr_Occurred()) return result;
    return PyObject_Vectorcall(kernel->fallback, arguments, flags, names);
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
    Attempt attempt = find(PyUnicode_AsUTF8(name));
    if (!attempt) return PyErr_Format(PyExc_KeyError, "there is no native kernel %R", name);
    auto* kernel = PyObject_GC_New(Kernel, kernel_type);
    if (!kernel) return nullptr;
    kernel->call = call_kernel;
    kernel->attempt = attempt;
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

PyMethodDef functions[] = {
    {"kernel", make_kernel, METH_VARARGS, "kernel(name, fallback): a native kernel"},
    {"kernel_names", kernel_names, METH_NOARGS, "the names of the primitives that have one"},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

bool add_kernels(PyObject* module) {
    kernel_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
    return kernel_type && PyModule_AddFunctions(module, functions) == 0;
}

}  // namespace gradtape
