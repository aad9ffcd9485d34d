// One walk over a recording, from its end: see gradtape.engine.backward.
#pragma once

#include <utility>
#include <vector>

#include "core/recording.h"
#include "core/rules.h"

namespace gradtape::hot {

// The entry that a walk is at, and the walk that it was started in: a rule may run another one.
struct CurrentEntry {
    const Entry* entry;
    Recording* recording;
    CurrentEntry* outer;
};

class Walk {
  public:
    Walk(Recording* recording, bool consume);
    ~Walk();
    Walk(const Walk&) = delete;
    Walk& operator=(const Walk&) = delete;

    // Functions that return a bool return false with an error set.

    // Prepares everything for the seeds [(slot, cotangent)] and the slots of the sources.
    bool start(PyObject* seeds, PyObject* sources);
    // Does the same in steps: first `prepare`, then the sources, then `begin` with the slots of
    // seeds.
    bool prepare();
    void add_source(int slot) { is_source_[slot] = 1; }
    bool begin(const std::vector<int>& starts);
    // Returns whether a source can be reached from any of the starts.
    bool reaches_sources() const { return any_reaches_; }

    // Adds a cotangent to those that have arrived at a slot.
    bool accumulate(int slot, Cotangent g);
    // Walks over all entries and applies their rules.
    bool run();
    // Computes the cotangents that are still deferred: the results of a backward pass are arrays.
    bool materialize_all();

    // Returns the cotangent of a slot, borrowed; None where nothing arrived.
    PyObject* at(int slot) {
        return cotangents_[slot].empty() ? Py_None : cotangents_[slot].tensor();
    }
    // Returns a new list of all cotangents, by slot.
    PyObject* cotangents();

  private:
    bool find_reaching_slots();
    bool reaches_source(int slot) const { return reaches_source_.empty() || reaches_source_[slot]; }
    bool known(int64_t slot) const {
        return slot >= 0 && slot < static_cast<int64_t>(cotangents_.size());
    }
    bool add_up(int slot, Cotangent g);
    Cotangent take(int slot) {
        if (is_source_[slot]) return cotangents_[slot].share();
        return std::exchange(cotangents_[slot], Cotangent());
    }
    bool differentiate(const Entry& entry);
    bool apply_joint_rule(const Entry& entry, PyObject* joint, Cotangent* g);
    bool apply_rules(const Entry& entry, PyObject* rules, Cotangent* g);
    bool sum_to_slot(int slot, bool is_requested, Cotangent* g);
    bool add_at_index_of(int slot, PyObject* params, Cotangent* part);
    void own_if_unshared(int slot);
    Ref result_cotangents(const Entry& entry, bool* error);

    Recording* recording_;
    bool consume_;
    bool no_listeners_ = false;  // no tape listens: numbers and arrays need no tensors
    std::vector<Cotangent> cotangents_;
    std::vector<char> is_source_, owned_, reaches_source_;
    bool any_reaches_ = true;
    CurrentEntry current_;
};

// Returns where the innermost walk of this thread is that is at an entry, for those who explain
// errors; or null.
const CurrentEntry* current_entry();

}  // namespace gradtape::hot
