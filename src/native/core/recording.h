// What a tape writes down: the C base of the class `Recording`.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "core/ops.h"
#include "core/tensor.h"

namespace gradtape::hot {

// One op of a record. Everything is owned by the Entry that it is part of; null stands for None.
struct Fields {
    PyObject* prim = nullptr;
    PyObject* params = nullptr;
    PyObject* code = nullptr;  // the user's code that called the op, and where in it
    int lasti = 0;
    int count = 0;  // of the inputs
    int few_slots[2] = {-1, -1};
    std::vector<int>* many_slots = nullptr;  // where there are more inputs than two
    int slot = -1;                           // of the result
    PyObject* several = nullptr;             // for several results: ([slots], [specs]), not `slot`
    // What is kept of the inputs: a tuple, or (the commonest case) one or two tensors.
    PyObject* kept = nullptr;
    PyObject* kept_inputs[2] = {nullptr, nullptr};
    bool keeps_inputs = false;
    PyObject* result = nullptr;
};

struct Entry : Fields {
    Entry() = default;
    Entry(Entry&& other) noexcept : Fields(other) { static_cast<Fields&>(other) = Fields(); }
    Entry& operator=(Entry&& other) noexcept {
        std::swap(static_cast<Fields&>(*this), static_cast<Fields&>(other));
        return *this;
    }
    Entry(const Entry&) = delete;
    Entry& operator=(const Entry&) = delete;
    ~Entry() {
        if (prim) release();
    }

    const int* slots() const { return many_slots ? many_slots->data() : few_slots; }
    Entry copy() const;
    PyObject* kept_tuple() const;  // a new reference: a tuple or None
    PyObject* input(int i) const;  // input i if its value was kept, borrowed; otherwise null
    PyObject* view() const;        // as Python's side knows an entry
    bool read(PyObject* view);     // the other way
    int visit(visitproc visit, void* arg) const;

  private:
    void release();
};

// The shapes of all slots, one after the other.
class Shapes {
  public:
    int count() const { return static_cast<int>(ends_.size()); }
    bool add(PyObject* data);  // of an array, a number, or anything with a shape
    bool add_tuple(PyObject* shape);
    bool is_shape_of(int slot, PyObject* data, bool* same) const;
    bool is_scalar(int slot) const { return ends_[slot] == start(slot); }
    PyObject* tuple(int slot) const;
    // Returns the rank of a slot, and where its sizes are; -1 if some are open.
    int sizes(int slot, const npy_intp** sizes) const {
        *sizes = sizes_.data() + start(slot);
        return open_.count(slot) ? -1 : static_cast<int>(ends_[slot] - start(slot));
    }
    void clear() { sizes_.clear(), ends_.clear(), open_.clear(); }

  private:
    int64_t start(int slot) const { return slot ? ends_[slot - 1] : 0; }
    std::vector<npy_intp> sizes_;
    std::vector<int64_t> ends_;
    std::map<int, Ref> open_;  // shapes with sizes that are open (core/size), by slot
};

struct Recording {
    PyObject_HEAD
    PyObject *key, *leaves, *lost, *user_code;
    PyObject* scopes;  // [(slot, path)]: what is recorded from that slot on is inside that scope
    bool watch_variables, watches_tensors;
    std::vector<Entry>* entries;
    Shapes* shapes;
};

extern PyTypeObject* recording_storage;
inline bool is_recording(PyObject* x) { return PyObject_TypeCheck(x, recording_storage); }
inline bool is_exactly_recording(PyObject* x) { return Py_TYPE(x) == core.Recording; }
inline Recording* recording(PyObject* x) { return reinterpret_cast<Recording*>(x); }

// The inputs of an op: their tuple is made only when it is needed.
class Inputs {
  public:
    Inputs(PyObject* const* items, Py_ssize_t count, PyObject* tuple = nullptr)
        : items_(items), count_(count), tuple_(Ref::to(tuple)) {}
    Py_ssize_t count() const { return count_; }
    PyObject* operator[](Py_ssize_t i) const { return items_[i]; }
    PyObject* tuple();  // borrowed; null with an error set

  private:
    PyObject* const* items_;
    Py_ssize_t count_;
    Ref tuple_;
};

// Records an op. `skipped` frames of Python above us are not the user's: those of op functions.
bool record(Recording* self, PyObject* prim, Notes* notes, Inputs& inputs, PyObject* params,
            PyObject* out, int skipped);
bool end_path(Recording* self, PyObject* prim, Inputs& inputs, PyObject* out);
// Returns the slot of a tensor or variable; -1 if it is not known, -2 with an error set.
Py_ssize_t slot_of(Recording* self, PyObject* x);
Py_ssize_t watch(Recording* self, PyObject* x);

bool prepare_recordings(PyObject* module);

}  // namespace gradtape::hot
