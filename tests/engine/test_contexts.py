"""Tapes and devices in tasks, generators, forks, and threads that outlive the program."""

import asyncio
import gc
import os
import subprocess
import sys
import threading

import pytest

import gradtape as tf
from gradtape.core.state import EMPTY, get_state, lifted, using
from gradtape.graph.tracing import use_state
from tests.racing import interrupt_at_line

LIMIT = 600  # seconds after which a process that hangs has failed


def is_recording() -> bool:
    """Whether a tape that nobody closed still listens."""
    return bool(get_state().tapes)


def run(program: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """A program in a process of its own, with two threads of gradtape's.

    BLAS has one: OpenBLAS hangs when another thread multiplies during a fork, in NumPy alone, too.
    """
    settings = {"OPENBLAS_NUM_THREADS": "1", "GRADTAPE_NUM_THREADS": "2"}
    return subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, **settings, **variables},
        capture_output=True,
        text=True,
        check=False,
        timeout=LIMIT,
    )


# --- tasks ---------------------------------------------------------------------------------------


def test_each_task_has_its_own_tape():
    async def slope(n: int) -> float:
        x = tf.Variable(float(n))
        with tf.GradientTape() as tape:
            y = x
            for _ in range(3):
                await asyncio.sleep(0)  # the other tasks run here, inside of their tapes
                y = y * x
        await asyncio.sleep(0)
        assert not is_recording()
        return float(tape.gradient(y, x))

    async def all_slopes():
        return await asyncio.gather(*(slope(n) for n in range(5)))

    assert asyncio.run(all_slopes()) == [4.0 * n**3 for n in range(5)]
    assert not is_recording()


def test_a_task_does_not_record_for_another():
    x = tf.Variable(2.0)

    async def meanwhile() -> None:
        x * 3.0
        tf.Variable(1.0) * 2.0

    async def main():
        other = asyncio.ensure_future(meanwhile())  # it has the state from before the tape
        with tf.GradientTape() as tape:
            await other
            y = x * x
        return tape.watched_variables(), tape.gradient(y, x)

    watched, slope = asyncio.run(main())
    assert [v.ref() for v in watched] == [x.ref()]
    assert float(slope) == 4.0


def test_a_cancelled_task_leaves_no_tape():
    async def forever() -> None:
        with tf.GradientTape(), tf.device("CPU:0"):
            await asyncio.Event().wait()

    async def main():
        task = asyncio.ensure_future(forever())
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        return is_recording()

    assert asyncio.run(main()) is False
    assert not is_recording()


def test_work_in_a_thread_of_a_task_is_recorded():
    async def main():
        x = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            y = await asyncio.to_thread(lambda: x * x)  # runs in a copy of this context
        return tape.gradient(y, x)

    assert float(asyncio.run(main())) == 6.0


# --- generators ----------------------------------------------------------------------------------


def inside_a_tape():
    with tf.GradientTape() as tape:
        yield tape
        yield tape


def inside_a_device():
    with tf.device("CPU:0"):
        yield
        yield


@pytest.mark.parametrize("generator", [inside_a_tape, inside_a_device])
@pytest.mark.parametrize("end", ["closed", "collected", "exhausted", "thrown into"])
def test_an_abandoned_generator_leaves_nothing(generator, end):
    x = tf.Variable(3.0)
    abandoned = generator()
    next(abandoned)
    if end == "closed":
        abandoned.close()
    elif end == "exhausted":
        list(abandoned)
    elif end == "thrown into":
        with pytest.raises(KeyError):
            abandoned.throw(KeyError)
    del abandoned
    gc.collect()
    assert not is_recording()
    with tf.GradientTape() as tape:
        y = x * x
    assert float(tape.gradient(y, x)) == 6.0


def test_a_generator_abandoned_inside_of_another_tape():
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        abandoned = inside_a_tape()
        next(abandoned)
        y = x * x
        del abandoned
        gc.collect()
        z = y * x
    assert float(tape.gradient(z, x)) == 27.0
    assert not is_recording()


def test_generators_that_take_turns():
    """Tapes may be closed in any order: each takes itself off, not the innermost."""
    first, second = inside_a_tape(), inside_a_tape()
    one, two = next(first), next(second)
    x = tf.Variable(3.0)
    y = x * x
    first.close()
    z = y * x
    second.close()
    assert not is_recording()
    assert float(two.gradient(z, x)) == 27.0
    assert one.gradient(z, x) is None


# --- interrupts ----------------------------------------------------------------------------------


def in_a_block(block):
    def use():
        with block():
            pass

    return use


