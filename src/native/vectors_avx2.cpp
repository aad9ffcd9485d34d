// The loops for processors with AVX2 and FMA.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#pragma GCC target("arch=x86-64-v3")
#define ISA avx2
#define LANES 8
#include "table.h"
#include "convolution_loops.h"
#include "winograd_loops.h"
#include "pooling_loops.h"
#include "attention_loops.h"
#include "recurrent_loops.h"
#endif
