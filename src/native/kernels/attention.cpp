// Scaled dot-product attention, for [batch, time, heads, depth]: blocks of queries at a time, so
// that the scores of all queries with all keys are never in memory together.
#include <algorithm>
#include <cmath>

#include "kernels/kernel.h"
#include "kernels/packed.h"
#include "runtime/threads.h"
#include "simd/attention_vectors.h"
#include "simd/vectors.h"

namespace gradtape {

namespace {

// Scores that are worked on at a time: with packed keys and values they stay in the second cache.
constexpr int64_t SCORES = 24 << 10, MAX_QUERIES = 256;

struct Attention {
    int64_t batch, queries, keys, heads, depth, width;  // width: that of the values
    const float *q, *k, *v;
    const float* bias;  // or null; else its strides
    int64_t bias_batch, bias_head, bias_query;
    float scale;
    bool causal;

    int64_t block() const {
        int64_t rows = std::max<int64_t>(SCORES / keys, 12) / 12 * 12;
        return std::min({rows, queries, MAX_QUERIES});
    }
    // Returns the distance from one query's scores to the next one's: not a power of two, for the
    // cache's sake.
    int64_t row() const { return rounded_up(keys, 16) + 16; }
    double time() const {
        return product_time(batch * heads * queries, keys, depth + width) / (causal ? 2 : 1);
    }
    // Returns how many keys query i may attend to.
    int64_t seen_by(int64_t i) const { return causal ? std::min(i + 1, keys) : keys; }
};

// One head of one example: matrices whose rows lie `q_row` (keys: the same) or `v_row` apart.
struct Head {
    int64_t batch, head, q_row, v_row;
    const float *q, *bias;
    Matrix k, v;

    Head(const Attention& a, int64_t index) : batch(index / a.heads), head(index % a.heads) {
        q_row = a.heads * a.depth;
        v_row = a.heads * a.width;
        q = a.q + batch * a.queries * q_row + head * a.depth;
        k = {a.k + batch * a.keys * q_row + head * a.depth, q_row, false};
        v = {a.v + batch * a.keys * v_row + head * a.width, v_row, false};
        bias = a.bias ? a.bias + batch * a.bias_batch + head * a.bias_head : nullptr;
    }
    const float* bias_of(const Attention& a, int64_t query) const {
        return bias ? bias + query * a.bias_query : nullptr;
    }
};

Matrix transposed(Matrix m) { return {m.data, m.stride, true}; }

// Returns the distance from row to row in copies of queries and gradients, whose own rows may lie
// powers of two apart, which the cache does not like.
int64_t near(int64_t columns) { return rounded_up(columns, 16) + 16; }
void copy_rows(const float* from, int64_t from_row, int64_t count, int64_t columns, float* to) {
    for (int64_t i = 0; i < count; i++)
        std::copy_n(from + i * from_row, columns, to + i * near(columns));
}

// How the passes over a head divide their memory. Keys and values are packed both ways: for the
// scores and the results, and for the gradient.
struct Layout {
    Packed keys, values, back_values, back_keys;
    int64_t values_at, back_keys_at, scores_at, weights_at, queries_at, gradients_at, rows_at, size;

