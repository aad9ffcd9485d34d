"""Processes that die or hang: the others stop in time, and say who it was."""

from __future__ import annotations

import os
import pickle
import re
import signal
import threading

import pytest

import gradtape as tf
from gradtape.core.errors import UNAVAILABLE
from gradtape.distribute.process import faults
from gradtape.distribute.process.faults import LOST_STATUS, FaultMonitor, WorkerLostError
from tests.distribute.processes import Workers, needs_jax, workers

TRAINING = """
    import os, sys, time

    import numpy as np

    from gradtape.distribute.process import faults
    from gradtape.distribute.process.cluster import join

    faults._LINGER_SECONDS = 400.0  # until the others have said why they stop, however slow
    cluster = join()
    import jax
    from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

    mesh = Mesh(np.array(jax.devices()), ("d",))
    step = jax.jit(lambda x: x.sum(), out_shardings=NamedSharding(mesh, P()))
    x = jax.make_array_from_process_local_data(NamedSharding(mesh, P("d")), np.ones(4, "float32"))
    for number in range(100_000):
        with faults.guard():
            total = float(step(x))
        if number == 10:
            monitor = faults._watches[0]
            while len(monitor._members) < 2:  # until the name of the other is known
                time.sleep(0.02)
            answers = monitor._answers
            while monitor._answers == answers:  # and the beat is over that has asked for it
                time.sleep(0.02)
            print("training", os.getpid())
            if cluster.process_id == int(os.environ.get("VICTIM", "9")):
                exec(os.environ["ACTION"])
        time.sleep(0.02)
"""


# Seconds that a slow machine may keep a process from its turn without its being suspected. They are
# counted in beats of the watch: what it says of them does not depend on the machine's load.
PATIENCE = "8"


def lost(job: Workers, survivor: int, text: str) -> re.Match[str]:
    """What the survivor's error says of the other, which it names."""
    ended = job.end(survivor)
    other = 1 - survivor
    name = rf"process {other} \([^ ]+:{job.processes[other].pid}\)"
    result = re.search(f"{name}{text}", ended.err)
    assert result, ended.err
    assert "Start the job again: from its last checkpoint it goes on" in ended.err
    return result


@needs_jax
def test_a_killed_worker_is_named_within_the_default_timeout(tmp_path):
    with workers(tmp_path, TRAINING) as job:
        for number in range(2):
            job.until_printed(number, "training")
        os.kill(job.processes[1].pid, signal.SIGKILL)
        result = lost(job, 0, r" has shown no life for (\d+) s: it was killed, its")
        assert int(result[1]) <= faults.DEFAULT_TIMEOUT
        assert "WorkerLostError: Process 0 (" in result.string
        assert job.processes[0].returncode == LOST_STATUS


@needs_jax
@pytest.mark.parametrize("victim", [0, 1])
def test_a_worker_that_hangs_is_named(tmp_path, victim):
    with workers(tmp_path, TRAINING, GRADTAPE_FAULT_TIMEOUT=PATIENCE) as job:
        for number in range(2):
            job.until_printed(number, "training")
        os.kill(job.processes[victim].pid, signal.SIGSTOP)
        text = " has not answered for 8 s" if victim == 0 else " has shown no life for 8 s"
        lost(job, 1 - victim, text)
        assert job.processes[1 - victim].returncode == LOST_STATUS


@needs_jax
def test_the_end_of_the_coordinator_is_named(tmp_path):
    with workers(tmp_path, TRAINING) as job:
        for number in range(2):
            job.until_printed(number, "training")
        os.kill(job.processes[0].pid, signal.SIGKILL)
        lost(job, 1, ", the coordinator at 127.0.0.1:\\d+, is gone")


@needs_jax
@pytest.mark.parametrize("victim", [0, 1])
def test_an_error_of_one_is_told_to_the_others(tmp_path, victim):
    action = "raise ValueError('no such batch')"
    with workers(tmp_path, TRAINING, VICTIM=str(victim), ACTION=action) as job:
        lost(job, 1 - victim, " ended with ValueError: no such batch")
        ended = job.end(victim)
        assert ended.status == 1
        assert "ValueError: no such batch" in ended.err
        assert "WorkerLostError" not in ended.err


