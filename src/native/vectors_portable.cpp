// The loops for any processor: vectors of four, which x86-64 (SSE2) and 64-bit ARM (NEON) have.
#define ISA portable
#define LANES 4
#include "loops.h"
