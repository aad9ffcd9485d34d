"""One form of one library at one workload, in a process of its own.

    measure.py LIBRARY FORM WORKLOAD

Prints a line of JSON when it is ready: the time of the first step (with what a library compiles
then), the value that all libraries must agree on, and how far memory grew. Then, for each line that
it reads, it takes a sample and prints the seconds of a step. By hand: `yes | head -9 | python
bench/measure.py gradtape eager mlp`.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time

import memory
from libraries import Unavailable, load
from timing import calls_per_sample, seconds_per_call

MARK = "measured: "  # libraries print lines of their own


def prepare(library: str, form: str, workload: str):
    """What is known before the samples, and a function that takes one (None: nothing to sample)."""
    if library == "gradtape" and form == "no extension":
        os.environ["GRADTAPE_NATIVE"] = "0"
    if workload in ("import", "size"):
        import startup

        return getattr(startup, f"measure_{workload}")(library), None
    from workloads import every_workload

    adapter = load(library, form)
    made = next(w for w in every_workload() if w.name == workload)
    try:
        step, count, number = made.make(adapter)
        before = memory.now()
        memory.forget_peak()
        start = time.perf_counter()
        value = step()
        first = time.perf_counter() - start
        for _ in range(count - 1):
            value = step()
        peak = memory.peak()
        agreed = number(value)
        calls = calls_per_sample(step)
    except Unavailable as reason:
        return {"version": adapter.version, "unavailable": str(reason)}, None
    known = {
        "version": adapter.version,
        "first": first,
        "check": agreed,
        "memory": None if before is None or peak is None else peak - before,
    }
    return known, lambda: seconds_per_call(step, calls)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("library")
    parser.add_argument("form")
    parser.add_argument("workload")
    options = parser.parse_args()
    known, sample = prepare(options.library, options.form, options.workload)
    print("\n" + MARK + json.dumps(known), flush=True)
    if sample is not None:
        for _ in sys.stdin:
            print("\n" + MARK + json.dumps(sample()), flush=True)
    os._exit(0)  # what libraries do when the interpreter ends is nobody's business here


if __name__ == "__main__":
    main()
