// The loops for processors with AVX-512.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#pragma GCC target("arch=x86-64-v4,prefer-vector-width=512")
#define ISA avx512
#define LANES 16
#include "loops.h"
#endif
