// The share of the filter by Winograd's F(3×3, 2×2), the transpose of F(2×2, 3×3): sums over all
// tiles of sixteen products.
#include <cstring>

#include "kernels/conv/winograd.h"

namespace gradtape {
namespace {

// Sums and tiles that are worked on together stay in the second cache.
constexpr int64_t MAX_CHANNELS = 64, MAX_FEATURES = 64, TOGETHER = 64;
// Sums are divided into about so many jobs, of not too few tiles: a fixed number, since the order
// of summation must not depend on the number of threads.
constexpr int64_t JOBS = 16, MIN_TILES = 256;

// Blocks of nearly equal sizes, in multiples of `step`.
int64_t block_of(int64_t count, int64_t most, int64_t step) {
    int64_t blocks = (count + most - 1) / most;
    return rounded_up((count + blocks - 1) / blocks, step);
}

// Computes Gᵀ s, for each of some columns.
void three_of_four(const float* __restrict s, int64_t step, int64_t columns, float* __restrict to,
                   int64_t to_step) {
    for (int64_t t = 0; t < columns; t++) {
        float both = 0.5f * (s[step + t] + s[2 * step + t]);
        to[t] = s[t] + both;
        to[to_step + t] = 0.5f * (s[step + t] - s[2 * step + t]);
        to[2 * to_step + t] = both + s[3 * step + t];
    }
}

class WinogradFilter {
  public:
    WinogradFilter(const Convolution& c, const float* x, const float* g)
        : c_(c), x_(x), g_(g), loops_(convolution_vectors()), tile_loops_(winograd_vectors()),
          source_{c.windows.axes[1].in, c.windows.axes[2].in, c.channels},
          gradient_{c.windows.axes[1].out, c.windows.axes[2].out, c.features},
          tiles_(c.windows.images, gradient_) {
        channels_ = block_of(c.channels, MAX_CHANNELS, loops_.lanes);
        features_ = block_of(c.features, MAX_FEATURES, loops_.lanes);
        channel_blocks_ = (c.channels + channels_ - 1) / channels_;
        feature_blocks_ = (c.features + features_ - 1) / features_;
        parts_ = std::min((JOBS + filters() - 1) / filters(),
                          (tiles_.total() + MIN_TILES - 1) / MIN_TILES);
    }

    int64_t parts() const { return parts_; }
    int64_t jobs() const { return parts_ * filters(); }
    int64_t scratch_size() const {
        return std::max(channels_, features_) +
               POSITIONS * (channels_ * features_ + source_step() + gradient_step());
    }

    // Computes the sums over one part of all tiles, for a block of channels and one of features.
    void run(int64_t job, float* result, float* scratch) const {
        int64_t channel = job % channel_blocks_ * channels_;
        int64_t feature = job / channel_blocks_ % feature_blocks_ * features_;
        int64_t channels = std::min(channels_, c_.channels - channel);
        int64_t features = std::min(features_, c_.features - feature);
        float* zeros = scratch;
        float* sums = zeros + std::max(channels_, features_);
        float* transformed = sums + POSITIONS * channels_ * features_;
        std::fill_n(zeros, std::max(channels_, features_), 0.0f);
        Part all = part_of(tiles_.total(), static_cast<int>(job / filters()),
                           static_cast<int>(parts_));
        for (int64_t begin = all.begin; begin < all.end; begin += TOGETHER) {
            Part some = {begin, std::min(begin + TOGETHER, all.end)};
            transform(some, channel, channels, feature, features, zeros, transformed);
            multiply(some.end - some.begin, channels, features, transformed, sums,
                     begin > all.begin);
        }
        for (int64_t i = 0; i < channels; i++)
            write(sums + i * features_, features, result + (channel + i) * c_.features + feature);
    }

  private:
    int64_t filters() const { return channel_blocks_ * feature_blocks_; }
    // Returns the distance from position to position: a power of two apart, all would meet in a few
    // sets of the cache.
    int64_t source_step() const { return TOGETHER * channels_ + 16; }
    int64_t gradient_step() const { return TOGETHER * features_ + 16; }