@needs_jax
@pytest.mark.parametrize(
    ("action", "text"),
    [
        ("sys.exit()", " has ended after 11 runs of the strategy, and this process waits in run"),
        ("time.sleep(900)", " lives, but stays at 11 runs of the strategy, and this process waits"),
    ],
)
def test_one_that_does_not_come_is_named(tmp_path, action, text):
    more = {"GRADTAPE_FAULT_TIMEOUT": PATIENCE, "GRADTAPE_STRAGGLER_TIMEOUT": "9"}
    with workers(tmp_path, TRAINING, VICTIM="1", ACTION=action, **more) as job:
        lost(job, 0, text)


@needs_jax
def test_all_that_end_well_end_well(tmp_path):
    """Also when one of them stays longer than the others are given to show life."""
    program = TRAINING.replace("100_000", "20") + (
        "\n    time.sleep(11 * cluster.process_id)\n    print('end')\n"
    )
    with workers(tmp_path, program, GRADTAPE_FAULT_TIMEOUT=PATIENCE) as job:
        ended = [job.end(number) for number in range(2)]
    assert [each.status for each in ended] == [0, 0], ended
    assert all("end" in each.out for each in ended)
    assert all("WorkerLostError" not in each.err for each in ended)


# --- the watch itself, in one process ------------------------------------------------------------


class Notes(dict):
    """A store without a cluster, in which process 1 - i shows life whenever process i looks.

    `beats` says how often; from `answers` requests on, the store does not answer until `end`.
    """

    def __init__(self, process_id: int, beats: int, runs: int | str, answers: int) -> None:
        super().__init__({f"member/{i}": f'{{"host": "h", "pid": {i}}}' for i in range(2)})
        self._other, self._runs, self._answers = 1 - process_id, runs, answers
        self.beats, self.beats_left_at_verdict = beats, 0
        self.end = threading.Event()

    def write(self, key, text):
        self._answers -= 1
        if self._answers < 0:
            self.end.wait()
        if key.startswith("verdict"):
            self.beats_left_at_verdict = self.beats
        self[key] = text

    def folder(self, key):
        if key == "alive" and self.beats > 0:
            self.beats -= 1
            self[f"alive/{self._other}"] = f"{self.beats} {self._runs}"
        start = f"{key}/"
        return {k.removeprefix(start): v for k, v in dict(self).items() if k.startswith(start)}


class Rounds:
    """In place of the event that ends a watch: so many rounds without waiting, and then the end."""

    def __init__(self, monitor: FaultMonitor, count: int) -> None:
        self._monitor, self._left, self._over = monitor, count, False

    def wait(self, seconds: float) -> bool:
        self._over = self._over or not self._left
        if not self._over:
            self._left -= 1
            self._monitor._beat()  # as its other thread does
        return self._over

    def is_set(self) -> bool:
        return self._over

    def set(self) -> None:
        self._over = True


FOREVER = 600  # seconds, to find what hangs


@pytest.fixture
def watched(monkeypatch):
    """A watch over another process, whose beats are written here; how it ended this one.

    With a number of rounds it runs in the thread of the test, without time; else in its own.
    """
    ends: list[int] = []
    monkeypatch.setattr(faults, "end", ends.append)
    monkeypatch.setattr(faults.exit_reporter, "set_message", lambda *args, **kwargs: None)
    made: list[tuple[FaultMonitor, Notes]] = []

    def start(
        process_id: int, rounds=0, beats=10**9, runs=0, answers=10**9, own_runs=0
    ) -> tuple[FaultMonitor, Notes]:
        notes = Notes(process_id, beats, runs, answers)
        watch = FaultMonitor(notes, process_id, 2, 2.0)
        made.append((watch, notes))
        watch._taken = True  # nothing is thrown into the thread of the tests
        watch.delivered.set()  # nor is the process ended, however slow the test is
        watch.runs = own_runs
        if rounds:
            watch._over = Rounds(watch, rounds)
            watch._judge()
        else:
            watch.start()
        return watch, notes

    yield start
    for watch, notes in made:
        watch._over.set()
        notes.end.set()
    assert not ends


