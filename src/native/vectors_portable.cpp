// The loops for any processor: vectors of four, which x86-64 (SSE2) and 64-bit ARM (NEON) have.
#define ISA portable
#define LANES 4
#include "table.h"
#include "convolution_loops.h"
#include "winograd_loops.h"
#include "pooling_loops.h"
#include "attention_loops.h"
#include "recurrent_loops.h"
