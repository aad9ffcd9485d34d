#include "fusion/deferred.h"

#include <structmember.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "fusion/program.h"

namespace gradtape {

PyTypeObject* deferred_type = nullptr;

namespace {

// Smaller arrays stay in the caches between two ops anyway.
int64_t smallest = INT64_MAX;
PyArray_Descr* float32 = nullptr;

// --- operands -----------------------------------------------------------------------------------

// What an argument looks like before the shape of the result is known.
struct Argument {
    PyObject* object;  // borrowed
    bool is_number;
    float number;
    int rank;
    const npy_intp* shape;
    int64_t size;
};

// An array that repeats one number (a broadcast scalar): every stride of it is 0.
bool repeats_one_number(PyArrayObject* x) {
    for (int i = 0; i < PyArray_NDIM(x); i++)
        if (PyArray_STRIDE(x, i) != 0 && PyArray_DIM(x, i) != 1) return false;
    return PyArray_SIZE(x) > 0;
}

bool read(PyObject* x, Argument* argument) {
    argument->object = x;
    argument->is_number = false;
    if (is_deferred(x)) {
        Deferred* d = deferred(x);
        argument->rank = d->rank;
        argument->shape = d->shape;
        argument->size = d->size;
        return true;
    }
    if (PyArray_IsScalar(x, Float)) {
        argument->is_number = true;
        argument->number = PyArrayScalar_VAL(x, Float);
        argument->rank = 0;
        argument->shape = nullptr;
        argument->size = 1;
        return true;
    }
    if (!is_array(x, NPY_FLOAT32) || PyArray_NDIM(array(x)) > MOST_AXES) return false;
    argument->rank = PyArray_NDIM(array(x));
    argument->shape = PyArray_DIMS(array(x));
    argument->size = PyArray_SIZE(array(x));
    if (argument->size > 0 && repeats_one_number(array(x))) {
        argument->is_number = true;
        argument->number = *data(x);
        return true;
    }
    return PyArray_ISCARRAY_RO(array(x));
}

bool same(const Argument& x, const Argument& y) {
    return x.rank == y.rank && std::memcmp(x.shape, y.shape, sizeof(npy_intp) * x.rank) == 0;
}

// Whether an argument broadcasts to the result without making it larger.
bool fits(const Argument& x, const Argument& result) {
    if (x.rank > result.rank) return false;
    for (int i = 0; i < x.rank; i++) {
        npy_intp n = x.shape[i];
        if (n != 1 && n != result.shape[result.rank - x.rank + i]) return false;
    }
    return true;
}

// Where an argument is smaller than the result: is it one row for all, or one number a row?
bool is_row(const Argument& x, const Argument& result) {
    int skipped = 0;
    while (skipped < x.rank && x.shape[skipped] == 1) skipped++;
    for (int i = skipped; i < x.rank; i++)
        if (x.shape[i] != result.shape[result.rank - x.rank + i]) return false;
    return true;
}
bool is_column(const Argument& x, const Argument& result) {
    if (x.rank != result.rank) return false;
    int shared = 0;
    while (shared < x.rank && x.shape[shared] == result.shape[shared]) shared++;
    for (int i = shared; i < x.rank; i++)
        if (x.shape[i] != 1) return false;
    return true;
}

// Makes an operand of an argument; `columns` is the width of the matrix, 0 while it is free.
bool make_operand(const Argument& x, const Argument& result, int64_t* columns, Operand* operand) {
    if (x.is_number && fits(x, result)) {
        operand->extent = Extent::number;
        operand->number = x.number;
        return true;
    }
    if (x.is_number) return false;
    if (same(x, result)) {
        if (is_deferred(x.object)) {
            int64_t its = deferred(x.object)->value ? 0 : deferred(x.object)->columns;
            if (its && *columns && its != *columns) {
                if (!array_of(x.object)) return false;
            } else if (its) {
                *columns = its;
            }
        }
        operand->extent = Extent::whole;
        operand->object = Py_NewRef(x.object);
        return true;
    }
    if (x.size == 0) return false;
    int64_t width;
    if (is_row(x, result)) {
        operand->extent = Extent::row;
        width = x.size;
    } else if (is_column(x, result)) {
        operand->extent = Extent::column;
        width = result.size / x.size;
    } else {
        return false;
    }
    if (*columns && *columns != width) return false;
    *columns = width;
    PyObject* whole = is_deferred(x.object) ? array_of(x.object) : x.object;
    if (!whole) return false;
    operand->object = Py_NewRef(whole);
    return true;
}

int pending_length(const Operand& operand) {
    return operand.object && is_deferred(operand.object) && !deferred(operand.object)->value
               ? deferred(operand.object)->length
               : 0;
}

// The ops behind two operands, each counted once. (The sum of their lengths counts shared ones twice.)
void collect(const Operand& operand, std::vector<Deferred*>* found) {
    if (!pending_length(operand) || deferred(operand.object)->mark) return;
    Deferred* d = deferred(operand.object);
    d->mark = 1;
    found->push_back(d);
    collect(d->left, found);
    collect(d->right, found);
}
int distinct(const Operand& left, const Operand& right) {
    std::vector<Deferred*> found;
    collect(left, &found);
    collect(right, &found);
    for (Deferred* d : found) d->mark = 0;
    return static_cast<int>(found.size());
}

// x·1, x/1 and x-0 are x.
bool changes_nothing(Instruction i, const Operand& right) {
    if (!i.is_binary || right.extent != Extent::number) return false;
    return ((i.op == MULTIPLY || i.op == DIVIDE) && right.number == 1) ||
           (i.op == SUBTRACT && right.number == 0 && !std::signbit(right.number));
}

void drop(Operand* operand) { Py_CLEAR(operand->object); }

Deferred* new_deferred(Instruction instruction, const Argument& result) {
    auto* made = PyObject_New(Deferred, deferred_type);
    if (!made) return nullptr;
    made->value = nullptr;
    made->left = made->right = Operand{};
    made->instruction = instruction;
    made->rank = static_cast<uint8_t>(result.rank);
    made->size = result.size;
    made->columns = 0;
    made->length = 1;
    made->mark = 0;
    std::memcpy(made->shape, result.shape, sizeof(npy_intp) * result.rank);
    return made;
}

// --- the Python type ----------------------------------------------------------------------------

void dealloc(PyObject* self) {
    PyTypeObject* type = Py_TYPE(self);
    Deferred* d = deferred(self);
    Py_CLEAR(d->value);
    drop(&d->left);  // chains are short (LONGEST_CHAIN): this recursion is too
    drop(&d->right);
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
PyObject* get_dtype(PyObject*, void*) { return Py_NewRef(reinterpret_cast<PyObject*>(float32)); }
PyObject* get_ndim(PyObject* self, void*) { return PyLong_FromLong(deferred(self)->rank); }
PyObject* get_size(PyObject* self, void*) { return PyLong_FromSsize_t(deferred(self)->size); }
PyObject* get_nbytes(PyObject* self, void*) { return PyLong_FromSsize_t(4 * deferred(self)->size); }
PyObject* get_itemsize(PyObject*, void*) { return PyLong_FromLong(4); }
PyObject* get_pending(PyObject* self, void*) {
    return PyBool_FromLong(deferred(self)->value == nullptr);
}

PyGetSetDef attributes[] = {{"shape", get_shape, nullptr, nullptr, nullptr},
                            {"dtype", get_dtype, nullptr, nullptr, nullptr},
                            {"ndim", get_ndim, nullptr, nullptr, nullptr},
                            {"size", get_size, nullptr, nullptr, nullptr},
                            {"nbytes", get_nbytes, nullptr, nullptr, nullptr},
                            {"itemsize", get_itemsize, nullptr, nullptr, nullptr},
                            {"is_pending", get_pending, nullptr, "not computed yet", nullptr},
                            {nullptr, nullptr, nullptr, nullptr, nullptr}};

// Everything else is asked of the array.
PyObject* get_attribute(PyObject* self, PyObject* name) {
    PyObject* found = PyObject_GenericGetAttr(self, name);
    if (found || !PyErr_ExceptionMatches(PyExc_AttributeError)) return found;
    PyErr_Clear();
    PyObject* whole = array_of(self);
    return whole ? PyObject_GetAttr(whole, name) : nullptr;
}

// A borrowed array for a Deferred, anything else as it is; null with an error.
PyObject* settled(PyObject* x) { return is_deferred(x) ? array_of(x) : x; }

PyObject* as_array(PyObject* self, PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    PyObject* whole = array_of(self);
    if (!whole) return nullptr;
    PyObject* method = PyObject_GetAttrString(whole, "__array__");
    if (!method) return nullptr;
    PyObject* result = PyObject_Vectorcall(method, arguments, count, names);
    Py_DECREF(method);
    return result;
}

// NumPy writes the result of an operator into an operand that it believes to be temporary, because
// there is only one reference to it: so a second one is held while it computes.
class Held {
  public:
    explicit Held(PyObject* x) : object_(Py_XNewRef(settled(x))) {}
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
Py_ssize_t length(PyObject* self) { return deferred(self)->shape[0]; }
PyObject* item(PyObject* self, PyObject* key) {
    PyObject* a = settled(self);
    return a ? PyObject_GetItem(a, key) : nullptr;
}
PyObject* iterate(PyObject* self) {
    PyObject* a = settled(self);
    return a ? PyObject_GetIter(a) : nullptr;
}
PyObject* describe(PyObject* self) {
    PyObject* a = settled(self);
    return a ? PyObject_Repr(a) : nullptr;
}
int truth(PyObject* self) {
    PyObject* a = settled(self);
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
                       slot(Py_nb_bool, truth),
                       {0, nullptr}};
PyType_Spec spec = {"gradtape._native.Deferred", sizeof(Deferred), 0,
                    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};

// --- functions of the module --------------------------------------------------------------------

PyObject* py_set_fusion(PyObject*, PyObject* elements) {
    Py_ssize_t number = PyLong_AsSsize_t(elements);
    if (number == -1 && PyErr_Occurred()) return nullptr;
    int64_t before = smallest;
    smallest = number > 0 ? number : INT64_MAX;
    return PyLong_FromSsize_t(before == INT64_MAX ? 0 : before);
}

PyObject* py_settled(PyObject*, PyObject* x) {
    PyObject* a = settled(x);
    return a ? Py_NewRef(a) : nullptr;
}

PyMethodDef functions[] = {
    {"fuse_from", py_set_fusion, METH_O,
     "fuse_from(elements): put off ops on arrays of at least this size (0: none); what it was"},
    {"settled", py_settled, METH_O, "settled(x): the array of a Deferred, anything else as it is"},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

PyObject* array_of(PyObject* x) {
    Deferred* d = deferred(x);
    if (!d->value && !compute(d)) return nullptr;
    return d->value;
}

PyObject* defer(Instruction instruction, PyObject* const* arguments, Py_ssize_t count) {
    Argument x, y;
    if (!read(arguments[0], &x)) return nullptr;
    if (count == 2 && !read(arguments[1], &y)) return nullptr;
    // The result has the shape of the larger argument: arguments that spread each other go to NumPy.
    bool right_is_larger = count == 2 && (y.rank > x.rank || y.size > x.size || x.is_number);
    const Argument& result = right_is_larger ? y : x;
    if (result.size < smallest || result.rank == 0 || result.is_number) return nullptr;
    int64_t columns = 0;
    Operand left, right;
    if (!make_operand(x, result, &columns, &left)) return nullptr;
    if (count == 2 && !make_operand(y, result, &columns, &right)) {
        drop(&left);
        return nullptr;
    }
    if (changes_nothing(instruction, right)) return left.object;
    // A chain that would be too long is cut: what is behind its longer side is computed now.
    int chain = pending_length(left) + pending_length(right);
    if (chain >= LONGEST_CHAIN) chain = distinct(left, right);
    while (chain >= LONGEST_CHAIN) {
        Operand& longer = pending_length(left) >= pending_length(right) ? left : right;
        if (!array_of(longer.object)) {
            drop(&left);
            drop(&right);
            return nullptr;
        }
        chain = distinct(left, right);
    }
    Deferred* made = new_deferred(instruction, result);
    if (!made) {
        drop(&left);
        drop(&right);
        return nullptr;
    }
    made->left = left;
    made->right = right;
    made->columns = columns;
    made->length = static_cast<int16_t>(1 + chain);
    return reinterpret_cast<PyObject*>(made);
}

bool update_in_place(Binary op, PyObject* total, PyObject* x) {
    if (deferred(x)->value || !PyArray_ISWRITEABLE(array(total))) return false;
    PyObject* const arguments[] = {total, x};
    PyObject* made = defer({true, static_cast<uint8_t>(op)}, arguments, 2);
    if (!made) return false;
    bool fits = is_deferred(made) && deferred(made)->size == size(total);
    bool done = fits && compute(deferred(made), total);
    Py_DECREF(made);
    return done;
}

bool add_deferred(PyObject* module) {
    float32 = PyArray_DescrFromType(NPY_FLOAT32);
    deferred_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec));
    return deferred_type && float32 && PyModule_AddFunctions(module, functions) == 0 &&
           PyModule_AddObjectRef(module, "Deferred",
                                 reinterpret_cast<PyObject*>(deferred_type)) == 0;
}

}  // namespace gradtape