def is_silent(watch: FaultMonitor, notes: Notes) -> None:
    text, number = watch.verdict
    assert number == 1
    assert text.startswith("Process 0 (h:0) stops: process 1 (h:1) has shown no life for ")
    assert "process 1 (h:1) has shown no life for 2 s" in notes["verdict/1"]
    assert notes.beats_left_at_verdict == 0


def test_silence_is_noticed_and_told(watched):
    watch, notes = watched(0, beats=5)
    assert watch.known.wait(FOREVER)
    is_silent(watch, notes)


def test_silence_is_noticed_after_the_timeout_and_not_before(watched):
    # A beat every 0.2 s, twenty times; and then there are 2 s without.
    assert watched(0, rounds=20 + 9, beats=20)[0].verdict is None
    is_silent(*watched(0, rounds=20 + 10, beats=20))


def test_one_that_has_left_is_not_missed(watched):
    watch, _ = watched(0, rounds=100, beats=1, runs="0 left")
    assert watch.verdict is None


def test_a_coordinator_that_does_not_answer_is_noticed(watched):
    watch, _ = watched(1, answers=3)
    assert watch.known.wait(FOREVER)
    text, number = watch.verdict
    assert number == 0
    assert "Process 1 (h:1) stops: process 0 (h:0) has not answered for 2 s: it was" in text


def test_a_coordinator_that_has_no_answer_for_itself_stops(watched):
    """Else it would wait for JAX to end it, without a word: it judges by what its store says."""
    watch, _ = watched(0, answers=3)
    assert watch.known.wait(FOREVER)
    text, number = watch.verdict
    assert number is None
    assert "Process 0 (h:0) stops: the coordinator, which it runs itself, has not answered" in text


def test_what_another_says_of_its_end_is_believed(watched):
    watch, notes = watched(1)
    notes["verdict/0"] = "process 0 (h:0) ended with ValueError: no such batch"
    assert watch.known.wait(FOREVER)
    error = watch.explain()
    assert isinstance(error, WorkerLostError)
    assert error.process_id == 0
    assert error.message.startswith(
        "Process 1 (h:1) stops: process 0 (h:0) ended with ValueError: no such batch. Start the"
    )


def test_the_end_of_a_process_is_told_once(watched):
    watch, notes = watched(0)
    watch.failed(ValueError("no such batch"))
    watch.failed(KeyError("later"))
    assert notes["verdict/0"] == "process 0 (h:0) ended with ValueError: no such batch"
    assert not watch.known.is_set()  # by itself, a process is not stopped


def test_leave_is_taken_without_a_new_thread(watched, monkeypatch):
    watch, notes = watched(0)

    def start(thread):  # as in Python 3.12 while the interpreter ends
        raise RuntimeError("can't create new thread at interpreter shutdown")

    monkeypatch.setattr(threading.Thread, "start", start)
    watch.leave()
    assert notes["alive/0"].endswith(" left")


def test_one_that_stays_behind_is_named_in_its_time(watched, monkeypatch):
    monkeypatch.setenv(faults.STRAGGLER_TIMEOUT, "3")
    # The first round, every 0.2 s, sees the runs; the sixteenth, that they stand still for 3 s.
    assert watched(0, rounds=15, runs=3, own_runs=4)[0].verdict is None
    watch, _ = watched(0, rounds=16, runs=3, own_runs=4)
    assert "process 1 (h:1) lives, but stays at 3 runs of the strategy" in watch.verdict[0]


def test_a_failed_collective_with_all_well_has_no_explanation(watched):
    watch, _ = watched(0)
    assert watch.explain() is None


def test_the_error_is_tensorflows_unavailable_and_can_be_pickled():
    error = WorkerLostError("process 3 is gone", 3)
    again = pickle.loads(pickle.dumps(error))
    assert isinstance(error, tf.errors.UnavailableError)
    assert (again.message, again.process_id, again.error_code) == (
        "process 3 is gone",
        3,
        UNAVAILABLE,
    )


def test_the_supervision_of_jax_comes_after_ours():
    assert faults.after(20) == 100
    assert faults.after(60) == 180


def test_without_a_cluster_errors_pass():
    with pytest.raises(ValueError, match="Gloo failed"), faults.guard():
        raise ValueError("Gloo failed")
