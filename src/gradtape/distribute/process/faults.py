"""Lost processes: those that die or hang make the others stop, with an error that names them.

Each process of a job writes a count into the store of JAX's coordination service, once a second.
Process 0 watches the counts; one that stands still for `GRADTAPE_FAULT_TIMEOUT` seconds (20) is a
lost process, and so is a coordinator that does not answer. A process that ends with an error says
so itself. One that lives, but does not come to where the others wait for it, is given
`GRADTAPE_STRAGGLER_TIMEOUT` seconds (600). The others then raise `WorkerLostError`; where they are
blocked in a collective, which Python cannot interrupt, they print it and end.

Time is counted in beats of the watch itself: where all processes are suspended for a while (JAX
allows 100 s), nobody is lost.
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import json
import math
import os
import queue
import sys
import threading
import time
import traceback
from collections.abc import Callable, Generator

from gradtape.core.errors import UnavailableError
from gradtape.distribute.process.coordination import KeyValueStore, coordinator_address, store
from gradtape.distribute.process.exit_messages import exit_reporter
from gradtape.distribute.process.membership import ClusterError

TIMEOUT = "GRADTAPE_FAULT_TIMEOUT"
DEFAULT_TIMEOUT = 20.0
STRAGGLER_TIMEOUT = "GRADTAPE_STRAGGLER_TIMEOUT"
DEFAULT_STRAGGLER_TIMEOUT = 600.0
_SUSPICIOUS_SECONDS = 5.0  # how long silence must last once a collective has failed
_GRACE_SECONDS = 3.0  # for the main thread to notice, before the process is ended
_LINGER_SECONDS = 8.0  # of a failed coordinator, whose end would cut the others short
_REMEDY = (
    "Start the job again: from its last checkpoint it goes on, with the same or another number of "
    "processes."
)
LOST_STATUS = 69  # with which processes end that stop because of another
_CAUSES = "it was killed, its machine or network is down, or it hangs"
_OF_COLLECTIVES = ("gloo", "nccl", "rccl", "collective", "unavailable", "connection")


class WorkerLostError(UnavailableError):
    """Another process of the job died or hangs; `process_id` says which."""

    def __init__(self, message: str = "", process_id: int | None = None) -> None:
        if not message and _watches:  # thrown into the main thread, by its class alone
            message, process_id = _watches[0].verdict or ("another process was lost", None)
            _watches[0].delivered.set()
        super().__init__(message)
        self.process_id = process_id

    def __reduce__(self) -> tuple:
        return type(self), (self._message, self.process_id)


def seconds(given: float | None, variable: str, default: float) -> float:
    """Return a time from an argument, from an environment variable, or by default."""
    value = os.environ.get(variable, "").strip() if given is None else given
    if value == "":
        return default
    try:
        result = float(value)
    except (TypeError, ValueError):
        result = math.nan
    if not result > 0 or math.isinf(result):
        what = f"{variable}={value}" if given is None else f"timeout {given!r}"
        raise ClusterError(f"{what}: give a number of seconds above 0.")
    return result


def after(timeout: float) -> int:
    """Return JAX's own timeout: longer than ours, because JAX ends processes without naming the
    lost one."""
    return max(100, int(3 * timeout))


# --- the watch -----------------------------------------------------------------------------------


class FaultMonitor:
    """Shows that this process lives, and finds out who does not."""

    def __init__(
        self, notes: KeyValueStore, process_id: int, process_count: int, timeout: float
    ) -> None:
        self._notes = notes
        self._id, self._count, self._timeout = process_id, process_count, timeout
        self._straggling = seconds(None, STRAGGLER_TIMEOUT, DEFAULT_STRAGGLER_TIMEOUT)
        self._interval = min(1.0, timeout / 10)
        self._over = threading.Event()
        self._last_words: queue.SimpleQueue = queue.SimpleQueue()
        self._beats = 0
        self._answers = 0
        self._heard: dict[str, str] = {}
        self._members: dict[str, str] = {}
        self._suspicious = False  # a collective has failed here
        self._curious = False  # this process has not got on for a while
        self._taken = False  # a caller waits for the verdict, and will raise it
        self.runs = 0
        self.verdict: tuple[str, int | None] | None = None
        self.known = threading.Event()
        self.delivered = threading.Event()

    def start(self) -> None:
        self._beat()
        for target in (self._beat_on, self._judge, self._write_on):
            threading.Thread(target=target, name="gradtape-watch", daemon=True).start()

    # A thread for what may block, one that only counts, and one for the last words.

    def _beat_on(self) -> None:
        while not self._over.wait(self._interval):
            with contextlib.suppress(Exception):  # silence is what the judge looks for
                self._beat()

    @property
    def _judges(self) -> bool:
        """Whether this process looks at all others: else only process 0 does, for all."""
        return self._id == 0 or self._suspicious or self._curious

    def _beat(self) -> None:
        self._beats += 1
        self._notes.write(f"alive/{self._id}", f"{self._beats} {self.runs}")
        if self._judges:
            self._heard = self._notes.folder("alive")
        if len(self._members) < self._count:
            self._members = self._notes.folder("member")
            self._leave_last_words()
        for number, text in self._notes.folder("verdict").items():
            if int(number) != self._id:
                self._stop(text, int(number))
        self._answers += 1

    def _leave_last_words(self) -> None:
        if self._id and "0" in self._members:
            exit_reporter.set_message(
                f"process {self.name(self._id)} was stopped: process {self.name(0)}, the "
                f"coordinator at {coordinator_address()}, is gone. {_REMEDY}",
                unless_answers=coordinator_address(),
            )

    def _judge(self) -> None:
        silent = dict.fromkeys(map(str, range(self._count)), 0)
        heard: dict[str, str] = {}
        answers = unanswered = runs = waited = 0
        while not self._over.wait(self._interval) and self.verdict is None:
            if self._answers == answers:
                unanswered += 1
                if self._too_long(unanswered):
                    self._stop(*self._without_answers())
                continue
            answers, unanswered = self._answers, 0
            runs, waited = self.runs, waited + 1 if self.runs == runs else 0
            self._curious = self._too_long(waited)
            if not self._judges:
                continue
            for number in silent:
                now = self._heard.get(number, "")
                moved = now != heard.get(number, "") or now.endswith("left")
                silent[number] = 0 if moved else silent[number] + 1
                heard[number] = now
                if int(number) != self._id and self._too_long(silent[number]):
                    shown = silent[number] * self._interval
                    self._accuse(int(number), f"has shown no life for {shown:.0f} s: {_CAUSES}")
            if self._curious and (late := self._late(waited * self._interval)):
                self._accuse(*late)

    def _without_answers(self) -> tuple[str, int | None]:
        """Return what is wrong where the store does not answer, and which process is lost."""
        if self._id:
            return self._text(0, f"has not answered for {self._timeout:g} s: {_CAUSES}"), 0
        return (
            f"the coordinator, which it runs itself, has not answered for {self._timeout:g} s, so "
            "that it cannot see whether the others live",
            None,
        )

    def _too_long(self, beats: int) -> bool:
        limit = min(self._timeout, _SUSPICIOUS_SECONDS) if self._suspicious else self._timeout
        return beats * self._interval >= limit

    # --- what follows ---------------------------------------------------------------------------

    def _accuse(self, number: int, what: str) -> None:
        text = self._text(number, what)
        with contextlib.suppress(Exception):  # the store may be gone with the lost process
            self._notes.write(f"verdict/{number}", text)
        self._stop(text, number)

    def _text(self, number: int, what: str) -> str:
        return f"process {self.name(number)} {what}"

    def name(self, number: int) -> str:
        """Return the description of a process: its number, host and process id."""
        try:
            member = json.loads(self._members[str(number)])
            return f"{number} ({member['host']}:{member['pid']})"
        except (KeyError, ValueError):
            return str(number)

    def _stop(self, text: str, number: int | None) -> None:
        """End this process, since another is lost: by an error, or else at once."""
        if self.verdict is not None or self._over.is_set():
            return
        message = f"Process {self.name(self._id)} stops: {text}. {_REMEDY}"
        self.verdict = (message, number)
        self.known.set()
        if not self._taken:
            main = threading.main_thread().ident
            ctypes.pythonapi.PyThreadState_SetAsyncExc(
                ctypes.c_ulong(main or 0), ctypes.py_object(WorkerLostError)
            )
        threading.Thread(target=self._insist, name="gradtape-end", daemon=True).start()

    def _insist(self) -> None:
        if not self.delivered.wait(_GRACE_SECONDS):
            name = f"{WorkerLostError.__module__}.{WorkerLostError.__name__}"
            print(f"{name}: {(self.verdict or ('',))[0]}", file=sys.stderr, flush=True)
            self._take_leave()
            end(LOST_STATUS)

    # --- what the main thread asks ---------------------------------------------------------------

    def explain(self) -> WorkerLostError | None:
        """Return the error that names the process to blame for a failed collective; None if all
        live."""
        self._taken = True
        self._suspicious = True
        patience = min(self._timeout, _SUSPICIOUS_SECONDS) + 3 * self._interval + _GRACE_SECONDS
        is_known = self.known.wait(patience)
        if is_known and self.verdict is not None:
            self.delivered.set()
            return WorkerLostError(*self.verdict)
        self._taken = self._suspicious = False
        late = self._late(math.inf)
        if late is None:
            return None
        message = f"Process {self.name(self._id)} stops: {self._text(*late)}. {_REMEDY}"
        return WorkerLostError(message, late[0])

    def _late(self, waited: float) -> tuple[int, str] | None:
        """Return the process that does not reach this point, and a description of it."""
        for number, text in sorted(self._heard.items()):
            _, runs, *state = text.split()
            if int(number) == self._id or int(runs) >= self.runs:
                continue
            progress = f"{runs} runs of the strategy, and this process waits in run {self.runs}"
            if state == ["left"]:
                return int(number), f"has ended after {progress}"
            if waited >= self._straggling:
                return int(number), f"lives, but stays at {progress}: it hangs, or it is too slow"
        return None

    # --- the end ---------------------------------------------------------------------------------

    def failed(self, error: BaseException) -> None:
        """Tell the others that this process ends with an error."""
        if self.verdict is not None:
            return  # they know of the same
        reason = traceback.format_exception_only(type(error), error)[-1].strip()
        text = f"process {self.name(self._id)} ended with {reason}"
        self.verdict = (text, self._id)
        self._quickly(lambda: self._notes.write(f"verdict/{self._id}", text))

    def leave(self) -> None:
        """Leave the job at the end of the program."""
        self._take_leave()
        if self.verdict is None:
            return  # JAX waits for the others
        if self._id == 0:
            self._linger()
        # JAX would wait for those who are lost, and then end this process itself.
        end(1 if self.verdict[1] == self._id else LOST_STATUS)

    def _take_leave(self) -> None:
        self._over.set()
        exit_reporter.cancel()
        self._quickly(
            lambda: self._notes.write(f"alive/{self._id}", f"{self._beats} {self.runs} left")
        )

    def _linger(self) -> None:
        """Wait with ending the coordinator, which ends the others, until they have said why they
        stop."""
        lost = self.verdict[1] if self.verdict else None
        until = time.monotonic() + _LINGER_SECONDS
        while time.monotonic() < until:
            with contextlib.suppress(Exception):  # the store may be gone: this process ends
                heard = self._notes.folder("alive")
                waited = [n for n, text in heard.items() if not text.endswith("left")]
                if all(int(n) in (0, lost) for n in waited):
                    return
            time.sleep(self._interval / 2)

    def _quickly(self, write: Callable[[], None]) -> None:
        """Write to the store, unless the coordinator does not answer."""
        is_written = threading.Event()
        self._last_words.put((write, is_written))
        is_written.wait(_GRACE_SECONDS)

    def _write_on(self) -> None:
        # A thread that waits from the start: none can be started while the interpreter ends.
        while True:
            write, is_written = self._last_words.get()
            with contextlib.suppress(Exception):  # nobody is there to read it
                write()
            is_written.set()


_watches: list[FaultMonitor] = []


def watch(process_id: int, process_count: int, timeout: float) -> None:
    """Watch over the other processes of the job, from now on."""
    from gradtape.backends.xla.runtime.mesh import GUARDS

    notes = store()
    if notes is None or _watches:
        return
    watch = FaultMonitor(notes, process_id, process_count, timeout)
    _watches.append(watch)
    watch.start()
    atexit.register(watch.leave)
    GUARDS[:] = [guard]
    previous = sys.excepthook

    def explain_first(kind, error, trace) -> None:
        if _is_of_collective(error) and (result := watch.explain()):
            result.__cause__, error = error, result
        watch.failed(error)
        previous(type(error), error, error.__traceback__)

    sys.excepthook = explain_first


@contextlib.contextmanager
def guard() -> Generator[None, None, None]:
    """Wrap a collective computation: an error names the process that was lost."""
    if not _watches:
        yield
        return
    _watches[0].runs += 1
    try:
        yield
    except Exception as error:  # raised again, with the name of the lost process if that is why
        if not _is_of_collective(error) or (result := _watches[0].explain()) is None:
            raise
        raise result from error


def _is_of_collective(error: BaseException) -> bool:
    """Return whether an error may come from another process's end."""
    text = "" if isinstance(error, WorkerLostError) else str(error).lower()
    return any(word in text for word in _OF_COLLECTIVES)


def end(status: int) -> None:
    """End this process at once, and lose nothing that was printed."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):  # the process ends in any case
            stream.flush()
    os._exit(status)
