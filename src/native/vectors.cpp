#include "vectors.h"

#include <cstdlib>
#include <cstring>

namespace gradtape {
namespace {

const Vectors& select() {
    const char* asked = std::getenv("GRADTAPE_ISA");
    auto wanted = [asked](const char* name) { return !asked || std::strcmp(asked, name) == 0; };
    (void)wanted;
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
    __builtin_cpu_init();
    if (wanted("avx512") && __builtin_cpu_supports("x86-64-v4")) return avx512::VECTORS;
    if (wanted("avx2") && __builtin_cpu_supports("x86-64-v3")) return avx2::VECTORS;
#endif
    return portable::VECTORS;
}

}  // namespace

const Vectors& vectors() {
    static const Vectors& chosen = select();
    return chosen;
}

}  // namespace gradtape
