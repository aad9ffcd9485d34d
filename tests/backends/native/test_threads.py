"""One pool of threads, and no other that works beside it."""

import os
import subprocess
import sys

import pytest

from tests.backends.native.kernels import needs_extension

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
losses += [step() for _ in range(40)]  # long enough for the clocks
busy = (time.process_time() - used) / (time.perf_counter() - start)
print(len(os.listdir("/proc/self/task")), busy, *losses)
"""


def run(threads: int, **environment: str) -> tuple[int, float, list[str]]:
    """How many threads the process has, how many of them work at a time, and the losses."""
    names = ("GRADTAPE_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")
    own = {n: text for n, text in os.environ.items() if n not in names}
    result = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(threads)],
        env={**own, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    count, busy, *losses = result.stdout.split()
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


# Memory that a kernel asks for in a thread of the pool, beyond the limit that is set before: a list
# of the pixels of a window, and the sums of a long segment (the only one, which worker 1 gets).
NO_MEMORY = """
import resource, sys
import numpy as np
import gradtape as tf

def used():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[0]) * resource.getpagesize()

def check(function, *args):
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (used() + 12 * 2**20, hard))
    try:
        function(*args)
    except (MemoryError, tf.errors.ResourceExhaustedError) as error:
        print(type(error).__name__)
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))

def gradient_of_pool(images):  # it looks at every tap of a window
    with tf.GradientTape() as tape:
        tape.watch(images)
        y = tf.nn.max_pool2d(images, 4096, 4096, "SAME")
    return tape.gradient(y, images)

tf.config.set_num_threads(2)
images, rows = tf.ones([8, 16, 16, 4]), tf.ones([26, 2**21])
ids, few = tf.zeros([26], tf.int32), tf.ones([26, 64])
small = lambda: (tf.nn.max_pool2d(images, 2, 1, "SAME"), tf.math.unsorted_segment_sum(few, ids, 1))
expected = [x.numpy() for x in small()]
for name in sys.argv[1:]:
    if name == "pool":
        check(gradient_of_pool, images)
    else:
        check(tf.math.unsorted_segment_sum, rows, ids, 1)
for found, known in zip(small(), expected):
    np.testing.assert_array_equal(found, known)
print("works")
"""


@pytest.mark.skipif(
    "ASAN_OPTIONS" in os.environ, reason="AddressSanitizer itself ends the process without memory"
)
@pytest.mark.skipif(not os.path.isfile("/proc/self/statm"), reason="only Linux says it there")
def test_a_thread_without_memory_raises_in_the_thread_that_waits():
    result = subprocess.run(
        [sys.executable, "-c", NO_MEMORY, "pool", "segments", "pool"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    *errors, last = result.stdout.split()
    assert len(errors) == 3
    assert set(errors) <= {"MemoryError", "ResourceExhaustedError"}
    assert last == "works"
