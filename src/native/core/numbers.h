// Where the native kernels for float32 have functions of their own, those for single numbers.
#pragma once

#include <cstdint>

namespace gradtape::hot {

// Over a run of `count` numbers; one number is a run of one.
using Run = void (*)(float* result, const float* x, int64_t count);
// That of a primitive, for this processor; null if it has none.
Run native_run(const char* name);

}  // namespace gradtape::hot
