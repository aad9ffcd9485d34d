"""Timing inside one process, the same for every library. Needs only the standard library."""

import json
import statistics
import time
from collections.abc import Callable

WARM_UP_SECONDS = 0.3
SAMPLE_SECONDS = 0.02
SAMPLES = 31


def seconds_per_call(step: Callable[[], object]) -> list[float]:
    """Samples of the time of one call, each an average over calls that fill SAMPLE_SECONDS."""
    calls = 0
    start = time.perf_counter()
    while time.perf_counter() - start < WARM_UP_SECONDS:
        step()
        calls += 1
    number = max(1, round(calls * SAMPLE_SECONDS / WARM_UP_SECONDS))
    samples = []
    for _ in range(SAMPLES):
        start = time.perf_counter()
        for _ in range(number):
            step()
        samples.append((time.perf_counter() - start) / number)
    return samples


def report(version: str, samples: list[float], check: float | None = None) -> None:
    """Print the measurement as one line of JSON; `check` is a result that all libraries share."""
    median = statistics.median(samples)
    print(json.dumps({"version": version, "seconds": median, "check": check}))
