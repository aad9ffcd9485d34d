// Random numbers: Philox 4×32-10 and the distributions that read its blocks in order. The numbers
// are those of prng/philox.py, to the last bit; what is said there holds here.
#include <cmath>
#include <cstring>
#include <utility>

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

// --- distributions: four numbers from a block ----------------------------------------------------

inline float uniform_of(uint32_t word) {
    return static_cast<float>(static_cast<int32_t>(word & 0x7FFFFF)) * 0x1p-23f;
}

void uniforms(const Generator& generator, uint64_t block, float (&values)[4]) {
    uint32_t words[4];
    generator.block(block, words);
    for (int i = 0; i < 4; i++) values[i] = uniform_of(words[i]);
}

// Computes normal numbers, by Box and Muller.
void normals(const Generator& generator, uint64_t block, float (&values)[4]) {
    uint32_t words[4];
    generator.block(block, words);
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
void truncated_normals(const Generator& generator, uint64_t group, float (&values)[4]) {
    int filled = 0;
    for (uint64_t block = group * 256; filled < 4; block++) {
        float drawn[4];
        normals(generator, block, drawn);
        for (int i = 0; i < 4 && filled < 4; i++)
            if (std::fabs(drawn[i]) < 2.0f) values[filled++] = drawn[i];
    }
}

using Draw = void (*)(const Generator&, uint64_t, float (&)[4]);
struct Kind {
    const char* name;
    Draw draw;
    double nanoseconds;  // for a number
};
constexpr Kind KINDS[] = {
    {"uniform", uniforms, 1.5}, {"normal", normals, 6}, {"truncated_normal", truncated_normals, 8}};

const Kind* find_kind(PyObject* name) {
    if (name && PyUnicode_Check(name))
        for (const Kind& kind : KINDS)
            if (PyUnicode_CompareWithASCIIString(name, kind.name) == 0) return &kind;
    return nullptr;
}

bool is_float32(PyObject* dtype) {
    return dtype && PyArray_DescrCheck(dtype) &&
           reinterpret_cast<PyArray_Descr*>(dtype)->type_num == NPY_FLOAT32;
}

bool read_state(PyObject* state, Generator* generator) {
    if (!is_plain(state, NPY_INT64) || size(state) != 3) return false;
    const int64_t* words = data<int64_t>(state);
    *generator = {static_cast<uint64_t>(words[0]), static_cast<uint64_t>(words[1]),
                  static_cast<uint64_t>(words[2])};
    return true;
}

PyObject* random_numbers(PyObject* const* arguments, Py_ssize_t count, PyObject* names) {
    PyObject* shape = keyword(arguments, count, names, "shape");
    Generator generator;
    const Kind* kind = find_kind(keyword(arguments, count, names, "kind"));
    if (count != 1 || !kind || !is_float32(keyword(arguments, count, names, "dtype")) ||
        !read_state(arguments[0], &generator) || !shape || !PyTuple_Check(shape) ||
        PyTuple_GET_SIZE(shape) == 0 || PyTuple_GET_SIZE(shape) > NPY_MAXDIMS)
        return nullptr;
    int rank = static_cast<int>(PyTuple_GET_SIZE(shape));
    npy_intp lengths[NPY_MAXDIMS];
    for (int i = 0; i < rank; i++) {
        lengths[i] = PyLong_AsSsize_t(PyTuple_GET_ITEM(shape, i));
        if (lengths[i] < 0) {  // NumPy's kernel says what is wrong with the shape
            expected_error({PyExc_TypeError, PyExc_OverflowError});
            return nullptr;
        }
    }
    PyObject* made = new_array(rank, lengths, NPY_FLOAT32);
    if (!made) return nullptr;
    float* result = data(made);
    int64_t numbers = size(made);
    in_parts((numbers + 3) / 4, 4 * kind->nanoseconds, 16, [=](int64_t begin, int64_t end) {
        for (int64_t block = begin; block < end; block++) {
            float values[4];
            kind->draw(generator, static_cast<uint64_t>(block), values);
            int64_t rest = numbers - 4 * block;
            std::memcpy(result + 4 * block, values, sizeof(float) * (rest < 4 ? rest : 4));
        }
    });
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
                              {"random_permutation", random_permutation},
                              {nullptr, nullptr}};

}  // namespace gradtape
