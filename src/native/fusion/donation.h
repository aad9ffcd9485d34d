// Which results of a pass are written into arrays that end with it.
#pragma once

#include <vector>

#include "fusion/program.h"

namespace gradtape {

// Returns, by step, the array that takes the values of a step that is kept, or null: one that only
// ops of this chain read, none of them after that step, and that nobody could ask for later. `keep`
// says which values are kept.
std::vector<PyObject*> donated_arrays(const Chain& chain, const std::vector<char>& keep);

// Ops whose operands a pass is writing over, without Python's lock: other threads that need their
// values wait until they are there. All with the lock held.
class Claim {
  public:
    Claim() = default;
    ~Claim() { end(); }
    Claim(const Claim&) = delete;
    Claim& operator=(const Claim&) = delete;

    void begin(const std::vector<Deferred*>& nodes);
    void end();
    // Returns whether a pass has claimed a value, or something that it is computed from.
    static bool is_behind(Deferred* root);
    // Lets other threads go on until that is not so.
    static void wait_for(Deferred* root);

  private:
    std::vector<Deferred*> nodes_;
};

}  // namespace gradtape
