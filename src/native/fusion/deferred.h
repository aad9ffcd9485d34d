// Elementwise ops on large arrays that are put off until their result is needed.
//
// Where a NumPy array is expected as the value of a tensor, there may be a `Deferred`: the op and its
// operands, which are arrays, numbers or other deferred ops. It knows its shape and dtype, and
// becomes an array (once) when anything else is asked of it. Then the whole chain behind it is
// computed in one pass over the elements, in blocks that stay in the first-level cache (program.cpp).
#pragma once

#include "arrays.h"
#include "vectors.h"

namespace gradtape {

constexpr int MOST_AXES = 8;
// Chains are no longer than this: what is behind an op is kept alive until it is computed.
constexpr int LONGEST_CHAIN = 24;

// How an operand's elements belong to those of the result, seen as a matrix of rows and columns.
enum class Extent : uint8_t { whole, row, column, number };

struct Operand {
    PyObject* object = nullptr;  // an array (whole, row or column) or a Deferred (whole); owned
    Extent extent = Extent::whole;
    float number = 0;
};

struct Instruction {
    bool is_binary;
    uint8_t op;  // Unary or Binary
};

struct Deferred {
    PyObject_HEAD
    PyObject* value;  // the array, once it was computed; then the operands are gone
    Operand left, right;
    Instruction instruction;
    uint8_t rank;
    int16_t length;    // ops to compute for this value, at the most
    int64_t size;
    int64_t columns;   // of the matrix, where an operand is a row or a column; otherwise 0
    npy_intp shape[MOST_AXES];
    // Used while a program is made of it.
    int32_t mark;      // 0, or 1 + its place in the program
};

extern PyTypeObject* deferred_type;
inline bool is_deferred(PyObject* x) { return Py_TYPE(x) == deferred_type; }
inline Deferred* deferred(PyObject* x) { return reinterpret_cast<Deferred*>(x); }

// The op on these arguments, put off: a new reference; or null, without an error, where that does
// not pay or cannot be (small arrays, other dtypes, other ways to broadcast).
PyObject* defer(Instruction instruction, PyObject* const* arguments, Py_ssize_t count);

// The array of a Deferred, computed now if it was not: a borrowed reference, null with an error.
PyObject* array_of(PyObject* x);

// total = total ∘ x in place, in the same pass that computes x. `total` is a whole array that
// nobody else holds. False without an error where x does not fit; with one if memory ran out.
bool update_in_place(Binary op, PyObject* total, PyObject* x);

bool add_deferred(PyObject* module);

}  // namespace gradtape
