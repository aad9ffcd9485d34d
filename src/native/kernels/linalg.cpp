// matmul: one product, a stack of them, or a stack with one matrix; and views of all of these.
#include <algorithm>

#include "errors.h"
#include "kernels/kernel.h"
#include "kernels/stack.h"
#include "runtime/threads.h"

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
    int workers = workers_for(time);
    if (products < workers) {
        for (int64_t i = 0; i < products; i++)
            multiply(result + i * rows * columns, columns, at(x, i, rank, shape),
                     at(y, i, rank, shape), rows, columns, inner);
        return made;
    }
    OneBlasThread one;
    parallel(workers, [&](int worker, int all) {
        Part part = part_of(products, worker, all);
        for (int64_t i = part.begin; i < part.end; i++)
            multiply_here(result + i * rows * columns, columns, at(x, i, rank, shape),
                          at(y, i, rank, shape), rows, columns, inner);
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

const KernelEntry PRODUCTS[] = {{"matmul", matmul}, {nullptr, nullptr}};

bool add_products(PyObject* module) { return PyModule_AddFunctions(module, functions) == 0; }

}  // namespace gradtape
