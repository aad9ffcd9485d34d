// The elementwise ops of ops.def as enums and tables.
#pragma once

#include <cstdint>

namespace gradtape {

enum Op : int8_t {
    NO_OP = -1,
#define UNARY(NAME, ...) NAME,
#define BINARY(NAME, ...) NAME,
#define UNARY_PART(NAME, ...) NAME,
#define BINARY_PART(NAME, ...) NAME,
#define SCALAR(NAME, ...) NAME,
#include "ops.def"
    OPS
};

enum Comparison {
#define COMPARISON(NAME, ...) NAME,
#include "ops.def"
    COMPARISONS
};
// y op x, written with x first.
constexpr Comparison TURNED[COMPARISONS] = {
#define COMPARISON(NAME, name, op, turned) turned,
#include "ops.def"
};

enum Logical {
#define LOGICAL(NAME, ...) NAME,
#include "ops.def"
    LOGICALS
};

// By op, the name of its primitive; null for those without one.
constexpr const char* OP_NAMES[OPS] = {
#define UNARY(NAME, name, ...) #name,
#define BINARY(NAME, name, ...) #name,
#define UNARY_PART(...) nullptr,
#define BINARY_PART(...) nullptr,
#define SCALAR(NAME, name, ...) #name,
#include "ops.def"
};

constexpr const char* COMPARISON_NAMES[COMPARISONS] = {
#define COMPARISON(NAME, name, ...) #name,
#include "ops.def"
};

constexpr bool IS_BINARY[OPS] = {
#define UNARY(...) false,
#define BINARY(...) true,
#define UNARY_PART(...) false,
#define BINARY_PART(...) true,
#define SCALAR(...) false,
#include "ops.def"
};
constexpr int arity_of(Op op) { return IS_BINARY[op] ? 2 : 1; }

// About how long an element takes on one core, in nanoseconds, if it is in the cache.
constexpr double COST[OPS] = {
#define UNARY(NAME, name, cost, ...) cost,
#define BINARY(NAME, name, cost, ...) cost,
#define UNARY_PART(NAME, cost, ...) cost,
#define BINARY_PART(NAME, cost, ...) cost,
#define SCALAR(...) 0,
#include "ops.def"
};

// Returns the op that x ** exponent is, if there is one.
constexpr Op special_power(double exponent) {
#define SPECIAL_POWER(power, NAME) \
    if (exponent == (power)) return NAME;
#include "ops.def"
    return NO_OP;
}

}  // namespace gradtape
