// Functions of the module that read bytes: checksums, records, Examples, fingerprints.
#pragma once

#include "runtime/arrays.h"

namespace gradtape {

bool add_records(PyObject* module);
bool add_examples(PyObject* module);
bool add_fingerprints(PyObject* module);

}  // namespace gradtape
