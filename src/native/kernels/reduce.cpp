// Sums, means and extremes of float32 over axes that lie next to each other. What is added to what
// depends on the shape alone, so results are the same whatever the number of threads.
#include "kernels/reduce.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/elementwise.h"
#include "kernels/kernel.h"
#include "runtime/ref.h"
#include "runtime/work_split.h"

namespace gradtape {
namespace {

constexpr double EACH = 0.12;        // nanoseconds for an element
constexpr double EXPONENTIAL = 0.6;  // and for one whose exponential is summed

// Reduces the last axis: every row becomes a number.
void reduce_rows(Combination how, float* result, const float* x, const ReductionPlan& plan) {
    int64_t length = plan.length, stretches = (length + STRETCH - 1) / STRETCH;
    if (stretches == 1) {
        in_parts(plan.outer, EACH * static_cast<double>(length) + 10, 1,
                 [=](int64_t begin, int64_t end) {
            for (int64_t row = begin; row < end; row++)
                result[row] = static_cast<float>(reduced_run(how, x + row * length, length));
        });
        return;
    }
    std::vector<double> parts(static_cast<size_t>(plan.outer * stretches));
    double* part = parts.data();
    in_parts(plan.outer * stretches, EACH * static_cast<double>(STRETCH), 1,
             [=](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; i++) {
            int64_t start = i % stretches * STRETCH;
            part[i] = reduced_run(how, x + i / stretches * length + start,
                                  std::min(STRETCH, length - start));
        }
    });
    for (int64_t row = 0; row < plan.outer; row++)
        result[row] = static_cast<float>(joined_parts(how, part + row * stretches, stretches));
}

// Reduces an axis before the last: `length` rows of `inner` columns become one.
void reduce_columns(Combine combine, float* result, const float* x, const ReductionPlan& plan) {
    int64_t length = plan.length, inner = plan.inner, outer = plan.outer;
    // Rows of few columns are taken several at a time, as one wide row.
    int64_t together = 1;
    while (inner * together < FEW_COLUMNS && length >= 8 * together) together *= 2;
    int64_t rows = length / together, columns = inner * together;
    int64_t blocks = (rows + ROW_BLOCK - 1) / ROW_BLOCK;
    double row_time = EACH * static_cast<double>(columns) + 1;
    if (blocks == 1 && together == 1) {
        int64_t strips = (columns + STRIP - 1) / STRIP;
        double each = row_time * static_cast<double>(rows) / static_cast<double>(strips);
        in_parts(outer * strips, each, 1, [=](int64_t begin, int64_t end) {
            for (int64_t i = begin; i < end; i++) {
                int64_t o = i / strips, start = i % strips * STRIP;
                combine(result + o * columns + start, x + o * length * inner + start, rows, columns,
                        std::min(STRIP, columns - start));
            }
        });
        return;
    }
    std::vector<float> parts(static_cast<size_t>(outer * blocks * columns));
    float* part = parts.data();
    in_parts(outer * blocks, row_time * static_cast<double>(std::min(rows, ROW_BLOCK)), 1,
             [=](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; i++) {
            int64_t start = i % blocks * ROW_BLOCK;
            combine(part + i * columns, x + i / blocks * length * inner + start * columns,
                    std::min(ROW_BLOCK, rows - start), columns, columns);
        }
    });
    in_parts(outer, row_time * static_cast<double>(blocks + together), 1,
             [=](int64_t begin, int64_t end) {
        std::vector<float> wide(static_cast<size_t>(columns + inner * (length % together)));
        for (int64_t o = begin; o < end; o++) {
            if (together == 1) {
                fold_rows(combine, result + o * inner, part + o * blocks * columns, blocks,
                          columns);
                continue;
            }
            // The wide row is `together` rows; those that were left over come after them.
            fold_rows(combine, wide.data(), part + o * blocks * columns, blocks, columns);
            const float* rest = x + o * length * inner + rows * columns;
            std::copy(rest, rest + length % together * inner, wide.data() + columns);
            combine(result + o * inner, wide.data(), together + length % together, inner, inner);
        }
    });
}

template <Combination how, bool mean>
PyObject* reduce(PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    PyObject* axis = keyword(arguments, count, names, "axis");
    PyObject* keepdims = keyword(arguments, count, names, "keepdims");
    PyObject* x = arguments[0];
    bool is_wide = count == 1 && is_plain(x, NPY_FLOAT64);
    if (count != 1 || !axis || !keepdims || !(is_wide || is_plain(x)) || size(x) == 0)
        return nullptr;
    ReductionPlan plan;
    if (!plan.make(PyArray_NDIM(array(x)), PyArray_DIMS(array(x)), axis, keepdims == Py_True))
        return nullptr;
    if (is_wide) return reduce_small(how, mean, x, plan);
    Ref made(new_array(plan.rank, plan.shape, NPY_FLOAT32));
    if (!made) return nullptr;
    float* result = data(made.get());
    reduce_array(how, mean, plan, result, data(x));
    return plan.rank > 0 ? made.release() : new_scalar(result[0]);
}

