// Variables change in transactions (gradtape/engine/transaction.py: read that first).
#pragma once

#include "core/core.h"

namespace gradtape::hot {

bool prepare_transactions(PyObject* module);

}  // namespace gradtape::hot
