// The share of the filter: sums, over all pixels of all images, of what each tap of the window
// met times the gradient there.
#include <algorithm>

#include "kernels/conv/conv.h"
#include "runtime/threads.h"

namespace gradtape {
namespace {

// Pixels that are summed before the sums go back to memory: their numbers fit the first cache.
constexpr int64_t PIECE = 256;
// A filter up to this size is summed in parts, a fixed number of them: the order of summation, and
// so the result, must not depend on the number of threads.
constexpr int64_t SMALL = 16 << 10, PARTS = 16;
// With fewer channels than these, one tap of the window gives too few sums to work on at once.
constexpr int64_t FEW_CHANNELS = 8;
// Gradients this near to each other are read where they lie.
constexpr int64_t NEAR = 32;

class FilterSum {
  public:
    FilterSum(const Convolution& c, const float* x, const float* g)
        : c_(c), x_(x), g_(g), loops_(convolution_vectors()) {
        for (int i = 0; i < SPACE; i++) {
            const Axis& axis = c.windows.axes[i];
            sweeps_[i] = sweeps_over_inputs(axis)[0];
            sweep_[i] = &sweeps_[i];
            in_[i] = axis.in;
        }
        pieces_ = Pieces(sweep_, PIECE);
        box_ = Piece(pieces_, 0).sources(sweep_, pieces_);
        // Pixels a power of two apart would all meet in a few sets of the cache.
        pixel_ = c.channels % 64 ? c.channels : c.channels + 16;
        row_ = box_.size[2] * pixel_;
        block_ = 2 * loops_.lanes;
        blocks_ = (c.group_features() + block_ - 1) / block_;
        joined_ = c.groups == 1 && c.depth < FEW_CHANNELS;
        packs_ = c.group_features() % loops_.lanes || c.features > NEAR;
        for (const Tap& i : sweeps_[0].taps) {
            for (const Tap& j : sweeps_[1].taps) {
                for (const Tap& k : sweeps_[2].taps) {
                    int64_t at = (i.shift * box_.size[1] + j.shift) * row_ + k.shift * pixel_;
                    int64_t together = joined_ ? c.depth : 1;
                    for (int64_t d = 0; d < together; d++) offsets_.push_back(at + d);
                }
            }
        }
    }

    int64_t units() const { return c_.windows.images * pieces_.total(); }
    // Returns how many sums are independent: blocks of features, at each tap of the window.
    int64_t sums() const { return c_.groups * blocks_ * sums_of_block(); }
    int64_t scratch_size() const {
        return box_size() + pieces_.length[1] * pieces_.length[2] * block_;
    }

    // Adds the units (pieces of images) `some` to those of `which` sums.
    void add(Part some, Part which, float* result, float* scratch) const {
        PixelSum sum;
        sum.source_step = sweeps_[2].source_step * pixel_;
        sum.row_step = sweeps_[1].source_step * row_;
        sum.offsets = joined_ ? offsets_.data() : nullptr;
        sum.height = joined_ ? static_cast<int64_t>(offsets_.size()) : c_.depth;
        sum.result_step = c_.features;
        const Axis* axes = c_.windows.axes;
        for (int64_t unit = some.begin; unit < some.end; unit++) {
            int64_t image = unit / pieces_.total();
            Piece piece(pieces_, unit % pieces_.total());
            copy_box(scratch, pixel_, x_ + image * c_.windows.pixels_in() * c_.channels, in_,
                     c_.channels, piece.sources(sweep_, pieces_));
            sum.row_count = piece.size[1];
            sum.pixels = piece.size[2];
            sum.accumulate = unit > some.begin;
            // A piece has whole rows, or a part of one: its gradients lie together.
            int64_t row = (image * axes[0].out + piece.begin[0]) * axes[1].out + piece.begin[1];
            const float* gradients = g_ + (row * axes[2].out + piece.begin[2]) * c_.features;
            int64_t packed = -1;
            for (int64_t s = which.begin; s < which.end; s++) {
                int64_t panel = s / sums_of_block(), tap = s % sums_of_block();
                int64_t group = panel / blocks_, first = panel % blocks_ * block_;
                sum.columns = std::min(block_, c_.group_features() - first);
                int64_t width = rounded_up(sum.columns, loops_.lanes);
                int64_t feature = group * c_.group_features() + first;
                if (!packs_) {
                    sum.weights = gradients + feature;
                    sum.weights_step = c_.features;
                } else if (panel != packed) {
                    float* to = scratch + box_size();
                    pack(gradients + feature, sum.row_count * sum.pixels, sum.columns, width, to);
                    sum.weights = to;
                    sum.weights_step = width;
                    packed = panel;
                }
                sum.source = scratch + (joined_ ? 0 : offsets_[tap] + group * c_.depth);
                sum.result = result + tap * c_.depth * c_.features + feature;
                loops_.pixel_sum(sum, static_cast<int>(width / loops_.lanes));
            }
        }
    }

  private:
    int64_t sums_of_block() const { return joined_ ? 1 : c_.windows.taps(); }
    int64_t box_size() const { return rounded_up(box_.pixels() * pixel_, 16); }

    // Packs the gradients of one block of features, pixel by pixel.
    void pack(const float* from, int64_t pixels, int64_t columns, int64_t width, float* to) const {
        for (int64_t k = 0; k < pixels; k++, from += c_.features, to += width) {
            for (int64_t i = 0; i < columns; i++) to[i] = from[i];
            for (int64_t i = columns; i < width; i++) to[i] = 0;
        }
    }

    const Convolution& c_;
    const float *x_, *g_;
    const ConvolutionVectors& loops_;
    Sweep sweeps_[SPACE];
    const Sweep* sweep_[SPACE];
    int64_t in_[SPACE];
    Pieces pieces_;
    Box box_;
    bool joined_;  // all taps of the window are summed together
    bool packs_;   // the gradients are copied, to lie together
    int64_t pixel_, row_, block_, blocks_;
    std::vector<int64_t> offsets_;
};

}  // namespace

bool filter_gradient(const Convolution& c, const float* x, const float* g, float* result) {
    FilterSum sum(c, x, g);
    double time = c.time();
    int workers = workers_for(time);
    int64_t size = c.windows.taps() * c.depth * c.features;
    int64_t parts = size <= SMALL ? std::min(PARTS, sum.units()) : 1;
    Scratch scratch(workers * sum.scratch_size() + (parts - 1) * size);
    if (!scratch) return false;
    WithoutLock unlocked(time);
    // The first part is summed where the result goes.
    float* others = scratch.begin() + workers * sum.scratch_size();
    auto result_of = [&](int64_t part) { return part ? others + (part - 1) * size : result; };
    parallel(workers, [&](int worker, int all) {
        float* own = scratch.begin() + worker * sum.scratch_size();
        if (parts == 1) {
            Part which = part_of(sum.sums(), worker, all);
            if (which.begin < which.end) sum.add({0, sum.units()}, which, result, own);
            return;
        }
        Part mine = part_of(parts, worker, all);
        for (int64_t p = mine.begin; p < mine.end; p++) {
            Part some = part_of(sum.units(), static_cast<int>(p), static_cast<int>(parts));
            sum.add(some, {0, sum.sums()}, result_of(p), own);
        }
    });
    for (int64_t p = 1; p < parts; p++) {
        const float* part = result_of(p);
        for (int64_t i = 0; i < size; i++) result[i] += part[i];
    }
    return true;
}

}  // namespace gradtape
