// Calls into Python, from which a thread may not come back.
#pragma once
#include <Python.h>

#include <chrono>
#include <thread>
#ifdef __GLIBCXX__
#include <cxxabi.h>
#endif

namespace gradtape {

// When the interpreter ends, Python (before 3.14) ends every other thread where that asks for the
// lock, by unwinding its stack: destructors would release objects without the lock. Such a thread
// waits for the end of the process instead, as Python lets it do itself since 3.14.
template <typename Call>
auto or_wait_for_the_end(Call call) -> decltype(call()) {
#ifdef __GLIBCXX__
    try {
        return call();
    } catch (abi::__forced_unwind&) {
        for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
    }
#else
    return call();
#endif
}

// Takes the interpreter's lock again.
inline void take_back(PyThreadState* state) {
    or_wait_for_the_end([&] { PyEval_RestoreThread(state); });
}

inline PyObject* call_python(PyObject* function, PyObject* const* arguments, size_t count,
                             PyObject* names) {
    return or_wait_for_the_end(
        [&] { return PyObject_Vectorcall(function, arguments, count, names); });
}

inline PyObject* call_python(PyObject* function, PyObject* argument) {
    return or_wait_for_the_end([&] { return PyObject_CallOneArg(function, argument); });
}

inline PyObject* call_method(PyObject* name, PyObject* const* arguments, size_t count,
                             PyObject* names) {
    return or_wait_for_the_end(
        [&] { return PyObject_VectorcallMethod(name, arguments, count, names); });
}

inline PyObject* call_with_dict(PyObject* function, PyObject* const* arguments, size_t count,
                                PyObject* names) {
    return or_wait_for_the_end(
        [&] { return PyObject_VectorcallDict(function, arguments, count, names); });
}

}  // namespace gradtape
