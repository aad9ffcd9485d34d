#include "flat/steps.h"

#include <cstring>

#include "kernels/small_copy.h"
#include "runtime/few_products.h"
#include "runtime/threads.h"
#include "runtime/work_split.h"

namespace gradtape::flat {

template <class Number>
bool NumberStep<Number>::run(char* const* buffers) const {
    Number a = *reinterpret_cast<const Number*>(x.in(buffers));
    auto* to = reinterpret_cast<Number*>(result.in(buffers));
    if (op == POWER_BY) return hot::compute_power(a, exponent, to);
    return hot::compute(op, a, *reinterpret_cast<const Number*>(y.in(buffers)), to);
}
template class NumberStep<float>;
template class NumberStep<double>;

bool LoopStep::run(char* const* buffers) const {
    char* at[MAX_WALKED] = {};
    for (int k = 0; k < walk.count; k++) at[k] = addresses[k].in(buffers);
    int workers = loop.divides && walk.axes == 1 ? workers_for(cost) : 1;
    if (workers == 1) {
        walk.run(at, [&](char** row, npy_intp n, const npy_intp* strides) {
            loop.function(row, &n, strides, loop.data);
        });
        return true;
    }
    const npy_intp* strides = walk.steps[0];
    parallel(workers, [&](int worker, int all) {
        Part part = part_of(walk.lengths[0], worker, all, GRAIN);
        npy_intp n = part.end - part.begin;
        if (n == 0) return;
        char* own[MAX_WALKED];
        for (int k = 0; k < walk.count; k++) own[k] = at[k] + part.begin * strides[k];
        loop.function(own, &n, strides, loop.data);
    });
    return true;
}

namespace {

template <class Number>
void copy_row(char* to, npy_intp to_step, const char* from, npy_intp from_step, npy_intp n) {
    for (npy_intp i = 0; i < n; i++)
        std::memcpy(to + i * to_step, from + i * from_step, sizeof(Number));
}

}  // namespace

bool CopyStep::run(char* const* buffers) const {
    char* at[MAX_WALKED] = {from.in(buffers), to.in(buffers)};
    if (is_run) {
        copy_bytes(at[0], walk.row_length() * item, at[1]);
        return true;
    }
    walk.run(at, [this](char** row, npy_intp n, const npy_intp* strides) {
        if (n == 1 || (strides[0] == item && strides[1] == item))
            copy_bytes(row[0], n * item, row[1]);
        else if (item == 4) copy_row<uint32_t>(row[1], strides[1], row[0], strides[0], n);
        else if (item == 8) copy_row<uint64_t>(row[1], strides[1], row[0], strides[0], n);
        else copy_row<uint8_t>(row[1], strides[1], row[0], strides[0], n);
    });
    return true;
}

bool ZerosStep::run(char* const* buffers) const {
    if (bytes == 8) std::memset(to.in(buffers), 0, 8);
    else if (bytes == 16) std::memset(to.in(buffers), 0, 16);
    else std::memset(to.in(buffers), 0, static_cast<size_t>(bytes));
    return true;
}

template <class Number>
bool AddPartStep<Number>::run(char* const* buffers) const {
    char *from = y.in(buffers), *to = result.in(buffers);
    auto* whole = reinterpret_cast<const Number*>(from);
    auto* sum = reinterpret_cast<Number*>(to);
    for (int64_t i = 0; i < size; i++) sum[i] = whole[i] + 0;  // -0 becomes 0
    char* at[MAX_WALKED] = {x.in(buffers), from + offset, to + offset};
    walk.run(at, [](char** row, npy_intp n, const npy_intp* strides) {
        for (npy_intp i = 0; i < n; i++)
            *reinterpret_cast<Number*>(row[2] + i * strides[2]) =
                *reinterpret_cast<const Number*>(row[1] + i * strides[1]) +
                *reinterpret_cast<const Number*>(row[0] + i * strides[0]);
    });
    return true;
}
template class AddPartStep<float>;
template class AddPartStep<double>;

bool ReduceStep::run(char* const* buffers) const {
    reduce_array(how, is_mean, plan, reinterpret_cast<float*>(result.in(buffers)),
                 reinterpret_cast<const float*>(x.in(buffers)));
    return true;
}

bool LoopReduceStep::run(char* const* buffers) const {
    char *from = x.in(buffers), *to = result.in(buffers);
    const npy_intp rest = length - (starts_at_zero ? 0 : 1);
    for (int64_t o = 0; o < outer; o++, to += inner * item, from += length * inner * item) {
        if (starts_at_zero) std::memset(to, 0, static_cast<size_t>(inner * item));
        else copy_bytes(from, inner * item, to);
        char* first = from + (starts_at_zero ? 0 : inner * item);
        if (inner == 1) {
            char* at[] = {to, first, to};
            const npy_intp strides[] = {0, item, 0};
            if (rest) loop.function(at, &rest, strides, loop.data);
            continue;
        }
        const npy_intp strides[] = {item, item, item};
        for (int64_t i = 0; i < rest; i++, first += inner * item) {
            char* at[] = {to, first, to};
            loop.function(at, &inner, strides, loop.data);
        }
    }
    return true;
}

bool is_summed_by_numpy(const ReductionPlan& plan) {
    constexpr int64_t VERY_FEW_NUMBERS = 2048, FEW_NUMBERS = 65536, SHORT_LOOP = 32;
    int64_t size = plan.outer * plan.length * plan.inner;
    return size < VERY_FEW_NUMBERS ||
           (size < FEW_NUMBERS && plan.inner == 1 && plan.length < ShortSumStep<double>::LIMIT) ||
           (size < FEW_NUMBERS && (plan.inner == 1 ? plan.length : plan.inner) >= SHORT_LOOP);
}

template <class Number>
bool ShortSumStep<Number>::run(char* const* buffers) const {
    auto* from = reinterpret_cast<const Number*>(x.in(buffers));
    auto* to = reinterpret_cast<Number*>(result.in(buffers));
    for (int64_t row = 0; row < rows; row++, from += length) {
        Number sum = from[0];
        for (int64_t i = 1; i < length; i++) sum += from[i];
        to[row] = 0 + sum;  // no -0, as NumPy begins with 0
    }
    return true;
}
template class ShortSumStep<float>;
template class ShortSumStep<double>;

bool RowStep::run(char* const* buffers) const {
    auto* first = reinterpret_cast<const float*>(x.in(buffers));
    auto* second = reinterpret_cast<const float*>(y.in(buffers));
    auto* to = reinterpret_cast<float*>(result.in(buffers));
    for (int64_t at = 0; at < rows * columns; at += columns) {
        if (of_one) of_one(to + at, first + at, columns);
        else of_two(to + at, first + at, second + at, columns);
    }
    return true;
}

template <class Number>
bool ProductStep<Number>::run(char* const* buffers) const {
    const char *first = left.in(buffers), *second = right.in(buffers);
    auto* to = reinterpret_cast<Number*>(result.in(buffers));
    MatrixOf<Number> a = x, b = y;
    a.data = reinterpret_cast<const Number*>(first);
    b.data = reinterpret_cast<const Number*>(second);
    if (stack.empty()) {
        multiply(to, columns, a, b, rows, columns, inner);
        return true;
    }
    auto each = [&](auto&& product) {
        for (const Pair& pair : stack) {
            a.data = reinterpret_cast<const Number*>(first + pair.x);
            b.data = reinterpret_cast<const Number*>(second + pair.y);
            product();
            to += rows * columns;
        }
    };
    if (is_few(rows, columns, inner)) {
        with_constant(inner, [&](auto constant) {
            each([&] { multiply_few<constant>(to, columns, a, b, rows, columns, false); });
        });
        return true;
    }
    OneBlasThread one;
    each([&] { multiply_here(to, columns, a, b, rows, columns, inner); });
    return true;
}
template class ProductStep<float>;
template class ProductStep<double>;

bool GatherStep::run(char* const* buffers) const {
    Indices numbers;
    if (is_wide) numbers.wide = reinterpret_cast<const int64_t*>(indices.in(buffers));
    else numbers.narrow = reinterpret_cast<const int32_t*>(indices.in(buffers));
    numbers.count = count;
    if (!numbers.lie_in(0, table)) return false;
    const char* from = x.in(buffers);
    char* to = result.in(buffers);
    for (int64_t o = 0; o < outer; o++, from += table * bytes)
        for (int64_t i = 0; i < count; i++, to += bytes)
            copy_bytes(from + numbers[i] * bytes, bytes, to);
    return true;
}

}  // namespace gradtape::flat
