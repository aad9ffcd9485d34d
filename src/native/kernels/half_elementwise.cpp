// Elementwise ops on float16 and bfloat16: blocks are widened to float32, computed and rounded.
#include <algorithm>

#include "kernels/elementwise.h"
#include "kernels/halves.h"
#include "kernels/walk.h"
#include "simd/vectors.h"

namespace gradtape {
namespace {

// What widening and rounding adds to an element's time.
constexpr double CONVERSIONS_TIME = 0.15;

constexpr int64_t ITEM = sizeof(uint16_t);

// Operand k of a walk in blocks: the next ones of a run, or one number.
struct Block {
    const HalfType& type;
    float numbers[HALF_BLOCK];

    void widen(const char* at, int64_t n) { vectors().convert[type.widen](numbers, at, n); }
    void narrow(uint16_t* result, int64_t n) { vectors().convert[type.narrow](result, numbers, n); }
};

// loop(out, x, y, n) for blocks of a row; x and y are floats, of which those of a run are n.
template <class Result, class Loop>
void in_blocks(const HalfType& type, const BroadcastLoop<2>& walk, Result* result, char** at,
               int64_t n, Loop&& loop) {
    Block x{type}, y{type};
    if (!walk.is_run[0]) x.widen(at[0], 1);
    if (!walk.is_run[1]) y.widen(at[1], 1);
    for (int64_t i = 0; i < n; i += HALF_BLOCK) {
        int64_t here = std::min(HALF_BLOCK, n - i);
        if (walk.is_run[0]) x.widen(at[0] + i * ITEM, here);
        if (walk.is_run[1]) y.widen(at[1] + i * ITEM, here);
        loop(result + i, x, y, here);
    }
}

bool plan(const HalfType& type, PyObject* x, PyObject* y, Spread (&operands)[2],
          BroadcastLoop<2>* walk) {
    return operands[0].read(x, type.number) && operands[1].read(y, type.number) &&
           walk->plan(operands) && walk->rank > 0;
}

}  // namespace

PyObject* of_halves(Op op, PyObject* x) {
    const HalfType* type = half_type_of(x);
    Spread operands[1];
    BroadcastLoop<1> walk;
    if (!type || !operands[0].read(x, type->number) || operands[0].rank == 0 ||
        !walk.plan(operands))
        return nullptr;
    PyObject* made = new_array(walk.rank, walk.shape, type->number);
    if (!made) return nullptr;
    auto* result = data<uint16_t>(made);
    auto loop = vectors().unary[op];
    walk.run(operands, time_of(op) + CONVERSIONS_TIME,
             [=, &walk](int64_t begin, char** at, int64_t n) {
        Block block{*type};
        int64_t all = walk.is_run[0] ? n : 1;
        for (int64_t i = 0; i < all; i += HALF_BLOCK) {
            int64_t here = std::min(HALF_BLOCK, all - i);
            block.widen(at[0] + i * ITEM, here);
            loop(block.numbers, block.numbers, here);
            block.narrow(result + begin + i, here);
        }
        std::fill_n(result + begin + all, n - all, result[begin]);
    });
    return made;
}

PyObject* of_halves(Op op, PyObject* x, PyObject* y) {
    const HalfType* type = half_type_of(x);
    Spread operands[2];
    BroadcastLoop<2> walk;
    if (!type || !plan(*type, x, y, operands, &walk)) return nullptr;
    PyObject* made = new_array(walk.rank, walk.shape, type->number);
    if (!made) return nullptr;
    auto* result = data<uint16_t>(made);
    const Vectors& v = vectors();
    walk.run(operands, time_of(op) + CONVERSIONS_TIME,
             [=, &v, &walk](int64_t begin, char** at, int64_t n) {
        bool runs = walk.is_run[0] || walk.is_run[1];
        uint16_t* row = result + begin;
        in_blocks(*type, walk, row, at, runs ? n : 1,
                  [&](uint16_t* out, Block& left, Block& right, int64_t here) {
            float *a = left.numbers, *b = right.numbers;
            if (walk.is_run[0] && walk.is_run[1]) v.binary[op](a, a, b, here);
            else if (walk.is_run[0]) v.with_right[op](a, a, *b, here);
            else if (walk.is_run[1]) v.with_left[op](b, *a, b, here);
            else v.binary[op](a, a, b, 1);
            (walk.is_run[0] || !runs ? left : right).narrow(out, here);
        });
        if (!runs) std::fill_n(row + 1, n - 1, *row);
    });
    return made;
}

PyObject* compare_halves(Comparison op, PyObject* x, PyObject* y) {
    const HalfType* type = half_type_of(x);
    Spread operands[2];
    BroadcastLoop<2> walk;
    if (!type || !plan(*type, x, y, operands, &walk)) return nullptr;
    PyObject* made = new_array(walk.rank, walk.shape, NPY_BOOL);
    if (!made) return nullptr;
    bool* result = data<bool>(made);
    const Vectors& v = vectors();
    walk.run(operands, ELEMENT + CONVERSIONS_TIME,
             [=, &v, &walk](int64_t begin, char** at, int64_t n) {
        in_blocks(*type, walk, result + begin, at, n,
                  [&](bool* out, Block& left, Block& right, int64_t here) {
            if (!walk.is_run[0]) std::fill_n(left.numbers, here, left.numbers[0]);
            if (!walk.is_run[1]) std::fill_n(right.numbers, here, right.numbers[0]);
            v.compare[op](out, left.numbers, right.numbers, here);
        });
    });
    return made;
}

}  // namespace gradtape
