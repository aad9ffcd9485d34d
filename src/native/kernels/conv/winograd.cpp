#include "kernels/conv/winograd.h"

#include <atomic>
#include <memory>

#include "kernels/kernel.h"
#include "simd/vectors.h"

namespace gradtape {

namespace {

// Weights that are used again and again should lie in the first-level cache.
constexpr int64_t PANEL_BYTES = 16 << 10;
// Tiles that are worked on together: full rows of registers (of 6, 12 or 14), in the second cache.
constexpr int64_t TOGETHER = 42, TOGETHER_BYTES = 192 << 10;
constexpr int64_t WIDEST = 32;   // columns of a panel
constexpr int64_t SOURCES = 16;  // whose weights are rotated at a time
// With fewer, what is saved in products is lost in transforms.
constexpr int64_t MIN_CHANNELS = 16, MIN_TILES = 16;

class WinogradCorrelation {
  public:
    WinogradCorrelation(const Convolution& c, bool over_results)
        : c_(c), over_results_(over_results), loops_(convolution_vectors()),
          tile_loops_(winograd_vectors()), source_(plane_of(!over_results)),
          target_(plane_of(over_results)), tiles_(c.windows.images, target_) {
        int64_t before[] = {c.windows.axes[1].before, c.windows.axes[2].before};
        for (int i = 0; i < 2; i++) first_[i] = over_results ? before[i] - 2 : -before[i];
        block_ = 2 * loops_.lanes;
        pixel_ = rounded_up(source_.channels, loops_.lanes);
        int64_t fitting = TOGETHER_BYTES / 4 / (POSITIONS * pixel_) / TOGETHER;
        together_ = std::max<int64_t>(std::min<int64_t>(fitting, 4), 1) * TOGETHER;
        // Positions that lie a power of two apart would all meet in a few sets of the cache.
        position_ = together_ * pixel_ + 16;
        stretch_ = PANEL_BYTES / 4 / block_;
        int64_t stretches = (source_.channels + stretch_ - 1) / stretch_;
        stretch_ = (source_.channels + stretches - 1) / stretches;
    }

    int64_t panels() const { return (target_.channels + block_ - 1) / block_; }
    int64_t packed_size() const {
        return POSITIONS * source_.channels * rounded_up(target_.channels, loops_.lanes);
    }
    int64_t scratch_size() const { return pixel_ + POSITIONS * (position_ + product_step()); }
    int64_t tiles() const { return tiles_.total(); }

    // Packs one panel: G g Gᵀ for a block of target channels, sixteen matrices one after another.
    void pack(const float* w, float* packed, int64_t panel) const {
        int64_t columns = columns_of(panel), width = width_of(panel);
        float* to = packed + panel_offset(panel);
        float rotated[9][SOURCES][WIDEST];
        for (int64_t s = 0; s < source_.channels; s++, to += width) {
            if (over_results_ && s % SOURCES == 0) rotate(w, panel, s, rotated);
            const float* window[9];
            for (int64_t position = 0; position < 9; position++)
                window[position] = over_results_ ? rotated[position][s % SOURCES]
                                                 : w + (position * c_.channels + s) * c_.features +
                                                       panel * block_;
            tile_loops_.weights(window, columns, to, source_.channels * width);
        }
    }

    // Marks images with results that are not finite.
    void run(const float* sources, const float* packed, float* targets, float* scratch, Part some,
             std::atomic<bool>* marks) const {
        std::fill_n(scratch, pixel_, 0.0f);
        int64_t count = some.end - some.begin, blocks = (count + together_ - 1) / together_;
        for (int64_t i = 0; i < blocks; i++) {
            Part block = {some.begin + count * i / blocks, some.begin + count * (i + 1) / blocks};
            run_block(sources, packed, targets, scratch, block, marks);
        }
    }

  private:
    Plane plane_of(bool inputs) const {
        const Axis *y = c_.windows.axes + 1, *x = c_.windows.axes + 2;
        if (inputs) return {y->in, x->in, c_.channels};
        return {y->out, x->out, c_.features};
    }

    // Rotates windows: over results, they meet them in the opposite order, and a result's channels
    // (some of them, from `first` on) lie next to each other in w.
    void rotate(const float* w, int64_t panel, int64_t first,
                float (&rotated)[9][SOURCES][WIDEST]) const {
        int64_t count = std::min(SOURCES, source_.channels - first), columns = columns_of(panel);
        for (int64_t position = 0; position < 9; position++) {
            const float* from = w + ((8 - position) * c_.channels + panel * block_) * c_.features +
                                first;
            for (int64_t t = 0; t < columns; t++, from += c_.features)
                for (int64_t s = 0; s < count; s++) rotated[position][s][t] = from[s];
        }
    }

    void run_block(const float* sources, const float* packed, float* targets, float* scratch,
                   Part block, std::atomic<bool>* marks) const {
        const float* zeros = scratch;
        float *transformed = scratch + pixel_, *products = transformed + POSITIONS * position_;
        tiles_.each_run(block, [&](const TileRun& run) {
            const float* image = sources + run.image * source_.size();
            float* to = transformed + (run.tile - block.begin) * pixel_;
            for (int64_t i = 0; i < run.count; i++, to += pixel_) {
                const float* pixels[16];
                reach<4>(image, source_, run.row + first_[0], run.column + 2 * i + first_[1], zeros,
                         pixels);
                tile_loops_.sources(pixels, source_.channels, to, position_);
            }
        });
        for (int64_t panel = 0; panel < panels(); panel++) {
            multiply(transformed, packed, products, panel, block.end - block.begin);
            tiles_.each_run(block, [&](const TileRun& run) {
                if (!write(products + (run.tile - block.begin) * block_, targets, panel, run))
                    marks[run.image].store(true, std::memory_order_relaxed);
            });
        }
    }

