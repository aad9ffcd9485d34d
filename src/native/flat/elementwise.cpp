// How elementwise ops become steps: float32 by our vectors, other dtypes by NumPy's loops, single
// numbers by the core. The same functions compute them in the kernels, so that the bits are the
// same.
#include <cstring>
#include <functional>

#include "flat/builder.h"

namespace gradtape::flat {
namespace {

Op op_of(const std::string& name) {
    for (int op = 0; op < OPS; op++)
        if (OP_NAMES[op] && name == OP_NAMES[op]) return static_cast<Op>(op);
    return NO_OP;
}

// Reads a parameter that is a Python number.
bool read_number(PyObject* given, double* value) {
    if (!given || !(PyFloat_Check(given) || PyLong_Check(given))) return false;
    *value = PyFloat_AsDouble(given);
    return !PyErr_Occurred();
}

// --- single numbers ------------------------------------------------------------------------------

template <class Number, class Compute>
bool pair(Builder& b, const std::vector<int>& x, int result) {
    auto step = std::make_unique<PairStep<Number, Compute>>();
    step->x = address_of(b[x.front()]);
    step->y = address_of(b[x.back()]);
    step->result = address_of(b[result]);
    b.emit(step, {step->x, step->y, step->result}, 5);
    return true;
}

template <class Number>
bool on_numbers(Builder& b, Op op, double exponent, const std::vector<int>& x, int result) {
    if (op == NO_OP || (op != POWER_BY && static_cast<int>(x.size()) != arity_of(op))) return false;
    switch (op) {
        case ADD: return pair<Number, std::plus<Number>>(b, x, result);
        case SUBTRACT: return pair<Number, std::minus<Number>>(b, x, result);
        case MULTIPLY: return pair<Number, std::multiplies<Number>>(b, x, result);
        case DIVIDE: return pair<Number, std::divides<Number>>(b, x, result);
        default: break;
    }
    Number result_of_ones;
    bool computes = op == POWER_BY ? hot::compute_power(Number(1), exponent, &result_of_ones)
                                   : hot::compute(op, Number(1), Number(1), &result_of_ones);
    if (!computes) return false;
    auto step = std::make_unique<NumberStep<Number>>();
    step->op = op;
    step->exponent = exponent;
    step->x = address_of(b[x.front()]);
    step->y = address_of(b[x.back()]);
    step->result = address_of(b[result]);
    b.emit(step, {step->x, step->y, step->result}, 10);
    return true;
}

// --- ops of several loops ------------------------------------------------------------------------

bool square(Builder& b, int x, int y) { return b.numpy(MULTIPLY, {x, x}, y); }
bool inverse(Builder& b, int x, int y) { return b.numpy(DIVIDE, {b.number(b.type(y), 1), x}, y); }

bool sigmoid(Builder& b, int x, int y) {
    int one = b.number(b.type(y), 1);
    return b.numpy(NEGATIVE, {x}, y) && b.numpy(EXP, {y}, y) && b.numpy(ADD, {y, one}, y) &&
           b.numpy(DIVIDE, {one, y}, y);
}

bool relu_grad(Builder& b, int x, int g, int y) {
    int is_positive = b.temporary(b[x].layout, NPY_BOOL);
    int factor = b.temporary(b[x].layout, b.type(y));
    return b.numpy(GREATER, {x, b.number(b.type(x), 0)}, is_positive) &&
           b.loop(cast_loop(NPY_BOOL, b.type(y)), {is_positive}, factor) &&
           b.numpy(MULTIPLY, {g, factor}, y);
}

// NumPy's `power` by a number of Python's has special cases of its own: 0 and 1 are left to it.
bool power(Builder& b, int x, double exponent, int y) {
    int type = b.type(y);
    if (exponent == 2) return square(b, x, y);
    if (exponent == 3) return square(b, x, y) && b.numpy(MULTIPLY, {y, x}, y);
    if (exponent == 4) return square(b, x, y) && square(b, y, y);
    if (exponent == -1) return inverse(b, x, y);
    if (exponent == -2) return square(b, x, y) && inverse(b, y, y);
    if (exponent == 0 || exponent == 1 || exponent == 0.5 || exponent == -0.5) return false;
    if (b[y].layout.rank == 0) return false;  // NumPy's scalars have a `pow` of their own
    return b.numpy(POWER, {x, b.number(type, exponent)}, y);
}

bool in_float64(Builder& b, const Call& call, int y) {
    int x = call.operands[0], last = call.operands.back();
    double exponent;
    switch (op_of(call.name)) {
        case SQUARE: return square(b, x, y);
        case RECIPROCAL: return inverse(b, x, y);
        case RSQRT: return b.numpy(SQRT, {x}, y) && inverse(b, y, y);
        case SIGMOID: return sigmoid(b, x, y);
        case RELU: return b.numpy(MAXIMUM, {x, b.number(b.type(y), 0)}, y);
        case RELU_GRAD: return relu_grad(b, x, last, y);
        case DIVIDE_NO_NAN: return b.loop(divide_no_nan_loop(), {x, last}, y);
        case MULTIPLY_NO_NAN: return b.loop(multiply_no_nan_loop(), {x, last}, y);
        case POWER_BY:
            return read_number(call.parameter("exponent"), &exponent) && power(b, x, exponent, y);
        default: return false;
    }
}

// --- by dtype ------------------------------------------------------------------------------------

bool in_float32(Builder& b, const Call& call, int y) {
    const std::string& name = call.name;
    int x = call.operands[0], last = call.operands.back();
#define PARAMETER(NAME, own_name, parameter_name)                                \
    if (name == #own_name) {                                                     \
        double value;                                                            \
        if (!read_number(call.parameter(#parameter_name), &value)) return false; \
        if (Op op = (NAME) == POWER ? special_power(value) : NO_OP; op != NO_OP) \
            return b.loop(vector_loop(op), {x}, y);                              \
        return b.loop(vector_loop(NAME), {x, b.number(NPY_FLOAT32, value)}, y);  \
    }
#include "ops.def"
    Loop loop = vector_loop(op_of(name));
    if (!loop) return false;
    return call.operands.size() == 1 ? b.loop(loop, {x}, y) : b.loop(loop, {x, last}, y);
}

bool select(Builder& b, Call& call) {
    if (call.operands.size() != 3) return false;
    int condition = call.operands[0], x = call.operands[1], y = call.operands[2];
    int result = b.temporary(call.specs[0]);
    call.results = {result};
    return b.type(condition) == NPY_BOOL && b.type(x) == b.type(result) &&
           b.type(y) == b.type(result) &&
           b.loop(select_loop(b[result].item), {condition, x, y}, result);
}

bool cast(Builder& b, Call& call) {
    int x = call.operands[0], from = b.type(x), to = call.specs[0].type;
    if (from == to) {
        call.results = {x};
        return true;
    }
    int result = b.temporary(call.specs[0]);
    call.results = {result};
    if (to == NPY_BOOL) return b.numpy(NOT_EQUAL, {x, b.number(from, 0)}, result);
    return b.loop(cast_loop(from, to), {x}, result);
}

bool comparison(Builder& b, const Call& call, int y) {
    int x = call.operands[0], last = call.operands.back();
#define COMPARISON(NAME, own_name, ...) \
    if (call.name == #own_name) return b.loop(vector_comparison(NAME), {x, last}, y);
#include "ops.def"
    return false;
}

}  // namespace

bool lower_elementwise(Builder& b, Call& call) {
    if (op_of(call.name) == IDENTITY) {
        call.results = call.operands;
        return true;
    }
    if (call.name == "select") return select(b, call);
    if (call.name == "cast" || call.name == "cast_to_discrete") return cast(b, call);
    size_t count = call.operands.size();
    if (call.specs.size() != 1 || count < 1 || count > 2) return false;
    int type = b.type(call.operands[0]);
    for (int x : call.operands)
        if (b.type(x) != type) return false;
    int y = b.temporary(call.specs[0]);
    call.results = {y};
    if (b.type(y) == type && call.specs[0].layout.rank == 0) {
        Op op = op_of(call.name);
        double exponent = 0;
        if (op == POWER_BY && !read_number(call.parameter("exponent"), &exponent)) return false;
        if (type == NPY_FLOAT32 && on_numbers<float>(b, op, exponent, call.operands, y))
            return true;
        if (type == NPY_FLOAT64 && on_numbers<double>(b, op, exponent, call.operands, y))
            return true;
    }
    if (type == NPY_FLOAT32) {
        if (b.type(y) == NPY_FLOAT32 && in_float32(b, call, y)) return true;
        if (op_of(call.name) != NO_OP && vector_loop(op_of(call.name))) return false;
        if (b.type(y) == NPY_BOOL && count == 2 && comparison(b, call, y)) return true;
    } else if (type == NPY_FLOAT64 && in_float64(b, call, y)) {
        return true;
    }
    if (PyDict_GET_SIZE(call.params)) return false;
    return count == 1 ? b.numpy(call.ufunc, {call.operands[0]}, y)
                      : b.numpy(call.ufunc, {call.operands[0], call.operands[1]}, y);
}

}  // namespace gradtape::flat
