// Convolution by tiles of sums in registers, read from the images where they lie. (The windows of a
// whole batch, laid out for one matrix product, would be many times as large as the batch.)
#include "kernels/conv/conv.h"

#include <algorithm>
#include <cstring>

#include "kernels/kernel.h"
#include "runtime/threads.h"
#include "simd/vectors.h"

namespace gradtape {

namespace {

// Weights that are used again and again should lie in the first-level cache, sources in the second.
constexpr int64_t PANEL_BYTES = 16 << 10, SOURCE_BYTES = 96 << 10;
// Where all weights are more than the second cache holds, pieces are worked on together.
constexpr int64_t PACKED_BYTES = 512 << 10, SOURCES_BYTES = 1 << 20;

// One set of sweeps, with the weights in the order in which it meets them.
class Correlation {
  public:
    Correlation(const Convolution& c, bool over_results, const Sweep* const* sweeps)
        : c_(c), over_results_(over_results), loops_(convolution_vectors()) {
        for (int i = 0; i < SPACE; i++) {
            const Axis& axis = c.windows.axes[i];
            sweeps_[i] = sweeps[i];
            source_extent_[i] = over_results ? axis.out : axis.in;
            target_extent_[i] = over_results ? axis.in : axis.out;
        }
        source_channels_ = over_results ? c.features : c.channels;
        target_channels_ = over_results ? c.channels : c.features;
        source_depth_ = source_channels_ / c.groups;
        target_depth_ = target_channels_ / c.groups;
        inner_ = source_depth_;
        for (const Sweep* sweep : sweeps_) inner_ *= static_cast<int64_t>(sweep->taps.size());
        block_ = 2 * loops_.lanes;
        blocks_ = (target_depth_ + block_ - 1) / block_;
        padded_depth_ = rounded_up(target_depth_, loops_.lanes);
        lay_out();
    }

    int64_t packed_size() const { return c_.groups * padded_depth_ * inner_; }
    int64_t boxes_size() const { return together_ * box_size(); }
    int64_t units() const { return c_.windows.images * pieces_.total(); }
    int64_t panels() const { return c_.groups * blocks_; }

    // Packs one panel: the weights of a block of target channels, a row for each number that is
    // met.
    void pack(const float* w, float* packed, int64_t panel) const {
        int64_t group = panel / blocks_, first = panel % blocks_ * block_;
        int64_t columns = std::min(block_, target_depth_ - first), width = width_of(columns);
        float* to = packed + panel_offset(panel);
        const Axis* axes = c_.windows.axes;
        // In w: from one source channel to the next, and from one target channel to the next.
        int64_t along = over_results_ ? 1 : c_.features, across = over_results_ ? c_.features : 1;
        const float* from = w + group * c_.group_features() + first * across;
        for (const Tap& i : sweeps_[0]->taps) {
            for (const Tap& j : sweeps_[1]->taps) {
                for (const Tap& k : sweeps_[2]->taps) {
                    int64_t tap = (i.index * axes[1].window + j.index) * axes[2].window + k.index;
                    const float* at = from + tap * c_.depth * c_.features;
                    for (int64_t s = 0; s < source_depth_; s++, to += width, at += along) {
                        if (across == 1) {
                            std::memcpy(to, at, columns * sizeof(float));
                        } else {
                            for (int64_t t = 0; t < columns; t++) to[t] = at[t * across];
                        }
                        std::fill(to + columns, to + width, 0.0f);
                    }
                }
            }
        }
    }

    // Runs several pieces at once, where that lets them share a panel that has to come from far.
    void run(const float* sources, const float* packed, float* targets, float* boxes,
             Part units) const {
        std::vector<Reached> reached;
        for (int64_t first = units.begin; first < units.end; first += together_) {
            reached.clear();
            for (int64_t u = first; u < std::min(first + together_, units.end); u++)
                reached.push_back(reach(sources, targets, boxes + (u - first) * box_size(), u));
            for (int64_t panel = 0; panel < panels(); panel++) run_panel(packed, panel, reached);
        }
    }

  private:
    // A part of what is summed, whose weights fit the cache.
    struct Stretch {
        int64_t begin, first_run, run_count;
    };

    // Where a piece lies.
    struct Reached {
        const float* source;
        float* target;
        int64_t rows, pixels;
    };

