// The order of the numbers of a row: argsort, and the largest ones.
//
// A number and its position are packed into one integer, whose order is the one asked for: numbers
// first, then positions, so that equal numbers stay in order. -0 equals 0; nan comes last, and is
// the largest.
#include <algorithm>
#include <cstring>
#include <limits>
#include <vector>

#include "kernels/kernel.h"
#include "kernels/table_rows.h"
#include "runtime/work_split.h"

namespace gradtape {
namespace {

// Unsigned integers in the order of the numbers.
inline uint32_t key_of(float x) {
    if (x != x) return std::numeric_limits<uint32_t>::max();
    x += 0.0f;  // -0 becomes 0
    uint32_t bits;
    std::memcpy(&bits, &x, sizeof bits);
    return bits >> 31 ? ~bits : bits | 0x80000000;
}
inline uint32_t key_of(int32_t x) { return static_cast<uint32_t>(x) ^ 0x80000000; }

constexpr int DIGIT_BITS = 11, DIGITS = 3;
constexpr int64_t BUCKETS = 1 << DIGIT_BITS;
// Shorter rows are sorted by comparisons.
constexpr int64_t LONG_ROW = 2000;

// Sorts by the upper 32 bits; what is equal there stays in order.
void sort_by_digits(uint64_t* x, uint64_t* spare, int64_t* starts, int64_t count) {
    std::fill_n(starts, DIGITS * BUCKETS, int64_t(0));
    auto digit = [](uint64_t packed, int position) {
        return static_cast<int64_t>(packed >> (32 + position * DIGIT_BITS)) & (BUCKETS - 1);
    };
    for (int64_t i = 0; i < count; i++)
        for (int position = 0; position < DIGITS; position++)
            starts[position * BUCKETS + digit(x[i], position)]++;
    uint64_t *from = x, *to = spare;
    for (int position = 0; position < DIGITS; position++) {
        int64_t* next = starts + position * BUCKETS;
        if (next[digit(from[0], position)] == count) continue;  // all have the same digit
        int64_t total = 0;
        for (int64_t k = 0; k < BUCKETS; k++) {
            int64_t here = next[k];
            next[k] = total;
            total += here;
        }
        for (int64_t i = 0; i < count; i++) to[next[digit(from[i], position)]++] = from[i];
        std::swap(from, to);
    }
    if (from != x) std::copy_n(from, count, x);
}

// Memory of one thread.
struct Scratch {
    std::vector<uint64_t> packed, spare;
    std::vector<int64_t> starts;

