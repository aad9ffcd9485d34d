// Transactions of variables. All state is guarded by Python's lock (the GIL), which no function
// here gives up between looking at a variable and changing it; only waiting gives it up.
//
// The slot `_writer` of a variable holds the number of the thread whose transaction it is in. The
// slot `_data` is empty while a program that takes the variable's memory runs: a thread that reads
// it then waits for the end of the transaction.
#include "core/transaction.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <vector>

#include "fusion/compute.h"
#include "fusion/deferred.h"
#include "fusion/donation.h"

#if defined(__unix__) || defined(__APPLE__)
#include <pthread.h>
#endif

namespace gradtape::hot {
namespace {

// Ctrl-C reaches a thread that waits within this time.
constexpr auto MAX_WAIT = std::chrono::milliseconds(50);

struct Waiting {
    std::mutex mutex;
    std::condition_variable freed;
    uint64_t round = 0;
};
Waiting* waiting = new Waiting;
int waiters = 0;
// After a fork, transactions of the parent's threads are nobody's: numbers of threads end with the
// number of forks before.
constexpr unsigned long long FORKS = 0xffff;
unsigned long long forks = 0;

void after_fork() {
    waiting = new Waiting;  // the old one may be locked by a thread that is gone
    waiters = 0;
    forks = (forks + 1) & FORKS;
}

unsigned long long this_thread() {
    return static_cast<unsigned long long>(PyThreadState_GetID(PyThreadState_Get())) << 16 | forks;
}

// Returns the thread in whose transaction a variable is; 0 if there is none.
unsigned long long writer_of(PyObject* variable) {
    PyObject* writer = core.writer.of(variable);
    if (!writer || !PyLong_CheckExact(writer)) return 0;
    unsigned long long number = PyLong_AsUnsignedLongLong(writer);
    return (number & FORKS) == forks ? number : 0;
}

bool is_variable(PyObject* x) { return core.Variable && PyObject_TypeCheck(x, core.Variable); }

// Waits until some transaction has ended; false with an error if a signal handler raised one.
bool wait_for_others() {
    Waiting* queue = waiting;
    std::unique_lock<std::mutex> lock(queue->mutex);
    uint64_t before = queue->round;
    waiters++;
    PyThreadState* state = PyEval_SaveThread();
    queue->freed.wait_for(lock, MAX_WAIT, [&] { return queue->round != before; });
    lock.unlock();
    take_back(state);
    if (queue == waiting) waiters--;
    return PyErr_CheckSignals() == 0;
}

bool wait_for_writer(PyObject* variable, unsigned long long self) {
    for (;;) {
        unsigned long long writer = writer_of(variable);
        if (!writer || writer == self) return true;
        if (!wait_for_others()) return false;
    }
}

// A transaction of this thread on variables: it begins when none of them is in another thread's,
// for all of them at once, so that two threads never wait for each other here. Those that are in
// one of this thread's already are left to that one.
class Transaction {
  public:
    Transaction() = default;
    ~Transaction() {
        if (taken_.empty()) return;
        for (PyObject* variable : taken_) {
            core.writer.set(variable, nullptr);
            Py_DECREF(variable);
        }
        if (waiters > 0) {
            std::lock_guard<std::mutex> lock(waiting->mutex);
            waiting->round++;
            waiting->freed.notify_all();
        }
    }
    Transaction(const Transaction&) = delete;
    Transaction& operator=(const Transaction&) = delete;

    bool begin(PyObject* const* variables, Py_ssize_t count) {
        unsigned long long self = this_thread();
        for (Py_ssize_t i = 0; i < count; i++) {
            unsigned long long writer = writer_of(variables[i]);
            if (!writer || writer == self) continue;
            if (!wait_for_others()) return false;
            i = -1;
        }
        Ref number(PyLong_FromUnsignedLongLong(self));
        if (!number) return false;
        taken_.reserve(count);
        for (Py_ssize_t i = 0; i < count; i++) {
            if (writer_of(variables[i])) continue;
            core.writer.set(variables[i], Py_NewRef(number.get()));
            taken_.push_back(Py_NewRef(variables[i]));
        }
        return true;
    }