    explicit Layout(const Attention& a)
        : keys(a.depth, a.keys), values(a.keys, a.width), back_values(a.width, a.keys),
          back_keys(a.keys, a.depth) {
        values_at = keys.size();  // the results need them, or the gradient the others
        back_keys_at = values_at + std::max(values.size(), back_values.size());
        scores_at = back_keys_at + back_keys.size();
        weights_at = scores_at + a.block() * a.row();
        queries_at = weights_at + a.block() * a.row();
        gradients_at = queries_at + MAX_QUERIES * near(a.depth);
        rows_at = gradients_at + MAX_QUERIES * near(a.width);
        size = rounded_up(rows_at + MAX_QUERIES * 2 * convolution_vectors().lanes, 16);
    }
};

void attend(const Attention& a, int64_t index, float* results, float* logs, float* memory) {
    const AttentionVectors& loops = attention_vectors();
    Head h(a, index);
    Layout in(a);
    in.keys.pack(transposed(h.k), memory);
    in.values.pack(h.v, memory + in.values_at);
    float *log = logs + index * a.queries, *scores = memory + in.scores_at;
    float* q = memory + in.queries_at;
    float* result = results + h.batch * a.queries * h.v_row + h.head * a.width;
    for (int64_t first = 0; first < a.queries; first += a.block()) {
        int64_t count = std::min(a.block(), a.queries - first);
        int64_t keys = a.seen_by(first + count - 1);
        copy_rows(h.q + first * h.q_row, h.q_row, count, a.depth, q);
        in.keys.multiply(q, near(a.depth), scores, a.row(), count, false, a.depth, keys);
        float sums[MAX_QUERIES];
        for (int64_t i = 0; i < count; i++) {
            float largest, *own = scores + i * a.row();
            int64_t seen = a.seen_by(first + i);
            sums[i] = loops.weigh(own, h.bias_of(a, first + i), a.scale, seen, &largest);
            std::fill(own + seen, own + keys, 0.0f);
            log[first + i] = largest + std::log(sums[i]);
        }
        float* to = result + first * h.v_row;
        in.values.multiply(scores, a.row(), to, h.v_row, count, false, keys, a.width);
        for (int64_t i = 0; i < count; i++) loops.scale(to + i * h.v_row, 1 / sums[i], a.width);
    }
}

// Computes to [keys, columns] (+)= scores [count, keys], transposed, · from [count, columns]
void add_transposed(const Attention& a, const float* scores, const float* from, int64_t count,
                    int64_t keys, int64_t columns, float* to, int64_t to_row, bool accumulate,
                    float* rows) {
    const ConvolutionVectors& loops = convolution_vectors();
    const int64_t block = 2 * loops.lanes;
    for (int64_t first = 0; first < columns; first += block) {
        int64_t some = std::min(block, columns - first), width = rounded_up(some, loops.lanes);
        for (int64_t i = 0; i < count; i++) {
            std::copy_n(from + i * near(columns) + first, some, rows + i * width);
            std::fill(rows + i * width + some, rows + (i + 1) * width, 0.0f);
        }
        PixelSum sum = {scores, a.row(),    nullptr, 0,    1,    count,     rows,
                        width,  to + first, to_row,  keys, some, accumulate};
        loops.pixel_sum(sum, static_cast<int>(width / loops.lanes));
    }
}

struct Shares {
    float *q, *k, *v;
};

void attend_gradient(const Attention& a, int64_t index, const float* results, const float* logs,
                     const float* gradients, Shares to, float* memory) {
    const AttentionVectors& loops = attention_vectors();
    Head h(a, index);
    Layout in(a);
    in.keys.pack(transposed(h.k), memory);
    in.back_values.pack(transposed(h.v), memory + in.values_at);
    in.back_keys.pack(h.k, memory + in.back_keys_at);
    const int64_t values = h.batch * a.queries * h.v_row + h.head * a.width;
    const float *log = logs + index * a.queries, *result = results + values;
    const float* g = gradients + values;
    float* to_q = to.q + h.batch * a.queries * h.q_row + h.head * a.depth;
    float* to_k = to.k + h.batch * a.keys * h.q_row + h.head * a.depth;
    float* to_v = to.v + h.batch * a.keys * h.v_row + h.head * a.width;
    for (int64_t i = a.seen_by(a.block() - 1); i < a.keys; i++) {  // not seen by the first block
        std::fill_n(to_k + i * h.q_row, a.depth, 0.0f);
        std::fill_n(to_v + i * h.v_row, a.width, 0.0f);
    }
    float *weights = memory + in.weights_at, *scores = memory + in.scores_at;
    float *q = memory + in.queries_at, *gradient = memory + in.gradients_at;
    for (int64_t first = 0; first < a.queries; first += a.block()) {
        int64_t count = std::min(a.block(), a.queries - first);
        int64_t keys = a.seen_by(first + count - 1);
        copy_rows(h.q + first * h.q_row, h.q_row, count, a.depth, q);
        copy_rows(g + first * h.v_row, h.v_row, count, a.width, gradient);
        in.keys.multiply(q, near(a.depth), weights, a.row(), count, false, a.depth, keys);
        in.back_values.multiply(gradient, near(a.width), scores, a.row(), count, false, a.width,
                                keys);
        for (int64_t i = 0; i < count; i++) {
            float *w = weights + i * a.row(), *s = scores + i * a.row();
            int64_t seen = a.seen_by(first + i);
            const float* bias = h.bias_of(a, first + i);
            if (log[first + i] > MASKED_FROM) {
                loops.weigh_again(w, bias, a.scale, log[first + i], seen);
            } else {  // nothing to attend to: beside numbers so low the sum's logarithm was lost
                float largest, sum = loops.weigh(w, bias, a.scale, seen, &largest);
                loops.scale(w, 1 / sum, seen);
            }
            float mean = loops.dot(result + (first + i) * h.v_row, gradient + i * near(a.width),
                                   a.width);
            loops.score_gradient(s, w, bias, mean, a.scale, seen);
            std::fill(w + seen, w + keys, 0.0f);
            std::fill(s + seen, s + keys, 0.0f);
        }
        add_transposed(a, weights, gradient, count, keys, a.width, to_v, h.v_row, first > 0,
                       memory + in.rows_at);
        add_transposed(a, scores, q, count, keys, a.depth, to_k, h.q_row, first > 0,
                       memory + in.rows_at);
        in.back_keys.multiply(scores, a.row(), to_q + first * h.q_row, h.q_row, count, false, keys,
                              a.depth);
    }
}

bool read_attention(const PlainArguments& given, PyObject* const* arguments, Py_ssize_t count,
                    PyObject* names, Attention* a) {
    const npy_intp* shapes[4];
    for (int i = 0; i < 4; i++) {
        if (PyArray_NDIM(array(given[i])) != 4) return false;
        shapes[i] = PyArray_DIMS(array(given[i]));
    }
    const npy_intp *q = shapes[0], *k = shapes[1], *v = shapes[2], *b = shapes[3];
    PyObject* scale = keyword(arguments, count, names, "scale");
    if (!scale || !PyFloat_Check(scale) || k[0] != q[0] || v[0] != q[0] || k[2] != q[2] ||
        v[2] != q[2] || k[3] != q[3] || v[1] != k[1])
        return false;
    *a = {q[0],
          q[1],
          k[1],
          q[2],
          q[3],
          v[3],
          data(given[0]),
          data(given[1]),
          data(given[2]),
          nullptr,
          0,
          0,
          0,
          static_cast<float>(PyFloat_AS_DOUBLE(scale)),
          keyword(arguments, count, names, "causal") == Py_True};
    if (a->batch * a->queries * a->keys * a->heads * a->depth * a->width == 0) return false;
    const float* bias = data(given[3]);
    if (b[0] * b[1] * b[2] * b[3] == 1) return *bias == 0;  // none
    if (b[3] != a->keys) return false;
    a->bias = bias;
    a->bias_query = b[2] == 1 ? 0 : b[3];
    a->bias_head = b[1] == 1 ? 0 : b[2] * b[3];
    a->bias_batch = b[0] == 1 ? 0 : b[1] * b[2] * b[3];
    return true;
}

template <class Work>  // work(head, memory)
bool each_head(const Attention& a, double time, Work&& work) {
    int workers = workers_for(time);
    int64_t own = Layout(a).size;
    Scratch scratch(workers * own);
    if (!scratch) return false;
    WithoutLock unlocked(time);
    parallel(workers, [&](int worker, int all) {
        Part part = part_of(a.batch * a.heads, worker, all);
        for (int64_t i = part.begin; i < part.end; i++) work(i, scratch.begin() + worker * own);
    });
    return true;
}

PyObject* attention(PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    PlainArguments given(arguments, count);
    Attention a;
    if (count != 4 || !given || !read_attention(given, arguments, count, names, &a)) return nullptr;
    npy_intp shape[] = {a.batch, a.queries, a.heads, a.width};
    npy_intp log_shape[] = {a.batch, a.heads, a.queries};
    PyObject* made = PyTuple_New(2);
    if (!made) return nullptr;
    PyTuple_SET_ITEM(made, 0, new_array(4, shape, NPY_FLOAT32));
    PyTuple_SET_ITEM(made, 1, new_array(3, log_shape, NPY_FLOAT32));
    PyObject *results = PyTuple_GET_ITEM(made, 0), *logs = PyTuple_GET_ITEM(made, 1);
    bool done = results && logs && each_head(a, a.time(), [&](int64_t i, float* memory) {
        attend(a, i, data(results), data(logs), memory);
    });
    if (!done) Py_CLEAR(made);
    return made;
}

// Takes q, k, v, bias, what came out (results, logs), and the gradient of the results.
PyObject* attention_grad(PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    PlainArguments given(arguments, count);
    Attention a;
    if (count != 7 || !given || !read_attention(given, arguments, count, names, &a) ||
        size(given[4]) != a.batch * a.queries * a.heads * a.width ||
        size(given[5]) != a.batch * a.queries * a.heads || !same_shape(given[4], given[6]))
        return nullptr;
    PyObject* made = PyTuple_New(3);
    if (!made) return nullptr;
    bool done = true;
    for (int i = 0; i < 3; i++) {
        PyObject* share = new_array_like(array(given[i]));
        PyTuple_SET_ITEM(made, i, share);
        done = done && share;
    }
    if (done) {
        Shares shares = {data(PyTuple_GET_ITEM(made, 0)), data(PyTuple_GET_ITEM(made, 1)),
                         data(PyTuple_GET_ITEM(made, 2))};
        done = each_head(a, 2.5 * a.time(), [&](int64_t i, float* memory) {
            attend_gradient(a, i, data(given[4]), data(given[5]), data(given[6]), shares, memory);
        });
    }
    if (!done) Py_CLEAR(made);
    return made;
}

}  // namespace

const KernelEntry ATTENTION[] = {
    {"attention", attention}, {"attention_grad", attention_grad}, {nullptr, nullptr}};

}  // namespace gradtape
