// Rows combined by the number of their segment: sums, products, extremes.
//
// Every thread has its own range of segments, and goes through all the ids for them: rows are
// combined in the order that they come in, whatever the number of threads. An id below 0 drops its
// row; ids that are too large are left to the NumPy kernel, which says so.
#include <algorithm>
#include <atomic>
#include <cstring>
#include <vector>

#include "kernels/kernel.h"
#include "kernels/table_rows.h"
#include "runtime/work_split.h"
#include "simd/vectors.h"

namespace gradtape {
namespace {

// Up to so many columns, float32 is summed in double precision, as NumPy's kernel does.
constexpr int64_t FEW_COLUMNS = 32;
// Of more columns, the segments of more rows than this.
constexpr int32_t MANY_ROWS = 24;

PyObject* segment_rows(PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    PyObject* x = arguments[0];
    Indices ids;
    if (count != 2 || names || !is_whole(x) || PyArray_NDIM(array(x)) == 0 ||
        !ids.read(arguments[1]) || PyArray_NDIM(array(arguments[1])) != 1 ||
        !ids.lie_in(INT64_MIN, PyArray_DIM(array(x), 0)))
        return nullptr;
    npy_intp shape[NPY_MAXDIMS];
    int rank = PyArray_NDIM(array(x));
    std::copy_n(PyArray_DIMS(array(x)), rank, shape);
    shape[0] = ids.count;
    PyObject* made = new_array(rank, shape, PyArray_DESCR(array(x))->type_num);
    if (!made) return nullptr;
    int64_t bytes = product_of(shape, 1, rank) * PyArray_ITEMSIZE(array(x));
    char *result = data<char>(made), *from = data<char>(x);
    in_parts(ids.count, time_of_row(bytes), 16, [=](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; i++) {
            if (ids[i] >= 0) copy_row(result + i * bytes, from + ids[i] * bytes, bytes);
            else std::memset(result + i * bytes, 0, static_cast<size_t>(bytes));
        }
    });
    return made;
}

struct Problem {
    PyObject *x, *ids;
    int64_t rows, columns, segments;
    int rank;
    npy_intp shape[NPY_MAXDIMS];  // of the result

