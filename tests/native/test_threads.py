"""One pool of threads, and no other that works beside it."""

import os
import subprocess
import sys

import pytest

from tests.native.kernels import needs_extension

pytestmark = needs_extension
# A training step with products, convolutions and long elementwise chains, and what the system says
# of the process's threads: how many there are, and how much of the time they were busy.
PROGRAM = """
import os, sys, time
import numpy as np
import gradtape as tf

asked = int(sys.argv[1])
if asked:
    tf.config.set_num_threads(asked)
random = np.random.default_rng(0)
images = tf.constant(random.standard_normal((32, 28, 28, 8)), tf.float32)
kernel = tf.Variable(random.standard_normal((3, 3, 8, 32)) * 0.1, dtype=tf.float32)
weights = tf.Variable(random.standard_normal((32 * 26 * 26, 64)) * 0.01, dtype=tf.float32)

def step():
    with tf.GradientTape() as tape:
        hidden = tf.nn.gelu(tf.nn.conv2d(images, kernel, 1, "VALID"))
        found = tf.reshape(hidden, (32, -1)) @ weights
        loss = tf.reduce_mean(tf.square(found))
    for v, g in zip((kernel, weights), tape.gradient(loss, (kernel, weights))):
        v.assign_sub(1e-3 * g)
    return float(loss)

losses = [step() for _ in range(3)]
start, used = time.perf_counter(), time.process_time()
losses += [step() for _ in range(5)]
busy = (time.process_time() - used) / (time.perf_counter() - start)
print(len(os.listdir("/proc/self/task")), busy, *losses)
"""


def run(threads: int, **environment: str) -> tuple[int, float, list[str]]:
    """How many threads the process has, how many of them work at a time, and the losses."""
    names = ("GRADTAPE_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")
    own = {n: text for n, text in os.environ.items() if n not in names}
    found = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(threads)], env={**own, **environment},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    count, busy, *losses = found.stdout.split()
    return int(count), float(busy), losses


@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="only Linux lists threads there")
def test_one_pool_and_no_other_beside_it():
    idle = (os.cpu_count() or 1) - 1  # NumPy's OpenBLAS starts its own; they are given nothing
    one, busy_one, expected = run(1)
    assert one <= 1 + idle
    assert busy_one < 1.1
    for threads in (2, 3):
        count, busy, losses = run(threads)
        assert count <= threads + idle
        assert busy < threads + 0.1
        assert losses == expected  # to the last bit


@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="only Linux lists threads there")
def test_the_environment_sets_the_number():
    assert run(0, GRADTAPE_NUM_THREADS="1")[1] < 1.1
    assert run(0, OPENBLAS_NUM_THREADS="1")[0] == 1
