// Reverse rules of the commonest primitives, for real numbers and arrays of them, when nobody
// listens: the arithmetic of the rules in gradtape.ops.elementwise, step by step, straight from
// the kernels.
#pragma once

#include "core/bind.h"
#include "core/recording.h"

namespace gradtape::hot {

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
    // The tensor, made if this is a number: a borrowed reference, or null with an error set.
    PyObject* tensor();
    Cotangent share() const {
        return is_number() ? Cotangent(number_) : Cotangent(Ref::to(object_.get()));
    }

  private:
    Number number_;
    Ref object_;
};

// The cotangent of the input at `place`. False: there is no such rule here, or it does not apply.
bool native_rule(Op op, int place, const Cotangent& g, const Entry& entry, Cotangent* result);
// x + y of two cotangents; false if that is left to the operator.
bool native_sum(const Cotangent& x, const Cotangent& y, Cotangent* result);

}  // namespace gradtape::hot