    Scratch(int64_t length, bool by_digits) : packed(static_cast<size_t>(length)) {
        if (by_digits) {
            spare.resize(static_cast<size_t>(length));
            starts.resize(DIGITS * BUCKETS);
        }
    }
};

// Sorts what is packed: by digits only where positions are in order already.
void sort_packed(Scratch& scratch, int64_t count) {
    uint64_t* x = scratch.packed.data();
    if (count >= LONG_ROW && !scratch.spare.empty())
        sort_by_digits(x, scratch.spare.data(), scratch.starts.data(), count);
    else std::sort(x, x + count);
}

inline uint32_t position(uint64_t packed) { return static_cast<uint32_t>(packed); }

// --- argsort -------------------------------------------------------------------------------------

template <class T>
PyObject* argsort_rows(PyObject* x, bool descending) {
    int rank = PyArray_NDIM(array(x));
    int64_t length = PyArray_DIM(array(x), rank - 1), rows = size(x) / length;
    PyObject* made = new_array_like(array(x), NPY_INT32);
    if (!made) return nullptr;
    auto* result = data<int32_t>(made);
    const T* from = data<T>(x);
    WithoutLock unlocked(20.0 * static_cast<double>(size(x)));
    Scratch scratch(length, length >= LONG_ROW);
    uint64_t* packed = scratch.packed.data();
    for (int64_t row = 0; row < rows; row++) {
        for (int64_t i = 0; i < length; i++) {
            uint32_t key = key_of(from[row * length + i]);
            packed[i] = uint64_t(descending ? ~key : key) << 32 | static_cast<uint64_t>(i);
        }
        sort_packed(scratch, length);
        for (int64_t i = 0; i < length; i++)
            result[row * length + i] = static_cast<int32_t>(position(packed[i]));
    }
    return made;
}

bool is_sortable(PyObject* x) {
    return PyArray_CheckExact(x) && PyArray_ISCARRAY_RO(array(x)) && PyArray_NDIM(array(x)) > 0 &&
           size(x) > 0 &&
           PyArray_DIM(array(x), PyArray_NDIM(array(x)) - 1) <= std::numeric_limits<int32_t>::max();
}

PyObject* argsort(PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    PyObject* x = arguments[0];
    int64_t axis;
    if (count != 1 || !is_sortable(x) ||
        !read_size(keyword(arguments, count, names, "axis"), &axis) ||
        axis != PyArray_NDIM(array(x)) - 1)
        return nullptr;
    bool descending = keyword(arguments, count, names, "descending") == Py_True;
    if (is_array(x, NPY_FLOAT32)) return argsort_rows<float>(x, descending);
    if (is_array(x, NPY_INT32)) return argsort_rows<int32_t>(x, descending);
    return nullptr;
}

// --- the largest ---------------------------------------------------------------------------------

// The k largest of a row, in descending order. Candidates are collected until there are twice as
// many as wanted, and the lesser half is dropped: after a while, few numbers exceed the least one.
template <class T>
void find_largest(const T* x, int64_t length, int64_t k, Scratch& scratch) {
    uint64_t* packed = scratch.packed.data();
    int64_t most = 2 * k, held = 0;
    uint32_t least = std::numeric_limits<uint32_t>::max();  // complement of the key of the k-th
    bool is_full = false;
    for (int64_t i = 0; i < length; i++) {
        uint32_t key = ~key_of(x[i]);  // in descending order
        if (is_full && key >= least) continue;
        packed[held++] = uint64_t(key) << 32 | static_cast<uint64_t>(i);
        if (held == most) {
            std::nth_element(packed, packed + k - 1, packed + held);
            least = static_cast<uint32_t>(packed[k - 1] >> 32);
            held = k;
            is_full = true;
        }
    }
    if (held > k) std::nth_element(packed, packed + k - 1, packed + held);
    std::sort(packed, packed + k);
}

template <class T, class Index>
PyObject* top_rows(PyObject* x, int64_t k, int type) {
    int rank = PyArray_NDIM(array(x));
    int64_t length = PyArray_DIM(array(x), rank - 1), rows = size(x) / length;
    npy_intp shape[NPY_MAXDIMS];
    std::copy_n(PyArray_DIMS(array(x)), rank, shape);
    shape[rank - 1] = k;
    PyObject* made = new_array(rank, shape, type);
    if (!made) return nullptr;
    Index* result = data<Index>(made);
    const T* from = data<T>(x);
    WithoutLock unlocked(2.0 * static_cast<double>(size(x)));
    bool sorts_all = 3 * k > length;
    Scratch scratch(sorts_all ? length : 2 * k, sorts_all && length >= LONG_ROW);
    uint64_t* packed = scratch.packed.data();
    for (int64_t row = 0; row < rows; row++) {
        if (sorts_all) {
            for (int64_t i = 0; i < length; i++)
                packed[i] = uint64_t(~key_of(from[row * length + i])) << 32 |
                            static_cast<uint64_t>(i);
            sort_packed(scratch, length);
        } else {
            find_largest(from + row * length, length, k, scratch);
        }
        for (int64_t i = 0; i < k; i++)
            result[row * k + i] = static_cast<Index>(position(packed[i]));
    }
    return made;
}

template <class T>
PyObject* top_rows_as(PyObject* x, int64_t k, int type) {
    if (type == NPY_INT32) return top_rows<T, int32_t>(x, k, type);
    if (type == NPY_INT64) return top_rows<T, int64_t>(x, k, type);
    return nullptr;
}

PyObject* top_k_indices(PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    PyObject *x = arguments[0], *dtype = keyword(arguments, count, names, "dtype");
    int64_t k;
    if (count != 1 || !is_sortable(x) || !dtype || !PyArray_DescrCheck(dtype) ||
        !read_size(keyword(arguments, count, names, "k"), &k) || k < 2 ||
        k > PyArray_DIM(array(x), PyArray_NDIM(array(x)) - 1))
        return nullptr;
    int type = reinterpret_cast<PyArray_Descr*>(dtype)->type_num;
    if (is_array(x, NPY_FLOAT32)) return top_rows_as<float>(x, k, type);
    if (is_array(x, NPY_INT32)) return top_rows_as<int32_t>(x, k, type);
    return nullptr;
}

}  // namespace

const KernelEntry ORDER[] = {
    {"argsort", argsort}, {"top_k_indices", top_k_indices}, {nullptr, nullptr}};

}  // namespace gradtape
