"""Two processes that run the same statements, one of them with the module under test."""

from __future__ import annotations

import os
import pickle
import select
import subprocess
from pathlib import Path

SCRIPT = Path(__file__).with_name("worker.py")


class Worker:
    """A process of `worker.py`; it is started again when a statement has killed or stopped it."""

    def __init__(self, python: str, module: str, seconds: float = 60, environment=None) -> None:
        self._command = [python, str(SCRIPT), module]
        self._environment = {**os.environ, **(environment or {})}
        self._seconds = seconds
        self._process: subprocess.Popen | None = None

    def _pipes(self):
        if self._process is None:
            self._process = subprocess.Popen(
                self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=self._environment
            )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        return self._process.stdin, self._process.stdout

    def begin(self) -> None:
        """Forget all names: a new program begins."""
        requests, _ = self._pipes()
        pickle.dump(None, requests)
        requests.flush()

    def run(self, statement):
        """What the statement defines, or how it failed."""
        requests, answers = self._pipes()
        try:
            pickle.dump((statement.name, statement.render()), requests)
            requests.flush()
            # One answer for one request: nothing of it waits in the reader's buffer.
            if not select.select([answers], [], [], self._seconds)[0]:
                self.close()
                return ("died", f"no answer within {self._seconds} s")
            return pickle.load(answers)
        except (EOFError, BrokenPipeError):
            code = self._process.wait() if self._process else None
            self.close()
            return ("died", f"the process ended with {code}")

    def close(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            for pipe in (self._process.stdin, self._process.stdout):
                if pipe is not None:
                    pipe.close()
            self._process = None


class Pair:
    """Both workers, of which each runs every statement."""

    def __init__(self, ours: Worker, theirs: Worker) -> None:
        self.ours, self.theirs = ours, theirs

    def begin(self) -> None:
        self.ours.begin()
        self.theirs.begin()

    def run(self, statement):
        return self.ours.run(statement), self.theirs.run(statement)

    def close(self) -> None:
        self.ours.close()
        self.theirs.close()
