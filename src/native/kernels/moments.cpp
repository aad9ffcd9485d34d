// Means and variances in one pass over memory, and (x - mean) factor scale + offset with its
// gradient. Blocks of rows have a fixed size and are joined in their order, whatever the number of
// threads.
#include <algorithm>
#include <vector>

#include "kernels/kernel.h"
#include "runtime/scratch.h"
#include "runtime/work_split.h"
#include "simd/vectors.h"

namespace gradtape {
namespace {

constexpr int64_t STRETCH = 4096;   // numbers of a row that are visited twice, in the first cache
constexpr int64_t ROW_BLOCK = 128;  // rows whose columns are visited twice,
constexpr int64_t STRIP = 256;      // so many of them at a time
constexpr double FORWARD = 0.3, BACKWARD = 0.6;  // nanoseconds for an element

int64_t blocks_of(int64_t count, int64_t block) { return (count + block - 1) / block; }

// --- mean and variance ---------------------------------------------------------------------------

// Some numbers that were counted together, and others: the moments of all (Chan, Golub, LeVeque).
struct Joined {
    double count = 0, mean = 0, squares = 0;
    void add(double others, double their_mean, double their_squares) {
        double all = count + others, distance = their_mean - mean;
        mean += distance * (others / all);
        squares += their_squares + distance * distance * (count * others / all);
        count = all;
    }
    void put(float* to_mean, float* to_variance) const {
        *to_mean = static_cast<float>(mean);
        *to_variance = static_cast<float>(squares / count);
    }
};

// The array as (outer, rows, middle, columns): rows and columns go, or rows alone.
struct Reduction {
    int64_t outer = 1, rows = 1, middle = 1, columns = 1;
    int rank = 0;  // of the results
    npy_intp shape[NPY_MAXDIMS];
};

// Axes at the end, at both ends, or anywhere next to each other.
bool read_axes(PyArrayObject* x, PyObject* axis, bool keepdims, Reduction* r) {
    int rank = PyArray_NDIM(x);
    bool goes[NPY_MAXDIMS] = {};
    if (!axis || !PyTuple_Check(axis) || PyTuple_GET_SIZE(axis) == 0) return false;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(axis); i++) {
        long a = PyLong_AsLong(PyTuple_GET_ITEM(axis, i));
        if (a < 0 || a >= rank) return false;
        goes[a] = true;
    }
    int64_t* parts[] = {&r->outer, &r->rows, &r->middle, &r->columns};
    int part = 0;
    for (int i = 0; i < rank; i++) {
        if (goes[i] != (part % 2 == 1)) part++;
        if (part > 3) return false;
        *parts[part] *= PyArray_DIM(x, i);
        if (!goes[i] || keepdims) r->shape[r->rank++] = goes[i] ? 1 : PyArray_DIM(x, i);
    }
    if (part == 1) std::swap(r->rows, r->columns);  // rows at the end are columns of one row each
    return part == 1 || part == 2 || r->outer == 1;
}

// Takes (outer, rows, middle, columns), where the columns go: pieces of each row, then rows.
void moments_of_rows(const Reduction& r, const float* x, float* means, float* variances) {
    int64_t results = r.outer * r.middle, all = results * r.rows;
    int64_t pieces = blocks_of(r.columns, STRETCH);
    std::vector<Moments> memory(static_cast<size_t>(all * pieces));
    Moments* piece = memory.data();
    double each = FORWARD * static_cast<double>(std::min(r.columns, STRETCH)) + 20;
    in_parts(all * pieces, each, 1, [=, &r](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; i++) {
            int64_t start = i % pieces * STRETCH;
            piece[i] = vectors().moments.row(x + i / pieces * r.columns + start,
                                             std::min(STRETCH, r.columns - start));
        }
    });
    for (int64_t i = 0; i < results; i++) {
        Joined joined;
        for (int64_t row = 0; row < r.rows; row++) {
            const Moments* own = piece + (row * results + i) * pieces;
            for (int64_t k = 0; k < pieces; k++)
                joined.add(static_cast<double>(std::min(STRETCH, r.columns - k * STRETCH)),
                           own[k].mean, own[k].squares);
        }
        joined.put(means + i, variances + i);
    }
}

