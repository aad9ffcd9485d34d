#include "core/rules.h"

#include <utility>

#include "elementwise.h"

namespace gradtape::hot {

PyObject* Cotangent::tensor() {
    if (is_number()) {
        object_ = Ref(new_tensor(new_number(number_)));
        if (object_) number_.kind = Number::none;
    }
    return object_.get();
}

namespace {

// A number or an array in a rule. Once a step fails, all that follow do: Python's rule then runs
// instead, and meets the same difficulty.
class Value {
  public:
    Value() = default;
    explicit Value(const Number& number) : number_(number), ok_(number.kind != Number::none) {}
    explicit Value(Ref array) : array_(std::move(array)), ok_(static_cast<bool>(array_)) {}

    bool ok() const { return ok_; }
    const Number& number() const { return number_; }
    bool is_number() const { return ok_ && !array_; }
    // float32 or float64; else no rule here applies.
    int type() const {
        if (!ok_) return -1;
        if (!array_) return number_.kind == Number::single ? NPY_FLOAT32 : NPY_FLOAT64;
        if (is_deferred(array_.get())) return NPY_FLOAT32;
        return PyArray_DESCR(array(array_.get()))->type_num;
    }
    Ref data() const { return array_ ? Ref::to(array_.get()) : Ref(new_number(number_)); }
    Cotangent cotangent() const {
        return array_ ? Cotangent(Ref(new_tensor(Py_NewRef(array_.get())))) : Cotangent(number_);
    }

