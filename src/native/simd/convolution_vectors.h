// The inner loops of convolutions, compiled once for each kind of processor.
#pragma once

#include <cstdint>

#include "simd/instruction_set.h"

namespace gradtape {

// A stretch of numbers that lie together, from a pixel's address in memory.
struct Run {
    int64_t offset, length;
};

// A row of pixels, each of which is a product of the numbers on `runs` (from its own address in the
// source) with `weights`: one row of `width` numbers for each of them, `weights_step` apart.
struct PixelRow {
    const float* source;
    int64_t source_step;  // from pixel to pixel
    const Run* runs;
    int64_t run_count;
    const float* weights;
    int64_t weights_step;
    float* target;
    int64_t target_step;
    int64_t pixels, columns;  // columns <= width
    bool accumulate;          // add to what is in the target
};

// Sums over the pixels of some rows: result[i][j] = sum of source[pixel][i] * weights[pixel][j].
struct PixelSum {
    const float* source;
    int64_t source_step;
    const int64_t* offsets;  // where source[pixel][i] lies from the pixel's address, if not at i
    int64_t row_step;        // from row to row in the source
    int64_t row_count, pixels;
    const float* weights;  // for each pixel, the rows one after another
    int64_t weights_step;
    float* result;
    int64_t result_step;
    int64_t height, columns;
    bool accumulate;
};

// Depthwise: each channel has weights of its own. Tap p lies offsets[p] from the pixel.
struct DepthwiseRow {
    const float* source;  // readable to a whole vector after the last channel
    int64_t source_step;
    const int64_t* offsets;
    int64_t taps;
    const float* weights;  // [taps, weights_step], zeros after the last channel
    int64_t weights_step;
    float* target;
    int64_t target_step;
    int64_t pixels, channels;
};
struct DepthwiseSum {
    const float* source;
    int64_t source_step;
    const int64_t* offsets;
    int64_t taps;
    const float* gradient;  // readable to a whole vector after the last channel
    int64_t gradient_step;
    float* result;  // [taps, result_step], added to
    int64_t result_step;
    int64_t pixels, channels;
};

struct ConvolutionVectors {
    int lanes, tallest;  // tallest: the rows of a tile that is two vectors wide
    void (*pixel_row)(const PixelRow&, int vectors);  // width = vectors (1 or 2) * lanes
    void (*pixel_sum)(const PixelSum&, int vectors);
    void (*depthwise_row)(const DepthwiseRow&);
    void (*depthwise_sum)(const DepthwiseSum&);
};

DECLARE_LOOPS(ConvolutionVectors, CONVOLUTION_VECTORS, convolution_vectors)

}  // namespace gradtape