    void transform(Part some, int64_t channel, int64_t channels, int64_t feature, int64_t features,
                   const float* zeros, float* transformed) const {
        int64_t above = c_.windows.axes[1].before, left = c_.windows.axes[2].before;
        float* gradients = transformed + POSITIONS * source_step();
        tiles_.each_run(some, [&](const TileRun& run) {
            const float* image = x_ + run.image * source_.size() + channel;
            const float* gradient = g_ + run.image * gradient_.size() + feature;
            int64_t at = run.tile - some.begin;
            for (int64_t i = 0; i < run.count; i++, at++) {
                const float* pixels[16];
                int64_t column = run.column + 2 * i;
                reach<4>(image, source_, run.row - above, column - left, zeros, pixels);
                tile_loops_.sources(pixels, channels, transformed + at * channels_, source_step());
                reach<2>(gradient, gradient_, run.row, column, zeros, pixels);
                tile_loops_.gradients(pixels, features, gradients + at * features_,
                                      gradient_step());
            }
        });
    }

    void multiply(int64_t count, int64_t channels, int64_t features, const float* transformed,
                  float* sums, bool accumulate) const {
        const float* gradients = transformed + POSITIONS * source_step();
        PixelSum sum;
        sum.source_step = channels_;
        sum.offsets = nullptr;
        sum.row_step = 0;
        sum.row_count = 1;
        sum.pixels = count;
        sum.weights_step = features_;
        sum.result_step = features_;
        sum.height = channels;
        sum.accumulate = accumulate;
        for (int64_t position = 0; position < POSITIONS; position++) {
            sum.source = transformed + position * source_step();
            for (int64_t first = 0; first < features; first += 2 * loops_.lanes) {
                int64_t width = std::min<int64_t>(2 * loops_.lanes, features_ - first);
                sum.weights = gradients + position * gradient_step() + first;
                sum.result = sums + position * channels_ * features_ + first;
                sum.columns = width;
                loops_.pixel_sum(sum, static_cast<int>(width / loops_.lanes));
            }
        }
    }

    // Computes Gᵀ s G: from sixteen sums to nine taps of the window.
    void write(const float* sums, int64_t features, float* result) const {
        const int64_t step = channels_ * features_, window = c_.channels * c_.features;
        float half[12][MAX_FEATURES];
        for (int j = 0; j < 4; j++)
            three_of_four(sums + j * step, 4 * step, features, half[j], 4 * MAX_FEATURES);
        for (int i = 0; i < 3; i++)
            three_of_four(half[4 * i], MAX_FEATURES, features, result + 3 * i * window, window);
    }

    const Convolution& c_;
    const float *x_, *g_;
    const ConvolutionVectors& loops_;
    const WinogradVectors& tile_loops_;
    const Plane source_, gradient_;
    const Tiles tiles_;
    int64_t channels_, features_, channel_blocks_, feature_blocks_, parts_;
};

void add(const float* __restrict part, int64_t size, float* __restrict result) {
    for (int64_t i = 0; i < size; i++) result[i] += part[i];
}

bool all_finite(const float* numbers, int64_t size) {
    uint32_t exponents = 0;
    for (int64_t i = 0; i < size; i++) {
        uint32_t bits;
        std::memcpy(&bits, numbers + i, sizeof bits);
        exponents |= (bits & 0x7f800000) + 0x00800000;  // the last bit, if all of these are set
    }
    return exponents >> 31 == 0;
}

}  // namespace

bool winograd_filter_gradient(const Convolution& c, const float* x, const float* g, float* result) {
    WinogradFilter filter(c, x, g);
    double time = c.time() / 2;
    int workers = workers_for(time);
    int64_t size = 9 * c.channels * c.features, own = rounded_up(filter.scratch_size(), 16);
    bool is_finite = true;
    {
        Scratch scratch(workers * own + (filter.parts() - 1) * size);
        if (!scratch) return false;
        WithoutLock unlocked(time);
        // The first part is summed where the result goes.
        float* others = scratch.begin() + workers * own;
        int64_t jobs = filter.jobs(), each = jobs / filter.parts();
        parallel(workers, [&](int worker, int all) {
            Part mine = part_of(jobs, worker, all);
            for (int64_t job = mine.begin; job < mine.end; job++) {
                int64_t part = job / each;
                filter.run(job, part ? others + (part - 1) * size : result,
                           scratch.begin() + worker * own);
            }
        });
        for (int64_t p = 1; p < filter.parts(); p++) add(others + (p - 1) * size, size, result);
        is_finite = all_finite(result, size);
    }
    // As with results: what is not finite here may be so in a sum over windows.
    return is_finite || filter_gradient(c, x, g, result);
}

}  // namespace gradtape
