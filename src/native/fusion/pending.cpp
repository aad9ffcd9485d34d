// All values that are pending, oldest first: together they may not keep much more alive than they
// would take themselves.
#include "fusion/pending.h"

#include <algorithm>
#include <vector>

#include "fusion/compute.h"

namespace gradtape {
namespace {

// When pending values have this many elements, those that cost memory are computed.
constexpr int64_t MAX_ELEMENTS = int64_t(1) << 23;

Deferred *oldest = nullptr, *newest = nullptr;
int64_t elements = 0;
// How many there may be before the next look: twice as many as were left, so that looking stays
// cheap. It falls with them: what was pending once says nothing about values to come.
int64_t look_at = MAX_ELEMENTS;

// Returns whether others than pending ops hold it: `mark` is how many of those do.
bool is_held(Deferred* node) { return Py_REFCNT(node) > node->mark; }

// Returns whether it is all that keeps alive arrays of more room than it would take; -1 with an
// error set.
int costs_memory(Deferred* node) {
    PyObject* arrays = PyList_New(0);
    if (!arrays || !arrays_behind(node, arrays)) {
        Py_XDECREF(arrays);
        return -1;
    }
    int64_t alone = 0;  // bytes
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(arrays); i++)
        if (PyObject* x = PyList_GET_ITEM(arrays, i); Py_REFCNT(x) == 2)
            alone += PyArray_NBYTES(array(x));
    Py_DECREF(arrays);
    return alone > node->size * node->item_size();
}

}  // namespace

void enlist(Deferred* node) {
    node->older = newest;
    (newest ? newest->newer : oldest) = node;
    newest = node;
    elements += node->size;
    node->is_listed = true;
}

void delist(Deferred* node) {
    if (!node->is_listed) return;
    (node->older ? node->older->newer : oldest) = node->newer;
    (node->newer ? node->newer->older : newest) = node->older;
    node->older = node->newer = nullptr;
    elements -= node->size;
    look_at = std::max(MAX_ELEMENTS, std::min(look_at, 2 * elements));
    node->is_listed = false;
}

bool compute_costly_pending() {
    if (elements <= look_at) return true;
    for (Deferred* node = oldest; node; node = node->newer)
        for (const Operand* operand : node->operands())
            if (is_pending_op(operand->object)) deferred(operand->object)->mark++;
    std::vector<PyObject*> held;
    for (Deferred* node = oldest; node; node = node->newer)
        if (is_held(node)) held.push_back(Py_NewRef(reinterpret_cast<PyObject*>(node)));
    for (Deferred* node = oldest; node; node = node->newer) node->mark = 0;
    bool done = true;
    for (PyObject* x : held) {
        int costs = done && is_pending_op(x) ? costs_memory(deferred(x)) : 0;
        if (costs) done = costs > 0 && array_of(x) != nullptr;
        Py_DECREF(x);
    }
    look_at = std::max(MAX_ELEMENTS, 2 * elements);
    return done;
}

}  // namespace gradtape
