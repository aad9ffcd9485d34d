// Reverse rules that run without Python. They are not written here: each is
// recorded once, for the dtypes and parameters that it is used with, from the rule in gradtape.ops
// (gradtape/ops/rule_programs.py), as a straight line of ops. The ops run in the same order on the
// same kernels, so the bits are the same.
#pragma once

#include "core/bind.h"
#include "core/recording.h"

namespace gradtape::hot {

constexpr int MAX_OPERANDS = 8;  // of a rule, or of one of its ops

// A cotangent: a single number, or a tensor (or whatever else a rule gave), or nothing yet.
class Cotangent {
  public:
    Cotangent() = default;
    explicit Cotangent(const Number& number) : number_(number) {}
    explicit Cotangent(Ref object) : object_(std::move(object)) {}

    bool empty() const { return number_.kind == Number::none && !object_; }
    bool is_number() const { return number_.kind != Number::none; }
    const Number& number() const { return number_; }
    PyObject* object() const { return object_.get(); }  // borrowed; null for a number
    // Returns the tensor, made if this is a number: a borrowed reference, or null with an error
    // set.
    PyObject* tensor();
    Cotangent share() const {
        return is_number() ? Cotangent(number_) : Cotangent(Ref::to(object_.get()));
    }

  private:
    Number number_;
    Ref object_;
};

// Computes the cotangent of the input at `input`, by `rule` of the entry's primitive. False: Python
// is to run the rule; or an error is set that is not about the values.
bool native_rule(Notes* notes, int input, PyObject* rule, const Cotangent& g, const Entry& entry,
                 Cotangent* result);
// Does the same where somebody listens (a tape, an accumulator), or cotangents are an interpreter's
// (those of a Jacobian): they see each op of the rule.
bool rule_with_listeners(Notes* notes, int input, PyObject* rule, Cotangent* g, const Entry& entry,
                         Cotangent* result);
// Does either for a joint rule, which gives the cotangents of all inputs: `results` has room for
// them. `needs_grad` is a tuple of flags.
bool joint_rule(Notes* notes, PyObject* rule, bool has_listeners, Cotangent* g, const Entry& entry,
                PyObject* needs_grad, Cotangent* results);
// Adds two cotangents; false if that is left to the operator, or with such an error set.
bool native_sum(const Cotangent& x, const Cotangent& y, Cotangent* result);
bool sum_with_listeners(Cotangent* x, Cotangent* y, Cotangent* result);

void delete_rules(Notes* notes);
bool prepare_rules(PyObject* module);

}  // namespace gradtape::hot
