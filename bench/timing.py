"""Timing inside one process, the same for every library."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

WARM_UP_SECONDS = 0.3
SAMPLE_SECONDS = 0.05


def calls_per_sample(step: Callable[[], object]) -> int:
    """Warms up; how many calls fill SAMPLE_SECONDS."""
    calls = 0
    start = now = time.perf_counter()
    while now - start < WARM_UP_SECONDS or calls < 2:
        step()
        calls += 1
        now = time.perf_counter()
    return max(1, round(SAMPLE_SECONDS * calls / (now - start)))


def seconds_per_call(step: Callable[[], object], calls: int) -> float:
    """The average of so many calls, after as many that are not timed.

    The others have worked meanwhile: caches hold their data, and threads sleep.
    """
    for _ in range(calls):
        step()
    start = time.perf_counter()
    for _ in range(calls):
        step()
    return (time.perf_counter() - start) / calls


def summary(values: list[float]) -> dict[str, float]:
    """The median, what the middle half lies between, and the ends."""
    low, _, high = (
        statistics.quantiles(values, method="inclusive") if len(values) > 1 else values * 3
    )
    return {
        "median": statistics.median(values),
        "low": low,
        "high": high,
        "least": min(values),
        "most": max(values),
    }
