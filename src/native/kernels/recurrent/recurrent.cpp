// Recurrent layers over a whole sequence.
#include "kernels/recurrent/recurrent.h"

#include <algorithm>

#include "runtime/blas.h"
#include "simd/vectors.h"

namespace gradtape {

namespace {

constexpr double GATE = 4;  // nanoseconds for the gates of one unit at one step
constexpr int64_t FEW_EXAMPLES = 8, MAX_WEIGHTS = 1 << 19;  // MAX_WEIGHTS: numbers
// Rows of inputs that meet all weights before the next ones do.
constexpr int64_t ROW_BLOCK = 96;

}  // namespace

double Sequences::time(int64_t gates) const {
    double cells = static_cast<double>(rows() * units);
    return product_time(rows(), gates * units, inputs + units) + GATE * cells;
}

bool Sequences::ahead(int workers, int64_t weights) const {
    return batch < FEW_EXAMPLES * workers || weights > MAX_WEIGHTS;
}

bool has_shape(PyObject* x, std::initializer_list<int64_t> shape) {
    return PyArray_NDIM(array(x)) == static_cast<int>(shape.size()) &&
           std::equal(shape.begin(), shape.end(), PyArray_DIMS(array(x)));
}

PyObject* new_arrays(std::initializer_list<std::vector<npy_intp>> shapes) {
    PyObject* made = PyTuple_New(static_cast<Py_ssize_t>(shapes.size()));
    Py_ssize_t i = 0;
    for (const std::vector<npy_intp>& shape : shapes) {
        if (!made) return nullptr;
        PyObject* one = new_array(static_cast<int>(shape.size()), shape.data(), NPY_FLOAT32);
        PyTuple_SET_ITEM(made, i++, one);
        if (!one) Py_CLEAR(made);
    }
    return made;
}

bool read_sequences(const PlainArguments& given, Sequences* s) {
    if (!given || PyArray_NDIM(array(given[0])) != 3 || PyArray_NDIM(array(given[1])) != 2)
        return false;
    const npy_intp* x = PyArray_DIMS(array(given[0]));
    *s = {x[0], x[1], x[2], PyArray_DIM(array(given[1]), 1)};
    return s->batch * s->steps * s->inputs * s->units > 0 &&
           PyArray_DIM(array(given[1]), 0) == s->batch;
}

Arriving::Arriving(PyObject* x, const Sequences& s) {
    if (!is_array(x, NPY_FLOAT32) || !has_shape(x, {s.batch, s.steps, s.units})) return;
    const npy_intp* strides = PyArray_STRIDES(array(x));
    if (strides[0] == 0 && strides[1] == 0 && strides[2] == 0 && PyArray_ISALIGNED(array(x))) {
        row_.assign(static_cast<size_t>(s.units), *data(x));
        data_ = row_.data();
        return;
    }
    whole_ = std::make_unique<Plain>(x);
    if (!*whole_) return;
    data_ = whole_->begin();
    step_ = s.units;
}

void pack_parts(Packed& packed, float* to, std::initializer_list<PackedPart> parts, int workers) {
    packed.set_memory(to);
    parallel(workers, [&](int worker, int all) {
        Part panels = part_of(packed.panels(), worker, all);
        int64_t row = 0;
        for (const PackedPart& part : parts) {
            packed.pack(part.matrix, {row, row + part.rows}, panels);
            row += part.rows;
        }
    });
}

void multiply_inputs(const Sequences& s, const float* x, const Packed& weights, float* target,
                     int64_t wide, int64_t columns, int workers) {
    parallel(workers, [&](int worker, int all) {
        Part own = part_of(s.rows(), worker, all);
        for (int64_t row = own.begin; row < own.end; row += ROW_BLOCK)
            weights.multiply(x + row * s.inputs, s.inputs, target + row * wide, wide,
                             std::min(ROW_BLOCK, own.end - row), false, s.inputs, columns);
    });
}

void JointRows::set_states(Part examples, const float* states) const {
    for (int64_t b = examples.begin; b < examples.end; b++)
        std::copy_n(states + b * s.units, s.units, state(b));
}

void JointRows::set_inputs(Part examples, const float* x, int64_t step) const {
    for (int64_t b = examples.begin; b < examples.end; b++)
        std::copy_n(x + (b * s.steps + step) * s.inputs, s.inputs, inputs(b));
}

BackwardProducts::BackwardProducts(const Sequences& s, int64_t columns, bool wants_inputs,
                                   int workers)
    : inputs(s.rows(), s.inputs), states(s.rows(), s.units), s_(s), columns_(columns),
      wants_inputs_(wants_inputs), workers_(workers), to_states_(columns, s.units),
      to_inputs_(columns, wants_inputs ? s.inputs : 0),
      later_(wants_inputs && s.ahead(workers, to_inputs_.size())) {}

void BackwardProducts::set_memory(float* memory) {
    memory_ = memory;
    inputs.set_memory(memory + to_states_.size() + to_inputs_.size());
    states.set_memory(memory + to_states_.size() + to_inputs_.size() + inputs.size());
}

void BackwardProducts::pack(const float* w, const float* u) {
    pack_parts(to_states_, memory_, {{{u, columns_, true}, columns_}}, workers_);
    if (wants_inputs_)
        pack_parts(to_inputs_, memory_ + to_states_.size(), {{{w, columns_, true}, columns_}},
                   workers_);
}

void BackwardProducts::multiply_later(const float* sums, float* to_x) const {
    parallel(workers_, [&](int worker, int all) {
        for (int64_t b = 0; b < s_.batch; b++) {
            Part own = part_of(s_.steps, worker, all);
            to_inputs_.multiply(sums + (own.begin * s_.batch + b) * columns_, s_.batch * columns_,
                                to_x + (b * s_.steps + own.begin) * s_.inputs, s_.inputs,
                                own.end - own.begin, false);
        }
    });
}

void BackwardProducts::multiply_inputs(Part examples, int64_t step, const float* sums,
                                       float* to_x) const {
    if (!wants_inputs_ || later_) return;
    to_inputs_.multiply(sums, columns_, to_x + (examples.begin * s_.steps + step) * s_.inputs,
                        s_.steps * s_.inputs, examples.end - examples.begin, false);
}

void BackwardProducts::multiply_states(Part examples, const float* sums, float* to_h,
                                       bool accumulate) const {
    to_states_.multiply(sums, columns_, to_h + examples.begin * s_.units, s_.units,
                        examples.end - examples.begin, accumulate);
}

void BackwardProducts::keep(Part examples, int64_t step, const float* x, const States& before) {
    int64_t row = step * s_.batch + examples.begin, count = examples.end - examples.begin;
    inputs.put(row, count, x + (examples.begin * s_.steps + step) * s_.inputs,
               s_.steps * s_.inputs);
    states.put(row, count, before.before(examples.begin, step), before.distance(step));
}

const KernelEntry RECURRENT[] = {{"lstm", lstm},
                                 {"lstm_grad", lstm_grad},
                                 {"gru", gru},
                                 {"gru_grad", gru_grad},
                                 {nullptr, nullptr}};

}  // namespace gradtape
