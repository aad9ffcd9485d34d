"""Compiled training steps on the CPU: `tf.function(jit_compile=True)` beside `jax.jit`.

    python bench/compiled.py                      all four, printed
    python bench/compiled.py lstm --rounds 40
    python bench/compiled.py --output bench       also writes COMPILED.md there

Both end in the same compiler and run-time library, XLA's for CPUs, so that one process can hold
both, and they take turns: a round is a sample of one, then of the other, and the order changes from
round to round. What differs is the program that XLA is given, and the way to call it. The programs
are those of `workloads`: the same arrays, the same model. JAX's are what its users write: a jitted
step that donates its parameters, `lax.scan` for the LSTM, convolutions with channels last; and
where two common forms of a function differ in speed, the quicker one.
"""

from __future__ import annotations

import argparse
import dataclasses
import datetime
import gc
import os
import platform
import statistics
import time
from collections.abc import Callable
from pathlib import Path

from libraries import load as adapter_of
from workloads import every_workload

PROGRAMS = ("mlp", "cnn", "lstm", "gpt")
GOAL = 1.05
SAMPLE_SECONDS = 0.06


@dataclasses.dataclass
class Measurement:
    """What was measured of a program; times in seconds, ours first."""

    title: str
    times: tuple[list[float], list[float]]
    work: tuple[list[float], list[float]]  # the same in time of the processor, of all threads
    first: tuple[float, float]  # with tracing and compiling
    checks: tuple[float, float]  # the loss after the same steps

    def medians(self) -> tuple[float, float]:
        return statistics.median(self.times[0]), statistics.median(self.times[1])


def ratios(samples: tuple[list[float], list[float]]) -> list[float]:
    """Of the two samples of a round, which saw the same machine."""
    return sorted(ours / theirs for ours, theirs in zip(*samples, strict=True))


def with_scan(library):
    """The adapter whose LSTM is a loop of the program: a Python loop would be written out."""
    tf = library.tf

    def lstm(x, kernel, recurrent, bias):
        def cell(state, step):
            h, c = state
            i, f, g, o = tf.split(step + h @ recurrent, 4, axis=1)
            c = tf.sigmoid(f) * c + tf.sigmoid(i) * tf.tanh(g)
            return tf.sigmoid(o) * tf.tanh(c), c

        zeros = tf.zeros((x.shape[0], recurrent.shape[0]))
        inputs = tf.transpose(x @ kernel + bias, (1, 0, 2))
        return tf.foldl(cell, inputs, (zeros, zeros))[0]

    library.lstm = lstm
    return library


def at_its_best(library):
    """JAX's adapter with those forms of two functions that XLA makes more of on CPUs."""
    import jax
    import jax.numpy as jnp

    def layer_norm(x, scale, shift):
        distance = x - jnp.mean(x, -1, keepdims=True)
        variance = jnp.mean(jnp.square(distance), -1, keepdims=True)
        return distance * jax.lax.rsqrt(variance + 1e-5) * scale + shift

    def cross_entropy(logits, labels):
        is_label = labels[..., None] == jnp.arange(logits.shape[-1])
        chosen = jnp.sum(jnp.where(is_label, logits, 0), -1)
        return jnp.mean(jax.nn.logsumexp(logits, -1) - chosen)

    library.layer_norm, library.cross_entropy = layer_norm, cross_entropy
    return library


def measure(name: str, rounds: int) -> Measurement:
    """Both libraries' steps of a program, in turns."""
    workload = next(w for w in every_workload() if w.name == name)
    made = [
        workload.make(with_scan(adapter_of("gradtape", "xla"))),
        workload.make(at_its_best(adapter_of("jax", "jit"))),
    ]
    first, checks = [], []
    for step, count, number in made:
        start = time.perf_counter()
        value = step()
        first.append(time.perf_counter() - start)
        for _ in range(count - 1):
            value = step()
        checks.append(number(value))
    steps = [step for step, _, _ in made]
    counts = [_calls_in_a_sample(step) for step in steps]
    times: tuple[list[float], list[float]] = ([], [])
    work: tuple[list[float], list[float]] = ([], [])
    gc.collect()
    gc.disable()
    for number in range(rounds):
        for index in (0, 1) if number % 2 else (1, 0):
            start = time.process_time()
            times[index].append(_sample(steps[index], counts[index]))
            work[index].append((time.process_time() - start) / counts[index])
    gc.enable()
    return Measurement(workload.title, times, work, (first[0], first[1]), (checks[0], checks[1]))


def _calls_in_a_sample(step: Callable[[], object]) -> int:
    for _ in range(3):
        step()
    return max(1, round(SAMPLE_SECONDS / min(_sample(step, 1) for _ in range(5))))


def _sample(step: Callable[[], object], calls: int) -> float:
    start = time.perf_counter()
    for _ in range(calls):
        step()
    return (time.perf_counter() - start) / calls


def _row(measured: Measurement) -> list[str]:
    ours, theirs = (f"{1e3 * t:.2f}" for t in measured.medians())
    least = min(measured.times[0]) / min(measured.times[1])
    by_round = ratios(measured.times)
    middle = statistics.median(by_round)
    quarter = len(by_round) // 4
    spread = f"{middle:.2f} ({by_round[quarter]:.2f}–{by_round[-quarter - 1]:.2f})"
    work = statistics.median(ratios(measured.work))
    verdict = "met" if middle <= GOAL else "not met"
    starts = " / ".join(f"{t:.1f}" for t in measured.first)
    losses = " / ".join(f"{c:.5f}" for c in measured.checks)
    shown = (f"{least:.2f}", f"{work:.2f}")
    return [measured.title, ours, theirs, spread, *shown, verdict, starts, losses]


HEADER = [
    "step",
    "gradtape, ms",
    "jax.jit, ms",
    "ratio (quartiles)",
    "least ÷ least",
    "processor time",
    f"≤ {GOAL}",
    "first call, s",
    "loss",
]


def report(rows: list[list[str]], rounds: int, load: float) -> str:
    """The page COMPILED.md."""
    import jax

    import gradtape

    lines = [
        "# Compiled training steps on the CPU, beside hand-written `jax.jit`",
        "",
        "Written by `bench/compiled.py --output bench`; its text tells what is measured, and how.",
        "",
        f"gradtape {gradtape.__version__}, JAX {jax.__version__}, Python "
        f"{platform.python_version()}, {platform.system()} {platform.machine()}, "
        f"{os.cpu_count()} cores, load before the run {load:.1f}, "
        f"{datetime.date.today().isoformat()}. Medians of {rounds} interleaved rounds in one "
        "process; the ratio is the median of the rounds' ratios: of the time, and of the time of "
        "the processor (all threads), which a busy machine disturbs less. Pairs are gradtape / "
        "JAX.",
        "",
        f"| {' | '.join(HEADER)} |",
        "|" + "---|" * len(HEADER),
        *[f"| {' | '.join(row)} |" for row in rows],
        "",
    ]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("programs", nargs="*", default=list(PROGRAMS))
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--output", type=Path, help="the folder to write COMPILED.md to")
    options = parser.parse_args()
    load = os.getloadavg()[0]
    rows = []
    for name in options.programs:
        rows.append(_row(measure(name, options.rounds)))
        print("  ".join(rows[-1]), flush=True)
    if options.output is not None:
        text = report(rows, options.rounds, load)
        (options.output / "COMPILED.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