// Takes (outer, rows, middle), where the rows go: blocks of rows, in strips of columns.
void moments_of_columns(const Reduction& r, const float* x, float* means, float* variances) {
    int64_t width = r.middle, blocks = blocks_of(r.rows, ROW_BLOCK);
    int64_t strips = blocks_of(width, STRIP);
    std::vector<float> memory(static_cast<size_t>(2 * r.outer * blocks * width));
    float *mean = memory.data(), *squares = mean + r.outer * blocks * width;
    double each = FORWARD * static_cast<double>(std::min(r.rows, ROW_BLOCK)) *
                  static_cast<double>(std::min(width, STRIP));
    in_parts(r.outer * blocks * strips, each, 1, [=, &r](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; i++) {
            int64_t block = i / strips % blocks, first = i % strips * STRIP;
            int64_t outer = i / strips / blocks, start = block * ROW_BLOCK;
            int64_t offset = (outer * blocks + block) * width + first;
            vectors().moments.columns(
                mean + offset, squares + offset, x + (outer * r.rows + start) * width + first,
                std::min(ROW_BLOCK, r.rows - start), width, std::min(STRIP, width - first));
        }
    });
    in_parts(r.outer * width, 4.0 * static_cast<double>(blocks), 16,
             [=, &r](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; i++) {
            Joined joined;
            for (int64_t block = 0; block < blocks; block++) {
                int64_t offset = (i / width * blocks + block) * width + i % width;
                auto count = std::min(ROW_BLOCK, r.rows - block * ROW_BLOCK);
                joined.add(static_cast<double>(count), static_cast<double>(mean[offset]),
                           static_cast<double>(squares[offset]));
            }
            joined.put(means + i, variances + i);
        }
    });
}

PyObject* moments(PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    PyObject *x = arguments[0], *keepdims = keyword(arguments, count, names, "keepdims");
    Reduction r;
    if (count != 1 || !keepdims || !is_plain(x) || size(x) == 0 ||
        !read_axes(array(x), keyword(arguments, count, names, "axis"), keepdims == Py_True, &r) ||
        r.rank == 0)
        return nullptr;
    PyObject* mean = new_array(r.rank, r.shape, NPY_FLOAT32);
    PyObject* variance = new_array(r.rank, r.shape, NPY_FLOAT32);
    if (!mean || !variance) {
        Py_XDECREF(mean);
        Py_XDECREF(variance);
        return nullptr;
    }
    auto* work = r.columns > 1 ? moments_of_rows : moments_of_columns;
    work(r, data(x), data(mean), data(variance));
    return Py_BuildValue("(NN)", mean, variance);
}

// --- (x - mean) factor scale + offset ------------------------------------------------------------

// An operand of `rescale` beside x, which is seen as rows and columns: one number, one for each
// column, or one for each row (the first after the last, where there are fewer).
struct Operand {
    enum Kind { number, column, row } kind = number;
    const float* data = nullptr;
    int64_t period = 1;  // how many there are, for rows
    int rank = 0;
    const npy_intp* shape = nullptr;

    bool read(PyObject* x) {
        if (PyArray_IsScalar(x, Float)) {
            data = &PyArrayScalar_VAL(x, Float);
            return true;
        }
        if (!is_plain(x)) return false;
        data = gradtape::data(x);
        rank = PyArray_NDIM(array(x));
        shape = PyArray_DIMS(array(x));
        return true;
    }
    // Finds the kind, if x's first `split` axes are rows; false where it has none.
    bool fits(int x_rank, const npy_intp* x_shape, int split) {
        int missing = x_rank - rank;
        bool all_one = true, by_column = true, by_row = true, begun = false;
        period = 1;
        for (int i = 0; i < x_rank; i++) {
            npy_intp n = i < missing ? 1 : shape[i - missing];
            if (x_shape[i] == 1) continue;
            all_one &= n == 1;
            by_column &= n == (i < split ? 1 : x_shape[i]);
            // Ones, then axes of x up to the split, then ones.
            begun |= n != 1;
            by_row &= n == (i < split && begun ? x_shape[i] : 1);
            period *= n;
        }
        kind = all_one ? number : by_column ? column : row;
        return all_one || by_column || by_row;
    }
    bool is_run() const { return kind == column; }
    const float* at(int64_t i) const { return kind == row ? data + i % period : data; }
    int64_t index(int64_t i) const { return kind == row ? i % period : 0; }
    int64_t size(int64_t columns) const {
        return kind == number ? 1 : kind == column ? columns : period;
    }
};

struct Layout {
    Operand mean, factor, scale, offset;
    int64_t rows = 1, columns = 1;

    bool read(PyObject* x) {
        int rank = PyArray_NDIM(array(x));
        const npy_intp* shape = PyArray_DIMS(array(x));
        for (int split = rank - 1; split >= 0; split--) {
            columns *= shape[split];
            if (columns == 1 && split > 0) continue;
            bool fits = true;
            for (Operand* operand : {&mean, &factor, &scale, &offset})
                fits &= operand->fits(rank, shape, split);
            if (fits && mean.is_run() == factor.is_run()) {
                rows = size(x) / columns;
                return true;
            }
        }
        return false;
    }
};

