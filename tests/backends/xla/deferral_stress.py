"""Threads that share values which wait in the queues of all of them.

    PYTHONPATH=src:. python -m tests.backends.xla.deferral_stress [/GPU:0] [ROUNDS]

Nothing here depends on time: what is asserted must hold however the threads fall.
"""

from __future__ import annotations

import sys

import numpy as np

import gradtape as tf
from tests.racing import in_threads, switching_often


def race(rounds: int, device: str = "/XLA:0") -> None:
    """Writers of every kind, and readers, of values that wait in the queues of all threads."""
    with tf.device(device):
        v = tf.Variable(np.zeros(64, np.float32))
    shared = [v + 0.0]
    add = tf.function(lambda x: v.assign_add(x))
    with tf.device(device):
        add(tf.zeros([64]))
    left = [4]

    def uniform(value):
        assert value.min() == value.max(), "a value was read half written"
        return value

    def eager():
        for _ in range(rounds):
            v.assign_add(tf.ones([64]) * 1.0)
            shared[0] = v * 2.0 - v
        left[0] -= 1

    def donating():
        for _ in range(rounds):
            add(tf.ones([64]) * 1.0)
            shared[0] = v + 0.0
        left[0] -= 1

    def reading():
        while left[0]:
            before = shared[0]
            kept = before + 0.0
            assert uniform(v.numpy())[0] >= 0
            assert uniform(kept.numpy())[0] == uniform(before.numpy())[0]

    def on_the_device(function):
        def work():
            with tf.device(device):
                try:
                    function()
                except BaseException:
                    left[0] = 0
                    raise

        return work

    works = [eager, eager, donating, donating, reading, reading]
    with switching_often():
        in_threads(*map(on_the_device, works), timeout=300)
    np.testing.assert_array_equal(v.numpy(), np.full(64, 4 * rounds))


def main() -> None:
    device = sys.argv[1] if len(sys.argv) > 1 else "/XLA:0"
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 200
    for number in range(5):
        race(rounds, device)
        print(f"race {number + 1} of 5: {4 * rounds} updates on {device}, none lost", flush=True)


if __name__ == "__main__":
    main()
