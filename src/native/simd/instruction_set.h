// Tables of loops, one for each instruction set that they are compiled for (vectors_*.cpp), of
// which vectors.cpp chooses one when the process starts.
#pragma once

// Declares the tables `NAME`, and the function that returns the chosen one. That is not inline:
// compiled in vectors_avx512.cpp, it might be taken for every processor (see simd.h).
#define DECLARE_LOOPS(Table, NAME, function) \
    namespace avx512 {                       \
    extern const Table NAME;                 \
    }                                        \
    namespace avx2 {                         \
    extern const Table NAME;                 \
    }                                        \
    namespace portable {                     \
    extern const Table NAME;                 \
    }                                        \
    const Table& function();
