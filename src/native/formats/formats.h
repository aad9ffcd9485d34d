// Functions of the module that read files: checksums, records, Examples.
#pragma once

#include "runtime/arrays.h"

namespace gradtape {

bool add_records(PyObject* module);
bool add_examples(PyObject* module);

}  // namespace gradtape
