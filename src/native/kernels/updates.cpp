// Arrays changed in place: sums of cotangents and the steps of optimizers. Each function returns
// True, or False where the arrays are not of the kind that it takes (whole, float32, of one shape):
// then nothing has been done.
#include "kernels/updates.h"

#include "fusion/deferred.h"
#include "kernels/indices.h"
#include "runtime/work_split.h"
#include "simd/vectors.h"

namespace gradtape {
namespace {

// The arguments of an update: arrays to write into, arrays that are read, numbers.
class Arguments {
  public:
    Arguments(PyObject* const* items, Py_ssize_t count) : items_(items), count_(count) {}

    float* written() {
        float* run = read();
        if (run && !PyArray_ISWRITEABLE(array(items_[next_ - 1]))) fits_ = false;
        return run;
    }
    float* read() {
        PyObject* x = take();
        if (!x) return nullptr;
        if (!is_plain(x) || (like_ && !same_shape(x, like_))) {
            fits_ = false;
            return nullptr;
        }
        like_ = x;
        return data(x);
    }
    float* written_or_none() { return is_none() ? nullptr : written(); }
    float* read_or_none() { return is_none() ? nullptr : read(); }
    float number() {
        PyObject* x = take();
        return x ? static_cast<float>(PyFloat_AsDouble(x)) : 0;
    }
    bool flag() {
        PyObject* x = take();
        return x && PyObject_IsTrue(x) == 1;
    }
    // Runs work(begin, end) over parts of the arrays, if all arguments were as they should be.
    template <class Work>
    PyObject* over_parts(double each, Work&& work) {
        if (next_ != count_ && !PyErr_Occurred())
            PyErr_Format(PyExc_TypeError, "an update takes %zd arguments, not %zd", next_, count_);
        if (PyErr_Occurred()) return nullptr;
        if (!fits_) Py_RETURN_FALSE;
        in_parts(size(like_), each, GRAIN, work);
        Py_RETURN_TRUE;
    }

  private:
    PyObject* take() {
        PyObject* x = next_ < count_ ? items_[next_] : nullptr;
        next_++;
        return x && is_deferred(x) ? array_of(x) : x;
    }
    bool is_none() {
        if (next_ >= count_ || items_[next_] != Py_None) return false;
        next_++;
        return true;
    }

