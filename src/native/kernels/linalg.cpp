// matmul: one product, a stack of them, or a stack with one matrix; and views of all of these.
// Solutions with a triangular matrix, and cross products.
#include <algorithm>

#include "errors.h"
#include "flat/layout.h"
#include "kernels/kernel.h"
#include "kernels/stack.h"
#include "runtime/few_products.h"
#include "runtime/threads.h"

// Kernels round after every step.
#if defined(__clang__)
#pragma clang fp contract(off)
#else
#pragma GCC optimize("fp-contract=off")
#endif

namespace gradtape {
namespace {

template <class Number>
PyObject* product_of(PyArrayObject* left, PyArrayObject* right, bool transpose_x, bool transpose_y,
                     int type) {
    Stack<Number> x, y;
    bool x_is_fine = x.read(left, transpose_x);
    if (!x_is_fine || !y.read(right, transpose_y)) {
        // Neither rows nor columns are runs (every other element, say): in a copy they are.
        PyObject* copy = PyArray_NewCopy(x_is_fine ? right : left, NPY_CORDER);
        if (!copy) return nullptr;
        PyObject* made = product_of<Number>(x_is_fine ? left : array(copy),
                                            x_is_fine ? array(copy) : right, transpose_x,
                                            transpose_y, type);
        Py_DECREF(copy);
        return made;
    }
    npy_intp shape[NPY_MAXDIMS];
    int rank;
    if (x.columns != y.rows || !joint_shape(x, y, &rank, shape) || rank + 2 > NPY_MAXDIMS)
        return nullptr;
    int64_t products = 1, rows = x.rows, columns = y.columns, inner = x.columns;
    for (int i = 0; i < rank; i++) products *= shape[i];
    shape[rank] = rows;
    shape[rank + 1] = columns;
    PyObject* made = new_array(rank + 2, shape, type);
    if (!made) return nullptr;
    Number* result = data<Number>(made);
    double time = product_time<Number>(rows, columns, inner) * static_cast<double>(products);
    WithoutLock unlocked(time);
    MatrixOf<Number> tall;
    if (y.rank == 0 && x.as_tall(&tall)) {
        multiply(result, columns, tall, y.first, products * rows, columns, inner);
        return made;
    }
    auto each = [&](Part part, auto&& compute) {
        Pairs<Number> pair(x, y, rank, shape, part.begin);
        for (int64_t i = part.begin; i < part.end; i++, pair.next())
            compute(result + i * rows * columns, columns, pair.x, pair.y, rows, columns);
    };
    int workers = workers_for(time);
    if (products < workers) {
        each({0, products}, [=](auto... arguments) { multiply(arguments..., inner); });
        return made;
    }
    OneBlasThread one;
    parallel(workers, [&](int worker, int all) {
        Part part = part_of(products, worker, all);
        if (!is_few(rows, columns, inner)) {
            each(part, [=](auto... arguments) { multiply_here(arguments..., inner); });
            return;
        }
        with_constant(inner, [&](auto constant) {
            each(part,
                 [](auto... arguments) { multiply_few<decltype(constant)::value>(arguments...); });
        });
    });
    return made;
}

PyObject* product(PyObject* x, PyObject* y, bool transpose_x, bool transpose_y) {
    if (!has_blas() || !PyArray_CheckExact(x) || !PyArray_CheckExact(y) ||
        PyArray_NDIM(array(x)) < 2 || PyArray_NDIM(array(y)) < 2 || size(x) == 0 || size(y) == 0 ||
        !PyArray_ISALIGNED(array(x)) || !PyArray_ISALIGNED(array(y)))
        return nullptr;
    if (is_array(x, NPY_FLOAT32) && is_array(y, NPY_FLOAT32))
        return product_of<float>(array(x), array(y), transpose_x, transpose_y, NPY_FLOAT32);
    if (is_array(x, NPY_FLOAT64) && is_array(y, NPY_FLOAT64))
        return product_of<double>(array(x), array(y), transpose_x, transpose_y, NPY_FLOAT64);
    return nullptr;
}

PyObject* matmul(PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    if (count != 2) return nullptr;
    return product(arguments[0], arguments[1],
                   keyword(arguments, count, names, "transpose_a") == Py_True,
                   keyword(arguments, count, names, "transpose_b") == Py_True);
}

// A longer one is left to the threads of SciPy's library. For short ones these take the longer the
// busier the machine is: they wait for each other.
constexpr double SHORT_SOLUTION = 2e6;  // nanoseconds, about

template <class Number>
PyObject* solution_of(PyArrayObject* a, PyArrayObject* b, bool lower, bool adjoint, int type) {
    Stack<Number> matrix;
    int64_t n = PyArray_DIM(b, 0), columns = PyArray_DIM(b, 1);
    double time = product_time<Number>(n, columns, n) / 2;
    if (time > SHORT_SOLUTION || !matrix.read(a, adjoint) || matrix.rows != n ||
        matrix.columns != n)
        return nullptr;
    PyObject* made = new_array(2, PyArray_DIMS(b), type);
    if (!made || PyArray_CopyInto(array(made), b) < 0) {
        Py_XDECREF(made);
        return nullptr;
    }
    WithoutLock unlocked(time);
    OneBlasThread one;
    solve_triangular(matrix.first, lower != adjoint, data<Number>(made), n, columns);
    return made;
}

// triangular_solve of one matrix.
PyObject* triangular_solve(PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    PyObject *lower = keyword(arguments, count, names, "lower"),
             *adjoint = keyword(arguments, count, names, "adjoint");
    if (count != 2 || !has_blas() || !lower || !adjoint || !PyBool_Check(lower) ||
        !PyBool_Check(adjoint))
        return nullptr;
    PyObject *a = arguments[0], *b = arguments[1];
    auto are = [&](int type) {
        return is_array(a, type) && is_array(b, type) && PyArray_NDIM(array(a)) == 2 &&
               PyArray_NDIM(array(b)) == 2 && size(b) > 0 && PyArray_ISALIGNED(array(a));
    };
    if (are(NPY_FLOAT32))
        return solution_of<float>(array(a), array(b), lower == Py_True, adjoint == Py_True,
                                  NPY_FLOAT32);
    if (are(NPY_FLOAT64))
        return solution_of<double>(array(a), array(b), lower == Py_True, adjoint == Py_True,
                                   NPY_FLOAT64);
    return nullptr;
}

template <class Number>
void cross_row(char** row, npy_intp n, const npy_intp* strides, const npy_intp (&along)[3]) {
    auto number = [&](int k, npy_intp i, int axis) -> Number& {
        return *reinterpret_cast<Number*>(row[k] + i * strides[k] + axis * along[k]);
    };
    for (npy_intp i = 0; i < n; i++) {
        Number x[3], y[3];
        for (int axis = 0; axis < 3; axis++) {
            x[axis] = number(0, i, axis);
            y[axis] = number(1, i, axis);
        }
        for (int axis = 0; axis < 3; axis++) {
            int next = (axis + 1) % 3, third = (axis + 2) % 3;
            number(2, i, axis) = x[next] * y[third] - x[third] * y[next];
        }
    }
}

PyObject* cross(PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    if (count != 2 || names || !PyArray_CheckExact(arguments[0])) return nullptr;
    int type = PyArray_DESCR(array(arguments[0]))->type_num;
    int rank = PyArray_NDIM(array(arguments[0])), last = rank - 1;
    if ((type != NPY_FLOAT32 && type != NPY_FLOAT64) || rank < 1 || rank > flat::MAX_RANK)
        return nullptr;
    for (Py_ssize_t k = 0; k < 2; k++) {
        PyObject* x = arguments[k];
        if (!is_array(x, type) || !PyArray_ISALIGNED(array(x)) || size(x) == 0 ||
            !same_shape(x, arguments[0]) || PyArray_DIM(array(x), last) != 3)
            return nullptr;
    }
    PyObject* made = new_array(rank, PyArray_DIMS(array(arguments[0])), type);
    if (!made) return nullptr;
    flat::Layout layouts[3];
    const flat::Layout* all[3];
    char* at[flat::MAX_WALKED] = {};
    npy_intp along[3];
    for (int k = 0; k < 3; k++) {
        PyArrayObject* x = array(k < 2 ? arguments[k] : made);
        layouts[k].rank = last;
        std::copy_n(PyArray_DIMS(x), last, layouts[k].shape);
        std::copy_n(PyArray_STRIDES(x), last, layouts[k].strides);
        all[k] = &layouts[k];
        at[k] = static_cast<char*>(PyArray_DATA(x));
        along[k] = PyArray_STRIDE(x, last);
    }
    flat::Walk walk;
    walk.plan(all, 3);
    WithoutLock unlocked(4.0 * static_cast<double>(size(made)));
    walk.run(at, [&](char** row, npy_intp n, const npy_intp* strides) {
        if (type == NPY_FLOAT32) cross_row<float>(row, n, strides, along);
        else cross_row<double>(row, n, strides, along);
    });
    return made;
}

PyObject* py_product(PyObject*, PyObject* const* arguments, Py_ssize_t count) {
    if (count != 2) {
        PyErr_SetString(PyExc_TypeError, "product takes two arrays");
        return nullptr;
    }
    PyObject* made = without_exceptions(
        [&] { return product(arguments[0], arguments[1], false, false); });
    return made || PyErr_Occurred() ? made : Py_NewRef(Py_None);
}

PyMethodDef functions[] = {
    {"product", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(py_product)),
     METH_FASTCALL, "product(x, y): x @ y; None for what it does not take"},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

const KernelEntry PRODUCTS[] = {{"matmul", matmul},
                                {"triangular_solve", triangular_solve},
                                {"cross", cross},
                                {nullptr, nullptr}};

bool add_products(PyObject* module) { return PyModule_AddFunctions(module, functions) == 0; }

}  // namespace gradtape
