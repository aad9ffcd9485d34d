"""Messages of a process that JAX ends without an exception.

When the coordinator dies, JAX's client ends the process from a thread of its own, with a message
that names no process. A process cannot print after its end; so a small child process waits for
that, at the other end of a pipe. It prints only if the process did not cancel the message, and then
only if the coordinator does not answer, or if the process was about to join.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from collections.abc import Generator

# Reads lines [text, address]: the message, and the address that must not answer for it to be
# printed.
_REPORTER = """
import json, socket, sys, time
last = ["", ""]
for line in sys.stdin:
    last = json.loads(line)
text, address = last
if address:
    host, _, port = address.rpartition(":")
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=5).close()
        text = ""
    except OSError:
        time.sleep(0.3)  # after JAX's own message
if text:
    print("gradtape: " + text, file=sys.stderr, flush=True)
"""


class ExitReporter:
    """A child process that prints a message after this one has ended."""

    def __init__(self) -> None:
        self._process: subprocess.Popen | None = None

    def set_message(self, text: str, unless_answers: str = "") -> None:
        """Set the message to print at the end; with an address, only if nothing answers there."""
        if self._process is None:
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-S", "-c", _REPORTER],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                text=True,
                start_new_session=True,  # Ctrl-C is not meant for it
            )
        self._send(text, unless_answers)

    def cancel(self) -> None:
        """Cancel the message: the process ends normally."""
        if self._process is not None:
            self._send("", "")

    def _send(self, text: str, address: str) -> None:
        pipe = self._process.stdin if self._process is not None else None
        with contextlib.suppress(OSError, ValueError):  # it may have been killed with the job
            if pipe is not None:
                pipe.write(json.dumps([text, address]) + "\n")
                pipe.flush()

    @contextlib.contextmanager
    def message_inside(self, text: str) -> Generator[None, None, None]:
        """Print a message if the process ends inside of the block."""
        self.set_message(text)
        try:
            yield
        finally:
            self.cancel()


exit_reporter = ExitReporter()
