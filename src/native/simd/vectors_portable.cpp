// The loops for any processor: vectors of four, which x86-64 (SSE2) and 64-bit ARM (NEON) have.
#define ISA portable
#define LANES 4
#include "simd/attention_loops.h"
#include "simd/convolution_loops.h"
#include "simd/pooling_loops.h"
#include "simd/recurrent_loops.h"
#include "simd/table.h"
#include "simd/winograd_loops.h"
