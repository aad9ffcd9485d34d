#include "fusion/donation.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <unordered_map>
#include <unordered_set>

namespace gradtape {
namespace {

int claims = 0;  // that have begun and not ended

// Returns whether an array has memory of its own that may be written to, and no weak references:
// nobody notices that it becomes another value.
bool is_own(PyObject* x) {
    return PyArray_CheckExact(x) && PyArray_TYPE(array(x)) == NPY_FLOAT32 &&
           PyArray_ISCARRAY(array(x)) && PyArray_CHKFLAGS(array(x), NPY_ARRAY_OWNDATA) &&
           !reinterpret_cast<PyArrayObject_fields*>(x)->weakreflist;
}

// How the ops of a chain refer to an array.
struct Reading {
    PyObject* array = nullptr;
    Py_ssize_t references = 0;  // of operands, and of values that were computed before
    int last = -1;              // step
    bool is_free = true;        // nothing else can need it
};

bool has_shape(PyObject* x, const Deferred* node) {
    return PyArray_NDIM(array(x)) == node->rank &&
           std::equal(node->shape, node->shape + node->rank, PyArray_DIMS(array(x)));
}

// Returns which ops may be computed once more, from their operands: those that something outside of
// the chain holds and whose values are not kept, and those behind them.
std::vector<char> needed_later(const Chain& chain, const std::vector<char>& keep) {
    const auto& nodes = chain.nodes();
    std::vector<Py_ssize_t> uses(nodes.size(), 0);
    auto each_operand = [&](size_t i, auto&& visit) {
        for (const Operand* operand : nodes[i]->operands())
            if (is_pending_op(operand->object)) visit(chain.step_of(deferred(operand->object)));
    };
    for (size_t i = 0; i < nodes.size(); i++) each_operand(i, [&](int j) { uses[j]++; });
    std::vector<char> later(nodes.size(), 0);
    for (size_t i = nodes.size(); i-- > 0;) {
        if (keep[i]) continue;
        later[i] = later[i] || Py_REFCNT(nodes[i]) > uses[i];
        if (later[i]) each_operand(i, [&](int j) { later[j] = 1; });
    }
    return later;
}

}  // namespace

std::vector<PyObject*> donated_arrays(const Chain& chain, const std::vector<char>& keep) {
    const auto& nodes = chain.nodes();
    std::vector<PyObject*> given(nodes.size(), nullptr);
#ifdef Py_GIL_DISABLED
    return given;  // references are counted by several threads
#endif
    for (const Deferred* node : nodes)
        if (node->instruction.reach != Reach::element) return given;
    std::vector<char> later = needed_later(chain, keep);
    std::vector<Reading> readings;  // in the order of the chain
    auto reading_of = [&](PyObject* x) -> Reading& {
        auto same = [x](const Reading& reading) { return reading.array == x; };
        auto it = std::find_if(readings.begin(), readings.end(), same);
        if (it != readings.end()) return *it;
        readings.push_back({x});
        return readings.back();
    };
    std::unordered_map<PyObject*, Py_ssize_t> computed;  // references to values as operands
    for (const Deferred* node : nodes)
        for (const Operand* operand : node->operands())
            if (PyObject* x = operand->object; x && is_deferred(x)) computed[x]++;
    std::unordered_set<PyObject*> counted;
    for (size_t i = 0; i < nodes.size(); i++) {
        for (const Operand* operand : nodes[i]->operands()) {
            PyObject* x = operand->object;
            if (!x || is_pending_op(x)) continue;
            bool is_value = is_deferred(x);
            Reading& reading = reading_of(is_value ? deferred(x)->value : x);
            if (!is_value || counted.insert(x).second) reading.references++;
            reading.last = static_cast<int>(i);
            bool is_held = is_value && Py_REFCNT(x) != computed[x];
            if (later[i] || is_held || operand->extent != Extent::whole) reading.is_free = false;
        }
    }
    std::vector<Reading> free;
    for (const Reading& reading : readings)
        if (reading.is_free && Py_REFCNT(reading.array) == reading.references &&
            is_own(reading.array))
            free.push_back(reading);
    for (size_t i = 0; i < nodes.size() && !free.empty(); i++) {
        if (!keep[i] || nodes[i]->instruction.kind != Kind::numeric) continue;
        auto fits = [&](const Reading& reading) {
            return reading.last <= static_cast<int>(i) && has_shape(reading.array, nodes[i]);
        };
        auto it = std::find_if(free.begin(), free.end(), fits);
        if (it == free.end()) continue;
        given[i] = it->array;
        free.erase(it);
    }
    return given;
}

void Claim::begin(const std::vector<Deferred*>& nodes) {
    nodes_ = nodes;
    for (Deferred* node : nodes_) node->is_claimed = true;
    claims++;
}

void Claim::end() {
    if (nodes_.empty()) return;
    for (Deferred* node : nodes_) node->is_claimed = false;
    nodes_.clear();
    claims--;
}

bool Claim::is_behind(Deferred* root) {
    if (!claims) return false;
    std::unordered_set<Deferred*> seen;
    std::vector<Deferred*> stack = {root};
    while (!stack.empty()) {
        Deferred* node = stack.back();
        stack.pop_back();
        if (node->is_claimed) return true;
        if (node->value || !seen.insert(node).second) continue;
        for (const Operand* operand : node->operands())
            if (operand->object && is_deferred(operand->object))
                stack.push_back(deferred(operand->object));
    }
    return false;
}

void Claim::wait_for(Deferred* root) {
    while (is_behind(root)) {
        Py_BEGIN_ALLOW_THREADS;
        std::this_thread::sleep_for(std::chrono::microseconds(20));
        Py_END_ALLOW_THREADS;
    }
}

}  // namespace gradtape
