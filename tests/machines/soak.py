"""Many Python threads in the native core at once, for ThreadSanitizer to watch.

    python tests/machines/soak.py [--rounds N]

Each part is what programs do with threads: they compute with shared constants, ask for one deferred
value at a time, train models of their own, change a variable that others read, and change the
number of threads. Results are compared with those of one thread.
"""

from __future__ import annotations

import argparse
import sys
import threading
from collections.abc import Callable

import numpy as np

import gradtape as tf
from gradtape.backends.native import kernels as native

THREADS = 4
LARGE = (600, 513)  # enough that kernels let go of the interpreter's lock and divide their work


def together(work: Callable[[int], None]) -> None:
    """Run `work` in several threads that start at the same moment; raise what one of them did."""
    start = threading.Barrier(THREADS)
    errors: list[BaseException] = []

    def run(number: int) -> None:
        try:
            start.wait()
            work(number)
        except BaseException as error:  # handed to the thread that waits
            errors.append(error)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


def sample(*shape: int) -> np.ndarray:
    return np.random.default_rng(len(shape)).standard_normal(shape).astype(np.float32)


def shared_constants() -> None:
    """Elementwise chains, sums, products and convolutions of the same arrays."""
    x, images, kernel = map(tf.constant, (sample(*LARGE), sample(4, 24, 24, 8), sample(3, 3, 8, 8)))

    def compute() -> list[np.ndarray]:
        y = tf.tanh(x * 2.0 + 1.0)
        return [
            y.numpy(),
            tf.reduce_sum(y, 0).numpy(),
            tf.reduce_max(y, 1).numpy(),
            (y @ tf.transpose(x)).numpy(),
            tf.nn.softmax(y).numpy(),
            tf.nn.conv2d(images, kernel, 1, "SAME").numpy(),
            tf.sort(y).numpy(),
        ]

    expected = compute()

    def work(number: int) -> None:
        for result, right in zip(compute(), expected, strict=True):
            np.testing.assert_array_equal(result, right)

    together(work)


def one_deferred_value() -> None:
    """All threads ask for values that depend on the same pending ones."""
    x = tf.constant(sample(*LARGE))
    right = np.exp(np.tanh(x.numpy()) * 0.5)
    shared = tf.tanh(x) * 0.5
    shared_row = tf.reduce_sum(shared)

    def work(number: int) -> None:
        own = tf.exp(shared) + float(number)
        np.testing.assert_allclose(own.numpy() - number, right, rtol=1e-4, atol=1e-5)
        float(shared_row)
        shared.numpy()

    together(work)


def models_of_their_own() -> None:
    """Each thread trains: tapes, gradients, updates in place."""
    x = tf.constant(sample(64, 128))
    losses: dict[int, list[float]] = {}

    def work(number: int) -> None:
        weights = tf.Variable(sample(128, 256) * 0.05)
        bias = tf.Variable(tf.zeros(256))
        losses[number] = []
        for _ in range(4):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(tf.nn.relu(x @ weights + bias)))
            for v, g in zip((weights, bias), tape.gradient(loss, (weights, bias)), strict=True):
                v.assign_sub(0.1 * g)
            losses[number].append(float(loss))

    together(work)
    assert all(losses[number] == losses[0] for number in losses), losses


def one_variable() -> None:
    """Some threads add to a variable, others read it: no sum is lost, no value is a mixture."""
    v = tf.Variable(np.zeros(LARGE, np.float32))
    one = tf.ones(LARGE)

    def work(number: int) -> None:
        for _ in range(5):
            if number % 2:
                v.assign_add(one)
            else:
                value = v.numpy()
                assert value.min() == value.max(), "torn"
                value = (v * 2.0).numpy()
                assert value.min() == value.max(), "torn"

    together(work)
    assert v.numpy().max() == 5.0 * (THREADS // 2), "lost"


def small_gradients() -> None:
    """Derivative rules are recorded for each combination of shapes, and replaced by others, while
    other threads run them."""
    sizes = range(1, 81)  # more than are kept
    variables = {n: tf.constant(sample(n, 4)) for n in sizes}

    def gradient(n: int) -> np.ndarray:
        x = variables[n]
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.concat([x[:, 1:], tf.reverse(x, [0])], 1)
            y = tf.reduce_mean(y, 1, keepdims=True) * tf.linalg.diag_part(y @ tf.transpose(y))
            value = tf.reduce_logsumexp(y)
        return tape.gradient(value, x).numpy()

    expected = {n: gradient(n) for n in sizes}

    def work(number: int) -> None:
        for n in np.random.default_rng(number).permutation(sizes).tolist():
            np.testing.assert_array_equal(gradient(n), expected[n])

    together(work)


def number_of_threads() -> None:
    """Ops run while the number of threads changes."""
    x = tf.constant(sample(*LARGE))
    right = tf.exp(x).numpy()

    def work(number: int) -> None:
        for count in (1, 2, 3):
            if number == 0:
                tf.config.set_num_threads(count)
            np.testing.assert_array_equal(tf.exp(x).numpy(), right)

    together(work)
    tf.config.set_num_threads(2)


PARTS = (
    shared_constants,
    one_deferred_value,
    models_of_their_own,
    one_variable,
    small_gradients,
    number_of_threads,
)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", nargs="*", choices=[part.__name__ for part in PARTS])
    arguments = parser.parse_args()
    if native.extension is None:
        sys.exit("the native extension is not built: there is nothing to watch")
    sys.setswitchinterval(1e-4)
    tf.config.set_num_threads(2)
    for smallest in (0, 2):  # every op by itself, and all of them deferred
        native.extension.fuse_from(smallest)
        for _ in range(arguments.rounds):
            for part in PARTS:
                if not arguments.only or part.__name__ in arguments.only:
                    part()
        print(f"fused from {smallest}: {arguments.rounds} rounds", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