  private:
    Number number_;
    Ref array_;
    bool ok_ = false;
};

Value value_of_data(PyObject* data) {
    Number number = number_in(data);
    if (number.kind != Number::none) return Value(number);
    if (is_array(data, NPY_FLOAT32) || is_array(data, NPY_FLOAT64) || is_deferred(data))
        return Value(Ref::to(data));
    return Value();
}

Value value_of(PyObject* x) {
    if (!x || !is_exactly_tensor(x) || !tensor(x)->data) return Value();
    return value_of_data(tensor(x)->data);
}

Value value_of(const Cotangent& g) {
    return g.is_number() ? Value(g.number()) : value_of(g.object());
}

Value step(Op op, const Value& x, const Value& y, PyObject* params = nullptr) {
    if (!x.ok() || !y.ok() || x.type() != y.type()) return Value();
    PyObject* prim = primitive_of(op);
    if (!prim) return Value();
    if (x.is_number() && y.is_number() && !params) {
        Number result = compute(known_op(prim, notes_of(prim)), x.number(), y.number());
        if (result.kind != Number::none) return Value(result);
    }
    Ref a = x.data(), b = op < FIRST_UNARY ? y.data() : Ref();
    PyObject* arguments[] = {a.get(), b.get()};
    if (!a || (op < FIRST_UNARY && !b)) return Value();
    Ref made(call_kernel(core.kernel.of(prim), arguments, op < FIRST_UNARY ? 2 : 1, params));
    return made ? value_of_data(made.get()) : Value();
}
Value step(Op op, const Value& x) { return step(op, x, x); }

Value like(const Value& x, double number) {
    Number constant;
    if (!x.ok()) return Value();
    constant.kind = x.type() == NPY_FLOAT32 ? Number::single : Number::twice;
    constant.f = static_cast<float>(number);
    constant.d = number;
    return Value(constant);
}

// g times the slope of a function, in one pass where both are arrays of float32.
Value through(Binary op, const Value& ans, const Value& g) {
    if (!ans.ok() || !g.ok() || ans.is_number() || g.is_number()) return Value();
    Ref x = ans.data(), y = g.data();
    return Value(Ref(pairwise(op, x.get(), y.get())));
}

Value operator+(const Value& x, const Value& y) { return step(ADD, x, y); }
Value operator-(const Value& x, const Value& y) { return step(SUBTRACT, x, y); }
Value operator*(const Value& x, const Value& y) { return step(MULTIPLY, x, y); }
Value operator/(const Value& x, const Value& y) { return step(DIVIDE, x, y); }
Value operator-(const Value& x) { return step(NEGATIVE, x); }

// x to a power that is a Python number, as `ops.pow`.
Value raised(const Value& x, PyObject* exponent) {
    double number = PyFloat_AsDouble(exponent);
    if (PyErr_Occurred() || !(number >= -100 && number <= 100)) return Value();
    if (number == 2) return step(SQUARE, x);
    PyObject* prim = primitive_of(POWER_BY);
    if (x.is_number() && known_op(prim, notes_of(prim)) == POWER_BY) {
        Number result;
        result.kind = x.number().kind;
        bool done = result.kind == Number::single
                        ? compute_power(x.number().f, number, &result.f)
                        : compute_power(x.number().d, number, &result.d);
        if (done) return Value(result);
    }
    Ref params(PyDict_New());
    if (!params || PyDict_SetItem(params.get(), names.exponent, exponent) < 0) return Value();
    return step(POWER_BY, x, x, params.get());
}

Value power_rule(const Value& g, const Value& x, const Entry& entry) {
    PyObject* exponent = entry.params && PyDict_Check(entry.params)
                             ? PyDict_GetItemWithError(entry.params, names.exponent)
                             : nullptr;
    if (!exponent || !(PyFloat_CheckExact(exponent) || PyLong_CheckExact(exponent))) return Value();
    Ref one(PyLong_FromLong(1)), less(one ? PyNumber_Subtract(exponent, one.get()) : nullptr);
    double number = PyFloat_AsDouble(exponent);
    if (!less || PyErr_Occurred()) return Value();
    return g * (like(x, number) * raised(x, less.get()));
}

Value rule(Op op, int place, const Value& g, const Entry& entry) {
    auto x = [&] { return value_of(entry.input(0)); };
    auto y = [&] { return value_of(entry.input(1)); };
    Value ans = value_of(entry.result);
    switch (op) {
        case SUBTRACT: return -g;  // of y
        case MULTIPLY: return g * (place == 0 ? y() : x());
        case DIVIDE: return place == 0 ? g / y() : -g * (ans / y());
        case NEGATIVE: return -g;
        case SQUARE: {
            Value own = x();
            return g * (own + own);
        }
        case RECIPROCAL: return step(MULTIPLY_NO_NAN, -(ans * ans), g);
        case SQRT: return step(MULTIPLY_NO_NAN, like(ans, 0.5) / ans, g);
        case RSQRT: return step(MULTIPLY_NO_NAN, like(ans, -0.5) * (ans * ans * ans), g);
        case RELU: return step(RELU_GRAD, ans, g);
        case SIGMOID: {
            Value found = through(SIGMOID_GRAD, ans, g);
            return found.ok() ? std::move(found) : g * (ans * (like(ans, 1) - ans));
        }
        case POWER_BY: return power_rule(g, x(), entry);
        case EXP: return g * ans;
        case EXPM1: return g * (ans + like(ans, 1));
        case LOG: return g * step(RECIPROCAL, x());
        case LOG1P: {
            Value own = x();
            return g * step(RECIPROCAL, like(own, 1) + own);
        }
        case SIN: return g * step(COS, x());
        case COS: return g * -step(SIN, x());
        case TAN: return g * (like(ans, 1) + ans * ans);
        case ATAN: {
            Value own = x();
            return g * step(RECIPROCAL, like(own, 1) + own * own);
        }
        case SINH: return g * step(COSH, x());
        case COSH: return g * step(SINH, x());
        case TANH: {
            Value found = through(TANH_GRAD, ans, g);
            return found.ok() ? std::move(found) : g * (like(ans, 1) - ans * ans);
        }
        default: return Value();
    }
}

}  // namespace

bool native_rule(Op op, int place, const Cotangent& g, const Entry& entry, Cotangent* result) {
    if (op == ADD || op == IDENTITY || (op == SUBTRACT && place == 0)) {
        *result = g.share();
        return true;
    }
    Value found = rule(op, place, value_of(g), entry);
    if (!found.ok()) {
        PyErr_Clear();
        return false;
    }
    *result = found.cotangent();
    return !result->empty();
}

bool native_sum(const Cotangent& x, const Cotangent& y, Cotangent* result) {
    Value sum = value_of(x) + value_of(y);
    if (!sum.ok()) {
        PyErr_Clear();
        return false;
    }
    *result = sum.cotangent();
    return !result->empty();
}

}  // namespace gradtape::hot
