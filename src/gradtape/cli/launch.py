"""`gradtape launch`: starts the processes of a job on this machine, and looks after them.

Each process learns its rank from TF_CONFIG and gradtape's own variables; how they find
each other and compute together is JAX's work. On a cluster, its scheduler starts the processes.
"""

from __future__ import annotations

import contextlib
import errno
import glob
import json
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import IO

from gradtape.cli.arguments import UsageError, missing_program
from gradtape.distribute.process.faults import LOST_STATUS

_TIMED_OUT = 124
# Below those that systems give to outgoing connections: until a process of the job listens at its
# port, no connection of another program takes it.
_PORTS = range(20_000, 32_000)
_POLL_SECONDS = 0.05
_BLAME_SECONDS = 15.0  # for the process to end that the others stopped for
_STOP_SECONDS = 5.0  # between the request to stop and the end by force
_THREADS = ("GRADTAPE_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NPROC")


@dataclass(frozen=True)
class LaunchOptions:
    """What to start."""

    program: str
    arguments: tuple[str, ...] = ()
    count: int = 1
    cpu_devices: int | None = None
    timeout: float | None = None
    fault_timeout: float | None = None


def launch(plan: LaunchOptions) -> int:
    """Run a job to its end; its exit status."""
    try:
        environments = settings(plan, os.environ, free_addresses(plan.count))
    except UsageError as error:
        print(f"gradtape launch: {error}", file=sys.stderr)
        return 2
    command = [sys.executable, "-u", "-m", "gradtape", "run", "--", plan.program]
    command += plan.arguments
    with Job(command, environments) as job:
        return job.wait(plan.timeout)


# --- environment of each process -----------------------------------------------------------------


def free_addresses(count: int) -> list[str]:
    """Return free addresses on this machine."""
    draw = random.SystemRandom()  # whatever seed a program has set: others draw at the same time
    ports: list[int] = []
    while len(ports) < count:
        port = draw.choice(_PORTS)
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError as error:
                if error.errno == errno.EADDRINUSE:
                    continue
                raise
        if port not in ports:
            ports.append(port)
    return [f"127.0.0.1:{port}" for port in ports]


