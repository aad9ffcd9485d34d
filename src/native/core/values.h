// Values in a rule: single numbers without an object, and whatever else kernels take.
#pragma once

#include <new>
#include <utility>

#include "core/bind.h"
#include "fusion/deferred.h"

namespace gradtape::hot {

constexpr int MAX_VALUES = 40;  // operands, constants and results of a rule

// A number, or an array (perhaps a deferred one) or NumPy scalar; or nothing, if a step failed:
// then Python's rule runs instead, and meets the same difficulty.
class Value {
  public:
    Value() = default;
    explicit Value(const Number& number) : number_(number) {}
    explicit Value(Ref data) : data_(std::move(data)) {}

    bool ok() const { return is_number() || data_; }
    bool is_number() const { return number_.kind != Number::none; }
    const Number& number() const { return number_; }
    PyObject* object() const { return data_.get(); }  // borrowed; null for a number
    // Returns the data for a kernel: a new reference, null with an error set.
    Ref data() const { return data_ ? Ref::to(data_.get()) : Ref(new_number(number_)); }
    Value share() const { return data_ ? Value(Ref::to(data_.get())) : Value(number_); }
    PyArray_Descr* dtype() const;  // borrowed

  private:
    Number number_;
    Ref data_;
};

// Returns NumPy's own dtype of this number; borrowed, it lives as long as the process.
inline PyArray_Descr* own_dtype(int type) {
    PyArray_Descr* dtype = PyArray_DescrFromType(type);
    Py_DECREF(dtype);
    return dtype;
}

// Returns the dtype of a tensor's data, borrowed; null if that is not known here.
inline PyArray_Descr* dtype_of(PyObject* data) {
    static PyArray_Descr* const boolean = own_dtype(NPY_BOOL);
    static PyArray_Descr* const float32 = own_dtype(NPY_FLOAT);
    static PyArray_Descr* const float64 = own_dtype(NPY_DOUBLE);
    if (PyArray_CheckExact(data)) return PyArray_DESCR(array(data));
    if (Py_TYPE(data) == &PyDoubleArrType_Type) return float64;
    if (Py_TYPE(data) == &PyFloatArrType_Type) return float32;
    if (is_deferred(data)) return deferred(data)->dtype() == NPY_BOOL ? boolean : float32;
    if (Py_TYPE(data) == core.Spec) {  // of a value that an interpreter holds
        PyObject* dtype = core.spec_dtype.of(data);
        return dtype && PyArray_DescrCheck(dtype) ? reinterpret_cast<PyArray_Descr*>(dtype)
                                                  : nullptr;
    }
    if (!PyArray_IsScalar(data, Number) && !PyArray_IsScalar(data, Bool)) return nullptr;
    PyArray_Descr* dtype = PyArray_DescrFromScalar(data);  // one of NumPy's own
    Py_DECREF(dtype);
    return dtype;
}

inline PyArray_Descr* Value::dtype() const {
    static PyArray_Descr* const float32 = own_dtype(NPY_FLOAT);
    static PyArray_Descr* const float64 = own_dtype(NPY_DOUBLE);
    if (!data_) return number_.kind == Number::float32 ? float32 : float64;
    return dtype_of(data_.get());
}

inline Value value_of_data(PyObject* data) {
    Number number = number_in(data);
    if (number.kind != Number::none) return Value(number);
    if (PyArray_CheckExact(data) || is_deferred(data) || PyArray_IsScalar(data, Number) ||
        PyArray_IsScalar(data, Bool))
        return Value(Ref::to(data));
    return Value();
}
inline Value value_of_tensor(PyObject* x) {
    if (!x || !is_exactly_tensor(x) || !tensor(x)->data) return Value();
    return value_of_data(tensor(x)->data);
}

// The values of a rule while it runs, by their numbers.
class Values {
  public:
    Values() = default;
    Values(const Values&) = delete;
    Values& operator=(const Values&) = delete;
    ~Values() {
        while (count_) (*this)[--count_].~Value();
    }
    void push(Value value) { new (memory_ + sizeof(Value) * count_++) Value(std::move(value)); }
    Value& operator[](int i) { return reinterpret_cast<Value*>(memory_)[i]; }
    const Value& operator[](int i) const { return reinterpret_cast<const Value*>(memory_)[i]; }

  private:
    alignas(Value) unsigned char memory_[sizeof(Value) * MAX_VALUES];  // made as they come
    int count_ = 0;
};

}  // namespace gradtape::hot
