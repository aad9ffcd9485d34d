// The loops behind the table `ConvolutionVectors`, for one instruction set: see simd.h.
//
// Tiles of HEIGHT × WIDE vectors of sums stay in registers while the loops run over what is summed.
#pragma once

#include "simd/convolution_vectors.h"
#include "simd/simd.h"

namespace gradtape {
namespace ISA {

// As many sums as there are registers for, besides two for weights and one for a number.
#if LANES == 16
enum { TALLEST = 14, TALLEST_NARROW = 14 };
#else
enum { TALLEST = 6, TALLEST_NARROW = 12 };
#endif

ALWAYS_INLINE Floats load_columns(const float* p, int vector, int64_t columns) {
    int64_t count = columns - vector * LANES;
    if (count >= LANES) return load(p + vector * LANES);
    return count > 0 ? load_some(p + vector * LANES, count) : Floats{};
}
ALWAYS_INLINE void store_columns(float* p, Floats v, int vector, int64_t columns) {
    int64_t count = columns - vector * LANES;
    if (count >= LANES) store(p + vector * LANES, v);
    else if (count > 0) store_some(p + vector * LANES, v, count);
}

// Asking for every vector whether it is whole takes as long as some steps of the sum.
template <int HEIGHT, int WIDE>
ALWAYS_INLINE void store_tile(float* to, int64_t step, const Floats (&sums)[HEIGHT][WIDE],
                              int64_t columns) {
    if (columns >= WIDE * LANES) {
        for (int m = 0; m < HEIGHT; m++)
            for (int v = 0; v < WIDE; v++) store(to + m * step + v * LANES, sums[m][v]);
        return;
    }
    for (int m = 0; m < HEIGHT; m++)
        for (int v = 0; v < WIDE; v++) store_columns(to + m * step, sums[m][v], v, columns);
}

template <int HEIGHT, int WIDE>
void pixel_tile(const PixelRow& row, const float* source, float* target) {
    Floats sums[HEIGHT][WIDE];
    for (int m = 0; m < HEIGHT; m++)
        for (int v = 0; v < WIDE; v++)
            sums[m][v] = row.accumulate ? load_columns(target + m * row.target_step, v, row.columns)
                                        : Floats{};
    const float* weights = row.weights;
    const int64_t step = row.source_step, weights_step = row.weights_step;
    for (int64_t r = 0; r < row.run_count; r++) {
        const float* run = source + row.runs[r].offset;
        const int64_t length = row.runs[r].length;
        for (int64_t k = 0; k < length; k++) {
            Floats w[WIDE];
            for (int v = 0; v < WIDE; v++) w[v] = load(weights + v * LANES);
            weights += weights_step;
#pragma GCC unroll 16
            for (int m = 0; m < HEIGHT; m++) {
                Floats x = all(run[k + m * step]);
                for (int v = 0; v < WIDE; v++) sums[m][v] += x * w[v];
            }
        }
    }
    store_tile<HEIGHT, WIDE>(target, row.target_step, sums, row.columns);
}

template <int HEIGHT, int WIDE, bool SCATTERED>
void sum_tile(const PixelSum& sum, int64_t first) {
    Floats sums[HEIGHT][WIDE];
    float* result = sum.result + first * sum.result_step;
    for (int m = 0; m < HEIGHT; m++)
        for (int v = 0; v < WIDE; v++)
            sums[m][v] = sum.accumulate ? load_columns(result + m * sum.result_step, v, sum.columns)
                                        : Floats{};
    int64_t offsets[HEIGHT];
    for (int m = 0; m < HEIGHT; m++) offsets[m] = SCATTERED ? sum.offsets[first + m] : m;
    const float* weights = sum.weights;
    for (int64_t r = 0; r < sum.row_count; r++) {
        const float* source = sum.source + r * sum.row_step + (SCATTERED ? 0 : first);
        for (int64_t p = 0; p < sum.pixels; p++, source += sum.source_step) {
            Floats w[WIDE];
            for (int v = 0; v < WIDE; v++) w[v] = load(weights + v * LANES);
            weights += sum.weights_step;
#pragma GCC unroll 16
            for (int m = 0; m < HEIGHT; m++) {
                Floats x = all(source[offsets[m]]);
                for (int v = 0; v < WIDE; v++) sums[m][v] += x * w[v];
            }
        }
    }
    store_tile<HEIGHT, WIDE>(result, sum.result_step, sums, sum.columns);
}

// Calls Tile<height>::run for tiles of nearly equal heights, the tallest not above HEIGHT: a row
// of 13 becomes 5 + 4 + 4 rather than 6 + 6 + 1, which would leave registers without work.
template <template <int, int> class Tile, int WIDE, int HEIGHT>
struct ByHeight {
    template <class Job>
    ALWAYS_INLINE void run(int height, const Job& job, int64_t first) {
        if (height == HEIGHT) Tile<HEIGHT, WIDE>::run(job, first);
        else ByHeight<Tile, WIDE, HEIGHT - 1>::run(height, job, first);
    }
};
template <template <int, int> class Tile, int WIDE>
struct ByHeight<Tile, WIDE, 0> {
    template <class Job>
    ALWAYS_INLINE void run(int, const Job&, int64_t) {}
};

template <template <int, int> class Tile, int WIDE, int HEIGHT, class Job>
void in_tiles(const Job& job, int64_t count) {
    int64_t tiles = (count + HEIGHT - 1) / HEIGHT;
    for (int64_t i = 0, first = 0; i < tiles; i++) {
        int64_t next = count * (i + 1) / tiles;
        ByHeight<Tile, WIDE, HEIGHT>::run(static_cast<int>(next - first), job, first);
        first = next;
    }
}

template <int HEIGHT, int WIDE>
struct PixelTile {
    ALWAYS_INLINE void run(const PixelRow& row, int64_t first) {
        pixel_tile<HEIGHT, WIDE>(row, row.source + first * row.source_step,
                                 row.target + first * row.target_step);
    }
};
template <int HEIGHT, int WIDE>
struct SumTile {
    ALWAYS_INLINE void run(const PixelSum& sum, int64_t first) {
        sum_tile<HEIGHT, WIDE, false>(sum, first);
    }
};

template <int HEIGHT, int WIDE>
struct ScatteredTile {
    ALWAYS_INLINE void run(const PixelSum& sum, int64_t first) {
        sum_tile<HEIGHT, WIDE, true>(sum, first);
    }
};

inline void pixel_row(const PixelRow& row, int vectors) {
    if (vectors == 2) in_tiles<PixelTile, 2, TALLEST>(row, row.pixels);
    else in_tiles<PixelTile, 1, TALLEST_NARROW>(row, row.pixels);
}

inline void pixel_sum(const PixelSum& sum, int vectors) {
    if (sum.offsets && vectors == 2) in_tiles<ScatteredTile, 2, TALLEST>(sum, sum.height);
    else if (sum.offsets) in_tiles<ScatteredTile, 1, TALLEST_NARROW>(sum, sum.height);
    else if (vectors == 2) in_tiles<SumTile, 2, TALLEST>(sum, sum.height);
    else in_tiles<SumTile, 1, TALLEST_NARROW>(sum, sum.height);
}

template <int PIXELS>
ALWAYS_INLINE void depthwise_tile(const DepthwiseRow& row, int64_t first) {
    const float* source = row.source + first * row.source_step;
    float* target = row.target + first * row.target_step;
    for (int64_t c = 0; c < row.channels; c += LANES) {
        Floats sums[PIXELS] = {};
        for (int64_t p = 0; p < row.taps; p++) {
            const float* tap = source + row.offsets[p] + c;
            Floats w = load(row.weights + p * row.weights_step + c);
#pragma GCC unroll 8
            for (int m = 0; m < PIXELS; m++) sums[m] += w * load(tap + m * row.source_step);
        }
        for (int m = 0; m < PIXELS; m++)
            store_columns(target + m * row.target_step + c, sums[m], 0, row.channels - c);
    }
}

inline void depthwise_row(const DepthwiseRow& row) {
    int64_t first = 0;
    for (; first + 8 <= row.pixels; first += 8) depthwise_tile<8>(row, first);
    for (; first + 4 <= row.pixels; first += 4) depthwise_tile<4>(row, first);
    for (; first < row.pixels; first++) depthwise_tile<1>(row, first);
}

template <int COUNT, int WIDE>
struct DepthwiseSumTile {
    ALWAYS_INLINE void run(const DepthwiseSum& sum, int64_t first) {
        for (int64_t c = 0; c < sum.channels; c += LANES) {
            Floats sums[COUNT] = {};
            const float *source = sum.source + c, *gradient = sum.gradient + c;
            int64_t offsets[COUNT];
            for (int m = 0; m < COUNT; m++) offsets[m] = sum.offsets[first + m];
            for (int64_t p = 0; p < sum.pixels; p++) {
                Floats g = load(gradient);
#pragma GCC unroll 16
                for (int m = 0; m < COUNT; m++) sums[m] += g * load(source + offsets[m]);
                source += sum.source_step;
                gradient += sum.gradient_step;
            }
            for (int m = 0; m < COUNT; m++) {
                float* at = sum.result + (first + m) * sum.result_step + c;
                store(at, load(at) + sums[m]);
            }
        }
    }
};

inline void depthwise_sum(const DepthwiseSum& sum) {
    in_tiles<DepthwiseSumTile, 1, 9>(sum, sum.taps);
}

extern const ConvolutionVectors CONVOLUTION_VECTORS = {LANES,     TALLEST,       pixel_row,
                                                       pixel_sum, depthwise_row, depthwise_sum};

}  // namespace ISA
}  // namespace gradtape
