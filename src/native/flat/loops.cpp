#include "flat/loops.h"

#include <cstring>
#include <functional>

#include "kernels/elementwise.h"
#include "runtime/ref.h"
#include "simd/vectors.h"

namespace gradtape::flat {
namespace {

constexpr int64_t FEW_NUMBERS = 32;

template <class Number>
const Number& read(const char* p) {
    return *reinterpret_cast<const Number*>(p);
}
template <class Number>
Number& write(char* p) {
    return *reinterpret_cast<Number*>(p);
}

float* floats(char* p) { return reinterpret_cast<float*>(p); }

// --- our vectors ---------------------------------------------------------------------------------

Op op_of(const void* data) { return static_cast<Op>(reinterpret_cast<intptr_t>(data)); }

void unary(char** at, const npy_intp* count, const npy_intp* strides, void* data) {
    auto loop = vectors().unary[op_of(data)];
    float* result = floats(at[1]);
    if (strides[0] || *count == 1) {
        loop(result, floats(at[0]), *count);
    } else {
        loop(result, floats(at[0]), 1);
        std::fill_n(result + 1, *count - 1, *result);
    }
}

void binary(char** at, const npy_intp* count, const npy_intp* strides, void* data) {
    const Vectors& v = vectors();
    Op op = op_of(data);
    const float *x = floats(at[0]), *y = floats(at[1]);
    float* result = floats(at[2]);
    if (*count == 1 || (strides[0] && strides[1])) {
        v.binary[op](result, x, y, *count);
    } else if (strides[0]) {
        v.with_right[op](result, x, *y, *count);
    } else if (strides[1]) {
        v.with_left[op](result, *x, y, *count);
    } else {
        v.binary[op](result, x, y, 1);
        std::fill_n(result + 1, *count - 1, *result);
    }
}

// y op x, written with x first.
constexpr Comparison TURNED[] = {EQUAL, NOT_EQUAL, GREATER, GREATER_EQUAL, LESS, LESS_EQUAL};

void comparison(char** at, const npy_intp* count, const npy_intp* strides, void* data) {
    const Vectors& v = vectors();
    auto op = static_cast<Comparison>(reinterpret_cast<intptr_t>(data));
    const float *x = floats(at[0]), *y = floats(at[1]);
    bool* result = reinterpret_cast<bool*>(at[2]);
    if (*count == 1 || (strides[0] && strides[1])) {
        v.compare[op](result, x, y, *count);
    } else if (strides[0]) {
        v.compare_right[op](result, x, *y, *count);
    } else if (strides[1]) {
        v.compare_right[TURNED[op]](result, y, *x, *count);
    } else {
        v.compare[op](result, x, y, 1);
        std::fill_n(result + 1, *count - 1, *result);
    }
}

bool is_exact(Op op) {
    return op == ADD || op == SUBTRACT || op == MULTIPLY || op == DIVIDE || op == NEGATIVE ||
           op == ABS || op == SQUARE || op == RECIPROCAL || op == SQRT;
}

// Notes whether a loop of NumPy's rounds once, or not at all.
void describe(const char* name, const int* types, Loop* loop) {
    for (const char* comparison : COMPARISON_NAMES)
        if (std::strcmp(name, comparison) == 0) loop->is_exact = true;
    if (types[0] != NPY_FLOAT32 && types[0] != NPY_FLOAT64) return;
    for (int op = 0; op < OPS; op++) {
        if (!OP_NAMES[op] || std::strcmp(name, OP_NAMES[op]) != 0) continue;
        if (!is_exact(static_cast<Op>(op))) return;
        loop->is_exact = true;
        loop->op = static_cast<Op>(op);
    }
}

// --- loops of our own ----------------------------------------------------------------------------

template <class Number>
void select(char** at, const npy_intp* count, const npy_intp* strides, void*) {
    for (npy_intp i = 0; i < *count; i++) {
        bool chosen = read<bool>(at[0] + i * strides[0]);
        Number x = read<Number>(at[1] + i * strides[1]), y = read<Number>(at[2] + i * strides[2]);
        write<Number>(at[3] + i * strides[3]) = chosen ? x : y;
    }
}

// Arithmetic on numbers at any distance from each other.
template <class Number, class Compute>
void arithmetic(char** at, const npy_intp* count, const npy_intp* strides, void*) {
    constexpr npy_intp ITEM = sizeof(Number);
    npy_intp n = *count, a = strides[0], b = strides[1], c = strides[2];
    if (a == ITEM && b == ITEM && c == ITEM) {
        const auto *x = reinterpret_cast<Number*>(at[0]), *y = reinterpret_cast<Number*>(at[1]);
        auto* result = reinterpret_cast<Number*>(at[2]);
#pragma GCC ivdep  // it may be computed into an operand, number by number
        for (npy_intp i = 0; i < n; i++) result[i] = Compute()(x[i], y[i]);
        return;
    }
    for (npy_intp i = 0; i < n; i++)
        write<Number>(at[2] + i * c) = Compute()(read<Number>(at[0] + i * a),
                                                 read<Number>(at[1] + i * b));
}

// Null for an op that is none of arithmetic's.
template <class Number>
PyUFuncGenericFunction arithmetic_loop(Op op) {
    switch (op) {
        case ADD: return arithmetic<Number, std::plus<Number>>;
        case SUBTRACT: return arithmetic<Number, std::minus<Number>>;
        case MULTIPLY: return arithmetic<Number, std::multiplies<Number>>;
        case DIVIDE: return arithmetic<Number, std::divides<Number>>;
        default: return nullptr;
    }
}

template <class To, class From>
void cast(char** at, const npy_intp* count, const npy_intp* strides, void*) {
    for (npy_intp i = 0; i < *count; i++)
        write<To>(at[1] + i * strides[1]) = static_cast<To>(read<From>(at[0] + i * strides[0]));
}

void divide_no_nan(char** at, const npy_intp* count, const npy_intp* strides, void*) {
    for (npy_intp i = 0; i < *count; i++) {
        double x = read<double>(at[0] + i * strides[0]), y = read<double>(at[1] + i * strides[1]);
        write<double>(at[2] + i * strides[2]) = y == 0 ? 0 : x / y;
    }
}

void multiply_no_nan(char** at, const npy_intp* count, const npy_intp* strides, void*) {
    for (npy_intp i = 0; i < *count; i++) {
        double x = read<double>(at[0] + i * strides[0]), y = read<double>(at[1] + i * strides[1]);
        double product = x * y;
        write<double>(at[2] + i * strides[2]) = product != product && y == 0 ? 0 : product;
    }
}

template <class From>
PyUFuncGenericFunction cast_from(int to) {
    switch (to) {
        case NPY_FLOAT32: return cast<float, From>;
        case NPY_FLOAT64: return cast<double, From>;
        default: return nullptr;
    }
}
template <class From>
PyUFuncGenericFunction cast_from_integer(int to) {
    switch (to) {
        case NPY_BOOL: return cast<bool, From>;
        case NPY_INT32: return cast<int32_t, From>;
        case NPY_INT64: return cast<int64_t, From>;
        default: return cast_from<From>(to);
    }
}

Loop own(PyUFuncGenericFunction function) {
    Loop loop;
    loop.function = function;
    loop.is_exact = true;
    return loop;
}

}  // namespace

Loop numpy_loop(const char* name, const int* types, int count) {
    static PyObject* const numpy = PyImport_ImportModule("numpy");  // lives as long as the process
    if (!numpy) return {};
    Ref ufunc(PyObject_GetAttrString(numpy, name));
    return ufunc ? numpy_loop(ufunc.get(), types, count) : Loop();
}

Loop numpy_loop(PyObject* object, const int* types, int count) {
    if (std::strcmp(Py_TYPE(object)->tp_name, "numpy.ufunc") != 0) return {};
    auto* ufunc = reinterpret_cast<PyUFuncObject*>(object);
    if (ufunc->nin + ufunc->nout != count || ufunc->nout != 1) return {};
    for (int i = 0; i < ufunc->ntypes; i++) {
        bool fits = true;
        for (int k = 0; k < count; k++) fits &= ufunc->types[i * count + k] == types[k];
        if (!fits || !ufunc->functions[i]) continue;
        Loop loop;
        loop.function = ufunc->functions[i];
        loop.data = ufunc->data ? ufunc->data[i] : nullptr;
        loop.cost = 1;
        describe(ufunc->name, types, &loop);
        return loop;
    }
    return {};
}

Loop vector_loop(Op op) {
    const Vectors& v = vectors();
    Loop loop;
    if (op == NO_OP || !(IS_BINARY[op] ? v.binary[op] != nullptr : v.unary[op] != nullptr))
        return loop;
    loop.function = IS_BINARY[op] ? binary : unary;
    // The op itself, as NumPy's loops have data of their own.
    loop.data = reinterpret_cast<void*>(static_cast<intptr_t>(op));  // NOLINT(*-int-to-ptr)
    loop.cost = time_of(op);
    loop.divides = loop.needs_runs = true;
    loop.is_exact = is_exact(op);
    if (loop.is_exact) loop.op = op;
    return loop;
}

Loop vector_comparison(Comparison op) {
    Loop loop;
    loop.function = comparison;
    loop.data = reinterpret_cast<void*>(static_cast<intptr_t>(op));  // NOLINT(*-int-to-ptr)
    loop.needs_runs = loop.is_exact = true;
    return loop;
}

Loop for_few(const Loop& loop, npy_intp item) {
    Loop made = own(item == 4 ? arithmetic_loop<float>(loop.op) : arithmetic_loop<double>(loop.op));
    if (!made) return loop;
    made.cost = loop.cost;
    return made;
}

Loop with_strides(const Loop& loop, npy_intp item) {
    if (!loop.is_exact) return {};
    Loop made = for_few(loop, item);
    return made.needs_runs ? Loop() : made;
}

Loop suited(const Loop& loop, npy_intp item, Walk* walk) {
    if (!loop.is_exact) return loop;
    Walk longer = *walk;
    Loop strided = longer.lengthen_rows() ? with_strides(loop, item) : Loop();
    if (strided) {
        *walk = longer;
        return strided;
    }
    return walk->row_length() <= FEW_NUMBERS ? for_few(loop, item) : loop;
}

Loop select_loop(npy_intp item) {
    switch (item) {
        case 1: return own(select<uint8_t>);
        case 4: return own(select<uint32_t>);
        case 8: return own(select<uint64_t>);
        default: return {};
    }
}

Loop cast_loop(int from, int to) {
    switch (from) {
        case NPY_BOOL: return own(cast_from_integer<bool>(to));
        case NPY_INT32: return own(cast_from_integer<int32_t>(to));
        case NPY_INT64: return own(cast_from_integer<int64_t>(to));
        case NPY_FLOAT32: return own(cast_from<float>(to));
        case NPY_FLOAT64: return own(cast_from<double>(to));
        default: return {};
    }
}

Loop divide_no_nan_loop() { return own(divide_no_nan); }
Loop multiply_no_nan_loop() { return own(multiply_no_nan); }

}  // namespace gradtape::flat
