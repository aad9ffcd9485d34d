// GRU that resets after the product: the candidate needs the products with inputs and with the
// state apart, so each step has two products, and one pass over the gates.
#include <algorithm>

#include "recurrent.h"

namespace gradtape {

// x, h, w [inputs, 3 units], u [units, 3 units], b [2, 3 units]
PyObject* gru(PyObject* const* arguments, Py_ssize_t count, PyObject*) {
    PlainArguments given(arguments, count);
    Sequences s;
    if (count != 5 || !read_sequences(given, &s)) return nullptr;
    const int64_t units = s.units, three = 3 * units, wide = 4 * units, steps = s.steps;
    const int64_t joint = s.inputs + units;
    if (!has_shape(given[2], {s.inputs, three}) || !has_shape(given[3], {units, three}) ||
        !has_shape(given[4], {2, three}))
        return nullptr;
    double time = s.time(3);
    int workers = workers_for(time);
    Packed weights(joint, three);
    Scratch scratch(weights.size() + s.batch * (joint + 2 * three));
    PyObject* made = new_arrays({{s.batch, steps, units}, {s.batch, steps, wide}});
    if (!scratch || !made) {
        Py_CLEAR(made);
        return nullptr;
    }
    float *hidden = part(made, 0), *gates = part(made, 1);
    const float *x = data(given[0]), *first = data(given[1]), *bias = data(given[4]);
    float *rows = scratch.begin() + weights.size(), *products = rows + s.batch * joint;
    float* sums = products + s.batch * three;
    WithoutLock unlocked(time);
    pack_parts(weights, scratch.begin(),
               {{{data(given[2]), three, false}, s.inputs},
                {{data(given[3]), three, false}, units}},
               workers);
    bool ahead = s.ahead(workers, weights.size());
    if (ahead) multiply_inputs(s, x, weights, gates, wide, three, workers);
    parallel(workers, [&](int worker, int all) {
        Part own = part_of(s.batch, worker, all);
        int64_t examples = own.end - own.begin;
        if (!examples) return;
        float* here = rows + own.begin * joint;  // inputs and state, side by side
        for (int64_t b = own.begin; b < own.end; b++)
            std::copy_n(first + b * units, units, rows + b * joint + s.inputs);
        for (int64_t t = 0; t < steps; t++) {
            for (int64_t b = own.begin; b < own.end; b++) {
                will_need<true>(gates + (b * steps + t) * wide, wide);
                will_need<true>(hidden + (b * steps + t) * units, units);
            }
            if (!ahead) {
                for (int64_t b = own.begin; b < own.end; b++)
                    std::copy_n(x + (b * steps + t) * s.inputs, s.inputs, rows + b * joint);
                weights.multiply(here, joint, sums + own.begin * three, three, examples, false,
                                 s.inputs, three);
            }
            weights.multiply(here + s.inputs, joint, products + own.begin * three, three, examples,
                             false, Part{s.inputs, joint}, three);
            for (int64_t b = own.begin; b < own.end; b++) {
                int64_t at = b * steps + t;
                recurrent_vectors().gru(
                    {ahead ? gates + at * wide : sums + b * three, products + b * three, bias,
                     bias + three, gates + at * wide, hidden + at * units,
                     rows + b * joint + s.inputs},
                    units);
            }
        }
    });
    return made;
}

// x, h, w, u, what came out (hidden, gates), and the gradient of hidden.
PyObject* gru_grad(PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    if (count != 7) return nullptr;
    PlainArguments given(arguments, 6);
    Sequences s;
    if (!read_sequences(given, &s)) return nullptr;
    Arriving from_hidden(arguments[6], s);
    const int64_t units = s.units, three = 3 * units, wide = 4 * units, steps = s.steps;
    if (!from_hidden || !has_shape(given[2], {s.inputs, three}) ||
        !has_shape(given[3], {units, three}) || !has_shape(given[4], {s.batch, steps, units}) ||
        !has_shape(given[5], {s.batch, steps, wide}))
        return nullptr;
    bool wants_input = keyword(arguments, count, names, "input_gradient") != Py_False;
    double time = 2 * s.time(3);
    int workers = workers_for(time);
    Packed to_states(three, units), to_inputs(three, wants_input ? s.inputs : 0);
    bool later = wants_input && s.ahead(workers, to_inputs.size());  // the product for the inputs
    SummedLeft all_inputs(s.rows(), s.inputs), all_states(s.rows(), units);
    SummedRight input_sums(s.rows(), three), state_sums(s.rows(), three);
    Scratch scratch(to_states.size() + to_inputs.size() + all_inputs.size() + all_states.size() +
                    input_sums.size() + state_sums.size() +
                    (s.batch + (later ? s.rows() : s.batch)) * three);
    std::vector<npy_intp> input_shape = {s.batch, steps, s.inputs};
    if (!wants_input) input_shape = {0};
    PyObject* made = new_arrays(
        {input_shape, {s.batch, units}, {s.inputs, three}, {units, three}, {2, three}});
    if (!scratch || !made) {
        Py_CLEAR(made);
        return nullptr;
    }
    const float *x = data(given[0]), *gates = data(given[5]);
    float* next = scratch.begin() + to_states.size() + to_inputs.size();
    all_inputs.place(next);
    all_states.place(next += all_inputs.size());
    input_sums.place(next += all_states.size());
    state_sums.place(next += input_sums.size());
    float *of_states = next + state_sums.size(), *of_inputs = of_states + s.batch * three;
    float *to_x = part(made, 0), *to_h = part(made, 1);
    States states = {data(given[1]), data(given[4]), steps, units};
    WithoutLock unlocked(time);
    pack_parts(to_states, scratch.begin(), {{{data(given[3]), three, true}, three}}, workers);
    if (wants_input)
        pack_parts(to_inputs, scratch.begin() + to_states.size(),
                   {{{data(given[2]), three, true}, three}}, workers);
    parallel(workers, [&](int worker, int all) {
        Part own = part_of(s.batch, worker, all);
        int64_t examples = own.end - own.begin;
        if (!examples) return;
        std::fill(to_h + own.begin * units, to_h + own.end * units, 0.0f);
        for (int64_t t = steps - 1; t >= 0; t--) {
            float* here = of_inputs + (own.begin + (later ? t * s.batch : 0)) * three;
            for (int64_t b = own.begin; b < own.end; b++) {
                int64_t at = b * steps + t;
                recurrent_vectors().gru_gradient(
                    {gates + at * wide, states.before(b, t), from_hidden.at(at),
                     here + (b - own.begin) * three, of_states + b * three, to_h + b * units},
                    units);
            }
            int64_t row = t * s.batch + own.begin;
            const float* other = of_states + own.begin * three;
            input_sums.put(row, examples, here, three);
            state_sums.put(row, examples, other, three);
            all_inputs.put(row, examples, x + (own.begin * steps + t) * s.inputs,
                           steps * s.inputs);
            all_states.put(row, examples, states.before(own.begin, t), states.distance(t));
            for (int64_t b = own.begin; b < own.end && t > 0; b++) {
                int64_t at = b * steps + t - 1;
                will_need(gates + at * wide, wide);
                will_need(from_hidden.at(at), units);
                will_need(x + at * s.inputs, s.inputs);
                will_need(states.before(b, t - 1), units);
            }
            to_states.multiply(other, three, to_h + own.begin * units, units, examples, true);
            if (wants_input && !later)
                to_inputs.multiply(here, three, to_x + (own.begin * steps + t) * s.inputs,
                                   steps * s.inputs, examples, false);
        }
    });
    if (later) multiply_sums(s, of_inputs, three, to_inputs, to_x, workers);
    float* to_bias = part(made, 4);
    parallel(workers, [&](int worker, int all) {
        Part own = part_of(2 * input_sums.panels(), worker, all);
        for (int64_t i = own.begin; i < own.end; i++) {
            const SummedRight& sums = i % 2 ? state_sums : input_sums;
            sums.add_up(i % 2 ? all_states : all_inputs, i / 2, part(made, 2 + i % 2), three);
            sums.add_up_rows(i / 2, to_bias + i % 2 * three);
        }
    });
    return made;
}

}  // namespace gradtape
