// Recurrent layers over a whole sequence: one product for the inputs of all steps, then the steps,
// each of which is a product with the state and one pass over the gates. Examples do not mix, so
// every worker runs its own through all steps.
#include "recurrent_vectors.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "blas.h"
#include "kernel.h"
#include "packed.h"
#include "pool.h"
#include "scratch.h"
#include "vectors.h"

namespace gradtape {

const RecurrentVectors& recurrent_vectors() {
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
    if (vectors().lanes == 16) return avx512::RECURRENT_VECTORS;
    if (vectors().lanes == 8) return avx2::RECURRENT_VECTORS;
#endif
    return portable::RECURRENT_VECTORS;
}

namespace {

constexpr double GATE = 4;  // nanoseconds for the gates of one unit at one step

struct Sequences {
    int64_t batch, steps, inputs, units;
    double time(int64_t gates) const {
        double cells = static_cast<double>(batch * steps * units);
        return product_time(batch * steps, gates * units, inputs + units) + GATE * cells;
    }
};

// A state at a step: `first` before the first one, then the results of the step before.
struct States {
    const float *first, *all;
    int64_t steps, units;
    const float* before(int64_t example, int64_t step) const {
        return step ? all + (example * steps + step - 1) * units : first + example * units;
    }
    int64_t distance(int64_t step) const { return step ? steps * units : units; }
};

// The states before each step, as the rows of a matrix.
void copy_states(const Sequences& s, const States& states, float* to) {
    for (int64_t b = 0; b < s.batch; b++) {
        std::copy_n(states.before(b, 0), s.units, to);
        if (s.steps > 1) std::copy_n(states.before(b, 1), (s.steps - 1) * s.units, to + s.units);
        to += s.steps * s.units;
    }
}

void sum_rows(const float* x, int64_t rows, int64_t columns, float* result) {
    std::fill_n(result, columns, 0.0f);
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < columns; j++) result[j] += x[i * columns + j];
}

bool has_shape(PyObject* x, std::initializer_list<int64_t> shape) {
    return PyArray_NDIM(array(x)) == static_cast<int>(shape.size()) &&
           std::equal(shape.begin(), shape.end(), PyArray_DIMS(array(x)));
}

// A tuple of new arrays with these shapes.
PyObject* new_arrays(std::initializer_list<std::vector<npy_intp>> shapes) {
    PyObject* made = PyTuple_New(static_cast<Py_ssize_t>(shapes.size()));
    Py_ssize_t i = 0;
    for (const std::vector<npy_intp>& shape : shapes) {
        if (!made) return nullptr;
        PyObject* one = new_array(static_cast<int>(shape.size()), shape.data(), NPY_FLOAT32);
        PyTuple_SET_ITEM(made, i++, one);
        if (!one) Py_CLEAR(made);
    }
    return made;
}
float* part(PyObject* tuple, int i) { return data(PyTuple_GET_ITEM(tuple, i)); }

// x [batch, steps, inputs], and a state [batch, units], the first two arguments.
bool read_sequences(const PlainArguments& given, Sequences* s) {
    if (!has_blas() || !given || PyArray_NDIM(array(given[0])) != 3 ||
        PyArray_NDIM(array(given[1])) != 2)
        return false;
    const npy_intp* x = PyArray_DIMS(array(given[0]));
    *s = {x[0], x[1], x[2], PyArray_DIM(array(given[1]), 1)};
    return s->batch * s->steps * s->inputs * s->units > 0 &&
           PyArray_DIM(array(given[1]), 0) == s->batch;
}

// x, h, c, w [inputs, 4 units], u [units, 4 units], b [4 units]
PyObject* lstm(PyObject* const* arguments, Py_ssize_t count, PyObject*) {
    PlainArguments given(arguments, count);
    Sequences s;
    if (count != 6 || !read_sequences(given, &s)) return nullptr;
    const int64_t units = s.units, wide = 4 * units, steps = s.steps;
    if (!has_shape(given[2], {s.batch, units}) || !has_shape(given[3], {s.inputs, wide}) ||
        !has_shape(given[4], {units, wide}) || !has_shape(given[5], {wide}))
        return nullptr;
    double time = s.time(4);
    Packed packed(units, wide);
    Scratch scratch(packed.size());
    PyObject* made = new_arrays(
        {{s.batch, steps, units}, {s.batch, steps, units}, {s.batch, steps, wide}});
    if (!scratch || !made) {
        Py_CLEAR(made);
        return nullptr;
    }
    float *hidden = part(made, 0), *cells = part(made, 1), *gates = part(made, 2);
    const float* bias = data(given[5]);
    States states = {data(given[1]), hidden, steps, units};
    States carried = {data(given[2]), cells, steps, units};
    WithoutLock unlocked(time);
    packed.pack({data(given[4]), wide, false}, scratch.begin());
    multiply(gates, wide, {data(given[0]), s.inputs, false}, {data(given[3]), wide, false},
             s.batch * steps, wide, s.inputs);
    parallel(workers_for(time), [&](int worker, int all) {
        Part own = part_of(s.batch, worker, all);
        for (int64_t t = 0; t < steps && own.begin < own.end; t++) {
            packed.multiply(states.before(own.begin, t), states.distance(t),
                            gates + (own.begin * steps + t) * wide, steps * wide,
                            own.end - own.begin, true);
            for (int64_t b = own.begin; b < own.end; b++) {
                int64_t at = b * steps + t;
                recurrent_vectors().lstm({gates + at * wide, bias, carried.before(b, t),
                                          cells + at * units, hidden + at * units},
                                         units);
            }
        }
    });
    return made;
}

// x, h, c, w, u, what came out (hidden, cells, gates), and the gradients of hidden and cells.
PyObject* lstm_grad(PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    PlainArguments given(arguments, count);
    Sequences s;
    if (count != 10 || !read_sequences(given, &s)) return nullptr;
    const int64_t units = s.units, wide = 4 * units, steps = s.steps, rows = s.batch * steps;
    if (!has_shape(given[2], {s.batch, units}) || !has_shape(given[3], {s.inputs, wide}) ||
        !has_shape(given[4], {units, wide}) ||
        !has_shape(given[7], {s.batch, steps, wide}))
        return nullptr;
    for (int i : {5, 6, 8, 9})
        if (!has_shape(given[i], {s.batch, steps, units})) return nullptr;
    bool wants_input = keyword(arguments, count, names, "input_gradient") != Py_False;
    double time = 2 * s.time(4);
    Packed packed(wide, units);
    Scratch scratch(packed.size() + rounded_up(rows * wide, 16) + rows * units);
    std::vector<npy_intp> input_shape = {s.batch, steps, s.inputs};
    if (!wants_input) input_shape = {0};
    PyObject* made = new_arrays({input_shape, {s.batch, units}, {s.batch, units},
                                 {s.inputs, wide}, {units, wide}, {wide}});
    if (!scratch || !made) {
        Py_CLEAR(made);
        return nullptr;
    }
    const float *hidden = data(given[5]), *cells = data(given[6]);
    const float *gates = data(given[7]);
    const float *from_hidden = data(given[8]), *from_cells = data(given[9]);
    float *sums = scratch.begin() + packed.size(), *before = sums + rounded_up(rows * wide, 16);
    float *to_hidden = part(made, 1), *carry = part(made, 2);
    States carried = {data(given[2]), cells, steps, units};
    WithoutLock unlocked(time);
    packed.pack({data(given[4]), wide, true}, scratch.begin());
    copy_states(s, {data(given[1]), hidden, steps, units}, before);
    parallel(workers_for(time), [&](int worker, int all) {
        Part own = part_of(s.batch, worker, all);
        if (own.begin == own.end) return;
        std::fill(to_hidden + own.begin * units, to_hidden + own.end * units, 0.0f);
        std::fill(carry + own.begin * units, carry + own.end * units, 0.0f);
        for (int64_t t = steps - 1; t >= 0; t--) {
            for (int64_t b = own.begin; b < own.end; b++) {
                int64_t at = b * steps + t;
                recurrent_vectors().lstm_gradient(
                    {gates + at * wide, carried.before(b, t), cells + at * units,
                     from_hidden + at * units, from_cells + at * units, sums + at * wide,
                     to_hidden + b * units, carry + b * units},
                    units);
            }
            packed.multiply(sums + (own.begin * steps + t) * wide, steps * wide,
                            to_hidden + own.begin * units, units, own.end - own.begin, false);
        }
    });
    Matrix all_sums = {sums, wide, false};
    if (wants_input)
        multiply(part(made, 0), s.inputs, all_sums, {data(given[3]), wide, true}, rows,
                 s.inputs, wide);
    multiply(part(made, 3), wide, {data(given[0]), s.inputs, true}, all_sums, s.inputs, wide,
             rows);
    multiply(part(made, 4), wide, {before, units, true}, all_sums, units, wide, rows);
    sum_rows(sums, rows, wide, part(made, 5));
    return made;
}

// x, h, w [inputs, 3 units], u [units, 3 units], b [2, 3 units]
PyObject* gru(PyObject* const* arguments, Py_ssize_t count, PyObject*) {
    PlainArguments given(arguments, count);
    Sequences s;
    if (count != 5 || !read_sequences(given, &s)) return nullptr;
    const int64_t units = s.units, three = 3 * units, wide = 4 * units, steps = s.steps;
    if (!has_shape(given[2], {s.inputs, three}) || !has_shape(given[3], {units, three}) ||
        !has_shape(given[4], {2, three}))
        return nullptr;
    double time = s.time(3);
    Packed packed(units, three);
    Scratch scratch(packed.size() + s.batch * three);
    PyObject* made = new_arrays({{s.batch, steps, units}, {s.batch, steps, wide}});
    if (!scratch || !made) {
        Py_CLEAR(made);
        return nullptr;
    }
    float *hidden = part(made, 0), *gates = part(made, 1);
    float* products = scratch.begin() + packed.size();
    const float* bias = data(given[4]);
    States states = {data(given[1]), hidden, steps, units};
    WithoutLock unlocked(time);
    packed.pack({data(given[3]), three, false}, scratch.begin());
    multiply(gates, wide, {data(given[0]), s.inputs, false}, {data(given[2]), three, false},
             s.batch * steps, three, s.inputs);
    parallel(workers_for(time), [&](int worker, int all) {
        Part own = part_of(s.batch, worker, all);
        for (int64_t t = 0; t < steps && own.begin < own.end; t++) {
            packed.multiply(states.before(own.begin, t), states.distance(t),
                            products + own.begin * three, three, own.end - own.begin, false);
            for (int64_t b = own.begin; b < own.end; b++) {
                int64_t at = b * steps + t;
                recurrent_vectors().gru({gates + at * wide, products + b * three, bias,
                                         bias + three, states.before(b, t), hidden + at * units},
                                        units);
            }
        }
    });
    return made;
}

// x, h, w, u, what came out (hidden, gates), and the gradient of hidden.
PyObject* gru_grad(PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    PlainArguments given(arguments, count);
    Sequences s;
    if (count != 7 || !read_sequences(given, &s)) return nullptr;
    const int64_t units = s.units, three = 3 * units, wide = 4 * units, steps = s.steps;
    const int64_t rows = s.batch * steps;
    if (!has_shape(given[2], {s.inputs, three}) || !has_shape(given[3], {units, three}) ||
        !has_shape(given[4], {s.batch, steps, units}) ||
        !has_shape(given[5], {s.batch, steps, wide}) ||
        !has_shape(given[6], {s.batch, steps, units}))
        return nullptr;
    bool wants_input = keyword(arguments, count, names, "input_gradient") != Py_False;
    double time = 2 * s.time(3);
    Packed packed(three, units);
    int64_t sums_size = rounded_up(rows * three, 16);
    Scratch scratch(packed.size() + 2 * sums_size + rows * units);
    std::vector<npy_intp> input_shape = {s.batch, steps, s.inputs};
    if (!wants_input) input_shape = {0};
    PyObject* made = new_arrays(
        {input_shape, {s.batch, units}, {s.inputs, three}, {units, three}, {2, three}});
    if (!scratch || !made) {
        Py_CLEAR(made);
        return nullptr;
    }
    const float *gates = data(given[5]), *from_hidden = data(given[6]);
    float *to_inputs = scratch.begin() + packed.size(), *to_recurrent = to_inputs + sums_size;
    float *before = to_recurrent + sums_size, *to_hidden = part(made, 1);
    States states = {data(given[1]), data(given[4]), steps, units};
    WithoutLock unlocked(time);
    packed.pack({data(given[3]), three, true}, scratch.begin());
    copy_states(s, states, before);
    parallel(workers_for(time), [&](int worker, int all) {
        Part own = part_of(s.batch, worker, all);
        if (own.begin == own.end) return;
        std::fill(to_hidden + own.begin * units, to_hidden + own.end * units, 0.0f);
        for (int64_t t = steps - 1; t >= 0; t--) {
            for (int64_t b = own.begin; b < own.end; b++) {
                int64_t at = b * steps + t;
                recurrent_vectors().gru_gradient(
                    {gates + at * wide, states.before(b, t), from_hidden + at * units,
                     to_inputs + at * three, to_recurrent + at * three, to_hidden + b * units},
                    units);
            }
            packed.multiply(to_recurrent + (own.begin * steps + t) * three, steps * three,
                            to_hidden + own.begin * units, units, own.end - own.begin, true);
        }
    });
    Matrix inputs_sums = {to_inputs, three, false}, recurrent_sums = {to_recurrent, three, false};
    if (wants_input)
        multiply(part(made, 0), s.inputs, inputs_sums, {data(given[2]), three, true}, rows,
                 s.inputs, three);
    multiply(part(made, 2), three, {data(given[0]), s.inputs, true}, inputs_sums, s.inputs,
             three, rows);
    multiply(part(made, 3), three, {before, units, true}, recurrent_sums, units, three, rows);
    sum_rows(to_inputs, rows, three, part(made, 4));
    sum_rows(to_recurrent, rows, three, part(made, 4) + three);
    return made;
}

}  // namespace

const Entry RECURRENT[] = {{"lstm", lstm},
                           {"lstm_grad", lstm_grad},
                           {"gru", gru},
                           {"gru_grad", gru_grad},
                           {nullptr, nullptr}};

}  // namespace gradtape
