// The steps of a flat program: each computes one op, or a part of one, from buffers to buffers.
// They touch no Python object, and run without the interpreter's lock.
#pragma once

#include <memory>

#include "core/ops.h"
#include "flat/layout.h"
#include "flat/loops.h"
#include "kernels/indices.h"
#include "kernels/reduce.h"
#include "runtime/blas.h"

namespace gradtape::flat {

struct Address {
    int buffer;
    int64_t offset;

    char* in(char* const* buffers) const { return buffers[buffer] + offset; }
};
inline Address address_of(const Value& value) { return {value.buffer, value.offset}; }

class Step {
  public:
    Step() = default;
    virtual ~Step() = default;
    Step(const Step&) = delete;
    Step& operator=(const Step&) = delete;

    // Runs the step on buffers that begin at these addresses. False for values that the op refuses:
    // the kernels in Python say why.
    virtual bool run(char* const* buffers) const = 0;

    std::vector<int> buffers;  // that it touches
    double cost = 0;           // nanoseconds, about
};

// An op on single numbers, as the core computes them.
template <class Number>
class NumberStep : public Step {
  public:
    Op op;
    double exponent = 0;  // of a power
    Address x, y, result;
    bool run(char* const* buffers) const override;
};

// The same for the commonest, without looking up which.
template <class Number, class Compute>
class PairStep : public Step {
  public:
    Address x, y, result;
    bool run(char* const* buffers) const override {
        *reinterpret_cast<Number*>(result.in(buffers)) = Compute()(
            *reinterpret_cast<const Number*>(x.in(buffers)),
            *reinterpret_cast<const Number*>(y.in(buffers)));
        return true;
    }
};

// An elementwise op, by loops over rows.
class LoopStep : public Step {
  public:
    Walk walk;
    Loop loop;
    Address addresses[MAX_WALKED];
    bool run(char* const* buffers) const override;
};

// A copy of numbers, in any order; or zeros.
class CopyStep : public Step {
  public:
    Walk walk;
    npy_intp item = 0;
    bool is_run = false;  // on both sides
    Address from, to;
    bool run(char* const* buffers) const override;
};
class ZerosStep : public Step {
  public:
    Address to;
    int64_t bytes = 0;
    bool run(char* const* buffers) const override;
};

// y + z, where z is 0 but for a part that is x: a cotangent that is added to others.
template <class Number>
class AddPartStep : public Step {
  public:
    Walk walk;  // x, the part of y, the part of the result
    int64_t size = 0;
    Address x, y, result;
    int64_t offset = 0;  // of the part, in bytes
    bool run(char* const* buffers) const override;
};

// A reduction of float32, in the order of kernels/reduce.h.
class ReduceStep : public Step {
  public:
    Combination how = SUM;
    bool is_mean = false;
    ReductionPlan plan;
    Address x, result;
    bool run(char* const* buffers) const override;
};

// A reduction by a loop of NumPy's, in its order: rows one by one where the last axis goes,
// otherwise row after row.
class LoopReduceStep : public Step {
  public:
    Loop loop;
    int64_t outer = 1, length = 1, inner = 1;
    npy_intp item = 0;
    bool starts_at_zero = false;  // otherwise with the first number
    Address x, result;
    bool run(char* const* buffers) const override;
};

// Whether the NumPy kernel leaves a sum of float64 to `add.reduce`, or adds very short rows; others
// are products with ones.
bool is_summed_by_numpy(const ReductionPlan& plan);

// The sum of rows of very few numbers, one after the other, as NumPy adds them.
template <class Number>
class ShortSumStep : public Step {
  public:
    static constexpr int64_t LIMIT = 8;  // of numbers in a row
    int64_t rows = 0, length = 0;
    Address x, result;
    bool run(char* const* buffers) const override;
};

// An op on rows of float32: softmax and its like.
class RowStep : public Step {
  public:
    void (*of_one)(float* result, const float* x, int64_t columns) = nullptr;
    void (*of_two)(float* result, const float* x, const float* y, int64_t columns) = nullptr;
    int64_t rows = 0, columns = 0;
    Address x, y, result;
    bool run(char* const* buffers) const override;
};

// A product of matrices, or of stacks of them.
template <class Number>
class ProductStep : public Step {
  public:
    struct Pair {
        int64_t x, y;  // where the matrices begin, in bytes
    };
    MatrixOf<Number> x, y;  // their addresses are found in `run`
    int64_t rows = 0, columns = 0, inner = 0;
    std::vector<Pair> stack;  // empty for one product
    Address left, right, result;
    bool run(char* const* buffers) const override;
};

// Rows taken from a table by number.
class GatherStep : public Step {
  public:
    int64_t outer = 1, table = 1, count = 1, bytes = 0;
    bool is_wide = false;  // the numbers have 64 bits
    Address x, indices, result;
    bool run(char* const* buffers) const override;
};

}  // namespace gradtape::flat
