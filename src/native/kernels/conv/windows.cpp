#include "kernels/conv/windows.h"

#include <algorithm>
#include <cstring>

namespace gradtape {
namespace {

// Of a padded axis: what is computed with it does not overflow.
constexpr int64_t MAX_EXTENT = int64_t(1) << 31;

}  // namespace

int read_numbers(PyObject* tuple, int64_t* numbers, int most) {
    if (!tuple || !PyTuple_Check(tuple) || PyTuple_GET_SIZE(tuple) > most) return -1;
    int count = static_cast<int>(PyTuple_GET_SIZE(tuple));
    for (int i = 0; i < count; i++) {
        PyObject* item = PyTuple_GET_ITEM(tuple, i);
        int overflow = 0;
        numbers[i] = PyLong_Check(item) ? PyLong_AsLongLongAndOverflow(item, &overflow) : -1;
        if (overflow || numbers[i] < 0) return -1;
    }
    return count;
}

bool read_windows(PyObject* strides, PyObject* padding, PyObject* dilations, int rank,
                  const int64_t* space, const int64_t* window, Windows* windows) {
    int64_t steps[SPACE], gaps[SPACE];
    if (rank < 1 || rank > SPACE || read_numbers(strides, steps, SPACE) != rank ||
        read_numbers(dilations, gaps, SPACE) != rank || !padding || !PyTuple_Check(padding) ||
        PyTuple_GET_SIZE(padding) != rank)
        return false;
    for (int i = 0; i < rank; i++) {
        int64_t pair[2];
        if (read_numbers(PyTuple_GET_ITEM(padding, i), pair, 2) != 2) return false;
        Axis& axis = windows->axes[SPACE - rank + i];
        axis.in = space[i];
        axis.window = window[i];
        axis.before = pair[0];
        if (steps[i] < 1 || gaps[i] < 1 || axis.window < 1) return false;
        axis.dilation = axis.window > 1 ? gaps[i] : 1;
        int64_t reach, padded;
        if (__builtin_mul_overflow(axis.window - 1, axis.dilation, &reach) ||
            __builtin_add_overflow(axis.in, pair[0], &padded) ||
            __builtin_add_overflow(padded, pair[1], &padded) || padded > MAX_EXTENT)
            return false;
        int64_t room = padded - reach - 1;
        if (room < 0) return false;
        axis.stride = std::min(steps[i], padded);  // a longer one meets the same single window
        axis.out = room / axis.stride + 1;
    }
    return true;
}

std::vector<Sweep> sweeps_over_inputs(const Axis& axis) {
    Sweep sweep = {0, 1, axis.out, -axis.before, axis.stride, {}};
    for (int64_t k = 0; k < axis.window; k++) sweep.taps.push_back({k, k * axis.dilation});
    return {sweep};
}

std::vector<Sweep> sweeps_over_results(const Axis& axis) {
    std::vector<Sweep> sweeps;
    for (int64_t first = 0; first < std::min(axis.stride, axis.in); first++) {
        // Input i = first + j * stride meets result o where i + before = o * stride + k * dilation.
        int64_t count = (axis.in - first + axis.stride - 1) / axis.stride;
        Sweep sweep = {first, axis.stride, count, 0, 1, {}};
        for (int64_t k = axis.window - 1; k >= 0; k--) {
            int64_t distance = first + axis.before - k * axis.dilation;
            if (distance % axis.stride) continue;
            int64_t shift = distance / axis.stride;
            if (sweep.taps.empty()) sweep.source_begin = shift;
            sweep.taps.push_back({k, shift - sweep.source_begin});
        }
        sweeps.push_back(sweep);
    }
    return sweeps;
}

Pieces::Pieces(const Sweep* const* sweeps, int64_t pixels) {
    for (int i = 0; i < SPACE; i++) count[i] = sweeps[i]->count;
    length[0] = 1;
    length[2] = std::max<int64_t>(std::min(count[2], pixels), 1);
    length[1] = std::max<int64_t>(std::min(count[1], pixels / length[2]), 1);
    for (int i = 0; i < SPACE; i++) {
        number[i] = (count[i] + length[i] - 1) / length[i];
        // Of nearly equal sizes.
        if (number[i]) length[i] = (count[i] + number[i] - 1) / number[i];
    }
}

Piece::Piece(const Pieces& pieces, int64_t index) {
    for (int i = SPACE - 1; i >= 0; i--) {
        begin[i] = index % pieces.number[i] * pieces.length[i];
        size[i] = std::min(pieces.length[i], pieces.count[i] - begin[i]);
        index /= pieces.number[i];
    }
}

Box Piece::sources(const Sweep* const* sweeps, const Pieces& pieces) const {
    Box box;
    for (int i = 0; i < SPACE; i++) {
        box.begin[i] = sweeps[i]->source_begin + begin[i] * sweeps[i]->source_step;
        box.size[i] = (pieces.length[i] - 1) * sweeps[i]->source_step + sweeps[i]->reach();
    }
    return box;
}

bool Box::is_inside(const int64_t* extent) const {
    for (int i = 0; i < SPACE; i++)
        if (begin[i] < 0 || begin[i] + size[i] > extent[i]) return false;
    return true;
}

void copy_box(float* to, int64_t stride, const float* image, const int64_t* extent,
              int64_t channels, const Box& box) {
    const int64_t row = box.size[2] * stride;
    // The columns that are inside: the same in every row.
    int64_t left = std::min(std::max<int64_t>(-box.begin[2], 0), box.size[2]);
    int64_t right = std::max(std::min(extent[2] - box.begin[2], box.size[2]), left);
    for (int64_t i = 0; i < box.size[0]; i++) {
        for (int64_t j = 0; j < box.size[1]; j++, to += row) {
            int64_t at0 = box.begin[0] + i, at1 = box.begin[1] + j;
            bool outside = at0 < 0 || at0 >= extent[0] || at1 < 0 || at1 >= extent[1];
            if (outside || left == right) {
                std::memset(to, 0, row * sizeof(float));
                continue;
            }
            const float* from = image +
                                ((at0 * extent[1] + at1) * extent[2] + box.begin[2] + left) *
                                    channels;
            std::memset(to, 0, left * stride * sizeof(float));
            float* inner = to + left * stride;
            if (stride == channels) {
                std::memcpy(inner, from, (right - left) * channels * sizeof(float));
            } else {
                for (int64_t k = left; k < right; k++, inner += stride, from += channels) {
                    std::memcpy(inner, from, channels * sizeof(float));
                    std::memset(inner + channels, 0, (stride - channels) * sizeof(float));
                }
            }
            std::memset(to + right * stride, 0, (box.size[2] - right) * stride * sizeof(float));
        }
    }
}

}  // namespace gradtape
