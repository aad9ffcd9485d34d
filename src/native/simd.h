// Vectors of LANES float32 for the instruction set that the including file is compiled for. It is
// included once in each of vectors_*.cpp, so everything here is in the namespace ISA. No C++
// standard header may be included after the instruction set is chosen: its inline functions would
// be compiled for it, and the linker might take that copy for every processor.
#pragma once

#include <math.h>
#include <stdint.h>
#include <string.h>

#if !defined(ISA) || !defined(LANES)
#error "define ISA (a namespace) and LANES before including simd.h"
#endif

#define ALWAYS_INLINE static inline __attribute__((always_inline))

namespace gradtape {
namespace ISA {

typedef float Floats __attribute__((vector_size(LANES * 4)));
typedef int32_t Ints __attribute__((vector_size(LANES * 4)));
typedef float LooseFloats __attribute__((vector_size(LANES * 4), aligned(4), may_alias));

ALWAYS_INLINE Floats load(const float* p) { return *reinterpret_cast<const LooseFloats*>(p); }
ALWAYS_INLINE void store(float* p, Floats v) { *reinterpret_cast<LooseFloats*>(p) = v; }
ALWAYS_INLINE Floats all(float x) { return x - Floats{}; }
ALWAYS_INLINE Floats choose(Ints mask, Floats a, Floats b) { return mask ? a : b; }
ALWAYS_INLINE Ints bits(Floats x) { return reinterpret_cast<Ints>(x); }
ALWAYS_INLINE Floats from_bits(Ints x) { return reinterpret_cast<Floats>(x); }

// The first `count` (less than LANES) of a run, zeros after them.
ALWAYS_INLINE Floats load_some(const float* p, int64_t count) {
    float held[LANES] = {};
    memcpy(held, p, static_cast<size_t>(count) * sizeof(float));
    return load(held);
}
ALWAYS_INLINE void store_some(float* p, Floats v, int64_t count) {
    float held[LANES];
    store(held, v);
    memcpy(p, held, static_cast<size_t>(count) * sizeof(float));
}

ALWAYS_INLINE Floats square_root(Floats x) {
    Floats y;
    for (int i = 0; i < LANES; i++) y[i] = __builtin_sqrtf(x[i]);
    return y;
}
// As NumPy's and TensorFlow's: nan if either is.
ALWAYS_INLINE Floats largest(Floats x, Floats y) { return choose((x > y) | (x != x), x, y); }
ALWAYS_INLINE Floats least(Floats x, Floats y) { return choose((x < y) | (x != x), x, y); }

}  // namespace ISA
}  // namespace gradtape