USES = {
    "not recording": in_a_block(lambda: using(tapes=())),
    "lifted": in_a_block(lifted),
    "another state": in_a_block(lambda: use_state(EMPTY)),
    "trace": lambda: tf.function(lambda: tf.ones(2) * 2.0)(),
    "element": lambda: next(iter(tf.data.Dataset.range(2))),
    "spec of elements": lambda: tf.data.Dataset.range(2).map(lambda x: x + 1).element_spec,
}


@pytest.mark.parametrize("name", USES)
def test_an_interrupt_at_any_line_leaves_the_tapes_as_they_were(name):
    def seen():
        state = get_state()
        return state.tapes, state.accumulators, state.depth, state.trace

    with tf.GradientTape():
        before = seen()
        total = interrupt_at_line(USES[name], None)
        for line in range(1, total + 1, max(1, total // 100)):
            interrupt_at_line(USES[name], line)
            assert seen() == before, f"another state after line {line} of {total}"


# --- forks ---------------------------------------------------------------------------------------

FORKS = """
import os, sys, threading
import gradtape as tf

x = tf.ones((300, 300))
stop = False

def value():  # a small whole number, whatever the order of the sums
    return float(tf.reduce_max(tf.maximum(x * 2.0, 0.0) @ x + 1.0))

expected = value()

def work():
    while not stop:
        assert value() == expected

threads = [threading.Thread(target=work) for _ in range(2)]
for thread in threads:
    thread.start()
codes = []
for _ in range(8):
    child = os.fork()
    if child == 0:
        v = tf.Variable(x)
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.exp(-v * v))
        v.assign_sub(tape.gradient(loss, v))
        inner = threading.Thread(target=value)
        inner.start()
        inner.join()
        os._exit(0 if value() == expected else 3)
    codes.append(os.waitpid(child, 0)[1])
stop = True
for thread in threads:
    thread.join()
print(codes == [0] * 8, value() == expected)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
@pytest.mark.parametrize("fuse_from", ["", "2"])
def test_forking_while_threads_compute(fuse_from):
    done = run(FORKS, **({"GRADTAPE_FUSE_FROM": fuse_from} if fuse_from else {}))
    assert (done.returncode, done.stdout) == (0, "True True\n"), done.stderr


# --- the end of the program ----------------------------------------------------------------------

THREADS = """
import sys, threading
import gradtape as tf

started = threading.Barrier(3)
x = tf.ones((400, 400))

def large():
    started.wait()
    while True:
        tf.reduce_sum(tf.tanh(x * 2.0) @ x + 1.0).numpy()

def small():
    v = tf.Variable(1.0)
    started.wait()
    while True:
        with tf.GradientTape() as tape:
            y = v**2
        v.assign_sub(0.1 * tape.gradient(y, v))

for work in (large, small):
    threading.Thread(target=work, daemon=True).start()
started.wait()
for _ in range(20):
    tf.reduce_sum(tf.tanh(x)).numpy()
"""


@pytest.mark.parametrize(
    ("last", "code"),
    [("pass", 0), ("sys.exit(5)", 5), ("raise KeyError('an end')", 1)],
)
def test_daemon_threads_that_compute_at_the_end(last, code):
    done = run(THREADS + last)
    assert done.returncode == code
    text = done.stderr.strip().splitlines()
    assert (text[-1:] == ["KeyError: 'an end'"]) if code == 1 else (text == [])


def test_other_threads_finish_their_work():
    done = run(
        """
import threading
import gradtape as tf

def work():
    x = tf.ones((300, 300))
    for _ in range(20):
        y = tf.tanh(x * 0.0) @ x
    print(float(tf.reduce_sum(y)))

threading.Thread(target=work).start()
"""
    )
    assert (done.returncode, done.stdout) == (0, "0.0\n"), done.stderr


def test_what_runs_last_can_compute():
    done = run(
        """
import atexit
import gradtape as tf

x = tf.ones((300, 300))

class Last:
    later = tf.tanh(x) * 0.0 + 1.0

    def __del__(self):
        print(float(tf.reduce_sum(self.later)))

kept = Last()
atexit.register(lambda: print(float(tf.reduce_sum(x * 2.0))))
"""
    )
    assert (done.returncode, done.stdout) == (0, "180000.0\n90000.0\n"), done.stderr


def test_a_dataset_abandoned_midway():
    done = run(
        """
import gradtape as tf
numbers = tf.data.Dataset.range(10**6).map(lambda x: x * 2, num_parallel_calls=2).prefetch(4)
kept = iter(numbers)
print(next(kept).numpy())
for number in numbers:
    raise SystemExit(7)
"""
    )
    assert (done.returncode, done.stdout, done.stderr) == (7, "0\n", "")


def test_a_thread_that_ends_inside_of_a_tape():
    tape = tf.GradientTape()
    thread = threading.Thread(target=tape.__enter__)
    thread.start()
    thread.join()
    assert not is_recording()
