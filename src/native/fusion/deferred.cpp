#include "fusion/deferred.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "errors.h"
#include "fusion/compute.h"
#include "fusion/pending.h"
#include "fusion/program.h"
#include "fusion/siblings.h"
#include "runtime/ref.h"

namespace gradtape {
namespace {

// Smaller arrays stay in the caches between two ops anyway.
int64_t smallest = INT64_MAX;

// --- operands -----------------------------------------------------------------------------------

// What an argument looks like before the shape of the result is known.
struct Argument {
    PyObject* object;  // borrowed
    bool is_number;
    float number;
    int rank;
    const npy_intp* shape;
    int64_t size;
};

Argument one_number(float number) { return {nullptr, true, number, 0, nullptr, 1}; }

// Returns whether an array repeats one number (a broadcast scalar): every stride of it is 0.
bool repeats_one_number(PyArrayObject* x) {
    for (int i = 0; i < PyArray_NDIM(x); i++)
        if (PyArray_STRIDE(x, i) != 0 && PyArray_DIM(x, i) != 1) return false;
    return PyArray_SIZE(x) > 0;
}

// Reads an argument of float32, or of bools. False where it cannot be an operand, or with an error
// set where it could not be computed.
bool read(PyObject* x, int dtype, Argument* argument) {
    if (is_deferred(x) && deferred(x)->is_total && !(x = array_of(x))) return false;
    argument->object = x;
    argument->is_number = false;
    if (is_deferred(x)) {
        Deferred* d = deferred(x);
        if (d->dtype() != dtype) return false;
        argument->rank = d->rank;
        argument->shape = d->shape;
        argument->size = d->size;
        return true;
    }
    if (dtype == NPY_FLOAT32 && PyArray_IsScalar(x, Float)) {
        *argument = one_number(PyArrayScalar_VAL(x, Float));
        return true;
    }
    if (!is_array(x, dtype) || PyArray_NDIM(array(x)) > MAX_AXES) return false;
    argument->rank = PyArray_NDIM(array(x));
    argument->shape = PyArray_DIMS(array(x));
    argument->size = PyArray_SIZE(array(x));
    if (argument->size > 0 && repeats_one_number(array(x))) {
        argument->is_number = true;
        argument->number = dtype == NPY_BOOL ? static_cast<float>(*data<bool>(x)) : *data(x);
        return true;
    }
    return PyArray_ISCARRAY_RO(array(x));
}

bool same(const Argument& x, const Argument& y) {
    return x.rank == y.rank && std::memcmp(x.shape, y.shape, sizeof(npy_intp) * x.rank) == 0;
}

// Returns whether an argument broadcasts to the result without making it larger.
bool fits(const Argument& x, const Argument& result) {
    if (x.rank > result.rank) return false;
    for (int i = 0; i < x.rank; i++) {
        npy_intp n = x.shape[i];
        if (n != 1 && n != result.shape[result.rank - x.rank + i]) return false;
    }
    return true;
}

// Returns whether an argument that is smaller, of no more axes than the result, is one row for all,
// or one number a row.
bool is_row(const Argument& x, const Argument& result) {
    int skipped = 0;
    while (skipped < x.rank && x.shape[skipped] == 1) skipped++;
    for (int i = skipped; i < x.rank; i++)
        if (x.shape[i] != result.shape[result.rank - x.rank + i]) return false;
    return true;
}
bool is_column(const Argument& x, const Argument& result) {
    if (x.rank != result.rank) return false;
    int shared = 0;
    while (shared < x.rank && x.shape[shared] == result.shape[shared]) shared++;
    for (int i = shared; i < x.rank; i++)
        if (x.shape[i] != 1) return false;
    return true;
}

using Operands = std::array<Operand, 3>;  // left, right, condition

void drop(Operand* operand) { Py_CLEAR(operand->object); }

// Makes an operand of an argument; `columns` is the width of the matrix, 0 while it is free.
bool make_operand(const Argument& x, const Argument& result, int64_t* columns, Operand* operand) {
    if (x.is_number && fits(x, result)) {
        operand->extent = Extent::number;
        operand->number = x.number;
        return true;
    }
    if (x.is_number) return false;
    if (same(x, result)) {
        if (is_pending_op(x.object)) {
            int64_t its = deferred(x.object)->columns;
            if (its && *columns && its != *columns) {
                if (!array_of(x.object)) return false;
            } else if (its) {
                *columns = its;
            }
        }
        operand->extent = Extent::whole;
        operand->object = Py_NewRef(x.object);
        return true;
    }
    if (x.size == 0) return false;
    int64_t width;
    if (is_row(x, result)) {
        operand->extent = Extent::row;
        width = x.size;
    } else if (is_column(x, result)) {
        operand->extent = Extent::column;
        width = result.size / x.size;
    } else {
        return false;
    }
    if (*columns && *columns != width) return false;
    *columns = width;
    PyObject* whole = is_deferred(x.object) ? array_of(x.object) : x.object;
    if (!whole) return false;
    operand->object = Py_NewRef(whole);
    return true;
}

int pending_length(const Operand& operand) {
    return is_pending_op(operand.object) ? deferred(operand.object)->length : 0;
}

// Counts the ops behind operands, each once. (The sum of their lengths counts shared ones
// twice.)
void collect(const Operand& operand, std::vector<Deferred*>* nodes) {
    if (!pending_length(operand) || deferred(operand.object)->mark) return;
    Deferred* d = deferred(operand.object);
    d->mark = 1;
    nodes->push_back(d);
    for (const Operand* behind : d->operands()) collect(*behind, nodes);
}
int distinct(const Operands& operands) {
    std::vector<Deferred*> nodes;
    for (const Operand& operand : operands) collect(operand, &nodes);
    for (Deferred* d : nodes) d->mark = 0;
    return static_cast<int>(nodes.size());
}

bool is_by_rows(const Operand& operand) {
    return is_pending_op(operand.object) && deferred(operand.object)->by_rows;
}

// Computes products now if there are several: a pass multiplies the matrices of one. False with an
// error set.
bool keep_one_product(const Operands& operands) {
    Deferred* kept = nullptr;
    for (const Operand& operand : operands) {
        Deferred* product = is_by_rows(operand) ? product_behind(deferred(operand.object))
                                                : nullptr;
        if (kept && product && product != kept && !array_of(reinterpret_cast<PyObject*>(product)))
            return false;
        if (!kept) kept = product;
    }
    return true;
}

// Returns the operand that x·1, 1·x, x/1 or x-0 is, or null. (x+0 is not: -0+0 is +0.)
Operand* unchanged(Instruction i, Operand* left, Operand* right) {
    if (!i.is_binary() || i.reach != Reach::element || i.kind != Kind::numeric) return nullptr;
    auto is_one = [](const Operand* x) { return x->extent == Extent::number && x->number == 1; };
    if ((i.op == MULTIPLY || i.op == DIVIDE) && is_one(right)) return left;
    if (i.op == MULTIPLY && is_one(left)) return right;
    bool is_zero = right->extent == Extent::number && right->number == 0;
    return i.op == SUBTRACT && is_zero && !std::signbit(right->number) ? left : nullptr;
}

// Returns whether an op on whole rows is worth deferring: only behind others, and not on long ones.
bool takes_rows(const Argument* arguments, bool is_binary) {
    const Argument &x = arguments[0], &y = arguments[1];
    bool waits = is_pending_op(x.object) || (is_binary && is_pending_op(y.object));
    return waits && x.rank > 0 && !x.is_number && x.shape[x.rank - 1] <= MAX_ROW &&
           (!is_binary || (!y.is_number && same(x, y)));
}

// Returns the argument that has the shape of the result, or null: those that spread each other go
// to NumPy. More axes come before more elements: (1, 1, n) and (m, n) give (1, m, n).
const Argument* largest(const Argument* arguments, int arity) {
    const Argument* result = nullptr;
    for (const Argument* x = arguments; x < arguments + arity; x++) {
        if (x->is_number) continue;
        if (!result || x->rank > result->rank ||
            (x->rank == result->rank && x->size > result->size))
            result = x;
    }
    return result;
}

// Cuts a chain that would be too long: what is behind its longest side is computed now. Returns
// how long it is, or -1 with an error set.
int cut(Operands* operands) {
    int chain = 0;
    for (const Operand& operand : *operands) chain += pending_length(operand);
    if (chain >= MAX_CHAIN_LENGTH) chain = distinct(*operands);
    while (chain >= MAX_CHAIN_LENGTH) {
        const Operand* longest = &operands->front();
        for (const Operand& operand : *operands)
            if (pending_length(operand) > pending_length(*longest)) longest = &operand;
        if (!array_of(longest->object)) return -1;
        chain = distinct(*operands);
    }
    return chain;
}

// Takes left, right and condition, as many as the op has.
PyObject* defer_arguments(Instruction instruction, const Argument* arguments) {
    if (instruction.reach == Reach::row && !takes_rows(arguments, instruction.is_binary()))
        return nullptr;
    const Argument* result = largest(arguments, instruction.arity);
    if (!result || !is_large(result->size) || result->rank == 0) return nullptr;
    int64_t columns = 0;
    Operands operands;
    auto drop_all = [&operands]() -> PyObject* {
        for (Operand& operand : operands) drop(&operand);
        return nullptr;
    };
    for (int i = 0; i < instruction.arity; i++)
        if (!make_operand(arguments[i], *result, &columns, &operands[i])) return drop_all();
    if (Operand* same = unchanged(instruction, &operands[0], &operands[1])) return same->object;
    int chain = cut(&operands);
    Deferred* made = chain >= 0 && keep_one_product(operands) && compute_costly_pending()
                         ? new_deferred(result->rank, result->shape, result->size)
                         : nullptr;
    if (!made) return drop_all();
    made->instruction = instruction;
    made->left = operands[0];
    made->right = operands[1];
    made->condition = operands[2];
    made->columns = columns;
    made->by_rows = instruction.reach != Reach::element;
    for (const Operand& operand : operands) made->by_rows |= is_by_rows(operand);
    made->length = static_cast<int16_t>(1 + chain);
    enlist(made);
    return reinterpret_cast<PyObject*>(made);
}

// --- functions of the module --------------------------------------------------------------------

PyObject* py_set_fusion(PyObject*, PyObject* elements) {
    Py_ssize_t number = PyLong_AsSsize_t(elements);
    if (number == -1 && PyErr_Occurred()) return nullptr;
    int64_t before = smallest;
    smallest = number > 0 ? number : INT64_MAX;
    return PyLong_FromSsize_t(before == INT64_MAX ? 0 : before);
}

PyObject* py_materialize(PyObject*, PyObject* x) {
    PyObject* a = is_deferred(x) ? array_of(x) : x;
    return a ? Py_NewRef(a) : nullptr;
}

PyObject* py_release(PyObject*, PyObject* x) {
    if (!release_from_total(x)) return nullptr;
    Py_RETURN_NONE;
}

PyObject* py_compute_costly_total(PyObject*, PyObject*) {
    if (!compute_costly_total()) return nullptr;
    Py_RETURN_NONE;
}

PyObject* py_relate(PyObject*, PyObject* values) {
    Ref items(PySequence_Fast(values, "relate(values) takes a sequence"));
    if (!items) return nullptr;
    PyObject** first = PySequence_Fast_ITEMS(items.get());
    relate({first, first + PySequence_Fast_GET_SIZE(items.get())});
    Py_RETURN_NONE;
}

PyMethodDef functions[] = {
    {"fuse_from", py_set_fusion, METH_O,
     "fuse_from(elements): defer ops on arrays of at least this size (0: none); return the former "
     "size"},
    {"materialize", py_materialize, METH_O,
     "materialize(x): the array of a Deferred, anything else as it is"},
    {"release", py_release, METH_O,
     "release(array): compute the deferred total now, if it refers to this array"},
    {"compute_costly_total", py_compute_costly_total, METH_NOARGS,
     "compute_costly_total(): compute the deferred total now, if it alone keeps much alive"},
    {"relate", py_relate, METH_O,
     "relate(values): say that those that are deferred are wanted together"},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

bool fusion_is_on() { return smallest != INT64_MAX; }
bool is_large(int64_t elements) { return elements >= smallest; }

Deferred* new_deferred(int rank, const npy_intp* shape, int64_t size) {
    auto* made = PyObject_New(Deferred, deferred_type);
    if (!made) return nullptr;
    std::memset(reinterpret_cast<char*>(made) + sizeof(PyObject), 0,
                sizeof(Deferred) - sizeof(PyObject));
    made->rank = static_cast<uint8_t>(rank);
    made->size = size;
    made->length = 1;
    if (rank) std::memcpy(made->shape, shape, sizeof(npy_intp) * rank);
    return made;
}

void drop_operands(Deferred* node) {
    delist(node);
    leave_siblings(node);
    for (Operand* operand : {&node->left, &node->right, &node->condition}) drop(operand);
}

PyObject* array_of(PyObject* x) {
    Deferred* d = deferred(x);
    if (!d->value && !compute(d)) return nullptr;
    return d->value;
}

PyObject* defer(Instruction instruction, PyObject* const* arguments, Py_ssize_t count) {
    if (smallest == INT64_MAX && std::none_of(arguments, arguments + count, is_deferred))
        return nullptr;
    Argument read_ones[3];
    // The condition is the first argument of a select, and its last operand.
    bool is_select = instruction.kind == Kind::select;
    for (Py_ssize_t i = 0; i < count; i++) {
        bool is_bool = instruction.kind == Kind::logical || (is_select && i == 0);
        Argument* argument = read_ones + (is_select ? (i + 2) % 3 : i);
        if (!read(arguments[i], is_bool ? NPY_BOOL : NPY_FLOAT32, argument)) return nullptr;
    }
    return defer_arguments(instruction, read_ones);
}

PyObject* defer_with(Instruction instruction, PyObject* x, float number) {
    Argument arguments[] = {{}, one_number(number)};
    if (!read(x, NPY_FLOAT32, &arguments[0])) return nullptr;
    return defer_arguments(instruction, arguments);
}

PyObject* defer_choice(PyObject* condition, float x, float y) {
    Argument arguments[] = {one_number(x), one_number(y), {}};
    if (!read(condition, NPY_BOOL, &arguments[2])) return nullptr;
    return defer_arguments(SELECT, arguments);
}

bool update_in_place(Op op, PyObject* total, PyObject* x) {
    if (!is_pending_op(x) || !PyArray_ISWRITEABLE(array(total))) return false;
    PyObject* const arguments[] = {total, x};
    Ref made(without_exceptions([&] { return defer(on_elements(op), arguments, 2); }));
    if (!is_pending_op(made.get()) || deferred(made.get())->size != size(total)) return false;
    return compute(deferred(made.get()), total);
}

bool add_deferred(PyObject* module) {
    return add_deferred_type(module) && PyModule_AddFunctions(module, functions) == 0;
}

}  // namespace gradtape
