// Pooling: the largest, or the sum, of every window, and the shares of the windows' elements.
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "kernels/conv/windows.h"
#include "kernels/kernel.h"
#include "runtime/ref.h"
#include "runtime/threads.h"
#include "simd/pooling_vectors.h"
#include "simd/vectors.h"

namespace gradtape {

namespace {

constexpr double NUMBER = 0.2;  // nanoseconds for each number that is met, on one core
// Channels are divided between workers, where images are too few, in multiples of this.
constexpr int64_t CHANNELS_TOGETHER = 32;
// Of a window: every worker has a list of them.
constexpr int64_t MAX_TAPS = 1 << 24;

struct Pooling {
    Windows windows;
    int64_t channels = 0;

    double time() const {
        return NUMBER * static_cast<double>(windows.images * windows.pixels_out() * channels *
                                            windows.taps());
    }
};

// Calls work(window, inside) for each window of an image: `inside[p]` is the pixel that tap p
// meets, or -1 if that is outside.
template <class Work>
void each_window(const Windows& windows, Work&& work) {
    const Axis* a = windows.axes;
    std::vector<int64_t> inside(windows.taps());
    int64_t window = 0;
    for (int64_t i = 0; i < a[0].out; i++) {
        for (int64_t j = 0; j < a[1].out; j++) {
            for (int64_t k = 0; k < a[2].out; k++, window++) {
                int64_t* pixel = inside.data();
                for (int64_t p = 0; p < a[0].window; p++) {
                    int64_t x = i * a[0].stride - a[0].before + p * a[0].dilation;
                    bool out0 = x < 0 || x >= a[0].in;
                    for (int64_t q = 0; q < a[1].window; q++) {
                        int64_t y = j * a[1].stride - a[1].before + q * a[1].dilation;
                        bool out1 = out0 || y < 0 || y >= a[1].in;
                        for (int64_t r = 0; r < a[2].window; r++) {
                            int64_t z = k * a[2].stride - a[2].before + r * a[2].dilation;
                            bool out = out1 || z < 0 || z >= a[2].in;
                            *pixel++ = out ? -1 : (x * a[1].in + y) * a[2].in + z;
                        }
                    }
                }
                work(window, inside.data());
            }
        }
    }
}

// Divides units (images, or rows of them), and if there are few of them also channels: nothing
// mixes these. work(unit, first channel, how many): each worker has a copy of it, and of what it
// keeps to work in.
template <class Work>
void in_units(const Pooling& pooling, int64_t units, const Work& work) {
    double time = pooling.time();
    int workers = workers_for(time);
    int64_t slices = 1;
    if (units < workers) slices = (pooling.channels + CHANNELS_TOGETHER - 1) / CHANNELS_TOGETHER;
    WithoutLock unlocked(time);
    parallel(workers, [&](int worker, int all) {
        Work mine = work;
        Part part = part_of(units * slices, worker, all);
        for (int64_t unit = part.begin; unit < part.end; unit++) {
            Part some = part_of(pooling.channels, static_cast<int>(unit % slices),
                                static_cast<int>(slices), slices > 1 ? CHANNELS_TOGETHER : 1);
            if (some.begin < some.end) mine(unit / slices, some.begin, some.end - some.begin);
        }
    });
}

// Those taps of a window along one axis that meet the image: where the first lies, how many.
struct Met {
    int64_t first, count;
};

Met taps_met(const Axis& axis, int64_t window) {
    int64_t start = window * axis.stride - axis.before;
    int64_t skipped = start < 0 ? (-start - 1) / axis.dilation + 1 : 0;
    if (skipped >= axis.window || start >= axis.in) return {0, 0};
    int64_t end = std::min((axis.in - 1 - start) / axis.dilation + 1, axis.window);
    return {start + skipped * axis.dilation, std::max(end - skipped, int64_t(0))};
}

// Windows of one row: first the rows that they reach over become one, in runs as long as a row,
// then the pixels of that row.
template <bool largest>
class RowOfWindows {
  public:
    explicit RowOfWindows(const Pooling& pooling)
        : pooling_(pooling), combine_(largest ? pooling_vectors().largest : pooling_vectors().sum) {
    }

    // Computes windows (i, j, any) of some channels of an image.
    void compute(const float* image, int64_t i, int64_t j, int64_t channels, float* result) {
        const Axis* axes = pooling_.windows.axes;
        Met planes = taps_met(axes[0], i), rows = taps_met(axes[1], j);
        int64_t width = axes[2].in, step = pooling_.channels;
        taps_.clear();
        for (int64_t p = 0; p < planes.count; p++)
            for (int64_t q = 0; q < rows.count; q++)
                taps_.push_back(image + ((planes.first + p * axes[0].dilation) * axes[1].in +
                                         rows.first + q * axes[1].dilation) *
                                            width * step);
        if (taps_.empty()) {
            for (int64_t k = 0; k < axes[2].out; k++)
                std::fill_n(result + k * step, channels, OUTSIDE);
            return;
        }
        row_.resize(static_cast<size_t>(width * channels));
        if (channels == step) {
            combine_(row_.data(), taps_.data(), count_of(taps_), width * channels);
        } else {
            for (int64_t k = 0; k < width; k++) {
                combine_(row_.data() + k * channels, taps_.data(), count_of(taps_), channels);
                for (const float*& tap : taps_) tap += step;
            }
        }
        along(axes[2], channels, result);
    }

