#include "core/sums.h"

#include "core/bind.h"
#include "fusion/deferred.h"
#include "runtime/work_split.h"

namespace gradtape::hot {
namespace {

PyObject* slice_primitive = nullptr;  // borrowed: primitives live as long as the process
PyObject *index_name, *name_name, *axis_name, *keepdims_name;

// Applies a primitive with parameters that it takes the reference of.
Ref applied(const char* name, PyObject* x, Ref params, PyObject* state) {
    PyObject* prim = params ? PyDict_GetItemString(all_primitives(), name) : nullptr;
    return prim ? Ref(apply(prim, &x, 1, params.get(), state)) : Ref();
}

Ref params_of(PyObject* name, const npy_intp* numbers, int count) {
    Ref params(PyDict_New()), tuple(PyTuple_New(count));
    if (!params || !tuple) return Ref();
    for (int i = 0; i < count; i++) {
        PyObject* number = PyLong_FromSsize_t(numbers[i]);
        if (!number) return Ref();
        PyTuple_SET_ITEM(tuple.get(), i, number);
    }
    return PyDict_SetItem(params.get(), name, tuple.get()) < 0 ? Ref() : std::move(params);
}

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

Ref sum_to_shape(PyObject* x, PyObject* data, const npy_intp* shape, int rank) {
    npy_intp whole[NPY_MAXDIMS], axes[NPY_MAXDIMS];
    Ref state = current_state();
    if (!state || core.trace.of(state.get()) != Py_None || !tensors_are_ours() || !is_tensor(x))
        return Ref();
    int extra = read_shape(data, whole) - rank, count = 0, kept = 0;
    if (extra < 0) return Ref();
    for (int i = 0; i < extra; i++) axes[count++] = i;
    for (int i = 0; i < rank; i++) {
        bool is_repeated = shape[i] == 1 && whole[i + extra] != 1;
        if (is_repeated) axes[count++] = i + extra;
        else if (whole[i + extra] != shape[i]) return Ref();
        kept += !is_repeated;
    }
    if (count == 0) return Ref();
    Ref params = params_of(axis_name, axes, count);
    if (!params || PyDict_SetItem(params.get(), keepdims_name, Py_False) < 0) return Ref();
    // Read now: the shape is a recording's, and moves when the sum is recorded there.
    Ref wanted = kept == rank ? Ref() : params_of(names.shape, shape, rank);
    if (kept != rank && !wanted) return Ref();
    Ref sum = applied("reduce_sum", x, std::move(params), state.get());
    if (!sum || kept == rank) return sum;
    return applied("reshape", sum.get(), std::move(wanted), state.get());
}

bool prepare_sums(PyObject*) {
    index_name = PyUnicode_InternFromString("index");
    name_name = PyUnicode_InternFromString("name");
    axis_name = PyUnicode_InternFromString("axis");
    keepdims_name = PyUnicode_InternFromString("keepdims");
    return index_name && name_name && axis_name && keepdims_name;
}

}  // namespace gradtape::hot
