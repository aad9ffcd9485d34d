// Elementwise ops on float32: arrays, views whose rows are runs, and whatever is spread over them.
#include <algorithm>

#include "elementwise.h"
#include "fusion/deferred.h"
#include "kernel.h"
#include "vectors.h"
#include "walk.h"

namespace gradtape {
namespace {

// About how long an element takes, in nanoseconds.
constexpr double time_of(Unary op) { return op < EXP ? ELEMENT : op < SIN ? 0.5 : 1; }
constexpr double time_of(Binary op) {
    return op == POWER ? 3 : op >= ELU ? 1.5 : 1.5 * ELEMENT;
}

// A number, for operands that are NumPy's scalars.
bool as_number(PyObject* x, float* value) {
    if (!PyArray_IsScalar(x, Float)) return false;
    *value = PyArrayScalar_VAL(x, Float);
    return true;
}
const float* floats(const char* p) { return reinterpret_cast<const float*>(p); }

template <Unary op>
PyObject* unary(PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    if (count != 1 || names) return nullptr;
    auto loop = vectors().unary[op];
    float number;
    if (as_number(arguments[0], &number)) {
        loop(&number, &number, 1);
        return new_scalar(number);
    }
    Spread operands[1];
    Walk<1> walk;
    if (!operands[0].read(arguments[0], NPY_FLOAT32) || operands[0].rank == 0 ||
        !walk.plan(operands))
        return nullptr;
    PyObject* made = new_array(walk.rank, walk.shape, NPY_FLOAT32);
    if (!made) return nullptr;
    float* result = data(made);
    walk.run(operands, time_of(op), [=, &walk](int64_t place, char** at, int64_t n) {
        if (walk.is_run[0]) {
            loop(result + place, floats(at[0]), n);
        } else {
            loop(result + place, floats(at[0]), 1);
            std::fill_n(result + place + 1, n - 1, result[place]);
        }
    });
    return made;
}

PyObject* of_two(Binary op, PyObject* x, PyObject* y) {
    const Vectors& v = vectors();
    float number, other;
    if (as_number(x, &number) && as_number(y, &other)) {
        v.binary[op](&number, &number, &other, 1);
        return new_scalar(number);
    }
    Spread operands[2];
    Walk<2> walk;
    if (!operands[0].read(x, NPY_FLOAT32) || !operands[1].read(y, NPY_FLOAT32) ||
        !walk.plan(operands) || walk.rank == 0)
        return nullptr;
    PyObject* made = new_array(walk.rank, walk.shape, NPY_FLOAT32);
    if (!made) return nullptr;
    float* result = data(made);
    walk.run(operands, time_of(op), [=, &v, &walk](int64_t place, char** at, int64_t n) {
        const float *left = floats(at[0]), *right = floats(at[1]);
        float* out = result + place;
        if (walk.is_run[0] && walk.is_run[1]) {
            v.binary[op](out, left, right, n);
        } else if (walk.is_run[0]) {
            v.with_right[op](out, left, *right, n);
        } else if (walk.is_run[1]) {
            v.with_left[op](out, *left, right, n);
        } else {
            v.binary[op](out, left, right, 1);
            std::fill_n(out + 1, n - 1, *out);
        }
    });
    return made;
}
template <Binary op>
PyObject* binary(PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    return count == 2 && !names ? of_two(op, arguments[0], arguments[1]) : nullptr;
}

// An op whose second operand is a parameter: a Python number.
template <Binary op>
PyObject* with_parameter(PyObject* const* arguments, Py_ssize_t count, PyObject* names,
                         const char* name) {
    PyObject* parameter = keyword(arguments, count, names, name);
    if (count != 1 || !parameter || !(PyFloat_Check(parameter) || PyLong_Check(parameter)))
        return nullptr;
    double value = PyFloat_AsDouble(parameter);
    if (PyErr_Occurred()) return nullptr;
    PyObject* number = new_scalar(static_cast<float>(value));
    if (!number) return nullptr;
    PyObject* made = of_two(op, arguments[0], number);
    Py_DECREF(number);
    return made;
}
PyObject* elu(PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    return with_parameter<ELU>(arguments, count, names, "alpha");
}
PyObject* power_by(PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    PyObject* exponent = keyword(arguments, count, names, "exponent");
    if (count != 1 || !exponent) return nullptr;
    double value = PyFloat_AsDouble(exponent);
    if (PyErr_Occurred()) return nullptr;
    if (value == 2) return unary<SQUARE>(arguments, 1, nullptr);
    if (value == -1) return unary<RECIPROCAL>(arguments, 1, nullptr);
    if (value == 0.5) return unary<SQRT>(arguments, 1, nullptr);
    if (value == -0.5) return unary<RSQRT>(arguments, 1, nullptr);
    if (value == 3) return unary<CUBE>(arguments, 1, nullptr);
    return with_parameter<POWER>(arguments, count, names, "exponent");
}

// --- results and operands of other dtypes --------------------------------------------------------

// y op x, written with x first.
constexpr Comparison TURNED[] = {EQUAL, NOT_EQUAL, GREATER, GREATER_EQUAL, LESS, LESS_EQUAL};

template <Comparison op>
PyObject* compare(PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    const Vectors& v = vectors();
    Spread operands[2];
    Walk<2> walk;
    if (count != 2 || names || !operands[0].read(arguments[0], NPY_FLOAT32) ||
        !operands[1].read(arguments[1], NPY_FLOAT32) || !walk.plan(operands) || walk.rank == 0)
        return nullptr;
    PyObject* made = new_array(walk.rank, walk.shape, NPY_BOOL);
    if (!made) return nullptr;
    bool* result = data<bool>(made);
    walk.run(operands, ELEMENT, [=, &v, &walk](int64_t place, char** at, int64_t n) {
        const float *left = floats(at[0]), *right = floats(at[1]);
        bool* out = result + place;
        if (walk.is_run[0] && walk.is_run[1]) {
            v.compare[op](out, left, right, n);
        } else if (walk.is_run[0]) {
            v.compare_right[op](out, left, *right, n);
        } else if (walk.is_run[1]) {
            v.compare_right[TURNED[op]](out, right, *left, n);
        } else {
            v.compare[op](out, left, right, 1);
            std::fill_n(out + 1, n - 1, *out);
        }
    });
    return made;
}

PyObject* select(PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    const Vectors& v = vectors();
    Spread operands[3];
    Walk<3> walk;
    if (count != 3 || names || !operands[0].read(arguments[0], NPY_BOOL) ||
        !operands[1].read(arguments[1], NPY_FLOAT32) ||
        !operands[2].read(arguments[2], NPY_FLOAT32) || !walk.plan(operands) || walk.rank == 0)
        return nullptr;
    PyObject* made = new_array(walk.rank, walk.shape, NPY_FLOAT32);
    if (!made) return nullptr;
    float* result = data(made);
    walk.run(operands, 2 * ELEMENT, [=, &v, &walk](int64_t place, char** at, int64_t n) {
        const bool* condition = reinterpret_cast<const bool*>(at[0]);
        float* out = result + place;
        if (walk.is_run[0]) {
            v.select[!walk.is_run[1]][!walk.is_run[2]](out, condition, floats(at[1]), floats(at[2]),
                                                       n);
        } else {  // one condition for the whole row
            int chosen = *condition ? 1 : 2;
            const float* from = floats(at[chosen]);
            if (walk.is_run[chosen]) std::copy_n(from, n, out);
            else std::fill_n(out, n, *from);
        }
    });
    return made;
}

struct Types {
    int from, to;
};
constexpr Types TYPES[] = {{NPY_BOOL, NPY_FLOAT32},    {NPY_UINT8, NPY_FLOAT32},
                           {NPY_INT32, NPY_FLOAT32},   {NPY_INT64, NPY_FLOAT32},
                           {NPY_FLOAT64, NPY_FLOAT32}, {NPY_FLOAT32, NPY_FLOAT64}};

PyObject* cast(PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    PyObject *x = arguments[0], *dtype = keyword(arguments, count, names, "dtype");
    if (count != 1 || !dtype || !PyArray_DescrCheck(dtype) || !PyArray_CheckExact(x) ||
        PyArray_NDIM(array(x)) == 0)
        return nullptr;
    int to = reinterpret_cast<PyArray_Descr*>(dtype)->type_num;
    for (int i = 0; i < CONVERSION_COUNT; i++) {
        if (TYPES[i].to != to || !is_plain(x, TYPES[i].from)) continue;
        PyObject* made = new_array_like(array(x), to);
        if (!made) return nullptr;
        char *result = data<char>(made), *from = data<char>(x);
        int64_t item = PyArray_ITEMSIZE(array(x)), made_item = PyArray_ITEMSIZE(array(made));
        in_parts(size(x), 2 * ELEMENT, GRAIN, [=](int64_t begin, int64_t end) {
            vectors().convert[i](result + begin * made_item, from + begin * item, end - begin);
        });
        return made;
    }
    return nullptr;
}

}  // namespace

PyObject* pairwise(Binary op, PyObject* x, PyObject* y) {
    PyObject* operands[] = {x, y};
    PyObject* made = defer({true, static_cast<uint8_t>(op)}, operands, 2);
    if (made || PyErr_Occurred() || is_deferred(x) || is_deferred(y)) return made;
    return of_two(op, x, y);
}

const Entry ELEMENTWISE[] = {
    {"negative", unary<NEGATIVE>},
    {"abs", unary<ABS>},
    {"sign", unary<SIGN>},
    {"square", unary<SQUARE>},
    {"sqrt", unary<SQRT>},
    {"rsqrt", unary<RSQRT>},
    {"reciprocal", unary<RECIPROCAL>},
    {"relu", unary<RELU>},
    {"exp", unary<EXP>},
    {"expm1", unary<EXPM1>},
    {"log", unary<LOG>},
    {"log1p", unary<LOG1P>},
    {"sin", unary<SIN>},
    {"cos", unary<COS>},
    {"tan", unary<TAN>},
    {"tanh", unary<TANH>},
    {"sigmoid", unary<SIGMOID>},
    {"softplus", unary<SOFTPLUS>},
    {"erf", unary<ERF>},
    {"erfc", unary<ERFC>},
    {"elu", elu},
    {"gelu", unary<GELU>},
    {"gelu_tanh", unary<GELU_TANH>},
    {"gelu_grad", binary<GELU_GRAD>},
    {"gelu_tanh_grad", binary<GELU_TANH_GRAD>},
    {"add", binary<ADD>},
    {"subtract", binary<SUBTRACT>},
    {"multiply", binary<MULTIPLY>},
    {"divide", binary<DIVIDE>},
    {"multiply_no_nan", binary<MULTIPLY_NO_NAN>},
    {"divide_no_nan", binary<DIVIDE_NO_NAN>},
    {"maximum", binary<MAXIMUM>},
    {"minimum", binary<MINIMUM>},
    {"power", binary<POWER>},
    {"power_by", power_by},
    {"relu_grad", binary<RELU_GRAD>},
    {"equal", compare<EQUAL>},
    {"not_equal", compare<NOT_EQUAL>},
    {"less", compare<LESS>},
    {"less_equal", compare<LESS_EQUAL>},
    {"greater", compare<GREATER>},
    {"greater_equal", compare<GREATER_EQUAL>},
    {"select", select},
    {"cast", cast},
    {nullptr, nullptr}};

}  // namespace gradtape
