// Elementwise arithmetic on float32: whole arrays, numbers, rows and columns spread over a matrix.
#include "kernel.h"
#include "pool.h"
#include "vectors.h"

namespace gradtape {
namespace {

// About how long an element takes on one core, in nanoseconds: mostly the memory's time.
constexpr double ELEMENT = 0.25;
constexpr int64_t GRAIN = 1024;

template <class Work>  // work(begin, end) over parts of `count` elements
void in_parts(int64_t count, double each, int64_t grain, Work&& work) {
    double time = each * static_cast<double>(count);
    int workers = workers_for(time);
    if (workers == 1) {
        work(0, count);
        return;
    }
    WithoutLock unlocked(time);
    parallel(workers, [&](int worker, int all) {
        Part part = part_of(count, worker, all, grain);
        if (part.begin < part.end) work(part.begin, part.end);
    });
}

template <Unary op>
PyObject* unary(PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    if (count != 1 || names) return nullptr;
    PyObject* x = arguments[0];
    auto loop = vectors().unary[op];
    if (PyArray_IsScalar(x, Float)) {
        float value = PyArrayScalar_VAL(x, Float), result;
        loop(&result, &value, 1);
        return new_scalar(result);
    }
    if (!is_plain(x) || PyArray_NDIM(array(x)) == 0) return nullptr;
    PyObject* made = new_array_like(array(x));
    if (!made) return nullptr;
    float *result = data(made), *from = data(x);
    in_parts(size(x), ELEMENT, GRAIN, [=](int64_t begin, int64_t end) {
        loop(result + begin, from + begin, end - begin);
    });
    return made;
}

// How a smaller array is spread over a larger one, if it is in one of the two usual ways.
enum class Spread { no, rows, columns };  // the same row everywhere; one number for each row

Spread spread(PyArrayObject* large, PyArrayObject* small) {
    int rank = PyArray_NDIM(large), other = PyArray_NDIM(small);
    if (other > rank) return Spread::no;
    int skipped = 0;  // leading axes of size 1
    while (skipped < other && PyArray_DIM(small, skipped) == 1) skipped++;
    bool is_row = true;
    for (int i = skipped; i < other; i++)
        is_row &= PyArray_DIM(small, i) == PyArray_DIM(large, rank - other + i);
    if (is_row) return Spread::rows;
    if (other != rank) return Spread::no;
    int shared = 0;
    while (shared < rank && PyArray_DIM(small, shared) == PyArray_DIM(large, shared)) shared++;
    for (int i = shared; i < rank; i++)
        if (PyArray_DIM(small, i) != 1) return Spread::no;
    return Spread::columns;
}

template <Binary op>
PyObject* binary(PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    if (count != 2 || names) return nullptr;
    PyObject *x = arguments[0], *y = arguments[1];
    const Vectors& v = vectors();
    float number, other;
    if (PyArray_IsScalar(x, Float) && PyArray_IsScalar(y, Float)) {
        number = PyArrayScalar_VAL(x, Float);
        other = PyArrayScalar_VAL(y, Float);
        float result;
        v.binary[op](&result, &number, &other, 1);
        return new_scalar(result);
    }
    bool x_is_array = is_plain(x) && PyArray_NDIM(array(x)) > 0;
    bool y_is_array = is_plain(y) && PyArray_NDIM(array(y)) > 0;
    if (x_is_array && read_scalar(y, &number)) {
        PyObject* made = new_array_like(array(x));
        if (!made) return nullptr;
        float *result = data(made), *from = data(x);
        in_parts(size(x), ELEMENT, GRAIN, [=, &v](int64_t begin, int64_t end) {
            v.with_right[op](result + begin, from + begin, number, end - begin);
        });
        return made;
    }
    if (y_is_array && read_scalar(x, &number)) {
        PyObject* made = new_array_like(array(y));
        if (!made) return nullptr;
        float *result = data(made), *from = data(y);
        in_parts(size(y), ELEMENT, GRAIN, [=, &v](int64_t begin, int64_t end) {
            v.with_left[op](result + begin, number, from + begin, end - begin);
        });
        return made;
    }
    if (!x_is_array || !y_is_array) return nullptr;
    float *left = data(x), *right = data(y);
    if (same_shape(x, y)) {
        PyObject* made = new_array_like(array(x));
        if (!made) return nullptr;
        float* result = data(made);
        in_parts(size(x), ELEMENT * 1.5, GRAIN, [=, &v](int64_t begin, int64_t end) {
            v.binary[op](result + begin, left + begin, right + begin, end - begin);
        });
        return made;
    }
    bool right_is_small = size(y) <= size(x);
    PyObject *large = right_is_small ? x : y, *small = right_is_small ? y : x;
    Spread how = spread(array(large), array(small));
    int64_t few = size(small), many = size(large);
    if (how == Spread::no || few == 0) return nullptr;
    PyObject* made = new_array_like(array(large));
    if (!made) return nullptr;
    float* result = data(made);
    int64_t rows = how == Spread::rows ? many / few : few, columns = many / rows;
    int64_t grain = columns < GRAIN ? GRAIN / columns : 1;
    in_parts(rows, ELEMENT * static_cast<double>(columns) + 3, grain,
             [=, &v](int64_t begin, int64_t end) {
        for (int64_t row = begin; row < end; row++) {
            float* out = result + row * columns;
            if (how == Spread::rows) {
                v.binary[op](out, right_is_small ? left + row * columns : left,
                             right_is_small ? right : right + row * columns, columns);
            } else if (right_is_small) {
                v.with_right[op](out, left + row * columns, right[row], columns);
            } else {
                v.with_left[op](out, left[row], right + row * columns, columns);
            }
        }
    });
    return made;
}

}  // namespace

const Entry ELEMENTWISE[] = {
    {"negative", unary<NEGATIVE>},     {"abs", unary<ABS>},
    {"square", unary<SQUARE>},         {"sqrt", unary<SQRT>},
    {"rsqrt", unary<RSQRT>},           {"reciprocal", unary<RECIPROCAL>},
    {"relu", unary<RELU>},             {"add", binary<ADD>},
    {"subtract", binary<SUBTRACT>},    {"multiply", binary<MULTIPLY>},
    {"divide", binary<DIVIDE>},        {"maximum", binary<MAXIMUM>},
    {"minimum", binary<MINIMUM>},      {"relu_grad", binary<RELU_GRAD>},
    {nullptr, nullptr}};

}  // namespace gradtape
