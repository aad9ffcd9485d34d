// Steps of optimizers for the table `Vectors`, in one pass each. They round as the separate ops of
// the NumPy version do (backends/numpy/updates.py), so that both give the same numbers.
#pragma once

#include "simd/simd.h"
#include "simd/vectors.h"

namespace gradtape {
namespace ISA {

static void descend(float* value, const float* gradient, float rate, int64_t count) {
    each_vector(count, [=](auto at) {
        at.put(value, at.get(value) - product(at.get(gradient), all(rate)));
    });
}

static void momentum(float* value, float* moving, const float* gradient, float rate, float decay,
                     bool nesterov, int64_t count) {
    each_vector(count, [=](auto at) {
        Floats step = product(at.get(gradient), all(rate));
        Floats m = product(at.get(moving), all(decay)) - step;
        at.put(moving, m);
        at.put(value, at.get(value) + (nesterov ? product(m, all(decay)) - step : m));
    });
}

template <class Position>
ALWAYS_INLINE Floats squared(Position at, Floats g, const float* squares) {
    return squares ? at.get(squares) : product(g, g);
}

static void adam(float* value, float* first, float* second, const float* gradient, float rate,
                 float part_1, float part_2, float epsilon, float* highest, const float* squares,
                 int64_t count) {
    each_vector(count, [=](auto at) {
        Floats g = at.get(gradient), m = at.get(first), v = at.get(second);
        m = m + product(g - m, all(part_1));
        at.put(first, m);
        v = v + product(squared(at, g, squares) - v, all(part_2));
        at.put(second, v);
        if (highest) {
            v = largest(at.get(highest), v);
            at.put(highest, v);
        }
        at.put(value, at.get(value) - m * all(rate) / (square_root(v) + all(epsilon)));
    });
}

static void rmsprop(float* value, float* second, const float* gradient, float rate, float rho,
                    float rest, float epsilon, const float* squares, int64_t count) {
    each_vector(count, [=](auto at) {
        Floats g = at.get(gradient);
        Floats v = product(at.get(second), all(rho)) + product(squared(at, g, squares), all(rest));
        at.put(second, v);
        at.put(value, at.get(value) - g * all(rate) / square_root(v + all(epsilon)));
    });
}

static void adagrad(float* value, float* total, const float* gradient, float rate, float epsilon,
                    const float* squares, int64_t count) {
    each_vector(count, [=](auto at) {
        Floats g = at.get(gradient), t = at.get(total) + squared(at, g, squares);
        at.put(total, t);
        at.put(value, at.get(value) - g * all(rate) / square_root(t + all(epsilon)));
    });
}

constexpr UpdateLoops UPDATE_LOOPS = {descend, momentum, adam, rmsprop, adagrad};

}  // namespace ISA
}  // namespace gradtape
