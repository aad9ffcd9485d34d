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

// Computes the same as `multiply_here`.
template <int inner, class Number>
void multiply_few(Number* result, int64_t stride, MatrixOf<Number> x, MatrixOf<Number> y,
                  int64_t rows, int64_t columns, bool accumulate = false) {
    int64_t down = x.transposed ? 1 : x.stride, along = x.transposed ? x.stride : 1;
    int64_t below = y.transposed ? 1 : y.stride, beside = y.transposed ? y.stride : 1;
    for (int64_t i = 0; i < rows; i++, result += stride) {
        Number row[inner];
        for (int k = 0; k < inner; k++) row[k] = x.data[i * down + k * along];
        for (int64_t j = 0; j < columns; j++) {
            Number sum = 0;
            for (int k = 0; k < inner; k++) sum += row[k] * y.data[k * below + j * beside];
            result[j] = accumulate ? result[j] + sum : sum;
        }
    }
}

}  // namespace gradtape
