"""Complex numbers and their parts."""

from __future__ import annotations

import numpy as np

from gradtape import ops
from tests.ops.harness import Case, random

A = random(3, 2)
ROW = random(2, seed=1)
Z = A + 1j * random(3, 2, seed=2)

CASES = [
    # bfloat16 has no complex partner.
    Case("complex", ops.complex, [A, ROW], low_precision=False),
    Case("complex scalars", ops.complex, [np.float64(0.3), np.float64(-0.4)], low_precision=False),
    Case("real", ops.real, [Z]),
    Case("imag", ops.imag, [Z]),
    Case("parts of real numbers", lambda x: ops.real(x) * ops.conj(x) + ops.imag(x), [A]),
    Case("conj", lambda z: ops.conj(z) * z * z, [Z]),
    Case("angle", ops.angle, [Z]),
    Case("abs", ops.abs, [A]),
    Case("abs complex", ops.abs, [Z]),
    Case("squared length", lambda z: ops.real(z * ops.conj(z)), [Z]),
]
