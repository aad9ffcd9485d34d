// A flat program: the nodes of a graph, or some that follow each other, as steps on buffers that
// are planned ahead. See README.md.
#pragma once

#include "flat/builder.h"

namespace gradtape::flat {

// A value that goes in or comes out.
struct Port {
    int buffer = 0;
    Layout layout;
    int type = 0;
    npy_intp item = 0;
    PyArray_Descr* dtype = nullptr;  // one of NumPy's own, which live as long as the process
    bool is_view = false;            // of a result: a part of the array of its buffer
    int64_t offset = 0;              // of a view

    int64_t bytes() const { return layout.size() * item; }
};

// Addresses for one run, and the memory of its temporaries. Constants and temporaries are filled
// in when it is made, inputs and results for each run.
struct Frame {
    std::vector<char*> buffers;
    char* memory = nullptr;

    Frame() = default;
    ~Frame();
    Frame(const Frame&) = delete;
    Frame& operator=(const Frame&) = delete;
};

class Program {
  public:
    Builder builder;
    std::vector<Port> inputs, results;
    std::vector<Port> hidden;  // arrays that only views of them come out of
    double cost = 0;           // nanoseconds, about

    // Ends the program with these inputs and results, numbers of values, and plans the memory. A
    // result that is in C order gets an array of its own; others stay views, because what kernels
    // make of them depends on their order.
    void finish(const std::vector<int>& inputs, const std::vector<int>& results);

    // Returns a frame, and takes it back for the next run: with the interpreter's lock held.
    std::unique_ptr<Frame> take_frame();
    void give_back(std::unique_ptr<Frame> frame) { spare_ = std::move(frame); }

    // Runs all steps; false for values that an op refuses.
    bool has_views() const {
        for (const Port& port : results)
            if (port.is_view) return true;
        return false;
    }
    bool run(const Frame& frame) const {
        for (const auto& step : builder.steps)
            if (!step->run(frame.buffers.data())) return false;
        return true;
    }

  private:
    int own_result(int value);
    Port view_result(const Value& value);
    void plan_memory();

    std::vector<int64_t> offsets_;  // by buffer, of temporaries
    int64_t bytes_ = 0;
    std::unique_ptr<Frame> spare_;
};

// Points a frame to the data of an argument; `numbers` has room for one of rank 0. False, perhaps
// with an error set, where the argument has not the form that the program was made for.
struct Number16 {
    alignas(16) char bytes[16];
};
bool read_argument(const Port& port, PyObject* argument, Number16* number, char** data);
// Returns the program of a Python object that is one and was finished; else null.
Program* program_of(PyObject* object);

// Returns a new array, or a NumPy scalar, with these numbers.
PyObject* value_of(const Port& port, const char* data);

bool add_flat(PyObject* module);
bool add_loops(PyObject* module);

}  // namespace gradtape::flat
