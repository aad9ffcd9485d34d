// Arrays as stacks of matrices, as products read them.
#pragma once

#include <algorithm>

#include "runtime/arrays.h"
#include "runtime/blas.h"

namespace gradtape {

// A stack of matrices that BLAS can read where they lie.
template <class Number>
struct Stack {
    MatrixOf<Number> first;
    int64_t rows, columns;
    int rank;                 // of the stack
    const npy_intp* shape;    // of the stack
    const npy_intp* strides;  // in bytes

    bool read(PyArrayObject* x, bool transpose) {
        return read(PyArray_NDIM(x), PyArray_DIMS(x), PyArray_STRIDES(x),
                    static_cast<const Number*>(PyArray_DATA(x)), transpose);
    }
    bool read(int axes, const npy_intp* x_shape, const npy_intp* x_strides, const Number* data,
              bool transpose) {
        constexpr npy_intp ITEM = sizeof(Number);
        rank = axes - 2;
        shape = x_shape;
        strides = x_strides;
        npy_intp height = shape[rank], width = shape[rank + 1];
        npy_intp down = strides[rank], along = strides[rank + 1];
        rows = transpose ? width : height;
        columns = transpose ? height : width;
        first.data = data;
        // The step between lines that themselves are runs of numbers, or 0.
        auto lines = [](npy_intp count, npy_intp step, npy_intp length, npy_intp along) {
            if (length != 1 && along != ITEM) return npy_intp(0);
            if (count == 1) return std::max(length, npy_intp(1));
            return step % ITEM == 0 && step >= ITEM * length ? step / ITEM : npy_intp(0);
        };
        first.transposed = transpose;
        first.stride = lines(height, down, width, along);
        if (first.stride == 0) {
            first.transposed = !transpose;
            first.stride = lines(width, along, height, down);
        }
        return first.stride != 0;
    }

    // Reads the whole stack as one tall matrix, where all rows are equally far apart.
    bool as_tall(MatrixOf<Number>* tall) const {
        constexpr npy_intp ITEM = sizeof(Number);
        *tall = first;
        if (rank == 0) return true;
        npy_intp step = first.stride * ITEM, below = rows;
        for (int i = rank - 1; i >= 0; i--) {
            if (shape[i] == 1) continue;
            if (below == 1) step = strides[i];
            else if (strides[i] != step * below) return false;
            below *= shape[i];
        }
        tall->stride = step / ITEM;
        return !first.transposed && step % ITEM == 0 && step >= ITEM * columns;
    }
};

// Finds the shape that two stacks broadcast to; false if they do not.
template <class Number>
bool joint_shape(const Stack<Number>& x, const Stack<Number>& y, int* rank, npy_intp* shape) {
    *rank = std::max(x.rank, y.rank);
    for (int i = 0; i < *rank; i++) {
        int own = i - (*rank - x.rank), other = i - (*rank - y.rank);
        npy_intp n = own < 0 ? 1 : x.shape[own], m = other < 0 ? 1 : y.shape[other];
        if (n != m && n != 1 && m != 1) return false;
        shape[i] = n == 1 ? m : n;
    }
    return true;
}

// Goes through the pairs of matrices in a joint stack, in order.
template <class Number>
class Pairs {
  public:
    Pairs(const Stack<Number>& left, const Stack<Number>& right, int rank, const npy_intp* shape,
          int64_t first)
        : x(left.first), y(right.first), rank_(rank), shape_(shape) {
        for (int i = rank - 1; i >= 0; i--) {
            index_[i] = first % shape[i];
            first /= shape[i];
            x_step_[i] = step(left, i - (rank - left.rank));
            y_step_[i] = step(right, i - (rank - right.rank));
            x.data += index_[i] * x_step_[i];
            y.data += index_[i] * y_step_[i];
        }
    }
    void next() {
        for (int i = rank_ - 1; i >= 0; i--) {
            x.data += x_step_[i];
            y.data += y_step_[i];
            if (++index_[i] < shape_[i]) return;
            x.data -= shape_[i] * x_step_[i];
            y.data -= shape_[i] * y_step_[i];
            index_[i] = 0;
        }
    }

    MatrixOf<Number> x, y;

  private:
    // In elements; 0 along axes that are repeated.
    static npy_intp step(const Stack<Number>& stack, int axis) {
        return axis < 0 || stack.shape[axis] == 1
                   ? 0
                   : stack.strides[axis] / static_cast<npy_intp>(sizeof(Number));
    }

    int rank_;
    const npy_intp* shape_;
    npy_intp index_[NPY_MAXDIMS], x_step_[NPY_MAXDIMS], y_step_[NPY_MAXDIMS];
};

}  // namespace gradtape
