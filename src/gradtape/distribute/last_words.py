"""What a process says when JAX ends it without an exception.

When the coordinator dies, JAX's client ends the process at once, from a thread of its own, in words
that name nobody. A process cannot speak after its end; so a small companion waits for that, at the
other end of a pipe. It speaks only if the process went without a goodbye, and then only if the
coordinator does not answer, or if the process was about to join.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from collections.abc import Iterator

# Reads lines [text, address]: what to say at the end, and who must be gone for it to be said.
_COMPANION = """
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
        time.sleep(0.3)  # after JAX's own words
if text:
    print("gradtape: " + text, file=sys.stderr, flush=True)
"""


class Companion:
    """The process that speaks after this one's end."""

    def __init__(self) -> None:
        self._process: subprocess.Popen | None = None

    def expect(self, text: str, unless_answers: str = "") -> None:
        """Say a text at the end; with an address, only if nobody answers there."""
        if self._process is None:
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-S", "-c", _COMPANION],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                text=True,
                start_new_session=True,  # Ctrl-C is not meant for it
            )
        self._tell(text, unless_answers)

    def goodbye(self) -> None:
        """Say nothing: the process ends of its own will."""
        if self._process is not None:
            self._tell("", "")

    def _tell(self, text: str, address: str) -> None:
        pipe = self._process.stdin if self._process is not None else None
        with contextlib.suppress(OSError, ValueError):  # it may have been killed with the job
            if pipe is not None:
                pipe.write(json.dumps([text, address]) + "\n")
                pipe.flush()

    @contextlib.contextmanager
    def speaking(self, text: str) -> Iterator[None]:
        """Say a text if the process ends inside of the block."""
        self.expect(text)
        try:
            yield
        finally:
            self.goodbye()


companion = Companion()
