"""`make soak`: the same thing again and again must not need more memory.

Each subject runs in a process of its own. Resident memory is read after a warm-up of a tenth of
the rounds, and at the end; a subject fails where it has grown by more than `--limit` MiB.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable

import numpy as np

import gradtape as tf

# How often each is done for a million rounds: files and compiled calls are fewer.
SUBJECTS: dict[str, tuple[Callable[[], Callable[[int], None]], float]] = {}


def subject(share: float = 1.0):
    def add(make):
        SUBJECTS[make.__name__] = (make, share)
        return make

    return add


@subject()
def tapes():
    """Tapes over a variable and a constant, with gradients."""
    v, x = tf.Variable(2.0), tf.constant([1.0, 2.0, 3.0])

    def run(_):
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(tf.tanh(v * x) ** 2)
        v.assign_sub(1e-6 * tape.gradient(y, v))

    return run


@subject(0.1)
def persistent_tapes():
    """Persistent and nested tapes."""
    v = tf.Variable([0.5, -0.25])

    def run(_):
        with tf.GradientTape(persistent=True) as outer:
            with tf.GradientTape() as inner:
                y = tf.reduce_sum(tf.exp(v) * v)
            g = inner.gradient(y, v)
        outer.gradient(g, v)
        outer.gradient(y, v)

    return run


@subject()
def functions():
    """Calls of a traced function that updates a variable."""
    v = tf.Variable(tf.zeros(8))

    @tf.function
    def step(x):
        v.assign_add(tf.tanh(x))
        return tf.reduce_sum(v)

    x = tf.constant(np.linspace(-1, 1, 8), tf.float32)
    return lambda _: step(x)


@subject(0.05)
def shapes():
    """Calls of a function with ever new shapes."""
    step = tf.function(lambda x: tf.reduce_sum(x * x))
    return lambda i: step(tf.ones(1 + i % 1000))


@subject(0.02)
def new_functions():
    """Functions that are made, traced, differentiated and dropped."""

    def run(i):
        v = tf.Variable(float(i))

        @tf.function
        def step(x):
            with tf.GradientTape() as tape:
                y = v * x * x
            return tape.gradient(y, v)

        step(tf.constant(2.0))

    return run


@subject()
def jit():
    """Calls of a function that XLA compiles."""
    step = tf.function(lambda x: tf.reduce_sum(tf.tanh(x) ** 2), jit_compile=True)
    x = tf.ones((4, 4))
    return lambda _: step(x)


@subject()
def elements():
    """Elements of a dataset that is shuffled, mapped and batched, epoch after epoch."""
    source = tf.data.Dataset.range(1000).shuffle(100).map(lambda i: tf.cast(i, tf.float32) * 2.0)
    dataset = iter(source.batch(1).prefetch(2).repeat())
    return lambda _: next(dataset)


@subject(0.2)
def large():
    """Deferred chains over large arrays."""
    x = tf.ones(70_000)
    v = tf.Variable(tf.zeros(70_000))

    def run(_):
        with tf.GradientTape() as tape:
            y = tf.reduce_mean(tf.tanh(v + x) * 0.5)
        v.assign_sub(tape.gradient(y, v))

    return run


@subject()
def fit_steps():
    """Steps of `fit`; a round is a step."""
    return _fit(None)


@subject(0.1)
def fit_eagerly():
    return _fit(True)


def _fit(eagerly):
    from gradtape import keras

    model = keras.Sequential(
        [keras.layers.Input((4,)), keras.layers.Dense(3), keras.layers.Dense(1)]
    )
    model.compile("adam", "mse", metrics=["mae"], run_eagerly=eagerly)
    x, y = np.ones((1000, 4), "float32"), np.ones((1000, 1), "float32")

    def run(i):
        if i % 1000 == 0:
            model.fit(x, y, batch_size=1, epochs=1, verbose=0)

    return run


@subject(0.002)
def checkpoints():
    """Checkpoints of a model with its optimizer, of which three are kept."""
    variables = [tf.Variable(tf.zeros((20, 20))) for _ in range(5)]
    checkpoint = tf.train.Checkpoint(variables=variables)
    folder = tempfile.mkdtemp()
    manager = tf.train.CheckpointManager(checkpoint, folder, max_to_keep=3)

    def run(i):
        manager.save()
        if i % 10 == 0:
            checkpoint.restore(manager.latest_checkpoint).assert_consumed()

    return run


@subject()
def checkpoint_saves():
    """Checkpoints of one number, of which two are kept; now and then one is restored."""
    checkpoint = tf.train.Checkpoint(v=tf.Variable(0.0))
    manager = tf.train.CheckpointManager(checkpoint, tempfile.mkdtemp(), max_to_keep=2)

    def run(i):
        manager.save()
        if i % 1000 == 0:
            checkpoint.restore(manager.latest_checkpoint).assert_consumed()

    return run


@subject(0.002)
def keras_files():
    """Models that are saved and, now and then, loaded."""
    from gradtape import keras

    model = keras.Sequential([keras.layers.Input((4,)), keras.layers.Dense(3)])
    path = os.path.join(tempfile.mkdtemp(), "model.keras")

    def run(i):
        model.save(path)
        if i % 10 == 0:
            keras.models.load_model(path)

    return run


@subject(0.1)
def errors():
    """Ops and functions that fail."""
    x, y = tf.ones(3), tf.ones(4)

    @tf.function
    def step(a, b):
        return a + b

    def run(i):
        with contextlib.suppress(ValueError, tf.errors.InvalidArgumentError):
            step(x, y) if i % 10 == 0 else x + y

    return run


@subject(0.1)
def maps():
    """vectorized_map, jacobians and forward mode."""
    x = tf.constant(np.linspace(-1, 1, 6).reshape(3, 2), tf.float32)

    def run(_):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.vectorized_map(lambda row: tf.tanh(row) * tf.reduce_sum(row), x)
        tape.batch_jacobian(y, x)
        with tf.autodiff.ForwardAccumulator(x, x) as accumulator:
            y = tf.sin(x)
        accumulator.jvp(y)

    return run


@subject(0.1)
def ragged():
    """Ragged tensors that are made, computed with, differentiated and printed now and then."""
    v = tf.Variable([1.0, 2.0, 3.0])

    def run(i):
        with tf.GradientTape() as tape:
            x = tf.RaggedTensor.from_row_lengths(v * 2.0, [1, 0, 2])
            y = tf.reduce_sum(tf.concat([x, x], 1) * x.to_tensor()[:, :1])
        tape.gradient(y, v)
        if i % 100 == 0:
            str(x)

    return run


@subject(0.1)
def loops():
    """Calls of a function whose Python loops and branches on tensors are ops of its graph."""

    @tf.function
    def step(x, count):
        total = tf.zeros_like(x)
        for i in tf.range(count):
            if i % 2 == 0:
                total += x * tf.cast(i, x.dtype)
            else:
                total -= x
        while tf.reduce_sum(total) > 1.0:
            total *= 0.5
        return total

    x = tf.constant([1.0, -2.0])
    return lambda i: step(x, tf.constant(i % 7))


@subject(0.02)
def pfor():
    """vmaps over loops and conditions that differ between the examples, with gradients."""
    x = tf.constant([[1.0, 2.0], [3.0, -1.0], [0.5, 0.25]])
    counts = tf.constant([0, 1, 3])

    def one(given):
        row, count = given
        total = tf.while_loop(
            lambda i, _: i < count, lambda i, y: (i + 1, tf.tanh(y) + row), (0, row)
        )[1]
        return tf.cond(row[0] > 0.75, lambda: total * 2.0, lambda: total)

    def run(_):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.vectorized_map(one, (x, counts))
        tape.gradient(y, x)

    return run


@subject(0.1)
def callbacks():
    """Calls of a function with Python functions inside, and their arrays."""
    v = tf.Variable(tf.zeros(1000))

    @tf.function
    def step(x):
        y = tf.numpy_function(lambda a: a * 2, [x], tf.float32)
        z = tf.py_function(lambda a: a + 1.0, [y], tf.float32)
        v.assign(tf.ensure_shape(z, (1000,)))
        return tf.reduce_sum(v)

    x = tf.ones(1000)
    return lambda _: step(x)


def resident() -> float:
    """MiB of memory that this process holds."""
    gc.collect()
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


def measure(name: str, rounds: int, seconds: float) -> tuple[int, float, float, float]:
    """Run a subject; how many rounds it had, memory after the warm-up and at the end, seconds."""
    run = SUBJECTS[name][0]()
    warm, begin = max(rounds // 10, 1), time.monotonic()
    early, done = 0.0, 0
    for done in range(rounds):
        if done == warm:
            early = resident()
        if done % 1000 == 0 and time.monotonic() - begin > seconds and done > warm:
            break
        run(done)
    return done + 1, early, resident(), time.monotonic() - begin


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=10**6)
    parser.add_argument("--seconds", type=float, default=1e9, help="at most, for each subject")
    parser.add_argument("--limit", type=float, default=8, help="MiB that a subject may grow by")
    parser.add_argument("--only", nargs="+", default=list(SUBJECTS), choices=list(SUBJECTS))
    parser.add_argument("--measure", choices=list(SUBJECTS), help="run one subject in this process")
    options = parser.parse_args()
    if options.measure:
        share = SUBJECTS[options.measure][1]
        print(*measure(options.measure, max(int(options.rounds * share), 20), options.seconds))
        return 0
    print(f"{'subject':18}{'rounds':>10}{'warm MiB':>10}{'end MiB':>10}{'growth':>9}{'s':>8}")
    failed = 0
    for name in options.only:
        command = [sys.executable, "-W", "ignore", "-m", "tests.fuzz.soak", "--measure", name]
        command += ["--rounds", str(options.rounds), "--seconds", str(options.seconds)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            missing = "jax" in done.stderr and name == "jit"
            failed += not missing
            print(f"{name:18}{'needs JAX' if missing else done.stderr[-300:]}", flush=True)
            continue
        rounds, early, late, seconds = map(float, done.stdout.split()[-4:])
        growth = late - early
        failed += growth > options.limit
        print(
            f"{name:18}{rounds:10.0f}{early:10.1f}{late:10.1f}{growth:9.1f}{seconds:8.0f}",
            flush=True,
        )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