  private:
    std::vector<PyObject*> taken_;
};

// Returns whether `variables` is a tuple of variables; an error is set if not.
bool are_variables(PyObject* variables) {
    bool fits = PyTuple_CheckExact(variables);
    for (Py_ssize_t i = 0; fits && i < PyTuple_GET_SIZE(variables); i++)
        fits = is_variable(PyTuple_GET_ITEM(variables, i));
    if (!fits) PyErr_Format(PyExc_TypeError, "not a tuple of variables: %R", variables);
    return fits;
}

bool takes(Py_ssize_t count, Py_ssize_t least, const char* usage) {
    if (count >= least) return true;
    PyErr_Format(PyExc_TypeError, "usage: %s", usage);
    return false;
}

PyObject* exclusively(PyObject*, PyObject* const* items, Py_ssize_t count) {
    if (!takes(count, 2, "exclusively(variables, function, *arguments)")) return nullptr;
    if (!are_variables(items[0])) return nullptr;
    Transaction transaction;
    if (!transaction.begin(&PyTuple_GET_ITEM(items[0], 0), PyTuple_GET_SIZE(items[0])))
        return nullptr;
    return call_python(items[1], items + 2, count - 2, nullptr);
}

// Returns the array of a variable that another thread has taken, once it is back. A signal handler,
// which may run while this thread itself writes, gets a copy of what is there.
PyObject* wait_for_data(PyObject* variable) {
    if (!wait_for_writer(variable, this_thread())) return nullptr;
    if (core.variable_data.of(variable)) return Py_NewRef(core.variable_data.of(variable));
    PyObject* written = core.snapshot.of(variable);  // see `rewrite`
    if (written && PyTuple_CheckExact(written) && PyTuple_GET_SIZE(written) == 1)
        return PyArray_FROM_OF(PyTuple_GET_ITEM(written, 0), NPY_ARRAY_ENSURECOPY);
    PyErr_SetString(PyExc_AttributeError, "_data");  // it never had a value
    return nullptr;
}

PyObject* read_all(PyObject*, PyObject* variables) {
    if (!are_variables(variables)) return nullptr;
    Py_ssize_t count = PyTuple_GET_SIZE(variables);
    Ref values(PyList_New(count));
    if (!values) return nullptr;
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject* variable = PyTuple_GET_ITEM(variables, i);
        if (core.variable_data.of(variable)) continue;
        Ref data(wait_for_data(variable));
        if (!data) return nullptr;
        if (core.variable_data.of(variable)) i = -1;
        else Py_XSETREF(PyList_GET_ITEM(values.get(), i), data.release());
    }
    for (Py_ssize_t i = 0; i < count; i++)
        if (PyObject* data = core.variable_data.of(PyTuple_GET_ITEM(variables, i)))
            PyList_SetItem(values.get(), i, Py_NewRef(data));
    return values.release();
}

void publish(PyObject* variable, PyObject* owned, std::vector<PyObject*>* gone) {
    gone->push_back(core.variable_data.of(variable));
    gone->push_back(core.snapshot.of(variable));
    core.variable_data.of(variable) = owned;
    core.snapshot.of(variable) = Py_NewRef(Py_None);
}

PyObject* write_all(PyObject*, PyObject* const* items, Py_ssize_t count) {
    if (!takes(count, 3, "write_all(variables, arrays, start)")) return nullptr;
    if (!are_variables(items[0])) return nullptr;
    Py_ssize_t start = PyLong_AsSsize_t(items[2]), size = PyTuple_GET_SIZE(items[0]);
    if (start == -1 && PyErr_Occurred()) return nullptr;
    Ref arrays(PySequence_Fast(items[1], "not a sequence of arrays"));
    if (!arrays) return nullptr;
    if (start < 0 || PySequence_Fast_GET_SIZE(arrays.get()) < start + size)
        return PyErr_Format(PyExc_ValueError, "fewer arrays than variables");
    Transaction transaction;
    if (!transaction.begin(&PyTuple_GET_ITEM(items[0], 0), size)) return nullptr;
    std::vector<PyObject*> gone;
    gone.reserve(2 * size);
    for (Py_ssize_t i = 0; i < size; i++)
        publish(PyTuple_GET_ITEM(items[0], i),
                Py_NewRef(PySequence_Fast_GET_ITEM(arrays.get(), start + i)), &gone);
    for (PyObject* old : gone) Py_XDECREF(old);
    Py_RETURN_NONE;
}

PyObject* write_one(PyObject*, PyObject* const* items, Py_ssize_t count) {
    if (!takes(count, 2, "write_one(variable, array)")) return nullptr;
    if (!is_variable(items[0])) return PyErr_Format(PyExc_TypeError, "no variable: %R", items[0]);
    if (!wait_for_writer(items[0], this_thread())) return nullptr;
    std::vector<PyObject*> gone;
    gone.reserve(2);
    publish(items[0], Py_NewRef(items[1]), &gone);
    for (PyObject* old : gone) Py_XDECREF(old);
    Py_RETURN_NONE;
}

// Returns whether nobody but the variable holds its array, or can until Python's lock is given up.
bool is_unshared(PyObject* variable) {
#ifdef Py_GIL_DISABLED
    return false;
#endif
    PyObject* data = core.variable_data.of(variable);
    return data && Py_REFCNT(data) == 1 && PyArray_CheckExact(data) &&
           PyArray_CHKFLAGS(array(data), NPY_ARRAY_OWNDATA | NPY_ARRAY_WRITEABLE);
}

// Lets go of what the variable itself holds besides its array, and of ops that were only deferred.
bool let_go(PyObject* variable) {
    core.snapshot.set(variable, Py_NewRef(Py_None));
    PyObject* data = core.variable_data.of(variable);
    if (!data || Py_REFCNT(data) == 1 || !PyArray_CheckExact(data)) return true;
    Ref kept = Ref::to(data);
    return release_from_total(data);
}

// While it is alive, no kernel gives up Python's lock.
class KeepingLock {
  public:
    explicit KeepingLock(bool keeps) : before_(keeps_lock) { keeps_lock = before_ || keeps; }
    ~KeepingLock() { keeps_lock = before_; }

