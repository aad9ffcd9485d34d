// Elementwise ops on large arrays, and what stands at either end of them in attention (stacks of
// products, softmax), that are deferred until their result is needed.
//
// Where a NumPy array is expected as the value of a tensor, there may be a `Deferred`: the op and
// its operands, which are arrays, numbers or other deferred ops. It knows its shape and dtype, and
// becomes an array (once) when anything else is asked of it. Then the whole chain behind it is
// computed in one pass over the elements, in blocks that stay in the first-level cache (compute.h).
// A reduction takes part in that pass; one of all elements to a single number is deferred, too.
#pragma once

#include <array>

#include "runtime/arrays.h"
#include "simd/vectors.h"

namespace gradtape {

constexpr int MAX_AXES = 8;
// Chains are no longer than this: what is behind an op is kept alive until it is computed.
constexpr int MAX_CHAIN_LENGTH = 48;

// How an operand's elements belong to those of the result, seen as a matrix of rows and columns.
// `matrices`: the operand of a product.
enum class Extent : uint8_t { whole, row, column, number, matrices };

struct Operand {
    PyObject* object = nullptr;  // an array, or a Deferred (whole); owned
    Extent extent = Extent::whole;
    float number = 0;  // of bools, 0 or 1
};

// What an op sees at a time: an element, a row of the last axis, or whole matrices, which are
// multiplied.
enum class Reach : uint8_t { element, row, matrix };
enum RowOp : uint8_t { SOFTMAX, SOFTMAX_GRADIENT };
// From what to what an op on elements leads: numbers to numbers; two numbers to a bool; bools to a
// bool; a bool and two numbers to one of these.
enum class Kind : uint8_t { numeric, comparison, logical, select };

struct Instruction {
    uint8_t arity;
    uint8_t op;  // an Op, Comparison or Logical; a RowOp; or TRANSPOSED_LEFT | TRANSPOSED_RIGHT
    Reach reach = Reach::element;
    Kind kind = Kind::numeric;

    bool is_binary() const { return arity == 2; }
    // Whether its result is true or false.
    bool gives_bool() const { return kind == Kind::comparison || kind == Kind::logical; }
};
constexpr Instruction on_elements(Op op) {
    return {static_cast<uint8_t>(arity_of(op)), static_cast<uint8_t>(op)};
}
constexpr Instruction on_elements(Comparison op) {
    return {2, static_cast<uint8_t>(op), Reach::element, Kind::comparison};
}
constexpr Instruction SELECT = {3, 0, Reach::element, Kind::select};
constexpr uint8_t TRANSPOSED_LEFT = 1, TRANSPOSED_RIGHT = 2;

// Whether a value is worth keeping when it is computed on the way: it was asked for before (if it
// is costly), or it is a result in its own right.
enum class Wanted : uint8_t { no, again, surely };

// How a chain is reduced.
struct Reduction {
    Combination how;
    bool is_mean;
};

struct Deferred {
    PyObject_HEAD
    PyObject* value;  // the array or number, once it was computed; then the operands are gone
    Operand left, right, condition;  // the last only of a select
    Instruction instruction;
    Reduction reduction;  // of `left`, a Deferred, to a single number, where `is_total`
    bool is_total;
    bool by_rows;  // something else than ops on elements is or was behind it, or it is one
    Wanted wanted;
    uint8_t rank;
    int16_t length;  // ops to compute for this value, at the most
    int64_t size;
    int64_t columns;  // of the matrix, where an operand is a row or a column; otherwise 0
    npy_intp shape[MAX_AXES];
    Deferred *older, *newer;  // in the list of all that are pending (pending.h)
    bool is_listed;
    bool is_claimed;  // operands of it are being written over (donation.h)
    // Around a ring of values that are wanted together (siblings.h); null: alone.
    Deferred *next, *previous;
    // Used while a program is made of it.
    int32_t mark;  // 0, or 1 + its index in the program

    std::array<const Operand*, 3> operands() const { return {&left, &right, &condition}; }
    int dtype() const { return instruction.gives_bool() ? NPY_BOOL : NPY_FLOAT32; }
    int64_t item_size() const {
        return instruction.gives_bool() ? sizeof(npy_bool) : sizeof(float);
    }
};

extern PyTypeObject* deferred_type;
inline bool is_deferred(PyObject* x) { return Py_TYPE(x) == deferred_type; }
inline Deferred* deferred(PyObject* x) { return reinterpret_cast<Deferred*>(x); }
// Returns whether this is an op (and no total) that was not computed yet.
inline bool is_pending_op(PyObject* x) {
    return x && is_deferred(x) && !deferred(x)->value && !deferred(x)->is_total;
}

// Returns whether any op may be deferred.
bool fusion_is_on();
// Returns whether ops on so many elements are deferred.
bool is_large(int64_t elements);
// Returns the op on these arguments, deferred: a new reference; or null, without an error, where
// that does not pay or cannot be (small arrays, other dtypes, other ways to broadcast).
PyObject* defer(Instruction instruction, PyObject* const* arguments, Py_ssize_t count);
// Does the same for x ∘ number, and for a choice between two numbers.
PyObject* defer_with(Instruction instruction, PyObject* x, float number);
PyObject* defer_choice(PyObject* condition, float x, float y);
// Returns a stack of products, deferred; null, without an error, where it is better computed at
// once. (matrices.cpp)
PyObject* defer_product(PyObject* x, PyObject* y, bool transpose_x, bool transpose_y);
// Computes x · y for a pending x that begins with a stack of products: computed in the same pass,
// as long as the rows of x are in the cache. Null, without an error, where that cannot be.
PyObject* multiply_pending(PyObject* x, PyObject* y, bool transpose_y);
// Returns the reduction of a pending op, computed in one pass with it or deferred; null without an
// error if that cannot be. `axis` and `keepdims` are the parameters of the primitive.
PyObject* reduce_deferred(Reduction reduction, PyObject* x, PyObject* axis, PyObject* keepdims);

// Returns the array (or, of a total, the number) of a Deferred, computed now if it was not: a
// borrowed reference, null with an error.
PyObject* array_of(PyObject* x);

// Computes total = total ∘ x in place, in the same pass that computes x. `total` is a whole array
// that nobody else holds. False without an error where x does not fit; with one if memory ran out.
bool update_in_place(Op op, PyObject* total, PyObject* x);

// Returns a Deferred with nothing in it but its shape.
Deferred* new_deferred(int rank, const npy_intp* shape, int64_t size);
void drop_operands(Deferred* node);

bool add_deferred(PyObject* module);
bool add_deferred_type(PyObject* module);

}  // namespace gradtape
