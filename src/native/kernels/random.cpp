// Random numbers: Philox 4×32-10 and the distributions that read its blocks in order. The numbers
// are those of prng/philox.py, to the last bit; what is said there holds here.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

#include "errors.h"
#include "kernels/kernel.h"
#include "runtime/work_split.h"

// A product and a sum round separately, whatever the processor has.
#if defined(__clang__)
#pragma clang fp contract(off)
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off")
#endif

namespace gradtape {
namespace {

struct Generator {
    uint64_t low, high, key;

    // Computes the four words of the block at `counter + offset`.
    void block(uint64_t offset, uint32_t (&words)[4]) const {
        uint64_t start = low + offset, rest = high + (start < low ? 1 : 0);
        uint32_t w0 = static_cast<uint32_t>(start), w1 = static_cast<uint32_t>(start >> 32);
        uint32_t w2 = static_cast<uint32_t>(rest), w3 = static_cast<uint32_t>(rest >> 32);
        uint32_t key0 = static_cast<uint32_t>(key), key1 = static_cast<uint32_t>(key >> 32);
        for (int round = 0; round < 10; round++) {
            uint64_t product0 = uint64_t(0xD2511F53) * w0, product1 = uint64_t(0xCD9E8D57) * w2;
            w0 = static_cast<uint32_t>(product1 >> 32) ^ w1 ^ key0;
            w1 = static_cast<uint32_t>(product1);
            w2 = static_cast<uint32_t>(product0 >> 32) ^ w3 ^ key1;
            w3 = static_cast<uint32_t>(product0);
            key0 += 0x9E3779B9;
            key1 += 0xBB67AE85;
        }
        words[0] = w0;
        words[1] = w1;
        words[2] = w2;
        words[3] = w3;
    }
};

// --- float32 logarithm, sine and cosine, rounded as the C library rounds them --------------------

constexpr double LOG_INVERSE[16] = {0x1.661ec79f8f3bep+0, 0x1.571ed4aaf883dp+0,
                                    0x1.49539f0f010bp+0,  0x1.3c995b0b80385p+0,
                                    0x1.30d190c8864a5p+0, 0x1.25e227b0b8eap+0,
                                    0x1.1bb4a4a1a343fp+0, 0x1.12358f08ae5bap+0,
                                    0x1.0953f419900a7p+0, 0x1p+0,
                                    0x1.e608cfd9a47acp-1, 0x1.ca4b31f026aap-1,
                                    0x1.b2036576afce6p-1, 0x1.9c2d163a1aa2dp-1,
                                    0x1.886e6037841edp-1, 0x1.767dcf5534862p-1};
constexpr double LOG_VALUE[16] = {-0x1.57bf7808caadep-2, -0x1.2bef0a7c06ddbp-2,
                                  -0x1.01eae7f513a67p-2, -0x1.b31d8a68224e9p-3,
                                  -0x1.6574f0ac07758p-3, -0x1.1aa2bc79c81p-3,
                                  -0x1.a4e76ce8c0e5ep-4, -0x1.1973c5a611cccp-4,
                                  -0x1.252f438e10c1ep-5, 0x0p+0,
                                  0x1.aa5aa5df25984p-5,  0x1.c5e53aa362eb4p-4,
                                  0x1.526e57720db08p-3,  0x1.bc2860d22477p-3,
                                  0x1.1058bc8a07ee1p-2,  0x1.4043057b6ee09p-2};
constexpr double LN_2 = 0x1.62e42fefa39efp-1, PI = 3.14159265358979323846;

// Returns log(x) for 2^-24 <= x <= 1.
inline float log_of(float x) {
    int32_t bits;
    std::memcpy(&bits, &x, sizeof x);
    int32_t step = bits - 0x3F330000, octave = step & -0x800000, entry = step >> 19 & 15;
    bits -= octave;
    float m;
    std::memcpy(&m, &bits, sizeof m);
    double r = static_cast<double>(m) * LOG_INVERSE[entry] - 1.0, square = r * r;
    double y = r * 0x1.5575b0be00b6ap-2 + -0x1.ffffef20a4123p-2;
    y += square * -0x1.00ea348b88334p-2;
    y *= square;
    r += LOG_VALUE[entry] + static_cast<double>(step >> 23) * LN_2;
    return static_cast<float>(y + r);
}

// Computes sin(v) and cos(v) for 0 <= v <= 2 π.
inline void sincos_of(float v, float* sine, float* cosine) {
    double x = static_cast<double>(v);
    double quarter_turns = (x * (2.0 / PI) + 0x1.8p52) - 0x1.8p52;  // rounded
    x -= quarter_turns * (PI / 2.0);
    double x2 = x * x, x3 = x * x2, x4 = x2 * x2;
    double tail = x2 * -0x1.994eb3774cf24p-13 + 0x1.1107605230bc4p-7;
    double s = x + x3 * -0x1.555545995a603p-3;
    x3 *= x2;
    x3 *= tail;
    s += x3;
    tail = x2 * 0x1.99343027bf8c3p-16 + -0x1.6c087e89a359dp-10;
    double c = x2 * -0x1.ffffffd0c621cp-2 + 1.0;
    c += x4 * 0x1.55553e1068f19p-5;
    x4 *= x2;
    x4 *= tail;
    c += x4;
    float a = static_cast<float>(s), b = static_cast<float>(c);
    int quarter = static_cast<int>(quarter_turns);
    *sine = quarter & 1 ? b : a;
    *cosine = quarter & 1 ? a : b;
    if (quarter & 2) *sine = -*sine;
    if ((quarter + 1) & 2) *cosine = -*cosine;
}

// --- distributions: numbers from a block ---------------------------------------------------------

inline float uniform_of(uint32_t word) {
    return static_cast<float>(static_cast<int32_t>(word & 0x7FFFFF)) * 0x1p-23f;
}

void uniforms(const Generator& generator, uint64_t block, void* out) {
    uint32_t words[4];
    generator.block(block, words);
    float* values = static_cast<float*>(out);
    for (int i = 0; i < 4; i++) values[i] = uniform_of(words[i]);
}

void double_uniforms(const Generator& generator, uint64_t block, void* out) {
    uint32_t words[4];
    generator.block(block, words);
    double* values = static_cast<double*>(out);
    for (int i = 0; i < 2; i++) {
        uint64_t bits = uint64_t(words[2 * i] & 0xFFFFF) << 32 | words[2 * i + 1];
        values[i] = static_cast<double>(static_cast<int64_t>(bits)) * 0x1p-52;
    }
}

// Computes normal numbers, by Box and Muller.
void normals(const Generator& generator, uint64_t block, void* out) {
    uint32_t words[4];
    generator.block(block, words);
    float* values = static_cast<float*>(out);
    for (int i = 0; i < 4; i += 2) {
        float u = uniform_of(words[i]);
        float radius = std::sqrt(log_of(u < 1e-7f ? 1e-7f : u) * -2.0f);
        double angle = static_cast<double>(words[i + 1] & 0x7FFFFF) * (2.0 * PI * 0x1p-23);
        float sine, cosine;
        sincos_of(static_cast<float>(angle), &sine, &cosine);
        values[i] = sine * radius;
        values[i + 1] = cosine * radius;
    }
}

// Computes those within (-2, 2). Each group of four has 256 blocks of its own to read on in.
void truncated_normals(const Generator& generator, uint64_t group, void* out) {
    float* values = static_cast<float*>(out);
    int filled = 0;
    for (uint64_t block = group * 256; filled < 4; block++) {
        float drawn[4];
        normals(generator, block, drawn);
        for (int i = 0; i < 4 && filled < 4; i++)
            if (std::fabs(drawn[i]) < 2.0f) values[filled++] = drawn[i];
    }
}

void words_of(const Generator& generator, uint64_t block, void* out) {
    uint32_t words[4];
    generator.block(block, words);
    std::memcpy(out, words, sizeof words);
}

// Computes 64-bit integers; the first word of each is its low part.
void joined_words(const Generator& generator, uint64_t block, void* out) {
    uint32_t words[4];
    generator.block(block, words);
    uint64_t values[2] = {uint64_t(words[1]) << 32 | words[0], uint64_t(words[3]) << 32 | words[2]};
    std::memcpy(out, values, sizeof values);
}

// A block has 16 bytes of numbers, whatever their type.
constexpr int64_t BLOCK_BYTES = 16;

struct Kind {
    const char* name;
    int type;
    void (*draw)(const Generator&, uint64_t block, void* out);
    double nanoseconds;  // for a block
};
constexpr Kind KINDS[] = {{"uniform", NPY_FLOAT32, uniforms, 6},
                          {"uniform", NPY_FLOAT64, double_uniforms, 6},
                          {"normal", NPY_FLOAT32, normals, 24},
                          {"truncated_normal", NPY_FLOAT32, truncated_normals, 32},
                          {"integers", NPY_INT32, words_of, 6},
                          {"integers", NPY_UINT32, words_of, 6},
                          {"integers", NPY_INT64, joined_words, 6},
                          {"integers", NPY_UINT64, joined_words, 6}};

// Returns NumPy's number for a dtype, where `long long` is what `long` is.
int type_of(PyObject* dtype) {
    if (!dtype || !PyArray_DescrCheck(dtype)) return -1;
    int type = reinterpret_cast<PyArray_Descr*>(dtype)->type_num;
    return PyArray_EquivTypenums(type, NPY_INT64) ? static_cast<int>(NPY_INT64) : type;
}

const Kind* find_kind(const char* name, int type) {
    for (const Kind& kind : KINDS)
        if (kind.type == type && std::strcmp(name, kind.name) == 0) return &kind;
    return nullptr;
}

bool read_state(PyObject* state, Generator* generator) {
    if (!is_plain(state, NPY_INT64) || size(state) != 3) return false;
    const int64_t* words = data<int64_t>(state);
    *generator = {static_cast<uint64_t>(words[0]), static_cast<uint64_t>(words[1]),
                  static_cast<uint64_t>(words[2])};
    return true;
}

// Returns a new array of drawn numbers; null without an error for a shape that NumPy's kernel has
// to explain.
PyObject* draw(const Kind& kind, const Generator& generator, PyObject* shape) {
    if (!shape || !PyTuple_Check(shape) || PyTuple_GET_SIZE(shape) > NPY_MAXDIMS) return nullptr;
    int rank = static_cast<int>(PyTuple_GET_SIZE(shape));
    npy_intp lengths[NPY_MAXDIMS];
    for (int i = 0; i < rank; i++) {
        lengths[i] = PyLong_AsSsize_t(PyTuple_GET_ITEM(shape, i));
        if (lengths[i] < 0) {
            expected_error({PyExc_TypeError, PyExc_OverflowError});
            return nullptr;
        }
    }
    PyObject* made = new_array(rank, lengths, kind.type);
    if (!made) return nullptr;
    char* result = data<char>(made);
    int64_t bytes = PyArray_NBYTES(array(made));
    in_parts((bytes + BLOCK_BYTES - 1) / BLOCK_BYTES, kind.nanoseconds, 16,
             [=](int64_t begin, int64_t end) {
        for (int64_t block = begin; block < end; block++) {
            alignas(BLOCK_BYTES) char values[BLOCK_BYTES];
            kind.draw(generator, static_cast<uint64_t>(block), values);
            int64_t rest = bytes - BLOCK_BYTES * block;
            std::memcpy(result + BLOCK_BYTES * block, values,
                        static_cast<size_t>(rest < BLOCK_BYTES ? rest : BLOCK_BYTES));
        }
    });
    return made;
}

PyObject* random_numbers(PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    Generator generator;
    PyObject* name = keyword(arguments, count, names, "kind");
    if (!name || !PyUnicode_Check(name) || !PyUnicode_IS_ASCII(name)) return nullptr;
    const Kind* kind = find_kind(reinterpret_cast<const char*>(PyUnicode_1BYTE_DATA(name)),
                                 type_of(keyword(arguments, count, names, "dtype")));
    if (count != 1 || !kind || !read_state(arguments[0], &generator)) return nullptr;
    PyObject* made = draw(*kind, generator, keyword(arguments, count, names, "shape"));
    return made ? PyArray_Return(array(made)) : nullptr;
}

// --- integers within bounds ----------------------------------------------------------------------

bool read_integer(PyObject* x, int64_t* value) {
    if (!PyArray_IsScalar(x, Integer) &&
        !(PyArray_CheckExact(x) && PyArray_ISINTEGER(array(x)) && size(x) == 1))
        return false;
    PyObject* number = PyNumber_Index(x);
    if (number) *value = PyLong_AsLongLong(number);
    Py_XDECREF(number);
    if (!PyErr_Occurred()) return true;
    expected_error({PyExc_TypeError, PyExc_OverflowError});  // NumPy's kernel reads it
    return false;
}

// Computes low + word modulo (high - low), in the arithmetic of the unsigned type.
template <class Word>
void bound(PyObject* drawn, int64_t low, int64_t high) {
    Word* values = data<Word>(drawn);
    Word range = static_cast<Word>(high) - static_cast<Word>(low), first = static_cast<Word>(low);
    for (int64_t i = 0, count = size(drawn); i < count; i++) values[i] = values[i] % range + first;
}

PyObject* random_integers(PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    Generator generator;
    int64_t low, high;
    int type = type_of(keyword(arguments, count, names, "dtype"));
    if (count != 3 || (type != NPY_INT32 && type != NPY_INT64) ||
        !read_state(arguments[0], &generator) || !read_integer(arguments[1], &low) ||
        !read_integer(arguments[2], &high) || low >= high)
        return nullptr;
    PyObject* made = draw(*find_kind("integers", type), generator,
                          keyword(arguments, count, names, "shape"));
    if (!made) return nullptr;
    type == NPY_INT32 ? bound<uint32_t>(made, low, high) : bound<uint64_t>(made, low, high);
    return PyArray_Return(array(made));
}

// --- classes -------------------------------------------------------------------------------------

constexpr double CLASS = 8;  // nanoseconds for its exponential

// Computes the sums of exp(logits - largest) up to each class; what is not finite is never drawn.
template <class Number>
void summed_weights(const Number* logits, int64_t classes, double* sums) {
    double largest = -HUGE_VAL, sum = 0;
    for (int64_t i = 0; i < classes; i++)
        if (std::isfinite(logits[i])) largest = std::max(largest, static_cast<double>(logits[i]));
    for (int64_t i = 0; i < classes; i++) {
        if (std::isfinite(logits[i])) sum += std::exp(static_cast<double>(logits[i]) - largest);
        sums[i] = sum;
    }
}

template <class Number, class Label>
void draw_classes(const Generator& generator, PyObject* logits, PyObject* made) {
    int64_t classes = PyArray_DIM(array(logits), 1), samples = PyArray_DIM(array(made), 1);
    const Number* from = data<Number>(logits);
    Label* result = data<Label>(made);
    double row_time = CLASS * static_cast<double>(classes) + 12 * static_cast<double>(samples) + 50;
    in_parts(PyArray_DIM(array(logits), 0), row_time, 1, [=](int64_t begin, int64_t end) {
        std::vector<double> sums(static_cast<size_t>(classes));
        for (int64_t row = begin; row < end; row++) {
            summed_weights(from + row * classes, classes, sums.data());
            for (int64_t i = row * samples; i < (row + 1) * samples; i++) {
                double uniform[2];
                double_uniforms(generator, static_cast<uint64_t>(i / 2), uniform);
                auto drawn = std::upper_bound(sums.begin(), sums.end(),
                                              uniform[i % 2] * sums.back());
                result[i] = static_cast<Label>(drawn - sums.begin());
            }
        }
    });
}

// Classes for each row of logits. (Of NumPy's kernel, the exponentials may differ in the last bit.)
PyObject* random_categorical(PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    Generator generator;
    PyObject *number = keyword(arguments, count, names, "samples"), *logits = arguments[1];
    int type = type_of(keyword(arguments, count, names, "dtype"));
    bool is_wide = count == 2 && is_plain(logits, NPY_FLOAT64);
    if (count != 2 || !number || !PyLong_CheckExact(number) || !(is_wide || is_plain(logits)) ||
        PyArray_NDIM(array(logits)) != 2 || PyArray_DIM(array(logits), 1) == 0 ||
        (type != NPY_INT32 && type != NPY_INT64) || !read_state(arguments[0], &generator))
        return nullptr;
    npy_intp shape[] = {PyArray_DIM(array(logits), 0), PyLong_AsSsize_t(number)};
    if (shape[1] < 0) {
        expected_error({PyExc_OverflowError});
        return nullptr;
    }
    PyObject* made = new_array(2, shape, type);
    if (!made) return nullptr;
    auto* draw_them = is_wide ? (type == NPY_INT32 ? draw_classes<double, int32_t>
                                                   : draw_classes<double, int64_t>)
                              : (type == NPY_INT32 ? draw_classes<float, int32_t>
                                                   : draw_classes<float, int64_t>);
    draw_them(generator, logits, made);
    return made;
}

// --- states and permutations ---------------------------------------------------------------------

// The state for a seed of two integers, scrambled.
PyObject* seed_state(PyObject* const* arguments, Py_ssize_t count, PyObject*) {
    Generator scramble = {0, 0, 0x02461E293EC8F720};
    if (count != 1 || !PyArray_CheckExact(arguments[0]) || size(arguments[0]) != 2) return nullptr;
    if (is_plain(arguments[0], NPY_INT64)) {
        const int64_t* seed = data<int64_t>(arguments[0]);
        scramble.low = static_cast<uint64_t>(seed[0]);
        scramble.high = static_cast<uint64_t>(seed[1]);
    } else if (is_plain(arguments[0], NPY_INT32)) {
        const int32_t* seed = data<int32_t>(arguments[0]);
        scramble.low = static_cast<uint64_t>(int64_t(seed[0]));
        scramble.high = static_cast<uint64_t>(int64_t(seed[1]));
    } else {
        return nullptr;
    }
    uint32_t words[4];
    scramble.block(0, words);
    npy_intp length = 3;
    PyObject* made = new_array(1, &length, NPY_INT64);
    if (!made) return nullptr;
    uint64_t* state = data<uint64_t>(made);
    state[0] = 0;
    state[1] = uint64_t(words[3]) << 32 | words[2];
    state[2] = uint64_t(words[1]) << 32 | words[0];
    return made;
}

// The numbers of rows after swapping row i with row i + word modulo (rows - i), in turn.
PyObject* random_permutation(PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    Generator generator;
    PyObject* number = keyword(arguments, count, names, "count");
    npy_intp rows = number && PyLong_Check(number) ? PyLong_AsSsize_t(number) : -1;
    if (count != 1 || rows < 1 || !read_state(arguments[0], &generator)) {
        if (rows == -1) expected_error({PyExc_OverflowError});
        return nullptr;
    }
    PyObject* made = new_array(1, &rows, NPY_INT64);
    if (!made) return nullptr;
    int64_t* result = data<int64_t>(made);
    WithoutLock unlocked(8.0 * static_cast<double>(rows));
    for (int64_t i = 0; i < rows; i++) result[i] = i;
    uint32_t words[4];
    for (int64_t i = 0; i + 1 < rows; i++) {
        if (i % 4 == 0) generator.block(static_cast<uint64_t>(i) / 4, words);
        std::swap(result[i], result[i + words[i % 4] % (rows - i)]);
    }
    return made;
}

}  // namespace

const KernelEntry RANDOM[] = {{"random_numbers", random_numbers},
                              {"random_integers", random_integers},
                              {"random_categorical", random_categorical},
                              {"random_permutation", random_permutation},
                              {"seed_state", seed_state},
                              {nullptr, nullptr}};

}  // namespace gradtape
