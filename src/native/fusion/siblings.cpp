#include "fusion/siblings.h"

namespace gradtape {

void leave_siblings(Deferred* node) {
    if (!node->next) return;
    node->previous->next = node->next;
    node->next->previous = node->previous;
    if (node->next->next == node->next) node->next->next = node->next->previous = nullptr;
    node->next = node->previous = nullptr;
}

void relate(const std::vector<PyObject*>& objects) {
    Deferred* last = nullptr;
    for (PyObject* object : objects) {
        if (!is_pending_op(object)) continue;
        Deferred* node = deferred(object);
        // A value may be among them several times.
        if (node == last) continue;
        leave_siblings(node);
        if (!last) {
            last = node;
            continue;
        }
        Deferred* first = last->next ? last->next : last;
        node->previous = last;
        node->next = first;
        last->next = node;
        first->previous = node;
        last = node;
    }
}

}  // namespace gradtape
