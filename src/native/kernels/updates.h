// Functions of the module that change arrays in place.
#pragma once

#include "runtime/arrays.h"

namespace gradtape {

bool add_updates(PyObject* module);

}  // namespace gradtape
