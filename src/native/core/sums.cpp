#include "core/sums.h"

#include "fusion/deferred.h"
#include "runtime/work_split.h"

namespace gradtape::hot {
namespace {

PyObject* slice_primitive = nullptr;  // borrowed: primitives live as long as the process
PyObject *index_name, *name_name;

void add_run(float* total, const float* x, int64_t count) {
    auto add = vectors().binary[ADD];
    in_parts(count, ELEMENT, GRAIN, [=](int64_t begin, int64_t end) {
        add(total + begin, total + begin, x + begin, end - begin);
    });
}

// Returns the parameter of a slice, if it is all that there is, and if it names single elements of
// axes.
PyObject* index_of(PyObject* params) {
    if (!params || !PyDict_CheckExact(params) || PyDict_GET_SIZE(params) != 1) return nullptr;
    PyObject* index = PyDict_GetItemWithError(params, index_name);
    if (!index || !PyTuple_CheckExact(index) || PyTuple_GET_SIZE(index) == 0) return nullptr;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(index); i++)
        if (!PyLong_CheckExact(PyTuple_GET_ITEM(index, i))) return nullptr;
    return index;
}

}  // namespace

bool add_array(PyObject* total, PyObject* x) {
    if (!is_plain(total) || !is_plain(x) || !PyArray_ISWRITEABLE(array(total)) ||
        !same_shape(total, x))
        return false;
    add_run(data(total), data(x), size(x));
    return true;
}

int is_constant_index(PyObject* prim, PyObject* params) {
    if (!index_of(params)) return 0;
    if (!slice_primitive) {
        Ref name(PyObject_GetAttr(prim, name_name));
        if (!name) return -1;
        if (PyUnicode_Check(name.get()) &&
            PyUnicode_CompareWithASCIIString(name.get(), "slice") == 0)
            slice_primitive = prim;
    }
    return prim == slice_primitive;
}

bool add_at_index(PyObject* total, PyObject* params, PyObject* x) {
    if (is_deferred(x) && !(x = array_of(x))) return false;
    if (!is_plain(total) || !is_plain(x) || !PyArray_ISWRITEABLE(array(total))) return false;
    PyObject* index = index_of(params);
    int chosen = static_cast<int>(PyTuple_GET_SIZE(index)), rank = PyArray_NDIM(array(total));
    if (rank - chosen != PyArray_NDIM(array(x))) return false;
    int64_t offset = 0;
    for (int i = 0; i < chosen; i++) {
        npy_intp length = PyArray_DIM(array(total), i);
        Py_ssize_t own = PyLong_AsSsize_t(PyTuple_GET_ITEM(index, i));
        if (own < 0) own += length;
        if (own < 0 || own >= length) return false;
        offset = offset * length + own;
    }
    for (int i = chosen; i < rank; i++)
        if (PyArray_DIM(array(total), i) != PyArray_DIM(array(x), i - chosen)) return false;
    add_run(data(total) + offset * size(x), data(x), size(x));
    return true;
}

bool prepare_sums(PyObject*) {
    index_name = PyUnicode_InternFromString("index");
    name_name = PyUnicode_InternFromString("name");
    return index_name && name_name;
}

}  // namespace gradtape::hot
