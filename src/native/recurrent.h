// What LSTM and GRU have in common. Examples do not mix, so every worker runs its own through all
// steps, in rows of its own that lie together: those of a step are far apart in the arrays, often
// by a power of two, and would meet in the same places of the caches.
#pragma once

#include <vector>

#include "kernel.h"
#include "packed.h"
#include "recurrent_vectors.h"
#include "summed.h"

namespace gradtape {

struct Sequences {
    int64_t batch, steps, inputs, units;

    int64_t rows() const { return batch * steps; }
    // About how long one pass takes on one core, in nanoseconds.
    double time(int64_t gates) const;
    // Whether the inputs of all steps are multiplied before the first one: where a worker has few
    // examples, a single step's do not fill the tiles; and weights larger than the caches are
    // better read once than at every step. It does not show in the bits.
    bool ahead(int workers, int64_t weights) const;
};

// x [batch, steps, inputs], and a state [batch, units], the first two arguments.
bool read_sequences(const PlainArguments& given, Sequences* s);
bool has_shape(PyObject* x, std::initializer_list<int64_t> shape);

// A tuple of new arrays with these shapes.
PyObject* new_arrays(std::initializer_list<std::vector<npy_intp>> shapes);
inline float* part(PyObject* tuple, int i) { return data(PyTuple_GET_ITEM(tuple, i)); }

// What arrives for the results of all steps, [batch, steps, units]. Where that is one number spread
// over the shape (zero, if nothing arrived) a single row stands for all.
class Arriving {
  public:
    Arriving(PyObject* x, const Sequences& s);
    explicit operator bool() const { return data_ != nullptr; }
    const float* at(int64_t row) const { return data_ + row * step_; }

  private:
    std::unique_ptr<Plain> whole_;
    std::vector<float> row_;
    const float* data_ = nullptr;
    int64_t step_ = 0;
};

// The rows of a matrix in parts, one after another: a weight of the inputs, one of the states …
struct PackedPart {
    Matrix matrix;
    int64_t rows;
};
void pack_parts(Packed& packed, float* to, std::initializer_list<PackedPart> parts, int workers);

// target [batch · steps, wide] = x · the first rows of the weights, divided between the workers.
void multiply_inputs(const Sequences& s, const float* x, const Packed& weights, float* target,
                     int64_t wide, int64_t columns, int workers);

// to_x [batch, steps, inputs] = sums [steps, batch, wide] · weights, divided between the workers.
void multiply_sums(const Sequences& s, const float* sums, int64_t wide, const Packed& weights,
                   float* to_x, int workers);

// A state at a step: `first` before the first one, then the results of the step before.
struct States {
    const float *first, *all;
    int64_t steps, units;
    const float* before(int64_t example, int64_t step) const {
        return step ? all + (example * steps + step - 1) * units : first + example * units;
    }
    int64_t distance(int64_t step) const { return step ? steps * units : units; }  // of examples
};

// Asks for numbers that will be read, or written, after the next product: the rows of a step lie
// too far from those of the step before for the processor to see them coming.
template <bool written = false>
inline void will_need(const float* run, int64_t count) {
    for (int64_t i = 0; i < count; i += 16) __builtin_prefetch(run + i, written, 2);
}

PyObject* lstm(PyObject* const* arguments, Py_ssize_t count, PyObject* names);
PyObject* lstm_grad(PyObject* const* arguments, Py_ssize_t count, PyObject* names);
PyObject* gru(PyObject* const* arguments, Py_ssize_t count, PyObject* names);
PyObject* gru_grad(PyObject* const* arguments, Py_ssize_t count, PyObject* names);

}  // namespace gradtape
