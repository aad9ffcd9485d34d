// The loops for processors with AVX2 and FMA.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#pragma GCC target("arch=x86-64-v3")
#define ISA avx2
#define LANES 8
#include "simd/attention_loops.h"
#include "simd/convolution_loops.h"
#include "simd/pooling_loops.h"
#include "simd/recurrent_loops.h"
#include "simd/table.h"
#include "simd/winograd_loops.h"
#endif