  private:
    static constexpr float OUTSIDE = largest ? -INFINITY : 0.0f;
    static constexpr int64_t FEW_CHANNELS = 8;

    static int64_t count_of(const std::vector<const float*>& taps) {
        return static_cast<int64_t>(taps.size());
    }

    // Computes the windows along the row.
    void along(const Axis& axis, int64_t channels, float* result) {
        const int64_t step = pooling_.channels;
        for (int64_t k = 0; k < axis.out; k++, result += step) {
            Met met = taps_met(axis, k);
            if (met.count == 0) {
                std::fill_n(result, channels, OUTSIDE);
                continue;
            }
            taps_.clear();
            for (int64_t r = 0; r < met.count; r++)
                taps_.push_back(row_.data() + (met.first + r * axis.dilation) * channels);
            int64_t together = 1;
            if (axis.stride == 1 && channels == step && met.count == axis.window) {
                // These windows lie side by side, and so do their taps: one run for all of them.
                int64_t last = met.first + (axis.window - 1) * axis.dilation;
                together = std::min(axis.in - last, axis.out - k);
            }
            if (together > 1 || channels >= FEW_CHANNELS)
                combine_(result, taps_.data(), count_of(taps_), together * channels);
            else combine_few(result, channels);
            result += (together - 1) * step;
            k += together - 1;
        }
    }

    void combine_few(float* result, int64_t channels) const {
        for (int64_t c = 0; c < channels; c++) {
            float value = taps_[0][c];
            for (size_t r = 1; r < taps_.size(); r++) {
                float other = taps_[r][c];
                if (largest) value = value > other || std::isnan(value) ? value : other;
                else value += other;
            }
            result[c] = value;
        }
    }