    Reached reach(const float* sources, float* targets, float* box, int64_t unit) const {
        int64_t image = unit / pieces_.total();
        Piece piece(pieces_, unit % pieces_.total());
        Box met = piece.sources(sweeps_, pieces_);
        const int64_t *e = source_extent_, *t = target_extent_;
        const float* source = sources + image * e[0] * e[1] * e[2] * source_channels_;
        if (direct_) {
            source += ((met.begin[0] * e[1] + met.begin[1]) * e[2] + met.begin[2]) * pixel_;
        } else {
            copy_box(box, pixel_, source, e, source_channels_, met);
            source = box;
        }
        int64_t at[SPACE];
        for (int i = 0; i < SPACE; i++)
            at[i] = sweeps_[i]->target_begin + piece.begin[i] * sweeps_[i]->target_step;
        int64_t pixel = ((image * t[0] + at[0]) * t[1] + at[1]) * t[2] + at[2];
        return {source, targets + pixel * target_channels_, piece.size[1], piece.size[2]};
    }

    void run_panel(const float* packed, int64_t panel, const std::vector<Reached>& reached) const {
        PixelRow row;
        row.source_step = sweeps_[2]->source_step * pixel_;
        row.target_step = sweeps_[2]->target_step * target_channels_;
        int64_t next_source = sweeps_[1]->source_step * row_;
        int64_t next_target = sweeps_[1]->target_step * target_extent_[2] * target_channels_;
        int64_t group = panel / blocks_, first = panel % blocks_ * block_;
        row.columns = std::min(block_, target_depth_ - first);
        int64_t width = row.weights_step = width_of(row.columns);
        for (const Stretch& stretch : stretches_) {
            row.weights = packed + panel_offset(panel) + stretch.begin * width;
            row.runs = runs_.data() + stretch.first_run;
            row.run_count = stretch.run_count;
            row.accumulate = stretch.begin > 0;
            for (const Reached& piece : reached) {
                row.pixels = piece.pixels;
                for (int64_t j = 0; j < piece.rows; j++) {
                    row.source = piece.source + j * next_source + group * source_depth_;
                    row.target = piece.target + j * next_target + group * target_depth_ + first;
                    loops_.pixel_row(row, static_cast<int>(width / loops_.lanes));
                }
            }
        }
    }

    int64_t box_size() const { return direct_ ? 0 : rounded_up(box_.pixels() * pixel_, 16); }
    int64_t width_of(int64_t columns) const { return rounded_up(columns, loops_.lanes); }
    int64_t panel_offset(int64_t panel) const {
        return (panel / blocks_ * padded_depth_ + panel % blocks_ * block_) * inner_;
    }

    void lay_out() {
        pixel_ = source_channels_;
        // The whole image inside: no copy is needed.
        Box all = {};
        for (int i = 0; i < SPACE; i++) {
            all.begin[i] = sweeps_[i]->source_begin;
            all.size[i] = (sweeps_[i]->count - 1) * sweeps_[i]->source_step + sweeps_[i]->reach();
        }
        direct_ = all.is_inside(source_extent_);
        int64_t step = sweeps_[1]->source_step * sweeps_[2]->source_step * pixel_;
        pieces_ = Pieces(sweeps_,
                         std::max<int64_t>(SOURCE_BYTES / 4 / std::max<int64_t>(step, 1), 32));
        box_ = Piece(pieces_, 0).sources(sweeps_, pieces_);
        bool is_far = packed_size() * 4 > PACKED_BYTES;
        int64_t fitting = SOURCES_BYTES / 4 / (box_.pixels() * pixel_ + 1);
        together_ = is_far ? std::max<int64_t>(fitting, 1) : 1;
        row_ = pixel_ * (direct_ ? source_extent_[2] : box_.size[2]);
        int64_t plane = row_ * (direct_ ? source_extent_[1] : box_.size[1]);
        if (inner_ == 0) {
            stretches_.push_back({0, 0, 0});  // nothing is met: zeros
            return;
        }
        int64_t most = PANEL_BYTES / 4 / block_;
        most = (inner_ + (inner_ + most - 1) / most - 1) / ((inner_ + most - 1) / most);
        int64_t met = 0;
        for (const Tap& i : sweeps_[0]->taps) {
            for (const Tap& j : sweeps_[1]->taps) {
                for (const Tap& k : sweeps_[2]->taps) {
                    int64_t offset = i.shift * plane + j.shift * row_ + k.shift * pixel_;
                    add_run(offset, most, &met);
                }
            }
        }
    }

