// `x + y` and its kin: what is common goes straight to the primitive, all else to the functions of
// gradtape.ops.operators. The C base of tensors and variables.
#include <cstring>

#include "core/batched.h"
#include "core/bind.h"
#include "core/queued.h"
#include "core/values.h"
#include "errors.h"

namespace gradtape::hot {
namespace {

PyTypeObject* operators_type = nullptr;

// Calls Python's function for an operator, by its name with underscores.
PyObject* by_python(const char* name, PyObject* x, PyObject* y) {
    PyObject* function = core.operators ? PyDict_GetItemString(core.operators, name) : nullptr;
    if (!function) Py_RETURN_NOTIMPLEMENTED;
    PyObject* arguments[] = {x, y};
    return call_python(function, arguments, y ? 2 : 1, nullptr);
}

// The tensor that Python's number means beside values of a dtype: the last few, by their bits.
struct Constant {
    uint64_t bits;
    PyObject *dtype, *tensor;
    bool is_int;
};
constexpr int CONSTANTS = 512;
Constant constants[CONSTANTS];

// Returns a number as a tensor: a new reference; null with an error set.
Ref constant(PyObject* number, PyArray_Descr* descr) {
    auto* dtype = reinterpret_cast<PyObject*>(descr);
    bool is_int = PyLong_CheckExact(number);
    double value = 0;
    if (is_int) {
        int overflow = 0;
        long long whole = PyLong_AsLongLongAndOverflow(number, &overflow);
        if (overflow || whole > (1ll << 53) || whole < -(1ll << 53)) {
            PyErr_SetString(PyExc_OverflowError, "a large integer");
            return Ref();
        }
        value = static_cast<double>(whole);
    } else {
        value = PyFloat_AS_DOUBLE(number);
    }
    uint64_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    uint64_t hash = (bits ^ reinterpret_cast<uintptr_t>(descr) ^ is_int) * 0x9E3779B97F4A7C15ull;
    Constant& cached = constants[hash >> 55];
    if (cached.tensor && cached.bits == bits && cached.dtype == dtype && cached.is_int == is_int)
        return Ref::to(cached.tensor);
    PyObject* arguments[] = {number, dtype};
    Ref made(call_python(core.constant, arguments, 2, nullptr));
    if (!made) return Ref();
    if (!is_exactly_tensor(made.get()) || !tensor(made.get())->data) {
        PyErr_SetString(PyExc_TypeError, "a constant is a tensor");
        return Ref();
    }
    if (value != 0 || is_int) {  // Python's side does not keep 0.0 and -0.0, which are equal
        Ref old_dtype(cached.dtype), old_tensor(cached.tensor);
        cached = {bits, Py_NewRef(dtype), Py_NewRef(made.get()), is_int};
    }
    return made;
}

// Returns the dtype that data without elements has, of specs and of arrays on devices: borrowed.
PyObject* told_dtype(PyObject* data) {
    PyObject* dtype = Py_TYPE(data) == core.Spec ? core.spec_dtype.of(data) : device_dtype(data);
    return dtype && PyArray_DescrCheck(dtype) ? dtype : nullptr;
}

// Returns the dtype of arrays and numbers of NumPy's own types in this machine's byte order; else
// null. Borrowed: NumPy has one object for each of them, for good.
PyArray_Descr* plain_dtype(PyObject* data) {
    static PyArray_Descr* known[NPY_NTYPES_LEGACY];
    int type = -1;
    if (PyArray_CheckExact(data)) {
        PyArray_Descr* descr = PyArray_DESCR(array(data));
        type = descr->type_num;
        if (type < 0 || type >= NPY_NTYPES_LEGACY) return nullptr;
        if (!known[type]) known[type] = PyArray_DescrFromType(type);
        return known[type] == descr ? descr : nullptr;
    }
    if (is_deferred(data)) type = deferred(data)->dtype();
    else if (Py_TYPE(data) == &PyFloatArrType_Type) type = NPY_FLOAT;
    else if (Py_TYPE(data) == &PyDoubleArrType_Type) type = NPY_DOUBLE;
    else if (PyObject* dtype = told_dtype(data)) {
        auto* descr = reinterpret_cast<PyArray_Descr*>(dtype);
        type = descr->type_num;
        return type >= 0 && type < NPY_NTYPES_LEGACY && own_dtype(type) == descr ? descr : nullptr;
    } else return nullptr;
    if (!known[type]) known[type] = PyArray_DescrFromType(type);
    return known[type];
}

bool is_inexact(int type) {
    return type == NPY_FLOAT || type == NPY_DOUBLE || type == NPY_HALF || type == NPY_CFLOAT ||
           type == NPY_CDOUBLE;
}
bool is_number(int type) {
    // `long long` is a second name of int64, and is left to Python.
    return is_inexact(type) || type == NPY_BYTE || type == NPY_UBYTE || type == NPY_SHORT ||
           type == NPY_USHORT || type == NPY_INT || type == NPY_UINT || type == NPY_LONG ||
           type == NPY_ULONG;
}

bool is_python_number(PyObject* x) { return PyFloat_CheckExact(x) || PyLong_CheckExact(x); }

// Returns an operand as a tensor: a new reference; null without an error if it is something else.
Ref operand(PyObject* x, PyObject* state) {
    if (is_exactly_tensor(x) || is_batched(x) || is_on_device(x)) return Ref(Py_NewRef(x));
    bool is_variable = core.Variable && (Py_TYPE(x) == core.Variable || is_device_variable(x));
    if (is_variable) return Ref(read_variable(x, state));
    return Ref();
}

// Finds both operands in order, as tensors of one plain dtype; false, perhaps with an error set, if
// they are not of the common kinds.
bool find_operands(PyObject* x, PyObject* y, PyObject* state, bool inexact, Ref* a, Ref* b) {
    bool number_left = is_python_number(x), number_right = is_python_number(y);
    if (number_left && number_right) return false;
    if (!number_left && !(*a = operand(x, state))) return false;
    if (!number_right && !(*b = operand(y, state))) return false;
    PyArray_Descr* dtype = nullptr;
    for (Ref* side : {a, b}) {
        if (!*side) continue;
        if (!is_tensor(side->get()) || !tensor(side->get())->data) return false;
        PyArray_Descr* own = plain_dtype(tensor(side->get())->data);
        if (!own || (dtype && own != dtype)) return false;
        dtype = own;
    }
    if (!dtype || !(inexact ? is_inexact(dtype->type_num) : is_number(dtype->type_num)))
        return false;
    if (number_left && !(*a = constant(x, dtype))) return false;
    if (number_right && !(*b = constant(y, dtype))) return false;
    return true;
}

template <Op op, bool inexact>
PyObject* binary(const char* name, const char* reflected, PyObject* x, PyObject* y) {
    bool own = is_exactly_tensor(x) || PyObject_TypeCheck(x, operators_type);
    PyObject* prim = primitive_of(op);
    if (prim && core.state_variable && tensors_are_ours()) {
        Ref state = current_state();
        if (!state) return nullptr;
        Ref operands[2];
        if (find_operands(x, y, state.get(), inexact, &operands[0], &operands[1])) {
            PyObject* inputs[] = {operands[0].get(), operands[1].get()};
            return apply(prim, inputs, 2, nullptr, state.get());
        }
        // Python's function meets the same error, and says what is wrong.
        if (!unsuitable_values()) return nullptr;
    }
    return own ? by_python(name, x, y) : by_python(reflected, y, x);
}

PyObject* add(PyObject* x, PyObject* y) { return binary<ADD, false>("__add__", "__radd__", x, y); }
PyObject* subtract(PyObject* x, PyObject* y) {
    return binary<SUBTRACT, false>("__sub__", "__rsub__", x, y);
}
PyObject* multiply(PyObject* x, PyObject* y) {
    return binary<MULTIPLY, false>("__mul__", "__rmul__", x, y);
}
PyObject* divide(PyObject* x, PyObject* y) {
    return binary<DIVIDE, true>("__truediv__", "__rtruediv__", x, y);
}

// Applies an op with one input, for the dtypes that all of these take. False: not applied.
bool unary(Op op, PyObject* x, PyObject** result) {
    PyObject* prim = primitive_of(op);
    if (!prim || !core.state_variable || !tensors_are_ours()) return false;
    Ref state = current_state();
    if (!state) return false;
    Ref input = operand(x, state.get());
    if (!input || !is_tensor(input.get()) || !tensor(input.get())->data) return false;
    PyArray_Descr* dtype = plain_dtype(tensor(input.get())->data);
    if (!dtype || !is_number(dtype->type_num)) return false;
    PyObject* inputs[] = {input.get()};
    *result = apply(prim, inputs, 1, nullptr, state.get());
    return true;
}

PyObject* negative(PyObject* x) {
    PyObject* result;
    if (unary(NEGATIVE, x, &result)) return result;
    if (!unsuitable_values()) return nullptr;
    return by_python("__neg__", x, nullptr);
}

PyObject* power(PyObject* x, PyObject* y, PyObject* modulus) {
    if (modulus != Py_None) Py_RETURN_NOTIMPLEMENTED;
    if (!PyObject_TypeCheck(x, operators_type)) return by_python("__rpow__", y, x);
    PyObject* result;
    if (PyLong_CheckExact(y) && PyLong_AsLong(y) == 2 && unary(SQUARE, x, &result)) return result;
    if (!unsuitable_values()) return nullptr;
    return by_python("__pow__", x, y);
}

PyType_Slot slots[] = {{Py_nb_add, reinterpret_cast<void*>(add)},
                       {Py_nb_subtract, reinterpret_cast<void*>(subtract)},
                       {Py_nb_multiply, reinterpret_cast<void*>(multiply)},
                       {Py_nb_true_divide, reinterpret_cast<void*>(divide)},
                       {Py_nb_negative, reinterpret_cast<void*>(negative)},
                       {Py_nb_power, reinterpret_cast<void*>(power)},
                       {0, nullptr}};
PyType_Spec spec = {"gradtape._native.Operators", sizeof(PyObject), 0,
                    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};

}  // namespace

bool prepare_operators(PyObject* module) {
    PyObject* type = PyType_FromSpec(&spec);
    operators_type = reinterpret_cast<PyTypeObject*>(type);
    return type && PyModule_AddObjectRef(module, "Operators", type) == 0;
}

}  // namespace gradtape::hot
