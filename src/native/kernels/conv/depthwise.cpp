// Convolutions in which every channel has a filter of its own: vectors of channels.
#include <algorithm>
#include <cstring>

#include "kernels/conv/conv.h"
#include "runtime/threads.h"

namespace gradtape {
namespace {

constexpr int64_t SOURCE_BYTES = 96 << 10;
// The sums of the filter's share are made in a fixed number of parts, whatever the threads.
constexpr int64_t PARTS = 16;
constexpr double PRODUCT = 0.15;  // nanoseconds for each product on one core

double time_of(const Convolution& c) {
    return PRODUCT * static_cast<double>(c.windows.images * c.windows.pixels_out() * c.features *
                                         c.windows.taps());
}

// How pieces of images are read: from copies in which a whole vector can be read after the last
// channel of each pixel.
struct Reading {
    const Sweep* sweeps[SPACE];
    Pieces pieces;
    Box box;
    int64_t pixel, row;
    std::vector<int64_t> offsets;

    Reading(const Sweep* const* chosen, int64_t channels, int lanes) {
        std::copy(chosen, chosen + SPACE, sweeps);
        pixel = rounded_up(channels, lanes);
        int64_t step = sweeps[1]->source_step * sweeps[2]->source_step * pixel;
        pieces = Pieces(sweeps, std::max<int64_t>(SOURCE_BYTES / 4 / step, 32));
        box = Piece(pieces, 0).sources(sweeps, pieces);
        row = box.size[2] * pixel;
        for (const Tap& i : sweeps[0]->taps)
            for (const Tap& j : sweeps[1]->taps)
                for (const Tap& k : sweeps[2]->taps)
                    offsets.push_back((i.shift * box.size[1] + j.shift) * row + k.shift * pixel);
    }
    int64_t box_size() const { return rounded_up(box.pixels() * pixel, 16); }
    int64_t next_row() const { return sweeps[1]->source_step * row; }
    int64_t next_pixel() const { return sweeps[2]->source_step * pixel; }
};

bool correlate_sweeps(const Convolution& c, bool over_results, const Sweep* const* sweeps,
                      const float* sources, const float* w, float* result) {
    const ConvolutionVectors& loops = convolution_vectors();
    Reading reading(sweeps, c.channels, loops.lanes);
    double time = time_of(c);
    int workers = workers_for(time);
    const int64_t channels = c.channels, padded = reading.pixel;
    const int64_t taps = static_cast<int64_t>(reading.offsets.size());
    int64_t weights_size = rounded_up(taps * padded, 16);
    Scratch scratch(weights_size + workers * reading.box_size());
    if (!scratch) return false;
    const Axis* axes = c.windows.axes;
    float* weights = scratch.begin();
    for (const Tap& i : sweeps[0]->taps) {
        for (const Tap& j : sweeps[1]->taps) {
            for (const Tap& k : sweeps[2]->taps) {
                int64_t tap = (i.index * axes[1].window + j.index) * axes[2].window + k.index;
                std::copy(w + tap * channels, w + (tap + 1) * channels, weights);
                std::fill(weights + channels, weights + padded, 0.0f);
                weights += padded;
            }
        }
    }
    int64_t from[SPACE], to[SPACE];
    for (int i = 0; i < SPACE; i++) {
        from[i] = over_results ? axes[i].out : axes[i].in;
        to[i] = over_results ? axes[i].in : axes[i].out;
    }
    WithoutLock unlocked(time);
    const Pieces& pieces = reading.pieces;
    parallel(workers, [&](int worker, int all) {
        float* box = scratch.begin() + weights_size + worker * reading.box_size();
        Part part = part_of(c.windows.images * pieces.total(), worker, all);
        for (int64_t unit = part.begin; unit < part.end; unit++) {
            int64_t image = unit / pieces.total();
            Piece piece(pieces, unit % pieces.total());
            copy_box(box, padded, sources + image * from[0] * from[1] * from[2] * channels, from,
                     channels, piece.sources(sweeps, pieces));
            int64_t at[SPACE];
            for (int i = 0; i < SPACE; i++)
                at[i] = sweeps[i]->target_begin + piece.begin[i] * sweeps[i]->target_step;
            float* target = result +
                            (((image * to[0] + at[0]) * to[1] + at[1]) * to[2] + at[2]) * channels;
            DepthwiseRow row = {box,
                                reading.next_pixel(),
                                reading.offsets.data(),
                                taps,
                                scratch.begin(),
                                padded,
                                target,
                                sweeps[2]->target_step * channels,
                                piece.size[2],
                                channels};
            for (int64_t j = 0; j < piece.size[1]; j++) {
                loops.depthwise_row(row);
                row.source += reading.next_row();
                row.target += sweeps[1]->target_step * to[2] * channels;
            }
        }
    });
    return true;
}

}  // namespace

bool depthwise_correlate(const Convolution& c, bool over_results, const float* sources,
                         const float* w, float* result) {
    std::vector<Sweep> sweeps[SPACE];
    for (int i = 0; i < SPACE; i++)
        sweeps[i] = over_results ? sweeps_over_results(c.windows.axes[i])
                                 : sweeps_over_inputs(c.windows.axes[i]);
    for (const Sweep& i : sweeps[0]) {
        for (const Sweep& j : sweeps[1]) {
            for (const Sweep& k : sweeps[2]) {
                const Sweep* chosen[SPACE] = {&i, &j, &k};
                if (!correlate_sweeps(c, over_results, chosen, sources, w, result)) return false;
            }
        }
    }
    return true;
}

bool depthwise_filter_gradient(const Convolution& c, const float* x, const float* g,
                               float* result) {
    const ConvolutionVectors& loops = convolution_vectors();
    const Axis* axes = c.windows.axes;
    Sweep all_sweeps[SPACE];
    const Sweep* sweeps[SPACE];
    int64_t in[SPACE];
    for (int i = 0; i < SPACE; i++) {
        all_sweeps[i] = sweeps_over_inputs(axes[i])[0];
        sweeps[i] = &all_sweeps[i];
        in[i] = axes[i].in;
    }
    Reading reading(sweeps, c.channels, loops.lanes);
    const Pieces& pieces = reading.pieces;
    const int64_t channels = c.channels, padded = reading.pixel;
    const int64_t taps = static_cast<int64_t>(reading.offsets.size());
    int64_t units = c.windows.images * pieces.total(), parts = std::min(PARTS, units);
    double time = time_of(c);
    int workers = workers_for(time);
    // Each worker has a copy of a piece and, if vectors would read over g's end, of a row of g.
    int64_t gradient_size = padded == channels ? 0 : rounded_up(pieces.length[2] * padded, 16);
    int64_t own_size = reading.box_size() + gradient_size, sum_size = taps * padded;
    Scratch scratch(workers * own_size + parts * sum_size);
    if (!scratch) return false;
    float* sums = scratch.begin() + workers * own_size;
    WithoutLock unlocked(time);
    parallel(workers, [&](int worker, int all) {
        float *box = scratch.begin() + worker * own_size, *copied = box + reading.box_size();
        Part mine = part_of(parts, worker, all);
        for (int64_t p = mine.begin; p < mine.end; p++) {
            float* sum = sums + p * sum_size;
            std::fill(sum, sum + sum_size, 0.0f);
            Part some = part_of(units, static_cast<int>(p), static_cast<int>(parts));
            for (int64_t unit = some.begin; unit < some.end; unit++) {
                int64_t image = unit / pieces.total();
                Piece piece(pieces, unit % pieces.total());
                copy_box(box, padded, x + image * c.windows.pixels_in() * channels, in, channels,
                         piece.sources(sweeps, pieces));
                for (int64_t j = 0; j < piece.size[1]; j++) {
                    int64_t line = (image * axes[0].out + piece.begin[0]) * axes[1].out +
                                   piece.begin[1] + j;
                    const float* gradient = g + (line * axes[2].out + piece.begin[2]) * channels;
                    if (gradient_size) {
                        for (int64_t k = 0; k < piece.size[2]; k++)
                            std::copy(gradient + k * channels, gradient + (k + 1) * channels,
                                      copied + k * padded);
                        gradient = copied;
                    }
                    loops.depthwise_sum({box + j * reading.next_row(), reading.next_pixel(),
                                         reading.offsets.data(), taps, gradient, padded, sum,
                                         padded, piece.size[2], channels});
                }
            }
        }
    });
    for (int64_t tap = 0; tap < taps; tap++) {
        for (int64_t i = 0; i < channels; i++) {
            float total = 0;
            for (int64_t p = 0; p < parts; p++) total += sums[p * sum_size + tap * padded + i];
            result[tap * channels + i] = total;
        }
    }
    return true;
}

}  // namespace gradtape
