// Elementwise ops on small arrays of float64 and of integers: by the loops of NumPy's ufuncs, or by
// loops that round the same. What a ufunc does before its loop takes longer than the loop.
#include "flat/layout.h"
#include "flat/loops.h"
#include "flat/steps.h"
#include "kernels/elementwise.h"
#include "kernels/reduce.h"
#include "runtime/ref.h"

namespace gradtape {
namespace {

using flat::Layout;
using flat::Loop;
using flat::MAX_RANK;
using flat::MAX_WALKED;
using flat::Walk;

// Larger ones are left to NumPy.
constexpr int64_t MAX_NUMBERS = 1 << 15;

// By op, whether its kernel is the ufunc of the same name: the last column of ops.def.
constexpr bool IS_UFUNC[OPS] = {
#define IS(expression) false
#define LOOP true
#define LOOP_OF(OTHER, argument, expression) false
#define SPECIAL_POWERS false
#define KERNEL false
#define UNARY(NAME, name, cost, vector, scalar) scalar,
#define BINARY(NAME, name, cost, vector, scalar) scalar,
#define UNARY_PART(NAME, cost, vector, scalar) scalar,
#define BINARY_PART(NAME, cost, vector, scalar) scalar,
#define SCALAR(NAME, name, scalar) false,
#include "ops.def"
#undef IS
#undef LOOP
#undef LOOP_OF
#undef SPECIAL_POWERS
#undef KERNEL
};

// An array, or a NumPy scalar.
struct Operand {
    Layout layout;
    char* data = nullptr;

