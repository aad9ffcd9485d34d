// Windows that slide over the spatial axes of channels-last arrays: [images, *space, channels].
// One and two spatial axes are three, of which the first have size 1.
#pragma once

#include <vector>

#include "runtime/arrays.h"

namespace gradtape {

constexpr int SPACE = 3;

struct Axis {
    int64_t in = 1, out = 1, window = 1, stride = 1, dilation = 1, before = 0;
};

struct Windows {
    int64_t images = 0;
    Axis axes[SPACE];

    int64_t pixels_in() const { return axes[0].in * axes[1].in * axes[2].in; }
    int64_t pixels_out() const { return axes[0].out * axes[1].out * axes[2].out; }
    int64_t taps() const { return axes[0].window * axes[1].window * axes[2].window; }
};

// Reads a tuple of at most `most` whole numbers. Returns how many there are, or -1 (with no error
// set).
int read_numbers(PyObject* tuple, int64_t* numbers, int most);

// Fills in what the parameters strides, padding (pairs) and dilations say, for `rank` spatial axes
// whose sizes before padding are `space` and whose windows are `window`. The sizes of the result
// follow. False if the parameters are not of that form.
bool read_windows(PyObject* strides, PyObject* padding, PyObject* dilations, int rank,
                  const int64_t* space, const int64_t* window, Windows* windows);

// One tap of a window along one axis: its number in the filter, and how far it lies from the
// first tap that is used.
struct Tap {
    int64_t index, shift;
};

// Along one axis: targets, each of which is a sum over `taps` of a source. Target i of `count`
// lies at target_begin + i * target_step, the first source that it meets at
// source_begin + i * source_step (which may be outside: zeros lie there).
struct Sweep {
    int64_t target_begin, target_step, count, source_begin, source_step;
    std::vector<Tap> taps;

    int64_t reach() const { return taps.empty() ? 0 : taps.back().shift + 1; }
};

// The results of windows, as sums over inputs: one sweep. The inputs' shares of the results, as
// sums over results: one sweep for each residue of the input's position modulo the stride, since
// each residue meets other taps of the window.
std::vector<Sweep> sweeps_over_inputs(const Axis& axis);
std::vector<Sweep> sweeps_over_results(const Axis& axis);

// A part of the space of an image, which may reach over its edges.
struct Box {
    int64_t begin[SPACE], size[SPACE];

    int64_t pixels() const { return size[0] * size[1] * size[2]; }
    bool is_inside(const int64_t* extent) const;
};

// Copies a box of an image, with zeros where it reaches over the edges. Pixels lie
// `stride` >= channels apart in the copy; what is between them is zero.
void copy_box(float* to, int64_t stride, const float* image, const int64_t* extent,
              int64_t channels, const Box& box);

// The targets of three sweeps, divided into pieces of which each is worked on at a time: along the
// last two axes, one at a time along the first. All pieces are of one size, but for the last.
struct Pieces {
    int64_t count[SPACE], length[SPACE], number[SPACE];

    Pieces() = default;
    Pieces(const Sweep* const* sweeps, int64_t pixels);  // about that many pixels in each
    int64_t total() const { return number[0] * number[1] * number[2]; }
};
struct Piece {
    int64_t begin[SPACE], size[SPACE];

    Piece(const Pieces& pieces, int64_t index);
    // Returns what the sweeps meet from here, for a piece of full size.
    Box sources(const Sweep* const* sweeps, const Pieces& pieces) const;
};

}  // namespace gradtape
