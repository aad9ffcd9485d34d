"""Single ops beside TensorFlow's: the same calls and arrays in two processes that take turns.

    python bench/ops.py --tensorflow .bench/tensorflow/bin/python
    python bench/ops.py --tensorflow PYTHON top_k segment --turns 15 --above 1.2

Both libraries get one thread, and ops run eagerly. A sample is the average over calls that fill
some milliseconds, in time of the processor (of all threads of the process), so that other work on
the machine counts little; the time of a case is the least of its samples, beside the median of the
ratios within a turn. Values are compared, too: those of random ops by their shapes only.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from op_cases import Case, every_case
from op_cases_calls import call_cases, large_cases
from op_cases_images import image_cases

SAMPLE_SECONDS = 0.004
ONE_THREAD = {
    "GRADTAPE_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "TF_NUM_INTRAOP_THREADS": "1",
    "TF_NUM_INTEROP_THREADS": "1",
    "TF_CPP_MIN_LOG_LEVEL": "3",
    "CUDA_VISIBLE_DEVICES": "",
}


def all_cases() -> list[Case]:
    random = np.random.default_rng(8)
    more = [case for chapter in (image_cases, call_cases, large_cases) for case in chapter(random)]
    return [*every_case(), *more]


# --- a process of one library ------------------------------------------------------------------


def work(library: str) -> None:
    """Answer lines on standard input: a case to make ready, or a sample of it."""
    import gc

    tf = importlib.import_module(library)
    if library == "tensorflow":
        tf.config.threading.set_intra_op_parallelism_threads(1)
        tf.config.threading.set_inter_op_parallelism_threads(1)

        def settle(x):
            return x
    else:
        from gradtape.core.native import materialize

        def settle(x):  # what is deferred is computed within the time that counts
            for tensor in tf.nest.flatten(x):
                if hasattr(tensor, "_data"):
                    materialize(tensor._data)
            return x

    cases = all_cases()

    def run():
        return None

    calls = 1
    answer = sys.stdout
    for line in sys.stdin:
        asked = json.loads(line)
        if "case" in asked:
            gc.collect()
            said: dict = {}
            try:
                run = cases[asked["case"]].ready(tf, settle)
                value = run()
                with open(asked["values"], "wb") as file:
                    np.savez(file, *[_readable(v) for v in tf.nest.flatten(value) if v is not None])
                run()
                start = time.process_time()
                run()
                calls = max(1, int(SAMPLE_SECONDS / (time.process_time() - start)))
            except Exception as error:  # the report says so, and the next case begins anew
                said = {"error": f"{type(error).__name__}: {error}"[:200]}
        else:
            start = time.process_time()
            for _ in range(calls):
                run()
            said = {"seconds": (time.process_time() - start) / calls}
        answer.write("@" + json.dumps(said) + "\n")
        answer.flush()


def _readable(x) -> np.ndarray:
    array = np.array((x.values if hasattr(x, "indices") else x).numpy())
    if array.dtype == object:
        return array.astype(bytes)
    return array.astype(np.float32) if array.dtype.name == "bfloat16" else array


class Process:
    def __init__(self, python: str, library: str) -> None:
        self._process = subprocess.Popen(
            [python, __file__, "--work", library],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, **ONE_THREAD},
        )

    def ask(self, **what) -> dict:
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(json.dumps(what) + "\n")
        self._process.stdin.flush()
        for line in self._process.stdout:
            if line.startswith("@"):
                return json.loads(line[1:])
        raise RuntimeError("the process has ended")

    def end(self) -> None:
        self._process.kill()
        self._process.wait()


def difference(name: str, ours: Path, theirs: Path) -> str:
    """Say how the values differ; nothing where they are equal, or of random ops."""
    first, second = np.load(ours), np.load(theirs)
    if len(first.files) != len(second.files):
        return f"{len(first.files)} results, not {len(second.files)}"
    worst = 0.0
    for key in first.files:
        a, b = first[key], second[key]
        if a.shape != b.shape or a.dtype != b.dtype:
            return f"{a.dtype}{a.shape}, not {b.dtype}{b.shape}"
        if a.size and not name.startswith(("random", "dropout")):
            if a.dtype.kind not in "fc":
                if not np.array_equal(a, b):
                    return f"{np.count_nonzero(a != b)} of {a.size} differ"
                continue
            a, b = (np.asarray(each, np.complex128) for each in (a, b))
            scale = np.abs(b).max() or 1.0
            worst = max(worst, float(np.nanmax(np.abs(a - b)) / scale))
    return f"differ by {worst:.0e}" if worst > 0 else ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("only", nargs="*", help="parts of the names of cases (default: all)")
    parser.add_argument("--tensorflow", help="the Python that has TensorFlow")
    parser.add_argument("--turns", type=int, default=7)
    parser.add_argument("--above", type=float, default=0.0, help="print ratios above this one")
    parser.add_argument("--save", help="a JSON file for the ratios")
    parser.add_argument("--work", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work:
        work(options.work)
        return
    if not options.tensorflow:
        parser.error("--tensorflow is missing")
    processes = [Process(sys.executable, "gradtape"), Process(options.tensorflow, "tensorflow")]
    measured = {}
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / "ours.npz", Path(folder) / "theirs.npz"]
        for number, case in enumerate(all_cases()):
            if options.only and not any(part in case.name for part in options.only):
                continue
            said = [
                p.ask(case=number, values=str(path))
                for p, path in zip(processes, paths, strict=True)
            ]
            if wrong := [s["error"] for s in said if "error" in s]:
                print(f"{case.name:60} {wrong}", flush=True)
                continue
            samples: list[list[float]] = [[], []]
            for turn in range(options.turns):
                for index in (0, 1) if turn % 2 else (1, 0):
                    samples[index].append(processes[index].ask()["seconds"])
            ours, theirs = (min(s) for s in samples)
            median = statistics.median(a / b for a, b in zip(*samples, strict=True))
            measured[case.name] = [ours, theirs, ours / theirs, median]
            if ours / theirs >= options.above:
                print(
                    f"{case.name:60} {1e6 * ours:11.1f} {1e6 * theirs:11.1f} µs  "
                    f"{ours / theirs:6.2f}  (median {median:6.2f})  "
                    f"{difference(case.name, *paths)}",
                    flush=True,
                )
    for process in processes:
        process.end()
    if options.save:
        Path(options.save).write_text(json.dumps(measured, indent=1))


if __name__ == "__main__":
    main()
