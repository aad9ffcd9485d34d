#pragma once

#include "core/recording.h"

namespace gradtape::hot {

bool prepare_backward(PyObject* module);

}  // namespace gradtape::hot