  private:
    bool before_;
};

// Returns whether other threads would wait long for such an operand, computed while the variable is
// written to.
bool is_long(const Deferred* x) { return x->by_rows || x->length > 8; }

PyObject* in_place(PyObject*, PyObject* const* items, Py_ssize_t count) {
    if (!takes(count, 2, "in_place(kernel, *arguments)")) return nullptr;
    if (!PyCFunction_CheckExact(items[0]))
        return PyErr_Format(PyExc_TypeError, "not a native kernel: %R", items[0]);
    std::vector<PyObject*> given(items + 1, items + count), variables;
    for (PyObject* x : given) {
        if (is_variable(x)) variables.push_back(x);
        if (is_pending_op(x) && is_long(deferred(x)) && !array_of(x)) return nullptr;
    }
    Transaction transaction;
    if (!transaction.begin(variables.data(), static_cast<Py_ssize_t>(variables.size())))
        return nullptr;
    for (PyObject* x : variables)
        if (!let_go(x)) return nullptr;
    // Not later: from here on Python's lock is kept.
    for (PyObject* x : given)
        if (is_pending_op(x)) Claim::wait_for(deferred(x));
    for (PyObject* x : variables)
        if (!is_unshared(x)) Py_RETURN_FALSE;
    for (PyObject*& x : given)
        if (is_variable(x)) x = core.variable_data.of(x);
    KeepingLock kept(!variables.empty());
    return call_python(items[0], given.data(), given.size(), nullptr);
}

// Calls function(array, *arguments), which writes into the array of a variable: its own, without
// which the variable is meanwhile, if nobody else holds it, and otherwise a copy.
PyObject* rewrite(PyObject*, PyObject* const* items, Py_ssize_t count) {
    if (!takes(count, 2, "rewrite(variable, function, *arguments)")) return nullptr;
    PyObject* variable = items[0];
    if (!is_variable(variable)) return PyErr_Format(PyExc_TypeError, "no variable: %R", variable);
    Transaction transaction;
    if (!transaction.begin(&variable, 1) || !let_go(variable)) return nullptr;
    PyObject*& data = core.variable_data.of(variable);
    bool own = is_unshared(variable);
    Ref written(own ? data : data ? PyArray_FROM_OF(data, NPY_ARRAY_ENSURECOPY) : nullptr);
    if (!written) {
        if (!PyErr_Occurred()) PyErr_SetString(PyExc_AttributeError, "_data");
        return nullptr;
    }
    if (own) {
        PyObject* shown = PyTuple_Pack(1, written.get());
        if (!shown) {
            written.release();  // the variable has it still
            return nullptr;
        }
        core.snapshot.set(variable, shown);
        data = nullptr;
    }
    std::vector<PyObject*> given(items + 1, items + count);
    given[0] = written.get();
    Ref result(call_python(items[1], given.data(), given.size(), nullptr));
    if (own || result) {
        std::vector<PyObject*> gone;
        publish(variable, written.release(), &gone);
        for (PyObject* old : gone) Py_XDECREF(old);
    }
    return result.release();
}

// Runs a program that writes over the memory of variables, whose arrays are some of its
// arguments, and gives them its results, from one on. None if something else holds one of the
// arrays. `indices` says which argument holds the array of each variable; a variable with -1, or
// with another array there, is only written to.
PyObject* run_over(PyObject*, PyObject* const* items, Py_ssize_t count) {
    if (!takes(count, 6, "run_over(program, arrays, constants, indices, variables, start)"))
        return nullptr;
    PyObject *arrays = items[1], *constants = items[2], *indices = items[3], *variables = items[4];
    Py_ssize_t start = PyLong_AsSsize_t(items[5]);
    if (start == -1 && PyErr_Occurred()) return nullptr;
    if (!are_variables(variables)) return nullptr;
    Py_ssize_t size = PyTuple_GET_SIZE(variables);
    if (!PyList_CheckExact(arrays) || !PyList_CheckExact(constants) ||
        !PyTuple_CheckExact(indices) || PyTuple_GET_SIZE(indices) != size)
        return PyErr_Format(PyExc_TypeError, "run_over takes two lists and two tuples");
    std::vector<Py_ssize_t> where;
    for (Py_ssize_t i = 0; i < size; i++) {
        where.push_back(PyLong_AsSsize_t(PyTuple_GET_ITEM(indices, i)));
        if (where[i] == -1 && PyErr_Occurred()) return nullptr;
        if (where[i] < -1 || where[i] >= PyList_GET_SIZE(arrays))
            return PyErr_Format(PyExc_IndexError, "no array %zd", where[i]);
    }
    Transaction transaction;
    if (!transaction.begin(&PyTuple_GET_ITEM(variables, 0), size)) return nullptr;
    std::vector<PyObject*> arguments, gone;
    for (PyObject* list : {arrays, constants})
        for (Py_ssize_t i = 0; i < PyList_GET_SIZE(list); i++)
            arguments.push_back(PyList_GET_ITEM(list, i));
    gone.reserve(2 * size);
    for (Py_ssize_t i = 0; i < size; i++) {
        PyObject* variable = PyTuple_GET_ITEM(variables, i);
        core.snapshot.set(variable, Py_NewRef(Py_None));
        PyObject* data = core.variable_data.of(variable);
        // Held by the variable and by the list.
        if (data && where[i] >= 0 && arguments[where[i]] == data && Py_REFCNT(data) != 2)
            Py_RETURN_NONE;
    }
    std::vector<PyObject*> taken(size, nullptr);
    for (Py_ssize_t i = 0; i < size; i++) {
        PyObject*& data = core.variable_data.of(PyTuple_GET_ITEM(variables, i));
        if (where[i] >= 0 && arguments[where[i]] == data) std::swap(taken[i], data);
    }
    Ref kept(PySequence_List(arrays));  // whatever becomes of the list
    Ref results(kept ? call_python(items[0], arguments.data(), arguments.size(), nullptr)
                     : nullptr);
    if (results &&
        (!PyTuple_CheckExact(results.get()) || PyTuple_GET_SIZE(results.get()) < start + size)) {
        PyErr_Format(PyExc_TypeError, "the program gave %R", results.get());
        results = Ref();
    }
    for (Py_ssize_t i = 0; i < size; i++) {
        PyObject* variable = PyTuple_GET_ITEM(variables, i);
        if (results)
            publish(variable, Py_NewRef(PyTuple_GET_ITEM(results.get(), start + i)), &gone);
        else if (taken[i]) std::swap(core.variable_data.of(variable), taken[i]);
    }
    for (PyObject* old : taken) Py_XDECREF(old);
    for (PyObject* old : gone) Py_XDECREF(old);
    return results.release();
}

// Takes the arrays of variables out of them, in a transaction of this thread: a thread that reads
// one waits for its end. Signal handlers find them in the slot of the snapshot (see
// `wait_for_data`).
PyObject* take_arrays(PyObject*, PyObject* variables) {
    if (!are_variables(variables)) return nullptr;
    std::vector<PyObject*> gone;
    gone.reserve(PyTuple_GET_SIZE(variables));
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(variables); i++) {
        PyObject* variable = PyTuple_GET_ITEM(variables, i);
        PyObject*& data = core.variable_data.of(variable);
        if (!data) continue;
        gone.push_back(core.snapshot.of(variable));
        core.snapshot.of(variable) = data;
        data = nullptr;
    }
    for (PyObject* old : gone) Py_XDECREF(old);
    Py_RETURN_NONE;
}

