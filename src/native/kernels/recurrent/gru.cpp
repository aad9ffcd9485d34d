// GRU that resets after the product: the candidate needs the products with inputs and with the
// state apart, so each step has two products, and one pass over the gates.
#include <algorithm>

#include "kernels/recurrent/recurrent.h"

namespace gradtape {

// Takes x, h, w [inputs, 3 units], u [units, 3 units], b [2, 3 units]
PyObject* gru(PyObject* const* arguments, Py_ssize_t count, PyObject*) {
    PlainArguments given(arguments, count);
    Sequences s;
    if (count != 5 || !read_sequences(given, &s)) return nullptr;
    const int64_t units = s.units, columns = 3 * units, saved = 4 * units, steps = s.steps;
    const int64_t joint = s.inputs + units;
    if (!has_shape(given[2], {s.inputs, columns}) || !has_shape(given[3], {units, columns}) ||
        !has_shape(given[4], {2, columns}))
        return nullptr;
    double time = s.time(3);
    int workers = workers_for(time);
    Packed weights(joint, columns);
    Scratch scratch(weights.size() + s.batch * (joint + 2 * columns));
    PyObject* made = new_arrays({{s.batch, steps, units}, {s.batch, steps, saved}});
    if (!scratch || !made) {
        Py_CLEAR(made);
        return nullptr;
    }
    float *hidden = part(made, 0), *gates = part(made, 1);
    const float *x = data(given[0]), *first = data(given[1]), *bias = data(given[4]);
    JointRows rows = {s, scratch.begin() + weights.size()};
    float* products = rows.rows + s.batch * joint;
    float* sums = products + s.batch * columns;
    WithoutLock unlocked(time);
    pack_parts(
        weights, scratch.begin(),
        {{{data(given[2]), columns, false}, s.inputs}, {{data(given[3]), columns, false}, units}},
        workers);
    bool ahead = s.ahead(workers, weights.size());
    if (ahead) multiply_inputs(s, x, weights, gates, saved, columns, workers);
    parallel(workers, [&](int worker, int all) {
        Part own = part_of(s.batch, worker, all);
        int64_t examples = own.end - own.begin;
        if (!examples) return;
        rows.set_states(own, first);
        for (int64_t t = 0; t < steps; t++) {
            for (int64_t b = own.begin; b < own.end; b++) {
                will_need<true>(gates + (b * steps + t) * saved, saved);
                will_need<true>(hidden + (b * steps + t) * units, units);
            }
            if (!ahead) {
                rows.set_inputs(own, x, t);
                weights.multiply(rows.inputs(own.begin), joint, sums + own.begin * columns, columns,
                                 examples, false, s.inputs, columns);
            }
            weights.multiply(rows.state(own.begin), joint, products + own.begin * columns, columns,
                             examples, false, Part{s.inputs, joint}, columns);
            for (int64_t b = own.begin; b < own.end; b++) {
                int64_t at = b * steps + t;
                recurrent_vectors().gru(
                    {ahead ? gates + at * saved : sums + b * columns, products + b * columns, bias,
                     bias + columns, gates + at * saved, hidden + at * units, rows.state(b)},
                    units);
            }
        }
    });
    return made;
}

// Takes x, h, w, u, what came out (hidden, gates), the gradient of hidden, and b, of which only the
// second derivative has need.
PyObject* gru_grad(PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    if (count != 8) return nullptr;
    PlainArguments given(arguments, 6);
    Sequences s;
    if (!read_sequences(given, &s)) return nullptr;
    Arriving from_hidden(arguments[6], s);
    const int64_t units = s.units, columns = 3 * units, saved = 4 * units, steps = s.steps;
    if (!from_hidden || !has_shape(given[2], {s.inputs, columns}) ||
        !has_shape(given[3], {units, columns}) || !has_shape(given[4], {s.batch, steps, units}) ||
        !has_shape(given[5], {s.batch, steps, saved}))
        return nullptr;
    bool wants_input = keyword(arguments, count, names, "input_gradient") != Py_False;
    double time = 2 * s.time(3);
    int workers = workers_for(time);
    BackwardProducts products(s, columns, wants_input, workers);
    SummedRight input_sums(s.rows(), columns), state_sums(s.rows(), columns);
    Scratch scratch(products.size() + input_sums.size() + state_sums.size() +
                    (s.batch + (products.later() ? s.rows() : s.batch)) * columns);
    std::vector<npy_intp> input_shape = {s.batch, steps, s.inputs};
    if (!wants_input) input_shape = {0};
    PyObject* made = new_arrays(
        {input_shape, {s.batch, units}, {s.inputs, columns}, {units, columns}, {2, columns}});
    if (!scratch || !made) {
        Py_CLEAR(made);
        return nullptr;
    }
    const float *x = data(given[0]), *gates = data(given[5]);
    products.set_memory(scratch.begin());
    float* next = scratch.begin() + products.size();
    input_sums.set_memory(next);
    state_sums.set_memory(next += input_sums.size());
    float *of_states = next + state_sums.size(), *of_inputs = of_states + s.batch * columns;
    float *to_x = part(made, 0), *to_h = part(made, 1);
    States states = {data(given[1]), data(given[4]), steps, units};
    WithoutLock unlocked(time);
    products.pack(data(given[2]), data(given[3]));
    parallel(workers, [&](int worker, int all) {
        Part own = part_of(s.batch, worker, all);
        int64_t examples = own.end - own.begin;
        if (!examples) return;
        std::fill(to_h + own.begin * units, to_h + own.end * units, 0.0f);
        for (int64_t t = steps - 1; t >= 0; t--) {
            float* here = of_inputs + (own.begin + (products.later() ? t * s.batch : 0)) * columns;
            for (int64_t b = own.begin; b < own.end; b++) {
                int64_t at = b * steps + t;
                recurrent_vectors().gru_gradient(
                    {gates + at * saved, states.before(b, t), from_hidden.at(at),
                     here + (b - own.begin) * columns, of_states + b * columns, to_h + b * units},
                    units);
            }
            int64_t row = t * s.batch + own.begin;
            const float* other = of_states + own.begin * columns;
            input_sums.put(row, examples, here, columns);
            state_sums.put(row, examples, other, columns);
            products.keep(own, t, x, states);
            for (int64_t b = own.begin; b < own.end && t > 0; b++) {
                int64_t at = b * steps + t - 1;
                will_need(gates + at * saved, saved);
                will_need(from_hidden.at(at), units);
                will_need(x + at * s.inputs, s.inputs);
                will_need(states.before(b, t - 1), units);
            }
            products.multiply_states(own, other, to_h, true);
            products.multiply_inputs(own, t, here, to_x);
        }
    });
    if (products.later()) products.multiply_later(of_inputs, to_x);
    float* to_bias = part(made, 4);
    parallel(workers, [&](int worker, int all) {
        Part own = part_of(2 * input_sums.panels(), worker, all);
        for (int64_t i = own.begin; i < own.end; i++) {
            const SummedRight& sums = i % 2 ? state_sums : input_sums;
            sums.add_up(i % 2 ? products.states : products.inputs, i / 2, part(made, i % 2 ? 3 : 2),
                        columns);
            sums.add_up_rows(i / 2, to_bias + i % 2 * columns);
        }
    });
    return made;
}

}  // namespace gradtape
