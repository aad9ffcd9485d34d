// Makes a flat program: plans the steps of one op after the other, for shapes and dtypes that are
// known. An op that has no native form, or whose kernels would compute other bits, is declined.
#pragma once

#include <deque>
#include <initializer_list>
#include <map>
#include <string>

#include "flat/steps.h"
#include "runtime/ref.h"

namespace gradtape::flat {

enum class Kind : uint8_t { input, constant, temporary, result };

struct Buffer {
    Kind kind;
    int64_t bytes;
    Ref held;                     // the array of a constant
    char* data = nullptr;         // of a constant
    alignas(16) char number[16];  // a constant of rank 0
};

// A value that is zero but for a part of it.
struct Part {
    int value, x;  // the whole, and what its part is
    Value target;  // the part of the whole
};

struct Spec {
    Layout layout;  // in C order
    int type = 0;
};

// Whether values of this dtype can be in a program.
inline bool is_number_type(int type) {
    return type == NPY_BOOL || type == NPY_INT32 || type == NPY_INT64 || type == NPY_FLOAT32 ||
           type == NPY_FLOAT64;
}

// One op of a graph: its operands and results are numbers of values.
struct Call {
    std::string name;
    std::vector<int> operands;
    PyObject* params = nullptr;  // a dict
    PyObject* ufunc = nullptr;   // of NumPy's, that computes the same; or None
    std::vector<Spec> specs;     // of the results
    std::vector<int> results;

    // Returns a parameter, borrowed; null, without an error, if there is none.
    PyObject* parameter(const char* key) const {
        PyObject* value = params ? PyDict_GetItemString(params, key) : nullptr;
        return value;
    }
};

class Builder {
  public:
    std::deque<Buffer> buffers;
    std::vector<Value> values;
    std::vector<std::unique_ptr<Step>> steps;
    // Values that are 0 but for a part, by their buffers, as long as no step makes them.
    std::map<int, Part> parts;

    const Value& operator[](int value) const { return values[static_cast<size_t>(value)]; }
    int type(int value) const { return (*this)[value].type; }

    int input(const Spec& spec) { return whole(spec, Kind::input); }
    int temporary(const Spec& spec) { return whole(spec, Kind::temporary); }
    int temporary(const Layout& shape, int type);
    // Returns a constant, or -1, perhaps with an error set, for an object that cannot be one.
    int constant(PyObject* data);
    int number(int type, double value);
    int view(const Value& value);

    // Plans an op. False, perhaps with an error set, if it is declined; then nothing has changed.
    bool add(Call* call);

    // Plans a loop over elements; false where it cannot read its operands.
    bool loop(Loop loop, std::initializer_list<int> operands, int result);
    // The same by a loop of NumPy's, of a ufunc or of the one with this name.
    template <class Ufunc>
    bool numpy(Ufunc ufunc, std::initializer_list<int> operands, int result) {
        int types[MAX_WALKED], count = 0;
        if (operands.size() >= MAX_WALKED) return false;
        for (int x : operands) types[count++] = type(x);
        types[count++] = type(result);
        return loop(numpy_loop(ufunc, types, count), operands, result);
    }
    bool numpy(Op op, std::initializer_list<int> operands, int result) {
        return numpy(OP_NAMES[op], operands, result);
    }
    bool numpy(Comparison op, std::initializer_list<int> operands, int result) {
        return numpy(COMPARISON_NAMES[op], operands, result);
    }
    // Returns the value itself where it is a whole array in C order, otherwise a copy.
    int contiguous(int value);
    void copy(const Value& from, const Value& to);
    void zeros(int value);
    // Makes a value that steps are to read.
    void materialize(int value);

    // Takes a step away, which touches these addresses.
    template <class Kind>
    void emit(std::unique_ptr<Kind>& step, std::initializer_list<Address> addresses, double cost) {
        for (const Address& address : addresses) step->buffers.push_back(address.buffer);
        step->cost = cost;
        steps.push_back(std::move(step));
    }

  private:
    int whole(const Spec& spec, Kind kind);
};

// Plans an op of this chapter into its results; false if it is declined.
using Lower = bool (*)(Builder& builder, Call& call);
struct Lowering {
    const char* name;
    Lower lower;
};
// Ended by one without a name.
extern const Lowering MOVES[];
extern const Lowering REDUCTIONS[];
extern const Lowering PRODUCTS[];
bool lower_elementwise(Builder& builder, Call& call);
// Plans a sum with a value that is zero but for a part, which then need not be made; false for all
// other calls.
bool add_part(Builder& builder, Call& call);

// Ops on more numbers than this are left to the kernels, which divide them between threads.
int64_t max_numbers();

}  // namespace gradtape::flat