    const Pooling& pooling_;
    void (*combine_)(float*, const float* const*, int64_t, int64_t);
    std::vector<const float*> taps_;
    std::vector<float> row_;
};

// Computes the largest or the sum of each window.
template <bool largest>
void pool(const Pooling& pooling, const float* x, float* result) {
    const Axis* axes = pooling.windows.axes;
    const int64_t rows = axes[0].out * axes[1].out, across = axes[1].out;
    RowOfWindows<largest> row(pooling);
    in_units(pooling, pooling.windows.images * rows,
             [&pooling, x, result, rows, across, row](int64_t unit, int64_t first,
                                                      int64_t count) mutable {
        const float* image = x + unit / rows * pooling.windows.pixels_in() * pooling.channels;
        float* to = result + unit * pooling.windows.axes[2].out * pooling.channels;
        row.compute(image + first, unit % rows / across, unit % across, count, to + first);
    });
}

// Finds the pooling whose sums are the transpose of the sums of this one: with stride 1 it is one
// too, from results to inputs. Returns false for other strides.
bool transpose_of_sums(const Pooling& pooling, Pooling* transposed) {
    *transposed = pooling;
    for (Axis& axis : transposed->windows.axes) {
        if (axis.stride != 1) return false;
        std::swap(axis.in, axis.out);
        axis.before = (axis.window - 1) * axis.dilation - axis.before;
    }
    return true;
}

// Returns whether every pixel belongs to one window.
bool is_divided(const Windows& windows) {
    for (const Axis& axis : windows.axes)
        if (axis.stride != axis.window || axis.dilation != 1 ||
            axis.out * axis.window < axis.before + axis.in)
            return false;
    return true;
}

// Computes the share of every element: of the windows whose first maximum it is (x and y given:
// what went into the windows and came out), or of all windows that it belongs to.
void spread(const Pooling& pooling, const float* x, const float* y, const float* g, float* result) {
    const Windows& windows = pooling.windows;
    const int64_t channels = pooling.channels, taps = windows.taps();
    const PoolingVectors& loops = pooling_vectors();
    const bool fresh = is_divided(windows);
    // What lies outside takes part (a window of nothing but -inf has its first maximum there), and
    // its share is dropped.
    const std::vector<float> outside(channels, -INFINITY);
    in_units(pooling, pooling.windows.images, [&](int64_t image, int64_t first, int64_t count) {
        int64_t in = image * windows.pixels_in() * channels + first;
        int64_t out = image * windows.pixels_out() * channels + first;
        for (int64_t pixel = 0; !fresh && pixel < windows.pixels_in(); pixel++)
            std::fill_n(result + in + pixel * channels, count, 0.0f);
        std::vector<const float*> met(taps);
        std::vector<float*> shares(taps);
        std::vector<float> dropped(count);
        each_window(windows, [&](int64_t window, const int64_t* inside) {
            for (int64_t p = 0; p < taps; p++) {
                bool is_out = inside[p] < 0;
                shares[p] = is_out ? dropped.data() : result + in + inside[p] * channels;
                if (x) met[p] = is_out ? outside.data() : x + in + inside[p] * channels;
            }
            const float* gradient = g + out + window * channels;
            if (x)
                loops.to_first[fresh](shares.data(), met.data(), y + out + window * channels,
                                      gradient, taps, count);
            else loops.to_all[fresh](shares.data(), gradient, taps, count);
        });
    });
}

// Reads the pooling of images of this shape that the parameters describe.
bool read_pooling(PyObject* const* arguments, Py_ssize_t count, PyObject* names, int rank,
                  const int64_t* shape, Pooling* pooling) {
    auto parameter = [&](const char* name) { return keyword(arguments, count, names, name); };
    int64_t window[SPACE];
    if (rank < 1 || rank > SPACE || read_numbers(parameter("window"), window, SPACE) != rank ||
        !read_windows(parameter("strides"), parameter("padding"), parameter("dilations"), rank,
                      shape + 1, window, &pooling->windows))
        return false;
    int64_t taps = 1;
    for (int i = 0; i < rank; i++)
        if ((taps *= std::min(window[i], MAX_TAPS + 1)) > MAX_TAPS) return false;
    pooling->windows.images = shape[0];
    pooling->channels = shape[rank + 1];
    return shape[0] * pooling->channels * pooling->windows.pixels_in() > 0;
}

bool read_images(PyObject* x, int64_t* shape) {
    if (!is_plain(x) || PyArray_NDIM(array(x)) < 3 || PyArray_NDIM(array(x)) > SPACE + 2)
        return false;
    for (int i = 0; i < PyArray_NDIM(array(x)); i++) shape[i] = PyArray_DIM(array(x), i);
    return true;
}

void pooled_shape(const Pooling& pooling, int rank, npy_intp* shape) {
    shape[0] = pooling.windows.images;
    for (int i = 0; i < rank; i++) shape[i + 1] = pooling.windows.axes[SPACE - rank + i].out;
    shape[rank + 1] = pooling.channels;
}

bool is_pooled(PyObject* y, const Pooling& pooling, int rank) {
    npy_intp shape[SPACE + 2];
    pooled_shape(pooling, rank, shape);
    return is_plain(y) && PyArray_NDIM(array(y)) == rank + 2 &&
           std::equal(shape, shape + rank + 2, PyArray_DIMS(array(y)));
}

template <bool largest>
PyObject* pool_kernel(PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    int64_t in[SPACE + 2];
    Pooling pooling;
    if (count != 1 || !read_images(arguments[0], in)) return nullptr;
    int rank = PyArray_NDIM(array(arguments[0])) - 2;
    if (!read_pooling(arguments, count, names, rank, in, &pooling)) return nullptr;
    npy_intp shape[SPACE + 2];
    pooled_shape(pooling, rank, shape);
    Ref made(new_array(rank + 2, shape, NPY_FLOAT32));
    if (made) pool<largest>(pooling, data(arguments[0]), data(made.get()));
    return made.release();
}

PyObject* max_pool_spread(PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    int64_t in[SPACE + 2];
    Pooling pooling;
    if (count != 3 || !read_images(arguments[0], in)) return nullptr;
    PyObject *x = arguments[0], *y = arguments[1], *g = arguments[2];
    int rank = PyArray_NDIM(array(x)) - 2;
    if (!read_pooling(arguments, count, names, rank, in, &pooling) ||
        !is_pooled(y, pooling, rank) || !is_pooled(g, pooling, rank))
        return nullptr;
    Ref made(new_array_like(array(x)));
    if (made) spread(pooling, data(x), data(y), data(g), data(made.get()));
    return made.release();
}

PyObject* window_spread(PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    int64_t in[SPACE + 2];
    Pooling pooling;
    int axes = read_numbers(keyword(arguments, count, names, "shape"), in, SPACE + 2);
    if (count != 1 || axes < 3 || !read_pooling(arguments, count, names, axes - 2, in, &pooling) ||
        !is_pooled(arguments[0], pooling, axes - 2))
        return nullptr;
    npy_intp shape[SPACE + 2];
    std::copy(in, in + axes, shape);
    Ref made(new_array(axes, shape, NPY_FLOAT32));
    Pooling transposed;
    if (made && transpose_of_sums(pooling, &transposed))
        pool<false>(transposed, data(arguments[0]), data(made.get()));
    else if (made) spread(pooling, nullptr, nullptr, data(arguments[0]), data(made.get()));
    return made.release();
}

}  // namespace

const KernelEntry POOLING[] = {{"max_pool", pool_kernel<true>},
                               {"max_pool_spread", max_pool_spread},
                               {"window_sum", pool_kernel<false>},
                               {"window_spread", window_spread},
                               {nullptr, nullptr}};

}  // namespace gradtape