    void multiply(const float* transformed, const float* packed, float* products, int64_t panel,
                  int64_t count) const {
        int64_t width = width_of(panel);
        PixelRow row;
        row.source_step = pixel_;
        row.target_step = block_;
        row.pixels = count;
        row.columns = row.weights_step = width;
        row.run_count = 1;
        const float* weights = packed + panel_offset(panel);
        for (int64_t position = 0; position < POSITIONS; position++) {
            row.source = transformed + position * position_;
            row.target = products + position * product_step();
            for (int64_t begin = 0; begin < source_.channels; begin += stretch_) {
                Run run = {begin, std::min(stretch_, source_.channels - begin)};
                row.runs = &run;
                row.weights = weights + (position * source_.channels + begin) * width;
                row.accumulate = begin > 0;
                loops_.pixel_row(row, static_cast<int>(width / loops_.lanes));
            }
        }
    }

    bool write(const float* products, float* targets, int64_t panel, const TileRun& run) const {
        WinogradResults results;
        results.products = products;
        results.position_step = product_step();
        results.tile_step = block_;
        results.pixel_step = target_.channels;
        results.row_step = target_.columns * target_.channels;
        results.target = targets + run.image * target_.size() + run.row * results.row_step +
                         run.column * results.pixel_step + panel * block_;
        results.tiles = run.count;
        results.columns = columns_of(panel);
        results.whole_right = run.column + 2 * run.count <= target_.columns;
        results.whole_below = run.row + 2 <= target_.rows;
        return tile_loops_.results(results);
    }

    int64_t columns_of(int64_t panel) const {
        return std::min(block_, target_.channels - panel * block_);
    }
    int64_t width_of(int64_t panel) const { return rounded_up(columns_of(panel), loops_.lanes); }
    int64_t panel_offset(int64_t panel) const {
        return panel * block_ * POSITIONS * source_.channels;
    }
    int64_t product_step() const { return together_ * block_ + 16; }

    const Convolution& c_;
    const bool over_results_;
    const ConvolutionVectors& loops_;
    const WinogradVectors& tile_loops_;
    const Plane source_, target_;
    const Tiles tiles_;
    int64_t first_[2];  // the first source that the first tile meets
    int64_t block_, pixel_, position_, together_, stretch_;
};

}  // namespace

bool suits_winograd(const Convolution& c) {
    const Axis* axes = c.windows.axes;
    if (c.groups != 1 || axes[0].window != 1 || axes[0].in != 1 || axes[0].out != 1) return false;
    for (int i = 1; i < SPACE; i++)
        if (axes[i].window != 3 || axes[i].stride != 1 || axes[i].dilation != 1) return false;
    // Narrow images are mostly parts of tiles, and small ones are not worth the transformed
    // weights. The number of images has no say: each has the same result in every batch.
    auto is_large = [](int64_t rows, int64_t columns) {
        int64_t tiles = ((rows + 1) / 2) * ((columns + 1) / 2);
        return tiles >= MIN_TILES && 3 * 9 * rows * columns >= 4 * POSITIONS * tiles;
    };
    return std::min(c.channels, c.features) >= MIN_CHANNELS && is_large(axes[1].in, axes[2].in) &&
           is_large(axes[1].out, axes[2].out);
}

bool winograd_correlate(const Convolution& c, bool over_results, const float* sources,
                        const float* w, float* result) {
    WinogradCorrelation correlation(c, over_results);
    double time = c.time() / 2;
    int workers = workers_for(time);
    int64_t packed = rounded_up(correlation.packed_size(), 16);
    int64_t own = rounded_up(correlation.scratch_size(), 16);
    std::unique_ptr<std::atomic<bool>[]> marks(new std::atomic<bool>[c.windows.images]);
    for (int64_t i = 0; i < c.windows.images; i++) marks[i].store(false);
    {
        Scratch scratch(packed + workers * own);
        if (!scratch) return false;
        WithoutLock unlocked(time);
        parallel(workers, [&](int worker, int all) {
            Part part = part_of(correlation.panels(), worker, all);
            for (int64_t p = part.begin; p < part.end; p++) correlation.pack(w, scratch.begin(), p);
        });
        parallel(workers, [&](int worker, int all) {
            correlation.run(sources, scratch.begin(), result,
                            scratch.begin() + packed + worker * own,
                            part_of(correlation.tiles(), worker, all), marks.get());
        });
    }
    // Sums of sources that no single window meets together may be infinite or nan where windows
    // are not.
    Convolution one = c;
    one.windows.images = 1;
    int64_t source = over_results ? c.windows.pixels_out() * c.features
                                  : c.windows.pixels_in() * c.channels;
    int64_t target = over_results ? c.windows.pixels_in() * c.channels
                                  : c.windows.pixels_out() * c.features;
    for (int64_t i = 0; i < c.windows.images; i++)
        if (marks[i].load() &&
            !correlate(one, over_results, sources + i * source, w, result + i * target))
            return false;
    return true;
}

}  // namespace gradtape
