// Loops whose body is a flat program: an iteration touches no Python.
#include <cstring>

#include "core/tensor.h"
#include "errors.h"
#include "flat/program.h"
#include "kernels/small_copy.h"

namespace gradtape::flat {
namespace {

// Nanoseconds, about, after which signals (Ctrl-C) are looked for.
constexpr double BETWEEN_SIGNALS = 1e6;

int64_t iterations_between_signals(double cost) {
    return static_cast<int64_t>(BETWEEN_SIGNALS / (cost + 1)) + 1;
}

PyObject* tuple_of(std::vector<Ref>* items) {
    Ref made(PyTuple_New(static_cast<Py_ssize_t>(items->size())));
    for (size_t i = 0; made && i < items->size(); i++) {
        if (!(*items)[i]) return nullptr;
        PyTuple_SET_ITEM(made.get(), static_cast<Py_ssize_t>(i), (*items)[i].release());
    }
    return made.release();
}

// Returns a new array of `length` values like this one.
Ref new_stack(const Port& port, int64_t length) {
    npy_intp shape[MAX_RANK + 1] = {length};
    std::copy_n(port.layout.shape, port.layout.rank, shape + 1);
    return Ref(new_array(port.layout.rank + 1, shape, port.type));
}

// Whether the rows of x are values like this one, each in C order.
bool is_stack(const Port& port, PyObject* x, int64_t length) {
    if (!PyArray_CheckExact(x) || PyArray_DESCR(array(x))->type_num != port.type ||
        !PyArray_ISALIGNED(array(x)) || !PyArray_ISNOTSWAPPED(array(x)) ||
        PyArray_NDIM(array(x)) != port.layout.rank + 1 || PyArray_DIM(array(x), 0) != length)
        return false;
    Layout row;
    row.rank = port.layout.rank;
    std::copy_n(PyArray_DIMS(array(x)) + 1, row.rank, row.shape);
    std::copy_n(PyArray_STRIDES(array(x)) + 1, row.rank, row.strides);
    return row.has_shape(port.layout) && row.is_contiguous(port.item);
}

bool is_like(const Port& x, const Port& y) {
    return x.type == y.type && x.layout.has_shape(y.layout);
}

// The state of a loop: two buffers for each value, one of which is read while the other is written.
class State {
  public:
    // Reads the first state; false where it has not the form of the program's inputs.
    bool read(const Port* ports, PyObject* const* arguments, size_t count) {
        ports_ = ports;
        count_ = count;
        std::vector<Number16> numbers(count);
        std::vector<int64_t> starts;
        int64_t bytes = 0;
        for (size_t i = 0; i < count; i++) {
            starts.push_back(bytes);
            bytes += (ports[i].bytes() + 63) / 64 * 64;
        }
        memory_.resize(static_cast<size_t>(2 * bytes) + 64);
        char* first = memory_.data();
        first += (64 - reinterpret_cast<uintptr_t>(first) % 64) % 64;
        for (size_t i = 0; i < count; i++) {
            char* data;
            if (!read_argument(ports[i], arguments[i], &numbers[i], &data)) return false;
            now_.push_back(first + starts[i]);
            next_.push_back(first + bytes + starts[i]);
            std::memcpy(now_[i], data, static_cast<size_t>(ports[i].bytes()));
        }
        return true;
    }
    char* now(size_t i) const { return now_[i]; }
    char* next(size_t i) const { return next_[i]; }
    void advance() { now_.swap(next_); }

    // Appends the state to the results of a loop; false with an error set.
    bool give(std::vector<Ref>* results) const {
        for (size_t i = 0; i < count_; i++) {
            results->emplace_back(value_of(ports_[i], now_[i]));
            if (!results->back()) return false;
        }
        return true;
    }