def settings(
    plan: LaunchOptions, environment: Mapping[str, str], addresses: list[str]
) -> list[dict[str, str]]:
    """Return the environment of each process."""
    missing = missing_program(plan.program)
    if missing is not None:
        raise UsageError(missing)
    common = {**environment, **_devices(plan, environment), "PYTHONUNBUFFERED": "1"}
    if plan.fault_timeout is not None:
        common["GRADTAPE_FAULT_TIMEOUT"] = f"{plan.fault_timeout:g}"
    for name in _THREADS:
        if not environment.get(name):
            common[name] = str(max(1, _cores() // plan.count))
    shares = gpu_shares(plan, environment)
    environments = []
    for number in range(plan.count):
        task = {
            "cluster": {"worker": addresses},
            "task": {"type": "worker", "index": number},
        }
        environments.append(
            {
                **common,
                **shares[number],
                "TF_CONFIG": json.dumps(task),
                "GRADTAPE_COORDINATOR": addresses[0],
                "GRADTAPE_PROCESS_COUNT": str(plan.count),
                "GRADTAPE_PROCESS_ID": str(number),
            }
        )
    return environments


def _cores() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # macOS, Windows
        return os.cpu_count() or 1


def _devices(plan: LaunchOptions, environment: Mapping[str, str]) -> dict[str, str]:
    if plan.cpu_devices is None:
        return {}
    return {"JAX_PLATFORMS": "cpu", "JAX_NUM_CPU_DEVICES": str(plan.cpu_devices)}


def gpu_shares(plan: LaunchOptions, environment: Mapping[str, str]) -> list[dict[str, str]]:
    """Return each process's part of the GPUs: two processes cannot share one."""
    nothing: list[dict[str, str]] = [{} for _ in range(plan.count)]
    if plan.cpu_devices is not None or environment.get("JAX_PLATFORMS") == "cpu":
        return nothing
    visible = environment.get("CUDA_VISIBLE_DEVICES")
    if visible is None:
        there = [str(i) for i in range(len(glob.glob("/dev/nvidia[0-9]*")))]
    else:
        there = [each.strip() for each in visible.split(",") if each.strip() not in ("", "-1")]
    if not there or plan.count == 1:
        return nothing
    if len(there) % plan.count:
        raise UsageError(
            f"{len(there)} GPU{'s' if len(there) > 1 else ''} cannot be shared equally by "
            f"{plan.count} processes. Start as many processes as GPUs, or compute on the CPU with "
            "--cpu-devices 1."
        )
    each = len(there) // plan.count
    return [
        {"CUDA_VISIBLE_DEVICES": ",".join(there[i * each : (i + 1) * each])}
        for i in range(plan.count)
    ]


# --- the processes -------------------------------------------------------------------------------


class Job:
    """Processes that belong together: they are started, heard and stopped as one."""

    def __init__(self, command: list[str], environments: list[dict[str, str]]) -> None:
        self._command, self._environments = command, environments
        self._processes: list[subprocess.Popen] = []
        self._readers: list[threading.Thread] = []
        self._lock = threading.Lock()
        self._previous: dict[int, object] = {}
        self._asked: int | None = None  # the signal that asked for the end

    def __enter__(self) -> Job:
        for number in (signal.SIGINT, signal.SIGTERM):
            self._previous[number] = signal.signal(number, self._hear)
        for number, environment in enumerate(self._environments):
            process = subprocess.Popen(
                self._command,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,  # this process forwards signals from the terminal
            )
            self._processes.append(process)
            for source, target in ((process.stdout, sys.stdout), (process.stderr, sys.stderr)):
                reader = threading.Thread(target=self._pass_on, args=(number, source, target))
                reader.start()
                self._readers.append(reader)
        return self

    def __exit__(self, *exception) -> None:
        self._stop(signal.SIGTERM)
        for reader in self._readers:
            reader.join()
        for number, handler in self._previous.items():
            signal.signal(number, handler)  # pyright: ignore[reportArgumentType] (what signal.getsignal gave)

    def _hear(self, number: int, frame) -> None:
        if self._asked is not None:  # asked twice
            self._signal(signal.SIGKILL)
        self._asked = number
        self._signal(number)

    def _pass_on(self, number: int, source: IO[bytes], target) -> None:
        """Print what a process prints, line by line, with its number in front."""
        for line in source:
            # Of what was to be written over itself, as progress bars are, the last stays.
            text = line.decode(errors="replace").rstrip("\r\n").rpartition("\r")[2]
            with self._lock:
                print(f"[{number}] {text}", file=target, flush=True)

    def _say(self, text: str) -> None:
        with self._lock:
            print(f"gradtape launch: {text}", file=sys.stderr, flush=True)

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the end of all, or of the first that fails; the exit status of the job."""
        start = time.monotonic()
        blame_until = None
        while True:
            ended = {i: p.poll() for i, p in enumerate(self._processes)}
            if self._asked is not None:
                return self._interrupted()
            culprit = _culprit(ended)
            failed = any(status for status in ended.values())
            if failed and blame_until is None:
                blame_until = time.monotonic() + _BLAME_SECONDS
            if culprit is not None and (
                not _is_consequence(ended[culprit])
                or None not in ended.values()
                or time.monotonic() > (blame_until or 0)
            ):
                return self._failed(culprit, ended[culprit] or 0)
            if None not in ended.values():
                return 0
            if timeout is not None and time.monotonic() - start > timeout:
                self._say(f"the job was stopped: it took longer than {timeout:g} s.")
                self._stop(signal.SIGTERM)
                return _TIMED_OUT
            time.sleep(_POLL_SECONDS)

    def _failed(self, number: int, status: int) -> int:
        others = any(process.poll() is None for process in self._processes)
        stopped = " The others are stopped." if others else ""
        self._say(f"process {number} {_how(status)}.{stopped}")
        self._stop(signal.SIGTERM)
        return status if status > 0 else 128 - status

    def _interrupted(self) -> int:
        """Handle Ctrl-C or a request to end, after it was forwarded to the other processes."""
        name = signal.Signals(self._asked or 0).name
        self._wait_for_end(_STOP_SECONDS)
        self._say(f"stopped by {name}.")
        self._stop(signal.SIGTERM)
        return 128 + (self._asked or 0)

    def _stop(self, number: int) -> None:
        self._signal(number)
        self._wait_for_end(_STOP_SECONDS)
        self._signal(signal.SIGKILL)
        for process in self._processes:
            process.wait()

    def _wait_for_end(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        for process in self._processes:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(max(0.0, until - time.monotonic()))

    def _signal(self, number: int) -> None:
        for process in self._processes:
            if process.poll() is None:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.killpg(process.pid, number)  # with the processes that it has started


def _culprit(ended: dict[int, int | None]) -> int | None:
    """Return the process that failed; one that stopped because of another only if there is none
    else."""
    failed = [number for number, status in ended.items() if status]
    causes = [number for number in failed if not _is_consequence(ended[number])]
    return (causes or failed or [None])[0]


def _is_consequence(status: int | None) -> bool:
    """Return whether a process probably ended because another did: by gradtape's watch, or by
    JAX's."""
    return status in (LOST_STATUS, -signal.SIGABRT)


def _how(status: int) -> str:
    if status < 0:
        return f"was ended by signal {-status} ({signal.Signals(-status).name})"
    return f"ended with exit status {status}"
