// The list of all pending ops.
#pragma once

#include "fusion/deferred.h"

namespace gradtape {

void enlist(Deferred* node);
void delist(Deferred* node);  // if it is in the list

// Computes those pending values that keep more alive than they take, if there are many. False with
// a Python error set if that failed.
bool compute_costly_pending();

}  // namespace gradtape
