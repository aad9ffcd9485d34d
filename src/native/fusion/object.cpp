// `Deferred` as Python sees it: it knows its shape and dtype; all else is asked of the array.
#include "errors.h"
#include "fusion/compute.h"

namespace gradtape {

PyTypeObject* deferred_type = nullptr;

namespace {

PyArray_Descr *float32 = nullptr, *boolean = nullptr;

void dealloc(PyObject* self) {
    PyTypeObject* type = Py_TYPE(self);
    Deferred* d = deferred(self);
    Py_CLEAR(d->value);
    if (d->is_total) forget_total(d);
    drop_operands(d);  // chains are short (MAX_CHAIN_LENGTH): this recursion is too
    type->tp_free(self);
    Py_DECREF(type);
}

PyObject* get_shape(PyObject* self, void*) {
    Deferred* d = deferred(self);
    PyObject* shape = PyTuple_New(d->rank);
    for (int i = 0; shape && i < d->rank; i++) {
        PyObject* n = PyLong_FromSsize_t(d->shape[i]);
        if (!n) Py_CLEAR(shape);
        else PyTuple_SET_ITEM(shape, i, n);
    }
    return shape;
}
PyObject* get_dtype(PyObject* self, void*) {
    PyArray_Descr* dtype = deferred(self)->dtype() == NPY_BOOL ? boolean : float32;
    return Py_NewRef(reinterpret_cast<PyObject*>(dtype));
}
PyObject* get_ndim(PyObject* self, void*) { return PyLong_FromLong(deferred(self)->rank); }
PyObject* get_size(PyObject* self, void*) { return PyLong_FromSsize_t(deferred(self)->size); }
PyObject* get_nbytes(PyObject* self, void*) {
    return PyLong_FromSsize_t(deferred(self)->item_size() * deferred(self)->size);
}
PyObject* get_itemsize(PyObject* self, void*) {
    return PyLong_FromSsize_t(deferred(self)->item_size());
}
PyObject* get_pending(PyObject* self, void*) {
    return PyBool_FromLong(deferred(self)->value == nullptr);
}
// Returns the arrays that a pending value keeps alive; of one that was computed, its own.
PyObject* get_held(PyObject* self, void*) {
    PyObject* arrays = PyList_New(0);
    if (arrays && !arrays_behind(deferred(self), arrays)) Py_CLEAR(arrays);
    return arrays;
}

PyGetSetDef attributes[] = {{"shape", get_shape, nullptr, nullptr, nullptr},
                            {"dtype", get_dtype, nullptr, nullptr, nullptr},
                            {"ndim", get_ndim, nullptr, nullptr, nullptr},
                            {"size", get_size, nullptr, nullptr, nullptr},
                            {"nbytes", get_nbytes, nullptr, nullptr, nullptr},
                            {"itemsize", get_itemsize, nullptr, nullptr, nullptr},
                            {"is_pending", get_pending, nullptr, "not computed yet", nullptr},
                            {"arrays", get_held, nullptr, "that it keeps alive", nullptr},
                            {nullptr, nullptr, nullptr, nullptr, nullptr}};

// Asks the array for everything else.
PyObject* get_attribute(PyObject* self, PyObject* name) {
    PyObject* attribute = PyObject_GenericGetAttr(self, name);
    if (attribute || !expected_error({PyExc_AttributeError})) return attribute;
    PyObject* whole = array_of(self);
    return whole ? PyObject_GetAttr(whole, name) : nullptr;
}

// Returns a borrowed array for a Deferred, anything else as it is; null with an error.
PyObject* materialized(PyObject* x) { return is_deferred(x) ? array_of(x) : x; }

PyObject* as_array(PyObject* self, PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    PyObject* whole = array_of(self);
    if (!whole) return nullptr;
    PyObject* method = PyObject_GetAttrString(whole, "__array__");
    if (!method) return nullptr;
    PyObject* result = call_python(method, arguments, count, names);
    Py_DECREF(method);
    return result;
}

// NumPy writes the result of an operator into an operand that it believes to be temporary, because
// there is only one reference to it: so a second one is held while it computes.
class Held {
  public:
    explicit Held(PyObject* x) : object_(Py_XNewRef(materialized(x))) {}
    ~Held() { Py_XDECREF(object_); }
    Held(const Held&) = delete;
    Held& operator=(const Held&) = delete;
    operator PyObject*() const { return object_; }

