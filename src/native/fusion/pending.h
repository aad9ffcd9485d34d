// The list of all pending ops.
#pragma once

#include "fusion/deferred.h"

namespace gradtape {

void enlist(Deferred* node);
void delist(Deferred* node);  // if it is in the list

// If much is pending, computes those values that keep more alive than they take. False with a
// Python error set if that failed.
bool settle_costly();

}  // namespace gradtape
