// The loops behind the table `RecurrentVectors`, for one instruction set: see simd.h.
#pragma once

#include "mathematics.h"
#include "recurrent_vectors.h"

namespace gradtape {
namespace ISA {

// The derivatives of sigmoid and tanh, given their values.
ALWAYS_INLINE Floats sigmoid_slope(Floats y) { return y * (all(1) - y); }
ALWAYS_INLINE Floats tanh_slope(Floats y) { return all(1) - y * y; }

inline void lstm_step(const LstmStep& step, int64_t units) {
    float *i = step.gates, *f = i + units, *g = f + units, *o = g + units;
    const float* b = step.bias;
    each_vector(units, [=](auto at) {
        Floats input = sigmoid_of(at.get(i) + at.get(b));
        Floats forget = sigmoid_of(at.get(f) + at.get(b + units));
        Floats candidate = tanh_of(at.get(g) + at.get(b + 2 * units));
        Floats output = sigmoid_of(at.get(o) + at.get(b + 3 * units));
        Floats cell = forget * at.get(step.before) + input * candidate;
        at.put(i, input);
        at.put(f, forget);
        at.put(g, candidate);
        at.put(o, output);
        at.put(step.cell, cell);
        at.put(step.hidden, output * tanh_of(cell));
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
    float *z = step.gates, *r = z + units, *g = r + units, *product = g + units;
    const float *a = step.input_bias, *b = step.recurrent_bias, *u = step.recurrent;
    each_vector(units, [=](auto at) {
        Floats update = sigmoid_of(at.get(z) + at.get(a) + at.get(u) + at.get(b));
        Floats reset = sigmoid_of(at.get(r) + at.get(a + units) + at.get(u + units) +
                                  at.get(b + units));
        Floats inner = at.get(u + 2 * units) + at.get(b + 2 * units);
        Floats candidate = tanh_of(at.get(g) + at.get(a + 2 * units) + reset * inner);
        at.put(z, update);
        at.put(r, reset);
        at.put(g, candidate);
        at.put(product, inner);
        at.put(step.hidden, update * at.get(step.before) + (all(1) - update) * candidate);
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