    void add_run(int64_t offset, int64_t most, int64_t* met) {
        for (int64_t left = source_depth_; left > 0;) {
            if (*met % most == 0)
                stretches_.push_back({*met, static_cast<int64_t>(runs_.size()), 0});
            Stretch& stretch = stretches_.back();
            int64_t length = std::min(left, most - *met % most);
            bool follows = stretch.run_count && runs_.back().offset + runs_.back().length == offset;
            if (follows) {
                runs_.back().length += length;
            } else {
                runs_.push_back({offset, length});
                stretch.run_count++;
            }
            offset += length;
            left -= length;
            *met += length;
        }
    }

    const Convolution& c_;
    const bool over_results_;
    const ConvolutionVectors& loops_;
    const Sweep* sweeps_[SPACE];
    int64_t source_extent_[SPACE], target_extent_[SPACE];
    int64_t source_channels_, target_channels_, source_depth_, target_depth_;
    int64_t inner_;  // how many products each target is the sum of
    int64_t block_, blocks_, padded_depth_;
    int64_t pixel_, row_;  // from pixel to pixel, from row to row
    bool direct_;
    int64_t together_;  // how many pieces
    Pieces pieces_;
    Box box_;
    std::vector<Run> runs_;
    std::vector<Stretch> stretches_;
};

}  // namespace

bool correlate(const Convolution& c, bool over_results, const float* sources, const float* w,
               float* result) {
    std::vector<Sweep> sweeps[SPACE];
    for (int i = 0; i < SPACE; i++)
        sweeps[i] = over_results ? sweeps_over_results(c.windows.axes[i])
                                 : sweeps_over_inputs(c.windows.axes[i]);
    double time = c.time();
    int workers = workers_for(time);
    for (const Sweep& i : sweeps[0]) {
        for (const Sweep& j : sweeps[1]) {
            for (const Sweep& k : sweeps[2]) {
                const Sweep* chosen[SPACE] = {&i, &j, &k};
                Correlation correlation(c, over_results, chosen);
                int64_t packed = rounded_up(correlation.packed_size(), 16);
                Scratch scratch(packed + workers * correlation.boxes_size());
                if (!scratch) return false;
                WithoutLock unlocked(time);
                parallel(workers, [&](int worker, int all) {
                    Part part = part_of(correlation.panels(), worker, all);
                    for (int64_t p = part.begin; p < part.end; p++)
                        correlation.pack(w, scratch.begin(), p);
                });
                parallel(workers, [&](int worker, int all) {
                    float* box = scratch.begin() + packed + worker * correlation.boxes_size();
                    correlation.run(sources, scratch.begin(), result, box,
                                    part_of(correlation.units(), worker, all));
                });
            }
        }
    }
    return true;
}

namespace {

void read_shape(PyObject* x, int64_t* shape) {
    for (int i = 0; i < PyArray_NDIM(array(x)); i++) shape[i] = PyArray_DIM(array(x), i);
}

// Reads the convolution that the parameters and the shapes of x and w (with `rank` spatial axes)
// describe.
bool read_convolution(PyObject* const* arguments, Py_ssize_t count, PyObject* names, int rank,
                      const int64_t* x, const int64_t* w, Convolution* c) {
    auto parameter = [&](const char* name) { return keyword(arguments, count, names, name); };
    PyObject* groups = parameter("groups");
    if (rank < 1 || rank > SPACE || !groups || !PyLong_Check(groups) ||
        !read_windows(parameter("strides"), parameter("padding"), parameter("dilations"), rank,
                      x + 1, w, &c->windows))
        return false;
    c->windows.images = x[0];
    c->channels = x[rank + 1];
    c->depth = w[rank];
    c->features = w[rank + 1];
    c->groups = PyLong_AsLongLong(groups);
    // What is empty, or wrong, is left to the NumPy kernel.
    return c->groups > 0 && c->depth * c->groups == c->channels && c->features % c->groups == 0 &&
           c->features > 0 && c->depth > 0 &&
           c->windows.images * c->windows.pixels_in() * c->windows.pixels_out() > 0;
}

bool has_result_shape(const Convolution& c, int rank, const int64_t* shape) {
    for (int i = 0; i < rank; i++)
        if (shape[i + 1] != c.windows.axes[SPACE - rank + i].out) return false;
    return shape[0] == c.windows.images && shape[rank + 1] == c.features;
}

PyObject* new_images(int rank, const Windows& windows, bool out, int64_t channels) {
    npy_intp shape[SPACE + 2] = {windows.images};
    for (int i = 0; i < rank; i++) {
        const Axis& axis = windows.axes[SPACE - rank + i];
        shape[i + 1] = out ? axis.out : axis.in;
    }
    shape[rank + 1] = channels;
    return new_array(rank + 2, shape, NPY_FLOAT32);
}

// Returns the number of spatial axes of two arrays of float32, or 0.
int common_rank(PyObject* const* arguments, Py_ssize_t count) {
    if (count != 2 || !is_array(arguments[0], NPY_FLOAT32) || !is_array(arguments[1], NPY_FLOAT32))
        return 0;
    int rank = PyArray_NDIM(array(arguments[0]));
    bool same = rank == PyArray_NDIM(array(arguments[1]));
    return same && rank >= 3 && rank <= SPACE + 2 ? rank - 2 : 0;
}

// Makes one row of pixels of all images, where a window of one tap meets every pixel once.
void join_pixels(Convolution* c) {
    for (const Axis& axis : c->windows.axes)
        if (axis.window != 1 || axis.stride != 1 || axis.out != axis.in) return;
    int64_t pixels = c->windows.images * c->windows.pixels_in();
    c->windows = Windows();
    c->windows.images = 1;
    c->windows.axes[SPACE - 1].in = c->windows.axes[SPACE - 1].out = pixels;
}

PyObject* finished(bool done, PyObject* made) {
    if (!done) Py_CLEAR(made);
    return made;
}

// Correlates sources, over results or inputs, with the filters.
PyObject* correlated(Convolution* c, int rank, bool over_results, PyObject* const* arguments) {
    Plain sources(arguments[0]), w(arguments[1]);
    if (!sources || !w) return nullptr;
    int64_t channels = over_results ? c->channels : c->features;
    PyObject* made = new_images(rank, c->windows, !over_results, channels);
    if (!made) return nullptr;
    join_pixels(c);
    auto* work = suits_winograd(*c) ? winograd_correlate : correlate;
    if (c->is_depthwise()) work = depthwise_correlate;
    return finished(work(*c, over_results, sources.begin(), w.begin(), data(made)), made);
}

PyObject* conv(PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    int rank = common_rank(arguments, count);
    if (!rank) return nullptr;
    int64_t x_shape[SPACE + 2], w_shape[SPACE + 2];
    read_shape(arguments[0], x_shape);
    read_shape(arguments[1], w_shape);
    Convolution c;
    if (!read_convolution(arguments, count, names, rank, x_shape, w_shape, &c)) return nullptr;
    return correlated(&c, rank, false, arguments);
}

PyObject* conv_input(PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    int rank = common_rank(arguments, count);
    if (!rank) return nullptr;
    int64_t g_shape[SPACE + 2], w_shape[SPACE + 2], x_shape[SPACE + 2];
    read_shape(arguments[0], g_shape);
    read_shape(arguments[1], w_shape);
    Convolution c;
    if (read_numbers(keyword(arguments, count, names, "shape"), x_shape, SPACE + 2) != rank + 2 ||
        !read_convolution(arguments, count, names, rank, x_shape, w_shape, &c) ||
        !has_result_shape(c, rank, g_shape))
        return nullptr;
    return correlated(&c, rank, true, arguments);
}

PyObject* conv_filter(PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    int rank = common_rank(arguments, count);
    if (!rank) return nullptr;
    int64_t x_shape[SPACE + 2], g_shape[SPACE + 2], w_shape[SPACE + 2];
    read_shape(arguments[0], x_shape);
    read_shape(arguments[1], g_shape);
    Convolution c;
    if (read_numbers(keyword(arguments, count, names, "shape"), w_shape, SPACE + 2) != rank + 2 ||
        !read_convolution(arguments, count, names, rank, x_shape, w_shape, &c) ||
        !has_result_shape(c, rank, g_shape))
        return nullptr;
    Plain x(arguments[0]), g(arguments[1]);
    if (!x || !g) return nullptr;
    npy_intp shape[SPACE + 2];
    std::copy(w_shape, w_shape + rank + 2, shape);
    PyObject* made = new_array(rank + 2, shape, NPY_FLOAT32);
    if (!made) return nullptr;
    join_pixels(&c);
    auto* work = suits_winograd(c) ? winograd_filter_gradient : filter_gradient;
    if (c.is_depthwise()) work = depthwise_filter_gradient;
    return finished(work(c, x.begin(), g.begin(), data(made)), made);
}

}  // namespace

const KernelEntry CONVOLUTION[] = {
    {"conv", conv}, {"conv_input", conv_input}, {"conv_filter", conv_filter}, {nullptr, nullptr}};

}  // namespace gradtape
