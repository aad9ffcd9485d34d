// The loops behind the table `AttentionVectors`, for one instruction set: see simd.h.
#pragma once

#include "simd/attention_vectors.h"
#include "simd/mathematics.h"

namespace gradtape {
namespace ISA {

ALWAYS_INLINE Floats biased(Floats score, Floats bias, Floats scale) {
    return choose(bias <= all(MASKED_FROM), bias, score * scale + bias);
}

inline float attention_weigh(float* scores, const float* bias, float scale, int64_t count,
                             float* highest) {
    const Floats factor = all(scale);
    // The lanes after the last score take no part: -inf in the maximum, 0 in the sum.
    Floats most = all(-INFINITY), other = most;
    int64_t i = 0;
    auto score = [&](int64_t at) {
        Floats s = load(scores + at);
        s = bias ? biased(s, load(bias + at), factor) : s * factor;
        store(scores + at, s);
        return s;
    };
    for (; i + 2 * LANES <= count; i += 2 * LANES) {
        most = largest(score(i), most);
        other = largest(score(i + LANES), other);
    }
    for (; i + LANES <= count; i += LANES) most = largest(score(i), most);
    float top = largest_of_lanes(largest(most, other));
    for (; i < count; i++) {
        bool masked = bias && bias[i] <= MASKED_FROM;
        float s = masked ? bias[i] : scores[i] * scale + (bias ? bias[i] : 0.0f);
        scores[i] = s;
        top = s > top || s != s ? s : top;
    }
    *highest = top;
    Floats sum = {};
    const Floats shift = all(top);
    for (i = 0; i + LANES <= count; i += LANES) {
        Floats weight = exp_of(load(scores + i) - shift);
        store(scores + i, weight);
        sum += weight;
    }
    if (i < count) {
        store_some(scores + i, exp_of(load_some(scores + i, count - i) - shift), count - i);
        sum += load_some(scores + i, count - i);
    }
    return sum_of_lanes(sum);
}

inline void attention_weigh_again(float* scores, const float* bias, float scale, float shift,
                                  int64_t count) {
    const Floats factor = all(scale), less = all(shift);
    each_vector(count, [=](auto at) {
        Floats s = at.get(scores);
        s = bias ? biased(s, at.get(bias), factor) : s * factor;
        at.put(scores, exp_of(s - less));
    });
}

inline void attention_score_gradient(float* result, const float* weights, const float* bias,
                                     float mean, float scale, int64_t count) {
    const Floats factor = all(scale), middle = all(mean);
    each_vector(count, [=](auto at) {
        Floats d = at.get(weights) * (at.get(result) - middle) * factor;
        if (bias) d = choose(at.get(bias) <= all(MASKED_FROM), Floats{}, d);
        at.put(result, d);
    });
}

inline float attention_dot(const float* x, const float* y, int64_t count) {
    Floats sum = {};
    each_vector(count, [&](auto at) { sum += at.get(x) * at.get(y); });
    return sum_of_lanes(sum);
}

inline void attention_scale(float* x, float factor, int64_t count) {
    const Floats by = all(factor);
    each_vector(count, [=](auto at) { at.put(x, at.get(x) * by); });
}

extern const AttentionVectors ATTENTION_VECTORS = {attention_weigh, attention_weigh_again,
                                                   attention_score_gradient, attention_dot,
                                                   attention_scale};

}  // namespace ISA
}  // namespace gradtape
