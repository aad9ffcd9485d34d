// What the core knows of primitives: what the tape keeps for their rules; and for the commonest,
// how to compute them for single numbers without any call.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "core/core.h"
#include "op_table.h"

namespace gradtape::hot {

enum class Keep : unsigned char { nothing, value, spec };

// What to keep of an op's inputs and whether to keep its result, if certain inputs are watched.
struct Plan {
    unsigned long long mask;
    bool result;
    bool any, all;           // of the inputs
    std::vector<Keep> keep;  // by input; of an op with any number of inputs, one entry for all
};

struct NativeRule;  // rules.cpp

// Worked out once for each primitive, and kept in its slot `notes`.
struct Notes {
    PyObject_HEAD
    Op op;                    // where single numbers are computed here; otherwise NO_OP
    PyObject* kernel;         // the kernel that `op` stands for; with another one nothing is known
    Py_ssize_t arity;         // -1: any
    std::deque<Plan>* plans;  // their addresses stay
    std::vector<std::unique_ptr<NativeRule>>* rules;
};

// Returns the notes of a primitive, borrowed; null with an error set if `prim` is none.
Notes* notes_of(PyObject* prim);
const Plan* plan_of(PyObject* prim, Notes* notes, unsigned long long mask);

// Returns the primitive of an op, as Python knows it; null before they are connected.
PyObject* primitive_of(Op op);
// Returns all primitives by name, as `use_primitives` was given them: borrowed, or null.
PyObject* all_primitives();
// Returns the op of this primitive, if its kernel is the one that it was defined with.
inline Op known_op(PyObject* prim, const Notes* notes) {
    return notes->op != NO_OP && core.kernel.of(prim) == notes->kernel ? notes->op : NO_OP;
}

// Computes one number of float32 or float64, as kernels compute it for NumPy scalars, bit for bit.
// False: not computed here.
bool compute(Op op, float x, float y, float* result);
bool compute(Op op, double x, double y, double* result);
// Computes x ** exponent, for the exponents of ops.def.
bool compute_power(float x, double exponent, float* result);
bool compute_power(double x, double exponent, double* result);

// Calls a kernel such that NumPy's warnings come from gradtape, which ignores them.
PyObject* call_kernel(PyObject* kernel, PyObject* const* arguments, Py_ssize_t count,
                      PyObject* params);

bool prepare_ops(PyObject* module);

}  // namespace gradtape::hot