    bool read(PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
        x = arguments[0];
        Indices numbers;
        if (count != 2 || !PyArray_CheckExact(x) || !PyArray_ISCARRAY_RO(array(x)) ||
            PyArray_NDIM(array(x)) == 0 || !numbers.read(arguments[1]) ||
            PyArray_NDIM(array(arguments[1])) != 1 || PyArray_DIM(array(x), 0) != numbers.count ||
            !read_size(keyword(arguments, count, names, "num"), &segments) || segments == 0)
            return false;
        ids = arguments[1];
        rows = numbers.count;
        rank = PyArray_NDIM(array(x));
        std::copy_n(PyArray_DIMS(array(x)), rank, shape);
        shape[0] = segments;
        columns = product_of(shape, 1, rank);
        return true;
    }
    PyObject* result() const { return new_array(rank, shape, PyArray_TYPE(array(x))); }
    double time(double each) const {
        return each * (static_cast<double>(columns) + 2) *
               (static_cast<double>(rows) + 0.5 * static_cast<double>(segments));
    }
};

// work(ids, begin, end) for ranges of segments, with the ids as they are.
template <class Work>
void by_segments(const Problem& p, double each, Work&& work) {
    bool is_wide = is_array(p.ids, NPY_INT64);
    auto* narrow = data<int32_t>(p.ids);
    auto* wide = data<int64_t>(p.ids);
    in_parts(p.segments, p.time(each) / static_cast<double>(p.segments), 1,
             [&](int64_t begin, int64_t end) {
        if (is_wide) work(wide, begin, end);
        else work(narrow, begin, end);
    });
}

// visit(row, segment - begin) for the rows of segments in a range; false if an id is too large.
template <class Index, class Visit>
bool each_row(const Problem& p, const Index* ids, int64_t begin, int64_t end, Visit&& visit) {
    auto here = static_cast<uint64_t>(end - begin);
    bool good = true;
    for (int64_t i = 0; i < p.rows; i++) {
        int64_t id = ids[i];
        good &= id < p.segments;
        auto segment = static_cast<uint64_t>(id - begin);
        if (segment < here) visit(i, static_cast<int64_t>(segment));
    }
    return good;
}

// --- sums of float32 -----------------------------------------------------------------------------

template <class Index>
bool sum_in_doubles(const Problem& p, const Index* ids, int64_t begin, int64_t end, double* sums) {
    const float* x = data(p.x);
    if (p.columns == 1)
        return each_row(p, ids, begin, end, [=](int64_t row, int64_t segment) {
            sums[segment] += static_cast<double>(x[row]);
        });
    int64_t columns = p.columns;
    return each_row(p, ids, begin, end, [=](int64_t row, int64_t segment) {
        const float* from = x + row * columns;
        double* to = sums + segment * columns;
        for (int64_t j = 0; j < columns; j++) to[j] += static_cast<double>(from[j]);
    });
}

template <class Index>
bool sum_wide_rows(const Problem& p, const Index* ids, int64_t begin, int64_t end, float* result,
                   int32_t* counts, int64_t* double_sum) {
    const Vectors& v = vectors();
    const float* x = data(p.x);
    int64_t columns = p.columns, here = end - begin, doubles = 0;
    std::memset(result + begin * columns, 0, static_cast<size_t>(here * columns) * sizeof(float));
    bool good = each_row(p, ids, begin, end, [=](int64_t, int64_t segment) { counts[segment]++; });
    for (int64_t k = 0; k < here; k++) double_sum[k] = counts[k] > MANY_ROWS ? doubles++ : -1;
    std::vector<double> sums(static_cast<size_t>(doubles * columns));
    double* first = sums.data();
    each_row(p, ids, begin, end, [=, &v](int64_t row, int64_t segment) {
        const float* from = x + row * columns;
        float* total = result + (begin + segment) * columns;
        int64_t slot = double_sum[segment];
        if (slot < 0) v.binary[ADD](total, total, from, columns);
        else v.rows.accumulate(first + slot * columns, from, columns);
    });
    for (int64_t k = 0; k < here; k++)
        if (double_sum[k] >= 0)
            v.convert[FLOAT_OF_DOUBLE](result + (begin + k) * columns,
                                       first + double_sum[k] * columns, columns);
    return good;
}

PyObject* sum_floats(const Problem& p) {
    PyObject* made = p.result();
    if (!made || p.columns == 0) return made;  // however many segments
    float* result = data(made);
    std::atomic<bool> good{true};
    // Memory is allocated here, once for all threads.
    if (p.columns <= FEW_COLUMNS) {
        std::vector<double> sums(static_cast<size_t>(p.segments * p.columns));
        by_segments(p, ELEMENT, [&](auto* ids, int64_t begin, int64_t end) {
            double* own = sums.data() + begin * p.columns;
            if (!sum_in_doubles(p, ids, begin, end, own)) good = false;
            vectors().convert[FLOAT_OF_DOUBLE](result + begin * p.columns, own,
                                               (end - begin) * p.columns);
        });
    } else {
        std::vector<int32_t> counts(static_cast<size_t>(p.segments));
        std::vector<int64_t> double_sum(static_cast<size_t>(p.segments));
        by_segments(p, ELEMENT, [&](auto* ids, int64_t begin, int64_t end) {
            if (!sum_wide_rows(p, ids, begin, end, result, counts.data() + begin,
                               double_sum.data() + begin))
                good = false;
        });
    }
    if (!good) Py_CLEAR(made);
    return made;
}

// --- everything else -----------------------------------------------------------------------------

struct Add {
    template <class T>
    static T of(T x, T y) {
        return x + y;
    }
};
struct Multiply {
    template <class T>
    static T of(T x, T y) {
        return x * y;
    }
};
struct Largest {
    template <class T>
    static T of(T x, T y) {
        return x > y || x != x ? x : y;  // nan if either is
    }
};
struct Least {
    template <class T>
    static T of(T x, T y) {
        return x < y || x != x ? x : y;
    }
};

// The first row of a segment is copied, the others are combined with it; `empty` is the value of
// segments without rows.
template <class Op, class T, class Index>
bool combine(const Problem& p, const Index* ids, int64_t begin, int64_t end, T* result,
             uint8_t* seen, T empty) {
    const T* x = data<T>(p.x);
    int64_t columns = p.columns;
    T* own = result + begin * columns;
    bool good;
    if (columns == 1) {
        good = each_row(p, ids, begin, end, [=](int64_t row, int64_t segment) {
            own[segment] = seen[segment] ? Op::of(own[segment], x[row]) : x[row];
            seen[segment] = 1;
        });
    } else {
        good = each_row(p, ids, begin, end, [=](int64_t row, int64_t segment) {
            const T* from = x + row * columns;
            T* to = own + segment * columns;
            if (seen[segment]) {
                for (int64_t j = 0; j < columns; j++) to[j] = Op::of(to[j], from[j]);
            } else {
                std::copy_n(from, columns, to);
                seen[segment] = 1;
            }
        });
    }
    for (int64_t k = 0; k < end - begin; k++)
        if (!seen[k]) std::fill_n(own + k * columns, columns, empty);
    return good;
}

// A Python or NumPy number as one of the array's type.
template <class T>
bool number_of(PyObject* value, int type, T* number) {
    PyObject* made = PyArray_FromAny(value, PyArray_DescrFromType(type), 0, 0,
                                     NPY_ARRAY_CARRAY | NPY_ARRAY_FORCECAST, nullptr);
    if (!made) return false;
    *number = *data<T>(made);
    Py_DECREF(made);
    return true;
}

template <class Op, class T>
PyObject* combined(const Problem& p, PyObject* empty) {
    T nothing;
    if (!number_of(empty, PyArray_TYPE(array(p.x)), &nothing)) return nullptr;
    PyObject* made = p.result();
    if (!made || p.columns == 0) return made;
    std::vector<uint8_t> seen(static_cast<size_t>(p.segments));
    std::atomic<bool> good{true};
    by_segments(p, ELEMENT, [&](auto* ids, int64_t begin, int64_t end) {
        if (!combine<Op>(p, ids, begin, end, data<T>(made), seen.data() + begin, nothing))
            good = false;
    });
    if (!good) Py_CLEAR(made);
    return made;
}

template <class Op>
PyObject* combined(const Problem& p, PyObject* empty) {
    if (is_array(p.x, NPY_FLOAT32)) return combined<Op, float>(p, empty);
    if (is_array(p.x, NPY_FLOAT64)) return combined<Op, double>(p, empty);
    if (is_array(p.x, NPY_INT32)) return combined<Op, int32_t>(p, empty);
    if (is_array(p.x, NPY_INT64)) return combined<Op, int64_t>(p, empty);
    return nullptr;
}

template <class Op>
PyObject* with_number(const Problem& p, long empty) {
    PyObject* number = PyLong_FromLong(empty);
    if (!number) return nullptr;
    PyObject* made = combined<Op>(p, number);
    Py_DECREF(number);
    return made;
}

PyObject* segment_sum(PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    Problem p;
    if (!p.read(arguments, count, names)) return nullptr;
    return is_array(p.x, NPY_FLOAT32) ? sum_floats(p) : with_number<Add>(p, 0);
}
PyObject* segment_prod(PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    Problem p;
    return p.read(arguments, count, names) ? with_number<Multiply>(p, 1) : nullptr;
}
template <class Op>
PyObject* segment_extreme(PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    Problem p;
    PyObject* empty = keyword(arguments, count, names, "empty");
    return empty && p.read(arguments, count, names) ? combined<Op>(p, empty) : nullptr;
}

}  // namespace

const KernelEntry SEGMENTS[] = {
    {"segment_rows", segment_rows},          {"segment_sum", segment_sum},
    {"segment_prod", segment_prod},          {"segment_max", segment_extreme<Largest>},
    {"segment_min", segment_extreme<Least>}, {nullptr, nullptr}};

}  // namespace gradtape