    PyObject* const* items_;
    Py_ssize_t count_, next_ = 0;
    PyObject* like_ = nullptr;
    bool fits_ = true;
};

template <Op op>
PyObject* into(PyObject*, PyObject* const* items, Py_ssize_t count) {
    if (count == 2 && is_plain(items[0]) && is_deferred(items[1])) {
        if (update_in_place(op, items[0], items[1])) Py_RETURN_TRUE;
        if (PyErr_Occurred()) return nullptr;
    }
    Arguments arguments(items, count);
    float *total = arguments.written(), *x = arguments.read();
    return arguments.over_parts(ELEMENT, [=](int64_t begin, int64_t end) {
        vectors().binary[op](total + begin, total + begin, x + begin, end - begin);
    });
}

PyObject* descend(PyObject*, PyObject* const* items, Py_ssize_t count) {
    Arguments arguments(items, count);
    float *value = arguments.written(), *gradient = arguments.read();
    float rate = arguments.number();
    return arguments.over_parts(ELEMENT, [=](int64_t begin, int64_t end) {
        vectors().updates.descend(value + begin, gradient + begin, rate, end - begin);
    });
}

PyObject* momentum(PyObject*, PyObject* const* items, Py_ssize_t count) {
    Arguments arguments(items, count);
    float *value = arguments.written(), *moving = arguments.written();
    float* gradient = arguments.read();
    float rate = arguments.number(), decay = arguments.number();
    bool nesterov = arguments.flag();
    return arguments.over_parts(2 * ELEMENT, [=](int64_t begin, int64_t end) {
        vectors().updates.momentum(value + begin, moving + begin, gradient + begin, rate, decay,
                                   nesterov, end - begin);
    });
}

// Applies rows of a gradient to the rows of the value with these numbers, repeated ones one after
// the other. Every thread has its own range of the value's rows.
PyObject* descend_rows(PyObject*, PyObject* const* items, Py_ssize_t count) {
    if (count != 4) {
        PyErr_SetString(PyExc_TypeError, "descend_rows takes value, rows, indices, rate");
        return nullptr;
    }
    PyObject *value = items[0], *rows = items[1];
    double rate = PyFloat_AsDouble(items[3]);
    if (PyErr_Occurred()) return nullptr;
    Indices indices;
    if (!is_plain(value) || !PyArray_ISWRITEABLE(array(value)) || !is_plain(rows) ||
        PyArray_NDIM(array(value)) == 0 || size(value) == 0 || !indices.read(items[2]) ||
        !indices.lie_in(0, PyArray_DIM(array(value), 0)))
        Py_RETURN_FALSE;
    int64_t height = PyArray_DIM(array(value), 0), columns = size(value) / height;
    if (size(rows) != indices.count * columns) Py_RETURN_FALSE;
    float *to = data(value), *from = data(rows);
    double time = 2 * ELEMENT * static_cast<double>(columns * indices.count);
    in_parts(height, time / static_cast<double>(height), 1, [=](int64_t begin, int64_t end) {
        for (int64_t i = 0; i < indices.count; i++)
            if (indices[i] >= begin && indices[i] < end)
                vectors().updates.descend(to + indices[i] * columns, from + i * columns,
                                          static_cast<float>(rate), columns);
    });
    Py_RETURN_TRUE;
}

// Returns a pointer into an array that may be missing.
float* at(float* run, int64_t offset) { return run ? run + offset : nullptr; }

PyObject* adam(PyObject*, PyObject* const* items, Py_ssize_t count) {
    Arguments arguments(items, count);
    float *value = arguments.written(), *first = arguments.written();
    float *second = arguments.written(), *gradient = arguments.read();
    float rate = arguments.number();
    float part_1 = arguments.number(), part_2 = arguments.number(), epsilon = arguments.number();
    float *highest = arguments.written_or_none(), *squares = arguments.read_or_none();
    return arguments.over_parts(4 * ELEMENT, [=](int64_t begin, int64_t end) {
        vectors().updates.adam(value + begin, first + begin, second + begin, gradient + begin, rate,
                               part_1, part_2, epsilon, at(highest, begin), at(squares, begin),
                               end - begin);
    });
}

PyObject* rmsprop(PyObject*, PyObject* const* items, Py_ssize_t count) {
    Arguments arguments(items, count);
    float *value = arguments.written(), *second = arguments.written();
    float* gradient = arguments.read();
    float rate = arguments.number(), rho = arguments.number(), rest = arguments.number();
    float epsilon = arguments.number();
    float* squares = arguments.read_or_none();
    return arguments.over_parts(3 * ELEMENT, [=](int64_t begin, int64_t end) {
        vectors().updates.rmsprop(value + begin, second + begin, gradient + begin, rate, rho, rest,
                                  epsilon, at(squares, begin), end - begin);
    });
}

PyObject* adagrad(PyObject*, PyObject* const* items, Py_ssize_t count) {
    Arguments arguments(items, count);
    float *value = arguments.written(), *total = arguments.written();
    float* gradient = arguments.read();
    float rate = arguments.number(), epsilon = arguments.number();
    float* squares = arguments.read_or_none();
    return arguments.over_parts(3 * ELEMENT, [=](int64_t begin, int64_t end) {
        vectors().updates.adagrad(value + begin, total + begin, gradient + begin, rate, epsilon,
                                  at(squares, begin), end - begin);
    });
}

#define FAST(function) reinterpret_cast<PyCFunction>(function), METH_FASTCALL
PyMethodDef functions[] = {
    {"add_into", FAST(into<ADD>), "add_into(total, x): total += x"},
    {"subtract_from", FAST(into<SUBTRACT>), "subtract_from(total, x): total -= x"},
    {"descend", FAST(descend), "descend(value, gradient, rate): value -= rate * gradient"},
    {"descend_rows", FAST(descend_rows),
     "descend_rows(value, rows, indices, rate): value[indices] -= rate * rows, repeated ones too"},
    {"momentum", FAST(momentum), "momentum(value, moving, gradient, rate, decay, nesterov)"},
    {"adam", FAST(adam),
     "adam(value, first, second, gradient, rate, 1 - beta_1, 1 - beta_2, epsilon, highest, "
     "squares)"},
    {"rmsprop", FAST(rmsprop),
     "rmsprop(value, second, gradient, rate, rho, 1 - rho, epsilon, squares)"},
    {"adagrad", FAST(adagrad), "adagrad(value, total, gradient, rate, epsilon, squares)"},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

bool add_updates(PyObject* module) { return PyModule_AddFunctions(module, functions) == 0; }

}  // namespace gradtape
