"""Processes that take turns: all forms of a workload are ready at the same time, one works."""

from __future__ import annotations

import json
import subprocess
import tempfile
import threading
import time
from pathlib import Path

from measure import MARK

MEASURE = Path(__file__).parent / "measure.py"
# Threads of some libraries wait actively for their next work, for up to a tenth of a second.
PAUSE = 0.1


class Failure(Exception):
    """Why a form has no result; `kind` is "timeout", "error" or "unavailable"."""

    def __init__(self, text: str, kind: str) -> None:
        super().__init__(text)
        self.kind = kind


class Process:
    """One form of one library at one workload (`measure.py`)."""

    def __init__(self, python: str, library: str, form: str, workload: str, limit: float) -> None:
        self.limit = limit
        # Open for as long as the process; `end` closes it.
        self._said = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")  # noqa: SIM115
        command = [python, str(MEASURE), library, form, workload]
        try:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._said, text=True
            )
        except OSError as error:
            self._said.close()
            raise Failure(f"{python}: {error.strerror}", "error") from None

    def ready(self) -> dict:
        """What is known before the samples."""
        known = self._answer()
        if "unavailable" in known:
            raise Failure(known["unavailable"], "unavailable")
        return known

    def sample(self) -> float:
        """Seconds of a step."""
        assert self._process.stdin
        try:
            self._process.stdin.write("\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            raise self._ended() from None
        seconds = self._answer()
        time.sleep(PAUSE)
        return seconds

    def end(self) -> None:
        self._process.kill()
        self._process.communicate()
        self._said.close()

    def _answer(self):
        overdue = threading.Event()

        def stop() -> None:
            overdue.set()
            self._process.kill()

        timer = threading.Timer(self.limit, stop)
        timer.start()
        assert self._process.stdout
        try:
            for line in self._process.stdout:
                if line.startswith(MARK):
                    return json.loads(line.removeprefix(MARK))
        finally:
            timer.cancel()
        if overdue.is_set():
            raise Failure(f"took longer than {self.limit:.0f} s", "timeout")
        raise self._ended()

    def _ended(self) -> Failure:
        code = self._process.wait()
        self._said.seek(0)
        said = [line for line in self._said if line.strip()]
        return Failure(said[-1].strip()[:300] if said else f"ended with code {code}", "error")


def take_turns(processes: dict, turns: int, budget: float) -> dict:
    """{key: samples, or the Failure}: one sample of each in every turn, beginning with another.

    Who is slow takes part in fewer turns (at least three), so that nobody works for longer than
    the budget of seconds, and then in those that are spread over the whole.
    """
    samples: dict = {key: {} for key in processes}
    every = dict.fromkeys(processes, 1)
    order = list(processes)
    for turn in range(turns):
        for key in order:
            own = samples[key]
            if isinstance(own, Failure) or turn % every[key]:
                continue
            start = time.perf_counter()
            try:
                own[turn] = processes[key].sample()
            except Failure as failure:
                samples[key] = failure
                continue
            cost = time.perf_counter() - start
            if turn == 0:
                affordable = max(min(3, turns), min(turns, int(budget / cost)))
                every[key] = -(-turns // affordable)
        order = order[1:] + order[:1]
    return samples