  private:
    const Port* ports_ = nullptr;
    size_t count_ = 0;
    std::vector<char> memory_;
    std::vector<char*> now_, next_;
};

char*& pointer(Frame& frame, const Port& port) {
    return frame.buffers[static_cast<size_t>(port.buffer)];
}

// An address that moves on from one iteration to the next.
struct Moving {
    char** pointer;
    char* at;
    npy_intp step;
};

// --- loops over rows -----------------------------------------------------------------------------

// Where the arguments of a body are.
struct Roles {
    int carry_at, carry, rows_at, rows;
    bool holds(size_t i, int at, int count) const {
        return static_cast<int>(i) >= at && static_cast<int>(i) < at + count;
    }
};

PyObject* run_scan(Program* body, const Roles& roles, PyObject* const* arguments, int64_t length,
                   bool reverse, bool keeps) {
    auto carry = static_cast<size_t>(roles.carry), rows = static_cast<size_t>(roles.rows);
    const Port* carries = body->inputs.data() + roles.carry_at;
    for (size_t i = 0; i < carry; i++)
        if (!is_like(carries[i], body->results[i])) return nullptr;
    State state;
    if (!state.read(carries, arguments + roles.carry_at, carry)) return nullptr;
    std::unique_ptr<Frame> frame = body->take_frame();
    std::vector<Number16> numbers(body->inputs.size());
    for (size_t i = 0; i < body->inputs.size(); i++) {
        const Port& port = body->inputs[i];
        if (roles.holds(i, roles.carry_at, roles.carry)) continue;
        if (roles.holds(i, roles.rows_at, roles.rows)) {
            if (!is_stack(port, arguments[i], length)) return nullptr;
        } else if (!read_argument(port, arguments[i], &numbers[i], &pointer(*frame, port))) {
            return nullptr;
        }
    }
    std::vector<Ref> stacks;
    for (size_t i = carry; i < body->results.size(); i++) {
        stacks.push_back(new_stack(body->results[i], length));
        if (!stacks.back()) return nullptr;
    }
    for (size_t i = 0; keeps && i < carry; i++) {
        stacks.push_back(new_stack(carries[i], length));
        if (!stacks.back()) return nullptr;
    }
    // Rows that inputs are read from and results are written to, one after the other.
    std::vector<Moving> moving;
    auto move = [&](const Port& port, PyObject* stack) {
        npy_intp step = PyArray_STRIDE(array(stack), 0);
        char* first = data<char>(stack) + (reverse ? (length - 1) * step : 0);
        moving.push_back({&pointer(*frame, port), first, reverse ? -step : step});
    };
    size_t made = body->results.size() - carry;
    for (size_t j = 0; j < rows; j++) {
        auto own = static_cast<size_t>(roles.rows_at) + j;
        move(body->inputs[own], arguments[own]);
    }
    for (size_t j = 0; j < made; j++) move(body->results[carry + j], stacks[j].get());
    auto kept = [&](size_t j, int64_t i) {
        PyObject* stack = stacks[made + j].get();
        return data<char>(stack) + i * PyArray_STRIDE(array(stack), 0);
    };
    int64_t together = iterations_between_signals(body->cost);
    bool done = true;
    for (int64_t at = 0; at < length && done; at += together) {
        int64_t end = std::min(length, at + together);
        {
            WithoutLock unlocked(body->cost * static_cast<double>(end - at));
            for (int64_t k = at; k < end && done; k++) {
                int64_t i = reverse ? length - 1 - k : k;
                for (size_t j = 0; j < carry; j++) {
                    pointer(*frame, carries[j]) = state.now(j);
                    pointer(*frame, body->results[j]) = state.next(j);
                    if (keeps) copy_bytes(state.now(j), carries[j].bytes(), kept(j, i));
                }
                for (Moving& each : moving) {
                    *each.pointer = each.at;
                    each.at += each.step;
                }
                done = body->run(*frame);
                state.advance();
            }
        }
        if (PyErr_CheckSignals() < 0) return nullptr;
    }
    body->give_back(std::move(frame));
    if (!done) return nullptr;
    std::vector<Ref> results;
    if (!state.give(&results)) return nullptr;
    for (Ref& stack : stacks) results.push_back(std::move(stack));
    return tuple_of(&results);
}

// scan(body, arguments, carry_at, carry, rows_at, rows, length, reverse, keeps): returns the last
// carry, the stacked results and, if it keeps them, the stacked carries that went in. None where
// the arguments have another form, or an op refuses their values.
PyObject* scan(PyObject*, PyObject* given) {
    PyObject *object, *arguments;
    Roles roles;
    Py_ssize_t length;
    int reverse, keeps;
    if (!PyArg_ParseTuple(given, "OO!iiiinpp:scan", &object, &PyTuple_Type, &arguments,
                          &roles.carry_at, &roles.carry, &roles.rows_at, &roles.rows, &length,
                          &reverse, &keeps))
        return nullptr;
    Program* body = program_of(object);
    if (body && body->has_views()) Py_RETURN_NONE;
    if (!body || static_cast<size_t>(PyTuple_GET_SIZE(arguments)) != body->inputs.size() ||
        static_cast<size_t>(roles.carry) > body->results.size() || length < 1) {
        PyErr_SetString(PyExc_TypeError, "scan: a flat program and its arguments are wanted");
        return nullptr;
    }
    PyObject* made = without_exceptions([&] {
        return run_scan(body, roles, &PyTuple_GET_ITEM(arguments, 0), length, reverse != 0,
                        keeps != 0);
    });
    return made || PyErr_Occurred() ? made : Py_NewRef(Py_None);
}

// --- loops with a condition ----------------------------------------------------------------------

PyObject* run_loop(Program* test, Program* body, size_t count, PyObject* const* arguments,
                   int64_t limit, bool keeps) {
    for (size_t i = 0; i < count; i++)
        if (!is_like(body->inputs[i], body->results[i])) return nullptr;
    State state;
    if (!state.read(body->inputs.data(), arguments, count)) return nullptr;
    std::unique_ptr<Frame> frame = body->take_frame(), test_frame = test->take_frame();
    std::vector<Number16> numbers(body->inputs.size());
    for (size_t i = count; i < body->inputs.size(); i++) {
        char* data;
        if (!read_argument(body->inputs[i], arguments[i], &numbers[i], &data)) return nullptr;
        pointer(*frame, body->inputs[i]) = pointer(*test_frame, test->inputs[i]) = data;
    }
    Number16 answer;
    pointer(*test_frame, test->results[0]) = answer.bytes;
    size_t made = body->results.size() - count;
    std::vector<std::vector<char>> history(made);
    int64_t together = iterations_between_signals(body->cost + test->cost), iterations = 0;
    bool done = true, goes_on = true;
    while (goes_on && done) {
        {
            WithoutLock unlocked((body->cost + test->cost) * static_cast<double>(together));
            for (int64_t k = 0; k < together && done && goes_on; k++) {
                if (limit >= 0 && iterations >= limit) {
                    goes_on = false;
                    break;
                }
                for (size_t j = 0; j < count; j++)
                    pointer(*test_frame, test->inputs[j]) = state.now(j);
                done = test->run(*test_frame);
                goes_on = done && answer.bytes[0] != 0;
                if (!goes_on) break;
                for (size_t j = 0; j < count; j++) {
                    pointer(*frame, body->inputs[j]) = state.now(j);
                    pointer(*frame, body->results[j]) = state.next(j);
                }
                for (size_t j = 0; j < made; j++) {
                    const Port& port = body->results[count + j];
                    auto bytes = static_cast<size_t>(port.bytes()), start = history[j].size();
                    history[j].resize(start + bytes);
                    pointer(*frame, port) = history[j].data() + start;
                }
                done = body->run(*frame);
                state.advance();
                iterations++;
            }
        }
        if (PyErr_CheckSignals() < 0) return nullptr;
    }
    body->give_back(std::move(frame));
    test->give_back(std::move(test_frame));
    if (!done) return nullptr;
    std::vector<Ref> results, stacks;
    if (!state.give(&results)) return nullptr;
    if (!keeps) return tuple_of(&results);
    for (size_t j = 0; j < made; j++) {
        stacks.push_back(new_stack(body->results[count + j], iterations));
        if (!stacks.back()) return nullptr;
        if (!history[j].empty())
            std::memcpy(PyArray_DATA(array(stacks.back().get())), history[j].data(),
                        history[j].size());
        std::vector<char>().swap(history[j]);
    }
    Ref kept(tuple_of(&stacks));
    if (!kept) return nullptr;
    results.emplace_back(Py_BuildValue("(nO)", static_cast<Py_ssize_t>(iterations), kept.get()));
    return tuple_of(&results);
}

// loop(test, body, arguments, count, limit, keeps): returns the last state and, if it keeps them,
// (number of iterations, what each of them gave besides the next state, stacked). `limit` is
// negative where there is none. None as above.
PyObject* loop(PyObject*, PyObject* given) {
    PyObject *condition, *object, *arguments;
    Py_ssize_t count, limit;
    int keeps;
    if (!PyArg_ParseTuple(given, "OOO!nnp:loop", &condition, &object, &PyTuple_Type, &arguments,
                          &count, &limit, &keeps))
        return nullptr;
    Program *test = program_of(condition), *body = program_of(object);
    auto inputs = static_cast<size_t>(PyTuple_GET_SIZE(arguments));
    auto states = static_cast<size_t>(count);
    if (!test || !body || test->inputs.size() != inputs || body->inputs.size() != inputs ||
        count < 1 || states > body->results.size() || states > inputs ||
        test->results.size() != 1) {
        PyErr_SetString(PyExc_TypeError, "loop: flat programs and their arguments are wanted");
        return nullptr;
    }
    PyObject* made = nullptr;
    if (test->results[0].type == NPY_BOOL && test->results[0].layout.rank == 0 &&
        !body->has_views())
        made = without_exceptions([&] {
            return run_loop(test, body, states, &PyTuple_GET_ITEM(arguments, 0), limit, keeps != 0);
        });
    return made || PyErr_Occurred() ? made : Py_NewRef(Py_None);
}

PyMethodDef functions[] = {
    {"scan", scan, METH_VARARGS,
     "scan(body, arguments, carry_at, carry, rows_at, rows, length, reverse, keeps)"},
    {"loop", loop, METH_VARARGS, "loop(test, body, arguments, count, limit, keeps)"},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

bool add_loops(PyObject* module) { return PyModule_AddFunctions(module, functions) == 0; }

}  // namespace gradtape::flat
