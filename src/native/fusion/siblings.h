// Values that are wanted together, such as the results of one backward pass: where they have ops in
// common, a pass that computes one of them computes the others, too.
#pragma once

#include <vector>

#include "fusion/deferred.h"

namespace gradtape {

// Makes siblings of the pending ops among these objects, which have no others then.
void relate(const std::vector<PyObject*>& objects);
// Takes a value out of its ring.
void leave_siblings(Deferred* node);

}  // namespace gradtape
