"""Timing inside one process, the same for every library."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

WARM_UP_SECONDS = 0.3
SAMPLE_SECONDS = 0.02
MOST_SAMPLES, FEWEST_SAMPLES = 31, 5


def seconds_per_call(step: Callable[[], object], budget: float) -> list[float]:
    """Samples of the time of one call, each an average over calls that fill SAMPLE_SECONDS.

    After a warm-up there are as many samples as fit into the budget of seconds, within limits.
    """
    calls = 0
    start = now = time.perf_counter()
    while now - start < WARM_UP_SECONDS or calls < 2:
        step()
        calls += 1
        now = time.perf_counter()
        if now - start > budget:
            break
    one = (now - start) / calls
    number = max(1, round(SAMPLE_SECONDS / one))
    count = min(MOST_SAMPLES, max(FEWEST_SAMPLES, int(budget / (one * number))))
    samples = []
    for _ in range(count):
        start = time.perf_counter()
        for _ in range(number):
            step()
        samples.append((time.perf_counter() - start) / number)
    return samples


def summary(values: list[float]) -> dict[str, float]:
    return {"median": statistics.median(values), "least": min(values), "most": max(values)}