PyObject* give_back_arrays(PyObject*, PyObject* variables) {
    if (!are_variables(variables)) return nullptr;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(variables); i++) {
        PyObject* variable = PyTuple_GET_ITEM(variables, i);
        PyObject* taken = core.snapshot.of(variable);
        if (core.variable_data.of(variable) || !taken || !PyArray_Check(taken)) continue;
        core.variable_data.of(variable) = taken;
        core.snapshot.of(variable) = Py_NewRef(Py_None);
    }
    Py_RETURN_NONE;
}

PyObject* get_data(PyObject* variable, void*) {
    PyObject* data = core.variable_data.of(variable);
    return data ? Py_NewRef(data) : wait_for_data(variable);
}

int set_data(PyObject* variable, PyObject* data, void*) {
    core.variable_data.set(variable, Py_XNewRef(data));
    return 0;
}

PyGetSetDef data_attribute = {"_data", get_data, set_data, nullptr, nullptr};

// Returns the attribute `_data` of the class of variables, which waits for a value that is missing.
// (A `__getattr__` would slow down every other attribute.)
PyObject* waiting_data(PyObject*, PyObject* type) {
    if (!core.Variable || type != reinterpret_cast<PyObject*>(core.Variable))
        return PyErr_Format(PyExc_TypeError, "not the class of variables: %R", type);
    return PyDescr_NewGetSet(core.Variable, &data_attribute);
}

