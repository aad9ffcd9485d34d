"""`make kill-saves KILLS=1000`: processes that save are killed; the old or the new state is there.

This process has all imported. It forks one that saves state after state, kills it (SIGKILL) at a
random moment, and loads what is there: the last state whose saving had ended, or the next one.
"""

from __future__ import annotations

import argparse
import os
import random
import select
import signal
import sys
import tempfile
import time
import traceback


def saving(kind, number: int, pipe: int) -> None:
    """Save one state after the other, and tell when a save begins and ends; until killed."""
    while True:
        number += 1
        os.write(pipe, b"b")
        kind.save(number)
        os.write(pipe, b"e")


def killed(kind, number: int, seconds: float) -> tuple[int, int]:
    """Fork a process that saves, kill it; the number of the last state saved, and last begun."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(reading)
            saving(kind, number, writing)
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(1)
    os.close(writing)
    try:
        select.select([reading], [], [], 60)  # the first save begins
        time.sleep(seconds)
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        if not os.WIFSIGNALED(status):
            raise AssertionError("the process that saves has failed by itself")
        notified = b""
        while piece := os.read(reading, 65536):
            notified += piece
    finally:
        os.close(reading)
    return number + notified.count(b"e"), number + notified.count(b"b")


def trial(kind, number: int, seconds: float) -> int:
    """One kill, and the check of what is left; returns the number of the state that is there."""
    saved, begun = killed(kind, number, seconds)
    result = kind.load()
    if result is None and (saved == 0 or getattr(kind, "may_be_none", False)):
        return begun
    if result is None or not saved <= result <= begun:
        raise AssertionError(f"state {result} is there; {saved} was saved, {begun} begun")
    return result


def run(name: str, kills: int, seed: int) -> list[str]:
    """The failures of so many kills while saving in one way."""
    from tests.fuzz.kills.saves import KINDS

    chosen, failures, number = random.Random(f"{name} {seed}"), [], 0
    with tempfile.TemporaryDirectory() as folder:
        kind = KINDS[name](folder)
        began = time.monotonic()
        for first in range(1, 4):  # how long one takes, to kill within the first few
            kind.save(first)
            number = first
        duration = (time.monotonic() - began) / 3
        for _ in range(kills):
            try:
                number = trial(kind, number, chosen.uniform(0, 2.5 * duration))
            except Exception as error:
                failures.append(f"{type(error).__name__}: {error}")
                number += 1000
                kind.save(number)
    return failures


def main() -> int:
    from tests.fuzz.kills.saves import KINDS

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=1000, help="in all, over all kinds")
    parser.add_argument("--kinds", nargs="+", default=list(KINDS), choices=list(KINDS))
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    each, failed = -(-options.kills // len(options.kinds)), 0
    for name in options.kinds:
        failures = run(name, each, options.seed)
        failed += len(failures)
        print(f"{name:16} killed {each:4} times, neither old nor new {len(failures)}", flush=True)
        for failure in failures[:3]:
            print(f"    {failure[:300]}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