// The logarithm of the sum of exponentials along the last axes, of float32.
PyObject* logsumexp_rows(const ReductionPlan& plan, const float* x) {
    Ref made(new_array(plan.rank, plan.shape, NPY_FLOAT32));
    if (!made) return nullptr;
    float* result = data(made.get());
    int64_t length = plan.length;
    in_parts(plan.outer, EXPONENTIAL * static_cast<double>(length) + 30, 1,
             [=](int64_t begin, int64_t end) {
        for (int64_t row = begin; row < end; row++) {
            Softened s = vectors().rows.soften(x + row * length, length);
            result[row] = std::isfinite(s.largest) ? s.largest + std::log(s.sum) : s.largest;
        }
    });
    return plan.rank > 0 ? made.release() : new_scalar(result[0]);
}

// The same of small arrays of float64, in NumPy's steps.
PyObject* logsumexp(PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    PyObject* axis = keyword(arguments, count, names, "axis");
    PyObject* keepdims = keyword(arguments, count, names, "keepdims");
    PyObject* x = arguments[0];
    bool is_wide = count == 1 && is_plain(x, NPY_FLOAT64);
    if (count != 1 || !axis || !keepdims || !(is_wide || is_plain(x)) || size(x) == 0)
        return nullptr;
    ReductionPlan kept, plan;
    int rank = PyArray_NDIM(array(x));
    const npy_intp* shape = PyArray_DIMS(array(x));
    if (!kept.make(rank, shape, axis, true) || !plan.make(rank, shape, axis, false)) return nullptr;
    if (!is_wide) {
        if (plan.inner != 1) return nullptr;
        return logsumexp_rows(keepdims == Py_True ? kept : plan, data(x));
    }
    Ref shift(reduce_small(LARGEST, false, x, kept));
    if (!shift) return nullptr;
    double* shifts = data<double>(shift.get());
    for (int64_t i = 0; i < size(shift.get()); i++)
        if (!std::isfinite(shifts[i])) shifts[i] = 0;
    Ref powers(of_small(SUBTRACT, x, shift.get()));
    if (powers) powers = Ref(of_small(EXP, powers.get()));
    Ref total(powers ? reduce_small(SUM, false, powers.get(), kept) : nullptr);
    if (total) total = Ref(of_small(LOG, total.get()));
    Ref result(total ? of_small(ADD, total.get(), shift.get()) : nullptr);
    if (!result || keepdims == Py_True) return result.release();
    if (plan.rank == 0) return PyArray_ToScalar(data<double>(result.get()), array(result.get()));
    PyArray_Dims dims = {plan.shape, plan.rank};
    return PyArray_Newshape(array(result.get()), &dims, NPY_CORDER);
}

}  // namespace

void fold_rows(Combine combine, float* result, const float* x, int64_t rows, int64_t columns) {
    if (rows <= ROW_BLOCK) {
        combine(result, x, rows, columns, columns);
        return;
    }
    int64_t blocks = (rows + ROW_BLOCK - 1) / ROW_BLOCK;
    std::vector<float> parts(static_cast<size_t>(blocks * columns));
    for (int64_t i = 0; i < blocks; i++)
        combine(parts.data() + i * columns, x + i * ROW_BLOCK * columns,
                std::min(ROW_BLOCK, rows - i * ROW_BLOCK), columns, columns);
    fold_rows(combine, result, parts.data(), blocks, columns);
}

void reduce_array(Combination how, bool mean, const ReductionPlan& plan, float* result,
                  const float* x) {
    if (plan.inner == 1) reduce_rows(how, result, x, plan);
    else reduce_columns(vectors().rows.combine[how], result, x, plan);
    if (mean) divide_by_length(plan, result);
}

float reduced_array(Combination how, const float* x, int64_t count) {
    ReductionPlan plan;
    plan.length = count;
    float result;
    reduce_rows(how, &result, x, plan);
    return result;
}

void divide_by_length(const ReductionPlan& plan, float* sums) {
    float divisor = static_cast<float>(plan.length);
    in_parts(plan.outer * plan.inner, ELEMENT, GRAIN, [=](int64_t begin, int64_t end) {
        vectors().with_right[DIVIDE](sums + begin, sums + begin, divisor, end - begin);
    });
}

const KernelEntry REDUCTIONS[] = {
    {"reduce_sum", reduce<SUM, false>},     {"reduce_mean", reduce<SUM, true>},
    {"reduce_max", reduce<LARGEST, false>}, {"reduce_min", reduce<LEAST, false>},
    {"reduce_logsumexp", logsumexp},        {nullptr, nullptr}};

}  // namespace gradtape