#define FAST(function) reinterpret_cast<PyCFunction>(function), METH_FASTCALL
PyMethodDef functions[] = {
    {"exclusively", FAST(exclusively), "exclusively(variables, function, *arguments)"},
    {"read_all", read_all, METH_O, "read_all(variables): their arrays, of one moment"},
    {"write_all", FAST(write_all), "write_all(variables, arrays, start): all at one moment"},
    {"write_one", FAST(write_one), "write_one(variable, array)"},
    {"in_place", FAST(in_place), "in_place(kernel, *arguments): False if it cannot be"},
    {"rewrite", FAST(rewrite), "rewrite(variable, function, *arguments)"},
    {"take_arrays", take_arrays, METH_O, "take_arrays(variables): until they are given others"},
    {"give_back_arrays", give_back_arrays, METH_O, "give_back_arrays(variables)"},
    {"run_over", FAST(run_over), "run_over(program, arrays, constants, indices, variables, start)"},
    {"waiting_data", waiting_data, METH_O, "waiting_data(Variable): the attribute _data"},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

bool prepare_transactions(PyObject* module) {
#if defined(__unix__) || defined(__APPLE__)
    if (pthread_atfork(nullptr, nullptr, after_fork) != 0) return false;
#endif
    return PyModule_AddFunctions(module, functions) == 0;
}

}  // namespace gradtape::hot
