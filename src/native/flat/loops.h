// Loops over a row of numbers: NumPy's, our vectors', and a few more, in the form of NumPy's.
#pragma once

#include "flat/layout.h"
#include "op_table.h"
// After NumPy's other headers.
#include <numpy/ufuncobject.h>

namespace gradtape::flat {

struct Loop {
    PyUFuncGenericFunction function = nullptr;
    void* data = nullptr;
    Op op = NO_OP;            // what an exact one computes of numbers of one type
    double cost = 0.5;        // nanoseconds for an element, about
    bool divides = false;     // a long run can be divided between threads, with the same bits
    bool needs_runs = false;  // takes runs and single numbers only
    bool is_exact = false;    // of one rounding: bits do not depend on how the loop is run

    explicit operator bool() const { return function != nullptr; }
};

// The loop of a NumPy ufunc, or of the one with this name, for operands and a result of these
// types; empty if it has none.
Loop numpy_loop(PyObject* ufunc, const int* types, int count);
Loop numpy_loop(const char* ufunc, const int* types, int count);
// The vectors' loop over float32; empty if the op has none.
Loop vector_loop(Op op);
Loop vector_comparison(Comparison op);
// A loop of the same op, if it is exact, that takes numbers of this many bytes at any distance;
// empty if there is none.
Loop with_strides(const Loop& loop, npy_intp item);
// The same loop, or one that takes less time for a few numbers.
Loop for_few(const Loop& loop, npy_intp item);
// The loop for a walk, whose rows are made longer where it takes that: the same bits in less time.
Loop suited(const Loop& loop, npy_intp item, Walk* walk);
// condition ? x : y, for numbers of this many bytes.
Loop select_loop(npy_intp item);
// Converts numbers; empty for pairs whose result depends on the processor.
Loop cast_loop(int from, int to);
// x / y and x * y, 0 where y is 0, for float64.
Loop divide_no_nan_loop();
Loop multiply_no_nan_loop();

}  // namespace gradtape::flat
