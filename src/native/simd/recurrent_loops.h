// The loops behind the table `RecurrentVectors`, for one instruction set: see simd.h.
#pragma once

#include "simd/mathematics.h"
#include "simd/recurrent_vectors.h"

namespace gradtape {
namespace ISA {

// Returns the derivatives of sigmoid and tanh, given their values.
ALWAYS_INLINE Floats sigmoid_slope(Floats y) { return y * (all(1) - y); }
ALWAYS_INLINE Floats tanh_slope(Floats y) { return all(1) - y * y; }

inline void lstm_step(const LstmStep& step, int64_t units) {
    const float *sums = step.sums, *bias = step.bias;
    float* gates = step.gates;
    each_vector(units, [=](auto at) {
        auto sum = [=](int64_t gate) __attribute__((always_inline)) {
            return at.get(sums + gate * units) + at.get(bias + gate * units);
        };
        Floats input = sigmoid_of(sum(0)), forget = sigmoid_of(sum(1));
        Floats candidate = tanh_of(sum(2)), output = sigmoid_of(sum(3));
        Floats cell = forget * at.get(step.before) + input * candidate;
        Floats hidden = output * tanh_of(cell);
        at.put(gates, input);
        at.put(gates + units, forget);
        at.put(gates + 2 * units, candidate);
        at.put(gates + 3 * units, output);
        at.put(step.cell, cell);
        at.put(step.hidden, hidden);
        at.put(step.state, hidden);
    });
}

inline void lstm_gradient(const LstmGradient& step, int64_t units) {
    const float* gates = step.gates;
    float* to = step.to_sums;
    each_vector(units, [=](auto at) {
        Floats i = at.get(gates), f = at.get(gates + units), g = at.get(gates + 2 * units);
        Floats o = at.get(gates + 3 * units), c = tanh_of(at.get(step.cell));
        Floats dh = at.get(step.from_hidden) + at.get(step.hidden);
        Floats dc = at.get(step.from_cell) + at.get(step.carry) + dh * o * tanh_slope(c);
        at.put(to, dc * g * sigmoid_slope(i));
        at.put(to + units, dc * at.get(step.before) * sigmoid_slope(f));
        at.put(to + 2 * units, dc * i * tanh_slope(g));
        at.put(to + 3 * units, dh * c * sigmoid_slope(o));
        at.put(step.carry, dc * f);
    });
}

inline void gru_step(const GruStep& step, int64_t units) {
    const float *s = step.sums, *u = step.recurrent;
    const float *a = step.input_bias, *b = step.recurrent_bias;
    float* gates = step.gates;
    each_vector(units, [=](auto at) {
        Floats update = sigmoid_of(at.get(s) + at.get(a) + at.get(u) + at.get(b));
        Floats reset = sigmoid_of(at.get(s + units) + at.get(a + units) + at.get(u + units) +
                                  at.get(b + units));
        Floats inner = at.get(u + 2 * units) + at.get(b + 2 * units);
        Floats candidate = tanh_of(at.get(s + 2 * units) + at.get(a + 2 * units) + reset * inner);
        Floats hidden = update * at.get(step.state) + (all(1) - update) * candidate;
        at.put(gates, update);
        at.put(gates + units, reset);
        at.put(gates + 2 * units, candidate);
        at.put(gates + 3 * units, inner);
        at.put(step.hidden, hidden);
        at.put(step.state, hidden);
    });
}

inline void gru_gradient(const GruGradient& step, int64_t units) {
    const float* gates = step.gates;
    float *to_inputs = step.to_inputs, *to_recurrent = step.to_recurrent;
    each_vector(units, [=](auto at) {
        Floats z = at.get(gates), r = at.get(gates + units), g = at.get(gates + 2 * units);
        Floats dh = at.get(step.from_hidden) + at.get(step.hidden);
        Floats dz = dh * (at.get(step.before) - g) * sigmoid_slope(z);
        Floats dg = dh * (all(1) - z) * tanh_slope(g);
        Floats dr = dg * at.get(gates + 3 * units) * sigmoid_slope(r);
        at.put(to_inputs, dz);
        at.put(to_inputs + units, dr);
        at.put(to_inputs + 2 * units, dg);
        at.put(to_recurrent, dz);
        at.put(to_recurrent + units, dr);
        at.put(to_recurrent + 2 * units, dg * r);
        at.put(step.hidden, dh * z);
    });
}

extern const RecurrentVectors RECURRENT_VECTORS = {lstm_step, lstm_gradient, gru_step,
                                                   gru_gradient};

}  // namespace ISA
}  // namespace gradtape
