// Arrays of float16 and bfloat16 as float32, and back.
#include "kernels/halves.h"

#include "runtime/work_split.h"

namespace gradtape {
namespace {

HalfType types[] = {{NPY_HALF, FLOAT_OF_HALF, HALF_OF_FLOAT, nullptr},
                    {-1, FLOAT_OF_BFLOAT16, BFLOAT16_OF_FLOAT, nullptr}};

PyObject* converted(PyObject* x, int type, Conversion conversion) {
    PyObject* made = new_array_like(array(x), type);
    if (!made) return nullptr;
    char *result = data<char>(made), *from = data<char>(x);
    int64_t item = PyArray_ITEMSIZE(array(x)), made_item = PyArray_ITEMSIZE(array(made));
    in_parts(size(x), ELEMENT, GRAIN, [=](int64_t begin, int64_t end) {
        vectors().convert[conversion](result + begin * made_item, from + begin * item, end - begin);
    });
    return made;
}

PyObject* use_bfloat16(PyObject*, PyObject* dtype) {
    if (!PyArray_DescrCheck(dtype) ||
        PyDataType_ELSIZE(reinterpret_cast<PyArray_Descr*>(dtype)) != 2) {
        PyErr_SetString(PyExc_TypeError, "use_bfloat16 takes the dtype");
        return nullptr;
    }
    auto* descr = reinterpret_cast<PyArray_Descr*>(dtype);
    types[1].number = descr->type_num;
    types[1].scalar = descr->typeobj;
    Py_INCREF(descr->typeobj);
    Py_RETURN_NONE;
}

PyMethodDef functions[] = {
    {"use_bfloat16", use_bfloat16, METH_O, "use_bfloat16(dtype): take this dtype for bfloat16"},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

const HalfType* half_type(int number) {
    for (const HalfType& type : types)
        if (type.number == number) return &type;
    return nullptr;
}

const HalfType* half_type_of(PyObject* x) {
    if (PyArray_CheckExact(x))
        return PyArray_ISNOTSWAPPED(array(x)) ? half_type(PyArray_TYPE(array(x))) : nullptr;
    for (const HalfType& type : types)
        if (Py_TYPE(x) == type.scalar) return &type;
    return nullptr;
}

PyObject* widened(PyObject* x, const HalfType& type) {
    if (PyArray_ISCARRAY_RO(array(x))) return converted(x, NPY_FLOAT32, type.widen);
    PyObject* whole = PyArray_NewCopy(array(x), NPY_CORDER);
    if (!whole) return nullptr;
    PyObject* made = converted(whole, NPY_FLOAT32, type.widen);
    Py_DECREF(whole);
    return made;
}

PyObject* narrowed(PyObject* x, const HalfType& type) {
    if (PyArray_ISCARRAY_RO(array(x))) return converted(x, type.number, type.narrow);
    PyObject* whole = PyArray_NewCopy(array(x), NPY_CORDER);
    if (!whole) return nullptr;
    PyObject* made = converted(whole, type.number, type.narrow);
    Py_DECREF(whole);
    return made;
}

bool add_halves(PyObject* module) {
    PyArray_Descr* half = PyArray_DescrFromType(NPY_HALF);
    types[0].scalar = half->typeobj;  // lives as long as NumPy
    Py_DECREF(half);
    return PyModule_AddFunctions(module, functions) == 0;
}

}  // namespace gradtape
