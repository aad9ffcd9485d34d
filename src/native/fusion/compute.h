// How pending values are computed.
#pragma once

#include "fusion/deferred.h"
#include "kernels/reduce.h"

namespace gradtape {

// Computes `root`, and with it the values behind it that are worth keeping, and the last total that
// was deferred if it needs the same costly values. False with a Python error set if memory ran out.
// If `into` is given, that array gets the values.
bool compute(Deferred* root, PyObject* into = nullptr);

// Computes the reduction of a pending op along a plan, in the pass that computes it; what is in
// `result` is not divided for a mean. The op's own values are kept only if they are wanted.
bool reduce_rows_of(Deferred* root, Combination how, const ReductionPlan& plan, float* result);
bool reduce_columns_of(Deferred* root, Combination how, const ReductionPlan& plan, float* result);

// Computes the products of a pending stack of matrices with those of `y`, in the pass that computes
// it; only if a product is behind it. `result` is a whole array.
bool multiply_behind(Deferred* root, PyObject* y, bool transpose_y, PyObject* result);

// Remembers a deferred total, so that it can be computed with others: only the last.
bool remember_total(Deferred* total);
void forget_total(Deferred* total);
// Computes it if it alone keeps much alive. To be asked before and after a backward pass, when
// others have let go of arrays.
bool compute_costly_total();
// Computes it if it needs this array.
bool release_from_total(PyObject* array);

// Appends the arrays that a pending value keeps alive, each once; false with an error set.
bool arrays_behind(Deferred* node, PyObject* list);

}  // namespace gradtape