  private:
    PyObject* object_;
};

PyObject* compare(PyObject* x, PyObject* y, int how) {
    Held a(x), b(y);
    return a && b ? PyObject_RichCompare(a, b, how) : nullptr;
}
template <binaryfunc function>
PyObject* both(PyObject* x, PyObject* y) {
    Held a(x), b(y);
    return a && b ? function(a, b) : nullptr;
}
template <unaryfunc function>
PyObject* only(PyObject* x) {
    Held a(x);
    return a ? function(a) : nullptr;
}
PyObject* power(PyObject* x, PyObject* y, PyObject* z) {
    Held a(x), b(y);
    return a && b ? PyNumber_Power(a, b, z) : nullptr;
}
Py_ssize_t length(PyObject* self) {
    if (deferred(self)->rank) return deferred(self)->shape[0];
    PyErr_SetString(PyExc_TypeError, "len() of unsized object");
    return -1;
}
Py_hash_t hash(PyObject* self) {
    PyObject* a = materialized(self);
    return a ? PyObject_Hash(a) : -1;
}
PyObject* item(PyObject* self, PyObject* key) {
    PyObject* a = materialized(self);
    return a ? PyObject_GetItem(a, key) : nullptr;
}
PyObject* iterate(PyObject* self) {
    PyObject* a = materialized(self);
    return a ? PyObject_GetIter(a) : nullptr;
}
PyObject* describe(PyObject* self) {
    PyObject* a = materialized(self);
    return a ? PyObject_Repr(a) : nullptr;
}
int truth(PyObject* self) {
    PyObject* a = materialized(self);
    return a ? PyObject_IsTrue(a) : -1;
}

PyMethodDef methods[] = {
    {"__array__", reinterpret_cast<PyCFunction>(as_array), METH_FASTCALL | METH_KEYWORDS, nullptr},
    {nullptr, nullptr, 0, nullptr}};

template <class F>
PyType_Slot slot(int which, F function) {
    return {which, reinterpret_cast<void*>(function)};
}
PyType_Slot slots[] = {slot(Py_tp_dealloc, dealloc),
                       slot(Py_tp_getset, attributes),
                       slot(Py_tp_methods, methods),
                       slot(Py_tp_getattro, get_attribute),
                       slot(Py_tp_richcompare, compare),
                       slot(Py_tp_repr, describe),
                       slot(Py_tp_iter, iterate),
                       slot(Py_mp_length, length),
                       slot(Py_mp_subscript, item),
                       slot(Py_nb_add, both<PyNumber_Add>),
                       slot(Py_nb_subtract, both<PyNumber_Subtract>),
                       slot(Py_nb_multiply, both<PyNumber_Multiply>),
                       slot(Py_nb_true_divide, both<PyNumber_TrueDivide>),
                       slot(Py_nb_floor_divide, both<PyNumber_FloorDivide>),
                       slot(Py_nb_remainder, both<PyNumber_Remainder>),
                       slot(Py_nb_matrix_multiply, both<PyNumber_MatrixMultiply>),
                       slot(Py_nb_power, power),
                       slot(Py_nb_negative, only<PyNumber_Negative>),
                       slot(Py_nb_absolute, only<PyNumber_Absolute>),
                       slot(Py_nb_and, both<PyNumber_And>),
                       slot(Py_nb_or, both<PyNumber_Or>),
                       slot(Py_nb_xor, both<PyNumber_Xor>),
                       slot(Py_nb_invert, only<PyNumber_Invert>),
                       slot(Py_nb_bool, truth),
                       slot(Py_nb_float, only<PyNumber_Float>),
                       slot(Py_nb_int, only<PyNumber_Long>),
                       slot(Py_tp_hash, hash),
                       {0, nullptr}};
PyType_Spec spec = {"gradtape._native.Deferred", sizeof(Deferred), 0,
                    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};

}  // namespace

bool add_deferred_type(PyObject* module) {
    float32 = PyArray_DescrFromType(NPY_FLOAT32);
    boolean = PyArray_DescrFromType(NPY_BOOL);
    deferred_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
    return deferred_type && float32 && boolean &&
           PyModule_AddObjectRef(module, "Deferred", reinterpret_cast<PyObject*>(deferred_type)) ==
               0;
}

}  // namespace gradtape
