#include "core/numbers.h"

#include <cstring>

#include "vectors.h"

namespace gradtape::hot {

Run native_run(const char* name) {
    const struct {
        const char* name;
        Unary op;
    } known[] = {{"exp", EXP}, {"expm1", EXPM1}, {"log", LOG}, {"log1p", LOG1P},
                 {"sin", SIN}, {"cos", COS},     {"tan", TAN}, {"tanh", TANH},
                 {"sigmoid", SIGMOID}};
    for (const auto& each : known)
        if (std::strcmp(name, each.name) == 0) return vectors().unary[each.op];
    return nullptr;
}

}  // namespace gradtape::hot
