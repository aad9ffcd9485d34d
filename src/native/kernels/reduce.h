// How numbers are reduced: what is combined with what depends on the shape alone.
#pragma once

#include <algorithm>

#include "runtime/arrays.h"
#include "simd/vectors.h"

namespace gradtape {

constexpr int64_t STRETCH = 1 << 15;  // numbers of a long row that are combined at a time
constexpr int64_t ROW_BLOCK = 128;    // rows that are combined at a time
constexpr int64_t STRIP = 2048;       // columns, of many, that are combined at a time
constexpr int64_t FEW_COLUMNS = 32;   // fewer are taken several rows at a time

// An array as (outer, length, inner), of which `length` goes.
struct ReductionPlan {
    int64_t outer = 1, length = 1, inner = 1;
    int rank = 0;  // of the result
    npy_intp shape[NPY_MAXDIMS];

    // Makes the plan. False for axes that do not lie next to each other. `axis` is a tuple of
    // numbers, in order.
    bool make(int x_rank, const npy_intp* x_shape, PyObject* axis, bool keepdims) {
        Py_ssize_t count = PyTuple_Check(axis) ? PyTuple_GET_SIZE(axis) : 0;
        if (count == 0) return false;
        long first = PyLong_AsLong(PyTuple_GET_ITEM(axis, 0));
        for (Py_ssize_t i = 0; i < count; i++)
            if (PyLong_AsLong(PyTuple_GET_ITEM(axis, i)) != first + i) return false;
        long last = first + static_cast<long>(count);
        for (int i = 0; i < x_rank; i++) {
            bool goes = i >= first && i < last;
            (goes ? length : i < first ? outer : inner) *= x_shape[i];
            if (!goes || keepdims) shape[rank++] = goes ? 1 : x_shape[i];
        }
        return true;
    }
};

// Reduces a run of numbers, at most a stretch of them.
inline double reduced_run(Combination how, const float* x, int64_t count) {
    const RowLoops& loops = vectors().rows;
    if (how == SUM) return loops.sum(x, count);
    return static_cast<double>(loops.extreme[how == LARGEST ? 0 : 1](x, count));
}
inline double joined_two(Combination how, double total, double part) {
    if (how == SUM) return total + part;
    bool replaces = part != part || (how == LARGEST ? part > total : part < total);
    return replaces && total == total ? part : total;
}
inline double joined_parts(Combination how, const double* parts, int64_t count) {
    double total = parts[0];
    for (int64_t i = 1; i < count; i++) total = joined_two(how, total, parts[i]);
    return total;
}

// Reduces a whole array.
void reduce_array(Combination how, bool mean, const ReductionPlan& plan, float* result,
                  const float* x);

// Reduces a small array of float64: a new array or scalar; null without an error for others.
PyObject* reduce_small(Combination how, bool mean, PyObject* x, const ReductionPlan& plan);

// Reduces all numbers of a whole array to one.
float reduced_array(Combination how, const float* x, int64_t count);

// Many rows into one, by blocks, blocks of blocks, and so on.
using Combine = void (*)(float*, const float*, int64_t, int64_t, int64_t);
void fold_rows(Combine combine, float* result, const float* x, int64_t rows, int64_t columns);

// Makes means of sums.
void divide_by_length(const ReductionPlan& plan, float* sums);
inline float mean_of(float sum, int64_t count) {
    vectors().with_right[DIVIDE](&sum, &sum, static_cast<float>(count), 1);
    return sum;
}

}  // namespace gradtape