PyObject* rescale(PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    PyObject* x = arguments[0];
    Layout l;
    if (count != 5 || names || !is_plain(x) || size(x) == 0 || !l.mean.read(arguments[1]) ||
        !l.factor.read(arguments[2]) || !l.scale.read(arguments[3]) ||
        !l.offset.read(arguments[4]) || !l.read(x))
        return nullptr;
    PyObject* made = new_array_like(array(x));
    if (!made) return nullptr;
    float *result = data(made), *from = data(x);
    auto* loop = vectors().moments.rescale[l.mean.is_run()][l.scale.is_run()][l.offset.is_run()];
    int64_t columns = l.columns;
    in_parts(l.rows, FORWARD * static_cast<double>(columns) + 5, 1,
             [=, &l](int64_t begin, int64_t end) {
        for (int64_t row = begin; row < end; row++)
            loop(result + row * columns, from + row * columns, l.mean.at(row), l.factor.at(row),
                 l.scale.at(row), l.offset.at(row), columns);
    });
    return made;
}

// What is made: the cotangents of x, mean, factor, scale and offset.
class Gradients {
  public:
    ~Gradients() {
        for (PyObject* array : made_) Py_XDECREF(array);
    }
    bool add(int rank, const npy_intp* shape) {
        made_.push_back(new_array(rank, shape, NPY_FLOAT32));
        return made_.back() != nullptr;
    }
    float* operator[](size_t i) const { return data(made_[i]); }
    PyObject* tuple() {
        PyObject* all = PyTuple_New(static_cast<Py_ssize_t>(made_.size()));
        if (!all) return nullptr;
        for (size_t i = 0; i < made_.size(); i++) {
            bool is_number = i > 0 && PyArray_NDIM(array(made_[i])) == 0;
            PyObject* item = is_number ? new_scalar(*data(made_[i])) : Py_NewRef(made_[i]);
            if (!item) {
                Py_DECREF(all);
                return nullptr;
            }
            PyTuple_SET_ITEM(all, static_cast<Py_ssize_t>(i), item);
        }
        return all;
    }

  private:
    std::vector<PyObject*> made_;
};

// Joins sums of columns over blocks of rows: an operand that is a column gets each, one that is a
// number their sum.
void join(float* result, const Operand& operand, const std::vector<double>& by_column) {
    if (operand.is_run()) {
        for (size_t j = 0; j < by_column.size(); j++) result[j] = static_cast<float>(by_column[j]);
        return;
    }
    double total = 0;
    for (double x : by_column) total += x;
    *result = static_cast<float>(total);
}

std::vector<double> totals(const float* parts, int64_t blocks, int64_t columns) {
    std::vector<double> sums(static_cast<size_t>(columns));
    for (int64_t block = 0; block < blocks; block++)
        vectors().rows.accumulate(sums.data(), parts + block * columns, columns);
    return sums;
}

// Means and factors by row; the scale and the offset by column, or one number.
void gradient_by_rows(const Layout& l, const float* x, const float* g, const Gradients& to) {
    int64_t columns = l.columns, rows = l.rows, blocks = blocks_of(rows, ROW_BLOCK / 2);
    bool has_columns = l.scale.is_run() || l.offset.is_run();
    std::vector<float> even(static_cast<size_t>(has_columns && !l.scale.is_run() ? columns : 0),
                            *l.scale.data);
    const float* scale = even.empty() ? l.scale.data : even.data();
    std::vector<float> shares(static_cast<size_t>(has_columns ? 2 * blocks * columns : 0));
    float *to_scale = shares.data(), *to_offset = to_scale + (has_columns ? blocks * columns : 0);
    std::vector<RowGradient> memory(static_cast<size_t>(rows));
    RowGradient* sums = memory.data();
    auto* loop = vectors().moments.gradient_row[has_columns];
    double each = BACKWARD * static_cast<double>(columns) + 30;
    in_parts(blocks, each * static_cast<double>(std::min(rows, ROW_BLOCK / 2)), 1,
             [=, &l, &to](int64_t begin, int64_t end) {
        for (int64_t block = begin; block < end; block++) {
            int64_t share = has_columns ? block * columns : 0;
            int64_t last = std::min(rows, (block + 1) * (ROW_BLOCK / 2));
            for (int64_t row = block * (ROW_BLOCK / 2); row < last; row++) {
                int64_t start = row * columns;
                sums[row] = loop(to[0] + start, to_scale + share, to_offset + share, x + start,
                                 *l.mean.at(row), *l.factor.at(row),
                                 has_columns ? scale : l.scale.at(row), g + start, columns);
            }
        }
    });
    const Operand* operands[] = {&l.mean, &l.factor, &l.scale, &l.offset};
    std::vector<double> joined[4];
    for (int k = 0; k < 4; k++)
        joined[k].resize(static_cast<size_t>(has_columns && k > 1 ? 0 : operands[k]->size(1)));
    for (int64_t row = 0; row < rows; row++) {
        double scales = has_columns ? 1 : static_cast<double>(*l.scale.at(row));
        double factor = static_cast<double>(*l.factor.at(row));
        const double terms[] = {-factor * scales * sums[row].sum, scales * sums[row].along,
                                factor * sums[row].along, sums[row].sum};
        for (int k = 0; k < (has_columns ? 2 : 4); k++)
            joined[k][static_cast<size_t>(operands[k]->index(row))] += terms[k];
    }
    for (size_t k = 0; k < 4; k++)
        for (size_t i = 0; i < joined[k].size(); i++)
            to[k + 1][i] = static_cast<float>(joined[k][i]);
    if (has_columns) {
        join(to[3], l.scale, totals(to_scale, blocks, columns));
        join(to[4], l.offset, totals(to_offset, blocks, columns));
    }
}

