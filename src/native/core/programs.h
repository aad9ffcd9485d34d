// Derivative rules as programs: how they are recorded, and found again. See rules.h.
#pragma once

#include "core/recording.h"
#include "core/rules.h"
#include "core/values.h"

namespace gradtape::hot {

constexpr size_t MAX_PROGRAMS = 64;  // for one rule: those used last
// To record one takes as long as to run it some ten times in Python: where there are as many as
// that, the next is recorded after this many uses, so that parameters which never repeat cost
// little.
constexpr unsigned long long USES_BETWEEN_RECORDINGS = 16;
constexpr int RESULT = -1, COTANGENT = -2;  // sources of operands; others are inputs
constexpr int MAX_SIZES = 48;               // of all shapes of a signature
// A rule that is a straight line for none of so many signatures is left to Python for all.
constexpr int MAX_FAILURES = 8;

struct NativeRule;

// What a program is recorded for: the dtypes of its operands and the parameters of the op, and
// where the rule asks for them the shapes, one after the other.
struct Signature {
    Signature(const NativeRule* rule, PyObject* params);
    // Adds an operand: with its data, or null for a single number. False if it cannot be told.
    bool add(PyArray_Descr* dtype, PyObject* data);
    // Adds what an input that only its shape or dtype is named of was: a tensor or a `Spec`.
    bool add_spec(PyObject* kept);

    PyObject* params;                // null: none
    PyObject* needs_grad = nullptr;  // of a joint rule: for which inputs, a tuple of flags
    bool has_shapes;
    int count = 0, length = 0;  // of the dtypes, of the sizes
    PyArray_Descr* dtypes[MAX_OPERANDS];
    npy_intp sizes[MAX_SIZES];
};

// One op of a program, on values with these indices.
struct RuleStep {
    Ref prim, params;
    Notes* notes;
    double exponent;  // of a power
    int8_t count, operands[MAX_OPERANDS];
};

// A rule for one signature. Values are numbered: first the operands, then the constants, then the
// results of the steps.
struct RuleProgram {
    std::vector<PyArray_Descr*> dtypes;  // those of `held`
    std::vector<npy_intp> sizes;
    Ref held, params, needs_grad;
    Number::Kind kind = Number::none;  // where all operands have the dtype of such numbers
    std::vector<Value> constants;
    std::vector<Ref> constant_tensors;  // the same, where ops are bound
    std::vector<RuleStep> steps;
    std::vector<int> results;  // one; or of a joint rule, for each input, -1 where it gives none
    Op fused = NO_OP;          // (ans, g) at once, for arrays of float32
    Ref text;
    unsigned long long runs = 0;
    unsigned long long last_use = 0;  // by the clock of its rule
    int running = 0;                  // it is not deleted meanwhile
    bool by_python = false;           // it is no program: Python runs the rule for its signature
};

// What a rule has to know of its operands to be a straight line of ops.
enum class Needs { dtypes, shapes, values };

// A rule in Python, and what was recorded of it.
struct NativeRule {
    Ref rule;
    int input;
    Needs needs = Needs::dtypes;    // values: Python runs it, always
    bool takes_user_dtypes = true;  // false: Python runs it for bfloat16 and its like
    bool has_program_of_shapes = false;
    int failures = 0;  // signatures with shapes for which it is no straight line
    int count = 0;
    int sources[MAX_OPERANDS];  // of the operands: COTANGENT (or tangent), an input, or RESULT
    int spec_only_count = 0;
    int spec_only[MAX_OPERANDS];  // the inputs that it names only the shape or dtype of
    std::vector<std::unique_ptr<RuleProgram>> programs;
    RuleProgram* on_numbers[3] = {};   // by kind, of a primitive without parameters
    unsigned long long clock = 0;      // uses, with a program or without
    unsigned long long next_time = 0;  // from which on a program may take the place of another
    unsigned long long runs_of_deleted = 0;
};
inline void count_run(NativeRule* rule, RuleProgram* program) {
    program->runs++;
    program->last_use = ++rule->clock;
}

// Returns the parameters of an op, borrowed; null where it has none.
inline PyObject* params_of(const Entry& entry) {
    PyObject* params = entry.params;
    return params && PyDict_Check(params) && PyDict_GET_SIZE(params) ? params : nullptr;
}

// Returns what is known of a rule; forward rules are numbered behind the inputs. Null, perhaps with
// an error set, for the rule of a primitive that is in no registry (that of a custom gradient): it
// is used once.
NativeRule* make_rule(PyObject* prim, Notes* notes, int input, PyObject* rule);
inline NativeRule* find_rule(PyObject* prim, Notes* notes, int input, PyObject* rule) {
    if (notes->rules && input < static_cast<int>(notes->rules->size())) {
        NativeRule* known = (*notes->rules)[input].get();
        if (known && known->rule.get() == rule) return known;
    }
    return make_rule(prim, notes, input, rule);
}
// Returns the program for a signature, recorded if it was not: by running the rule in Python on
// stand-ins. Null, perhaps with an error set, if it is no straight line. The other form looks for
// one on numbers, and records none.
RuleProgram* find_program(NativeRule* rule, Number::Kind kind, PyObject* params);
RuleProgram* find_program(NativeRule* rule, PyObject* prim, const Signature& signature);
// Runs a program such that all who listen to this state see its ops: on tensors, the operands of
// the rule in order. False with an error set.
bool run_bound(NativeRule* rule, RuleProgram* program, PyObject* const* operands, PyObject* state,
               Ref* results);

}  // namespace gradtape::hot
