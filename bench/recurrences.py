"""Recurrences of 10,000 steps, `for t in tf.range(n)` in a `tf.function`, beside TensorFlow.

    .venv/bin/python bench/recurrences.py --tensorflow .bench/tensorflow/bin/python

Both libraries have a process that is ready, and they take turns. Printed are the time of the first
call (which traces), how often the function was traced for three lengths, and the medians of a call
and of a call with its gradient, with the values that they gave. Writes nothing.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time

STEPS = 10_000
WIDTH = 32


def programs(tf) -> dict:
    """Return (a function of the start and the number of steps, the start) by name."""
    series = tf.constant([[0.01 * (i % 7), -0.02 * (i % 5)] for i in range(STEPS)])
    weights = tf.constant([0.9 + 0.002 * i for i in range(WIDTH)])

    def number(x, n):
        for _ in tf.range(n):
            x = x + 1e-4 * tf.cos(x)
        return x

    def vector(x, n):
        for _ in tf.range(n):
            x = x + 1e-4 * tf.tanh(x * weights)
        return tf.reduce_sum(x)

    def series_and_branch(x, n):
        total = 0.0 * x
        for t in tf.range(n):
            row = series[t]
            if row[0] > 0.02:  # noqa: SIM108 (a statement on tensors is meant)
                x = 0.95 * x + row[0]
            else:
                x = 0.9 * x + row[1]
            total += x * x
        return total / tf.cast(n, tf.float32)

    return {
        "number": (number, tf.constant(0.3)),
        "vector": (vector, tf.fill([WIDTH], 0.3)),
        "series and branch": (series_and_branch, tf.constant(0.3)),
    }


def work(library: str) -> None:
    """Answer each line of the input, "program|form", with a time and values."""
    if library == "tensorflow":
        os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
        import tensorflow as tf
    else:
        import gradtape as tf
    ready: dict = {}

    def prepared(name: str) -> tuple:
        if name not in ready:
            function, start = programs(tf)[name]
            traced = tf.function(function)
            began = time.perf_counter()
            traced(start, tf.constant(STEPS)).numpy()
            first = time.perf_counter() - began
            for n in (1, 100):
                traced(start, tf.constant(n))
            ready[name] = traced, start, first
        return ready[name]

    for line in sys.stdin:
        name, form = line.strip().split("|")
        traced, start, first = prepared(name)
        n = tf.constant(STEPS)
        began = time.perf_counter()
        if form == "forward":
            values = [traced(start, n).numpy()]
        else:
            with tf.GradientTape() as tape:
                tape.watch(start)
                y = traced(start, n)
            values = [y.numpy(), tape.gradient(y, start).numpy()]
        seconds = time.perf_counter() - began
        traces = traced.experimental_get_tracing_count()
        sums = [float(value.sum()) for value in values]
        print(json.dumps([seconds, first, traces, sums]), flush=True)


class Worker:
    """A library in a process of its own."""

    def __init__(self, python: str, library: str) -> None:
        self._process = subprocess.Popen(
            [python, __file__, "--work", library],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def turn(self, name: str, form: str) -> list:
        """Return (seconds, seconds of the first call, traces, values) of one call."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{name}|{form}\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def end(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


def compare(workers: dict[str, Worker], turns: int) -> None:
    """Let the libraries take turns, and print a table."""
    for name in ("number", "vector", "series and branch"):
        for form in ("forward", "forward and gradient"):
            measured: dict[str, list] = {library: [] for library in workers}
            for _ in range(turns + 2):
                for library, worker in workers.items():
                    measured[library].append(worker.turn(name, form))
            medians = {
                library: statistics.median(each[0] for each in rows[2:])
                for library, rows in measured.items()
            }
            print(
                f"{name}, {form}: {medians['gradtape'] / medians['tensorflow']:.2f} of TensorFlow"
            )
            for library, rows in measured.items():
                _, first, traces, sums = rows[-1]
                print(
                    f"  {library:12} {1e3 * medians[library]:9.2f} ms   first call {first:5.2f} s, "
                    f"traced {traces} x   values {', '.join(f'{x:.6g}' for x in sums)}"
                )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tensorflow", default=".bench/tensorflow/bin/python")
    parser.add_argument("--turns", type=int, default=15)
    parser.add_argument("--work", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work:
        work(options.work)
        return
    workers = {
        "gradtape": Worker(sys.executable, "gradtape"),
        "tensorflow": Worker(options.tensorflow, "tensorflow"),
    }
    try:
        compare(workers, options.turns)
    finally:
        for worker in workers.values():
            worker.end()


if __name__ == "__main__":
    main()
