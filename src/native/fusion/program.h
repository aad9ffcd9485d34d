// Chains of deferred ops as a short program that runs block by block.
#pragma once

#include "fusion/deferred.h"

namespace gradtape {

// Computes `root` into a new array, and with it the values behind it that are worth keeping.
// False with a Python error set if memory ran out. If `into` is given, that array gets the values.
bool compute(Deferred* root, PyObject* into = nullptr);

}  // namespace gradtape
