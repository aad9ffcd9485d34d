// What a queue of calls is as a program: see `queue_structure` in
// gradtape/backends/xla/runtime/repetition.py, the reference.
#include <unordered_map>
#include <vector>

#include "core/queued.h"
#include "errors.h"

namespace gradtape::hot {
namespace {

class Structure {
  public:
    Structure(PyObject* waiting, PyObject* wanted, PyObject* on_host)
        : waiting_(waiting), wanted_(wanted), on_host_(on_host) {}

    // Returns (steps, arguments, read); None if other values are needed; null with an error set.
    PyObject* result() {
        Py_ssize_t count = PyList_GET_SIZE(waiting_);
        std::vector<Py_ssize_t> references(count);
        for (Py_ssize_t i = 0; i < count; i++)
            references[i] = Py_REFCNT(PyList_GET_ITEM(waiting_, i));
        if (!steps_ || !arguments_ || !read_) return nullptr;
        for (Py_ssize_t i = 0; i < count; i++) {
            if (!add_step(PyList_GET_ITEM(waiting_, i))) return nullptr;
            if (needs_others_) Py_RETURN_NONE;
        }
        if (!add_end()) return nullptr;
        for (Py_ssize_t i = 0; i < count; i++) {
            PyObject* x = PyList_GET_ITEM(waiting_, i);
            auto it = numbers_.find(x);
            if (it == numbers_.end()) continue;
            // One reference is the list's.
            bool is_read = references[i] - 1 > uses_[it->second] || x == wanted_ || x == on_host_;
            if (is_read && (PyList_Append(read_.get(), x) < 0 || !add(it->second))) return nullptr;
        }
        return PyTuple_Pack(3, steps_.get(), arguments_.get(), read_.get());
    }

  private:
    bool add(Py_ssize_t number) {
        Ref made(PyLong_FromSsize_t(number));
        return made && PyList_Append(steps_.get(), made.get()) == 0;
    }

    bool add_step(PyObject* x) {
        PyObject* call = core.array_call.of(x);
        if (!call || call == Py_None) return true;  // computed by another thread
        if (call != last_.get()) {
            last_ = Ref::to(call);
            first_ = static_cast<Py_ssize_t>(uses_.size());
            PyObject *typed = core.call_typed.of(call), *operands = core.call_operands.of(call);
            uses_.resize(uses_.size() + PyList_GET_SIZE(core.typed_forms.of(typed)));
            if (PyList_Append(steps_.get(), typed) < 0) return false;
            for (Py_ssize_t i = 0; i < PyList_GET_SIZE(operands) && !needs_others_; i++)
                if (!add_operand(PyList_GET_ITEM(operands, i))) return false;
        }
        numbers_[x] = first_ + PyLong_AsSsize_t(core.array_index.of(x));
        return true;
    }

    bool add_operand(PyObject* operand) {
        if (Py_TYPE(operand) == core.DeferredArray) {
            PyObject* value = core.array_value.of(operand);
            if (value == Py_None) {
                auto it = numbers_.find(operand);
                needs_others_ = it == numbers_.end();
                if (needs_others_) return true;
                uses_[it->second]++;
                return add(it->second);
            }
            operand = value;
        }
        auto [position, is_new] = positions_.try_emplace(operand,
                                                         PyList_GET_SIZE(arguments_.get()));
        if (is_new && PyList_Append(arguments_.get(), operand) < 0) return false;
        return add(~position->second);
    }

    bool add_end() {
        bool any = PyList_GET_SIZE(waiting_) > 0;
        PyObject* where = any ? core.array_sharding.of(PyList_GET_ITEM(waiting_, 0)) : Py_None;
        if (PyList_Append(steps_.get(), Py_None) < 0 || PyList_Append(steps_.get(), where) < 0)
            return false;
        auto it = numbers_.find(on_host_);
        if (it == numbers_.end()) return PyList_Append(steps_.get(), Py_None) == 0;
        return add(it->second);
    }

    PyObject *waiting_, *wanted_, *on_host_;
    Ref steps_{PyList_New(0)}, arguments_{PyList_New(0)}, read_{PyList_New(0)}, last_;
    std::unordered_map<PyObject*, Py_ssize_t> numbers_;    // of results
    std::unordered_map<PyObject*, Py_ssize_t> positions_;  // of arguments
    std::vector<Py_ssize_t> uses_;                         // of results, by other steps
    Py_ssize_t first_ = 0;                                 // result of the last step
    bool needs_others_ = false;
};

PyObject* queue_structure(PyObject*, PyObject* const* arguments, Py_ssize_t given) {
    bool fits = given == 3 && PyList_CheckExact(arguments[0]);
    for (Py_ssize_t i = 0; fits && i < PyList_GET_SIZE(arguments[0]); i++)
        fits = Py_TYPE(PyList_GET_ITEM(arguments[0], i)) == core.DeferredArray;
    if (!fits) {
        PyErr_SetString(PyExc_TypeError, "queue_structure(waiting, wanted, on_host)");
        return nullptr;
    }
    return without_exceptions(
        [&] { return Structure(arguments[0], arguments[1], arguments[2]).result(); });
}

PyMethodDef functions[] = {
    {"queue_structure",
     reinterpret_cast<PyCFunction>(
         reinterpret_cast<void (*)()>(static_cast<_PyCFunctionFast>(queue_structure))),
     METH_FASTCALL, "queue_structure(waiting, wanted, on_host): what identifies their program"},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

bool prepare_queues(PyObject* module) { return PyModule_AddFunctions(module, functions) == 0; }

}  // namespace gradtape::hot
