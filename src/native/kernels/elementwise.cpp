// Elementwise ops, most of them on float32: arrays, views whose rows are runs, and whatever is
// spread over them. Other dtypes: half_elementwise.cpp, small_arrays.cpp.
#include "kernels/elementwise.h"

#include <algorithm>
#include <iterator>

#include "fusion/deferred.h"
#include "kernels/kernel.h"
#include "kernels/walk.h"
#include "simd/vectors.h"

namespace gradtape {
namespace {

// A number, for operands that are NumPy's scalars.
bool as_number(PyObject* x, float* value) {
    if (!PyArray_IsScalar(x, Float)) return false;
    *value = PyArrayScalar_VAL(x, Float);
    return true;
}
const float* floats(const char* p) { return reinterpret_cast<const float*>(p); }

// Sines and cosines of many float64 numbers: few others take as long in NumPy, one by one. (As many
// as no flat program has: those would give other last digits.)
constexpr int64_t MANY = (1 << 15) + 1;

PyObject* of_doubles(Op op, PyObject* x) {
    auto loop = op == SIN ? vectors().sines : op == COS ? vectors().cosines : nullptr;
    if (!loop || !is_plain(x, NPY_FLOAT64)) return nullptr;
    PyObject* made = new_array_like(array(x), NPY_FLOAT64);
    if (!made) return nullptr;
    double *result = data<double>(made), *from = data<double>(x);
    in_parts(size(x), 2 * COST[op], GRAIN,
             [=](int64_t begin, int64_t end) { loop(result + begin, from + begin, end - begin); });
    return made;
}

PyObject* of_one(Op op, PyObject* x) {
    auto loop = vectors().unary[op];
    float number;
    if (as_number(x, &number)) {
        loop(&number, &number, 1);
        return new_scalar(number);
    }
    Spread operands[1];
    BroadcastLoop<1> walk;
    if (is_array(x, NPY_FLOAT64) && size(x) >= MANY) return of_doubles(op, x);
    if (!operands[0].read(x, NPY_FLOAT32))
        return half_type_of(x) ? of_halves(op, x) : of_small(op, x);
    if (operands[0].rank == 0 || !walk.plan(operands)) return nullptr;
    PyObject* made = new_array(walk.rank, walk.shape, NPY_FLOAT32);
    if (!made) return nullptr;
    float* result = data(made);
    walk.run(operands, time_of(op), [=, &walk](int64_t begin, char** at, int64_t n) {
        if (walk.is_run[0]) {
            loop(result + begin, floats(at[0]), n);
        } else {
            loop(result + begin, floats(at[0]), 1);
            std::fill_n(result + begin + 1, n - 1, result[begin]);
        }
    });
    return made;
}
template <Op op>
PyObject* unary(PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    return count == 1 && !names ? of_one(op, arguments[0]) : nullptr;
}

PyObject* of_two(Op op, PyObject* x, PyObject* y) {
    const Vectors& v = vectors();
    float number, other;
    if (as_number(x, &number) && as_number(y, &other)) {
        v.binary[op](&number, &number, &other, 1);
        return new_scalar(number);
    }
    Spread operands[2];
    BroadcastLoop<2> walk;
    if (!operands[0].read(x, NPY_FLOAT32))
        return half_type_of(x) ? of_halves(op, x, y) : of_small(op, x, y);
    if (!operands[1].read(y, NPY_FLOAT32) || !walk.plan(operands) || walk.rank == 0) return nullptr;
    PyObject* made = new_array(walk.rank, walk.shape, NPY_FLOAT32);
    if (!made) return nullptr;
    float* result = data(made);
    walk.run(operands, time_of(op), [=, &v, &walk](int64_t begin, char** at, int64_t n) {
        const float *left = floats(at[0]), *right = floats(at[1]);
        float* out = result + begin;
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
template <Op op>
PyObject* binary(PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    return count == 2 && !names ? of_two(op, arguments[0], arguments[1]) : nullptr;
}

// An op whose second operand is a parameter: a Python number.
PyObject* with_parameter(Op op, const char* name, PyObject* const* arguments, Py_ssize_t count,
                         PyObject* names) {
    PyObject* parameter = keyword(arguments, count, names, name);
    if (count != 1 || !parameter || !(PyFloat_Check(parameter) || PyLong_Check(parameter)))
        return nullptr;
    double value = PyFloat_AsDouble(parameter);
    if (PyErr_Occurred()) return nullptr;
    if (op == POWER && special_power(value) != NO_OP)
        return of_one(special_power(value), arguments[0]);
    PyObject* number = new_scalar(static_cast<float>(value));
    if (!number) return nullptr;
    PyObject* made = of_two(op, arguments[0], number);
    Py_DECREF(number);
    return made;
}

// --- results and operands of other dtypes --------------------------------------------------------

template <Comparison op>
PyObject* compare(PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    const Vectors& v = vectors();
    Spread operands[2];
    BroadcastLoop<2> walk;
    if (count != 2 || names) return nullptr;
    if (!operands[0].read(arguments[0], NPY_FLOAT32))
        return half_type_of(arguments[0]) ? compare_halves(op, arguments[0], arguments[1])
                                          : compare_small(op, arguments[0], arguments[1]);
    if (!operands[1].read(arguments[1], NPY_FLOAT32) || !walk.plan(operands) || walk.rank == 0)
        return nullptr;
    PyObject* made = new_array(walk.rank, walk.shape, NPY_BOOL);
    if (!made) return nullptr;
    bool* result = data<bool>(made);
    walk.run(operands, ELEMENT, [=, &v, &walk](int64_t begin, char** at, int64_t n) {
        const float *left = floats(at[0]), *right = floats(at[1]);
        bool* out = result + begin;
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
    BroadcastLoop<3> walk;
    if (count != 3 || names) return nullptr;
    if (!operands[1].read(arguments[1], NPY_FLOAT32))
        return select_small(arguments[0], arguments[1], arguments[2]);
    if (!operands[0].read(arguments[0], NPY_BOOL) || !operands[2].read(arguments[2], NPY_FLOAT32) ||
        !walk.plan(operands) || walk.rank == 0)
        return nullptr;
    PyObject* made = new_array(walk.rank, walk.shape, NPY_FLOAT32);
    if (!made) return nullptr;
    float* result = data(made);
    walk.run(operands, 2 * ELEMENT, [=, &v, &walk](int64_t begin, char** at, int64_t n) {
        const bool* condition = reinterpret_cast<const bool*>(at[0]);
        float* out = result + begin;
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
static_assert(std::size(TYPES) == FLOAT_OF_HALF);  // halves come after these

PyObject* cast(PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    PyObject *x = arguments[0], *dtype = keyword(arguments, count, names, "dtype");
    if (count != 1 || !dtype || !PyArray_DescrCheck(dtype) || !PyArray_CheckExact(x) ||
        PyArray_NDIM(array(x)) == 0)
        return nullptr;
    int to = reinterpret_cast<PyArray_Descr*>(dtype)->type_num;
    if (const HalfType* half = half_type_of(x); half && to == NPY_FLOAT32) return widened(x, *half);
    if (const HalfType* half = half_type(to); half && is_array(x, NPY_FLOAT32))
        return narrowed(x, *half);
    for (size_t i = 0; i < std::size(TYPES); i++) {
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

double time_of(Op op) { return std::max(COST[op], IS_BINARY[op] ? 1.5 * ELEMENT : ELEMENT); }

PyObject* pairwise(Op op, PyObject* x, PyObject* y) {
    PyObject* operands[] = {x, y};
    PyObject* made = defer(on_elements(op), operands, 2);
    if (made || PyErr_Occurred() || is_deferred(x) || is_deferred(y)) return made;
    return of_two(op, x, y);
}

const KernelEntry ELEMENTWISE[] = {
#define UNARY(NAME, name, ...) {#name, unary<NAME>},
#define BINARY(NAME, name, ...) {#name, binary<NAME>},
#define PARAMETER(NAME, name, parameter)                                        \
    {#name, [](PyObject* const* arguments, Py_ssize_t count, PyObject* names) { \
        return with_parameter(NAME, #parameter, arguments, count, names);       \
    }},
#define COMPARISON(NAME, name, ...) {#name, compare<NAME>},
#include "ops.def"
    {"select", select}, {"cast", cast}, {nullptr, nullptr}};

}  // namespace gradtape
