// `bind`, and how operators and rules come to it.
#pragma once

#include "core/ops.h"
#include "core/recording.h"
#include "core/tensor.h"

namespace gradtape::hot {

// The value of a tensor that holds a single number as a NumPy scalar.
struct Number {
    enum Kind { none, float32, float64 } kind = none;
    float f = 0;
    double d = 0;
};
inline Number number_in(PyObject* data) {
    Number number;
    if (Py_TYPE(data) == &PyFloatArrType_Type) {
        number.kind = Number::float32;
        number.f = PyArrayScalar_VAL(data, Float);
    } else if (Py_TYPE(data) == &PyDoubleArrType_Type) {
        number.kind = Number::float64;
        number.d = PyArrayScalar_VAL(data, Double);
    }
    return number;
}
inline PyObject* new_number(const Number& number) {
    return number.kind == Number::float32 ? new_number(number.f) : new_number(number.d);
}
// Returns x op y; nothing (Number::none) where that is not computed here. Unary ops ignore y.
inline Number compute(Op op, const Number& x, const Number& y) {
    Number result;
    if (x.kind == y.kind && op != POWER_BY) {
        if (x.kind == Number::float32 && compute(op, x.f, y.f, &result.f)) result.kind = x.kind;
        if (x.kind == Number::float64 && compute(op, x.d, y.d, &result.d)) result.kind = x.kind;
    }
    return result;
}
inline Number compute_power(const Number& x, double exponent) {
    Number result;
    bool done = x.kind == Number::float32 ? compute_power(x.f, exponent, &result.f)
                                          : compute_power(x.d, exponent, &result.d);
    if (done) result.kind = x.kind;
    return result;
}

// Applies a primitive to tensors of any class (with data), as `bind` does; those of an interpreter
// are handed to it, which asks for the state of the context: it must be this one then.
PyObject* apply(PyObject* prim, PyObject* const* inputs, Py_ssize_t count, PyObject* params,
                PyObject* state);
// Returns the value of a variable now, as `Variable.__tf_tensor__` gives it; a new reference.
PyObject* read_variable(PyObject* variable, PyObject* state);

bool prepare_bind(PyObject* module);
bool prepare_operators(PyObject* module);

}  // namespace gradtape::hot
