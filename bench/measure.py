"""One measurement in a process of its own: `measure.py LIBRARY FORM WORKLOAD`.

Prints one line of JSON: the median time of a step, the time of the first one (with what a library
compiles then), the value that all libraries must agree on, and how far memory grew.
"""

from __future__ import annotations

import argparse
import json
import os
import time

import memory
from libraries import Unavailable, load
from timing import seconds_per_call, summary


def measure(library: str, form: str, workload: str, budget: float) -> dict:
    """What was measured, or {"unavailable": why}."""
    if library == "gradtape" and form == "no extension":
        os.environ["GRADTAPE_NATIVE"] = "0"
    if workload in ("import", "size"):
        import startup

        return getattr(startup, f"measure_{workload}")(library)
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
        samples = seconds_per_call(step, budget)
    except Unavailable as reason:
        return {"version": adapter.version, "unavailable": str(reason)}
    return {
        "version": adapter.version,
        "seconds": summary(samples),
        "first": first,
        "check": agreed,
        "memory": None if before is None or peak is None else peak - before,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("library")
    parser.add_argument("form")
    parser.add_argument("workload")
    parser.add_argument("--budget", type=float, default=2.0, help="seconds for the samples")
    options = parser.parse_args()
    found = measure(options.library, options.form, options.workload, options.budget)
    print("\n" + json.dumps(found), flush=True)
    os._exit(0)  # what libraries do when the interpreter ends is nobody's business here


if __name__ == "__main__":
    main()
