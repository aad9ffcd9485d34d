// Products of matrices so small that they take less time than a call of a BLAS.
#pragma once

#include <type_traits>

#include "runtime/blas.h"

namespace gradtape {

inline bool is_few(int64_t rows, int64_t columns, int64_t inner) {
    return inner <= 4 && rows * columns * inner <= 72;
}

// Calls `function` with a number from 1 to 4 as a constant.
template <class Function>
void with_constant(int64_t number, Function&& function) {
    switch (number) {
        case 1: return function(std::integral_constant<int, 1>());
        case 2: return function(std::integral_constant<int, 2>());
        case 3: return function(std::integral_constant<int, 3>());
        default: return function(std::integral_constant<int, 4>());
    }
}

// Numbers of x and y lie this far apart, from row to row and from column to column: steps of type
// `One` are known when this is compiled.
using One = std::integral_constant<int64_t, 1>;
template <int inner, class Number, class Down, class Along, class Below, class Beside>
inline void multiply_steps(Number* result, int64_t stride, const Number* x, Down down, Along along,
                           const Number* y, Below below, Beside beside, int64_t rows,
                           int64_t columns, bool accumulate) {
    for (int64_t i = 0; i < rows; i++, result += stride) {
        Number row[inner];
        for (int k = 0; k < inner; k++) row[k] = x[i * down + k * along];
        for (int64_t j = 0; j < columns; j++) {
            Number sum = 0;
            for (int k = 0; k < inner; k++) sum += row[k] * y[k * below + j * beside];
            result[j] = accumulate ? result[j] + sum : sum;
        }
    }
}

// Computes the same as `multiply_here`.
template <int inner, class Number>
inline void multiply_few(Number* result, int64_t stride, MatrixOf<Number> x, MatrixOf<Number> y,
                         int64_t rows, int64_t columns, bool accumulate = false) {
    auto multiply = [&](auto down, auto along) {
        if (y.transposed)
            multiply_steps<inner>(result, stride, x.data, down, along, y.data, One(), y.stride,
                                  rows, columns, accumulate);
        else
            multiply_steps<inner>(result, stride, x.data, down, along, y.data, y.stride, One(),
                                  rows, columns, accumulate);
    };
    if (x.transposed) multiply(One(), x.stride);
    else multiply(x.stride, One());
}

}  // namespace gradtape
