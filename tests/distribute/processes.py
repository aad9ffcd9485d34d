"""Programs run as the processes of a job, told of each other by TF_CONFIG alone."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import textwrap
import time
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import pytest

from gradtape.cli.launch import free_addresses

needs_jax = pytest.mark.skipif(
    find_spec("jax") is None, reason="processes come together by JAX, which is not installed"
)

HANGS = 500  # seconds: nothing here takes as long, on any machine
COMPANION = 60  # seconds: it asks for 5 at most whether the coordinator answers
LAST_WORDS = re.compile(r"gradtape: .*\n")


@dataclass
class Ended:
    """How a process ended."""

    status: int
    out: str
    err: str


def tf_config(addresses: list[str], index: int) -> str:
    return json.dumps(
        {"cluster": {"worker": addresses}, "task": {"type": "worker", "index": index}}
    )


def environment(**more: str) -> dict[str, str]:
    """The variables of a process on the CPU, one thread, with gradtape's sources."""
    hidden = ("GRADTAPE_", "TF_CONFIG", "SLURM_", "OMPI_")
    plain = {name: value for name, value in os.environ.items() if not name.startswith(hidden)}
    return {
        **plain,
        "JAX_PLATFORMS": "cpu",
        "OPENBLAS_NUM_THREADS": "1",
        "NPROC": "1",
        **more,
    }


class Workers:
    """Processes that run one program, each told its TF_CONFIG, or other variables."""

    def __init__(self, program: Path, configs: list[str | dict[str, str]], **more: str) -> None:
        self.files = [
            (program.with_suffix(f".{i}.out"), program.with_suffix(f".{i}.err"))
            for i in range(len(configs))
        ]
        self.processes = []
        for (out, err), config in zip(self.files, configs, strict=True):
            notified = {"TF_CONFIG": config} if isinstance(config, str) else config
            with out.open("w") as first, err.open("w") as second:
                self.processes.append(
                    subprocess.Popen(
                        [sys.executable, str(program)],
                        env=environment(PYTHONUNBUFFERED="1", **notified, **more),
                        stdin=subprocess.DEVNULL,
                        stdout=first,
                        stderr=second,
                        cwd=program.parent,
                    )
                )

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *exception) -> None:
        for process in self.processes:
            if process.poll() is None:
                process.kill()
            process.wait()

    def out(self, number: int) -> str:
        return self.files[number][0].read_text()

    def until_printed(self, number: int, text: str) -> None:
        until = time.monotonic() + HANGS
        while True:
            has_ended = self.processes[number].poll() is not None  # before what it printed is read
            if text in self.out(number):
                return
            assert not has_ended, self.files[number][1].read_text()
            assert time.monotonic() < until, self.files[number][1].read_text()
            time.sleep(0.02)

    def end(self, number: int) -> Ended:
        status = self.processes[number].wait(HANGS)
        out, err = (file.read_text() for file in self.files[number])
        # Where JAX has aborted the process, a companion speaks after its end, if it has a message.
        until = time.monotonic() + COMPANION
        while status == -signal.SIGABRT and not LAST_WORDS.search(err) and time.monotonic() < until:
            time.sleep(0.05)
            err = self.files[number][1].read_text()
        return Ended(status, out, err)


def workers(folder: Path, text: str, count: int = 2, **more: str) -> Workers:
    """A job of processes that all know the same cluster."""
    addresses = free_addresses(count)
    return Workers(written(folder, text), [tf_config(addresses, i) for i in range(count)], **more)


# Gloo's threads print, too, at any moment: a line is written as a whole, or theirs end up in it.
WHOLE_LINES = "import sys; sys.stdout.reconfigure(line_buffering=True, write_through=False)\n"


def written(folder: Path, text: str) -> Path:
    program = folder / "program.py"
    program.write_text(WHOLE_LINES + textwrap.dedent(text), "utf-8")
    return program
