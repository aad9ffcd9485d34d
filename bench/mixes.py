"""Gradients of ten elementwise programs, in gradtape's functions and eagerly, beside `jax.jit`.

    .venv/bin/python bench/mixes.py --jax .bench/xla/bin/python

They are of no other benchmark: mixes of functions, choices, sums over any axis, float64, strides,
sizes that are no powers of two. Values are not read, gradients are, as arrays without a copy. Each
form has a process for each turn, and they take turns. Printed are the least times in microseconds,
the ratio to JAX's, and whether the gradients agree. Writes nothing.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from types import SimpleNamespace

import numpy as np


def bell(m, x):
    """The mix that the suite began with."""
    return m.sum(m.tanh(x) * m.exp(-m.square(x)) + m.sigmoid(x))


def huber(m, x, y):
    away = m.abs(x - y)
    return m.mean(m.where(away < 1, 0.5 * m.square(away), away - 0.5))


def columns(m, x):
    """A sum over the first axis within the chain."""
    return m.sum(m.log(1 + m.sum(m.exp(m.sin(x)), 0)))


def rows(m, x):
    """Rows that are centered and scaled."""
    away = x - m.mean(x, -1, True)
    y = away * m.rsqrt(m.mean(m.square(away), -1, True) + 1e-5)
    return m.sum(y * m.tanh(y))


def waves(m, x):
    return m.sum(m.sin(x) * m.cos(2 * x) + m.sqrt(1 + m.square(x)))


def strides(m, x):
    even, odd = x[:, ::2], x[:, 1::2]
    return m.sum(m.exp(-m.square(even)) * odd + m.tanh(even - odd))


def middle(m, x):
    """A sum over an axis between others."""
    return m.sum(m.square(m.sum(m.sigmoid(x) * x, 1)))


def outer(m, x, y):
    """All pairs of two vectors."""
    return m.sum(m.exp(-0.5 * m.square(x[:, None] - y[None, :])) * m.cos(y))


def choices(m, x, y):
    larger = m.where(x > y, x, m.square(y))
    return m.sum(m.where(larger > 0.5, m.sqrt(m.abs(larger) + 1), larger * m.tanh(x)))


def bounded(m, x):
    y = m.minimum(m.maximum(x, -1.0), 1.0)
    return m.sum(y * m.erf(x) + m.rsqrt(1 + m.square(x)) - m.log(1 + m.exp(-m.abs(x))))


# Shapes of the arguments, and their dtype.
MIXES: dict[Callable, tuple[list[tuple[int, ...]], str]] = {
    bell: ([(1_000_000,)], "float32"),
    huber: ([(1_000_003,), (1_000_003,)], "float32"),
    columns: ([(999, 1001)], "float32"),
    rows: ([(511, 1023)], "float32"),
    waves: ([(300_007,)], "float64"),
    strides: ([(801, 1002)], "float32"),
    middle: ([(37, 129, 211)], "float32"),
    outer: ([(701,), (1003,)], "float64"),
    choices: ([(333, 777), (333, 777)], "float32"),
    bounded: ([(777_777,)], "float32"),
}
NAMES = {function.__name__: function for function in MIXES}


def _arguments(name: str) -> list[np.ndarray]:
    shapes, dtype = MIXES[NAMES[name]]
    numbers = np.random.default_rng(0)
    return [numbers.standard_normal(shape).astype(dtype) for shape in shapes]


def with_gradtape(name: str) -> Callable:
    """Return a step that gives the gradients of a program."""
    import gradtape as tf

    m = SimpleNamespace(sum=tf.reduce_sum, mean=tf.reduce_mean, log=tf.math.log, erf=tf.math.erf)
    for each in "tanh exp square sigmoid abs where sin cos sqrt minimum maximum".split():
        setattr(m, each, getattr(tf, each))
    m.rsqrt = tf.math.rsqrt
    arguments = [tf.constant(x) for x in _arguments(name)]

    def gradients(*arguments):
        with tf.GradientTape() as tape:
            tape.watch(arguments)
            value = NAMES[name](m, *arguments)
        return tape.gradient(value, arguments)

    run = gradients if "EAGERLY" in os.environ else tf.function(gradients)
    return lambda: [np.asarray(x) for x in run(*arguments)]


def with_jax(name: str) -> Callable:
    """Return the same in JAX."""
    import jax
    import jax.numpy as jnp

    jax.config.update("jax_enable_x64", True)
    m = SimpleNamespace(
        sum=lambda x, axis=None, keepdims=False: jnp.sum(x, axis, keepdims=keepdims),
        mean=lambda x, axis=None, keepdims=False: jnp.mean(x, axis, keepdims=keepdims),
        sigmoid=jax.nn.sigmoid,
        rsqrt=jax.lax.rsqrt,
        erf=jax.scipy.special.erf,
    )
    for each in "tanh exp square abs where sin cos sqrt log minimum maximum".split():
        setattr(m, each, getattr(jnp, each))
    arguments = [jnp.asarray(x) for x in _arguments(name)]
    numbers = tuple(range(len(arguments)))
    gradients = jax.jit(jax.grad(lambda *x: NAMES[name](m, *x), numbers))
    return lambda: [np.asarray(x) for x in gradients(*arguments)]


def measure(library: str, name: str, seconds: float) -> dict:
    """Time a program in this process."""
    step = {"gradtape": with_gradtape, "jax": with_jax}[library](name)
    sums = [float(np.abs(np.asarray(x, np.float64)).sum()) for x in step()]
    step()
    least, end = float("inf"), time.perf_counter() + seconds
    while time.perf_counter() < end:
        began = time.perf_counter()
        step()
        least = min(least, time.perf_counter() - began)
    return {"least": least, "sums": sums}


def in_a_process(python: str, library: str, name: str, seconds: float, switches: dict) -> dict:
    """Time a program in a process of its own."""
    command = [python, __file__, "--measure", library, name, "--seconds", str(seconds)]
    environment = {**os.environ, **switches}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{library}, {name}:\n{done.stderr}")
    return json.loads(done.stdout.splitlines()[-1])


def compare(jax: str, names: list[str], turns: int, seconds: float) -> None:
    """Time programs in all forms, and print a table."""
    forms: dict[str, tuple[str, str, dict]] = {
        "function": (sys.executable, "gradtape", {}),
        "eager": (sys.executable, "gradtape", {"EAGERLY": "1"}),
        "jax": (jax, "jax", {}),
    }
    print(f"{'':10}" + "".join(f"{form:>20}" for form in forms))
    for name in names:
        least = dict.fromkeys(forms, float("inf"))
        sums: dict[str, list[float]] = {}
        for _ in range(turns):
            for form, (python, library, switches) in forms.items():
                made = in_a_process(python, library, name, seconds, switches)
                least[form], sums[form] = min(least[form], made["least"]), made["sums"]
        cells = []
        for form, time_of in least.items():
            agrees = np.allclose(sums[form], sums["jax"], rtol=1e-4)
            ratio = f"({time_of / least['jax']:.2f})" if agrees else "DIFFERS"
            cells.append(f"{time_of * 1e6:.0f} {ratio}")
        print(f"{name:10}" + "".join(f"{cell:>20}" for cell in cells), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jax")
    parser.add_argument("--only", nargs="+", choices=NAMES, default=list(NAMES))
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--measure", nargs=2, metavar=("LIBRARY", "NAME"))
    options = parser.parse_args()
    if options.measure:
        print(json.dumps(measure(*options.measure, options.seconds)))
    elif options.jax:
        compare(options.jax, options.only, options.turns, options.seconds)
    else:
        parser.error("--jax: the Python of an environment with JAX")


if __name__ == "__main__":
    main()
