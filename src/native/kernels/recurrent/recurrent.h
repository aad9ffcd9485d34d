// What LSTM and GRU have in common. Examples do not mix, so every worker runs its own through all
// steps, in rows of its own that lie together: those of a step are far apart in the arrays, often
// by a power of two, and would meet in the same sets of the caches.
#pragma once

#include <vector>

#include "kernels/kernel.h"
#include "kernels/packed.h"
#include "kernels/row_sums.h"
#include "simd/recurrent_vectors.h"

namespace gradtape {

struct Sequences {
    int64_t batch, steps, inputs, units;

    int64_t rows() const { return batch * steps; }
    // About how long one pass takes on one core, in nanoseconds.
    double time(int64_t gates) const;
    // Returns whether the inputs of all steps are multiplied before the first one: where a worker
    // has few examples, a single step's do not fill the tiles; and weights larger than the caches
    // are better read once than at every step. It does not show in the bits.
    bool ahead(int workers, int64_t weights) const;
};

// Reads x [batch, steps, inputs], and a state [batch, units], the first two arguments.
bool read_sequences(const PlainArguments& given, Sequences* s);
bool has_shape(PyObject* x, std::initializer_list<int64_t> shape);

// Returns a tuple of new arrays with these shapes.
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

// Computes target [batch · steps, wide] = x · the first rows of the weights, divided between the
// workers.
void multiply_inputs(const Sequences& s, const float* x, const Packed& weights, float* target,
                     int64_t wide, int64_t columns, int workers);

// A state at a step: `first` before the first one, then the results of the step before.
struct States {
    const float *first, *all;
    int64_t steps, units;
    const float* before(int64_t example, int64_t step) const {
        return step ? all + (example * steps + step - 1) * units : first + example * units;
    }
    int64_t distance(int64_t step) const { return step ? steps * units : units; }  // of examples
};

// The rows that a step multiplies with the weights: inputs and state of each example, side by side.
struct JointRows {
    const Sequences& s;
    float* rows;

    int64_t width() const { return s.inputs + s.units; }
    float* inputs(int64_t example) const { return rows + example * width(); }
    float* state(int64_t example) const { return inputs(example) + s.inputs; }
    void set_states(Part examples, const float* states) const;
    void set_inputs(Part examples, const float* x, int64_t step) const;
};

// The products of a backward pass: with the weights, from the cotangents of a step's sums [columns]
// to those of its inputs and of the state before; and what the cotangents of the weights are summed
// of, the inputs and states of all steps.
class BackwardProducts {
  public:
    BackwardProducts(const Sequences& s, int64_t columns, bool wants_inputs, int workers);

    int64_t size() const {
        return to_states_.size() + to_inputs_.size() + inputs.size() + states.size();
    }
    void set_memory(float* memory);
    // Packs the weights of the inputs [inputs, columns] and of the states [units, columns].
    void pack(const float* w, const float* u);

    // Returns whether the inputs' cotangents of all steps are computed at the end, by
    // `multiply_later`, from sums [steps, batch, columns].
    bool later() const { return later_; }
    void multiply_later(const float* sums, float* to_x) const;
    // Multiplies one step of some examples: the rows of `sums` belong to them.
    void multiply_inputs(Part examples, int64_t step, const float* sums, float* to_x) const;
    void multiply_states(Part examples, const float* sums, float* to_h, bool accumulate) const;

    // Keeps what went into a step for the sums of the weights.
    void keep(Part examples, int64_t step, const float* x, const States& before);
    SummedLeft inputs, states;

  private:
    const Sequences& s_;
    int64_t columns_;
    bool wants_inputs_;
    int workers_;
    Packed to_states_, to_inputs_;
    bool later_;
    float* memory_ = nullptr;
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
