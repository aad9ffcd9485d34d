// The choice between the tables of loops.
#include "simd/vectors.h"

#include <cstdlib>
#include <cstring>

#include "simd/attention_vectors.h"
#include "simd/convolution_vectors.h"
#include "simd/pooling_vectors.h"
#include "simd/recurrent_vectors.h"
#include "simd/winograd_vectors.h"

namespace gradtape {

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
namespace {

enum class InstructionSet : unsigned char { portable, avx2, avx512 };

InstructionSet select() {
    const char* asked = std::getenv("GRADTAPE_ISA");
    auto wanted = [asked](const char* name) { return !asked || std::strcmp(asked, name) == 0; };
    __builtin_cpu_init();
    if (wanted("avx512") && __builtin_cpu_supports("x86-64-v4")) return InstructionSet::avx512;
    if (wanted("avx2") && __builtin_cpu_supports("x86-64-v3")) return InstructionSet::avx2;
    return InstructionSet::portable;
}

template <class Table>
const Table& choose(const Table& avx512, const Table& avx2, const Table& portable) {
    static const InstructionSet set = select();
    return set == InstructionSet::avx512 ? avx512 : set == InstructionSet::avx2 ? avx2 : portable;
}

}  // namespace

#define DEFINE_CHOICE(Table, NAME, function) \
    const Table& function() { return choose(avx512::NAME, avx2::NAME, portable::NAME); }
#else
#define DEFINE_CHOICE(Table, NAME, function) \
    const Table& function() { return portable::NAME; }
#endif

DEFINE_CHOICE(Vectors, VECTORS, vectors)
DEFINE_CHOICE(AttentionVectors, ATTENTION_VECTORS, attention_vectors)
DEFINE_CHOICE(ConvolutionVectors, CONVOLUTION_VECTORS, convolution_vectors)
DEFINE_CHOICE(PoolingVectors, POOLING_VECTORS, pooling_vectors)
DEFINE_CHOICE(RecurrentVectors, RECURRENT_VECTORS, recurrent_vectors)
DEFINE_CHOICE(WinogradVectors, WINOGRAD_VECTORS, winograd_vectors)

}  // namespace gradtape
