// Operands of an elementwise op, spread to one shape and walked together.
#pragma once

#include <algorithm>
#include <cstring>

#include "kernels/halves.h"
#include "runtime/work_split.h"

namespace gradtape {

// One operand: an array or a NumPy scalar of the type asked for.
struct Spread {
    char* data = nullptr;
    int rank = 0, item = 0;
    const npy_intp* shape = nullptr;
    const npy_intp* strides = nullptr;
    uint16_t number = 0;  // the value of a scalar of 16 bits

    bool read(PyObject* x, int type) {
        if (is_array(x, type) && PyArray_ISALIGNED(array(x))) {
            data = static_cast<char*>(PyArray_DATA(array(x)));
            rank = PyArray_NDIM(array(x));
            item = static_cast<int>(PyArray_ITEMSIZE(array(x)));
            shape = PyArray_DIMS(array(x));
            strides = PyArray_STRIDES(array(x));
            return true;
        }
        if (type == NPY_FLOAT32 && PyArray_IsScalar(x, Float)) {
            data = reinterpret_cast<char*>(&PyArrayScalar_VAL(x, Float));
            item = sizeof(float);
            return true;
        }
        if (type == NPY_BOOL && PyArray_IsScalar(x, Bool)) {
            data = reinterpret_cast<char*>(&PyArrayScalar_VAL(x, Bool));
            item = 1;
            return true;
        }
        if (const HalfType* half = half_type(type); half && Py_TYPE(x) == half->scalar) {
            float value = static_cast<float>(PyFloat_AsDouble(x));
            vectors().convert[half->narrow](&number, &value, 1);
            data = reinterpret_cast<char*>(&number);
            item = sizeof number;
            return true;
        }
        return false;
    }
};

// The shape that `count` operands are spread to, as few axes as possible, the last of which is a
// row: in it, each operand is a run, or one number. Short rows that lie side by side are one long
// row, in which an operand that is the same for all of them (the mean of each of three channels,
// say) is written out for a while.
template <int count>
class BroadcastLoop {
  public:
    int rank = 0;  // of the result, as NumPy sees it
    npy_intp shape[NPY_MAXDIMS];
    int64_t size = 1, columns = 1;
    bool is_run[count] = {};

    // Plans the walk. False where shapes do not fit, or an operand's elements lie apart.
    bool plan(const Spread (&operands)[count]) {
        for (const Spread& x : operands) rank = x.rank > rank ? x.rank : rank;
        for (int axis = 0; axis < rank; axis++) {
            npy_intp length = 1, step[count];
            for (int k = 0; k < count; k++) {
                int own = axis - (rank - operands[k].rank);
                npy_intp n = own < 0 ? 1 : operands[k].shape[own];
                if (n != 1 && length != 1 && n != length) return false;
                if (n != 1) length = n;
                step[k] = n == 1 ? 0 : operands[k].strides[own];
            }
            shape[axis] = length;
            size *= length;
            if (length != 1) append(length, step);
        }
        for (int k = 0; k < count; k++) {
            data_[k] = operands[k].data;
            npy_intp step = axes_ ? steps_[axes_ - 1][k] : 0;
            is_run[k] = step != 0;
            if (step != 0 && step != operands[k].item) return false;
        }
        columns = axes_ ? lengths_[axes_ - 1] : 1;
        join_short_rows(operands);
        return true;
    }

    // Calls work(begin, pointers, n) for all rows, or parts of them: `begin` is where the n results
    // go. `each` is an element's time.
    template <class Work>
    void run(const Spread (&operands)[count], double each, Work&& work) const {
        double per_row = columns < 64 ? 4.0 / static_cast<double>(columns) : 0;
        in_parts(size, each + per_row, GRAIN, [&](int64_t begin, int64_t end) {
            if (begin == end) return;
            int64_t row = begin / columns, column = begin % columns, index[NPY_MAXDIMS];
            char* start[count];  // of the row
            Repeated repeated[count];
            for (int k = 0; k < count; k++) start[k] = data_[k];
            for (int axis = axes_ - 2; axis >= 0; axis--) {
                index[axis] = row % lengths_[axis];
                row /= lengths_[axis];
                for (int k = 0; k < count; k++) start[k] += index[axis] * steps_[axis][k];
            }
            while (begin < end) {
                int64_t n = columns - column < end - begin ? columns - column : end - begin;
                if (period_ && n > REPEATED) n = REPEATED;
                char* at[count];
                for (int k = 0; k < count; k++) {
                    if (is_periodic_[k])
                        at[k] = repeated[k].of(start[k], period_ * operands[k].item) +
                                column % period_ * operands[k].item;
                    else at[k] = start[k] + (is_run[k] ? column * operands[k].item : 0);
                }
                work(begin, at, n);
                begin += n;
                column += n;
                if (column < columns) continue;
                column = 0;
                for (int axis = axes_ - 2; axis >= 0; axis--) {
                    for (int k = 0; k < count; k++) start[k] += steps_[axis][k];
                    if (++index[axis] < lengths_[axis]) break;
                    for (int k = 0; k < count; k++) start[k] -= lengths_[axis] * steps_[axis][k];
                    index[axis] = 0;
                }
            }
        });
    }

  private:
    static constexpr int64_t SHORT = 16, REPEATED = 1024;  // elements

    // A short row, written out again and again.
    struct Repeated {
        const char* from = nullptr;
        alignas(64) char elements[(REPEATED + SHORT) * sizeof(float)];

        char* of(const char* row, int64_t bytes) {
            if (row == from) return elements;
            from = row;
            for (size_t i = 0; i < sizeof elements; i += static_cast<size_t>(bytes))
                std::memcpy(elements + i, row,
                            std::min(static_cast<size_t>(bytes), sizeof elements - i));
            return elements;
        }
    };

    void join_short_rows(const Spread (&operands)[count]) {
        if (axes_ < 2 || columns >= SHORT) return;
        bool any_periodic = false, any_whole = false;
        bool is_periodic[count];
        for (int k = 0; k < count; k++) {
            npy_intp step = steps_[axes_ - 2][k];
            bool is_whole = is_run[k] && step == columns * operands[k].item;
            is_periodic[k] = is_run[k] && step == 0;
            if (operands[k].item > static_cast<int>(sizeof(float)) ||
                !(is_whole || is_periodic[k] || (!is_run[k] && step == 0)))
                return;
            any_whole |= is_whole;
            any_periodic |= is_periodic[k];
        }
        if (!any_whole || !any_periodic) return;
        std::copy_n(is_periodic, count, is_periodic_);
        period_ = columns;
        columns *= lengths_[axes_ - 2];
        lengths_[--axes_ - 1] = columns;
    }

    // Appends an axis, joined to the one before it if it continues that in every operand.
    void append(npy_intp length, const npy_intp (&step)[count]) {
        bool continues = axes_ > 0;
        for (int k = 0; k < count && continues; k++)
            continues = steps_[axes_ - 1][k] == step[k] * length;
        if (continues) lengths_[axes_ - 1] *= length;
        else lengths_[axes_++] = length;
        for (int k = 0; k < count; k++) steps_[axes_ - 1][k] = step[k];
    }

    int axes_ = 0;
    int64_t period_ = 0;  // of the operands that are periodic; 0: there are none
    bool is_periodic_[count] = {};
    int64_t lengths_[NPY_MAXDIMS];
    npy_intp steps_[NPY_MAXDIMS][count];
    char* data_[count];
};

}  // namespace gradtape
