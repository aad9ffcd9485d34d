"""Processes that die or hang: the others stop in time, and say who it was."""

from __future__ import annotations

import os
import pickle
import re
import signal
import threading
import time

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
            print("training", os.getpid())
            if cluster.process_id == int(os.environ.get("VICTIM", "9")):
                exec(os.environ["ACTION"])
        time.sleep(0.02)
"""


def lost(job: Workers, survivor: int, since: float, text: str, within: float) -> str:
    """The survivor's error, which comes in time and names the other."""
    ended = job.end(survivor, 90)
    assert time.monotonic() - since < within
    other = 1 - survivor
    name = rf"process {other} \([^ ]+:{job.processes[other].pid}\)"
    assert re.search(f"{name}{text}", ended.err), ended.err
    assert "Start the job again: from its last checkpoint it goes on" in ended.err
    return ended.err


@needs_jax
def test_a_killed_worker_is_named_in_30_seconds_by_default(tmp_path):
    with workers(tmp_path, TRAINING) as job:
        for number in range(2):
            job.until_printed(number, "training")
        since = time.monotonic()
        os.kill(job.processes[1].pid, signal.SIGKILL)
        error = lost(job, 0, since, r" has shown no life for \d+ s: it was killed, its", 30)
        assert "WorkerLostError: Process 0 (" in error
        assert job.processes[0].returncode == LOST_STATUS


@needs_jax
@pytest.mark.parametrize("victim", [0, 1])
def test_a_worker_that_hangs_is_named(tmp_path, victim):
    with workers(tmp_path, TRAINING, GRADTAPE_FAULT_TIMEOUT="3") as job:
        for number in range(2):
            job.until_printed(number, "training")
        since = time.monotonic()
        os.kill(job.processes[victim].pid, signal.SIGSTOP)
        text = " has not answered for 3 s" if victim == 0 else " has shown no life for 3 s"
        lost(job, 1 - victim, since, text, 12)
        assert job.processes[1 - victim].returncode == LOST_STATUS


@needs_jax
def test_the_end_of_the_coordinator_is_named(tmp_path):
    with workers(tmp_path, TRAINING) as job:
        for number in range(2):
            job.until_printed(number, "training")
        time.sleep(2)  # until its name is known
        since = time.monotonic()
        os.kill(job.processes[0].pid, signal.SIGKILL)
        job.end(1)
        time.sleep(2)  # the last words come after the end
        lost(job, 1, since, ", the coordinator at 127.0.0.1:\\d+, is gone", 30)


@needs_jax
@pytest.mark.parametrize("victim", [0, 1])
def test_an_error_of_one_is_told_to_the_others(tmp_path, victim):
    action = "raise ValueError('no such batch')"
    with workers(tmp_path, TRAINING, VICTIM=str(victim), ACTION=action) as job:
        job.until_printed(1 - victim, "training")
        since = time.monotonic()
        lost(job, 1 - victim, since, " ended with ValueError: no such batch", 15)
        ended = job.end(victim)
        assert ended.status == 1
        assert "ValueError: no such batch" in ended.err
        assert "WorkerLostError" not in ended.err


@needs_jax
@pytest.mark.parametrize(
    ("action", "text"),
    [
        ("sys.exit()", " has ended after 11 runs of the strategy, and this process waits in run"),
        ("time.sleep(60)", " lives, but stays at 11 runs of the strategy, and this process waits"),
    ],
)
def test_one_that_does_not_come_is_named(tmp_path, action, text):
    more = {"GRADTAPE_FAULT_TIMEOUT": "2", "GRADTAPE_STRAGGLER_TIMEOUT": "3"}
    with workers(tmp_path, TRAINING, VICTIM="1", ACTION=action, **more) as job:
        job.until_printed(0, "training")
        lost(job, 0, time.monotonic(), text, 15)


