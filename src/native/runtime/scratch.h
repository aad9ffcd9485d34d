// Memory that a kernel needs while it runs.
#pragma once

#include <memory>
#include <vector>

#include "runtime/arrays.h"

namespace gradtape {

// Memory for the time of a kernel: from the store of new arrays. To be made and left with the
// interpreter's lock held.
class Scratch {
  public:
    explicit Scratch(int64_t floats) {
        npy_intp size = floats;
        array_ = new_array(1, &size, NPY_FLOAT32);
    }
    ~Scratch() { Py_XDECREF(array_); }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;

    explicit operator bool() const { return array_ != nullptr; }
    float* begin() const { return data(array_); }

  private:
    PyObject* array_;
};

// An array of float32 in C order: the argument itself, or a copy where it is not so. Like
// `Scratch`, it is made and left with the interpreter's lock held.
class Plain {
  public:
    explicit Plain(PyObject* x)
        : array_(is_plain(x) ? Py_NewRef(x)
                             : PyArray_FROMANY(x, NPY_FLOAT32, 0, 0, NPY_ARRAY_CARRAY_RO)) {}
    ~Plain() { Py_XDECREF(array_); }
    Plain(const Plain&) = delete;
    Plain& operator=(const Plain&) = delete;

    explicit operator bool() const { return array_ != nullptr; }
    float* begin() const { return data(array_); }
    PyObject* get() const { return array_; }

  private:
    PyObject* array_;
};

// All arguments of a kernel, in that form; false if one of them is not an array of float32 (or with
// a Python error set, if there was no memory).
class PlainArguments {
  public:
    PlainArguments(PyObject* const* arguments, Py_ssize_t count) {
        for (Py_ssize_t i = 0; i < count; i++) {
            if (!is_array(arguments[i], NPY_FLOAT32)) return;
            made_.push_back(std::make_unique<Plain>(arguments[i]));
            if (!*made_.back()) return;
        }
        complete_ = true;
    }

    explicit operator bool() const { return complete_; }
    PyObject* operator[](int i) const { return made_[i]->get(); }

  private:
    std::vector<std::unique_ptr<Plain>> made_;
    bool complete_ = false;
};

inline int64_t rounded_up(int64_t number, int64_t step) {
    return (number + step - 1) / step * step;
}

}  // namespace gradtape
