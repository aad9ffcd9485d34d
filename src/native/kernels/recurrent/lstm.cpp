// LSTM: at each step one product with inputs and state together, and one pass over the gates.
#include <algorithm>

#include "kernels/recurrent/recurrent.h"

namespace gradtape {

// Takes x, h, c, w [inputs, 4 units], u [units, 4 units], b [4 units]
PyObject* lstm(PyObject* const* arguments, Py_ssize_t count, PyObject*) {
    PlainArguments given(arguments, count);
    Sequences s;
    if (count != 6 || !read_sequences(given, &s)) return nullptr;
    const int64_t units = s.units, wide = 4 * units, steps = s.steps, joint = s.inputs + units;
    if (!has_shape(given[2], {s.batch, units}) || !has_shape(given[3], {s.inputs, wide}) ||
        !has_shape(given[4], {units, wide}) || !has_shape(given[5], {wide}))
        return nullptr;
    double time = s.time(4);
    int workers = workers_for(time);
    Packed weights(joint, wide);
    Scratch scratch(weights.size() + s.batch * (joint + wide));
    PyObject* made = new_arrays(
        {{s.batch, steps, units}, {s.batch, steps, units}, {s.batch, steps, wide}});
    if (!scratch || !made) {
        Py_CLEAR(made);
        return nullptr;
    }
    float *hidden = part(made, 0), *cells = part(made, 1), *gates = part(made, 2);
    const float *x = data(given[0]), *first = data(given[1]), *bias = data(given[5]);
    States carried = {data(given[2]), cells, steps, units};
    JointRows rows = {s, scratch.begin() + weights.size()};
    float* sums = rows.rows + s.batch * joint;
    WithoutLock unlocked(time);
    pack_parts(weights, scratch.begin(),
               {{{data(given[3]), wide, false}, s.inputs}, {{data(given[4]), wide, false}, units}},
               workers);
    bool ahead = s.ahead(workers, weights.size());
    if (ahead) multiply_inputs(s, x, weights, gates, wide, wide, workers);
    parallel(workers, [&](int worker, int all) {
        Part own = part_of(s.batch, worker, all);
        int64_t examples = own.end - own.begin;
        if (!examples) return;
        rows.set_states(own, first);
        for (int64_t t = 0; t < steps; t++) {
            for (int64_t b = own.begin; b < own.end; b++) {
                int64_t at = b * steps + t;
                will_need<true>(gates + at * wide, wide);
                will_need<true>(cells + at * units, units);
                will_need<true>(hidden + at * units, units);
            }
            if (ahead) {
                weights.multiply(rows.state(own.begin), joint,
                                 gates + (own.begin * steps + t) * wide, steps * wide, examples,
                                 true, Part{s.inputs, joint}, wide);
            } else {
                rows.set_inputs(own, x, t);
                weights.multiply(rows.inputs(own.begin), joint, sums + own.begin * wide, wide,
                                 examples, false);
            }
            for (int64_t b = own.begin; b < own.end; b++) {
                int64_t at = b * steps + t;
                recurrent_vectors().lstm(
                    {ahead ? gates + at * wide : sums + b * wide, bias, carried.before(b, t),
                     gates + at * wide, cells + at * units, hidden + at * units, rows.state(b)},
                    units);
            }
        }
    });
    return made;
}

// Takes x, h, c, w, u, what came out (hidden, cells, gates), the gradients of hidden and cells, and
// b, of which only the second derivative has need.
PyObject* lstm_grad(PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    if (count != 11) return nullptr;
    PlainArguments given(arguments, 8);
    Sequences s;
    if (!read_sequences(given, &s)) return nullptr;
    Arriving from_hidden(arguments[8], s), from_cells(arguments[9], s);
    const int64_t units = s.units, wide = 4 * units, steps = s.steps;
    if (!from_hidden || !from_cells || !has_shape(given[2], {s.batch, units}) ||
        !has_shape(given[3], {s.inputs, wide}) || !has_shape(given[4], {units, wide}) ||
        !has_shape(given[7], {s.batch, steps, wide}))
        return nullptr;
    for (int i : {5, 6})
        if (!has_shape(given[i], {s.batch, steps, units})) return nullptr;
    bool wants_input = keyword(arguments, count, names, "input_gradient") != Py_False;
    double time = 2 * s.time(4);
    int workers = workers_for(time);
    BackwardProducts products(s, wide, wants_input, workers);
    SummedRight all_sums(s.rows(), wide);
    Scratch scratch(products.size() + all_sums.size() +
                    (products.later() ? s.rows() : s.batch) * wide);
    std::vector<npy_intp> input_shape = {s.batch, steps, s.inputs};
    if (!wants_input) input_shape = {0};
    PyObject* made = new_arrays(
        {input_shape, {s.batch, units}, {s.batch, units}, {s.inputs, wide}, {units, wide}, {wide}});
    if (!scratch || !made) {
        Py_CLEAR(made);
        return nullptr;
    }
    const float *x = data(given[0]), *cells = data(given[6]), *gates = data(given[7]);
    products.set_memory(scratch.begin());
    all_sums.set_memory(scratch.begin() + products.size());
    float* sums = scratch.begin() + products.size() + all_sums.size();
    float *to_x = part(made, 0), *to_h = part(made, 1), *carry = part(made, 2);
    States states = {data(given[1]), data(given[5]), steps, units};
    States carried = {data(given[2]), cells, steps, units};
    WithoutLock unlocked(time);
    products.pack(data(given[3]), data(given[4]));
    parallel(workers, [&](int worker, int all) {
        Part own = part_of(s.batch, worker, all);
        int64_t examples = own.end - own.begin;
        if (!examples) return;
        std::fill(to_h + own.begin * units, to_h + own.end * units, 0.0f);
        std::fill(carry + own.begin * units, carry + own.end * units, 0.0f);
        for (int64_t t = steps - 1; t >= 0; t--) {
            float* here = sums + (own.begin + (products.later() ? t * s.batch : 0)) * wide;
            for (int64_t b = own.begin; b < own.end; b++) {
                int64_t at = b * steps + t;
                recurrent_vectors().lstm_gradient(
                    {gates + at * wide, carried.before(b, t), cells + at * units,
                     from_hidden.at(at), from_cells.at(at), here + (b - own.begin) * wide,
                     to_h + b * units, carry + b * units},
                    units);
            }
            all_sums.put(t * s.batch + own.begin, examples, here, wide);
            products.keep(own, t, x, states);
            for (int64_t b = own.begin; b < own.end && t > 0; b++) {
                int64_t at = b * steps + t - 1;
                will_need(gates + at * wide, wide);
                will_need(carried.before(b, t - 1), units);
                will_need(from_hidden.at(at), units);
                will_need(from_cells.at(at), units);
                will_need(x + at * s.inputs, s.inputs);
                will_need(states.before(b, t - 1), units);
            }
            products.multiply_states(own, here, to_h, false);
            products.multiply_inputs(own, t, here, to_x);
        }
    });
    if (products.later()) products.multiply_later(sums, to_x);
    parallel(workers, [&](int worker, int all) {
        Part own = part_of(2 * all_sums.panels(), worker, all);
        for (int64_t i = own.begin; i < own.end; i++) {
            int64_t panel = i / 2;
            if (i % 2) {
                all_sums.add_up(products.states, panel, part(made, 4), wide);
            } else {
                all_sums.add_up(products.inputs, panel, part(made, 3), wide);
                all_sums.add_up_rows(panel, part(made, 5));
            }
        }
    });
    return made;
}

}  // namespace gradtape
