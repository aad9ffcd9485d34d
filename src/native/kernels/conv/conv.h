// Convolution and its transposes, as the parts of it are divided between files.
#pragma once

#include "kernels/conv/windows.h"
#include "runtime/blas.h"
#include "runtime/scratch.h"
#include "simd/convolution_vectors.h"

namespace gradtape {

struct Convolution {
    Windows windows;
    int64_t channels, features, groups, depth;  // depth = channels / groups
    int64_t group_features() const { return features / groups; }
    bool is_depthwise() const { return depth == 1 && groups == features && groups > 1; }
    double time() const {  // nanoseconds on one core, about
        return product_time(windows.images * windows.pixels_out(), features,
                            windows.taps() * depth);
    }
};

// Takes arrays in C order: x [images, *in, channels], w [*window, depth, features], y and g
// [images, *out, features]. Each returns false, with a Python error, if there is no memory. The
// result is y, or the share of x; `sources` is x, or g.
bool correlate(const Convolution& c, bool over_results, const float* sources, const float* w,
               float* result);
bool filter_gradient(const Convolution& c, const float* x, const float* g, float* result);
bool depthwise_correlate(const Convolution& c, bool over_results, const float* sources,
                         const float* w, float* result);
bool depthwise_filter_gradient(const Convolution& c, const float* x, const float* g, float* result);

// Does the same by Winograd's algorithm, for those that it suits: windows of 3 × 3 taps. What it
// finds infinite or nan is computed again as above, so results are those but for rounding.
bool suits_winograd(const Convolution& c);
bool winograd_correlate(const Convolution& c, bool over_results, const float* sources,
                        const float* w, float* result);
bool winograd_filter_gradient(const Convolution& c, const float* x, const float* g, float* result);

}  // namespace gradtape
