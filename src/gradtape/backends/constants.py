"""Constants that the rules of a primitive and its kernels share."""

from __future__ import annotations

import math
import struct


def _float32(x: float) -> float:
    return struct.unpack("f", struct.pack("f", x))[0]


# NumPy's limits for an array.
MAX_AXES, MAX_BYTES = 64, 2**63

# Attention: a bias at most this low is a mask: it replaces the score.
MASKED_FROM = -1e38

# GELU with TensorFlow's constants: rounded to float32, whatever the dtype of the tensor.
ROOT_HALF = _float32(math.sqrt(0.5))
# Φ(x) ≈ sigmoid(x (A + B x²)).
GELU_A = 2 * math.sqrt(2 / math.pi)
GELU_B = GELU_A * _float32(0.044715)
