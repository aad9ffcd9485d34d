// The loops for processors with AVX-512.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#pragma GCC target("arch=x86-64-v4,prefer-vector-width=512")
// GCC 12's header of intrinsics starts results from undefined vectors, and warns of that itself.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#define ISA avx512
#define LANES 16
#include "simd/attention_loops.h"
#include "simd/convolution_loops.h"
#include "simd/pooling_loops.h"
#include "simd/recurrent_loops.h"
#include "simd/table.h"
#include "simd/winograd_loops.h"
#endif
