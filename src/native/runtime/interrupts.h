// What becomes of an interrupt where whoever called ignores every error.
#pragma once

#include <Python.h>

namespace gradtape {

// Takes the error that is set, and lets it come up again at the main thread's next bytecode.
void postpone_error();

bool add_interrupts(PyObject* module);

}  // namespace gradtape
