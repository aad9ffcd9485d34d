// Where the values of a flat program lie, and how several of them are walked together.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "runtime/arrays.h"

namespace gradtape::flat {

constexpr int MAX_RANK = 8;
constexpr int MAX_WALKED = 4;  // operands of an elementwise op, and its result

struct Layout {
    int rank = 0;
    npy_intp shape[MAX_RANK];
    npy_intp strides[MAX_RANK];  // in bytes; 0 along an axis that is spread

    int64_t size() const {
        int64_t numbers = 1;
        for (int i = 0; i < rank; i++) numbers *= shape[i];
        return numbers;
    }
    void lay_out(npy_intp item) {
        for (int i = rank - 1; i >= 0; item *= shape[i--]) strides[i] = item;
    }
    bool is_contiguous(npy_intp item) const {
        for (int i = rank - 1; i >= 0; i--) {
            if (shape[i] != 1 && strides[i] != item) return false;
            item *= shape[i];
        }
        return true;
    }
    // Whether axes follow each other as in C, gaps and spread axes aside: NumPy lays out the
    // results of such operands in C order, too.
    bool is_in_c_order() const {
        npy_intp least = 0;
        for (int i = rank - 1; i >= 0; i--) {
            if (shape[i] == 1 || strides[i] == 0) continue;
            if (strides[i] < least || strides[i] < 0) return false;
            least = strides[i];
        }
        return true;
    }
    // Whether no axis is spread, and each is stepped along faster than those before it: then NumPy
    // lays out the result in C order, whatever the order of other operands.
    bool decides_for_c_order() const {
        npy_intp least = 1;
        for (int i = rank - 1; i >= 0; i--) {
            if (shape[i] == 1) continue;
            if (strides[i] < least) return false;
            least = strides[i] + 1;
        }
        return true;
    }
    bool has_shape(const Layout& other) const {
        return rank == other.rank && std::equal(shape, shape + rank, other.shape);
    }
};

// A value: a part of a buffer.
struct Value {
    Layout layout;
    int buffer = 0;
    int64_t offset = 0;
    int type = 0;
    npy_intp item = 0;

    bool is_contiguous() const { return layout.is_contiguous(item); }
};

// Operands that are spread to the shape of the last, which is the result: as few axes as possible.
struct Walk {
    int count = 0, axes = 0;
    int64_t lengths[MAX_RANK];
    npy_intp steps[MAX_RANK][MAX_WALKED] = {};  // 0 beyond `count`

    // Plans the walk; false where a shape cannot be spread to that of the result.
    bool plan(const Layout* const* operands, int number) {
        count = number;
        const Layout& whole = *operands[number - 1];
        for (int axis = 0; axis < whole.rank; axis++) {
            npy_intp step[MAX_WALKED];
            for (int k = 0; k < count; k++) {
                int own = axis - (whole.rank - operands[k]->rank);
                npy_intp n = own < 0 ? 1 : operands[k]->shape[own];
                if (operands[k]->rank > whole.rank || (n != 1 && n != whole.shape[axis]))
                    return false;
                step[k] = n == 1 ? 0 : operands[k]->strides[own];
            }
            if (whole.shape[axis] != 1) append(whole.shape[axis], step);
        }
        return true;
    }

    // Calls row(pointers, n, strides) for all rows of the last axis. It moves all pointers, also
    // those beyond `count`: a loop of that many becomes a call of the library, which takes longer.
    template <class Row>
    void run(char* const (&begin)[MAX_WALKED], Row&& row) const {
        static const npy_intp NOWHERE[MAX_WALKED] = {};
        char* at[MAX_WALKED];
        std::copy_n(begin, MAX_WALKED, at);
        if (axes <= 1) {
            row(at, axes ? lengths[0] : 1, axes ? steps[0] : NOWHERE);
            return;
        }
        int64_t index[MAX_RANK] = {};
        for (;;) {
            char* here[MAX_WALKED];
            std::copy_n(at, MAX_WALKED, here);
            row(here, lengths[axes - 1], steps[axes - 1]);
            int axis = axes - 2;
            for (; axis >= 0; axis--) {
                for (int k = 0; k < MAX_WALKED; k++) at[k] += steps[axis][k];
                if (++index[axis] < lengths[axis]) break;
                for (int k = 0; k < MAX_WALKED; k++) at[k] -= lengths[axis] * steps[axis][k];
                index[axis] = 0;
            }
            if (axis < 0) return;
        }
    }

    int64_t row_length() const { return axes ? lengths[axes - 1] : 1; }

    // Walks along the longest axis where rows of the last are short; false if they stay as they
    // are. For loops whose bits do not depend on the order.
    bool lengthen_rows() {
        if (axes < 2 || lengths[axes - 1] >= SHORT_ROW) return false;
        int64_t* longest = std::max_element(lengths, lengths + axes);
        if (*longest < 2 * lengths[axes - 1]) return false;
        std::swap_ranges(steps[longest - lengths], steps[longest - lengths] + count,
                         steps[axes - 1]);
        std::swap(*longest, lengths[axes - 1]);
        return true;
    }

  private:
    // To begin a row takes as long as so many numbers that are not next to each other.
    static constexpr int64_t SHORT_ROW = 12;

    // Appends an axis, joined to the one before it if it continues that in every operand.
    void append(npy_intp length, const npy_intp* step) {
        bool continues = axes > 0;
        for (int k = 0; k < count && continues; k++)
            continues = steps[axes - 1][k] == step[k] * length;
        if (continues) lengths[axes - 1] *= length;
        else lengths[axes++] = length;
        std::copy_n(step, count, steps[axes - 1]);
    }
};

}  // namespace gradtape::flat