    // False where x is not of this type, or NumPy would not lay out the result in C order.
    bool read(PyObject* x, int type) {
        if (PyArray_CheckExact(x)) {
            PyArrayObject* from = array(x);
            layout.rank = PyArray_NDIM(from);
            if (PyArray_DESCR(from)->type_num != type || layout.rank == 0 ||
                layout.rank > MAX_RANK || !PyArray_ISALIGNED(from) || !PyArray_ISNOTSWAPPED(from))
                return false;
            std::copy_n(PyArray_DIMS(from), layout.rank, layout.shape);
            std::copy_n(PyArray_STRIDES(from), layout.rank, layout.strides);
            data = static_cast<char*>(PyArray_DATA(from));
            return layout.is_in_c_order();
        }
        if (type == NPY_FLOAT64 && PyArray_IsScalar(x, Double))
            data = reinterpret_cast<char*>(&PyArrayScalar_VAL(x, Double));
        else if (type == NPY_INT64 && PyArray_IsScalar(x, Int64))
            data = reinterpret_cast<char*>(&PyArrayScalar_VAL(x, Int64));
        else if (type == NPY_INT32 && PyArray_IsScalar(x, Int32))
            data = reinterpret_cast<char*>(&PyArrayScalar_VAL(x, Int32));
        else if (type == NPY_BOOL && PyArray_IsScalar(x, Bool))
            data = reinterpret_cast<char*>(&PyArrayScalar_VAL(x, Bool));
        return data != nullptr;
    }
    static Operand number(double* value) {
        Operand made;
        made.data = reinterpret_cast<char*>(value);
        return made;
    }
};

// Makes the shape that operands are spread to; false for shapes that do not fit, and sizes that are
// not handled here.
bool spread(const Operand* operands, int count, Layout* result) {
    for (int k = 0; k < count; k++) result->rank = std::max(result->rank, operands[k].layout.rank);
    for (int axis = 0; axis < result->rank; axis++) {
        npy_intp length = 1;
        for (int k = 0; k < count; k++) {
            int own = axis - (result->rank - operands[k].layout.rank);
            npy_intp n = own < 0 ? 1 : operands[k].layout.shape[own];
            if (n != 1 && length != 1 && n != length) return false;
            if (n != 1) length = n;
        }
        result->shape[axis] = length;
    }
    return result->rank > 0 && result->size() > 0 && result->size() <= MAX_NUMBERS;
}

// Runs a loop over a new array of this type; null without an error where that would not be what
// NumPy computes.
PyObject* run(const Loop& given, const Operand* operands, int count, int type) {
    Operand result;
    if (!given || !spread(operands, count, &result.layout)) return nullptr;
    npy_intp item = type == NPY_BOOL ? 1 : type == NPY_INT32 ? 4 : 8;
    result.layout.lay_out(item);
    const Layout* layouts[MAX_WALKED] = {};
    for (int k = 0; k < count; k++) layouts[k] = &operands[k].layout;
    layouts[count] = &result.layout;
    Walk walk;
    if (!walk.plan(layouts, count + 1)) return nullptr;
    Loop loop = flat::suited(given, item, &walk);
    // Bits of other functions may depend on where in a row a number is.
    if (walk.axes > 1 && !given.is_exact && type == NPY_FLOAT64) return nullptr;
    PyObject* made = new_array(result.layout.rank, result.layout.shape, type);
    if (!made) return nullptr;
    char* at[MAX_WALKED] = {};
    for (int k = 0; k < count; k++) at[k] = operands[k].data;
    at[count] = data<char>(made);
    walk.run(at, [&](char** row, npy_intp n, const npy_intp* strides) {
        loop.function(row, &n, strides, loop.data);
    });
    return made;
}

// NumPy's loop of this name, looked up once.
template <class Name>
const Loop& loop_of(Name op, const char* name, const int* types, int count) {
    static struct {
        bool is_known;
        Loop loop;
    } known[std::is_same_v<Name, Op> ? int(OPS) : int(COMPARISONS)][3];
    int type = types[0] == NPY_FLOAT64 ? 0 : types[0] == NPY_INT64 ? 1 : 2;
    auto& own = known[op][type];
    if (!own.is_known) {
        own.loop = flat::numpy_loop(name, types, count);
        own.is_known = true;
    }
    return own.loop;
}

PyObject* by_numpy(Op op, const Operand* operands, int count, int type) {
    const int types[] = {type, type, type};
    return run(loop_of(op, OP_NAMES[op], types, count + 1), operands, count, type);
}

PyObject* quotient(double numerator, const Operand& x) {
    Operand both[] = {Operand::number(&numerator), x};
    return by_numpy(DIVIDE, both, 2, NPY_FLOAT64);
}

// Replaces the numbers of a new array; passes on null.
template <class Change>
PyObject* changed(PyObject* made, Change change) {
    if (!made) return nullptr;
    auto* numbers = data<double>(made);
    for (int64_t i = 0, count = size(made); i < count; i++) numbers[i] = change(numbers[i]);
    return made;
}

PyObject* in_float64(Op op, const Operand& x) {
    switch (op) {
        case RECIPROCAL: return quotient(1, x);
        case SQRT: return by_numpy(SQRT, &x, 1, NPY_FLOAT64);
        case RSQRT:
            return changed(by_numpy(SQRT, &x, 1, NPY_FLOAT64), [](double y) { return 1 / y; });
        case SIGMOID: {
            Ref turned(by_numpy(NEGATIVE, &x, 1, NPY_FLOAT64));
            Operand y;
            if (!turned || !y.read(turned.get(), NPY_FLOAT64)) return nullptr;
            return changed(by_numpy(EXP, &y, 1, NPY_FLOAT64), [](double e) { return 1 / (e + 1); });
        }
        default: return IS_UFUNC[op] ? by_numpy(op, &x, 1, NPY_FLOAT64) : nullptr;
    }
}

// The type of the numbers of arrays, or of an array and a scalar; -1 for those not handled here.
int common_type(PyObject* x, PyObject* y) {
    PyObject* one = PyArray_CheckExact(x) ? x : y;
    if (!PyArray_CheckExact(one)) return -1;
    int type = PyArray_DESCR(array(one))->type_num;
    return type == NPY_FLOAT64 || type == NPY_INT32 || type == NPY_INT64 ? type : -1;
}

}  // namespace

PyObject* of_small(Op op, PyObject* x) {
    int type = common_type(x, x);
    Operand operands[2];
    if (type < 0 || !operands[0].read(x, type)) return nullptr;
    if (op == NEGATIVE || op == ABS) return by_numpy(op, operands, 1, type);
    if (op == SQUARE) {
        operands[1] = operands[0];
        return by_numpy(MULTIPLY, operands, 2, type);
    }
    return type == NPY_FLOAT64 ? in_float64(op, operands[0]) : nullptr;
}

PyObject* of_small(Op op, PyObject* x, PyObject* y) {
    int type = common_type(x, y);
    Operand operands[2];
    if (type < 0 || !operands[0].read(x, type) || !operands[1].read(y, type)) return nullptr;
    if (op == ADD || op == SUBTRACT || op == MULTIPLY || op == MAXIMUM || op == MINIMUM)
        return by_numpy(op, operands, 2, type);
    if (type != NPY_FLOAT64) return nullptr;
    if (op == DIVIDE) return by_numpy(op, operands, 2, type);
    if (op == DIVIDE_NO_NAN) return run(flat::divide_no_nan_loop(), operands, 2, type);
    if (op == MULTIPLY_NO_NAN) return run(flat::multiply_no_nan_loop(), operands, 2, type);
    return nullptr;
}

PyObject* compare_small(Comparison op, PyObject* x, PyObject* y) {
    int type = common_type(x, y);
    Operand operands[2];
    if (type < 0 || !operands[0].read(x, type) || !operands[1].read(y, type)) return nullptr;
    const int types[] = {type, type, NPY_BOOL};
    return run(loop_of(op, COMPARISON_NAMES[op], types, 3), operands, 2, NPY_BOOL);
}

PyObject* reduce_small(Combination how, bool mean, PyObject* x, const ReductionPlan& plan) {
    if (size(x) > MAX_NUMBERS || (how == SUM && !flat::is_summed_by_numpy(plan))) return nullptr;
    double number;
    Ref made(plan.rank ? new_array(plan.rank, plan.shape, NPY_FLOAT64) : nullptr);
    if (plan.rank && !made) return nullptr;
    double* result = plan.rank ? data<double>(made.get()) : &number;
    char* const buffers[] = {data<char>(x), reinterpret_cast<char*>(result)};
    if (how == SUM && plan.inner == 1 && plan.length < flat::ShortSumStep<double>::LIMIT) {
        flat::ShortSumStep<double> step;
        step.rows = plan.outer;
        step.length = plan.length;
        step.x = {0, 0};
        step.result = {1, 0};
        step.run(buffers);
    } else {
        const int types[] = {NPY_FLOAT64, NPY_FLOAT64, NPY_FLOAT64};
        Op op = how == SUM ? ADD : how == LARGEST ? MAXIMUM : MINIMUM;
        flat::LoopReduceStep step;
        step.loop = loop_of(op, OP_NAMES[op], types, 3);
        if (!step.loop) return nullptr;
        step.outer = plan.outer;
        step.length = plan.length;
        step.inner = plan.inner;
        step.item = sizeof(double);
        step.starts_at_zero = how == SUM;
        step.x = {0, 0};
        step.result = {1, 0};
        step.run(buffers);
    }
    if (mean)
        for (int64_t i = 0; i < plan.outer * plan.inner; i++)
            result[i] /= static_cast<double>(plan.length);
    if (made) return made.release();
    PyObject* scalar = PyArrayScalar_New(Double);
    if (scalar) PyArrayScalar_ASSIGN(scalar, Double, number);
    return scalar;
}

PyObject* select_small(PyObject* condition, PyObject* x, PyObject* y) {
    int type = common_type(x, y);
    Operand operands[3];
    if (type < 0 || !operands[0].read(condition, NPY_BOOL) || !operands[1].read(x, type) ||
        !operands[2].read(y, type))
        return nullptr;
    return run(flat::select_loop(type == NPY_INT32 ? 4 : 8), operands, 3, type);
}

}  // namespace gradtape
