#include "runtime/interrupts.h"

#include "runtime/ref.h"

namespace gradtape {
namespace {

int raise_again(void* error) {
    Ref held(static_cast<PyObject*>(error));
    PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(held.get())), held.get());
    return -1;
}

PyObject* call(PyObject* function, PyObject* arguments) {
    PyObject* result = PyObject_CallObject(function, arguments);
    if (result || PyErr_ExceptionMatches(PyExc_Exception)) return result;
    postpone_error();
    Py_RETURN_NONE;
}

PyMethodDef calling = {"postponing_interrupts", call, METH_VARARGS, nullptr};

// Returns a function that calls the given one, and whose KeyboardInterrupt or SystemExit comes up
// after it: for callbacks whose errors Python prints and forgets.
PyObject* postponing_interrupts(PyObject*, PyObject* function) {
    return PyCFunction_New(&calling, function);
}

PyMethodDef functions[] = {
    {"postponing_interrupts", postponing_interrupts, METH_O, "postponing_interrupts(function)"},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

void postpone_error() {
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    PyErr_NormalizeException(&type, &value, &traceback);
    if (Py_AddPendingCall(raise_again, Py_XNewRef(value)) != 0) Py_XDECREF(value);
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(traceback);
}

bool add_interrupts(PyObject* module) { return PyModule_AddFunctions(module, functions) == 0; }

}  // namespace gradtape