@needs_jax
def test_all_that_end_well_end_well(tmp_path):
    """Also when one of them stays longer than the others are given to show life."""
    program = TRAINING.replace("100_000", "20") + (
        "\n    time.sleep(8 * cluster.process_id)\n    print('end')\n"
    )
    with workers(tmp_path, program, GRADTAPE_FAULT_TIMEOUT="4") as job:
        ended = [job.end(number) for number in range(2)]
    assert [each.status for each in ended] == [0, 0], ended
    assert all("end" in each.out for each in ended)
    assert all("WorkerLostError" not in each.err for each in ended)


# --- the watch itself, in one process ------------------------------------------------------------


class Notes(dict):
    """A store without a cluster; `answers` is what keeps it from answering."""

    def __init__(self) -> None:
        super().__init__({f"member/{i}": f'{{"host": "h", "pid": {i}}}' for i in range(2)})
        self.answers = threading.Event()
        self.answers.set()

    def write(self, key, text):
        self.answers.wait()
        self[key] = text

    def folder(self, key):
        self.answers.wait()
        start = f"{key}/"
        return {k.removeprefix(start): v for k, v in dict(self).items() if k.startswith(start)}


@pytest.fixture
def watched(monkeypatch):
    """A watch over another process, whose beats are written here; how it ended this one."""
    ends: list[int] = []
    monkeypatch.setattr(faults, "end", ends.append)
    monkeypatch.setattr(faults.exit_reporter, "set_message", lambda *args, **kwargs: None)
    made: list[FaultMonitor] = []

    def start(process_id: int, timeout: float = 2.0) -> tuple[FaultMonitor, Notes]:
        notes = Notes()
        watch = FaultMonitor(notes, process_id, 2, timeout)
        made.append(watch)
        watch._taken = True  # nothing is thrown into the thread of the tests
        watch.start()
        return watch, notes

    yield start
    for watch in made:
        watch.delivered.set()
        watch._over.set()
    assert not ends


def beats(notes: Notes, number: int, count: int, runs: int = 0) -> None:
    for beat in range(count):
        notes[f"alive/{number}"] = f"{beat} {runs}"
        time.sleep(0.05)


def test_silence_is_noticed_and_told(watched):
    watch, notes = watched(0)
    beats(notes, 1, 20)
    assert watch.verdict is None
    assert watch.known.wait(10)
    text, number = watch.verdict
    assert number == 1
    assert text.startswith("Process 0 (h:0) stops: process 1 (h:1) has shown no life for ")
    assert "process 1 (h:1) has shown no life" in notes["verdict/1"]


def test_one_that_has_left_is_not_missed(watched):
    watch, notes = watched(0)
    notes["alive/1"] = "1 0 left"
    assert not watch.known.wait(3.5)


def test_a_coordinator_that_does_not_answer_is_noticed(watched):
    watch, notes = watched(1)
    time.sleep(0.3)
    notes.answers.clear()
    assert watch.known.wait(10)
    notes.answers.set()
    text, number = watch.verdict
    assert number == 0
    assert "Process 1 (h:1) stops: process 0 (h:0) has not answered for 2 s: it was" in text


def test_what_another_says_of_its_end_is_believed(watched):
    watch, notes = watched(1)
    notes["verdict/0"] = "process 0 (h:0) ended with ValueError: no such batch"
    assert watch.known.wait(10)
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


def test_one_that_stays_behind_is_named_in_its_time(watched, monkeypatch):
    monkeypatch.setenv(faults.STRAGGLER_TIMEOUT, "1")
    watch, notes = watched(0)
    watch.runs = 4
    beats(notes, 1, 90, runs=3)
    assert watch.known.is_set()
    assert "process 1 (h:1) lives, but stays at 3 runs of the strategy" in watch.verdict[0]


def test_a_failed_collective_with_all_well_has_no_explanation(watched):
    watch, notes = watched(0)
    other = threading.Thread(target=beats, args=(notes, 1, 120))
    other.start()
    assert watch.explain() is None
    other.join()


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
