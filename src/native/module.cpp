// The extension module `gradtape._native`: see README.md in this folder.
#define GRADTAPE_IMPORTS_NUMPY
#include "core/core.h"
#include "flat/program.h"
#include "formats/formats.h"
#include "kernels/kernel.h"
#include "kernels/updates.h"
#include "runtime/arrays.h"
#include "runtime/blas.h"
#include "runtime/interrupts.h"
#include "runtime/threads.h"
#include "simd/vectors.h"

namespace gradtape {
namespace {

PyObject* py_use_blas(PyObject*, PyObject* path) {
    const char* text = PyUnicode_AsUTF8(path);
    return text ? PyBool_FromLong(use_blas(text)) : nullptr;
}

PyObject* py_set_num_threads(PyObject*, PyObject* number) {
    long threads = PyLong_AsLong(number);
    if (threads == -1 && PyErr_Occurred()) return nullptr;
    set_number_of_threads(threads);
    Py_RETURN_NONE;
}

PyObject* py_num_threads(PyObject*, PyObject*) { return PyLong_FromLong(number_of_threads()); }
PyObject* py_instruction_set(PyObject*, PyObject*) { return PyUnicode_FromString(vectors().name); }

PyMethodDef functions[] = {
    {"use_blas", py_use_blas, METH_O, "use_blas(path): take products from a library in memory"},
    {"set_num_threads", py_set_num_threads, METH_O, nullptr},
    {"num_threads", py_num_threads, METH_NOARGS, nullptr},
    {"instruction_set", py_instruction_set, METH_NOARGS, nullptr},
    {nullptr, nullptr, 0, nullptr}};

PyModuleDef definition = {PyModuleDef_HEAD_INIT,
                          "gradtape._native",
                          nullptr,
                          -1,
                          functions,
                          nullptr,
                          nullptr,
                          nullptr,
                          nullptr};

}  // namespace
}  // namespace gradtape

PyMODINIT_FUNC PyInit__native() {
    import_array();
    PyObject* module = PyModule_Create(&gradtape::definition);
    if (module && !(gradtape::prepare_memory() && gradtape::add_kernels(module) &&
                    gradtape::add_interrupts(module) && gradtape::add_products(module) &&
                    gradtape::add_updates(module) && gradtape::add_records(module) &&
                    gradtape::add_examples(module) && gradtape::add_fingerprints(module) &&
                    gradtape::hot::add_core(module) && gradtape::flat::add_flat(module)))
        Py_CLEAR(module);
#ifdef Py_GIL_DISABLED
    // Variables, recordings and deferred values rely on Python's lock: importing this turns it on.
    if (module) PyUnstable_Module_SetGIL(module, Py_MOD_GIL_USED);
#endif
    return module;
}
