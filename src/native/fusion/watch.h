// Passes as a profile sees them (gradtape/profiler/clocks.py).
#pragma once

#include <string>
#include <vector>

#include "fusion/deferred.h"
#include "runtime/ref.h"

namespace gradtape {

// A pass that is timed if a profile runs.
class WatchedPass {
  public:
    // Both call Python, which may let other threads run. False with an error set.
    bool begin(const std::vector<Deferred*>& nodes, const std::vector<Deferred*>& totals);
    bool end();

  private:
    Ref watcher_, begun_;
    std::string ops_;
};

bool add_watch(PyObject* module);

}  // namespace gradtape
