// Deferred stacks of matrix products.
#pragma once

#include "fusion/deferred.h"
#include "kernels/stack.h"

namespace gradtape {

// The operands of such a product, and how many matrices of which size it makes of them.
struct Matrices {
    Stack<float> x, y;
    int rank = 0;              // of the stack
    npy_intp shape[MAX_AXES];  // of the result
    int64_t count = 0, rows = 0, columns = 0, inner = 0;

    bool read(PyArrayObject* left, PyArrayObject* right, bool transpose_x, bool transpose_y);
    bool read(const Deferred* product);
    // Rows that are multiplied at a time, so that the ops behind it find them in the cache.
    int64_t rows_at_a_time() const;
};

// Returns the product that is the beginning of a chain, or null.
Deferred* product_behind(Deferred* root);

// Reductions go their own way through the elements: what is made of whole rows and matrices behind
// them is computed before. False with an error set.
bool compute_row_ops(Deferred* root);

}  // namespace gradtape
