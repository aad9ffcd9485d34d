// What becomes of an error that native code meets where Python's code could do the work instead.
#pragma once

#include <Python.h>

#include <initializer_list>
#include <new>
#include <stdexcept>

namespace gradtape {

// Clears the error that is set if it is of one of these kinds: then Python's code does the work, or
// says what is wrong. True if no error is set afterwards. KeyboardInterrupt, SystemExit,
// MemoryError and all that was not expected stay set, and the caller hands them on. This is the
// only place that clears errors (tests/package/test_caught_errors.py).
inline bool expected_error(std::initializer_list<PyObject*> kinds) {
    if (!PyErr_Occurred()) return true;
    for (PyObject* kind : kinds) {
        if (!PyErr_ExceptionMatches(kind)) continue;
        PyErr_Clear();
        return true;
    }
    return false;
}

// Does the same for arithmetic on values that it may not be made for: numbers out of range, arrays
// that do not fit, NumPy's warnings where the program has made errors of them.
inline bool unsuitable_values() {
    return expected_error(
        {PyExc_TypeError, PyExc_ValueError, PyExc_ArithmeticError, PyExc_Warning});
}

// Returns what `work` returns. Where C++ runs out of memory in it, in this thread or in one of the
// pool, sets MemoryError and returns null (or false).
template <class Work>
auto without_exceptions(Work&& work) -> decltype(work()) {
    try {
        return work();
    } catch (const std::bad_alloc&) { PyErr_NoMemory(); } catch (const std::length_error&) {
        PyErr_NoMemory();
    }
    return {};
}

}  // namespace gradtape
