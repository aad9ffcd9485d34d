// The table `VECTORS` of one instruction set: see simd.h.
#pragma once

#include "loops.h"
#include "moments_loops.h"
#include "normalize_loops.h"
#include "row_loops.h"
#include "update_loops.h"

namespace gradtape {
namespace ISA {

#define TEXT_OF(x) #x
#define NAME_OF(x) TEXT_OF(x)
#define UNARY_LOOP(NAME) unary_loop<Op_##NAME>,
#define BINARY_LOOP(NAME) binary_loop<Op_##NAME>,
#define RIGHT_LOOP(NAME) right_loop<Op_##NAME>,
#define LEFT_LOOP(NAME) left_loop<Op_##NAME>,
#define COMPARE_LOOP(NAME) compare_loop<Op_##NAME>,
#define COMPARE_RIGHT_LOOP(NAME) compare_right_loop<Op_##NAME>,
#define CONVERT_LOOP(NAME, To, From) convert_loop<To, From>,

extern const Vectors VECTORS = {
    NAME_OF(ISA),
    LANES,
    {UNARY_OPS(UNARY_LOOP)},
    {BINARY_OPS(BINARY_LOOP)},
    {BINARY_OPS(RIGHT_LOOP)},
    {BINARY_OPS(LEFT_LOOP)},
    {COMPARISONS(COMPARE_LOOP)},
    {COMPARISONS(COMPARE_RIGHT_LOOP)},
    {{select_loop<false, false>, select_loop<false, true>},
     {select_loop<true, false>, select_loop<true, true>}},
    {CONVERSIONS(CONVERT_LOOP)},
    ROW_LOOPS,
    NORMALIZE_LOOPS,
    MOMENT_LOOPS,
    UPDATE_LOOPS,
};

}  // namespace ISA
}  // namespace gradtape
