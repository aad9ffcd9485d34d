// What the core knows of primitives: what the tape keeps for their rules; and for the commonest,
// how to compute them for single numbers without any call.
#pragma once

#include <deque>
#include <vector>

#include "core/core.h"

namespace gradtape::hot {

// Primitives known by name, in the order of OP_NAMES (ops.cpp); from `exp` on, NumPy's ufuncs.
enum Op : int {
    NO_OP = -1,
    ADD, SUBTRACT, MULTIPLY, DIVIDE, MULTIPLY_NO_NAN, RELU_GRAD, MAXIMUM, MINIMUM,
    NEGATIVE, IDENTITY, ABS, SQUARE, RECIPROCAL, SQRT, RSQRT, RELU, SIGMOID, POWER_BY,
    EXP, EXPM1, LOG, LOG1P, SIN, COS, TAN, ASIN, ACOS, ATAN, SINH, COSH, TANH,
    OPS
};
constexpr int FIRST_UNARY = NEGATIVE, FIRST_UFUNC = EXP;

enum class Keep : unsigned char { nothing, value, spec };

// What to keep of an op's inputs and whether to keep its result, if certain inputs are watched.
struct Plan {
    unsigned long long mask;
    bool result;
    bool any, all;           // of the inputs
    std::vector<Keep> keep;  // by input; of an op with any number of inputs, one entry for all
};

// Worked out once for each primitive, and kept in its slot `notes`.
struct Notes {
    PyObject_HEAD
    Op op;
    PyObject* kernel;  // the kernel that `op` stands for; with another one nothing is known
    Py_ssize_t arity;  // -1: any
    std::deque<Plan>* plans;  // their addresses stay
};

// Borrowed; null with an error set if `prim` is no primitive.
Notes* notes_of(PyObject* prim);
const Plan* plan_of(PyObject* prim, Notes* notes, unsigned long long mask);

// One of the primitives above, as Python knows it; null before they are connected.
PyObject* primitive_of(Op op);
// The number of this primitive, if its kernel is the one that it was defined with.
inline Op known_op(PyObject* prim, const Notes* notes) {
    return notes->op != NO_OP && core.kernel.of(prim) == notes->kernel ? notes->op : NO_OP;
}

// One number of float32 or float64, as kernels compute it for NumPy scalars, bit for bit.
// False: not computed here.
bool compute(Op op, float x, float y, float* result);
bool compute(Op op, double x, double y, double* result);
bool compute_power(float x, double exponent, float* result);
bool compute_power(double x, double exponent, double* result);

// Calls a kernel such that NumPy's warnings come from gradtape, which ignores them.
PyObject* call_kernel(PyObject* kernel, PyObject* const* arguments, Py_ssize_t count,
                      PyObject* params);

bool prepare_ops(PyObject* module);

}  // namespace gradtape::hot
