// The table `VECTORS` of one instruction set: see simd.h.
#pragma once

#include "simd/loops.h"
#include "simd/moments_loops.h"
#include "simd/normalize_loops.h"
#include "simd/row_loops.h"
#include "simd/update_loops.h"

namespace gradtape {
namespace ISA {

#define TEXT_OF(x) #x
#define NAME_OF(x) TEXT_OF(x)
#define CONVERT_LOOP(NAME, To, From) convert_loop<To, From>,

extern const Vectors VECTORS = {
    NAME_OF(ISA),
    LANES,
    {
#define UNARY(NAME, ...) unary_loop<Op_##NAME>,
#define UNARY_PART(NAME, ...) unary_loop<Op_##NAME>,
#define BINARY(NAME, ...) nullptr,
#define BINARY_PART(NAME, ...) nullptr,
#include "ops.def"
    },
    {
#define UNARY(NAME, ...) nullptr,
#define UNARY_PART(NAME, ...) nullptr,
#define BINARY(NAME, ...) binary_loop<Op_##NAME>,
#define BINARY_PART(NAME, ...) binary_loop<Op_##NAME>,
#include "ops.def"
    },
    {
#define UNARY(NAME, ...) nullptr,
#define UNARY_PART(NAME, ...) nullptr,
#define BINARY(NAME, ...) right_loop<Op_##NAME>,
#define BINARY_PART(NAME, ...) right_loop<Op_##NAME>,
#include "ops.def"
    },
    {
#define UNARY(NAME, ...) nullptr,
#define UNARY_PART(NAME, ...) nullptr,
#define BINARY(NAME, ...) left_loop<Op_##NAME>,
#define BINARY_PART(NAME, ...) left_loop<Op_##NAME>,
#include "ops.def"
    },
    {
#define COMPARISON(NAME, ...) compare_loop<Op_##NAME>,
#include "ops.def"
    },
    {
#define COMPARISON(NAME, ...) compare_right_loop<Op_##NAME>,
#include "ops.def"
    },
    {
#define LOGICAL(NAME, ...) logical_loop<Op_##NAME>,
#include "ops.def"
    },
    {
#define LOGICAL(NAME, ...) logical_right_loop<Op_##NAME>,
#include "ops.def"
    },
    {{select_loop<false, false>, select_loop<false, true>},
     {select_loop<true, false>, select_loop<true, true>}},
    {CONVERSIONS(CONVERT_LOOP)},
    trig_loop<Trig::sine>,
    trig_loop<Trig::cosine>,
    ROW_LOOPS,
    NORMALIZE_LOOPS,
    MOMENT_LOOPS,
    UPDATE_LOOPS,
};

}  // namespace ISA
}  // namespace gradtape
