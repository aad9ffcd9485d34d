#include "fusion/watch.h"

#include <algorithm>
#include <cstring>

namespace gradtape {
namespace {

// What is called around each pass, or null.
PyObject* watcher = nullptr;

const char* name_of(const Instruction& instruction) {
    if (instruction.reach == Reach::matrix) return "matmul";
    if (instruction.reach == Reach::row)
        return instruction.op == SOFTMAX ? "softmax" : "softmax_grad";
    if (instruction.kind == Kind::comparison) return "compare";
    if (instruction.kind == Kind::logical) return "logical";
    if (instruction.kind == Kind::select) return "select";
    const char* name = OP_NAMES[instruction.op];
    return name ? name : "op";
}

const char* name_of(const Reduction& reduction) {
    if (reduction.is_mean) return "reduce_mean";
    return reduction.how == SUM       ? "reduce_sum"
           : reduction.how == LARGEST ? "reduce_max"
                                      : "reduce_min";
}

PyObject* watch_passes(PyObject*, PyObject* given) {
    PyObject* before = watcher;
    watcher = given == Py_None ? nullptr : Py_NewRef(given);
    Py_XDECREF(before);
    Py_RETURN_NONE;
}

PyMethodDef functions[] = {
    {"watch_passes", watch_passes, METH_O,
     "watch_passes(f): from now on, let begun = f() before each pass that computes deferred ops, "
     "and call f(begun, their names) after it; None: no longer"},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

bool WatchedPass::begin(const std::vector<Deferred*>& nodes, const std::vector<Deferred*>& totals) {
    if (!watcher) return true;
    std::vector<const char*> names;
    auto note = [&names](const char* name) {
        auto same = [name](const char* known) { return std::strcmp(known, name) == 0; };
        if (std::none_of(names.begin(), names.end(), same)) names.push_back(name);
    };
    for (const Deferred* node : nodes) note(name_of(node->instruction));
    for (const Deferred* total : totals) note(name_of(total->reduction));
    for (const char* name : names) ops_ += (ops_.empty() ? "" : " ") + std::string(name);
    watcher_ = Ref::to(watcher);
    begun_ = Ref(PyObject_CallNoArgs(watcher_.get()));
    return static_cast<bool>(begun_);
}

bool WatchedPass::end() {
    if (!watcher_) return true;
    Ref ops(PyUnicode_FromString(ops_.c_str()));
    if (!ops) return false;
    PyObject* arguments[] = {begun_.get(), ops.get()};
    Ref done(PyObject_Vectorcall(watcher_.get(), arguments, 2, nullptr));
    return static_cast<bool>(done);
}

bool add_watch(PyObject* module) { return PyModule_AddFunctions(module, functions) == 0; }

}  // namespace gradtape
