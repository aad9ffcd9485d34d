// The loops behind the table `WinogradVectors`, for one instruction set: see simd.h.
#pragma once

#include "simd/convolution_loops.h"
#include "simd/winograd_vectors.h"

namespace gradtape {
namespace ISA {

ALWAYS_INLINE void weights_row(Floats a, Floats b, Floats c, float* to, int64_t step) {
    const Floats half = all(0.5f);
    store(to, a);
    store(to + step, half * (a + c + b));
    store(to + 2 * step, half * (a + c - b));
    store(to + 3 * step, c);
}

inline void winograd_weights(const float* const* window, int64_t columns, float* to, int64_t step) {
    each_vector(columns, [&](auto at) {
        Floats top[3], sum[3], difference[3], bottom[3];
        for (int j = 0; j < 3; j++) {
            Floats a = at.get(window[j]), b = at.get(window[3 + j]), c = at.get(window[6 + j]);
            top[j] = a;
            sum[j] = all(0.5f) * (a + c + b);
            difference[j] = all(0.5f) * (a + c - b);
            bottom[j] = c;
        }
        weights_row(top[0], top[1], top[2], to + at.i, step);
        weights_row(sum[0], sum[1], sum[2], to + 4 * step + at.i, step);
        weights_row(difference[0], difference[1], difference[2], to + 8 * step + at.i, step);
        weights_row(bottom[0], bottom[1], bottom[2], to + 12 * step + at.i, step);
    });
}

// Computes Bᵀ d of one column of pixels.
template <class Position>
ALWAYS_INLINE void source_column(const float* const* pixels, Position at, Floats (&made)[4]) {
    Floats b = at.get(pixels[4]), c = at.get(pixels[8]);
    made[0] = at.get(pixels[0]) - c;
    made[1] = b + c;
    made[2] = c - b;
    made[3] = b - at.get(pixels[12]);
}

inline void winograd_sources(const float* const* pixels, int64_t channels, float* to,
                             int64_t step) {
    const float* d[16];
    for (int i = 0; i < 16; i++) d[i] = pixels[i];
    // The next row of tiles begins two rows of pixels below. (A hint: at an edge it leads nowhere.)
    for (int j = 1; j < 3; j++) {
        const int64_t row = d[12 + j] - d[8 + j];
        for (int64_t c = 0; c < channels; c += 16) {
            __builtin_prefetch(d[8 + j] + 2 * row + c, 0, 2);
            __builtin_prefetch(d[12 + j] + 2 * row + c, 0, 2);
        }
    }
    each_vector(channels, [&](auto at) {
        auto put = [&](int position, Floats v) { store(to + position * step + at.i, v); };
        // In an order in which few columns are needed at a time: all stay in registers.
        Floats column[4], third[4], last[4];
        source_column(d, at, column);
        source_column(d + 2, at, third);
        for (int i = 0; i < 4; i++) put(4 * i, column[i] - third[i]);
        source_column(d + 1, at, column);
        for (int i = 0; i < 4; i++) put(4 * i + 1, column[i] + third[i]);
        for (int i = 0; i < 4; i++) put(4 * i + 2, third[i] - column[i]);
        source_column(d + 3, at, last);
        for (int i = 0; i < 4; i++) put(4 * i + 3, column[i] - last[i]);
    });
}

ALWAYS_INLINE void gradient_row(Floats left, Floats right, float* to, int64_t step) {
    store(to, left);
    store(to + step, left + right);
    store(to + 2 * step, left - right);
    store(to + 3 * step, -right);
}

inline void winograd_gradients(const float* const* pixels, int64_t channels, float* to,
                               int64_t step) {
    const float *p00 = pixels[0], *p01 = pixels[1], *p10 = pixels[2], *p11 = pixels[3];
    each_vector(channels, [&](auto at) {
        Floats d00 = at.get(p00), d01 = at.get(p01), d10 = at.get(p10), d11 = at.get(p11);
        gradient_row(d00, d01, to + at.i, step);
        gradient_row(d00 + d10, d01 + d11, to + 4 * step + at.i, step);
        gradient_row(d00 - d10, d01 - d11, to + 8 * step + at.i, step);
        gradient_row(-d10, -d11, to + 12 * step + at.i, step);
    });
}

inline bool winograd_results(const WinogradResults& r) {
    Floats sum = {};  // of zeros, while everything is finite
    const int64_t step = r.position_step;
    for (int64_t tile = 0; tile < r.tiles; tile++) {
        bool right = r.whole_right || tile + 1 < r.tiles;
        float* target = r.target + 2 * tile * r.pixel_step;
        for (int64_t c = 0; c < r.columns; c += LANES) {
            const float* m = r.products + tile * r.tile_step + c;
            Floats top[4], bottom[4];
            for (int j = 0; j < 4; j++) {
                Floats m1 = load(m + (4 + j) * step), m2 = load(m + (8 + j) * step);
                top[j] = load(m + j * step) + (m1 + m2);
                bottom[j] = (m1 - m2) - load(m + (12 + j) * step);
            }
            auto put = [&](float* to, Floats y) {
                store_columns(to + c, y, 0, r.columns - c);
                sum += y * Floats{};
            };
            put(target, top[0] + (top[1] + top[2]));
            if (right) put(target + r.pixel_step, (top[1] - top[2]) - top[3]);
            if (!r.whole_below) continue;
            put(target + r.row_step, bottom[0] + (bottom[1] + bottom[2]));
            if (right) put(target + r.row_step + r.pixel_step, (bottom[1] - bottom[2]) - bottom[3]);
        }
    }
    return sum_of_lanes(sum) == 0;
}

extern const WinogradVectors WINOGRAD_VECTORS = {winograd_weights, winograd_sources,
                                                 winograd_gradients, winograd_results};

}  // namespace ISA
}  // namespace gradtape
