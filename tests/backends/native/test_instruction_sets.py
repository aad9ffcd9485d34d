"""Every instruction set that this machine has gives the same sums, and functions as accurate."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from gradtape.backends.native import kernels as native
from tests.backends.native.kernels import needs_extension

pytestmark = needs_extension
PROGRAM = """
import hashlib
import numpy as np
from gradtape.backends.native import kernels as native
from tests.backends.native.kernels import every_exponent, native_kernel, ulps
from tests.backends.native.test_mathematics import EXACT, MAX

numbers = every_exponent(100)
with np.errstate(all="ignore"):
    for name, exact in EXACT.items():
        worst = ulps(native_kernel(name)(numbers), exact(numbers.astype(np.float64))).max()
        assert worst <= MAX, (name, worst)
x = np.random.default_rng(0).normal(size=(333, 517)).astype(np.float32)
found = [
    native_kernel(name)(x, axis=axis, keepdims=False)
    for name in ("reduce_sum", "reduce_mean", "reduce_max")
    for axis in ((0,), (1,), (0, 1))
]
sums = hashlib.sha256(b"".join(np.asarray(y).tobytes() for y in found)).hexdigest()
print(native.extension.instruction_set(), sums)
"""


def run(instruction_set: str, threads: int) -> list[str]:
    environment = {
        **os.environ,
        "GRADTAPE_ISA": instruction_set,
        "GRADTAPE_NUM_THREADS": str(threads),
        "PYTHONPATH": os.pathsep.join(sys.path),
    }
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env=environment,
        check=False,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


@pytest.fixture(scope="module")
def usual() -> list[str]:
    return run(native.extension.instruction_set(), threads=1)


@pytest.mark.parametrize("instruction_set", ["portable", "avx2", "avx512"])
def test_instruction_set(instruction_set, usual):
    name, sums = run(instruction_set, threads=2)
    assert name in (instruction_set, "portable")  # the latter where the processor has it not
    assert sums == usual[1]
