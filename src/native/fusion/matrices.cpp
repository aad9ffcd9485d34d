#include "fusion/matrices.h"

#include <algorithm>

#include "fusion/compute.h"
#include "fusion/donation.h"
#include "fusion/pending.h"
#include "fusion/program.h"
#include "kernels/conv/direct.h"
#include "runtime/ref.h"
#include "runtime/threads.h"

namespace gradtape {
namespace {

constexpr int64_t MAX_AT_A_TIME = 1 << 14;  // elements: a good part of the second cache stays free
constexpr int64_t TILE = 6;                 // rows that every tile can have

}  // namespace

bool Matrices::read(PyArrayObject* left, PyArrayObject* right, bool transpose_x, bool transpose_y) {
    if (!x.read(left, transpose_x) || !y.read(right, transpose_y) || x.columns != y.rows ||
        std::max(x.rank, y.rank) + 2 > MAX_AXES || !joint_shape(x, y, &rank, shape))
        return false;
    rows = shape[rank] = x.rows;
    columns = shape[rank + 1] = y.columns;
    inner = x.columns;
    count = 1;
    for (int i = 0; i < rank; i++) count *= shape[i];
    return true;
}

bool Matrices::read(const Deferred* product) {
    return read(array(product->left.object), array(product->right.object),
                product->instruction.op & TRANSPOSED_LEFT,
                product->instruction.op & TRANSPOSED_RIGHT);
}

int64_t Matrices::rows_at_a_time() const {
    int64_t some = std::min(DIRECT_ROWS, MAX_AT_A_TIME / columns);
    return std::max(TILE, some / TILE * TILE);
}

Deferred* product_behind(Deferred* root) {
    Chain chain;
    chain.add(root);
    for (Deferred* node : chain.nodes())
        if (node->instruction.reach == Reach::matrix) return node;
    return nullptr;
}

bool compute_row_ops(Deferred* root) {
    for (;;) {
        Deferred* last = nullptr;
        {
            Chain chain;
            chain.add(root);
            for (Deferred* node : chain.nodes())
                if (node->instruction.reach != Reach::element) last = node;
        }
        if (!last) return true;
        if (!array_of(reinterpret_cast<PyObject*>(last))) return false;
        if (last == root) return true;
    }
}

namespace {

// Returns an argument of a product as an array; null, perhaps with an error set, if it is none.
PyObject* factor(PyObject* x) {
    if (is_deferred(x)) x = array_of(x);
    bool fits = x && is_array(x, NPY_FLOAT32) && PyArray_NDIM(array(x)) >= 2 &&
                PyArray_ISALIGNED(array(x)) && size(x) > 0;
    return fits ? x : nullptr;
}

}  // namespace

// Products that are larger than what they are made of, and small enough each for one core: so the
// scores of attention, and what comes back to them.
PyObject* defer_product(PyObject* x, PyObject* y, bool transpose_x, bool transpose_y) {
    if (!(x = factor(x)) || !(y = factor(y))) return nullptr;
    Matrices m;
    if (!m.read(array(x), array(y), transpose_x, transpose_y)) return nullptr;
    int64_t elements = m.count * m.rows * m.columns;
    if (!has_blas() || m.y.rank == 0 || m.count < number_of_threads() || !is_large(elements) ||
        size(x) + size(y) > elements || m.columns > MAX_ROW ||
        !is_direct(m.x.first, m.y.first, m.rows, m.columns, m.inner))
        return nullptr;
    Deferred* made = compute_costly_pending() ? new_deferred(m.rank + 2, m.shape, elements)
                                              : nullptr;
    if (!made) return nullptr;
    auto flags = (transpose_x ? TRANSPOSED_LEFT : 0) | (transpose_y ? TRANSPOSED_RIGHT : 0);
    made->instruction = {2, static_cast<uint8_t>(flags), Reach::matrix};
    made->left = {Py_NewRef(x), Extent::matrices};
    made->right = {Py_NewRef(y), Extent::matrices};
    made->by_rows = true;
    enlist(made);
    return reinterpret_cast<PyObject*>(made);
}

PyObject* multiply_pending(PyObject* x, PyObject* y, bool transpose_y) {
    if (!is_pending_op(x) || !deferred(x)->by_rows || deferred(x)->dtype() != NPY_FLOAT32 ||
        !(y = factor(y)) || !is_pending_op(x))
        return nullptr;
    Deferred* root = deferred(x);
    int rank = root->rank;
    Stack<float> other;
    if (PyArray_NDIM(array(y)) != rank || !other.read(array(y), transpose_y) ||
        !std::equal(root->shape, root->shape + rank - 2, other.shape))
        return nullptr;
    int64_t rows = root->shape[rank - 2], inner = root->shape[rank - 1];
    Claim::wait_for(root);
    if (other.rows != inner || !is_pending_op(x) || !product_behind(root) ||
        !is_direct({nullptr, inner, false}, other.first, rows, other.columns, inner))
        return nullptr;
    npy_intp shape[MAX_AXES];
    std::copy_n(root->shape, rank - 1, shape);
    shape[rank - 1] = other.columns;
    Ref made(new_array(rank, shape, NPY_FLOAT32));
    if (!made || !multiply_behind(root, y, transpose_y, made.get())) return nullptr;
    return made.release();
}

}  // namespace gradtape
