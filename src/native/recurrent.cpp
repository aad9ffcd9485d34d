// Recurrent layers over a whole sequence.
#include "recurrent.h"

#include <algorithm>

#include "blas.h"
#include "vectors.h"

namespace gradtape {

const RecurrentVectors& recurrent_vectors() {
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
    if (vectors().lanes == 16) return avx512::RECURRENT_VECTORS;
    if (vectors().lanes == 8) return avx2::RECURRENT_VECTORS;
#endif
    return portable::RECURRENT_VECTORS;
}

namespace {

constexpr double GATE = 4;  // nanoseconds for the gates of one unit at one step
constexpr int64_t FEW_EXAMPLES = 8, MOST_WEIGHTS = 1 << 19;  // MOST_WEIGHTS: numbers
// Rows of inputs that meet all weights before the next ones do.
constexpr int64_t ROW_BLOCK = 96;

}  // namespace

double Sequences::time(int64_t gates) const {
    double cells = static_cast<double>(rows() * units);
    return product_time(rows(), gates * units, inputs + units) + GATE * cells;
}

bool Sequences::ahead(int workers, int64_t weights) const {
    return batch < FEW_EXAMPLES * workers || weights > MOST_WEIGHTS;
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
    packed.place(to);
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

void multiply_sums(const Sequences& s, const float* sums, int64_t wide, const Packed& weights,
                   float* to_x, int workers) {
    parallel(workers, [&](int worker, int all) {
        for (int64_t b = 0; b < s.batch; b++) {
            Part own = part_of(s.steps, worker, all);
            weights.multiply(sums + (own.begin * s.batch + b) * wide, s.batch * wide,
                             to_x + (b * s.steps + own.begin) * s.inputs, s.inputs,
                             own.end - own.begin, false);
        }
    });
}

const Entry RECURRENT[] = {{"lstm", lstm},
                           {"lstm_grad", lstm_grad},
                           {"gru", gru},
                           {"gru_grad", gru_grad},
                           {nullptr, nullptr}};

}  // namespace gradtape
