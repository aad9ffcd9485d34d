"""Small and scientific problems: gradtape's `tf.function` and eager ops, `jax.jit` and PyTorch.

    .venv/bin/python bench/small/run.py --jax .bench/xla/bin/python --torch .bench/torch/bin/python

The problems are in the manner of ADBench: a step of an LSTM and one of ADBench's own over a text,
an ODE solved by a loop of TensorFlow's and by one of Python's, a Gaussian mixture, the blocks of a
bundle adjustment's Jacobian, the Jacobian of a hand's positions, a Gaussian process, a descent by
L-BFGS, a PINN; and Jacobians column by column, a pass of forward mode for each: of the ODE, of
masses on springs, of the hand, of a gradient. Each form has a process for each turn, and they take
turns. Printed are the least times in microseconds, how long the first call took, and whether the
values agree. Writes nothing.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from importlib import import_module

PROBLEMS = ("lstm", "rk4", "rk4_loop", "characters", "gmm", "bundle", "hand")
PROBLEMS += ("process", "rosenbrock", "pinn")
PROBLEMS += ("forward_rates", "forward_masses", "forward_hand", "forward_hessian")


def measure(library: str, problem: str, seconds: float) -> dict:
    """Time a problem in this process."""
    module = import_module(f"with_{library}")
    started = time.perf_counter()
    step = getattr(module, problem)()
    results = module.numbers(step())
    first = time.perf_counter() - started
    least, end = float("inf"), time.perf_counter() + seconds
    while time.perf_counter() < end:
        began = time.perf_counter()
        step()
        least = min(least, time.perf_counter() - began)
    return {"first": first, "least": least, "values": [float(abs(y).sum()) for y in results]}


def in_a_process(python: str, library: str, problem: str, seconds: float, switches: dict) -> dict:
    """Time a problem in a process of its own."""
    command = [python, __file__, "--measure", library, problem, "--seconds", str(seconds)]
    done = subprocess.run(
        command, env={**os.environ, **switches}, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(f"{library}, {problem}:\n{done.stderr}")
    return json.loads(done.stdout.splitlines()[-1])


def compare(forms: dict[str, tuple[str, str, dict]], problems, turns: int, seconds: float) -> None:
    """Time all problems in all forms, and print a table."""
    print(f"{'problem':15}" + "".join(f"{name:>26}" for name in forms))
    for problem in problems:
        measured: dict[str, list[dict]] = {name: [] for name in forms}
        for _ in range(turns):
            for name, (python, library, switches) in forms.items():
                measured[name].append(in_a_process(python, library, problem, seconds, switches))
        reference = next(iter(measured.values()))[0]["values"]
        cells = []
        for each in measured.values():
            least, first = (min(turn[key] for turn in each) for key in ("least", "first"))
            close = all(
                abs(a - b) <= 1e-4 * abs(a) + 1e-6
                for a, b in zip(reference, each[0]["values"], strict=True)
            )
            mark = "" if close else " DIFFERS"
            cells.append(f"{least * 1e6:.1f} (first {first:.2f} s){mark}")
        print(f"{problem:15}" + "".join(f"{cell:>26}" for cell in cells), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jax")
    parser.add_argument("--torch")
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--only", nargs="+", choices=PROBLEMS, default=PROBLEMS)
    parser.add_argument("--measure", nargs=2, metavar=("LIBRARY", "PROBLEM"))
    options = parser.parse_args()
    if options.measure:
        print(json.dumps(measure(*options.measure, options.seconds)))
        return
    forms: dict[str, tuple[str, str, dict]] = {
        "function": (sys.executable, "gradtape", {}),
        "eager": (sys.executable, "gradtape", {"EAGERLY": "1"}),
    }
    for library in ("jax", "torch"):
        python = getattr(options, library)
        if python:
            forms[library] = (python, library, {})
    compare(forms, options.only, options.turns, options.seconds)


if __name__ == "__main__":
    main()