// Means and factors by column; the scale and the offset too, or one number.
void gradient_by_columns(const Layout& l, const float* x, const float* g, const Gradients& to) {
    int64_t columns = l.columns, rows = l.rows, blocks = blocks_of(rows, ROW_BLOCK);
    auto width = static_cast<size_t>(columns);
    std::vector<float> slopes(width);
    auto scale_at = [&](size_t j) { return l.scale.data[l.scale.is_run() ? j : 0]; };
    for (size_t j = 0; j < width; j++) slopes[j] = l.factor.data[j] * scale_at(j);
    std::vector<float> shares(static_cast<size_t>(2 * blocks) * width);
    float *sums = shares.data(), *along = sums + blocks * columns;
    const float* slope = slopes.data();
    in_parts(blocks, BACKWARD * static_cast<double>(std::min(rows, ROW_BLOCK) * columns), 1,
             [=, &l, &to](int64_t begin, int64_t end) {
        for (int64_t block = begin; block < end; block++) {
            int64_t start = block * ROW_BLOCK * columns;
            vectors().moments.gradient_rows(to[0] + start, sums + block * columns,
                                            along + block * columns, x + start, l.mean.data, slope,
                                            g + start,
                                            std::min(ROW_BLOCK, rows - block * ROW_BLOCK), columns);
        }
    });
    std::vector<double> total = totals(sums, blocks, columns);
    std::vector<double> to_scale = totals(along, blocks, columns);
    for (size_t j = 0; j < width; j++) {
        to[1][j] = static_cast<float>(-static_cast<double>(slopes[j]) * total[j]);
        to[2][j] = static_cast<float>(static_cast<double>(scale_at(j)) * to_scale[j]);
        to_scale[j] *= static_cast<double>(l.factor.data[j]);
    }
    join(to[3], l.scale, to_scale);
    join(to[4], l.offset, total);
}

PyObject* rescale_grad(PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    PyObject *x = arguments[0], *g = arguments[count - 1];
    PyObject* offset = keyword(arguments, count, names, "offset_shape");
    Layout l;
    if (count != 5 || !offset || !PyTuple_Check(offset) || !is_plain(x) || size(x) == 0 ||
        !is_plain(g) || !same_shape(x, g) || !l.mean.read(arguments[1]) ||
        !l.factor.read(arguments[2]) || !l.scale.read(arguments[3]))
        return nullptr;
    npy_intp offset_shape[NPY_MAXDIMS];
    l.offset.rank = static_cast<int>(PyTuple_GET_SIZE(offset));
    l.offset.shape = offset_shape;
    if (l.offset.rank > PyArray_NDIM(array(x))) return nullptr;
    for (int i = 0; i < l.offset.rank; i++)
        offset_shape[i] = PyLong_AsLong(PyTuple_GET_ITEM(offset, i));
    if (PyErr_Occurred() || !l.read(x)) return nullptr;
    bool by_columns = l.mean.is_run();
    bool has_rows = l.scale.kind == Operand::row || l.offset.kind == Operand::row;
    if (has_rows && (by_columns || l.scale.is_run() || l.offset.is_run())) return nullptr;
    Gradients to;
    bool has_memory = to.add(PyArray_NDIM(array(x)), PyArray_DIMS(array(x)));
    for (const Operand* operand : {&l.mean, &l.factor, &l.scale, &l.offset})
        has_memory = has_memory && to.add(operand->rank, operand->shape);
    if (!has_memory) return nullptr;
    (by_columns ? gradient_by_columns : gradient_by_rows)(l, data(x), data(g), to);
    return to.tuple();
}

}  // namespace

const KernelEntry MOMENTS[] = {
    {"moments", moments}, {"rescale", rescale}, {"rescale_grad", rescale_grad}, {nullptr, nullptr}};

}  // namespace gradtape
